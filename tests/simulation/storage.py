"""A store that can stall, fail, lose its answers, and outlive the server that writes to it.

The disk is a `MemoryStore` that belongs to no process. Writes become durable one after the other,
each as a whole or not at all, as one writer with transactions commits them. A write takes a
moment before it is durable and another one until its caller knows, and the server may crash in
either. At a crash every write on its way is either lost or durable; none comes later.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from random import Random
from typing import Any

from quincunx.rooms.errors import RequestError
from quincunx.rooms.store import MemoryStore
from tests.simulation.loop import OUTSIDE, PROCESS, Process, SimulatedLoop, result_now

READS = {
    *("load", "listed_rooms", "best_scores", "recent_results"),
    *("count_rooms", "secret", "ping"),
}


@dataclass(eq=False)
class Write:
    """A write on its way: to the disk until `durable`, then back to its caller."""

    name: str
    args: tuple[Any, ...]
    options: dict[str, Any]
    process: Process | None
    caller: asyncio.Future[Any]
    submitted: float  # when it was called
    durable: bool = False
    result: Any = None
    error: Exception | None = None


@dataclass
class Faults:
    """What goes wrong with the next calls."""

    stalled_until: float = 0.0
    failing_writes: int = 0  # these store nothing, and their callers get an error
    lost_answers: int = 0  # these are durable, but their callers get an error
    failing_reads: int = 0


@dataclass
class Disk:
    """What is durable, and the writes on their way."""

    loop: SimulatedLoop
    random: Random
    log: Callable[[str, str], None]
    on_durable: Callable[[Write], None]
    memory: MemoryStore = field(default_factory=MemoryStore)
    faults: Faults = field(default_factory=Faults)
    writes: deque[Write] = field(default_factory=deque)
    before_next_write: Callable[[], None] | None = None  # called once, in place of the next
    after_next_write: Callable[[], None] | None = None
    _last_commit: float = 0.0

    def submit(self, name: str, args: tuple[Any, ...], options: dict[str, Any]) -> Any:
        """Returns a future of the result of a write."""
        loop = self.loop
        caller = loop.create_future()
        write = Write(name, args, options, PROCESS.get(), caller, loop.time())
        self.writes.append(write)
        self._last_commit = max(self._last_commit, loop.time() + self._latency())
        loop.call_at(self._last_commit, self._commit, write, context=OUTSIDE)
        return caller

    def _latency(self) -> float:
        stalled = max(0.0, self.faults.stalled_until - self.loop.time())
        return stalled + self.random.choice((0.0, 0.0005, 0.002, 0.008, 0.03))

    def _commit(self, write: Write) -> None:
        if write not in self.writes:
            return  # settled by a crash
        if (hook := self.before_next_write) is not None:
            self.before_next_write = None
            hook()
            if write not in self.writes:
                return
        faults = self.faults
        # Most writes are heartbeats, which must not use up the faults.
        is_spared = write.name.startswith("record_") and self.random.random() < 0.8
        if faults.failing_writes > 0 and not is_spared:
            faults.failing_writes -= 1
            write.error = _not_stored()
            self.log("store", f"{write.name} fails")
        else:
            self._make_durable(write)
            if faults.lost_answers > 0 and write.error is None and not is_spared:
                faults.lost_answers -= 1
                write.error = _not_stored()
                self.log("store", f"{write.name} is durable, but its caller gets an error")
        if (hook := self.after_next_write) is not None and write.durable:
            self.after_next_write = None
            hook()
        if write in self.writes:
            self.loop.call_later(self._latency() / 4, self._answer, write, context=OUTSIDE)

    def _make_durable(self, write: Write) -> None:
        try:
            write.result = result_now(
                getattr(self.memory, write.name)(*write.args, **write.options)
            )
        except Exception as error:  # a conflict: the store refuses it, and nothing is stored
            write.error = error
            return
        write.durable = True
        self.on_durable(write)

    def _answer(self, write: Write) -> None:
        if write not in self.writes:
            return
        self.writes.remove(write)
        if write.caller.done():  # its caller was cancelled
            return
        if write.error is not None:
            write.caller.set_exception(write.error)
        else:
            write.caller.set_result(write.result)

    def crash(self, keep: int) -> None:
        """Settles all writes on their way: the first `keep` of them become durable."""
        writes, self.writes = self.writes, deque()
        for write in writes:
            if not write.durable and write.error is None and keep > 0:
                keep -= 1
                self._make_durable(write)
        self.before_next_write = self.after_next_write = None

    def heal(self) -> None:
        """Ends all faults."""
        self.faults = Faults()


class ServerStore:
    """The store of one server process: every method of `MemoryStore`, with delays and faults."""

    def __init__(self, disk: Disk) -> None:
        self._disk = disk

    async def open(self) -> None:
        pass

    async def close(self) -> None:
        while self._disk.writes:
            await asyncio.sleep(0.01)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return partial(self._read if name in READS else self._write, name)

    async def _write(self, name: str, *args: Any, **options: Any) -> Any:
        return await self._disk.submit(name, args, options)

    async def _read(self, name: str, *args: Any, **options: Any) -> Any:
        disk = self._disk
        await asyncio.sleep(disk._latency())
        if disk.faults.failing_reads > 0:
            disk.faults.failing_reads -= 1
            disk.log("store", f"{name} fails")
            raise RequestError("busy", "the store does not answer; try again")
        return await getattr(disk.memory, name)(*args, **options)


def _not_stored() -> RequestError:
    return RequestError("busy", "the change could not be stored; try again")
