"""An event loop with simulated time, in which a seed chooses the order of tasks.

There are no threads, sockets or waiting: when nothing is ready, the time jumps to the next timer.

asyncio runs ready callbacks in the order in which they became ready. Half of the runs keep this
order. In the others a task that is ready may wait while any others run, as it would if one more
await lay before it: such an order is possible after a small change of the code, so the rooms must
not depend on it. What is promised to be in order stays in order: the steps of one task, and the
callbacks that are not tasks, such as those of futures, of timers and of the network.

Every callback belongs to the process that was running when it was scheduled. A process can crash,
which drops all its callbacks, now and later, without any clean-up; or freeze, which delays them.
"""

from __future__ import annotations

import asyncio
import warnings
from asyncio import events
from collections import deque
from collections.abc import Callable
from contextvars import Context, ContextVar, copy_context
from heapq import heappop, heappush
from itertools import count
from random import Random
from typing import Any

MAX_IDLE_CALLBACKS = 100_000  # at one time; more of them are an endless loop


class Process:
    """A program on the loop: the tasks that it has started, until it crashes."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.alive = True
        self.frozen_until = 0.0
        self.tasks: list[asyncio.Task[Any]] = []

    def pending_tasks(self) -> list[asyncio.Task[Any]]:
        """Returns the tasks that have not ended."""
        self.tasks = [task for task in self.tasks if not task.done()]
        return self.tasks


PROCESS: ContextVar[Process | None] = ContextVar("process", default=None)
OUTSIDE = Context()  # of what belongs to no process: disks, networks and people


class Callback:
    """A function to be called, and the context to call it in."""

    __slots__ = ("args", "context", "function", "is_cancelled", "time")

    def __init__(
        self, function: Callable[..., Any], args: tuple[Any, ...], context: Context, time: float
    ) -> None:
        self.function = function
        self.args = args
        self.context = context
        self.time = time
        self.is_cancelled = False

    def cancel(self) -> None:
        self.is_cancelled = True

    def cancelled(self) -> bool:
        return self.is_cancelled

    def when(self) -> float:
        return self.time


class SimulatedLoop(asyncio.AbstractEventLoop):
    """Runs callbacks one after the other; see the module."""

    def __init__(self, random: Random, in_order: bool) -> None:
        self.callbacks_run = 0
        self.stopped = False
        self.on_exception: Callable[[dict[str, Any]], None] = lambda context: None
        self._random = random.random
        self._in_order = in_order
        self._now = 0.0
        self._functions: deque[Callback] = deque()  # with `in_order`, also the steps of tasks
        self._steps: list[Callback] = []
        self._timers: list[tuple[float, int, Callback]] = []
        self._numbers = count()
        self._interrupts: list[tuple[int, int, Callable[[], None]]] = []
        self._closed = False

    # What asyncio needs

    def time(self) -> float:
        return self._now

    def get_debug(self) -> bool:
        return False

    def is_running(self) -> bool:
        return not self._closed

    def is_closed(self) -> bool:
        return self._closed

    def create_future(self) -> asyncio.Future[Any]:
        return asyncio.Future(loop=self)

    def create_task(self, coro: Any, **options: Any) -> Any:
        if self._closed:
            coro.close()
            return self.create_future()
        task = asyncio.Task(coro, loop=self, **options)
        process = PROCESS.get()
        if process is not None:
            process.tasks.append(task)
            if len(process.tasks) > 256:
                process.pending_tasks()
        return task

    def call_soon(
        self, callback: Callable[..., Any], *args: Any, context: Context | None = None
    ) -> Callback:
        item = Callback(callback, args, copy_context() if context is None else context, self._now)
        self._add(item)
        return item

    def call_at(
        self, when: float, callback: Callable[..., Any], *args: Any, context: Context | None = None
    ) -> Callback:
        item = Callback(callback, args, copy_context() if context is None else context, when)
        heappush(self._timers, (when, next(self._numbers), item))
        return item

    def call_later(
        self, delay: float, callback: Callable[..., Any], *args: Any, context: Context | None = None
    ) -> Callback:
        return self.call_at(self._now + delay, callback, *args, context=context)

    def call_exception_handler(self, context: dict[str, Any]) -> None:
        self.on_exception(context)

    # Running

    def _add(self, item: Callback) -> None:
        is_step = isinstance(getattr(item.function, "__self__", None), asyncio.Task)
        if is_step and not self._in_order:
            self._steps.append(item)
        else:
            self._functions.append(item)

    def _take(self) -> Callback | None:
        """Removes the next callback; returns None if nothing is ready."""
        steps, functions = self._steps, self._functions
        if not steps:
            return functions.popleft() if functions else None
        i = int(self._random() * (len(steps) + bool(functions)))
        if i == len(steps):
            return functions.popleft()
        steps[i], steps[-1] = steps[-1], steps[i]
        return steps.pop()

    def _run(self, item: Callback) -> None:
        if item.is_cancelled:
            return
        process = item.context.get(PROCESS)
        if process is not None:
            if not process.alive:
                return
            if process.frozen_until > self._now:
                item.time = process.frozen_until
                heappush(self._timers, (item.time, next(self._numbers), item))
                return
        self.callbacks_run += 1
        item.context.run(item.function, *item.args)

    def run_until(self, time: float) -> None:
        """Runs everything up to a time, or until `stopped` is set."""
        timers, at_this_time = self._timers, 0
        events._set_running_loop(self)
        try:
            while not self.stopped:
                item = self._take()
                if item is not None:
                    self._run(item)
                    at_this_time += 1
                    assert at_this_time < MAX_IDLE_CALLBACKS, "endless loop: time stands still"
                    while self._interrupts and self._interrupts[0][0] <= self.callbacks_run:
                        heappop(self._interrupts)[2]()
                elif timers and timers[0][0] <= time:
                    at_this_time = 0
                    self._now = max(self._now, timers[0][0])
                    while timers and timers[0][0] <= self._now:
                        self._add(heappop(timers)[2])
                else:
                    self._now = max(self._now, time)
                    return
        finally:
            events._set_running_loop(None)

    def interrupt_after(self, callbacks: int, function: Callable[[], None]) -> None:
        """Calls a function, outside of all processes, when that many callbacks have run."""
        number = next(self._numbers)
        heappush(self._interrupts, (self.callbacks_run + callbacks, number, function))

    def dispose(self, processes: list[Process]) -> None:
        """Ends all tasks of processes, when nobody looks at what they do any more."""
        self._closed = True
        self.on_exception = lambda context: None
        events._set_running_loop(self)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of coroutines that were never awaited
            for process in processes:
                process.alive = False
                for task in process.pending_tasks():
                    task._log_destroy_pending = False  # type: ignore[attr-defined]
                    try:
                        task.get_coro().close()  # type: ignore[union-attr]
                    except (RuntimeError, ValueError):  # it waits again in its clean-up
                        continue
        events._set_running_loop(None)
        self._timers.clear()
        self._functions.clear()
        self._steps.clear()


def result_now(coroutine: Any) -> Any:
    """Returns the result of a coroutine that never waits."""
    try:
        coroutine.send(None)
    except StopIteration as stop:
        return stop.value
    raise AssertionError(f"{coroutine} waits")
