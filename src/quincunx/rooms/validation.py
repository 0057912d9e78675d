"""Bounds of message fields as plain markers, and the checks that follow from the types.

A message is a frozen dataclass. The types of its fields are annotated with the markers below,
such as `Annotated[str, MaxChars(64)]`; `field_rules` derives one check for each field from them.
"""

from __future__ import annotations

import dataclasses
import types
from collections.abc import Callable, Mapping
from typing import (
    Annotated,
    Any,
    Literal,
    TypeAlias,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

from quincunx.rooms.errors import RequestError

# Returns the value of a field, given its name and what a JSON decoder made of it, in the type of
# the field; raises RequestError.
FieldCheck: TypeAlias = Callable[[str, Any], Any]


@dataclasses.dataclass(frozen=True)
class MaxChars:
    """A text, or a number as text, has at most this many characters."""

    limit: int


@dataclasses.dataclass(frozen=True)
class Between:
    """A number is at least `low` and at most `high`."""

    low: float
    high: float


@dataclasses.dataclass(frozen=True)
class MaxItems:
    """A list or an object has at most this many items, which `noun` names."""

    limit: int
    noun: str


@dataclasses.dataclass(frozen=True)
class MaxDigits:
    """An integer is the key of an object, written with at most this many decimal digits."""

    limit: int


@dataclasses.dataclass(frozen=True)
class Expected:
    """What the error of an invalid value names as expected, where the bounds do not say it well."""

    text: str


class OneOf:
    """A text is one of these; for texts that are not checked, such as those of stored events."""

    def __init__(self, *choices: str) -> None:
        self.choices = choices


@dataclasses.dataclass(frozen=True)
class Only:
    """A number has this one value; `text` is the error of another one."""

    value: int
    text: str


@dataclasses.dataclass(frozen=True)
class About:
    """What a field means, for the documentation."""

    text: str


@dataclasses.dataclass(frozen=True)
class FieldRule:
    """One field of a message: its name, its type, whether it is required, and its check."""

    name: str
    hint: Any
    required: bool
    check: FieldCheck


def field_rules(message_type: type) -> tuple[FieldRule, ...]:
    """Returns the rules of all fields of a message type, in their order."""
    hints = get_type_hints(message_type, include_extras=True)
    rules = []
    for field in dataclasses.fields(message_type):
        missing = dataclasses.MISSING
        required = field.default is missing and field.default_factory is missing
        hint = without_none(hints[field.name])
        rules.append(FieldRule(field.name, hint, required, check_for(hint)))
    return tuple(rules)


def without_none(hint: Any) -> Any:
    """Returns a type without its alternative None: in a message, null means that it is absent."""
    bare, markers = split_markers(hint)
    members = union_members(bare)
    if type(None) not in members:
        return hint
    rest = tuple(member for member in members if member is not type(None))
    bare = rest[0] if len(rest) == 1 else Union[rest]  # noqa: UP007
    return Annotated[(bare, *markers)] if markers else bare


def union_members(hint: Any) -> tuple[Any, ...]:
    """Returns the alternatives of a union, or the type itself as the only one."""
    is_union = get_origin(hint) in (Union, types.UnionType)
    return get_args(hint) if is_union else (hint,)


def split_markers(hint: Any) -> tuple[Any, tuple[Any, ...]]:
    """Returns a type without its markers, and the markers."""
    if get_origin(hint) is Annotated:
        bare, *markers = get_args(hint)
        return bare, tuple(markers)
    return hint, ()


def marker(markers: tuple[Any, ...], kind: type[Any]) -> Any:
    """Returns the marker of a kind, or None."""
    return next((each for each in markers if isinstance(each, kind)), None)


def invalid_field(name: str, expected: str) -> RequestError:
    """Returns the error of an invalid value."""
    return RequestError("message", f"invalid {name}: expected {expected}", name)


def check_for(hint: Any) -> FieldCheck:
    """Returns the check of an annotated type; raises TypeError for a type that has none."""
    bare, markers = split_markers(hint)
    origin = get_origin(bare) or bare
    if bare is bool:
        return _boolean
    if bare is str:
        return _text(markers)
    if bare is int:
        return _only(markers) if marker(markers, Only) else _integer(markers)
    if bare is float:
        return _number(markers)
    if origin is Literal:
        return _choice(get_args(bare))
    if origin is tuple:
        return _list(get_args(bare)[0], markers)
    if isinstance(origin, type) and issubclass(origin, Mapping):
        key, item = get_args(bare)
        return _object(key, item, markers)
    if len(union_members(bare)) > 1:
        return _scalar(union_members(bare), markers)
    raise TypeError(f"messages cannot have fields of type {hint}")


def _boolean(name: str, value: Any) -> bool:
    if not isinstance(value, bool):
        raise invalid_field(name, "true or false")
    return value


def _text(markers: tuple[Any, ...]) -> FieldCheck:
    limit = marker(markers, MaxChars).limit

    def check(name: str, value: Any) -> str:
        if not isinstance(value, str) or len(value) > limit:
            raise invalid_field(name, f"a text of up to {limit:,} characters")
        return value

    return check


def _integer(markers: tuple[Any, ...]) -> FieldCheck:
    bounds = marker(markers, Between)
    low, high = bounds.low, bounds.high

    def check(name: str, value: Any) -> int:
        is_integer = isinstance(value, int) and not isinstance(value, bool)
        if not is_integer or not low <= value <= high:
            raise invalid_field(name, f"an integer from {low} to {high}")
        return int(value)

    return check


def _only(markers: tuple[Any, ...]) -> FieldCheck:
    only = marker(markers, Only)

    def check(name: str, value: Any) -> int:
        if isinstance(value, bool) or not isinstance(value, int):
            raise invalid_field(name, f"the integer {only.value}")
        if value != only.value:
            raise RequestError("message", only.text, name)
        return value

    return check


def _number(markers: tuple[Any, ...]) -> FieldCheck:
    bounds = marker(markers, Between)
    low, high = bounds.low, bounds.high

    def check(name: str, value: Any) -> float:
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        if not is_number or not low <= value <= high:
            raise invalid_field(name, f"a number from {low:g} to {high:g}")
        return float(value)

    return check


def _choice(choices: tuple[str, ...]) -> FieldCheck:
    def check(name: str, value: Any) -> str:
        if not isinstance(value, str) or value not in choices:
            raise invalid_field(name, f"one of {', '.join(choices)}")
        return value

    return check


def _list(item: Any, markers: tuple[Any, ...]) -> FieldCheck:
    most = marker(markers, MaxItems)
    check_item = check_for(item)

    def check(name: str, value: Any) -> tuple[Any, ...]:
        if not isinstance(value, list) or len(value) > most.limit:
            raise invalid_field(name, f"a list of up to {most.limit:,} {most.noun}")
        return tuple([check_item(name, each) for each in value])

    return check


def _object(key: Any, item: Any, markers: tuple[Any, ...]) -> FieldCheck:
    most, expected = marker(markers, MaxItems), marker(markers, Expected)
    check_key, check_item = _key(key), check_for(item)
    text = expected.text if expected else f"an object of up to {most.limit} {most.noun}"

    def check(name: str, value: Any) -> dict[Any, Any]:
        if not isinstance(value, dict) or len(value) > most.limit:
            raise invalid_field(name, text)
        try:
            return {check_key(name, key): check_item(name, each) for key, each in value.items()}
        except RequestError:
            if expected:
                raise invalid_field(name, text) from None
            raise

    return check


def _key(hint: Any) -> FieldCheck:
    """Returns the check of the keys of an object: texts, or integers as decimal digits."""
    bare, markers = split_markers(hint)
    limit = marker(markers, MaxChars if bare is str else MaxDigits).limit

    def check_text(name: str, key: str) -> str:
        if len(key) > limit:
            raise invalid_field(name, f"names of up to {limit} characters")
        return key

    def check_digits(name: str, key: str) -> int:
        if not (key.isascii() and key.isdigit() and len(key) <= limit):
            raise invalid_field(name, f"names of up to {limit} digits")
        return int(key)

    return check_text if bare is str else check_digits


def _scalar(kinds: tuple[type, ...], markers: tuple[Any, ...]) -> FieldCheck:
    """Returns the check of a text or number, also true or false where bool is one of the kinds."""
    limit = marker(markers, MaxChars).limit
    nouns = "texts, numbers, true or false," if bool in kinds else "a text or number"
    excluded = () if bool in kinds else (bool,)

    def check(name: str, value: Any) -> Any:
        is_valid = isinstance(value, kinds) and not isinstance(value, excluded)
        if not is_valid or len(str(value)) > limit:
            raise invalid_field(name, f"{nouns} of up to {limit} characters")
        return value

    return check
