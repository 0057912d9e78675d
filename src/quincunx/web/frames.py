"""WebSockets that send too many frames: closed before the frames are read.

Reading a frame takes some microseconds of the event loop, which all rooms share, and a frame can
be as short as six bytes. Messages wait until the one before is handled, but pings and parts of
messages are handled at once: two clients that send nothing else would stop the server. So frames
are counted by their headers first.
"""

from __future__ import annotations

from typing import Any

from uvicorn.protocols.websockets.auto import AutoWebSocketsProtocol

MAX_FRAMES_AT_ONCE = 4096  # in what is read at a time, up to 256 KB
MAX_OTHER_FRAMES = 500  # in one window: pings, pongs and parts of messages
WINDOW_SECONDS = 10.0

BAD_HANDSHAKE = b"HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"

# Of a frame's header: whether it ends a message, what it is, and whether it is masked.
FINAL, OPCODE, TEXT, BINARY, MASKED, LENGTH = 0x80, 0x0F, 1, 2, 0x80, 0x7F
MASK_BYTES = 4
LENGTH_BYTES = {126: 2, 127: 8}  # that follow such a length, which stands for a longer one


class FrameCounter:
    """Counts the frames in a stream of bytes that may be cut anywhere."""

    def __init__(self) -> None:
        self._rest = b""  # the beginning of a header
        self._skip = 0  # bytes of the last frame that are still to come

    def count(self, data: bytes, most: int) -> tuple[int, int]:
        """Returns how many frames begin in some bytes, and how many of them are no whole message.

        It stops at `most` frames, and must not be called again after that.
        """
        data, start, frames, others = self._rest + data, self._skip, 0, 0
        while start + 1 < len(data) and frames < most:
            first, second = data[start], data[start + 1]
            size, end = second & LENGTH, start + 2
            if size in LENGTH_BYTES:
                end += LENGTH_BYTES[size]
                if end > len(data):
                    break
                size = int.from_bytes(data[start + 2 : end], "big")
            is_message = first & FINAL and first & OPCODE in (TEXT, BINARY)
            frames, others = frames + 1, others + (not is_message)
            start = end + size + (MASK_BYTES if second & MASKED else 0)
        self._rest, self._skip = data[start:], max(0, start - len(data))
        return frames, others

    @property
    def is_at_start(self) -> bool:
        """True when no frame has arrived in part."""
        return not self._skip and not self._rest


_Protocol: Any = AutoWebSocketsProtocol


class GuardedWebSocket(_Protocol):  # type: ignore[misc]
    """uvicorn's WebSocket, which is closed if it sends too many frames."""

    counter: FrameCounter | None = None  # until the handshake, which comes at once
    _window_end = 0.0
    _others = 0  # frames that were no whole message, in this window

    def data_received(self, data: bytes) -> None:
        """Reads the handshake, and then frames."""
        if self.counter is None:
            self.counter = FrameCounter()
            super().data_received(data)
            if getattr(self, "handshake_initiated", True) is False:
                # uvicorn answers nothing to a request that is no handshake, such as a POST.
                self.transport.write(BAD_HANDSHAKE)
                self.transport.close()
        elif self._is_too_much(data):
            self.transport.abort()
        else:
            super().data_received(data)

    def _is_too_much(self, data: bytes) -> bool:
        assert self.counter is not None
        frames, others = self.counter.count(data, MAX_FRAMES_AT_ONCE)
        if others:
            now = self.loop.time()
            if now >= self._window_end:
                self._window_end, self._others = now + WINDOW_SECONDS, 0
            self._others += others
        return frames >= MAX_FRAMES_AT_ONCE or self._others > MAX_OTHER_FRAMES
