"""All rooms of a server, without a network: loaded from disk, timed, and unloaded."""

import asyncio

from quincunx.rooms.errors import RequestError
from quincunx.rooms.views import Subscription
from quincunx.web.database import Database, sqlite_url
from tests.simulation.host import SimulatedClient, SimulatedClock, direct_host, settle


def run_in_lobby(url, work, clock=None):
    """Returns the result of `work(lobby)` in an open lobby."""

    async def run():
        async with direct_host(Database(url), clock) as lobby:
            return await work(lobby)

    return asyncio.run(run())


def test_requests_waiting_for_a_room_that_could_not_be_stored_are_rejected(monkeypatch):
    """Otherwise a second move would be stored without the first."""

    async def play(lobby):
        session, _ = await lobby.create("quorum", {}, ["human", "human"])
        store = lobby.store
        append, failed = store.append, []

        async def fail_once(*args):
            if failed:
                return await append(*args)
            failed.append(args)
            await settle()  # the other requests queue up
            raise RequestError("busy", "the disk is full")

        def move(seat, text):
            return session.change(
                lambda room, now: room.play(seat, text, None, now), lobby.clock.now()
            )

        monkeypatch.setattr(store, "append", fail_once)
        subscriber = SimulatedClient(lobby).connection
        answers = await asyncio.gather(
            move(0, "a1e3"),
            move(1, "h8d6"),
            session.join(subscriber, Subscription(), list),
            session.flag(),
            session.look(subscriber, True, list),
            session.request_rematch(subscriber, 0, list),
            session._play_for_bot(1, 0, 1),
            return_exceptions=True,
        )
        reloaded = await lobby.session(session.room.settings.id)
        stored = (await store.load(reloaded.room.settings.id))[1]
        codes = [getattr(answer, "code", answer) for answer in answers]
        return codes, stored, reloaded.room.number

    async def run():
        async with direct_host() as lobby:
            return await play(lobby)

    assert asyncio.run(run()) == (["busy"] * 7, [], 0)


def start_room(clock, room_ids):
    """Creates a room in which seat 0 has thought for ten seconds, with a minute on its clock."""

    async def work(lobby):
        moves = ["a1e3", "h8d6"]
        session, _ = await lobby.create("quorum", {}, ["human", "human"], moves=moves, clock=(1, 0))
        room_ids.append(session.room.settings.id)
        await clock.advance(10)
        await lobby.store.record_heartbeat(clock.now())

    return work


def continue_room(clock, room_ids):
    """Returns the time left when the room is loaded; then lets twenty more seconds pass."""

    async def work(lobby):
        left = (await lobby.session(room_ids[0])).room.clocks.left_at(clock.now())
        await clock.advance(20)
        await lobby.store.record_heartbeat(clock.now())
        return left

    return work


def test_time_without_a_server_is_not_counted(tmp_path):
    clock, room_ids = SimulatedClock(), []
    run_in_lobby(sqlite_url(tmp_path), start_room(clock, room_ids), clock)
    for seconds_away, left in ((3600, 50_000), (7200, 30_000), (300, 10_000)):
        clock.ms += seconds_away * 1000
        work = continue_room(clock, room_ids)
        assert run_in_lobby(sqlite_url(tmp_path), work, clock) == (left, 60_000)


def test_a_room_that_is_unloaded_keeps_its_time(tmp_path):
    clock, room_ids = SimulatedClock(), []

    async def work(lobby):
        await start_room(clock, room_ids)(lobby)
        lobby.unload(lobby.sessions[room_ids[0]])
        return await continue_room(clock, room_ids)(lobby)

    assert run_in_lobby(sqlite_url(tmp_path), work, clock) == (50_000, 60_000)
