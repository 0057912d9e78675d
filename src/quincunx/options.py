"""Options of games and players: definitions, validation, and the numbers passed to kernels."""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from operator import index
from typing import SupportsIndex, TypeAlias

from quincunx.errors import BadOption, did_you_mean

Value: TypeAlias = int | bool | str | float

TRUE_WORDS = ("true", "yes", "on", "1")
FALSE_WORDS = ("false", "no", "off", "0")
INTEGER = r"-?[0-9]{1,18}"
DECIMAL = r"-?[0-9]{1,12}(\.[0-9]{1,12})?"


@dataclass(frozen=True)
class Option:
    """One option: an integer or float within bounds, a boolean, or one of several choices.

    The type of the default is the type of the option.
    """

    name: str
    default: Value
    description: str
    low: float = 0
    high: float = 0
    extra_values: tuple[int, ...] = ()  # allowed in addition to low..high
    choices: tuple[str, ...] = ()
    # (other option, its value, default): replaces the default when the other option has the value.
    conditional_default: tuple[str, Value, Value] | None = None
    label: str = ""  # for people, where it is not the name with spaces: "Columns" for cols
    choice_labels: tuple[str, ...] = ()  # for people, one for each of `choices`

    @property
    def title(self) -> str:
        """The label, or else the name, for people."""
        return self.label or self.name.replace("_", " ").capitalize()

    @property
    def choice_titles(self) -> tuple[str, ...]:
        """What people read for each of the choices."""
        return self.choice_labels or tuple(choice.capitalize() for choice in self.choices)

    @property
    def allowed(self) -> str:
        """Describes the allowed values."""
        if self.choices:
            return "one of " + ", ".join(self.choices)
        if isinstance(self.default, bool):
            return "true or false"
        kind = "a number" if isinstance(self.default, float) else "an integer"
        return (
            "".join(f"{value} or " for value in self.extra_values)
            + f"{kind} from {self.low} to {self.high}"
        )

    def check(self, value: object) -> Value:
        """Returns the value in the option's type, also from text; raises BadOption if invalid."""
        checked: Value | None = None
        if self.choices:
            checked = value if isinstance(value, str) and value in self.choices else None
        elif isinstance(self.default, bool):
            checked = _parse_bool(value)
        else:
            number = _parse_number(value, float if isinstance(self.default, float) else int)
            if number is not None and (
                self.low <= number <= self.high or number in self.extra_values
            ):
                checked = number
        if checked is None:
            raise BadOption(self.name, value, f"must be {self.allowed}")
        return checked

    def code(self, value: Value) -> int:
        """Returns the value as the integer passed to the kernel."""
        return self.choices.index(str(value)) if self.choices else int(value)


@dataclass(frozen=True)
class Preset:
    """A named choice of values for some options; those in `per_seat` are for each seat."""

    name: str
    description: str
    options: Mapping[str, Value] = field(default_factory=dict)
    per_seat: Mapping[str, int] = field(default_factory=dict)

    def values(self, seats: int) -> dict[str, Value]:
        """Returns the values of the options in a game with this number of seats."""
        return {**self.options, **{name: seats * each for name, each in self.per_seat.items()}}


@dataclass(frozen=True)
class Presets:
    """A choice that a page offers instead of some options, such as the length of a game.

    Every preset has values for the same options. A page selects `presets[selected]` at first;
    without a page, the defaults of the options hold.
    """

    name: str
    presets: tuple[Preset, ...]
    selected: int = 0


def _parse_bool(value: object) -> bool | None:
    """Returns a boolean, also from text; None if the value is not one."""
    if isinstance(value, str) and value.strip().lower() in TRUE_WORDS + FALSE_WORDS:
        return value.strip().lower() in TRUE_WORDS
    return value if isinstance(value, bool) else None


def _parse_number(value: object, kind: type[int] | type[float]) -> float | None:
    """Returns a number of the given type, also from text; None if the value is not one."""
    if isinstance(value, str):
        pattern = INTEGER if kind is int else DECIMAL
        return kind(value) if re.fullmatch(pattern, value.strip()) else None
    if isinstance(value, bool):
        return None
    if isinstance(value, SupportsIndex):
        return kind(index(value))
    return float(value) if kind is float and isinstance(value, float) else None


def parse_assignments(parts: Iterable[str], default_name: str = "") -> dict[str, str]:
    """Returns names and values parsed from texts such as `pawns=4`; raises BadOption.

    A value without a name is assigned to the option `default_name`, if that is given.
    """
    given = {}
    for part in parts:
        name, equals, value = part.partition("=")
        if not equals and default_name:
            name, value = default_name, part
        elif not equals:
            raise BadOption(part.strip(), "", "expected an option as name=value")
        if name.strip() in given:
            raise BadOption(name.strip(), value.strip(), "was given twice")
        given[name.strip()] = value.strip()
    return given


def resolve_options(
    owner: str, options: Iterable[Option], given: Mapping[str, object]
) -> dict[str, Value]:
    """Returns a value for every option: the given ones, validated, and defaults for the rest."""
    known = {option.name: option for option in options}
    for name, value in given.items():
        if name not in known:
            hint = did_you_mean(name, known)
            raise BadOption(
                name,
                value,
                f"{owner} has no such option; {hint}it has {', '.join(known) or 'none'}",
            )
    resolved = {
        name: option.check(given[name]) if name in given else option.default
        for name, option in known.items()
    }
    for name, option in known.items():
        if (
            option.conditional_default
            and name not in given
            and resolved[option.conditional_default[0]] == option.conditional_default[1]
        ):
            resolved[name] = option.conditional_default[2]
    return resolved


def checked_seed(seed: int | None) -> int:
    """Returns the low 63 bits of a seed, random ones for None; raises BadOption if not an int."""
    if seed is None:
        return secrets.randbits(63)
    if isinstance(seed, bool) or not hasattr(seed, "__index__"):
        raise BadOption("seed", seed, "must be an integer")
    return int(seed) & (2**63 - 1)
