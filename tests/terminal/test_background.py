"""Work in threads: its result, its exception, and cancelling it."""

import asyncio
import threading

import pytest

from quincunx.terminal.background import run_in_thread


def test_the_result_is_returned():
    async def run():
        return await run_in_thread(threading.get_ident)

    assert asyncio.run(run()) != threading.get_ident()


def test_an_exception_is_raised():
    def fail():
        raise ValueError("reason")

    with pytest.raises(ValueError, match="reason"):
        asyncio.run(run_in_thread(fail))


def test_cancelling_does_not_wait_for_the_work():
    released = threading.Event()

    async def cancel():
        task = asyncio.create_task(run_in_thread(released.wait))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        released.set()

    asyncio.run(cancel())
