"""WebSockets without a network: in order within one connection, with delays and every kind of end.

`Socket` has the two sides of one connection. The server's side is an ASGI channel, on which the
real `WebSocketConnection` runs; the client's side are plain calls. Within a connection nothing is
lost or reordered except at its end (TCP), so loss is a connection that breaks, and duplication is
a client that sends again what was not answered. A connection can end by either side, be reset, or
be half-open: then the server notices nothing until its keep-alive does.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from random import Random
from typing import Any, Protocol

from tests.simulation.loop import OUTSIDE, SimulatedLoop

KEEP_ALIVE_SECONDS = 3.0  # after which the server notices a half-open connection
WINDOW_MESSAGES = 4  # on their way to a client; with more, the server's `send` waits
DELAYS = (0.0, 0.001, 0.004, 0.02, 0.05, 0.2)  # seconds


class Peer(Protocol):
    """The client of a socket."""

    def on_open(self) -> None: ...

    def on_message(self, message: dict[str, Any]) -> None: ...

    def on_close(self) -> None: ...


class Socket:
    """One connection between a client and the server."""

    def __init__(
        self,
        loop: SimulatedLoop,
        random: Random,
        peer: Peer,
        on_sent: Callable[[Socket, str], dict[str, Any]],
    ) -> None:
        self.is_open = True  # as the client sees it
        self.server_done = False  # the server has been given the disconnect
        self._loop = loop
        self._random = random
        self._peer = peer
        self._on_sent = on_sent  # decodes what the server sends, before it is on its way
        self._reading = True  # False while the client does not read
        self._lost = False  # nothing that is on its way arrives any more
        self._to_server: deque[dict[str, Any]] = deque([{"type": "websocket.connect"}])
        self._to_client: deque[dict[str, Any] | None] = deque()  # None closes
        self._last_to_server = self._last_to_client = 0.0
        self._arrived: asyncio.Event = asyncio.Event()
        self._arrived.set()
        self._has_window = asyncio.Event()
        self._has_window.set()

    def _later(
        self, last: float, function: Callable[[], None], delay: float | None = None
    ) -> float:
        """Calls a function after a random delay, but not before `last`; returns when."""
        if delay is None:
            delay = self._random.choice(DELAYS)
        time = max(last, self._loop.time() + delay)
        self._loop.call_at(time, function, context=OUTSIDE)
        return time

    # The client's side

    def write(self, text: str, on_read: Callable[[], None] = lambda: None) -> None:
        """Sends a text to the server; `on_read` is called when the server reads it."""
        message = {"type": "websocket.receive", "text": text, "on_read": on_read}
        self._last_to_server = self._later(self._last_to_server, lambda: self._arrive(message))

    def close(self, lost: bool = False) -> None:
        """Closes the connection for the client; with `lost`, what it sent last is lost."""
        self.is_open = False
        self._lost = self._lost or lost
        end = {"type": "websocket.disconnect", "code": 1006}
        self._last_to_server = self._later(self._last_to_server, lambda: self._end(end))

    def vanish(self) -> None:
        """Makes the connection half-open: the client is gone, and the server does not know it."""
        self.is_open = False
        self._lost = True
        end = {"type": "websocket.disconnect", "code": 1006}
        self._later(0.0, lambda: self._end(end), KEEP_ALIVE_SECONDS)

    def pause_reading(self) -> None:
        self._reading = False

    def resume_reading(self) -> None:
        self._reading = True
        self._deliver()

    # The server's side

    def _arrive(self, message: dict[str, Any]) -> None:
        if not self._lost and not self.server_done:
            self._to_server.append(message)
            self._arrived.set()

    def _end(self, message: dict[str, Any]) -> None:
        """Gives the server the end of the connection."""
        if not self.server_done:
            self.server_done = True
            self._to_server.append(message)
            self._arrived.set()
            self._has_window.set()

    async def receive(self) -> dict[str, Any]:
        while not self._to_server:
            self._arrived.clear()
            await self._arrived.wait()
        message = self._to_server.popleft()
        if "on_read" in message:
            message.pop("on_read")()
        return message

    async def send(self, message: dict[str, Any]) -> None:
        if message["type"] == "websocket.accept":
            self._later(0.0, self._accept)
        elif message["type"] == "websocket.close":
            self.break_off()
        else:
            while len(self._to_client) >= WINDOW_MESSAGES and not self.server_done:
                self._has_window.clear()
                await self._has_window.wait()
            if self.server_done:
                raise OSError("the connection is closed")
            self._put(self._on_sent(self, message["text"]))

    def break_off(self) -> None:
        """Ends the connection from the server's side, after what is on its way."""
        self._put(None)
        end = {"type": "websocket.disconnect", "code": 1013}
        self._later(0.0, lambda: self._end(end), self._random.choice((0.01, 0.1, 1.0)))

    def _accept(self) -> None:
        if self.is_open:
            self._peer.on_open()

    def _put(self, item: dict[str, Any] | None) -> None:
        self._to_client.append(item)
        self._last_to_client = self._later(self._last_to_client, self._deliver)

    def _deliver(self) -> None:
        """Gives the client the next message; all of them after a time in which it did not read."""
        while self._to_client and self._reading and self.is_open:
            item = self._to_client.popleft()
            self._has_window.set()
            if item is None:
                self.is_open = False
                self._peer.on_close()
            else:
                self._peer.on_message(item)
            if self._last_to_client > self._loop.time():
                return
