"""One WebSocket: receives the messages of a client for its connection, and sends what it queues."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from functools import partial

from starlette.types import Receive, Send

from quincunx.rooms.connection import Connection
from quincunx.rooms.errors import RequestError
from quincunx.rooms.lobby import Lobby
from quincunx.web import codec
from quincunx.web.limits import RateLimiter
from quincunx.web.middleware import TRY_AGAIN_LATER

MAX_QUEUED_CHARS = 8 << 20  # a client that does not read this much is disconnected


class WebSocketConnection:
    """The WebSocket of one client, from its acceptance until either side closes it."""

    def __init__(
        self,
        receive: Receive,
        send: Send,
        lobby: Lobby,
        limiter: RateLimiter,
        address: str,
        count_error: Callable[[str], None] = lambda code: None,
    ) -> None:
        self._receive = receive
        self._send = send
        self._queue: deque[str] = deque()
        self._queued_chars = 0
        self._wake_writer = asyncio.Event()
        self._closed = False
        self._connection = Connection(
            lobby,
            self._enqueue,
            self._disconnect,
            limiter.bucket("messages", address).take,
            partial(limiter.count_new_room, address),
            codec.parse,
            client=address,
            count_error=count_error,
        )

    async def run(self) -> None:
        """Serves the connection until either side closes it."""
        await self._receive()  # websocket.connect
        await self._send({"type": "websocket.accept"})
        writer = asyncio.create_task(self._write())
        try:
            while (received := await self._receive())["type"] != "websocket.disconnect":
                text = received.get("text")
                if text is not None:
                    await self._connection.handle(text)
                else:
                    error = RequestError("json", "binary messages are not supported: send text")
                    self._connection.reject(error)
        finally:
            self._closed = True
            writer.cancel()
            self._connection.close()

    def _enqueue(self, text: str) -> None:
        """Queues a message without waiting; disconnects a client that does not read."""
        if self._closed:
            return
        self._queue.append(text)
        self._queued_chars += len(text)
        self._wake_writer.set()
        if self._queued_chars > MAX_QUEUED_CHARS:
            self._disconnect()

    def _disconnect(self) -> None:
        """Drops the queue and closes the connection."""
        self._closed = True
        self._wake_writer.set()

    async def _write(self) -> None:
        """Sends queued messages until the connection is closed."""
        with suppress(OSError, RuntimeError):  # the client is gone; the reader notices it too
            while not self._closed:
                await self._wake_writer.wait()
                self._wake_writer.clear()
                while self._queue and not self._closed:
                    text = self._queue.popleft()
                    self._queued_chars -= len(text)
                    await self._send({"type": "websocket.send", "text": text})
            await self._send({"type": "websocket.close", "code": TRY_AGAIN_LATER})
