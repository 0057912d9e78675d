"""A host of rooms without network, threads and disk: work is done at once, time is a number.

Everything runs in one event loop and depends on nothing but the order of the test's commands.
"""

import asyncio
import json
from contextlib import asynccontextmanager
from heapq import heappop, heappush
from itertools import count
from random import Random

from jsonschema_rs import ValidationError

from quincunx.match import bot_seed
from quincunx.players import parse_player, player
from quincunx.registry import game as game_named
from quincunx.registry import games
from quincunx.rooms.connection import Connection
from quincunx.rooms.lobby import Lobby
from quincunx.rooms.store import MemoryStore
from tests.rooms.schema_check import check_server_message

SETTLING_STEPS = 60  # more than any chain of tasks that wait for each other has


async def settle():
    """Lets all tasks run until they wait for the clock, or for something that a test holds."""
    for _ in range(SETTLING_STEPS):
        await asyncio.sleep(0)


class SimulatedClock:
    """A clock that moves only when a test advances it."""

    def __init__(self):
        self.ms = 1_700_000_000_000
        self._jumped = 0  # milliseconds by which the system's clock was set
        self._sleepers = []  # deadline, a number that keeps the order, the event to wake it
        self._numbers = count()

    def now(self):
        return self.ms

    def uptime(self):
        return self.ms - self._jumped

    def jump(self, seconds):
        """Sets the system's clock, as a person or a time server does."""
        self.ms += round(seconds * 1000)
        self._jumped += round(seconds * 1000)

    async def sleep(self, seconds):
        wake = asyncio.Event()
        until = self.uptime() + round(seconds * 1000)
        heappush(self._sleepers, (until, next(self._numbers), wake))
        await wake.wait()

    async def advance(self, seconds):
        """Moves the time, wakes who has slept until then, and lets them run."""
        self.ms += round(seconds * 1000)
        while self._sleepers and self._sleepers[0][0] <= self.uptime():
            heappop(self._sleepers)[2].set()
        await settle()


class SeededRandomness:
    """Values that depend on a seed only."""

    def __init__(self, seed=0):
        self._random = Random(seed)

    def room_id(self):
        return f"room{self._random.getrandbits(32):08x}"

    def secret(self):
        return f"secret{self._random.getrandbits(64):016x}"

    def seed(self):
        return self._random.getrandbits(50)


class DirectGames:
    """All games, compiled when they are first used."""

    def game(self, name, options=None):
        return game_named(name, **(options or {}))

    def playable(self):
        return games()

    def is_compiled(self, name):
        return True


class InlinePool:
    """Does all work at once; short work, which is drawing, only while `drawing` is set."""

    def __init__(self):
        self.drawing = asyncio.Event()
        self.drawing.set()
        self.short_tasks = 0
        self._bots = {}

    def check_bot(self, text, game):
        parse_player(text, game)

    async def choose_move(self, room_id, seat, text, seed, state, client=""):
        key = room_id, seat, text
        if key not in self._bots:
            self._bots[key] = player(text, state.game, bot_seed(seed, seat))
        return self._bots[key].choose(state, seat)

    async def run_long(self, work, client=""):
        return work()

    async def run_replay(self, work, client=""):
        return work()

    async def run_process(self, function, *arguments, client="", seconds=10.0):
        return function(*arguments)

    async def run_short(self, work):
        await self.drawing.wait()
        self.short_tasks += 1
        return work()

    def discard_bots(self, room_id):
        self._bots = {key: bot for key, bot in self._bots.items() if key[0] != room_id}


class SlowMemoryStore(MemoryStore):
    """A store in memory in which every write takes a moment, or as long as a test holds it."""

    def __init__(self):
        super().__init__()
        self.writable = asyncio.Event()
        self.writable.set()

    async def append(self, *args):
        await asyncio.sleep(0)
        await self.writable.wait()
        await super().append(*args)


class SimulatedClient:
    """A client whose messages are read as they are sent, without a network."""

    def __init__(self, lobby, **limits):
        self.received = []  # all messages, decoded
        self.texts = []
        self.invalid = []  # messages that do not follow the schema
        self.connected = True
        self._refs = count(1)
        self.connection = Connection(lobby, self._receive, self._disconnect, **limits)

    def _receive(self, text):
        self.texts.append(text)
        message = json.loads(text)
        self.received.append(message)
        try:
            check_server_message(message)
        except ValidationError as error:  # raised to the test, not to the room that sends
            self.invalid.append(error)

    def _disconnect(self):
        self.connected = False

    async def ask(self, kind, **fields):
        """Sends a message; returns its answer, or None if something that a test holds delays it."""
        ref = next(self._refs)
        await self.connection.handle(json.dumps({"type": kind, "ref": ref, **fields}))
        if self.answer(ref) is None:
            await settle()
        assert not self.invalid
        if kind in (
            "at",
            "explore",
            "explain",
        ):  # their pictures are drawn while other messages are handled
            await settle()
        return self.answer(ref)

    def answer(self, ref):
        return next((m for m in self.received if m.get("ref") == ref), None)

    def events(self, room):
        assert not self.invalid
        return [m for m in self.received if m["type"] == "event" and m["room"] == room]

    def close(self):
        self.connected = False
        self.connection.close()


@asynccontextmanager
async def direct_host(store=None, clock=None, pool=None, seed=0):
    """Gives an open lobby on a direct host."""
    lobby = Lobby(
        store if store is not None else SlowMemoryStore(),
        DirectGames(),
        pool or InlinePool(),
        clock or SimulatedClock(),
        SeededRandomness(seed),
    )
    await lobby.open()
    try:
        yield lobby
    finally:
        await lobby.close()
