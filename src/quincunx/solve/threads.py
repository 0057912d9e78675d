"""Threads that share a range of shapes: kernels hold no GIL, so all cores work."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from types import TracebackType
from typing import TypeVar

from quincunx.jit import ignore_integer_overflow
from quincunx.machine import cores

T = TypeVar("T")

AHEAD = 4  # pieces that wait for each thread, so that none is idle


class ThreadTeam:
    """Some threads; to be closed."""

    def __init__(self, threads: int | None = None) -> None:
        self.threads = threads or cores()
        self._pool = ThreadPoolExecutor(self.threads, initializer=ignore_integer_overflow)

    def map_range(
        self, low: int, high: int, work: Callable[[int, int], T], size: int = 0
    ) -> Iterator[tuple[int, T]]:
        """Works through a range in pieces; for each, in order, where it ends and what came out."""
        size = size or max(1, min(4096, (high - low) // (16 * self.threads)))
        todo = range(low, high, size)
        running: deque[tuple[int, Future[T]]] = deque()
        try:
            for begin in todo:
                end = min(high, begin + size)
                running.append((end, self._pool.submit(work, begin, end)))
                if len(running) > AHEAD * self.threads:
                    end, future = running.popleft()
                    yield end, future.result()
            while running:
                end, future = running.popleft()
                yield end, future.result()
        finally:
            for _, future in running:
                future.cancel()

    def close(self) -> None:
        """Lets the threads go, when they have ended what they are at."""
        self._pool.shutdown(cancel_futures=True)

    def __enter__(self) -> ThreadTeam:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
