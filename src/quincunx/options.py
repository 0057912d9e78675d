"""Options of a game: their values, checked, as text and as the numbers a kernel takes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from operator import index
from typing import SupportsIndex, TypeAlias

from quincunx.errors import BadOption, did_you_mean

Value: TypeAlias = int | bool | str | float

YES = ("true", "yes", "on", "1")
NO = ("false", "no", "off", "0")
INTEGER = r"-?[0-9]{1,18}"
DECIMAL = r"-?[0-9]{1,12}(\.[0-9]{1,12})?"


@dataclass(frozen=True)
class Option:
    """One option: a number within bounds, a yes or no, or one of a few words.

    The type of its default is the type of the option.
    """

    name: str
    default: Value
    about: str
    low: float = 0
    high: float = 0
    also: tuple[int, ...] = ()  # allowed besides what is from low to high
    choices: tuple[str, ...] = ()
    # (option, value, default): the default where another option has this value.
    where: tuple[str, Value, Value] | None = None

    @property
    def allowed(self) -> str:
        """The values that are right, in words."""
        if self.choices:
            return "one of " + ", ".join(self.choices)
        if isinstance(self.default, bool):
            return "true or false"
        kind = "a number" if isinstance(self.default, float) else "an integer"
        return "".join(f"{one} or " for one in self.also) + f"{kind} from {self.low} to {self.high}"

    def check(self, value: object) -> Value:
        """The value, from text too, as the option's own type; BadOption if it is not allowed."""
        found: Value | None = None
        if self.choices:
            found = value if isinstance(value, str) and value in self.choices else None
        elif isinstance(self.default, bool):
            found = _yes_or_no(value)
        else:
            number = _number(value, float if isinstance(self.default, float) else int)
            if number is not None and (self.low <= number <= self.high or number in self.also):
                found = number
        if found is None:
            raise BadOption(self.name, value, f"must be {self.allowed}")
        return found

    def code(self, value: Value) -> int:
        """The value as the number a kernel takes."""
        return self.choices.index(str(value)) if self.choices else int(value)


def _yes_or_no(value: object) -> bool | None:
    """A truth value, from text too; None if it is none."""
    if isinstance(value, str) and value.strip().lower() in YES + NO:
        return value.strip().lower() in YES
    return value if isinstance(value, bool) else None


def _number(value: object, kind: type[int] | type[float]) -> float | None:
    """A number of that kind, from text too; None if it is none."""
    if isinstance(value, str):
        form = INTEGER if kind is int else DECIMAL
        return kind(value) if re.fullmatch(form, value.strip()) else None
    if isinstance(value, bool):
        return None
    if isinstance(value, SupportsIndex):
        return kind(index(value))
    return float(value) if kind is float and isinstance(value, float) else None


def assignments(parts: Iterable[str], bare: str = "") -> dict[str, str]:
    """Names and values out of texts such as `pawns=4`; BadOption if one is not like that.

    A value without a name belongs to the option `bare`, if there is one.
    """
    given = {}
    for part in parts:
        name, equals, value = part.partition("=")
        if not equals and bare:
            name, value = bare, part
        elif not equals:
            raise BadOption(part.strip(), "", "write an option as name=value")
        if name.strip() in given:
            raise BadOption(name.strip(), value.strip(), "it was given twice")
        given[name.strip()] = value.strip()
    return given


def settle(game: str, options: Iterable[Option], given: Mapping[str, object]) -> dict[str, Value]:
    """All options of a game with their values, the given ones checked, the others by default."""
    known = {option.name: option for option in options}
    for name, value in given.items():
        if name not in known:
            hint = did_you_mean(name, known)
            raise BadOption(
                name, value, f"{game} has no such option; {hint}it has {', '.join(known) or 'none'}"
            )
    settled = {
        name: option.check(given[name]) if name in given else option.default
        for name, option in known.items()
    }
    for name, option in known.items():
        if option.where and name not in given and settled[option.where[0]] == option.where[1]:
            settled[name] = option.where[2]
    return settled
