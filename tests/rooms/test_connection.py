"""One client's connection without a network: limits, errors, and what remains when it is closed."""

import asyncio
import json

from quincunx.rooms.connection import MAX_RATE_LIMITED_CHARS, MAX_ROOMS
from quincunx.rooms.errors import RequestError
from quincunx.rooms.work_queue import MAX_WAITING
from tests.simulation.host import InlinePool, SimulatedClient, direct_host, settle


def simulate(work):
    async def run():
        async with direct_host() as lobby:
            return await work(lobby)

    return asyncio.run(run())


async def new_room(lobby, players=("human", "human")):
    """Returns the id of a room of Quorum, and the secrets of its seats as clients send them."""
    session, secrets = await lobby.create("quorum", {}, players)
    return session.room.settings.id, {str(seat): secret for seat, secret in secrets.items()}


def test_a_message_over_the_rate_limit_is_answered_late_and_not_handled():
    async def work(lobby):
        client = SimulatedClient(lobby, take_token=lambda: False)
        asking = asyncio.create_task(client.ask("ping"))
        await settle()
        assert client.received == []
        await lobby.clock.advance(0.1)
        assert (await asking)["error"] == "rate"
        long = json.dumps({"type": "ping", "ref": 7, "x": "x" * MAX_RATE_LIMITED_CHARS})
        handling = asyncio.create_task(client.connection.handle(long))
        await settle()
        await lobby.clock.advance(0.1)
        await handling
        assert "ref" not in client.received[-1]  # a long text is not even read

    simulate(work)


def test_an_invalid_message_is_answered_with_its_ref():
    async def work(lobby):
        client = SimulatedClient(lobby)
        assert (await client.ask("admin"))["where"] == "type"
        assert (await client.ask("play", room="x", seat=0))["where"] == "move"
        await client.connection.handle("{")
        assert client.received[-1]["error"] == "json"

    simulate(work)


def test_an_unexpected_error_is_logged_and_answered(caplog):
    async def work(lobby):
        client = SimulatedClient(lobby)

        async def fail(*args):
            raise ZeroDivisionError

        lobby.store.load = fail
        assert (await client.ask("join", room="x"))["error"] == "busy"

    simulate(work)
    assert "ZeroDivisionError" in caplog.text


def test_a_connection_joins_a_limited_number_of_rooms():
    async def work(lobby):
        client = SimulatedClient(lobby)
        rooms = [await new_room(lobby) for _ in range(MAX_ROOMS + 1)]
        answers = [await client.ask("join", room=room) for room, _ in rooms]
        assert [answer["type"] for answer in answers] == ["room"] * MAX_ROOMS + ["error"]
        assert (await client.ask("join", room=rooms[0][0]))["type"] == "room"
        await client.ask("leave", room=rooms[0][0])
        assert (await client.ask("join", room=rooms[-1][0]))["type"] == "room"

    simulate(work)


def test_a_rematch_over_the_limit_of_new_rooms_is_not_requested():
    def refuse():
        raise RequestError("rate", "too many new rooms")

    async def work(lobby):
        room, secrets = await new_room(lobby, ("human", "random"))
        client = SimulatedClient(lobby, count_new_room=refuse)
        await client.ask("join", room=room, secrets=secrets)
        await client.ask("resign", room=room, seat=0)
        assert (await client.ask("rematch", room=room, seat=0))["error"] == "rate"
        assert lobby.sessions[room].room.rematch_requests == set()

    simulate(work)


def test_a_closed_connection_has_left_its_rooms():
    async def work(lobby):
        room, secrets = await new_room(lobby)
        client, other = SimulatedClient(lobby), SimulatedClient(lobby)
        await client.ask("join", room=room, secrets={"0": secrets["0"]})
        await other.ask("join", room=room, secrets={"1": secrets["1"]})
        client.close()
        assert lobby.sessions[room].connected_seats == {1}
        assert other.received[-1] == {"type": "here", "room": room, "seat": 0, "here": False}

    simulate(work)


def test_a_room_that_nobody_uses_is_unloaded_and_loaded_again():
    async def work(lobby):
        room, secrets = await new_room(lobby)
        client = SimulatedClient(lobby)
        await client.ask("join", room=room, secrets=secrets)
        await client.ask("play", room=room, seat=0, move="a1e3", number=0)
        for _ in range(2):
            await lobby.clock.advance(100)
        assert room in lobby.sessions
        client.close()
        for _ in range(2):
            await lobby.clock.advance(100)
        assert room not in lobby.sessions
        joined = await SimulatedClient(lobby).ask("join", room=room)
        assert (joined["number"], joined["moves"]) == (1, [[0, "a1e3"]])

    simulate(work)


class HeldPool(InlinePool):
    """Draws pictures only while `free` is set."""

    def __init__(self):
        super().__init__()
        self.free = asyncio.Event()
        self.clients = []
        self.cancelled = 0

    async def run_process(self, function, *arguments, client="", seconds=10.0):
        self.clients.append(client)
        try:
            await self.free.wait()
        except asyncio.CancelledError:
            self.cancelled += 1
            raise
        return function(*arguments)


def simulate_held(work):
    async def run():
        async with direct_host(pool=HeldPool()) as lobby:
            return await work(lobby, SimulatedClient(lobby, client="192.0.2.7"))

    return asyncio.run(run())


def test_while_a_picture_is_drawn_a_connection_handles_other_messages():
    async def work(lobby, client):
        for moves in (["a1e3"], ["x"], []):
            assert await client.ask("explore", game="quorum", moves=moves) is None
        room_id, secrets = await new_room(lobby)
        await client.ask("join", room=room_id, secrets=secrets)
        moved = await client.ask("play", room=room_id, seat=0, move="a1e3", number=0)
        assert moved["type"] == "ok"
        assert await client.ask("at", room=room_id, plies=0) is None
        lobby.pool.free.set()
        await settle()
        answers = [client.answer(ref) for ref in (1, 2, 3, 6)]
        assert [answer["type"] for answer in answers] == ["position"] * 3 + ["picture"]
        assert [answer.get("plies") for answer in answers] == [1, 0, 0, 0]
        assert set(lobby.pool.clients) == {"192.0.2.7"}

    simulate_held(work)


def test_a_picture_that_cannot_be_drawn_is_answered_and_the_next_one_is_drawn():
    async def work(lobby, client):
        await client.ask("explore", game="quorum", start="x")
        await client.ask("explore", game="quorum")
        lobby.pool.free.set()
        await settle()
        assert client.answer(1)["error"] == "position"
        assert client.answer(2)["type"] == "position"

    simulate_held(work)


def test_the_pictures_that_wait_are_limited():
    async def work(lobby, client):
        for _ in range(MAX_WAITING + 1):  # one is being drawn
            assert await client.ask("explore", game="quorum") is None
        assert (await client.ask("explore", game="quorum"))["error"] == "busy"

    simulate_held(work)


def test_a_client_that_leaves_ends_its_pictures():
    async def work(lobby, client):
        for _ in range(3):
            await client.ask("explore", game="quorum")
        client.close()
        await settle()
        assert (lobby.pool.cancelled, len(lobby.pool.clients)) == (1, 1)
        lobby.pool.free.set()
        await settle()
        assert client.received == []

    simulate_held(work)


def test_a_change_is_acknowledged_by_ok_or_by_its_event():
    async def messages(lobby, **how):
        room, secrets = await new_room(lobby)
        client, other = SimulatedClient(lobby), SimulatedClient(lobby)
        await other.ask("join", room=room, ack="event")
        await client.ask("join", room=room, secrets=secrets, **how)
        client.received.clear()
        answer = await client.ask("play", room=room, seat=0, move="a1e3", number=0)
        assert [event["number"] for event in other.events(room)] == [1]
        assert "ref" not in other.events(room)[0]
        late = await client.ask("play", room=room, seat=0, move="a1e3", number=0)
        assert late["error"] == "late"
        return answer["type"], [message["type"] for message in client.received[:-1]]

    async def work(lobby):
        assert await messages(lobby) == ("ok", ["event", "ok"])
        assert await messages(lobby, ack="event") == ("event", ["event"])
        assert await messages(lobby, ack="event", view="none") == ("event", ["event"])
        assert (await messages(lobby, ack="event", view="page"))[0] == "ok"

    simulate(work)
