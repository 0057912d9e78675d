"""The pool of a server: what may wait for what."""

import asyncio
import threading

import pytest

from quincunx.rooms.errors import RequestError
from quincunx.web import thinking
from quincunx.web.thinking import ThinkingPool


def with_pool(work):
    async def run():
        pool = ThinkingPool()
        try:
            return await work(pool)
        finally:
            pool.close()

    return asyncio.run(run())


class Hold:
    """Work that lasts until it is released."""

    def __init__(self):
        self._started = threading.Semaphore(0)
        self._released = threading.Event()

    def __call__(self):
        self._started.release()
        self._released.wait()
        return "done"

    async def started(self, count):
        for _ in range(count):
            await asyncio.to_thread(self._started.acquire)

    def release(self):
        self._released.set()


def test_many_analyses_of_one_client_do_not_lock_out_others():
    async def work(pool):
        hold, limits = Hold(), pool.long_queue.limits
        tasks = [asyncio.create_task(pool.run_long(hold, "a")) for _ in range(64)]
        await hold.started(limits.running_each)
        rejected = [task for task in tasks if task.done()]
        assert {task.exception().code for task in rejected} == {"busy"}
        assert len(rejected) == 64 - limits.running_each - thinking.MAX_WAITING_EACH
        assert await pool.run_long(lambda: "at once", "b") == "at once"
        hold.release()
        results = await asyncio.gather(*tasks, return_exceptions=True)
        assert results.count("done") == limits.running_each + thinking.MAX_WAITING_EACH

    with_pool(work)


def test_an_analysis_whose_client_leaves_keeps_its_thread_until_it_ends():
    async def work(pool):
        hold, limits = Hold(), pool.long_queue.limits
        tasks = [
            asyncio.create_task(pool.run_long(hold, "a")) for _ in range(limits.running_each + 1)
        ]
        await hold.started(limits.running_each)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        assert (pool.long_queue.waiting, pool.long_queue.running) == (0, limits.running_each)
        hold.release()
        while pool.long_queue.running:
            await asyncio.sleep(0.001)

    with_pool(work)


def test_drawing_for_rooms_waits_neither_for_analyses_nor_for_loading_rooms():
    async def work(pool):
        hold = Hold()
        count = pool.long_queue.limits.running + pool.replay_queue.limits.running
        tasks = [
            asyncio.create_task(run(hold, client))
            for run in (pool.run_long, pool.run_replay)
            for client in "abcdefgh"
        ]
        await hold.started(count)
        assert await pool.run_short(lambda: "drawn") == "drawn"
        hold.release()
        await asyncio.gather(*tasks)

    with_pool(work)


def test_the_rooms_of_one_owner_leave_a_thread_for_loading_others():
    async def work(pool):
        hold = Hold()
        tasks = [asyncio.create_task(pool.run_replay(hold, "a")) for _ in range(20)]
        await hold.started(1)
        assert await pool.run_replay(lambda: "loaded", "b") == "loaded"
        hold.release()
        assert set(await asyncio.gather(*tasks)) == {"done"}

    with_pool(work)


def test_after_closing_nothing_is_started():
    async def work(pool):
        pool.close()
        with pytest.raises(RuntimeError, match="shutting down"):
            await pool.run_long(lambda: 1, "a")
        assert pool.long_queue.running == 0

    with_pool(work)


def test_an_error_of_the_work_is_raised():
    async def work(pool):
        def fail():
            raise RequestError("over", "the game is over")

        with pytest.raises(RequestError, match="the game is over"):
            await pool.run_long(fail, "a")
        assert pool.long_queue.running == 0

    with_pool(work)
