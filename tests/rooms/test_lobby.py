"""All rooms of a server, without a network: loaded from disk, timed, and unloaded."""

import asyncio
import sqlite3
from contextlib import closing

from quincunx.rooms.lobby import Lobby, wall_clock
from quincunx.rooms.messages import RequestError
from quincunx.rooms.session import Subscription
from quincunx.web.database import Database, sqlite_url
from tests.web.conftest import FakeClock

EVENT_LOOP_TURNS = 100  # more than any request needs to reach the lock of its room


def run_in_lobby(url, work, now=wall_clock):
    """Returns the result of `work(lobby)` in an open lobby."""

    async def run():
        lobby = Lobby(Database(url), now, compile_first=False)
        await lobby.open()
        try:
            return await work(lobby)
        finally:
            await lobby.close()

    return asyncio.run(run())


def test_requests_waiting_for_a_room_that_could_not_be_stored_are_rejected(tmp_path, monkeypatch):
    """Otherwise a second move would be stored without the first."""

    class SilentSubscriber:
        def send(self, text):
            pass

        def close(self):
            pass

    async def play(lobby):
        session, _ = await lobby.create("quorum", {}, ["human", "human"])
        append, failed = lobby.database.append, []

        async def fail_once(*args):
            if failed:
                return await append(*args)
            failed.append(args)
            for _ in range(EVENT_LOOP_TURNS):  # the other requests reach the room's lock
                await asyncio.sleep(0)
            raise RequestError("busy", "the disk is full")

        def move(seat, text):
            return session.change(lambda room, now: room.play(seat, text, None, now), lobby.time())

        monkeypatch.setattr(lobby.database, "append", fail_once)
        answers = await asyncio.gather(
            move(0, "a1e3"),
            move(1, "h8d6"),
            session.join(SilentSubscriber(), Subscription()),
            session.flag(),
            session.look(SilentSubscriber(), True),
            session.request_rematch(0, (), list),
            session._play_for_bot(1, "h8d6", 1),
            return_exceptions=True,
        )
        reloaded = await lobby.session(session.room.settings.id)
        stored = (await lobby.database.load(reloaded.room.settings.id))[1]
        codes = [getattr(answer, "code", answer) for answer in answers]
        return codes, stored, reloaded.room.number

    assert run_in_lobby(sqlite_url(tmp_path), play) == (["busy"] * 7, [], 0)


def start_room(clock, room_ids):
    """Creates a room in which seat 0 has thought for ten seconds, with a minute on its clock."""

    async def work(lobby):
        moves = ["a1e3", "h8d6"]
        session, _ = await lobby.create("quorum", {}, ["human", "human"], moves=moves, clock=(1, 0))
        room_ids.append(session.room.settings.id)
        clock.advance(10)
        await lobby.database.record_heartbeat(clock())

    return work


def continue_room(clock, room_ids):
    """Returns the time left when the room is loaded; then lets twenty more seconds pass."""

    async def work(lobby):
        left = (await lobby.session(room_ids[0])).room.clocks.left_at(clock())
        clock.advance(20)
        await lobby.database.record_heartbeat(clock())
        return left

    return work


def test_time_without_a_server_is_not_counted(tmp_path):
    clock, room_ids = FakeClock(), []
    run_in_lobby(sqlite_url(tmp_path), start_room(clock, room_ids), clock)
    for seconds_away, left in ((3600, 50_000), (7200, 30_000), (300, 10_000)):
        clock.advance(seconds_away)
        work = continue_room(clock, room_ids)
        assert run_in_lobby(sqlite_url(tmp_path), work, clock) == (left, 60_000)


def test_a_database_without_the_table_of_absences_is_read(tmp_path):
    clock, room_ids = FakeClock(), []
    run_in_lobby(sqlite_url(tmp_path), start_room(clock, room_ids), clock)
    with closing(sqlite3.connect(tmp_path / "rooms.sqlite")) as database:
        database.execute("drop table absences")
    clock.advance(3600)
    work = continue_room(clock, room_ids)
    assert run_in_lobby(sqlite_url(tmp_path), work, clock) == (50_000, 60_000)


def test_a_room_that_is_unloaded_keeps_its_time(tmp_path):
    clock, room_ids = FakeClock(), []

    async def work(lobby):
        await start_room(clock, room_ids)(lobby)
        lobby.unload(lobby.sessions[room_ids[0]])
        return await continue_room(clock, room_ids)(lobby)

    assert run_in_lobby(sqlite_url(tmp_path), work, clock) == (50_000, 60_000)
