"""Rooms that are dropped from memory and read back, and rooms that cannot be read back."""

import asyncio
from dataclasses import replace
from types import SimpleNamespace

import pytest

from quincunx.errors import BadPosition
from quincunx.registry import game as game_named
from quincunx.rooms import replay as replay_module
from quincunx.rooms.checksum import position_checksum
from quincunx.rooms.errors import RequestError
from quincunx.rooms.events import RoomSettings
from quincunx.rooms.replay import Divergence, replay
from quincunx.rooms.room import POSITION_SPACING, GameRoom
from quincunx.rooms.store import MemoryStore
from quincunx.web import http
from tests.simulation.host import SimulatedClient, direct_host
from tests.test_match import OPEN_STARTS


async def play(lobby, session, count):
    """Plays `count` moves, different ones in every position, for the seats in turn."""
    for i in range(count):
        room = session.room
        if room.over:
            return
        seat = room.turn if room.turn is not None else i % room.game.seats
        actions = room.state.actions(seat)
        action = actions[i * 7 % len(actions)]
        await session.change(
            lambda room, now, seat=seat, action=action: room.play(seat, action, None, now),
            lobby.clock.uptime(),
        )


async def read_back(lobby, session):
    """Returns the session of a room that was dropped from memory."""
    lobby.unload(session)
    return await lobby.session(session.room.settings.id)


@pytest.mark.parametrize("case", OPEN_STARTS)
def test_a_room_from_a_typed_start_is_read_back_the_same(case):
    """Such rooms were played from the typed text, but stored with another one."""
    options, start = OPEN_STARTS[case]

    async def run():
        async with direct_host() as lobby:
            options_of_room = {"rows": 5, "cols": 5, **options}
            session, _ = await lobby.create(
                "wzlz", options_of_room, ["human"], seed=11, start=start, listed=True
            )
            assert session.room.state.pack() == session.room.game.read(start, 11).pack()
            await play(lobby, session, 12)
            again = await read_back(lobby, session)
            assert again is not session
            assert again.room.state.pack() == session.room.state.pack()
            assert again.room.record.text == session.room.record.text
            assert len(await http.rooms(lobby)) == 1

    asyncio.run(run())


def test_a_start_may_state_what_the_players_do_not_see():
    async def run():
        async with direct_host() as lobby:
            options, start = OPEN_STARTS["hidden next balls that are given"]
            options = {"rows": 5, "cols": 5, **options}
            session, _ = await lobby.create("wzlz", options, ["human"], start=start)
            client = SimulatedClient(lobby)
            room = await client.ask("join", room=session.room.settings.id)
            assert session.room.settings.start == start
            assert room["start"] == start.replace("RGB", "-")

    asyncio.run(run())


def test_a_room_that_would_be_read_back_differently_is_not_created(monkeypatch):
    """A game from outside may not write its positions as it reads them."""
    stored = game_named("quorum").read("8/8/8/3WB3/3BW3/8/8/8 w")
    monkeypatch.setattr(replay_module, "replay", lambda *args: SimpleNamespace(state=stored))

    async def run():
        async with direct_host() as lobby:
            with pytest.raises(BadPosition, match="would not be the same when it is read back"):
                await lobby.create("quorum", {}, ["human", "human"])
            assert lobby.sessions == {}
            assert lobby.store._rooms == {}

    asyncio.run(run())


def played_room(game="quorum", options=None, moves=2 * POSITION_SPACING + 9, seats=2, **settings):
    """Returns the settings and the events of a room after some moves."""
    settings = RoomSettings(
        "room1", game, options or {}, 7, "", ("human",) * seats, ("",) * seats,
        None, 2.0, True, 1000, **settings,
    )  # fmt: skip
    room, events = GameRoom(settings, game_named(game, **settings.options)), []
    for i in range(moves):
        if room.over:
            break
        actions = room.state.actions()
        events.append(room.play(room.turn, actions[i * 5 % len(actions)], None, 1000 + i))
    return settings, events, room


LONG = {"game": "blocky", "options": {"turns": 100}}


def test_positions_are_stored_at_intervals_and_at_the_end():
    _, events, room = played_room(**LONG)
    stored = {event.number: event for event in events if event.position}
    assert list(stored) == [POSITION_SPACING, 2 * POSITION_SPACING]
    for number, event in stored.items():
        assert event.position == room.match.at(number).text
        assert event.checksum == position_checksum(room.match.at(number))
    resigned = room.resign(0, 5000)
    assert (resigned.position, resigned.checksum) == (
        room.state.text,
        position_checksum(room.state),
    )
    _, events, room = played_room("onoro", {"pawns": 3}, 100)
    assert room.over
    assert events[-1].position == room.state.text
    assert all(event.checksum is None for event in events[:-1])


def test_a_position_that_a_game_cannot_write_does_not_refuse_the_move(monkeypatch):
    _, _, room = played_room(**LONG, moves=POSITION_SPACING - 1)
    monkeypatch.setattr("quincunx.rooms.room.position_checksum", {}.__getitem__)
    event = room.play(room.turn, "pass", None, 5000)
    assert (event.number, room.number, room.plies) == (POSITION_SPACING,) * 3
    assert (event.position, event.checksum) == ("", None)


def test_a_checksum_covers_what_the_text_hides():
    game = game_named("wzlz", show_next_balls=False)
    text = game.start(1).text
    one, other = game.read(text, 1), game.read(text, 2)
    assert one.text == other.text
    assert position_checksum(one) != position_checksum(other)


@pytest.mark.parametrize(
    ("damage", "reason"),
    [
        (lambda events: [*events[:5], *events[6:]], "event 6 is missing"),
        (
            lambda events: [
                replace(event, checksum=event.checksum and event.checksum ^ 1) for event in events
            ],
            f"event {POSITION_SPACING} leads to",
        ),
    ],
)
def test_events_that_lead_to_another_game_are_noticed(damage, reason):
    settings, events, room = played_room(**LONG)
    assert replay(settings, events, room.game).state.pack() == room.state.pack()
    with pytest.raises(Divergence, match=reason):
        replay(settings, damage(events), room.game)


async def store_with(*rooms):
    """Returns a store in memory with these rooms: settings and events."""
    store = MemoryStore()
    for settings, events in rooms:
        await store.add(settings, events)
    return store


def changed_rules(events):
    """Returns the events of a game that the present rules replay differently."""
    return [replace(event, checksum=event.checksum and event.checksum ^ 1) for event in events]


def test_a_room_of_other_rules_is_shown_at_its_last_position_and_closed(caplog):
    settings, events, room = played_room(**LONG, rules=2)
    named = room.name(1, "ada", 9000)
    events = [*changed_rules(events), named]

    async def run():
        store = await store_with((settings, events))
        async with direct_host(store) as lobby:
            client = SimulatedClient(lobby)
            for _ in range(2):
                shown = await client.ask("join", room="room1", view="page")
                sentence = "This game was played by other rules (version 2) and cannot be continued"
                assert shown["status"] == sentence
                assert (shown["over"], shown["winners"]) == (True, [])
                assert shown["number"] == named.number
                assert shown["text"] == room.match.at(2 * POSITION_SPACING).text
                assert shown["players"][1]["name"] == "ada"
                assert shown["picture"]
                session = await lobby.session("room1")
                with pytest.raises(RequestError, match="the game is over"):
                    session.room.play(0, "pass", None, 1)
                assert '[Result "*"]' in session.room.record.text
                lobby.unload(session)
            assert await http.rooms(lobby) == []
            reason = f"Divergence: event {POSITION_SPACING} leads to"
            assert store._quarantined["room1"].startswith(reason)
            assert len(caplog.records) == 1  # it is logged once

    asyncio.run(run())


def test_a_room_of_another_version_is_kept_if_it_is_replayed_the_same():
    settings, events, room = played_room(**LONG, rules=2)

    async def run():
        async with direct_host(await store_with((settings, events))) as lobby:
            session = await lobby.session("room1")
            assert not session.room.over
            assert session.room.state.pack() == room.state.pack()
            assert session.room.settings.rules == 2

    asyncio.run(run())


def test_a_room_that_cannot_be_read_does_not_hide_the_others(caplog):
    """One such room made the list of rooms fail for everyone."""
    settings, events, _ = played_room(moves=6)
    bad = [*events[:3], replace(events[3], text="a1a1"), *events[4:]]
    good = replace(settings, id="room2")
    strange = replace(settings, id="room3", options={"no_such_option": 1})
    absent = replace(settings, id="room4", game="no_such_game")

    async def run():
        store = await store_with((settings, bad), (good, events), (strange, []), (absent, []))
        async with direct_host(store) as lobby:
            for _ in range(2):
                listed = await http.rooms(lobby)
                assert [entry["id"] for entry in listed] == ["room2"]
                for room_id in ("room1", "room3", "room4"):
                    answer = await SimulatedClient(lobby).ask("join", room=room_id)
                    assert answer["error"] == "room"
                    assert f"room {room_id} cannot be read" in answer["text"]
            assert sorted(store._quarantined) == ["room1", "room3"]  # the game may be installed
            assert len(caplog.records) == 2

    asyncio.run(run())


def test_a_store_that_fails_does_not_quarantine(monkeypatch):
    settings, events, _ = played_room(moves=6)

    async def run():
        store = await store_with((settings, events))
        async with direct_host(store) as lobby:
            load = store.load

            async def fail(room_id):
                monkeypatch.setattr(store, "load", load)
                raise RequestError("busy", "the database does not answer")

            monkeypatch.setattr(store, "load", fail)
            with pytest.raises(RequestError, match="does not answer"):
                await lobby.session("room1")
            assert (await lobby.session("room1")).room.number == 6
            assert store._quarantined == {}

    asyncio.run(run())
