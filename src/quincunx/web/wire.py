"""What is said over the wire: messages read and checked, answers written, errors as stable words.

`docs/protocol.md` is the reference; nothing in here knows how a message travels.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from quincunx import errors

LARGEST = 64 * 1024  # bytes of a message
LONGEST_REF = 64
LONGEST_NAME = 32
LONGEST_TEXT = 20_000
MOST_MOVES = 5000
MOST_NUMBER = 2**53  # what every JSON reader keeps exactly
VIEWS = ("page", "moves", "none")

# The error words; a client may rely on them.
WORDS = (
    *("json", "message", "large", "rate", "busy", "room", "seat", "secret", "turn", "late"),
    *("syntax", "illegal", "over", "paused", "refused", "option", "position", "record", "origin"),
)

CAUSES: tuple[tuple[type[Exception], str], ...] = (
    (errors.MoveSyntax, "syntax"),
    (errors.IllegalMove, "illegal"),
    (errors.BadOption, "option"),
    (errors.BadPosition, "position"),
    (errors.BadRecord, "record"),
    (errors.MissingExtra, "refused"),
    (errors.BadTable, "refused"),
)


def _no_constant(word: str) -> Any:
    """NaN and its kind are no JSON."""
    raise ValueError(word)


def _finite(text: str) -> float:
    """A number as it is written; 1e999 would be read as one that cannot be written again."""
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(text)
    return value


DECODER = json.JSONDecoder(parse_float=_finite, parse_constant=_no_constant)
ENCODER = json.JSONEncoder(separators=(",", ":"), allow_nan=False)

Message: TypeAlias = dict[str, Any]
Check: TypeAlias = Callable[[str, Any], Any]


class Refused(Exception):
    """Why somebody does not get what they ask for: a stable word, a sentence, and the field."""

    def __init__(self, word: str, text: str, where: str = "") -> None:
        super().__init__(word, text, where)
        self.word = word
        self.text = text
        self.where = where

    def as_dict(self) -> dict[str, str]:
        """For the wire."""
        return {"error": self.word, "text": self.text, "where": self.where}


def refusal(error: Exception) -> Refused:
    """The package's own errors as a refusal; anything else is raised again."""
    if isinstance(error, Refused):
        return error
    for kind, word in CAUSES:
        if isinstance(error, kind):
            return Refused(word, str(error), getattr(error, "name", None) or "")
    raise error


def dumps(message: Any) -> str:
    """A message as text: JSON without blanks, letters beyond ASCII escaped."""
    return ENCODER.encode(message)


def loads(text: str) -> Any:
    """The value of a JSON text; Refused if it is none, or larger than a message may be."""
    if len(text) > LARGEST or len(text.encode("utf-8", "replace")) > LARGEST:
        raise Refused("large", f"a message has at most {LARGEST:,} bytes")
    try:
        return DECODER.decode(text)
    except (ValueError, RecursionError):
        raise Refused("json", "a message is one JSON object") from None


def ref_of(value: Any) -> str | int | float | None:
    """What an answer echoes, where a message carries it."""
    ref = value.get("ref") if isinstance(value, dict) else None
    if ref is None or isinstance(ref, bool) or not isinstance(ref, str | int | float):
        return None
    return ref if len(str(ref)) <= LONGEST_REF else None


def checked(value: Any) -> Message:
    """The message with its fields checked and others left out; Refused says what is wrong."""
    if not isinstance(value, dict) or not isinstance(value.get("type"), str):
        raise Refused("message", 'a message is an object with a "type"', "type")
    kind = value["type"]
    if kind not in MESSAGES:
        hint = errors.did_you_mean(kind, MESSAGES)
        raise Refused("message", f"there is no such message; {hint}there are {KINDS}", "type")
    if value.get("ref") is not None and ref_of(value) is None:
        raise Refused("message", f"ref: a text or number of up to {LONGEST_REF} letters", "ref")
    message: Message = {"type": kind}
    for name, check in MESSAGES[kind].items():
        needed = not name.endswith("?")
        name = name.rstrip("?")
        if value.get(name) is not None:
            message[name] = check(name, value[name])
        elif needed:
            raise Refused("message", f"{kind}: the field {name} is missing", name)
    return message


def a_text(most: int) -> Check:
    """A check for texts up to a length."""

    def check(name: str, value: Any) -> str:
        if not isinstance(value, str) or len(value) > most:
            raise Refused("message", f"{name}: a text of up to {most:,} letters", name)
        return value

    return check


def an_integer(low: int, high: int) -> Check:
    """A check for integers within bounds."""

    def check(name: str, value: Any) -> int:
        whole = isinstance(value, int) and not isinstance(value, bool)
        if not whole or not low <= value <= high:
            raise Refused("message", f"{name}: an integer from {low} to {high}", name)
        return int(value)

    return check


def a_number(low: float, high: float) -> Check:
    """A check for numbers within bounds."""

    def check(name: str, value: Any) -> float:
        right = isinstance(value, int | float) and not isinstance(value, bool)
        if not right or not low <= value <= high:
            raise Refused("message", f"{name}: a number from {low:g} to {high:g}", name)
        return float(value)

    return check


def a_truth(name: str, value: Any) -> bool:
    """A check for true and false."""
    if not isinstance(value, bool):
        raise Refused("message", f"{name}: true or false", name)
    return value


def one_of(*words: str) -> Check:
    """A check for a few words."""

    def check(name: str, value: Any) -> str:
        if value not in words or not isinstance(value, str):
            raise Refused("message", f"{name}: one of {', '.join(words)}", name)
        return value

    return check


def texts(most: int, longest: int) -> Check:
    """A check for lists of texts."""
    each = a_text(longest)

    def check(name: str, value: Any) -> list[str]:
        if not isinstance(value, list) or len(value) > most:
            raise Refused("message", f"{name}: a list of up to {most:,} texts", name)
        return [each(name, one) for one in value]

    return check


def settings(name: str, value: Any) -> dict[str, Any]:
    """A check for options by name; what they mean is the game's affair."""
    if not isinstance(value, dict) or len(value) > 32:
        raise Refused("message", f"{name}: an object of options", name)
    for key, one in value.items():
        if not isinstance(one, str | int | float | bool) or len(str(one)) > 64 or len(key) > 64:
            raise Refused("message", f"{name}: values are texts, numbers, true or false", name)
    return value


def secrets_by_seat(name: str, value: Any) -> dict[int, str]:
    """A check for the secrets of seats: {"0": "..."}."""
    if not isinstance(value, dict) or len(value) > 16:
        raise Refused("message", f'{name}: an object such as {{"0": "..."}}', name)
    found = {}
    for seat, secret in value.items():
        if not (seat.isascii() and seat.isdigit() and len(seat) <= 2) or not (
            isinstance(secret, str) and len(secret) <= 64
        ):
            raise Refused("message", f'{name}: an object such as {{"0": "..."}}', name)
        found[int(seat)] = secret
    return found


ROOM = a_text(32)
SEAT = an_integer(0, 15)
NUMBER = an_integer(0, MOST_NUMBER)
MOVE = a_text(64)
ACT: dict[str, Check] = {"room": ROOM, "seat": SEAT}
BOARD: dict[str, Check] = {
    "game?": a_text(32),
    "options?": settings,
    "start?": a_text(LONGEST_TEXT),
    "seed?": an_integer(-(2**63), 2**63 - 1),
    "room?": ROOM,
    "plies?": NUMBER,
    "moves?": texts(MOST_MOVES, 64),
    "flip?": a_truth,
}

# What each message carries; a question mark stands behind what may be left out.
MESSAGES: Mapping[str, Mapping[str, Check]] = {
    "join": {
        "room": ROOM,
        "secrets?": secrets_by_seat,
        "view?": one_of(*VIEWS),
        "flip?": a_truth,
    },
    "leave": {"room": ROOM},
    "look": {"room": ROOM, "flip?": a_truth},
    "play": {**ACT, "move": MOVE, "number": NUMBER},
    "undo": {**ACT, "number": NUMBER},
    "answer": {**ACT, "yes": a_truth, "number": NUMBER},
    "resign": ACT,
    "pause": ACT,
    "resume": ACT,
    "rematch": ACT,
    "name": {**ACT, "name": a_text(LONGEST_NAME)},
    "at": {"room": ROOM, "plies": NUMBER, "flip?": a_truth},
    "hint": ACT,
    "explore": {**BOARD, "frames?": a_truth, "seat?": SEAT},
    "analyse": {**BOARD, "seconds?": a_number(0.1, 10), "seat?": SEAT},
    "mistakes": {"room": ROOM},
    "stop": {},
    "ping": {},
}
KINDS = ", ".join(MESSAGES)


def cleaned(name: str) -> str:
    """A person's name without what is no letter, at most 32 letters long."""
    return " ".join("".join(c for c in name if c.isprintable()).split())[:LONGEST_NAME]
