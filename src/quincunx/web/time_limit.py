"""A limit for the time of work that may not end by itself, not even when it is cancelled."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

from quincunx.web.futures import ignore_error

T = TypeVar("T")


async def within(work: Coroutine[Any, Any, T], seconds: float) -> T:
    """Returns the result of work; raises TimeoutError after this time, whatever the work does.

    `asyncio.wait_for` would wait until the work has handled its cancellation, and a driver may
    wait for a server there that does not answer.
    """
    task = asyncio.ensure_future(work)
    try:
        await asyncio.wait({task}, timeout=seconds)
    finally:
        if not task.done():
            task.cancel()
            task.add_done_callback(ignore_error)
    if not task.done():
        raise TimeoutError(f"no answer within {seconds:g} s")
    return task.result()
