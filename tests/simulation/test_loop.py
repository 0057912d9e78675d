"""The event loop of the simulation: its time, its order, and processes that crash and freeze."""

import asyncio
from contextvars import copy_context
from random import Random

import pytest

from tests.simulation.loop import PROCESS, Process, SimulatedLoop


def run(work, seed=0, in_order=False, until=1000.0):
    """Returns what was recorded by `work(record)` on a simulated loop."""
    loop, record = SimulatedLoop(Random(seed), in_order), []
    context = copy_context()
    context.run(PROCESS.set, Process("test"))
    context.run(loop.create_task, work(loop, record.append))
    loop.run_until(until)
    return record


async def start_ten(loop, record):
    async def step(i):
        await asyncio.sleep(0)
        record(i)

    for i in range(10):
        loop.create_task(step(i))


def test_time_jumps_to_the_next_timer():
    async def work(loop, record):
        for seconds in (0.5, 3600, 0):
            await asyncio.sleep(seconds)
            record(loop.time())

    assert run(work, until=10_000) == [0.5, 3600.5, 3600.5]


def test_nothing_runs_after_the_end():
    async def work(loop, record):
        await asyncio.sleep(5)
        record("late")

    assert run(work, until=4.9) == []


def test_tasks_run_in_the_order_of_asyncio_or_of_the_seed():
    assert run(start_ten, in_order=True) == list(range(10))
    orders = {tuple(run(start_ten, seed)) for seed in range(20)}
    assert len(orders) > 15
    assert {tuple(sorted(order)) for order in orders} == {tuple(range(10))}
    assert run(start_ten, 7) == run(start_ten, 7)


def test_callbacks_that_are_not_tasks_stay_in_order():
    async def work(loop, record):
        for i in range(10):
            loop.call_soon(record, i)

    for seed in range(10):
        assert run(work, seed) == list(range(10))


def test_primitives_of_asyncio_work_in_any_order():
    async def work(loop, record):
        lock, queue = asyncio.Lock(), asyncio.Queue(maxsize=1)

        async def put(i):
            async with lock:
                await queue.put(i)

        async def take():
            return [await queue.get() for _ in range(5)]

        taking = loop.create_task(take())
        await asyncio.gather(*(put(i) for i in range(5)))
        record(sorted(await asyncio.wait_for(taking, 1)))
        with pytest.raises(asyncio.TimeoutError):
            await asyncio.wait_for(asyncio.Event().wait(), 1)
        record(loop.time())

    for seed in range(20):
        assert run(work, seed) == [[0, 1, 2, 3, 4], 1.0]


def test_a_crash_drops_all_tasks_without_clean_up():
    loop, record = SimulatedLoop(Random(0), in_order=True), []
    process, context = Process("server"), copy_context()
    context.run(PROCESS.set, process)

    async def serve():
        try:
            record.append("started")
            await asyncio.sleep(2)
            record.append("served")
        finally:
            record.append("cleaned up")

    def crash():
        process.alive = False

    context.run(loop.create_task, serve())
    loop.call_later(1, crash)
    loop.run_until(10)
    assert record == ["started"]
    loop.dispose([process])
    assert process.pending_tasks() != []  # it was never cancelled


def test_a_frozen_process_goes_on_later():
    loop, record = SimulatedLoop(Random(0), in_order=True), []
    process, context = Process("server"), copy_context()
    context.run(PROCESS.set, process)

    async def tick():
        while True:
            await asyncio.sleep(1)
            record.append(loop.time())

    def freeze():
        process.frozen_until = 5.0

    context.run(loop.create_task, tick())
    loop.call_later(1.5, freeze)
    loop.run_until(6.5)
    loop.dispose([process])
    assert record == [1.0, 5.0, 6.0]


def test_an_interrupt_comes_between_two_callbacks_of_the_same_time():
    loop, record = SimulatedLoop(Random(0), in_order=True), []
    for i in range(4):
        loop.call_soon(record.append, i)
    loop.interrupt_after(2, lambda: record.append("interrupt"))
    loop.run_until(0)
    assert record == [0, 1, "interrupt", 2, 3]
