"""Threads that share a range of work: kernels release the GIL, so that all cores are busy."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

from quincunx.jit import ignore_integer_overflow
from quincunx.machine import cores

T = TypeVar("T")

QUEUED_CHUNKS_PER_THREAD = 4  # waiting, so that no thread is idle


class ThreadTeam:
    """A pool of threads; must be closed."""

    def __init__(self, threads: int | None = None) -> None:
        self.threads = threads or cores()
        self._pool = ThreadPoolExecutor(self.threads, initializer=ignore_integer_overflow)

    def map_range(
        self, low: int, high: int, task: Callable[[int, int], T], chunk: int = 0
    ) -> Iterator[tuple[int, T]]:
        """Calls task(start, stop) for chunks of a range; yields each stop and result, in order."""
        chunk = chunk or max(1, min(4096, (high - low) // (16 * self.threads)))
        running: deque[tuple[int, Future[T]]] = deque()
        try:
            for start in range(low, high, chunk):
                stop = min(high, start + chunk)
                running.append((stop, self._pool.submit(task, start, stop)))
                if len(running) > QUEUED_CHUNKS_PER_THREAD * self.threads:
                    stop, future = running.popleft()
                    yield stop, future.result()
            while running:
                stop, future = running.popleft()
                yield stop, future.result()
        finally:
            for _, future in running:
                future.cancel()

    def close(self) -> None:
        """Waits for the running chunks and ends the threads."""
        self._pool.shutdown(cancel_futures=True)
