"""The writer of the database: one task that commits everything that is waiting, again and again.

It must survive anything, since no room can be played without it. Whatever an attempt raises, the
writes of that attempt are answered with an error, and the writer goes on; if its task should end,
it is started again. A write is answered after WRITE_SECONDS at the latest, even if the database
does not answer at all. Its outcome is unknown then: the room is unloaded, and what is stored
decides. If it is stored late, after another event with the same number, the primary key makes it
fail, or makes the other one fail, and its room is unloaded again.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from quincunx.rooms.errors import RequestError
from quincunx.web.statements import Change, Row, grouped

WRITE_SECONDS = 5.0  # after which a write that has not been committed is answered with `busy`
EXPIRY_SECONDS = 0.25  # between two searches for such writes
CLOSE_SECONDS = 5.0  # for what is pending when the writer is closed
RECONNECT_SECONDS = (0.1, 2.0)  # the first and the longest wait after an error
# After a commit of this many writes, the next one waits a little so that it stores more of them: a
# commit takes as much processor time as several moves.
MANY_WRITES = 4
GATHER_SECONDS = 0.002
MAX_PENDING = 50_000  # writes; more are refused at once

NOT_STORED = "the change could not be stored; try again"
NO_ANSWER = "the database does not answer; try again"

log = logging.getLogger("quincunx.web")


class WriteConnection(Protocol):
    """The writer's connection to one kind of database."""

    async def connect(self) -> None:
        """Connects if necessary."""

    async def commit(self, statements: Sequence[tuple[str, list[Row]]]) -> None:
        """Executes all statements for all their rows in one transaction, and commits it.

        After any error nothing is stored, or the outcome is unknown because the connection broke;
        then the next `connect` makes a new one.
        """

    def is_bad_row(self, error: BaseException) -> bool:
        """True for an error of one row, which the database has refused."""

    async def close(self) -> None:
        """Disconnects."""


def describe(error: Exception) -> str:
    """Returns an error for the log: its first line, since others may repeat the values of a row."""
    return f"{type(error).__name__}: {next(iter(str(error).splitlines()), '')}"


class UnusableDatabase(Exception):
    """The database cannot be used at all; the text says why, and may be shown to clients."""


@dataclass
class WriterCounts:
    """What the writer has done so far, for metrics."""

    commits: int = 0
    writes: int = 0  # that were committed
    failed_writes: int = 0  # that were answered with an error
    expired_writes: int = 0  # those of them that the database did not answer in time
    failures: int = 0  # attempts to connect or to commit that raised an error, but for bad rows
    restarts: int = 0  # of the writer's task


@dataclass(eq=False)
class PendingWrite:
    """Changes that are stored together or not at all, and the future that their caller awaits."""

    changes: Sequence[Change]
    done: asyncio.Future[None]
    since: float  # the time of the event loop


class Writer:
    """Commits the writes of a server, all that are waiting at a time."""

    def __init__(self, connection: WriteConnection) -> None:
        self.connection = connection
        self.counts = WriterCounts()
        # Called after each commit with its duration in seconds and the number of its writes.
        self.on_commit: Callable[[float, int], None] = lambda seconds, writes: None
        self._pending: list[PendingWrite] = []
        self._in_flight: list[PendingWrite] = []
        self._wake = asyncio.Event()
        self._closing = False
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._problem = ""  # the last failure, so that a lasting one is logged once
        self._has_many_writes = False  # in the last commit

    @property
    def pending(self) -> int:
        """The number of writes that have not been answered."""
        return len(self._pending) + len(self._in_flight)

    @property
    def is_failing(self) -> bool:
        """True when the last attempt to connect or to commit raised an error, but for bad rows."""
        return bool(self._problem)

    async def open(self) -> None:
        """Connects, and starts the writer; raises what the connection raises."""
        await self.connection.connect()
        self._start("writer", self._run)
        self._start("expiry", self._run_expiry)

    async def close(self) -> None:
        """Commits what is pending, if that is possible in CLOSE_SECONDS, and disconnects."""
        self._closing = True
        self._wake.set()
        if "writer" in self._tasks:
            await asyncio.wait({self._tasks["writer"]}, timeout=CLOSE_SECONDS)
        for task in self._tasks.values():
            task.cancel()
        self._fail([*self._in_flight, *self._pending], NO_ANSWER)
        self._pending = []
        if self._tasks:
            await asyncio.wait(self._tasks.values(), timeout=CLOSE_SECONDS)
        closing = asyncio.ensure_future(self.connection.close())
        await asyncio.wait({closing}, timeout=CLOSE_SECONDS)
        if not closing.done():
            closing.cancel()

    async def write(self, *changes: Change) -> None:
        """Stores changes together or not at all; returns when they are on disk."""
        if self._closing or len(self._pending) >= MAX_PENDING:
            raise RequestError("busy", NO_ANSWER)
        loop = asyncio.get_running_loop()
        write = PendingWrite(changes, loop.create_future(), loop.time())
        self._pending.append(write)
        self._wake.set()
        await write.done

    # Tasks

    def _start(self, name: str, run: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Starts a task, and starts it again whenever it ends before the writer is closed."""

        def ended(task: asyncio.Task[None]) -> None:
            if not self._closing and not task.get_loop().is_closed():
                error = None if task.cancelled() else task.exception()
                log.critical(
                    "the %s of the database ended; starting it again", name, exc_info=error
                )
                self.counts.restarts += 1
                self._start(name, run)

        self._tasks[name] = asyncio.create_task(run())
        self._tasks[name].add_done_callback(ended)

    async def _run(self) -> None:
        """Commits everything that is pending, until `close`; reconnects after an error."""
        first_delay, longest_delay = RECONNECT_SECONDS
        delay = first_delay
        while self._pending or not self._closing:
            try:
                await self._wake.wait()
                await self.connection.connect()  # if the server has closed the connection
                if self._has_many_writes:
                    await asyncio.sleep(GATHER_SECONDS)
                self._wake.clear()
                self._has_many_writes = len(self._pending) >= MANY_WRITES
                await self._write_pending()
                delay = first_delay
                self._problem = ""
            except Exception as error:
                self.counts.failures += 1
                self._log_failure(error)
                await asyncio.sleep(delay)
                delay = min(2 * delay, longest_delay)

    def _log_failure(self, error: Exception) -> None:
        problem = describe(error)
        if problem != self._problem:
            self._problem = problem
            log.error("writing to the database failed: %s", problem)

    async def _run_expiry(self) -> None:
        """Answers the writes that the database has not answered in time."""
        loop = asyncio.get_running_loop()
        while True:
            await asyncio.sleep(EXPIRY_SECONDS)
            start = loop.time() - WRITE_SECONDS
            late = [w for w in (*self._in_flight, *self._pending) if w.since < start]
            if late:
                self.counts.expired_writes += self._fail(late, NO_ANSWER)
                self._pending = [write for write in self._pending if not write.done.done()]

    # Commits

    async def _write_pending(self) -> None:
        writes, self._pending = self._pending, []
        writes = [write for write in writes if not write.done.done()]  # not those of gone callers
        if not writes:
            return
        self._in_flight = writes
        try:
            await self._commit(writes)
        except Exception as error:
            if not self.connection.is_bad_row(error):
                raise
            log.warning("a change was refused: %s", describe(error))
            if len(writes) > 1:
                await self._write_each(writes)
        except BaseException:
            self._fail(writes, NO_ANSWER)
            raise
        finally:
            self._fail(writes, NOT_STORED)  # those that have not been answered
            self._in_flight = []

    async def _write_each(self, writes: list[PendingWrite]) -> None:
        """Commits writes one by one, so that a bad row fails alone."""
        for write in writes:
            if not write.done.done():
                try:
                    await self._commit([write])
                except Exception as error:
                    if not self.connection.is_bad_row(error):
                        raise
                    self._fail([write], NOT_STORED)

    async def _commit(self, writes: list[PendingWrite]) -> None:
        """Commits writes, and answers them."""
        loop = asyncio.get_running_loop()
        start = loop.time()
        try:
            await self.connection.commit(grouped(write.changes for write in writes))
        except UnusableDatabase as error:
            self._fail(writes, str(error))
            raise
        for write in writes:
            if not write.done.done():
                write.done.set_result(None)
        self.counts.commits += 1
        self.counts.writes += len(writes)
        self.on_commit(loop.time() - start, len(writes))

    def _fail(self, writes: Sequence[PendingWrite], reason: str) -> int:
        """Answers writes that have not been answered with `busy`; returns their number."""
        unanswered = [write for write in writes if not write.done.done()]
        for write in unanswered:
            write.done.set_exception(RequestError("busy", reason))
        self.counts.failed_writes += len(unanswered)
        return len(unanswered)
