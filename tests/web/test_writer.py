"""The writer: it answers every write, whatever its connection does, and goes on."""

import asyncio

import pytest

from quincunx.rooms.errors import RequestError
from quincunx.web import writer as writer_module
from quincunx.web.statements import INSERT_EVENT, INSERT_ROOM, SET_SUMMARY, grouped, numbered
from quincunx.web.writer import UnusableDatabase, Writer


class BadRow(Exception):
    pass


class Unknown(Exception):
    """An error that no driver documents."""


class FakeConnection:
    """Commits to a list; raises or waits as a test wants it."""

    def __init__(self):
        self.stored = []  # one list of rows per commit
        self.errors = []  # raised by the next attempts to connect or to commit
        self.bad = set()
        self.answers = asyncio.Event()
        self.answers.set()
        self.connects = 0

    async def connect(self):
        self.connects += 1
        if self.errors and self.errors[0][0] == "connect":
            raise self.errors.pop(0)[1]

    async def commit(self, statements):
        await self.answers.wait()
        if self.errors and self.errors[0][0] == "commit":
            raise self.errors.pop(0)[1]
        rows = [row for _, rows in statements for row in rows]
        if self.bad & set(rows):
            raise BadRow("refused")
        self.stored.append(rows)

    def is_bad_row(self, error):
        return isinstance(error, BadRow)

    async def close(self):
        await self.answers.wait()


@pytest.fixture(autouse=True)
def fast(monkeypatch):
    monkeypatch.setattr(writer_module, "RECONNECT_SECONDS", (0.001, 0.002))


def run(work):
    """Returns the result of `work(writer, connection)` with an open writer."""

    async def run_and_close():
        connection = FakeConnection()
        writer = Writer(connection)
        await writer.open()
        try:
            return await work(writer, connection)
        finally:
            await writer.close()

    return asyncio.run(run_and_close())


def change(number):
    return INSERT_EVENT, (number,)


async def code_of(write):
    """Returns the code of the error that a write raises; None if it is stored."""
    try:
        await write
    except RequestError as error:
        return error.code


@pytest.mark.parametrize("error", [Unknown("x"), OSError(5), TimeoutError(), RuntimeError("x")])
@pytest.mark.parametrize("where", ["connect", "commit"])
def test_it_survives_any_exception(error, where, caplog):
    async def work(writer, connection):
        connection.errors = [(where, error)] * 3
        codes = [await code_of(writer.write(change(number))) for number in range(5)]
        return codes, writer.counts, writer.connection.stored

    codes, counts, stored = run(work)
    assert codes[-1] is None
    assert stored[-1] == [(4,)]
    assert len(stored) == codes.count(None)
    assert counts.failures == 3
    assert counts.failed_writes == codes.count("busy")


def test_a_write_waits_for_a_new_connection(caplog):
    async def work(writer, connection):
        await writer.write(change(0))
        connection.errors = [("connect", OSError("refused"))] * 3
        return await code_of(writer.write(change(1))), connection.stored

    assert run(work) == (None, [[(0,)], [(1,)]])


def test_a_bad_row_fails_alone(caplog):
    async def work(writer, connection):
        connection.bad = {(3,)}
        writes = [writer.write(change(number)) for number in range(6)]
        codes = await asyncio.gather(*map(code_of, writes))
        return codes, connection.stored, writer.counts.failures

    codes, stored, failures = run(work)
    assert codes == [None] * 3 + ["busy"] + [None] * 2
    assert stored == [[(number,)] for number in (0, 1, 2, 4, 5)]
    assert failures == 0


def test_the_connection_may_break_while_writes_are_tried_alone(caplog):
    async def work(writer, connection):
        connection.errors = [("commit", BadRow()), ("commit", Unknown())]
        writes = [writer.write(change(number)) for number in range(3)]
        codes = await asyncio.gather(*map(code_of, writes))
        return codes, await code_of(writer.write(change(3))), connection.stored

    assert run(work) == (["busy"] * 3, None, [[(3,)]])


def test_a_write_that_is_not_answered_in_time_is_busy(monkeypatch):
    monkeypatch.setattr(writer_module, "WRITE_SECONDS", 0)
    monkeypatch.setattr(writer_module, "EXPIRY_SECONDS", 0.001)

    async def work(writer, connection):
        connection.answers.clear()
        writes = [asyncio.create_task(code_of(writer.write(change(number)))) for number in range(2)]
        codes = [await write for write in writes]
        waiting = await code_of(writer.write(change(2)))  # behind those that are being written
        expired = writer.counts.expired_writes
        connection.answers.set()
        return codes, waiting, expired

    assert run(work) == (["busy", "busy"], "busy", 3)


def test_its_task_is_started_again_when_it_ends(caplog):
    async def work(writer, connection):
        connection.answers.clear()
        write = asyncio.create_task(code_of(writer.write(change(0))))
        while not writer._in_flight:
            await asyncio.sleep(0)
        for task in writer._tasks.values():
            task.cancel()
        code = await write
        connection.answers.set()
        return code, await code_of(writer.write(change(1))), writer.counts.restarts

    assert run(work) == ("busy", None, 2)
    assert caplog.text.count("starting it again") == 2


def test_it_is_closed_within_a_bound(monkeypatch):
    monkeypatch.setattr(writer_module, "CLOSE_SECONDS", 0.01)

    async def work(writer, connection):
        connection.answers.clear()
        writes = [asyncio.create_task(code_of(writer.write(change(number)))) for number in range(2)]
        while not writer._in_flight:
            await asyncio.sleep(0)
        return writes

    async def run_and_close():
        connection = FakeConnection()
        writer = Writer(connection)
        await writer.open()
        writes = await work(writer, connection)
        await writer.close()
        return [await write for write in writes], await code_of(writer.write(change(2)))

    assert asyncio.run(run_and_close()) == (["busy", "busy"], "busy")


def test_closing_writes_what_is_pending():
    async def run_and_close():
        connection = FakeConnection()
        writer = Writer(connection)
        await writer.open()
        write = asyncio.create_task(code_of(writer.write(change(0))))
        await asyncio.sleep(0)
        await writer.close()
        return await write, connection.stored

    assert asyncio.run(run_and_close()) == (None, [[(0,)]])


def test_the_reason_why_a_database_is_unusable_is_answered(caplog):
    async def work(writer, connection):
        connection.errors = [("commit", UnusableDatabase("the file was deleted"))]
        with pytest.raises(RequestError, match="the file was deleted"):
            await writer.write(change(0))

    run(work)


def test_a_lasting_failure_is_logged_once(caplog):
    async def work(writer, connection):
        connection.errors = [("commit", OSError("full"))] * 3
        return [await code_of(writer.write(change(number))) for number in range(4)]

    assert run(work) == ["busy"] * 3 + [None]
    assert [record.message for record in caplog.records] == [
        "writing to the database failed: OSError: full"
    ]


def test_too_many_writes_are_refused(monkeypatch):
    monkeypatch.setattr(writer_module, "MAX_PENDING", 1)

    async def work(writer, connection):
        writes = [code_of(writer.write(change(number))) for number in range(2)]
        return await asyncio.gather(*writes)

    assert run(work) == [None, "busy"]


def test_commits_are_reported():
    async def work(writer, connection):
        commits = []
        writer.on_commit = lambda seconds, writes: commits.append((seconds >= 0, writes))
        await asyncio.gather(*(writer.write(change(number)) for number in range(3)))
        return commits, writer.pending

    assert run(work) == ([(True, 3)], 0)


def test_statements_are_grouped_and_a_room_precedes_its_events():
    changes = [[change(1), (SET_SUMMARY, ("s", "a"))], [(INSERT_ROOM, ("a",)), change(2)]]
    assert grouped(changes) == [
        (INSERT_ROOM, [("a",)]),
        (INSERT_EVENT, [(1,), (2,)]),
        (SET_SUMMARY, [("s", "a")]),
    ]


def test_parameters_are_numbered_for_postgresql():
    assert numbered(SET_SUMMARY) == "UPDATE rooms SET summary = $1 WHERE id = $2"


def test_after_many_writes_the_next_commit_waits_for_more(monkeypatch):
    sleep, many = asyncio.sleep, writer_module.MANY_WRITES
    gathering, enough = asyncio.Event(), asyncio.Event()

    async def fake_sleep(seconds):
        if seconds != writer_module.GATHER_SECONDS:
            return await sleep(seconds)
        gathering.set()
        await enough.wait()

    monkeypatch.setattr(asyncio, "sleep", fake_sleep)

    async def work(writer, connection):
        await writer.write(change(0))
        await writer.write(change(1))
        await asyncio.gather(*(writer.write(change(number)) for number in range(2, 2 + many)))
        assert not gathering.is_set()
        first = asyncio.create_task(writer.write(change(10)))
        await gathering.wait()
        second = asyncio.create_task(writer.write(change(11)))
        await sleep(0)
        enough.set()
        await asyncio.gather(first, second)
        gathering.clear()
        await writer.write(change(12))  # there were few in the last commit
        assert not gathering.is_set()
        return [[number for (number,) in rows] for rows in connection.stored]

    assert run(work) == [[0], [1], [*range(2, 2 + many)], [10, 11], [12]]
