"""Runs slow work in threads, so that the app keeps responding."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

T = TypeVar("T")


async def run_in_thread(work: Callable[[], T]) -> T:
    """Runs `work` in a daemon thread and returns its result or raises its exception.

    Unlike with `asyncio.to_thread`, the app can exit before the work is done.
    """
    loop = asyncio.get_running_loop()
    future: asyncio.Future[T] = loop.create_future()

    def resolve(result: T | None, error: BaseException | None) -> None:
        if future.done():  # cancelled in the meantime
            return
        if error is not None:
            future.set_exception(error)
        else:
            future.set_result(result)  # type: ignore[arg-type]

    def run() -> None:
        result, error = None, None
        try:
            result = work()
        except BaseException as exception:
            error = exception
        with suppress(RuntimeError):  # the event loop is closed: the app has exited
            loop.call_soon_threadsafe(resolve, result, error)

    threading.Thread(target=run, daemon=True).start()
    return await future
