"""The database: what it stores, in how many commits, and what happens when it fails."""

import asyncio
import sqlite3
from contextlib import asynccontextmanager, closing
from dataclasses import replace

import pytest
from websockets.exceptions import ConnectionClosed

from quincunx.rooms.errors import RequestError
from quincunx.rooms.events import Event, RoomResult, RoomSettings
from quincunx.web.database import Database, UnusableDatabase, sqlite_url
from tests.web.conftest import running_server

SETTINGS = RoomSettings("a", "quorum", {"repetition": 0}, 7, "", ("human:ada", "random"), ("x", ""),
            (60_000, 0), 2.0, True, 1000)  # fmt: skip


def move(number):
    return Event(number, "play", number % 2, f"move {number}", 1000 + number, (5, number))


def run_in_database(url, work):
    """Returns the result of `work(database)` with an open database."""

    async def run():
        database = Database(url)
        await database.open()
        try:
            return await work(database)
        finally:
            await database.close()

    return asyncio.run(run())


def test_one_commit_writes_everything_that_is_waiting(tmp_path):
    async def write(database):
        all_settings = [replace(SETTINGS, id=str(i)) for i in range(50)]
        await asyncio.gather(*(database.add(settings) for settings in all_settings))
        await asyncio.gather(*(database.append(settings.id, move(1)) for settings in all_settings))
        return database.writer.counts

    counts = run_in_database(sqlite_url(tmp_path), write)
    assert counts.commits <= 10
    assert counts.writes == 100


def test_a_failed_write_is_reported_and_the_next_one_succeeds(tmp_path, caplog):
    async def write(database):
        await database.add(SETTINGS, [move(1)])
        with pytest.raises(RequestError) as error:
            await database.append("a", move(1))  # this number exists already
        await database.append("a", move(2))
        return error.value.code, (await database.load("a"))[1]

    assert run_in_database(sqlite_url(tmp_path), write) == ("busy", [move(1), move(2)])


def test_a_bad_row_fails_alone(tmp_path, caplog):
    """All are in one commit: a number that exists already, and values that cannot be stored."""

    async def write(database):
        for name in "abcd":
            await database.add(replace(SETTINGS, id=name), [move(1)])
        answers = await asyncio.gather(
            database.append("a", move(2)),
            database.append("b", move(1)),
            database.append("c", replace(move(2), time=2**63)),
            database.append("d", replace(move(2), text="\ud800")),
            database.append("b", move(2)),
            return_exceptions=True,
        )
        stored = {name: len((await database.load(name))[1]) for name in "abcd"}
        return [getattr(answer, "code", answer) for answer in answers], stored

    answers, stored = run_in_database(sqlite_url(tmp_path), write)
    assert answers == [None, "busy", "busy", "busy", None]
    assert stored == {"a": 2, "b": 2, "c": 1, "d": 1}


@pytest.mark.parametrize("count", [15, 16, 17, 255, 256, 300])
def test_many_events_are_stored_several_at_a_time(tmp_path, count):
    """All of a room, or one of each room; a number that exists already fails alone."""
    rooms = [replace(SETTINGS, id=f"{i:03}") for i in range(count)]
    moves = [move(number) for number in range(1, count + 1)]

    async def write(database):
        await database.add(SETTINGS, moves)
        await asyncio.gather(*(database.add(room) for room in rooms))
        appended = [database.append(room.id, move(1)) for room in (*rooms, SETTINGS)]
        answers = await asyncio.gather(*appended, return_exceptions=True)
        stored = [await database.load(room.id) for room in rooms]
        return (await database.load("a"))[1], answers, [events for _, events in stored]

    all_moves, answers, stored = run_in_database(sqlite_url(tmp_path), write)
    assert all_moves == moves
    assert answers[:-1] == [None] * count
    assert answers[-1].code == "busy"
    assert stored == [[move(1)]] * count


@pytest.mark.parametrize("file", ["rooms.sqlite", "rooms.sqlite-wal"])
@pytest.mark.parametrize("replaced", [False, True])
def test_a_deleted_or_replaced_file_is_noticed_at_once(tmp_path, caplog, file, replaced):
    async def write(database):
        await database.add(SETTINGS, [move(1)])
        moved, path = tmp_path / "moved", tmp_path / file
        path.rename(moved)
        if replaced:
            path.write_bytes(moved.read_bytes())
        texts = []
        for work in (database.append("a", move(2)), database.load("a"), database.ping()):
            with pytest.raises(RequestError) as error:
                await work
            assert error.value.code == "busy"
            texts.append(str(error.value))
        moved.rename(path)  # the file that was opened is in place again
        await database.append("a", move(3))
        return texts, (await database.load("a"))[1]

    texts, events = run_in_database(sqlite_url(tmp_path), write)
    reason = f"nothing can be stored: the file {file} of the server's database was deleted or "
    assert texts == [reason + "replaced; the server must be restarted"] * 3
    assert events == [move(1), move(3)]
    assert f"the file {file} of the server's database was deleted" in caplog.text


def test_the_writer_connects_again_after_sqlite_has_deleted_its_log(tmp_path):
    async def write(database):
        await database.add(SETTINGS, [move(1)])
        await database.engine.dispose()
        connection = database.writer.connection
        await connection._thread.run(connection._disconnect)  # as after a failed rollback
        assert not (tmp_path / "rooms.sqlite-wal").exists()
        await database.append("a", move(2))
        return (await database.load("a"))[1]

    assert run_in_database(sqlite_url(tmp_path), write) == [move(1), move(2)]


def test_a_write_that_another_process_delays_is_answered_in_time(tmp_path, caplog, monkeypatch):
    """When it is stored after all, a write with the same number that came first stays."""
    monkeypatch.setattr("quincunx.web.writer.WRITE_SECONDS", 0)
    monkeypatch.setattr("quincunx.web.writer.EXPIRY_SECONDS", 0.01)

    async def write(database):
        monkeypatch.setattr("quincunx.web.writer.WRITE_SECONDS", 60)
        for name in "ab":
            await database.add(replace(SETTINGS, id=name))
        monkeypatch.setattr("quincunx.web.writer.WRITE_SECONDS", 0)
        with closing(sqlite3.connect(tmp_path / "rooms.sqlite")) as other:
            other.execute("BEGIN IMMEDIATE")
            late = asyncio.gather(*(database.append(name, move(1)) for name in "ab"),
                                  return_exceptions=True)  # fmt: skip
            answers = await late
            other.execute("INSERT INTO events VALUES ('a', 1, 'play', 0, 'x', 5, '', '', NULL)")
            other.commit()
        monkeypatch.setattr("quincunx.web.writer.WRITE_SECONDS", 60)
        await database.append("b", move(2))
        stored = {name: [e.text for e in (await database.load(name))[1]] for name in "ab"}
        return [answer.code for answer in answers], stored

    answers, stored = run_in_database(sqlite_url(tmp_path), write)
    assert answers == ["busy", "busy"]
    assert stored["a"] == ["x"]
    assert stored["b"][-1] == "move 2"


def test_an_error_while_reading_is_busy(tmp_path, caplog):
    async def read(database):
        with closing(sqlite3.connect(tmp_path / "rooms.sqlite")) as other:
            other.execute("DROP TABLE results")
        with pytest.raises(RequestError) as error:
            await database.recent_results("quorum", 9)
        return error.value.code, database.failed_reads

    assert run_in_database(sqlite_url(tmp_path), read) == ("busy", 1)


class SilentEngine:
    """Connections that are never made."""

    @asynccontextmanager
    async def connect(self):
        await asyncio.Event().wait()
        yield


def test_a_read_that_is_not_answered_is_busy(tmp_path, caplog, monkeypatch):
    monkeypatch.setattr("quincunx.web.database.READ_SECONDS", 0.01)

    async def read(database):
        with monkeypatch.context() as patch:
            patch.setattr(database, "_engine", SilentEngine())
            with pytest.raises(RequestError) as error:
                await database.ping()
        return error.value.code

    assert run_in_database(sqlite_url(tmp_path), read) == "busy"


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("sqlite+aiosqlite://", "must be a file"),
        ("sqlite+aiosqlite:///:memory:", "must be a file"),
        ("sqlite:///rooms.sqlite", "sqlite is not a supported database"),
        ("mysql+asyncmy://x@y/z", "is not a supported database"),
    ],
)
def test_a_database_that_is_not_supported_is_refused(url, reason):
    with pytest.raises(UnusableDatabase, match=reason):
        Database(url)


def test_a_deleted_room_is_not_changed_any_more(tmp_path):
    async def write(database):
        await database.add(SETTINGS, [move(1)])
        await database.delete("a")
        with pytest.raises(RequestError) as error:
            await database.append("a", move(2))
        return error.value.code

    assert run_in_database(sqlite_url(tmp_path), write) == "room"


def test_old_rooms_are_deleted_in_batches(tmp_path, monkeypatch):
    monkeypatch.setattr("quincunx.web.database.MAX_DELETED", 2)

    async def write(database):
        for number in range(5):
            await database.add(replace(SETTINGS, id=str(number), created=number))
        await database.append("4", move(1))
        batches = [await database.delete_old(5, None, {"1"}) for _ in range(3)]
        return batches, await database.delete_old(5, None), await database.delete_old(5, 2000)

    assert run_in_database(sqlite_url(tmp_path), write) == ([["0", "2"], ["3"], []], ["1"], ["4"])


@pytest.mark.parametrize("fails", [False, True])
def test_no_old_room_is_passed_over(fails, tmp_path, monkeypatch):
    """Not with many rooms in memory, nor when a batch could not be deleted."""
    monkeypatch.setattr("quincunx.web.database.MAX_DELETED", 2)
    in_memory = [f"other{number}" for number in range(10)]

    async def refuse(*changes):
        raise RequestError("busy", "the database does not answer")

    async def write(database):
        for number in range(5):
            await database.add(replace(SETTINGS, id=str(number), created=number))
        if fails:
            with monkeypatch.context() as patch:
                patch.setattr(database.writer, "write", refuse)
                with pytest.raises(RequestError):
                    await database.delete_old(5, None, in_memory)
        return [await database.delete_old(5, None, in_memory) for _ in range(4)]

    batches = run_in_database(sqlite_url(tmp_path), write)
    assert batches == [["0", "1"], ["2", "3"], ["4"], []]


def test_a_room_that_cannot_be_stored_is_unloaded(tmp_path, monkeypatch):
    """Its clients are disconnected, connect again, and see what is on disk."""
    with running_server(tmp_path) as server:
        with server.client() as client:
            made = client.create("quorum", ["human", "human"])
            room = client.join(made["id"], made["secrets"])
            room.play("a1e3", 0)
            database = server.app.state.lobby.store

            async def fail(*args):
                raise RequestError("busy", "the disk is full")

            with monkeypatch.context() as patch:
                patch.setattr(database, "append", fail)
                with pytest.raises(ConnectionClosed):
                    room.play(room.legal[1][0], 1)
        with server.client() as client:
            reloaded = client.join(made["id"], room.secrets)
            assert (reloaded.number, reloaded.plies) == (1, 1)
            reloaded.play(reloaded.legal[1][0], 1)


def test_a_room_that_another_process_has_deleted_is_not_changed_any_more(tmp_path):
    async def delete_and_append(database):
        await database.add(SETTINGS, [move(1)])
        other = Database(sqlite_url(tmp_path))
        await other.open()
        await other.delete("a")
        await other.close()
        with pytest.raises(RequestError, match="the change could not be stored"):
            await database.append("a", move(2))

    run_in_database(sqlite_url(tmp_path), delete_and_append)
    with closing(sqlite3.connect(tmp_path / "rooms.sqlite")) as database:
        assert database.execute("SELECT count(*) FROM events").fetchall() == [(0,)]


def test_the_games_of_recent_running_rooms(tmp_path, monkeypatch):
    monkeypatch.setattr("quincunx.web.database.RECENT_ROOMS", 5)

    async def add(database):
        for created, game in enumerate(["old", "one", "two", "two", "another", "finished"]):
            settings = replace(SETTINGS, id=game + str(created), game=game, created=created)
            await database.add(settings)
        people = ("human", "human")
        result = RoomResult(
            "finished5", "finished", {}, 7, people, people, (1.0, 0.0), (0,), True, True, 9
        )
        await database.append("finished5", move(1), result)
        return await database.games_in_play()

    assert run_in_database(sqlite_url(tmp_path), add) == ["two", "another", "one"]
