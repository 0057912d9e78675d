"""Messages of the server as JSON."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from typing import Any, TypeAlias

from quincunx.rooms.answers import SERVER_MESSAGES, ServerMessage

# Returns a message as JSON; the host of the rooms chooses the fastest that it has.
Encode: TypeAlias = Callable[[Any], str]


def as_fields(message: ServerMessage) -> dict[str, Any]:
    """Returns the type and the fields of a message, without those that are absent."""
    always, optional = _FIELD_NAMES[type(message)]
    named = {"type": message.type, **{name: getattr(message, name) for name in always}}
    for name, absent in optional:
        value = getattr(message, name)
        if value != absent:
            named[name] = value
    return named


def _field_names(kind: type[ServerMessage]) -> tuple[list[str], list[tuple[str, str | None]]]:
    """Returns the fields that are always sent, and the others with the value that stands for none.

    Fields whose default is None or an empty text are left out while they have this value.
    """
    defaults = {field.name: field.default for field in fields(kind)}
    optional = {name: value for name, value in defaults.items() if value is None or value == ""}
    return [name for name in defaults if name not in optional], list(optional.items())


_FIELD_NAMES = {kind: _field_names(kind) for kind in SERVER_MESSAGES}


def plain(value: Any) -> Any:
    """Returns a dataclass that is part of a message, or a message itself, as a dict."""
    if isinstance(value, ServerMessage):
        return as_fields(value)
    if is_dataclass(value):
        return {field.name: getattr(value, field.name) for field in fields(value)}
    raise TypeError(f"messages cannot contain {value!r}")


ENCODER = json.JSONEncoder(separators=(",", ":"), allow_nan=False, default=plain)


def encode(message: Any) -> str:
    """Returns a message as JSON, without spaces and with non-ASCII characters escaped."""
    return ENCODER.encode(message)
