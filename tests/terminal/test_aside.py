"""Work beside an app: its answer, its failure, and that nobody waits for it in the end."""

import asyncio
import threading

import pytest

from quincunx.terminal.aside import aside


def test_the_answer_comes_back():
    async def work():
        return await aside(threading.get_ident)

    assert asyncio.run(work()) != threading.get_ident()


def test_a_failure_comes_back():
    def fail():
        raise ValueError("so it is")

    with pytest.raises(ValueError, match="so it is"):
        asyncio.run(aside(fail))


def test_what_is_given_up_holds_nobody_up():
    free = threading.Event()

    async def give_up():
        work = asyncio.create_task(aside(free.wait))
        await asyncio.sleep(0)
        work.cancel()
        with pytest.raises(asyncio.CancelledError):
            await work
        free.set()

    asyncio.run(give_up())
