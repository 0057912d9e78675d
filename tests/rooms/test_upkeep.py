"""Clocks by uptime, rooms out of memory whose time runs, budgets, and stored entries of lists."""

import asyncio

import pytest

from quincunx.rooms import room as room_module
from quincunx.rooms import upkeep
from quincunx.rooms.deadlines import Deadlines
from quincunx.rooms.errors import RequestError
from quincunx.rooms.store import MemoryStore
from quincunx.rooms.upkeep import DAY_MS, GRACE_MS, IDLE_MS, MAX_SESSIONS
from quincunx.web import http
from quincunx.web.system import MAX_GAP_MS, SystemClock
from tests.simulation.host import SimulatedClient, SimulatedClock, direct_host, settle

MOVES = ("pass", "pass")  # the clock of seat 0 runs after them
HOUR = 3600


def in_lobby(work, store=None, clock=None):
    """Returns the result of `work(lobby)` in an open lobby."""

    async def run():
        async with direct_host(store, clock) as lobby:
            await settle()  # the lobby has begun to look at its clock
            return await work(lobby)

    return asyncio.run(run())


async def new_room(lobby, moves=MOVES, **more):
    session, _ = await lobby.create("blocky", {}, ["human"] * 2, moves=moves, **more)
    return session


def left(session):
    return session.room.clocks.left_at(session.lobby.clock.uptime())


def stored_kinds(lobby, session):
    events = lobby.store._events[session.room.settings.id]
    return [event.kind for event in events.values()]


# The host's uptime


def test_uptime_leaves_out_gaps_and_jumps_of_the_wall_clock():
    wall, monotonic = [10**12], [500]
    clock = SystemClock(lambda: wall[0], lambda: monotonic[0])
    readings = []
    for wall_step, step in (
        *((100, 100), (100, 100), (-3_600_000, 100), (7_200_000, 100)),
        *((16_000, 16_000), (MAX_GAP_MS + 1, MAX_GAP_MS + 1), (MAX_GAP_MS, MAX_GAP_MS)),
    ):
        wall[0] += wall_step
        monotonic[0] += step
        readings.append(clock.uptime())
    assert readings == [100, 200, 300, 400, 400, 400, 1400]
    assert clock.now() == wall[0]


@pytest.mark.parametrize("jump", [HOUR, -HOUR])
def test_a_jump_of_the_wall_clock_charges_nobody(jump):
    async def work(lobby):
        clock = lobby.clock
        session = await new_room(lobby, clock=(1, 0))
        await clock.advance(10)
        clock.jump(jump)
        await clock.advance(5)
        assert left(session) == (45_000, 60_000)
        event = await session.change(
            lambda room, now: room.play(0, "pass", None, now), clock.uptime()
        )
        assert event.left == (45_000, 60_000)
        stored = lobby.store._events[session.room.settings.id][event.number]
        assert stored.time == clock.now()  # records have the time of the wall clock
        lobby.unload(session)
        clock.jump(jump)
        await clock.advance(5)
        again = await lobby.session(session.room.settings.id)
        assert left(again) == (45_000, 55_000)
        return clock.now()

    in_lobby(work)


@pytest.mark.parametrize("running_jump", [HOUR, -HOUR, 0])
@pytest.mark.parametrize("stopped_jump", [HOUR, -HOUR, 0])
def test_a_jump_of_the_wall_clock_before_a_restart_charges_nobody(running_jump, stopped_jump):
    store, clock = MemoryStore(), SimulatedClock()

    async def first(lobby):
        session = await new_room(lobby, clock=(1, 0))
        await clock.advance(6)  # a heartbeat
        clock.jump(running_jump)
        await clock.advance(6)
        return session.room.settings.id

    async def second(lobby):
        await clock.advance(30)  # nobody can move while the room is not loaded
        session = await lobby.session(room_id)
        loaded = left(session)
        await clock.advance(7)
        assert left(session) == (loaded[0] - 7000, 60_000)
        return loaded

    room_id = in_lobby(first, store, clock)
    clock.jump(stopped_jump)
    loaded = in_lobby(second, store, clock)
    assert loaded[1] == 60_000
    # Of the 12 seconds that it was running, at most what the clock's jump hides is lost.
    assert 48_000 <= loaded[0] <= 60_000
    assert running_jump or loaded[0] == 48_000  # until the last heartbeat


def test_an_event_after_the_clock_was_set_back_charges_nobody_after_a_crash():
    store, clock = MemoryStore(), SimulatedClock()

    async def first(lobby):
        session = await new_room(lobby, moves=(), clock=(1, 0))
        await clock.advance(6)  # a heartbeat; the process ends before there is another one
        clock.jump(-HOUR)
        await clock.advance(0.5)
        for _ in range(2):
            time = clock.uptime()
            await session.change(lambda room, now: room.play(room.turn, "pass", None, now), time)
        return session.room.settings.id

    async def second(lobby):
        return left(await lobby.session(room_id))

    room_id = in_lobby(first, store, clock)
    clock.jump(2 * HOUR)  # the server was stopped for long: by its clock, the heartbeat is past
    assert in_lobby(second, store, clock) == (60_000, 60_000)


def test_a_jump_is_stored_although_the_store_failed_at_that_time(monkeypatch, caplog):
    store, clock = MemoryStore(), SimulatedClock()

    async def work(lobby):
        await clock.advance(6)
        record_start = store.record_start

        async def fail(time):
            monkeypatch.setattr(store, "record_start", record_start)
            raise RequestError("busy", "the database does not answer")

        monkeypatch.setattr(store, "record_start", fail)
        before = clock.now()
        clock.jump(HOUR)
        await clock.advance(6)
        assert store._absences == []
        await clock.advance(6)
        assert store._absences == [(before, clock.now())]

    in_lobby(work, store, clock)
    assert [record.message for record in caplog.records] == ["storing a heartbeat failed"]


# Clocks of rooms that are not in memory


def test_deadlines():
    deadlines = Deadlines()
    deadlines.add("a", 300)
    deadlines.add("b", 200)
    deadlines.add("a", 100)  # earlier counts
    deadlines.add("b", 400)  # later does not
    assert deadlines.pop_due(99, 9) == []
    assert deadlines.pop_due(250, 1) == ["a"]
    assert deadlines.pop_due(250, 9) == ["b"]
    assert deadlines.pop_due(500, 9) == []
    deadlines.add("c", 600)
    deadlines.discard("c")
    deadlines.discard("d")
    assert deadlines.pop_due(700, 9) == []
    assert len(deadlines) == 0


def test_a_room_that_nobody_watches_is_flagged_although_it_is_not_in_memory():
    async def work(lobby):
        session = await new_room(lobby, clock=(5, 0))
        await lobby.clock.advance(IDLE_MS / 1000 + 6)
        await lobby.clock.advance(6)
        assert lobby.sessions == {}
        await lobby.clock.advance(300)
        assert stored_kinds(lobby, session) == ["play", "play", "flag"]
        loaded = await lobby.session(session.room.settings.id)
        assert loaded.room.winners == (1,)
        assert len(lobby.upkeep.deadlines) == 0

    in_lobby(work)


def test_rooms_that_take_long_to_load_do_not_keep_others_from_being_flagged(monkeypatch):
    monkeypatch.setattr(upkeep, "MAX_FLAG_TASKS", 3)

    async def work(lobby):
        slow = [await new_room(lobby, clock=(0.5, 0)) for _ in range(5)]
        for session in slow:
            lobby.unload(session)
        session = await new_room(lobby, clock=(0.5, 0))
        loading = asyncio.Event()
        load = lobby.store.load

        async def wait_and_load(room_id):
            await loading.wait()
            return await load(room_id)

        monkeypatch.setattr(lobby.store, "load", wait_and_load)
        await lobby.clock.advance(31)
        flagged, waiting = stored_kinds(lobby, session)[-1] == "flag", len(lobby.loading)
        loading.set()
        assert flagged
        assert 0 < waiting <= 3
        for _ in range(5):
            await lobby.clock.advance(2)
            await settle()
        assert [stored_kinds(lobby, each)[-1] for each in slow] == ["flag"] * 5

    in_lobby(work)


def test_a_room_that_has_ended_is_not_loaded_at_its_former_deadline():
    async def work(lobby):
        session = await new_room(lobby, clock=(5, 0))
        await session.change(lambda room, now: room.resign(0, now), lobby.clock.uptime())
        lobby.unload(session)
        await lobby.clock.advance(301)
        assert lobby.sessions == {}
        assert len(lobby.upkeep.deadlines) == 0

    in_lobby(work)


def test_the_deadline_follows_the_player_with_less_time():
    async def work(lobby):
        clock = lobby.clock
        session = await new_room(lobby, clock=(1, 0))

        async def move(seat):
            make = lambda room, now: room.play(seat, "pass", None, now)  # noqa: E731
            await session.change(make, clock.uptime())

        await clock.advance(1)
        await move(0)
        await clock.advance(55)
        await move(1)  # seat 1 has five seconds left
        await move(0)
        await clock.advance(4.9)
        assert not session.room.over
        await clock.advance(0.1)
        assert session.room.given_up == {1}

    in_lobby(work)


def test_a_move_whose_write_failed_is_not_charged_to_the_other_player(monkeypatch):
    """Whether the failed write reached the disk is not known until the room is read again."""

    async def work(lobby, reaches_disk):
        store, clock = lobby.store, lobby.clock
        session = await new_room(lobby, clock=(1, 0))
        await clock.advance(20)
        append = store.append

        async def fail(*args):
            monkeypatch.setattr(store, "append", append)
            if reaches_disk:
                await append(*args)
            raise RequestError("busy", "the database does not answer")

        monkeypatch.setattr(store, "append", fail)
        with pytest.raises(RequestError):
            await session.change(lambda room, now: room.play(0, "pass", None, now), clock.uptime())
        await clock.advance(3)
        return left(await lobby.session(session.room.settings.id))

    assert in_lobby(lambda lobby: work(lobby, True)) == (40_000, 57_000)
    assert in_lobby(lambda lobby: work(lobby, False)) == (37_000, 60_000)


def test_a_room_whose_flag_cannot_be_stored_is_tried_again(monkeypatch, caplog):
    async def work(lobby):
        session = await new_room(lobby, clock=(1, 0))
        append, failures = lobby.store.append, []

        async def fail_twice(*args):
            if len(failures) < 2:
                failures.append(args)
                raise RequestError("busy", "the disk is full")
            await append(*args)

        monkeypatch.setattr(lobby.store, "append", fail_twice)
        for _ in range(4):
            await lobby.clock.advance(61)
        assert stored_kinds(lobby, session) == ["play", "play", "flag"]

    in_lobby(work)


def test_nothing_is_remembered_of_the_clock_of_a_deleted_room(caplog):
    async def work(lobby):
        session = await new_room(lobby, clock=(1, 0))
        room_id, deadlines = session.room.settings.id, lobby.upkeep.deadlines
        lobby.unload(session)
        assert deadlines.remembers(room_id)
        await lobby.store.delete(room_id)
        await lobby.clock.advance(61)
        assert not deadlines.remembers(room_id)
        assert len(deadlines) == 0

    in_lobby(work)


# Memory


def test_the_least_recently_used_rooms_are_unloaded_when_memory_is_short():
    async def work(lobby):
        size = (await new_room(lobby)).memory_bytes
        lobby.upkeep.memory_budget = lobby.upkeep._evict_above = 10 * size
        sessions = list(lobby.sessions.values())
        watched = await new_room(lobby)
        client = SimulatedClient(lobby)
        await client.ask("join", room=watched.room.settings.id)
        for _ in range(30):
            await lobby.clock.advance(GRACE_MS / 1000 + 1)
            sessions.append(await new_room(lobby))
            assert lobby.upkeep.memory_bytes <= 10 * size + size // 2
        assert lobby.sessions[watched.room.settings.id] is watched  # it is in use
        kept = [session for session in sessions if session in lobby.sessions.values()]
        assert kept == sessions[-len(kept) :]
        assert len(kept) >= 7
        again = await lobby.session(sessions[0].room.settings.id)
        assert again.room.state.pack() == sessions[0].room.state.pack()

    in_lobby(work)


def test_an_estimate_of_a_rooms_memory_counts_moves_and_positions():
    async def work(lobby):
        short = await new_room(lobby)
        moves = ["pass"] * 500
        long, _ = await lobby.create("blocky", {"turns": 500}, ["human"] * 2, moves=moves)
        match = long.room.match
        positions = (500 // 64 + 4) * long.room.game.kernel.STATE.itemsize
        assert long.memory_bytes > short.memory_bytes + 500 * 100 + positions
        assert match.memory_bytes < 500 * 400 + 2 * positions

    in_lobby(work)


def test_many_rooms_are_unloaded_when_there_are_too_many(monkeypatch):
    monkeypatch.setattr("quincunx.rooms.upkeep.MAX_SESSIONS", 3)
    assert MAX_SESSIONS == 20_000

    async def work(lobby):
        for _ in range(4):
            await new_room(lobby)
        await lobby.clock.advance(6)
        assert lobby.sessions == {}

    in_lobby(work)


# What a room, and what a client, can store


def test_events_of_a_room_are_limited(monkeypatch):
    monkeypatch.setattr(room_module, "MAX_PLAY_EVENTS", 4)
    monkeypatch.setattr(room_module, "MAX_OTHER_EVENTS", 3)

    async def work(lobby):
        session = await new_room(lobby, clock=(1, 0))
        room = session.room

        def refused(call, *args):
            with pytest.raises(RequestError, match="has reached the limit of") as error:
                call(*args)
            return error.value.code == "refused"

        room.play(0, "pass", None, 0)
        room.undo(0, room.number, 0, own_seats=(0, 1))
        room.play(0, "pass", None, 0)
        assert refused(room.play, 1, "pass", None, 0)  # moves that were taken back count
        assert not room.may_move(1)
        assert room.clocks.running is None  # nobody loses on time who cannot move
        room.name(0, "ada", 0)
        room.pause(0, 0, own_seats=(0, 1))
        assert refused(room.name, 0, "bob", 0)
        room.resume(0, 0)  # a pause can always be ended, and a game given up
        assert refused(room.pause, 0, 0, (0, 1))
        room.resign(1, 0)
        assert refused(room.request_rematch, 0, 0)
        assert room.winners == (0,)

    in_lobby(work)


def test_a_bot_stops_when_the_room_is_full(monkeypatch):
    monkeypatch.setattr(room_module, "MAX_PLAY_EVENTS", 3)

    async def work(lobby):
        session, _ = await lobby.create("blocky", {}, ["human", "random"])
        for _ in range(2):
            make = lambda room, now: room.play(0, "pass", None, now)  # noqa: E731
            await session.change(make, lobby.clock.uptime())
            await settle()
        assert session.room.number == 3
        assert session._bot_tasks == {}

    in_lobby(work)


def test_a_client_can_create_only_so_many_rooms_in_a_day():
    async def work(lobby):
        limit = {"client": "192.0.2.7", "rooms_per_day": 2}
        first = await new_room(lobby, **limit)
        await new_room(lobby, **limit)
        with pytest.raises(RequestError, match="at most 2 in 24 hours") as error:
            await new_room(lobby, **limit)
        assert error.value.code == "rate"
        await new_room(lobby, client="192.0.2.8", rooms_per_day=2)
        owner = first.room.settings.owner
        assert "192" not in owner
        assert owner == lobby.owner_of("192.0.2.7")
        rematch = await lobby.create_rematch(first)
        assert rematch.room.settings.owner == owner
        await lobby.clock.advance(DAY_MS / 1000 + 1)
        await new_room(lobby, **limit)
        assert (await new_room(lobby)).room.settings.owner == ""

    in_lobby(work)


# Lists


def test_lists_are_served_without_loading_rooms():
    store = MemoryStore()

    async def first(lobby):
        sessions = [await new_room(lobby, listed=True) for _ in range(3)]
        client = SimulatedClient(lobby)
        await client.ask("join", room=sessions[0].room.settings.id)
        live = await http.rooms(lobby)
        assert [entry["watchers"] for entry in live] == [1, 0, 0]
        make = lambda room, now: room.resign(0, now)  # noqa: E731
        await sessions[1].change(make, lobby.clock.uptime())
        client.close()
        return await http.rooms(lobby)

    async def second(lobby):
        stored = await http.rooms(lobby)
        assert lobby.sessions == {}
        for entry in stored:
            await lobby.session(entry["id"])
        assert await http.rooms(lobby) == stored  # as the rooms themselves would have it
        return stored

    last = in_lobby(first, store)
    stored = in_lobby(second, store)
    assert stored == last
    assert [entry["over"] for entry in stored] == [False, True, False]
    assert [entry["plies"] for entry in stored] == [2, 2, 2]


def test_a_room_from_before_there_were_stored_entries_is_loaded_once():
    store = MemoryStore()
    in_lobby(lambda lobby: new_room(lobby, listed=True), store)
    store._summaries.clear()

    async def work(lobby):
        return await http.rooms(lobby), len(lobby.sessions)

    entries, loaded = in_lobby(work, store)
    assert loaded == 1
    assert in_lobby(work, store) == (entries, 0)


def test_a_game_whose_status_cannot_be_told_does_not_stop_the_upkeep(monkeypatch, caplog):
    def fail(session, encode):
        raise KeyError("status")

    async def work(lobby):
        session = await new_room(lobby, listed=True, clock=(1, 0))
        monkeypatch.setattr("quincunx.rooms.lobby.summary", fail)
        session.summarised = -1
        for _ in range(2):
            await lobby.clock.advance(IDLE_MS / 1000 + 6)
        assert lobby.sessions == {}
        assert stored_kinds(lobby, session) == ["play", "play", "flag"]
        return session.room.settings.id

    room_id = in_lobby(work)
    texts = [record.message for record in caplog.records]
    assert set(texts) == {f"the entry of room {room_id} in lists cannot be made"}


# Old rooms


@pytest.mark.parametrize(("keep_days", "left"), [(None, "played old kept"), (30, "played kept")])
def test_old_rooms_are_deleted_every_hour(keep_days, left):
    """A room that someone looks at stays."""
    names = {}

    async def work(lobby):
        clock, lobby.upkeep.keep_days = lobby.clock, keep_days
        for name, moves in (("old", MOVES), ("played", MOVES), ("unplayed", ()), ("kept", ())):
            session = await new_room(lobby, moves, listed=True)
            names[session.room.settings.id] = name
            if name == "kept":
                await SimulatedClient(lobby).ask("join", room=session.room.settings.id)
            clock.jump(1)
        by_name = {name: room for room, name in names.items()}
        clock.jump(29 * DAY_MS / 1000)
        played = await lobby.session(by_name["played"])
        await played.change(lambda room, now: room.play(0, "pass", None, now), clock.uptime())
        clock.jump(2 * DAY_MS / 1000)
        await clock.advance(HOUR - 1)  # the other rooms are unloaded
        assert {names[room] for room in lobby.sessions} == {"kept"}
        assert set(lobby.store._rooms) == set(names)
        await clock.advance(1)
        return {names[room] for room in lobby.store._rooms}

    assert in_lobby(work) == set(left.split())
