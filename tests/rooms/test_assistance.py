"""Assisted games: hints, analyses and takebacks are allowed, and the result does not count."""

import asyncio

import pytest

from quincunx.rooms import explore
from tests.simulation.host import SimulatedClient, direct_host, settle
from tests.simulation.server import quick_analysis


@pytest.fixture(autouse=True)
def fast_analysis(monkeypatch):
    monkeypatch.setattr(explore, "analyse", quick_analysis)


def simulate(work):
    async def run():
        async with direct_host() as lobby:
            return await work(lobby)

    return asyncio.run(run())


async def joined_room(lobby, players, game="quorum"):
    """Returns the session of a new room, and a client that has joined it with all seats."""
    session, secrets = await lobby.create(game, {}, players, listed=True)
    client = SimulatedClient(lobby)
    room_id = session.room.settings.id
    by_seat = {str(seat): secret for seat, secret in secrets.items()}
    await client.ask("join", room=room_id, secrets=by_seat)
    return session, client


async def play_on(session, client, moves):
    """Plays the first legal move of a solo game, this number of times; then ends it."""
    room = session.room
    for _ in range(moves):
        move = room.state.moves(0)[0]
        await client.ask("play", room=room.settings.id, seat=0, move=move, number=room.number)
    await client.ask("resign", room=room.settings.id, seat=0)


async def is_best_score(lobby, session):
    results = await lobby.store.best_scores(session.room.settings.game, None, {}, 10)
    return session.room.settings.id in [result.room for result in results]


HELP = {
    "hint": [("hint", {"seat": 0})],
    "analysis": [("analyse", {"seconds": 0.1})],
    "variation": [("explore", {"moves": ["MOVE"]})],
    "takeback": [("play", {"seat": 0, "move": "MOVE"}), ("undo", {"seat": 0})],
}


@pytest.mark.parametrize("requests", HELP.values(), ids=HELP)
def test_a_game_with_help_does_not_count(requests):
    async def work(lobby):
        session, client = await joined_room(lobby, ("human",), "wzlz")
        room = session.room
        assert room.is_fair
        for kind, fields in requests:
            move = room.state.moves(0)[0]
            fields = {name: move if value == "MOVE" else value for name, value in fields.items()}
            if "moves" in fields:
                fields["moves"] = [move]
            if kind in ("play", "undo"):
                fields["number"] = room.number
            answer = await client.ask(kind, room=room.settings.id, **fields)
            assert answer["type"] != "error", answer
        assert (room.is_fair, room.assisted) == (False, {0})
        assert session.players()[0].assisted
        await play_on(session, client, 2)
        assert not await is_best_score(lobby, session)
        assert await lobby.store.recent_results("wzlz", 10) == []

    simulate(work)


def test_a_game_without_help_counts():
    async def work(lobby):
        session, client = await joined_room(lobby, ("human",), "wzlz")
        room_id = session.room.settings.id
        await client.ask("explore", room=room_id, plies=0)  # looks at the game itself
        await client.ask("at", room=room_id, plies=0)
        await play_on(session, client, 2)
        assert await is_best_score(lobby, session)

    simulate(work)


def test_the_mark_is_stored_once_and_before_the_help():
    async def work(lobby):
        session, client = await joined_room(lobby, ("human", "random"))
        room_id = session.room.settings.id
        for _ in range(2):
            await client.ask("hint", room=room_id, seat=0)
        kinds = [message.get("kind", message["type"]) for message in client.received]
        assert kinds[-3:] == ["assisted", "hint", "hint"]
        _, events = await lobby.store.load(room_id)
        assert [(event.kind, event.seat, event.text) for event in events] == [
            ("assisted", 0, "hint")
        ]
        client.connection.close()
        lobby.unload(session)
        loaded = await lobby.session(room_id)
        assert loaded is not session
        assert (loaded.room.is_fair, loaded.room.assisted) == (False, {0})

    simulate(work)


def test_spectators_cannot_analyse_a_running_game_nor_mark_it():
    async def work(lobby):
        session, client = await joined_room(lobby, ("human", "random"))
        room_id, spectator = session.room.settings.id, SimulatedClient(lobby)
        await spectator.ask("join", room=room_id)
        move = session.room.state.moves(0)[0]
        refused = await spectator.ask("analyse", room=room_id, seconds=0.1)
        assert (refused["error"], refused["where"]) == ("refused", "room")
        assert (await spectator.ask("explore", room=room_id, moves=[move]))["type"] == "position"
        assert session.room.is_fair
        await client.ask("resign", room=room_id, seat=0)
        assert (await spectator.ask("analyse", room=room_id, seconds=0.1))["type"] == "opinions"
        assert session.room.is_fair

    simulate(work)


def test_anyone_can_analyse_a_game_of_bots():
    async def work(lobby):
        session, _ = await lobby.create("quorum", {}, ("random", "random"))
        spectator = SimulatedClient(lobby)
        answer = await spectator.ask("analyse", room=session.room.settings.id, seconds=0.1)
        assert answer["type"] == "opinions"
        assert not session.room.assisted
        await settle()

    simulate(work)


def test_one_person_on_all_seats_gets_hints_and_analysis():
    async def work(lobby):
        session, client = await joined_room(lobby, ("human", "human"))
        room_id = session.room.settings.id
        hint = await client.ask("hint", room=room_id, seat=0)
        assert hint["move"] in session.room.state.moves(0)
        assert (await client.ask("analyse", room=room_id, seconds=0.1))["type"] == "opinions"

    simulate(work)


def test_people_in_a_game_with_others_get_neither():
    async def work(lobby):
        session, secrets = await lobby.create("quorum", {}, ("human", "human"))
        client, room_id = SimulatedClient(lobby), session.room.settings.id
        await client.ask("join", room=room_id, secrets={"0": secrets[0]})
        assert (await client.ask("hint", room=room_id, seat=0))["error"] == "refused"
        assert (await client.ask("analyse", room=room_id))["error"] == "refused"
        assert session.room.is_fair

    simulate(work)
