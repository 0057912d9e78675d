"""One WebSocket: receives the messages of a client for its connection, and sends what it queues."""

from __future__ import annotations

import asyncio
import logging
import types
from collections import deque
from collections.abc import Callable, Coroutine, Generator
from functools import partial
from typing import Any

from starlette.types import Receive, Send

from quincunx.rooms.connection import Connection
from quincunx.rooms.errors import RequestError
from quincunx.rooms.lobby import Lobby
from quincunx.web import codec
from quincunx.web.close_codes import TRY_AGAIN_LATER
from quincunx.web.limits import RateLimiter

log = logging.getLogger("quincunx.web")

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
        self._writer: asyncio.Task[None] | None = None  # while the client does not read
        self._writing = False
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
            rooms_per_day=limiter.rooms_per_day(address),
        )

    async def run(self) -> None:
        """Serves the connection until either side closes it."""
        await self._receive()  # websocket.connect
        await self._send({"type": "websocket.accept"})
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
            if self._writer is not None:
                self._writer.cancel()
            self._connection.close()

    def _enqueue(self, text: str) -> None:
        """Sends a message, or queues it while the client does not read; never waits.

        A client that does not read for too long is disconnected.
        """
        if self._closed:
            return
        self._queue.append(text)
        self._queued_chars += len(text)
        if not self._writing:
            self._start_writing()
        elif self._queued_chars > MAX_QUEUED_CHARS:
            self._disconnect()

    def _disconnect(self) -> None:
        """Drops the queue and closes the connection."""
        if self._closed:
            return
        self._closed = True
        self._queue.clear()
        if not self._writing:
            self._start_writing()

    def _start_writing(self) -> None:
        self._writing = True
        self._writer = run_until_waiting(self._write())

    async def _write(self) -> None:
        """Sends all queued messages, and closes the connection if it is to be closed."""
        try:
            while self._queue and not self._closed:
                text = self._queue.popleft()
                self._queued_chars -= len(text)
                await self._send({"type": "websocket.send", "text": text})
            if self._closed:
                await self._send({"type": "websocket.close", "code": TRY_AGAIN_LATER})
        except (OSError, RuntimeError):  # the client is gone; the reader notices it too
            self._closed = True
        except Exception:  # must not reach the other subscribers of the room
            self._closed = True
            log.exception("sending a message failed")
        finally:
            self._writing = False


def run_until_waiting(coroutine: Coroutine[Any, Any, None]) -> asyncio.Task[None] | None:
    """Runs a coroutine at once; returns the task that continues it if it has to wait, else None.

    Nearly every message can be sent without waiting, and waking a task for it takes as much time
    as sending it.
    """
    try:
        awaited = coroutine.send(None)
    except StopIteration:
        return None

    async def run_rest() -> None:
        await _rest_of(coroutine, awaited)

    return asyncio.create_task(run_rest())


@types.coroutine
def _rest_of(coroutine: Coroutine[Any, Any, None], awaited: Any) -> Generator[Any, Any, None]:
    """Continues a coroutine that waits for `awaited`."""
    try:
        while True:
            try:
                result = yield awaited
            except BaseException as error:  # such as the cancellation of the task
                awaited = coroutine.throw(error)
            else:
                awaited = coroutine.send(result)
    except StopIteration:
        return
