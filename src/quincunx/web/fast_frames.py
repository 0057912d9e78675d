"""WebSockets with a fast path for what nearly all messages are: one whole frame of text.

`websockets` reads and writes frames of all kinds; for a short message that takes a large part of
the time that a move takes. So a frame that holds a whole message, and has arrived whole, is read
here, and texts are written here. Everything else is left to uvicorn's own methods: fragments,
binary messages, pings, the closing handshake, invalid frames.
"""

from __future__ import annotations

from struct import Struct
from typing import Any

from quincunx.web.frames import GuardedWebSocket

OPEN = 1  # `State.OPEN` of websockets, whose module differs between its versions
TEXT_FRAME = 0x81  # final and not compressed
MASKED = 0x80  # is added to the length of what a client sends
MAX_SHORT_BYTES = 125  # such a length is in the second byte of the header
MEDIUM, MAX_MEDIUM_BYTES = 126, 0xFFFF  # such a length is in the two bytes after that
MASK_START, DATA_START = 2, 6  # in a short frame

# What the fast path uses of uvicorn's class. Other versions of uvicorn may lack some of it.
METHOD = "send_receive_event_to_app"
ATTRIBUTES = (
    *("conn", "queue", "frames", "writable", "read_paused"),
    *("handshake_complete", "disconnected", "close_sent", "initial_response"),
)

_short_header, _medium_header = Struct("!BB").pack, Struct("!BBH").pack


def _unmasked(data: bytes, mask: bytes) -> bytes:
    """Returns what a client sends as `data`: each byte has been combined with one of the mask."""
    size = len(data)
    key = mask * (size // len(mask) + 1)
    plain = int.from_bytes(data, "big") ^ int.from_bytes(key[:size], "big")
    return plain.to_bytes(size, "big")


def websocket_class() -> type[GuardedWebSocket]:
    """Returns the class of WebSockets: the fast one, if this version of uvicorn allows it."""
    return FastWebSocket if hasattr(GuardedWebSocket, METHOD) else GuardedWebSocket


class FastWebSocket(GuardedWebSocket):
    """A WebSocket that reads and writes whole texts itself."""

    _has_fast_path = False  # until the handshake
    read_paused: bool

    def data_received(self, data: bytes) -> None:
        """Reads the handshake, and then frames."""
        if self.counter is None:
            super().data_received(data)
            self._has_fast_path = all(hasattr(self, name) for name in ATTRIBUTES)
        elif not (self.counter.is_at_start and self._receive_text(data)):
            super().data_received(data)

    def _receive_text(self, data: bytes) -> bool:
        """Reads what has arrived if it is a short frame with a whole text; else returns False."""
        length = len(data) - DATA_START
        if not (
            0 <= length <= MAX_SHORT_BYTES
            and data[0] == TEXT_FRAME
            and data[1] == MASKED + length
            and self._is_open
            and not self.frames  # of a message that has arrived in part
        ):
            return False
        try:
            text = _unmasked(data[DATA_START:], data[MASK_START:DATA_START]).decode()
        except UnicodeDecodeError:
            return False
        self.queue.put_nowait({"type": "websocket.receive", "text": text})
        # uvicorn stops reading after every message; here the next one may arrive meanwhile.
        if self.queue.qsize() > 1 and not self.read_paused:
            self.read_paused = True
            self.transport.pause_reading()
        return True

    async def send(self, message: Any) -> None:
        """Sends a message of ASGI."""
        text = message.get("text")
        if text is None or not self._is_open or not self.writable.is_set():
            await super().send(message)
            return
        data = text.encode()
        if len(data) <= MAX_SHORT_BYTES:
            self.transport.write(_short_header(TEXT_FRAME, len(data)) + data)
        elif len(data) <= MAX_MEDIUM_BYTES:
            self.transport.write(_medium_header(TEXT_FRAME, MEDIUM, len(data)) + data)
        else:
            await super().send(message)

    @property
    def _is_open(self) -> bool:
        """True between the handshake and the closing handshake."""
        return (
            self._has_fast_path
            and self.handshake_complete
            and not self.disconnected
            and not self.close_sent
            and self.initial_response is None
            and self.conn.state == OPEN
        )
