"""A bounded queue that is fair between clients: they take turns, however much each has waiting.

It only says when work may start, and knows nothing of threads, processes or time.
"""

from __future__ import annotations

import asyncio
from collections import Counter, deque
from collections.abc import Callable
from dataclasses import dataclass, field

from quincunx.rooms.errors import RequestError

BUSY = "too much work is waiting; try again in a moment"
CLIENT_BUSY = "too many of your requests are waiting; try again when one is answered"


@dataclass(frozen=True)
class QueueLimits:
    """How many tasks run at once and how many may wait, in total and for each client."""

    running: int
    running_each: int
    waiting: int | None = None  # None: without limit
    waiting_each: int | None = None


@dataclass
class FairQueue:
    """Gives slots to clients in turn.

    A client that has used a slot goes to the end of the line. A client with `running_each` tasks
    is passed over until one of them ends.
    """

    limits: QueueLimits
    # The clients that wait, in the order of their turns; each with its oldest task first.
    _waiting: dict[str, deque[asyncio.Future[None]]] = field(default_factory=dict)
    _running: Counter[str] = field(default_factory=Counter)

    @property
    def running(self) -> int:
        """The number of slots in use."""
        return self._running.total()

    @property
    def waiting(self) -> int:
        """The number of tasks that wait for a slot."""
        return sum(map(len, self._waiting.values()))

    async def acquire(self, client: str) -> Callable[[], None]:
        """Returns when the client has a slot; the result, called once, gives the slot back.

        Raises RequestError `busy` when too many tasks wait. A task that is cancelled while it waits
        leaves the queue.
        """
        if not self._may_run(client) or client in self._waiting:
            await self._wait(client)
        else:
            self._running[client] += 1
        return _once(lambda: self._release(client))

    async def _wait(self, client: str) -> None:
        self._check_space(client)
        turn = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(client, deque()).append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():  # it got its slot in the same moment
                self._release(client)
            else:
                self._remove(client, turn)
            raise

    def _check_space(self, client: str) -> None:
        limits = self.limits
        if limits.waiting_each is not None:
            waiting = len(self._waiting.get(client, ()))
            if waiting >= limits.waiting_each:
                raise RequestError("busy", CLIENT_BUSY)
        if limits.waiting is not None and self.waiting >= limits.waiting:
            raise RequestError("busy", BUSY)

    def _may_run(self, client: str) -> bool:
        return (
            self.running < self.limits.running and self._running[client] < self.limits.running_each
        )

    def _release(self, client: str) -> None:
        self._running[client] -= 1
        if not self._running[client]:
            del self._running[client]
        self._start_next()

    def _start_next(self) -> None:
        """Gives the free slots to the clients whose turn it is."""
        while (client := self._next_client()) is not None:
            turn = self._waiting[client][0]
            self._remove(client, turn)
            if client in self._waiting:
                self._waiting[client] = self._waiting.pop(client)  # to the end of the line
            self._running[client] += 1
            turn.set_result(None)

    def _next_client(self) -> str | None:
        """Returns the first client in the line that may run a task."""
        return next((client for client in self._waiting if self._may_run(client)), None)

    def _remove(self, client: str, turn: asyncio.Future[None]) -> None:
        self._waiting[client].remove(turn)
        if not self._waiting[client]:
            del self._waiting[client]


def _once(release: Callable[[], None]) -> Callable[[], None]:
    """Returns a function that calls `release` only the first time."""
    pending = [release]

    def call() -> None:
        if pending:
            pending.pop()()

    return call
