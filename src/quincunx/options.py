"""Options of a game: their values, checked, as text and as the numbers a kernel takes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import TypeAlias

from quincunx.errors import BadOption

Value: TypeAlias = int | bool | str

YES = ("true", "yes", "on", "1")
NO = ("false", "no", "off", "0")


@dataclass(frozen=True)
class Option:
    """One option: an integer within bounds, a yes or no, or one of a few words."""

    name: str
    default: Value
    about: str
    low: int = 0
    high: int = 0
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
        return f"an integer from {self.low} to {self.high}"

    def check(self, value: object) -> Value:
        """The value, from text too, as the option's own type; BadOption if it is not allowed."""
        if self.choices:
            if isinstance(value, str) and value in self.choices:
                return value
        elif isinstance(self.default, bool):
            if isinstance(value, bool):
                return value
            if isinstance(value, str) and value.lower() in YES + NO:
                return value.lower() in YES
        else:
            if isinstance(value, str) and re.fullmatch(r"\s*-?[0-9]{1,18}\s*", value):
                value = int(value)
            if isinstance(value, int) and not isinstance(value, bool):
                if self.low <= value <= self.high:
                    return value
            elif hasattr(value, "__index__") and not isinstance(value, bool):
                return self.check(value.__index__())
        raise BadOption(self.name, value, f"must be {self.allowed}")

    def code(self, value: Value) -> int:
        """The value as the number a kernel takes."""
        return self.choices.index(str(value)) if self.choices else int(value)


def settle(game: str, options: Iterable[Option], given: Mapping[str, object]) -> dict[str, Value]:
    """All options of a game with their values, the given ones checked, the others by default."""
    known = {option.name: option for option in options}
    for name, value in given.items():
        if name not in known:
            near = get_close_matches(name, known, n=1)
            hint = f"did you mean {near[0]}? " if near else ""
            raise BadOption(
                name, value, f"{game} has no such option; {hint}it has {', '.join(known)}"
            )
    settled = {
        name: option.check(given[name]) if name in given else option.default
        for name, option in known.items()
    }
    for name, option in known.items():
        if option.where and name not in given and settled[option.where[0]] == option.where[1]:
            settled[name] = option.where[2]
    return settled
