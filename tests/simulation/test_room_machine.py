"""Random commands of several clients to one room, compared with a plain model after each.

No seat is moved by another's client; what was acknowledged is stored once; all subscribers see
the same events in order; clocks are never negative; memory equals what is read from the store.
"""

import asyncio

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from quincunx.draw.animation import apply_delta
from quincunx.rooms.lobby import Lobby
from quincunx.rooms.room import GameRoom
from tests.rooms.test_room import assert_equal_rooms
from tests.simulation.host import (
    DirectGames,
    InlinePool,
    SeededRandomness,
    SimulatedClient,
    SimulatedClock,
    SlowMemoryStore,
    settle,
)
from tests.simulation.model import RoomModel

CLIENTS = 4
MAX_STEPS = 2000  # of the event loop, for one command
ROOMS = {
    "quorum": ({}, ("human:ada", "human"), (0.5, 1)),
    "onoro": ({"pawns": 3}, ("human", "human:bob"), (0.2, 0)),
    "quorum with a bot": ({}, ("human", "random"), None),
    "sphero": ({"players": 2}, ("human", "human"), None),
}
SEATS = st.sampled_from([(), (0,), (1,), (0, 1)])
VIEWS = st.sampled_from(["moves", "page", "none"])
NUMBERS = st.sampled_from([0, 0, 0, -1, -2, 1])  # what a client knows, relative to the room
ANSWERS = ("pause_answer", "rematch_answer", "rematch")
CONSENT_KINDS = {"undo": ("asked",), "pause": ("pause_asked",), "answer": ANSWERS}
FURTHER_REQUESTS = ("resign", "pause", "resume", "rematch", "name")


class RoomMachine(RuleBasedStateMachine):
    """One room, four clients, and everything that they can do."""

    def __init__(self):
        super().__init__()
        self.loop = asyncio.new_event_loop()

    def run(self, work):
        """Runs a coroutine, then everything that it has started."""

        async def run():
            task = asyncio.create_task(work)
            for _ in range(MAX_STEPS):
                if task.done():
                    break
                await asyncio.sleep(0)
            assert task.done(), f"a request is never answered: {task}"
            await settle()
            return task.result()

        return self.loop.run_until_complete(run())

    def stored(self):
        """Returns what the store has of the room: its settings and its events."""
        return self.loop.run_until_complete(self.store.load(self.id))

    @initialize(name=st.sampled_from(sorted(ROOMS)), seed=st.integers(0, 99))
    def create(self, name, seed):
        self.run(self._create(name, seed))

    async def _create(self, name, seed):
        options, players, clock = ROOMS[name]
        self.store, self.pool, self.clock = SlowMemoryStore(), InlinePool(), SimulatedClock()
        self.lobby = Lobby(self.store, DirectGames(), self.pool, self.clock, SeededRandomness(seed))
        await self.lobby.open()
        game = name.split()[0]
        session, secrets = await self.lobby.create(game, options, players, clock=clock, seed=seed)
        room = session.room
        self.id, self.secrets = room.settings.id, secrets
        self.model = RoomModel(room.game, seed, set(secrets), room.settings.clock, list(room.names))
        self.clients = [SimulatedClient(self.lobby) for _ in range(CLIENTS)]
        self.joined = {}  # client: its seats, its view
        self.acknowledged = {}  # number of an event: kind of the request, seats of its sender

    def teardown(self):
        if hasattr(self, "lobby"):
            self.pool.drawing.set()
            self.run(self._compare_pictures())
            self.run(self.lobby.close())
        self.loop.close()

    # Commands

    @rule(which=st.integers(0, CLIENTS - 1), seats=SEATS, view=VIEWS, flip=st.booleans())
    def join(self, which, seats, view, flip):
        self.run(self._join(self.clients[which], seats, view, flip))

    async def _join(self, client, seats, view, flip):
        seats = tuple(seat for seat in seats if seat in self.secrets)
        secrets = {str(seat): self.secrets[seat] for seat in seats}
        asking = client.ask("join", room=self.id, secrets=secrets, view=view, flip=flip)
        joining = asyncio.create_task(asking)
        await settle()
        self.pool.drawing.set()  # what is drawn comes before the picture of the page
        answer = await joining
        assert answer["type"] == "room"
        assert answer["you"] == list(seats)
        await settle()
        await self._observe()
        self.joined[client] = (seats, view)

    @rule(which=st.integers(0, CLIENTS - 1), seat=st.integers(0, 1))
    def join_with_a_wrong_secret(self, which, seat):
        self.pool.drawing.set()  # an unloaded room is loaded by the same threads
        wrong = {str(seat): self.secrets.get(1 - seat, "")}
        client, before = self.clients[which], self.joined.get(self.clients[which])
        answer = self.run(client.ask("join", room=self.id, secrets=wrong))
        assert answer["error"] == "secret"
        assert self.joined.get(client) == before

    @rule(which=st.integers(0, CLIENTS - 1))
    def leave(self, which):
        client = self.clients[which]
        answer = self.run(client.ask("leave", room=self.id))
        joined = self.joined.pop(client, None)
        assert answer["type"] == ("error" if joined is None else "ok")

    @rule(which=st.integers(0, CLIENTS - 1))
    def disconnect(self, which):
        self._replace(self.clients[which])

    def _replace(self, client):
        """Closes a connection and opens another one in its place."""
        client.close()
        self.joined.pop(client, None)
        self.clients[self.clients.index(client)] = SimulatedClient(self.lobby)

    @rule(
        which=st.integers(0, CLIENTS - 1),
        seat=st.sampled_from([None, None, 0, 1]),
        choice=st.integers(0, 999),
        offset=NUMBERS,
    )
    def play(self, which, seat, choice, offset):
        """Plays a legal move, mostly for the seat to move."""
        seat, move = self._legal_move(seat, choice)
        number = max(0, self.model.number + offset)
        self._request(self.clients[which], "play", seat, move=move, number=number)

    def _legal_move(self, seat, choice):
        state = self.model.state
        if seat is None:
            seat = choice % 2 if state.turn is None else state.turn
        moves = [] if state.over else state.moves(seat)
        return seat, moves[choice % len(moves)] if moves else "a1"

    @rule(which=st.integers(0, CLIENTS - 1), seat=st.integers(0, 1), text=st.sampled_from(
        ["", "a1a1", "place", "0,0", "9,9", "xyzzy", "R:0,0"]))  # fmt: skip
    def play_nonsense(self, which, seat, text):
        fields = {"move": text, "number": self.model.number}
        self._request(self.clients[which], "play", seat, **fields)

    @rule(which=st.integers(0, CLIENTS - 1), seat=st.integers(0, 1), offset=NUMBERS)
    def undo(self, which, seat, offset):
        number = max(0, self.model.number + offset)
        self._request(self.clients[which], "undo", seat, number=number)

    @rule(which=st.integers(0, CLIENTS - 1), seat=st.integers(0, 1), yes=st.booleans())
    def answer(self, which, seat, yes):
        fields = {"yes": yes, "number": self.model.number}
        self._request(self.clients[which], "answer", seat, **fields)

    @rule(
        which=st.integers(0, CLIENTS - 1),
        seat=st.integers(0, 1),
        kind=st.sampled_from([*FURTHER_REQUESTS, "pause", "resume"]),
    )
    def request(self, which, seat, kind):
        fields = {"name": f"name {self.model.number}"} if kind == "name" else {}
        self._request(self.clients[which], kind, seat, **fields)

    def _request(self, client, kind, seat, **fields):
        """Sends a request of a client; its answer must be that of the model."""
        self.run(self._ask(client, kind, seat, fields))

    async def _ask(self, client, kind, seat, fields):
        seats, _ = self.joined.get(client, ((), ""))
        expected = "room" if client not in self.joined else "secret"
        if seat in seats:
            now = self.clock.now()
            given = {name: fields[name] for name in fields if name != "name"}
            expected = self.model.answer_to(kind, seat, seats, now, **given)
        answer = await client.ask(kind, room=self.id, seat=seat, **fields)
        assert answer.get("error", answer["type"]) == expected
        self._note(answer, kind, seats)
        await settle()
        await self._observe()

    def _note(self, answer, kind, seats):
        """Remembers what was acknowledged."""
        if answer["type"] == "ok":
            assert answer["number"] not in self.acknowledged
            self.acknowledged[answer["number"]] = kind, seats

    @rule(
        pair=st.permutations(range(CLIENTS)).map(lambda order: order[:2]), choice=st.integers(0, 99)
    )
    def two_play_at_once(self, pair, choice):
        """Both clients send the same move at the same time."""
        seat, move = self._legal_move(None, choice)
        fields = {"room": self.id, "seat": seat, "move": move, "number": self.model.number}

        async def work():
            clients = [self.clients[which] for which in pair]
            answers = await asyncio.gather(*(client.ask("play", **fields) for client in clients))
            assert sum(answer["type"] == "ok" for answer in answers) <= 1
            for client, answer in zip(clients, answers, strict=True):
                self._note(answer, "play", self.joined.get(client, ((), ""))[0])
            await settle()
            await self._observe()

        self.run(work())

    @rule(seconds=st.sampled_from([0.2, 1, 5, 20]))
    def time_passes(self, seconds):
        async def work():
            await self.clock.advance(seconds)
            await self._observe()

        self.run(work())

    @rule()
    @precondition(lambda self: self.pool.drawing.is_set())
    def hold_drawing(self):
        self.pool.drawing.clear()

    @rule()
    @precondition(lambda self: not self.pool.drawing.is_set())
    def release_drawing(self):
        self.pool.drawing.set()
        self.run(settle())

    @rule()
    def unload(self):
        """Removes the room from memory; its clients are disconnected and connect again."""
        session = self.lobby.sessions.get(self.id)
        if session is None:
            return
        self.lobby.unload(session)
        for client in list(self.joined):
            assert not client.connected
            self._replace(client)

    # What must hold

    async def _observe(self):
        """Applies what has been stored since to the model, and checks who has caused it."""
        _, events = await self.store.load(self.id)
        for event in events[self.model.number :]:
            if event.kind != "flag" and event.seat in self.secrets:
                self._check_cause(event)
            self.model.apply(event)

    def _check_cause(self, event):
        """Checks that an event of a person's seat was acknowledged to a client with that seat."""
        number = event.number
        if number not in self.acknowledged:  # a rematch is two events, and one request
            assert event.kind == "rematch"
            number += 1
        kind, seats = self.acknowledged[number]
        if kind == "answer" and event.kind in ("undo", "pause"):  # of the seat that asked
            assert self.model.asked_by == event.seat
            assert 1 - event.seat in seats
        else:
            assert event.seat in seats
            assert event.kind in (kind, *CONSENT_KINDS.get(kind, ()))

    @invariant()
    def acknowledged_events_are_stored_once(self):
        if hasattr(self, "model"):
            _, events = self.stored()
            assert [event.number for event in events] == list(range(1, len(events) + 1))
            assert self.model.number == len(events)
            assert set(self.acknowledged) <= {event.number for event in events}

    @invariant()
    def subscribers_see_all_events_in_order(self):
        if not hasattr(self, "model"):
            return
        for client, (_, view) in self.joined.items():
            messages = [m for m in client.received if m["type"] in ("room", "event")]
            snapshot = max(i for i, m in enumerate(messages) if m["type"] == "room")
            numbers = [message["number"] for message in messages[snapshot:]]
            assert numbers == list(range(numbers[0], numbers[0] + len(numbers)))
            if view != "page" or self.pool.drawing.is_set():
                assert numbers[-1] == self.model.number

    @invariant()
    def memory_equals_the_store(self):
        session = self.lobby.sessions.get(self.id) if hasattr(self, "model") else None
        if session is None:
            return
        room, model = session.room, self.model
        stored, events = self.stored()
        replayed = GameRoom(stored, room.game)
        for event in events:
            replayed.apply(event)
        assert_equal_rooms(room, replayed)
        assert [tuple(state.last) for state in room.match.states[1:]] == model.moves
        assert (room.over, room.paused, room.names) == (model.over, model.paused, model.names)
        question = room.question
        asked = (question.by, question.kind == "pause") if question else (None, False)
        assert asked == (model.asked_by, model.asked_pause)
        if room.clocks:
            assert min(room.clocks.left_at(self.clock.now())) >= 0
            assert all(min(event.left) >= 0 for event in events)

    async def _compare_pictures(self):
        """Compares what the frames have built on each page with the picture of a new page."""
        await settle()
        for client, (_, view) in self.joined.items():
            if view == "page":
                shown = None
                for message in client.received:
                    shown = message.get("picture", shown)
                    for frame in message.get("frames", ()):
                        shown = apply_delta(shown, frame["picture"])
                joined = [m for m in client.received if m["type"] == "room"][-1]
                flip = self.lobby.sessions[self.id].subscriptions[client.connection].flip
                current = await client.ask("look", room=self.id, flip=flip)
                assert shown["shapes"] == current["picture"]["shapes"], joined["number"]


RoomMachine.TestCase.settings = settings(
    max_examples=40,
    stateful_step_count=40,
    deadline=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
)
TestRoom = RoomMachine.TestCase
