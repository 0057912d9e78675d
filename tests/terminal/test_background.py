"""Work beside an app: its answer, its failure, and that nobody waits for it in the end."""

import asyncio
import threading

import pytest

from quincunx.terminal.background import run_in_thread


def test_the_answer_comes_back():
    async def work():
        return await run_in_thread(threading.get_ident)

    assert asyncio.run(work()) != threading.get_ident()


def test_a_failure_comes_back():
    def fail():
        raise ValueError("so it is")

    with pytest.raises(ValueError, match="so it is"):
        asyncio.run(run_in_thread(fail))


def test_what_is_given_up_holds_nobody_up():
    free = threading.Event()

    async def give_up():
        work = asyncio.create_task(run_in_thread(free.wait))
        await asyncio.sleep(0)
        work.cancel()
        with pytest.raises(asyncio.CancelledError):
            await work
        free.set()

    asyncio.run(give_up())
