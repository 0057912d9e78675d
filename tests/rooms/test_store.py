"""What every store does: the one in memory, and the database of a server."""

import asyncio
from dataclasses import replace

import pytest

from quincunx.rooms.errors import RequestError
from quincunx.rooms.events import Event, ListedRoom, RoomResult, RoomSettings
from quincunx.rooms.store import MemoryStore
from quincunx.web.database import Database, sqlite_url
from tests.web.conftest import postgres  # noqa: F401

SETTINGS = RoomSettings("a", "quorum", {"repetition": 0}, 7, "", ("human:ada", "random"), ("x", ""),
            (60_000, 0), 2.0, True, 1000)  # fmt: skip
RESULT = RoomResult("a", "quorum", {"repetition": 0}, 7, SETTINGS.players, ("ada", "random"),
            (1.0, 0.0), (0,), True, True, 3000)  # fmt: skip
SOLO = RoomResult("s", "wzlz", {}, 7, ("human",), ("ada",), (12.0,), (), True, True, 10)


@pytest.fixture(params=["memory", "sqlite", pytest.param("postgresql", marks=pytest.mark.heavy)])
def run(request, tmp_path):
    """Returns a function that runs `work(store)` in an open store, which is closed after it."""
    memory = MemoryStore()
    url = sqlite_url(tmp_path)
    if request.param == "postgresql":
        url = request.getfixturevalue("postgres").create_database()

    async def open_and_close(work):
        store = memory if request.param == "memory" else Database(url)
        await store.open()
        try:
            return await work(store)
        finally:
            await store.close()

    return lambda work: asyncio.run(open_and_close(work))


def move(number):
    return Event(number, "play", number % 2, f"move {number}", 1000 + number, (5, number))


def test_stored_rooms_are_loaded_with_their_events(run):
    async def write(store):
        await store.add(SETTINGS, [move(1), move(2)])
        await store.append("a", move(3))
        await store.append("a", Event(4, "name", 0, "bob", 2000))

    run(write)
    settings, events = run(lambda store: store.load("a"))
    assert settings == SETTINGS
    assert events == [move(1), move(2), move(3), Event(4, "name", 0, "bob", 2000)]
    assert run(lambda store: store.load("b")) is None


def test_every_field_of_a_room_and_of_its_events_is_stored(run):
    settings = replace(SETTINGS, parent="p", rules=3, fair=False, owner="f" * 64)
    event = replace(move(1), position="8/8 w", checksum=2**63 - 1)

    async def write(store):
        await store.add(settings, [event])
        await store.append("a", replace(event, number=2))

    run(write)
    assert run(lambda store: store.load("a")) == (settings, [event, replace(event, number=2)])


def test_the_hashes_of_a_room_are_replaced(run):
    async def write(store):
        await store.add(SETTINGS)
        await store.set_hashes("a", ("y", "z"))

    run(write)
    assert run(lambda store: store.load("a")) == (replace(SETTINGS, hashes=("y", "z")), [])


def test_a_summary_is_listed_with_its_room(run):
    async def write(store):
        await store.add(SETTINGS)
        await store.set_summary("a", {"plies": 3, "name": "Zoë"})

    run(write)
    expected = [ListedRoom("a", "quorum", 1000, {"plies": 3, "name": "Zoë"})]
    assert run(lambda store: store.listed_rooms(None, "", None, 9)) == expected


def test_a_room_in_quarantine_is_not_listed_but_still_loaded(run):
    async def write(store):
        await store.add(SETTINGS)
        await store.quarantine("a", "illegal move")
        hidden = await store.listed_rooms(None, "", None, 9), await store.load("a")
        await store.quarantine("a", "")
        return hidden, await store.listed_rooms(None, "", None, 9)

    assert run(write) == (([], (SETTINGS, [])), [ListedRoom("a", "quorum", 1000)])


def test_a_deleted_room_leaves_nothing(run):
    async def write(store):
        for name in ("a", "b"):
            await store.add(replace(SETTINGS, id=name))
            await store.append(name, move(1), replace(RESULT, room=name))
        await store.delete("a")
        await store.delete("a")  # nothing is left to delete
        rooms = await store.listed_rooms(None, "", None, 9)
        results = await store.recent_results("quorum", 9)
        return await store.load("a"), [room.id for room in rooms], [r.room for r in results]

    assert run(write) == (None, ["b"], ["b"])


def test_an_event_of_a_room_that_is_not_stored_fails_alone(run):
    async def append(store):
        await store.add(SETTINGS)
        writes = store.append("b", move(1)), store.append("a", move(1))
        refused, stored = await asyncio.gather(*writes, return_exceptions=True)
        await store.add(replace(SETTINGS, id="b"))
        return refused, stored, await store.load("a"), await store.load("b")

    refused, stored, *loaded = run(append)
    assert (type(refused), refused.code, stored) == (RequestError, "busy", None)
    assert loaded == [(SETTINGS, [move(1)]), (replace(SETTINGS, id="b"), [])]


def test_old_rooms_are_deleted_and_their_results_stay(run):
    """A room is created at 1000, and moves are made 1000 ms and more after that."""

    async def write(store):
        for name in ("unplayed", "kept", "named", "short", "long"):
            await store.add(replace(SETTINGS, id=name))
        await store.append("named", Event(1, "name", 0, "bob", 9000))
        await store.append("short", move(1), replace(RESULT, room="short"))
        for number in (1, 2):
            await store.append("long", move(number))
        assert await store.delete_old(1000, None) == []
        unplayed = await store.delete_old(1001, None, {"kept"})
        assert await store.delete_old(1001, 1001, {"kept"}) == []
        old = await store.delete_old(0, 1002, {"kept"})
        results = await store.recent_results("quorum", 9)
        left = [room.id for room in await store.listed_rooms(None, "", None, 9)]
        return unplayed, old, sorted(left), [result.room for result in results]

    unplayed, old, left, results = run(write)
    assert sorted(unplayed) == ["named", "unplayed"]
    assert (old, left, results) == (["short"], ["kept", "long"], ["short"])


def test_the_rooms_of_an_owner_are_counted(run):
    async def write(store):
        for number in range(4):
            owner = "f" if number else "g"
            await store.add(replace(SETTINGS, id=str(number), created=number, owner=owner))
        return [await store.count_rooms(owner, 2) for owner in ("f", "g", "")]

    assert run(write) == [2, 0, 0]


def test_a_room_of_an_owner_is_found_by_its_seed(run):
    async def write(store):
        await store.add(replace(SETTINGS, id="a", owner="f", game="wzlz", seed=2**53 - 1))
        wanted = ("f", "wzlz", 2**53 - 1), ("g", "wzlz", 2**53 - 1), ("f", "wzlz", 1)
        return [await store.has_room(*each) for each in (*wanted, ("f", "quorum", 2**53 - 1))]

    assert run(write) == [True, False, False, False]


def test_the_secret_of_a_store_does_not_change(run):
    secret = run(lambda store: store.secret())
    assert len(secret) == 32
    assert run(lambda store: store.secret()) == secret


def test_an_open_store_answers(run):
    assert run(lambda store: store.ping()) is None


def test_a_number_or_a_room_is_stored_once(run, caplog):
    async def write(store):
        await store.add(SETTINGS, [move(1)])
        codes = []
        for again in (store.append("a", move(1)), store.add(SETTINGS)):
            with pytest.raises(RequestError) as error:
                await again
            codes.append(error.value.code)
        await store.append("a", move(2))
        return codes, (await store.load("a"))[1]

    assert run(write) == (["busy", "busy"], [move(1), move(2)])


def test_listed_rooms_are_filtered_and_the_newest_comes_first(run):
    async def write(store):
        await store.add(SETTINGS)
        await store.add(replace(SETTINGS, id="b", created=2000))
        await store.add(replace(SETTINGS, id="c", game="onoro", created=3000))
        await store.add(replace(SETTINGS, id="d", listed=False, created=4000))
        await store.append("b", move(1), replace(RESULT, room="b"))
        return [
            "".join(room.id for room in await store.listed_rooms(*which))
            for which in (
                (None, "", None, 9),
                (None, "", None, 2),
                (False, "", None, 9),
                (True, "", None, 9),
                (None, "quorum", None, 9),
                (None, "", 3000, 9),
                (None, "", 1000, 9),
            )
        ]

    assert run(write) == ["cba", "cb", "ca", "b", "ba", "ba", ""]
    assert run(lambda store: store.listed_rooms(True, "", None, 9)) == [
        ListedRoom("b", "quorum", 2000)
    ]


def test_the_best_scores_are_those_of_fair_listed_games_with_the_same_options(run):
    results = [
        SOLO,
        replace(SOLO, room="t", scores=(20.0,), time=30),
        replace(SOLO, room="u", scores=(20.0,), time=20, seed=8),
        replace(SOLO, room="v", scores=(99.0,), fair=False),
        replace(SOLO, room="w", scores=(99.0,), listed=False),
        replace(SOLO, room="x", scores=(99.0,), options={"colours": 5}),
        replace(SOLO, room="y", scores=(99.0,), game="blocky"),
    ]

    async def write(store):
        for result in results:
            await store.add(replace(SETTINGS, id=result.room))
            await store.append(result.room, move(1), result)
        return [
            await store.best_scores("wzlz", None, {}, 9),
            await store.best_scores("wzlz", 7, {}, 9),
            await store.best_scores("wzlz", None, {"colours": 5}, 1),
        ]

    everything, of_seed, with_options = run(write)
    assert [result.room for result in everything] == ["u", "t", "s"]
    assert everything[2] == SOLO
    assert [result.room for result in of_seed] == ["t", "s"]
    assert [result.room for result in with_options] == ["x"]


def test_recent_results_are_the_latest_fair_ones_of_a_game(run):
    async def write(store):
        for number, fair in ((1, True), (2, False), (3, True), (4, True)):
            name = f"room {number}"
            await store.add(replace(SETTINGS, id=name))
            result = replace(RESULT, room=name, fair=fair, time=number)
            await store.append(name, move(1), result)
        return await store.recent_results("quorum", 2), await store.recent_results("onoro", 2)

    recent, none = run(write)
    assert recent == [
        replace(RESULT, room="room 4", time=4),
        replace(RESULT, room="room 3", time=3),
    ]
    assert none == []


def test_heartbeats_give_the_intervals_without_a_server(run):
    async def first_start(store):
        assert await store.record_start(4) == []
        await store.record_heartbeat(5)
        await store.record_heartbeat(6)

    run(first_start)
    assert run(lambda store: store.record_start(9)) == [(6, 9)]
    assert run(lambda store: store.record_start(12)) == [(6, 9), (9, 12)]
