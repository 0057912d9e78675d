"""Threads for compiled code, which releases the interpreter's lock while it runs.

A thread cannot be ended from outside. These are daemon threads, so that one that hangs in the code
of a foreign player does not keep the server from shutting down.
"""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from queue import SimpleQueue
from typing import Any, TypeAlias, TypeVar

from quincunx.jit import ignore_integer_overflow
from quincunx.web.futures import ignore_error

T = TypeVar("T")

Job: TypeAlias = tuple[Callable[[], Any], asyncio.AbstractEventLoop, "asyncio.Future[Any]"]


class Threads:
    """As many threads as there are tasks at once; idle ones are used again.

    `niceness` lowers their priority, where the system has one for each thread.
    """

    def __init__(self, name: str, niceness: int = 0) -> None:
        self._name = name
        self._niceness = niceness
        self._jobs: SimpleQueue[Job | None] = SimpleQueue()
        self._count = 0
        self._unfinished = 0
        self._closed = False

    @property
    def count(self) -> int:
        """The number of threads."""
        return self._count

    def submit(self, work: Callable[[], T]) -> asyncio.Future[T]:
        """Returns the future result of work that a thread does; cancelling it stops nothing."""
        if self._closed:
            raise RuntimeError("the server is shutting down")
        loop = asyncio.get_running_loop()
        future: asyncio.Future[T] = loop.create_future()
        future.add_done_callback(ignore_error)
        self._unfinished += 1
        if self._unfinished > self._count:
            self._count += 1
            name = f"{self._name}-{self._count}"
            threading.Thread(target=self._run, name=name, daemon=True).start()
        self._jobs.put((work, loop, future))
        return future

    def close(self) -> None:
        """Ends all threads as soon as they are idle."""
        self._closed = True
        for _ in range(self._count):
            self._jobs.put(None)

    def _run(self) -> None:
        """Does one task after another."""
        ignore_integer_overflow()
        _lower_priority(self._niceness)
        while (job := self._jobs.get()) is not None:
            work, loop, future = job
            result: Any = None
            error: BaseException | None = None
            try:
                result = work()
            except BaseException as raised:
                error = raised
            with suppress(RuntimeError):  # the loop is closed
                loop.call_soon_threadsafe(self._finish, future, result, error)
            del job, work, future, result, error  # an idle thread keeps nothing alive

    def _finish(
        self, future: asyncio.Future[Any], result: Any, error: BaseException | None
    ) -> None:
        self._unfinished -= 1
        if future.cancelled():
            return
        if error is None:
            future.set_result(result)
        elif isinstance(error, Exception):
            future.set_exception(error)
        else:
            future.set_exception(RuntimeError(f"{type(error).__name__} in a thread"))


def _lower_priority(niceness: int) -> None:
    """Lowers the priority of this thread; only Linux has one for each thread."""
    if sys.platform == "linux" and niceness:
        thread = threading.get_native_id()
        with suppress(OSError):
            before = os.getpriority(os.PRIO_PROCESS, thread)
            os.setpriority(os.PRIO_PROCESS, thread, before + niceness)
