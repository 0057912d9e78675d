"""Worker processes: results, errors, time limits, death, memory, and clients that leave."""

import asyncio
import os
import sys

import pytest

import quincunx as qx
from quincunx import registry
from quincunx.errors import BadOption, IllegalMove
from quincunx.rooms.errors import RequestError
from quincunx.web import workers
from quincunx.web.fair_queue import QueueLimits
from quincunx.web.workers import WorkerProcesses
from tests.toy_game import make_game
from tests.web import worker_tasks

SINGLE = QueueLimits(running=1, running_each=1, waiting=4, waiting_each=2)


def with_workers(work, limits=SINGLE):
    async def run():
        processes = WorkerProcesses(limits)
        try:
            return await work(processes)
        finally:
            processes.close()

    return asyncio.run(run())


async def file_with_text(path):
    """Returns the text of a file as soon as it is there."""
    while not path.exists():
        await asyncio.sleep(0.01)
    return path.read_text()


async def has_ended(pid):
    """Returns when a process has ended and its parent knows it."""
    while True:
        try:
            os.kill(int(pid), 0)
        except ProcessLookupError:
            return
        await asyncio.sleep(0.01)


def test_results_come_from_one_process_that_is_kept():
    async def work(processes):
        first = await processes.run(worker_tasks.process_id, client="a")
        assert first != os.getpid()
        assert await processes.run(worker_tasks.process_id, client="b") == first
        state = qx.game("quorum").start().play("a1e3")
        assert await processes.run(worker_tasks.text_of, state, client="a") == state.text

    with_workers(work)


@pytest.mark.skipif(not hasattr(os, "getpriority"), reason="no priorities")
def test_workers_have_a_lower_priority():
    async def work(processes):
        return await processes.run(worker_tasks.priority, client="a")

    assert with_workers(work) > os.getpriority(os.PRIO_PROCESS, 0)


def test_an_error_of_the_task_is_raised_as_it_is():
    async def work(processes):
        for error in (
            BadOption("size", 9, "at most 8"),
            IllegalMove("a1", "8/8", "the game is over"),
            RequestError("refused", "no", "where"),
        ):
            with pytest.raises(type(error)) as raised:
                await processes.run(worker_tasks.fail, error, client="a")
            assert str(raised.value) == str(error)
        with pytest.raises(RuntimeError, match=r"^Unpicklable: first$"):
            await processes.run(worker_tasks.fail_unpicklably, client="a")

    with_workers(work)


def test_what_a_task_prints_is_not_taken_for_its_result(capfd):
    async def work(processes):
        assert await processes.run(worker_tasks.write_output, "hello", client="a") == "hello"

    with_workers(work)
    captured = capfd.readouterr()
    assert (captured.out, captured.err) == ("", "hello\n")


def test_a_task_that_takes_too_long_ends_with_its_process(tmp_path):
    async def work(processes):
        file = tmp_path / "pid"
        before = await processes.run(worker_tasks.process_id, client="a")
        with pytest.raises(RequestError, match=r"longer than 0\.5 seconds") as error:
            await processes.run(worker_tasks.wait_for_ever, str(file), client="a", seconds=0.5)
        assert error.value.code == "busy"
        await has_ended(before)
        assert await processes.run(worker_tasks.process_id, client="a") != before

    with_workers(work)


def test_a_worker_that_dies_fails_its_own_task_only(caplog):
    async def work(processes):
        dying = processes.run(worker_tasks.die, client="a")
        others = [processes.run(worker_tasks.process_id, client=name) for name in "bc"]
        results = await asyncio.gather(dying, *others, return_exceptions=True)
        assert isinstance(results[0], RequestError)
        assert results[0].code == "busy"
        assert all(isinstance(result, int) for result in results[1:])

    with_workers(work, QueueLimits(running=2, running_each=1))
    assert [record.message for record in caplog.records] == ["a worker process has ended: signal 9"]


def test_an_idle_worker_that_has_died_is_replaced(caplog):
    async def work(processes):
        pid = await processes.run(worker_tasks.process_id, client="a")
        os.kill(pid, 9)
        while processes._idle[0].is_usable:
            await asyncio.sleep(0.01)
        assert await processes.run(worker_tasks.process_id, client="a") != pid

    with_workers(work)
    assert not caplog.records


def test_a_process_is_replaced_after_many_tasks(monkeypatch):
    monkeypatch.setattr(workers, "MAX_TASKS", 2)

    async def work(processes):
        return [await processes.run(worker_tasks.process_id, client="a") for _ in range(4)]

    first, second, third, fourth = with_workers(work)
    assert first == second != third == fourth


@pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")
def test_a_task_that_needs_too_much_memory_fails_alone():
    async def work(processes):
        pid = await processes.run(worker_tasks.process_id, client="a")
        with pytest.raises(RequestError) as error:
            await processes.run(worker_tasks.allocate, 2 << 30, client="a")
        assert error.value.code == "large"
        assert await processes.run(worker_tasks.process_id, client="a") == pid

    with_workers(work)


def test_a_client_that_leaves_ends_its_task(tmp_path, monkeypatch):
    monkeypatch.setattr(workers, "ABANDONED_SECONDS", 0.01)

    async def work(processes):
        file = tmp_path / "pid"
        call = processes.run(worker_tasks.wait_for_ever, str(file), client="a", seconds=600)
        running = asyncio.create_task(call)
        pid = await file_with_text(file)
        queued = asyncio.create_task(processes.run(worker_tasks.process_id, client="a"))
        await asyncio.sleep(0)
        running.cancel()
        await has_ended(pid)
        assert await queued != int(pid)

    with_workers(work)


def test_a_client_that_leaves_while_it_waits_starts_nothing(tmp_path):
    async def work(processes):
        file, never = tmp_path / "pid", tmp_path / "never"
        call = processes.run(worker_tasks.wait_for_ever, str(file), client="a", seconds=600)
        running = asyncio.create_task(call)
        await file_with_text(file)
        waiting = asyncio.create_task(
            processes.run(worker_tasks.wait_for_ever, str(never), client="a", seconds=600)
        )
        await asyncio.sleep(0)
        assert processes.queue.waiting == 1
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
        assert processes.queue.waiting == 0
        running.cancel()
        assert not never.exists()

    with_workers(work)


def test_too_many_waiting_tasks_of_one_client_are_rejected_and_others_are_not(tmp_path):
    async def work(processes):
        file = tmp_path / "pid"
        call = processes.run(worker_tasks.wait_for_ever, str(file), client="a", seconds=600)
        running = asyncio.create_task(call)
        await file_with_text(file)
        mine = [
            asyncio.create_task(processes.run(worker_tasks.process_id, client="a"))
            for _ in range(3)
        ]
        assert isinstance(await processes.run(worker_tasks.process_id, client="b"), int)
        rejected = [task for task in mine if task.done()]
        assert [str(task.exception().code) for task in rejected] == ["busy"]
        for task in (running, *mine):
            task.cancel()

    with_workers(work, QueueLimits(running=2, running_each=1, waiting=4, waiting_each=2))


def test_a_game_that_only_this_process_knows_is_played_in_a_thread(monkeypatch):
    toy = make_game()
    monkeypatch.setitem(registry._registered, toy.name, toy)

    async def work(processes):
        state = toy.start()
        assert await processes.run(worker_tasks.text_of, state, client="a") == state.text
        assert processes._workers == set()
        assert processes.queue.running == 0

    with_workers(work)


def test_closing_ends_busy_and_idle_workers(tmp_path):
    pids = []

    async def work(processes):
        file = tmp_path / "pid"
        pids.append(await processes.run(worker_tasks.process_id, client="b"))
        call = processes.run(worker_tasks.wait_for_ever, str(file), client="a", seconds=600)
        running = asyncio.create_task(call)
        pids.append(int(await file_with_text(file)))
        running.cancel()

    with_workers(work, QueueLimits(running=2, running_each=1))
    for pid in pids:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)
