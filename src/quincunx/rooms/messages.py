"""Messages between clients and a server: parsing, validation, serialisation, error codes.

`docs/protocol.md` is the reference. This module knows nothing of the transport.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from quincunx import errors

MAX_MESSAGE_BYTES = 64 * 1024
MAX_REF_CHARS = 64
MAX_NAME_CHARS = 32
MAX_ROOM_ID_CHARS = 32
MAX_GAME_NAME_CHARS = 32
MAX_MOVE_CHARS = 64
MAX_SECRET_CHARS = 64
MAX_OPTIONS = 32
MAX_OPTION_CHARS = 64  # of a name, and of a value
MAX_SEATS = 16
MAX_POSITION_CHARS = 20_000
MAX_MOVES = 5000
MAX_SAFE_INTEGER = 2**53  # every JSON reader represents integers up to this one exactly
VIEWS = ("page", "moves", "none")  # pictures and clicks; move texts; neither

# The codes in the field `error`; they are stable, so that clients can rely on them.
ERROR_CODES = (
    *("json", "message", "large", "rate", "busy", "room", "seat", "secret", "turn", "late"),
    *("syntax", "illegal", "over", "paused", "refused", "option", "position", "record", "origin"),
)

CODES_BY_EXCEPTION: tuple[tuple[type[Exception], str], ...] = (
    (errors.MoveSyntax, "syntax"),
    (errors.IllegalMove, "illegal"),
    (errors.BadOption, "option"),
    (errors.BadPosition, "position"),
    (errors.BadRecord, "record"),
    (errors.MissingExtra, "refused"),
    (errors.BadTable, "refused"),
)


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
ENCODER = json.JSONEncoder(separators=(",", ":"), allow_nan=False)

Message: TypeAlias = dict[str, Any]
FieldCheck: TypeAlias = Callable[[str, Any], Any]


class RequestError(Exception):
    """Why a request failed: a stable code, a text for people, and the field that it is about."""

    def __init__(self, code: str, text: str, where: str = "") -> None:
        super().__init__(code, text, where)
        self.code = code
        self.text = text
        self.where = where

    @property
    def word(self) -> str:
        """The former name of `code`, for programs that use `quincunx.client`."""
        return self.code

    def __str__(self) -> str:
        return self.text

    def as_dict(self) -> dict[str, str]:
        """Returns the fields of the error in a message."""
        return {"error": self.code, "text": self.text, "where": self.where}


def as_request_error(error: Exception) -> RequestError:
    """Returns a RequestError for an error of this package; raises any other error again."""
    if isinstance(error, RequestError):
        return error
    for kind, code in CODES_BY_EXCEPTION:
        if isinstance(error, kind):
            return RequestError(code, str(error), getattr(error, "name", None) or "")
    raise error


def dumps(message: Any) -> str:
    """Returns a message as JSON, without spaces and with non-ASCII characters escaped."""
    return ENCODER.encode(message)


def loads(text: str) -> Any:
    """Returns the value of a JSON text; raises RequestError if it is invalid or too large."""
    if len(text) > MAX_MESSAGE_BYTES or len(text.encode("utf-8", "replace")) > MAX_MESSAGE_BYTES:
        raise RequestError("large", f"message too large: at most {MAX_MESSAGE_BYTES:,} bytes")
    try:
        return DECODER.decode(text)
    except (ValueError, RecursionError):
        raise RequestError("json", "invalid JSON: expected one object") from None


def message_ref(value: Any) -> str | int | float | None:
    """Returns the `ref` of a message, which its answer repeats; None if absent or invalid."""
    ref = value.get("ref") if isinstance(value, dict) else None
    if ref is None or isinstance(ref, bool) or not isinstance(ref, str | int | float):
        return None
    return ref if len(str(ref)) <= MAX_REF_CHARS else None


def validate(value: Any) -> Message:
    """Returns a message with its known fields; raises RequestError if one is missing or invalid."""
    if not isinstance(value, dict) or not isinstance(value.get("type"), str):
        raise RequestError("message", 'invalid message: expected an object with a "type"', "type")
    kind = value["type"]
    if kind not in MESSAGES:
        hint = errors.did_you_mean(kind, MESSAGES)
        expected = f"{hint}expected one of {', '.join(MESSAGES)}"
        text = f"unknown message type {errors.shorten(kind)}; {expected}"
        raise RequestError("message", text, "type")
    if value.get("ref") is not None and message_ref(value) is None:
        raise _invalid_field("ref", f"a text or number of up to {MAX_REF_CHARS} characters")
    message: Message = {"type": kind}
    for name, check in MESSAGES[kind].items():
        required = not name.endswith("?")
        name = name.rstrip("?")
        if value.get(name) is not None:
            message[name] = check(name, value[name])
        elif required:
            raise RequestError("message", f"{kind}: the field {name} is missing", name)
    return message


def _invalid_field(name: str, expected: str) -> RequestError:
    return RequestError("message", f"invalid {name}: expected {expected}", name)


def text_field(max_chars: int) -> FieldCheck:
    """Returns a check for texts of up to `max_chars` characters."""

    def check(name: str, value: Any) -> str:
        if not isinstance(value, str) or len(value) > max_chars:
            raise _invalid_field(name, f"a text of up to {max_chars:,} characters")
        return value

    return check


def integer_field(low: int, high: int) -> FieldCheck:
    """Returns a check for integers from `low` to `high`."""

    def check(name: str, value: Any) -> int:
        is_integer = isinstance(value, int) and not isinstance(value, bool)
        if not is_integer or not low <= value <= high:
            raise _invalid_field(name, f"an integer from {low} to {high}")
        return int(value)

    return check


def number_field(low: float, high: float) -> FieldCheck:
    """Returns a check for numbers from `low` to `high`."""

    def check(name: str, value: Any) -> float:
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        if not is_number or not low <= value <= high:
            raise _invalid_field(name, f"a number from {low:g} to {high:g}")
        return float(value)

    return check


def boolean_field(name: str, value: Any) -> bool:
    """Checks that a value is true or false."""
    if not isinstance(value, bool):
        raise _invalid_field(name, "true or false")
    return value


def choice_field(*choices: str) -> FieldCheck:
    """Returns a check for one of the given texts."""

    def check(name: str, value: Any) -> str:
        if value not in choices or not isinstance(value, str):
            raise _invalid_field(name, f"one of {', '.join(choices)}")
        return value

    return check


def text_list_field(max_items: int, max_chars: int) -> FieldCheck:
    """Returns a check for lists of up to `max_items` texts, each of up to `max_chars`."""
    check_item = text_field(max_chars)

    def check(name: str, value: Any) -> list[str]:
        if not isinstance(value, list) or len(value) > max_items:
            raise _invalid_field(name, f"a list of up to {max_items:,} texts")
        return [check_item(name, item) for item in value]

    return check


def options_field(name: str, value: Any) -> dict[str, Any]:
    """Checks the shape of a game's options; the game itself checks names and values."""
    if not isinstance(value, dict) or len(value) > MAX_OPTIONS:
        raise _invalid_field(name, f"an object of up to {MAX_OPTIONS} options")
    for key, item in value.items():
        is_valid = isinstance(item, str | int | float | bool)
        if not is_valid or max(len(key), len(str(item))) > MAX_OPTION_CHARS:
            expected = f"texts, numbers, true or false, of up to {MAX_OPTION_CHARS} characters"
            raise _invalid_field(name, expected)
    return value


def secrets_field(name: str, value: Any) -> dict[int, str]:
    """Checks the secrets of seats, {"0": "..."}, and returns them with integer keys."""
    expected = 'an object such as {"0": "..."}'
    if not isinstance(value, dict) or len(value) > MAX_SEATS:
        raise _invalid_field(name, expected)
    secrets = {}
    for seat, secret in value.items():
        if not (seat.isascii() and seat.isdigit() and len(seat) <= 2) or not (
            isinstance(secret, str) and len(secret) <= MAX_SECRET_CHARS
        ):
            raise _invalid_field(name, expected)
        secrets[int(seat)] = secret
    return secrets


# Checks and groups of fields that several message types share.
ROOM = text_field(MAX_ROOM_ID_CHARS)
SEAT = integer_field(0, MAX_SEATS - 1)
NON_NEGATIVE = integer_field(0, MAX_SAFE_INTEGER)
MOVE = text_field(MAX_MOVE_CHARS)
SEAT_ACTION: dict[str, FieldCheck] = {"room": ROOM, "seat": SEAT}
BOARD: dict[str, FieldCheck] = {
    "game?": text_field(MAX_GAME_NAME_CHARS),
    "options?": options_field,
    "start?": text_field(MAX_POSITION_CHARS),
    "seed?": integer_field(-(2**63), 2**63 - 1),
    "room?": ROOM,
    "plies?": NON_NEGATIVE,
    "moves?": text_list_field(MAX_MOVES, MAX_MOVE_CHARS),
    "flip?": boolean_field,
}

# The fields of each message type; a question mark marks an optional field.
MESSAGES: Mapping[str, Mapping[str, FieldCheck]] = {
    "join": {
        "room": ROOM,
        "secrets?": secrets_field,
        "view?": choice_field(*VIEWS),
        "flip?": boolean_field,
    },
    "leave": {"room": ROOM},
    "look": {"room": ROOM, "flip?": boolean_field},
    "play": {**SEAT_ACTION, "move": MOVE, "number": NON_NEGATIVE},
    "undo": {**SEAT_ACTION, "number": NON_NEGATIVE},
    "answer": {**SEAT_ACTION, "yes": boolean_field, "number": NON_NEGATIVE},
    "resign": SEAT_ACTION,
    "pause": SEAT_ACTION,
    "resume": SEAT_ACTION,
    "rematch": SEAT_ACTION,
    "name": {**SEAT_ACTION, "name": text_field(MAX_NAME_CHARS)},
    "at": {"room": ROOM, "plies": NON_NEGATIVE, "flip?": boolean_field},
    "hint": SEAT_ACTION,
    "explore": {**BOARD, "frames?": boolean_field, "seat?": SEAT},
    "analyse": {**BOARD, "seconds?": number_field(0.1, 10), "seat?": SEAT},
    "mistakes": {"room": ROOM},
    "stop": {},
    "ping": {},
}


def clean_name(name: str) -> str:
    """Returns a person's name without unprintable characters and extra spaces, cut to the limit."""
    return " ".join("".join(c for c in name if c.isprintable()).split())[:MAX_NAME_CHARS]
