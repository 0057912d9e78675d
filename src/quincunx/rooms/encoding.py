"""JSON of messages: reading what clients send, writing what is sent to them."""

from __future__ import annotations

import json
import math
import re
from dataclasses import fields, is_dataclass
from itertools import accumulate
from typing import Any

from quincunx.rooms.errors import RequestError

MAX_MESSAGE_BYTES = 64 * 1024
MAX_DEPTH = 64  # decoders differ in how much deeper they can read


# A text in quotes, also without the last one, so that no text is read twice; or anything else.
NOT_BRACKETS = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"?|[^][{}"]+', re.DOTALL)
DEPTH_CHANGES = {"[": 1, "{": 1, "]": -1, "}": -1}


def check_text(text: str) -> None:
    """Raises RequestError if a message is too large, or too deep for some decoder."""
    is_large = len(text) > MAX_MESSAGE_BYTES or (
        not text.isascii() and len(text.encode("utf-8", "replace")) > MAX_MESSAGE_BYTES
    )
    if is_large:
        raise RequestError("large", f"message too large: at most {MAX_MESSAGE_BYTES:,} bytes")
    if text.count("[") + text.count("{") > MAX_DEPTH and _depth(text) > MAX_DEPTH:
        raise invalid_json()


def _depth(text: str) -> int:
    """Returns how deep the brackets of a text are nested."""
    changes = map(DEPTH_CHANGES.__getitem__, NOT_BRACKETS.sub("", text))
    return max(accumulate(changes), default=0)


def invalid_json() -> RequestError:
    """Returns the error of a text that is not JSON."""
    return RequestError("json", "invalid JSON: expected one object")


def _reject_constant(text: str) -> Any:
    """Rejects NaN and Infinity, which are not JSON."""
    raise ValueError(text)


def _finite_float(text: str) -> float:
    """Returns a float; rejects 1e999, which Python reads as infinity and cannot write as JSON."""
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(text)
    return value


DECODER = json.JSONDecoder(parse_float=_finite_float, parse_constant=_reject_constant)


def loads(text: str) -> Any:
    """Returns the value of a JSON text; raises RequestError if it is invalid or too large."""
    check_text(text)
    try:
        return DECODER.decode(text)
    except (ValueError, RecursionError):
        raise invalid_json() from None


def plain(value: Any) -> dict[str, Any]:
    """Returns a message of the server, or a dataclass that is part of one, as a dict."""
    if not is_dataclass(value):
        raise TypeError(f"messages cannot contain {value!r}")
    if hasattr(value, "as_fields"):
        named: dict[str, Any] = value.as_fields()
        return named
    return {field.name: getattr(value, field.name) for field in fields(value)}


ENCODER = json.JSONEncoder(separators=(",", ":"), allow_nan=False, default=plain)


def dumps(message: Any) -> str:
    """Returns a message as JSON, without spaces and with non-ASCII characters escaped."""
    return ENCODER.encode(message)
