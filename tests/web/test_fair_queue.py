"""The fair queue: turns between clients, bounds, cancellation."""

import asyncio

import pytest

from quincunx.rooms.errors import RequestError
from quincunx.web.fair_queue import FairQueue, QueueLimits


async def settle():
    for _ in range(5):
        await asyncio.sleep(0)


class Tasks:
    """Tasks that wait in a queue, run when they get a slot, and end when a test says so."""

    def __init__(self, **limits):
        self.queue = FairQueue(QueueLimits(**limits))
        self.running = []
        self._releases = {}
        self.tasks = {}

    def add(self, *names):
        """Adds tasks; a name is the client and a number."""
        for name in names:
            self.tasks[name] = asyncio.create_task(self._run(name))

    async def _run(self, name):
        self._releases[name] = await self.queue.acquire(name.rstrip("0123456789"))
        self.running.append(name)

    async def end(self, name):
        self.running.remove(name)
        self._releases[name]()
        await settle()


def scenario(work, **limits):
    async def run():
        tasks = Tasks(**limits)
        await work(tasks)
        for task in tasks.tasks.values():
            task.cancel()

    asyncio.run(run())


def test_clients_take_turns_however_much_each_has_waiting():
    async def work(tasks):
        tasks.add("a1", "a2", "a3", "a4", "b1", "b2", "c1")
        await settle()
        order = []
        while tasks.running:
            (name,) = tasks.running
            order.append(name)
            await tasks.end(name)
        assert order == ["a1", "a2", "b1", "c1", "a3", "b2", "a4"]
        assert (tasks.queue.running, tasks.queue.waiting) == (0, 0)

    scenario(work, running=1, running_each=1)


def test_a_client_leaves_slots_for_others():
    async def work(tasks):
        tasks.add("a1", "a2", "a3")
        await settle()
        assert tasks.running == ["a1", "a2"]
        tasks.add("b1")
        await settle()
        assert tasks.running == ["a1", "a2", "b1"]  # at once, before a3
        await tasks.end("b1")
        assert tasks.running == ["a1", "a2"]
        await tasks.end("a1")
        assert tasks.running == ["a2", "a3"]

    scenario(work, running=3, running_each=2)


def test_a_client_that_is_not_known_has_its_turn():
    async def work(tasks):
        tasks.add("1", "2")
        await settle()
        await tasks.end("1")
        assert tasks.running == ["2"]

    scenario(work, running=1, running_each=1)


def test_the_tasks_of_one_client_start_in_their_order():
    async def work(tasks):
        tasks.add("a1", "b1", "a2")
        await settle()
        tasks.add("a3")
        await tasks.end("a1")
        await tasks.end("b1")
        assert tasks.running == ["a2"]

    scenario(work, running=2, running_each=1)


def test_too_many_waiting_tasks_are_rejected():
    async def work(tasks):
        tasks.add("a1", "a2", "a3", "a4", "b1", "b2", "c1")
        await settle()
        rejected = {
            name: str(task.exception())
            for name, task in tasks.tasks.items()
            if task.done() and task.exception()
        }
        assert list(rejected) == ["a4", "c1"]
        assert "your requests" in rejected["a4"]
        assert "your requests" not in rejected["c1"]
        with pytest.raises(RequestError) as error:
            await tasks.tasks["c1"]
        assert error.value.code == "busy"

    scenario(work, running=1, running_each=1, waiting=4, waiting_each=2)


def test_a_task_that_is_cancelled_leaves_the_queue():
    async def work(tasks):
        tasks.add("a1", "b1", "c1")
        await settle()
        tasks.tasks["b1"].cancel()
        await settle()
        assert tasks.queue.waiting == 1
        await tasks.end("a1")
        assert tasks.running == ["c1"]

    scenario(work, running=1, running_each=1)


def test_a_slot_that_a_cancelled_task_has_just_got_goes_to_the_next():
    async def work(tasks):
        tasks.add("a1", "b1", "c1")
        await settle()
        tasks.running.remove("a1")
        tasks._releases["a1"]()  # b1 has its slot now, but has not run yet
        tasks.tasks["b1"].cancel()
        await settle()
        assert tasks.running == ["c1"]
        await tasks.end("c1")
        assert tasks.queue.running == 0

    scenario(work, running=1, running_each=1)


def test_a_slot_is_given_back_only_once():
    async def work(tasks):
        tasks.add("a1", "b1", "c1")
        await settle()
        tasks._releases["a1"]()
        tasks._releases["a1"]()
        await settle()
        assert tasks.running == ["a1", "b1"]  # and not c1: the test did not end b1

    scenario(work, running=1, running_each=1)
