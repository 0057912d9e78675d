"""JSON of messages by msgspec, several times as fast as by the standard library.

msgspec only reads and writes JSON; `rooms.messages` validates. What msgspec rejects is read
again by the standard library, which accepts lone surrogates and whose answer is the one that
counts.
"""

from __future__ import annotations

from typing import Any

import msgspec

from quincunx.rooms import encoding
from quincunx.rooms.answers import ServerMessage
from quincunx.rooms.messages import Request, decode

_decode = msgspec.json.Decoder().decode
_encode = msgspec.json.Encoder().encode


def loads(text: str) -> Any:
    """Returns the value of a JSON text; raises RequestError if it is invalid or too large."""
    encoding.check_text(text)
    try:
        return _decode(text)
    except (msgspec.DecodeError, UnicodeEncodeError, RecursionError):
        return encoding.loads(text)


def parse(text: str) -> Request:
    """Returns the request of a JSON text; raises RequestError if it is not one."""
    return decode(loads(text))


def dumps(message: Any) -> str:
    """Returns a message as JSON, without spaces."""
    try:
        fields = message.as_fields() if isinstance(message, ServerMessage) else message
        return _encode(fields).decode()
    except UnicodeEncodeError:  # a lone surrogate, which only the standard library can escape
        return encoding.dumps(message)
