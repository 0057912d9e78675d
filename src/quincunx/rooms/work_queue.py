"""The work of one connection that is done in order, while the connection handles other messages."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from typing import TypeAlias

from quincunx.rooms.errors import RequestError
from quincunx.rooms.messages import Request

MAX_WAITING = 64  # a lesson asks for the pictures of all its examples at once

Work: TypeAlias = Callable[[], Awaitable[None]]


class WorkQueue:
    """Does one piece of work after another; the error of one is passed to `reject`."""

    def __init__(self, reject: Callable[[Exception, object], None]) -> None:
        self._reject = reject
        self._waiting: deque[tuple[Request, Work]] = deque()
        self._task: asyncio.Task[None] | None = None

    def add(self, request: Request, work: Work) -> None:
        """Adds the work for a request; raises RequestError `busy` if too much waits."""
        if len(self._waiting) >= MAX_WAITING:
            raise RequestError("busy", f"at most {MAX_WAITING} pictures of a connection can wait")
        self._waiting.append((request, work))
        if self._task is None:
            self._task = asyncio.create_task(self._run())

    def close(self) -> None:
        """Cancels all work."""
        self._waiting.clear()
        if self._task is not None:
            self._task.cancel()

    async def _run(self) -> None:
        try:
            while self._waiting:
                request, work = self._waiting.popleft()
                try:
                    await work()
                except Exception as error:
                    self._reject(error, request.ref)
        finally:
            self._task = None
