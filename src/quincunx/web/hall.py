"""All rooms: made, found in memory or read back from disk, ticked, and let go when idle."""

from __future__ import annotations

import asyncio
import gc
import logging
import re
import secrets
import sys
import time
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any

from quincunx.errors import BadOption
from quincunx.game import Game, checked_seed
from quincunx.machine import cores
from quincunx.match import HUMAN, is_human
from quincunx.registry import GAMES
from quincunx.registry import game as game_named
from quincunx.web.bots import Crew, seat_bots
from quincunx.web.clocks import present
from quincunx.web.rooms import Card, Event, Room, hashed
from quincunx.web.store import Store
from quincunx.web.study import review
from quincunx.web.table import Table
from quincunx.web.wire import LONGEST_NAME, MOST_NUMBER, Refused, cleaned

TICK = 0.1  # seconds between two looks at the clocks
BEAT = 5_000  # milliseconds between two notes that the server runs
IDLE = 60_000  # milliseconds after which a room that nobody looks at leaves memory
MOST_TABLES = 20_000
MOST_REVIEWS = 200
PACE = (0.2, 60.0)
MINUTES = (0.05, 600.0)
INCREMENT = (0.0, 600.0)
LONGEST_PLAYER = 100

ID = re.compile(r"[A-Za-z0-9_-]{1,32}")

log = logging.getLogger("quincunx.web")


def wall_clock() -> int:
    """Milliseconds since 1970."""
    return time.time_ns() // 1_000_000


class Hall:
    """The rooms of one server."""

    def __init__(
        self,
        store: Store,
        now: Callable[[], int] = wall_clock,
        compile_first: bool = True,
    ) -> None:
        self.store = store
        self.time = now
        self.compile_first = compile_first
        self.crew = Crew()
        self.tables: dict[str, Table] = {}
        self._loading: dict[str, asyncio.Task[Table | None]] = {}
        self._compiled = set() if compile_first else set(GAMES)
        self._tasks: list[asyncio.Task[None]] = []
        self._reviews: dict[str, list[dict[str, Any]]] = {}  # of finished games, the last ones
        self._absences: list[tuple[int, int]] = []  # from when to when no server ran

    async def open(self) -> None:
        """Opens the store, and begins to tick and to compile."""
        await self.store.open()
        self._absences = await self.store.back(self.time())
        work = [self._tick(), self._compile()] if self.compile_first else [self._tick()]
        self._tasks = [asyncio.create_task(one) for one in work]

    async def close(self) -> None:
        """Ends what runs, and closes the store; every room stays on disk."""
        for task in self._tasks:
            task.cancel()
        for table in self.tables.values():
            table.stop()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self.crew.close()
        await self.store.close()

    # Games

    def game(self, name: str, options: Mapping[str, Any] | None = None) -> Game:
        """A game that is ready to be played; Refused while it is being compiled."""
        if name in GAMES and not self.ready(name):
            raise Refused("busy", f"{name.capitalize()} is being compiled, once: a moment", "game")
        return game_named(name, **(options or {}))

    def ready(self, name: str) -> bool:
        """True when a game is compiled."""
        return name in self._compiled

    async def _compile(self) -> None:
        """Compiles every game whole in a process of its own, then loads it here."""
        from quincunx.jit import is_warm

        cold = [name for name in GAMES if not is_warm(name)]
        if cold:
            titles = ", ".join(name.capitalize() for name in cold)
            log.warning("Compiling %s, once (about 15 s each) ...", titles)
        # Those that are there come first: one need not wait for the others to play them.
        some = asyncio.Semaphore(cores())
        for names in (set(GAMES) - set(cold), cold):
            await asyncio.gather(*(self._prepare(name, name in cold, some) for name in names))
        if cold:
            log.warning("Compiled.")
        gc.freeze()  # what was loaded stays: looking through it again and again takes a while

    async def _prepare(self, name: str, cold: bool, some: asyncio.Semaphore) -> None:
        try:
            async with some:
                if cold:
                    await _warm(name)
                await self.crew.think(partial(_load, name))
        except Exception:
            log.exception("%s could not be compiled beforehand", name)
        self._compiled.add(name)  # if it failed, whoever plays it is told why

    # Rooms

    async def make(
        self,
        game: str,
        options: Mapping[str, Any],
        players: Sequence[str],
        *,
        seed: int | None = None,
        start: str = "",
        moves: Sequence[str] = (),
        clock: tuple[float, float] | None = None,
        pace: float = 2.0,
        listed: bool = False,
        hashes: Sequence[str] | None = None,
        parent: str = "",
    ) -> tuple[Table, dict[int, str]]:
        """A new room, on disk, and the secrets of its human seats."""
        configured = self.game(game, options)
        seated = _seated(configured, players)
        given = {seat: secrets.token_urlsafe(16) for seat, p in enumerate(seated) if is_human(p)}
        if hashes is None:
            hashes = [hashed(given[s]) if s in given else "" for s in range(len(seated))]
        _within("pace", pace, PACE)
        card = Card(
            secrets.token_urlsafe(9),
            game,
            {name: configured.options[name] for name in configured.changed_options},
            checked_seed(secrets.randbelow(MOST_NUMBER) if seed is None else seed),
            start,
            seated,
            tuple(hashes),
            _clock(clock),
            float(pace),
            listed,
            self.time(),
            parent,
        )

        def begin() -> tuple[Room, list[Event]]:
            seat_bots(configured, seated, is_human)
            room = Room(card)
            events = []
            for move in moves:
                acting, text = _seat_of(room, move)
                events.append(room.play(acting, text, None, card.created))
            return room, events

        room, events = await self.crew.do(begin)
        # The start as the game writes it, not as somebody typed it.
        card = room.card = replace(card, start=room.match.record.start)
        await self.store.add(card, events)
        table = self.tables[card.id] = Table(room, self)
        table.wake_bots()
        return table, given

    async def table(self, room: str) -> Table:
        """The table of a room, read back from disk if it is not in memory; Refused."""
        found = self.tables.get(room)
        if found is None and ID.fullmatch(room):
            if room not in self._loading:
                self._loading[room] = asyncio.create_task(self._load(room))
            found = await asyncio.shield(self._loading[room])
        if found is None:
            raise Refused("room", "there is no such room", "room")
        found.used = self.time()
        return found

    async def _load(self, room: str) -> Table | None:
        try:
            kept = await self.store.load(room)
            if kept is None:
                return None
            card, events = kept
            self.game(card.game)

            def replay() -> Room:
                read = Room(card)
                for event in events:
                    read.apply(event)
                return read

            read = await self.crew.do(replay)
            if read.clocks and events:
                now = self.time()
                spent = self._spent(events[-1].time, now)
                read.clocks = read.clocks.set(read.clocks.left, read.clocks.running, now - spent)
            table = self.tables[room] = Table(read, self)
            table.wake_bots()
            return table
        finally:
            self._loading.pop(room, None)

    def _spent(self, since: int, now: int) -> int:
        """How much of the time since the last event of a room counts when it is read back.

        What the server was away is nobody's time; the last absence lasts until the room is read.
        """
        absences = list(self._absences)
        if absences and since < absences[-1][1]:
            absences[-1] = absences[-1][0], now
        return present(since, now, absences)

    def drop(self, table: Table) -> None:
        """Lets a room leave memory; whoever looks at it is sent away to come again."""
        if self.tables.get(table.room.card.id) is table:
            del self.tables[table.room.card.id]
        table.stop()
        self.crew.forget(table.room.card.id)
        for ear in list(table.viewers):
            ear.close()

    async def rematch(self, table: Table) -> Table:
        """A new room with the seats turned by one; people keep their secrets."""
        card = table.room.card
        names = [
            f"{HUMAN}:{name}" if is_human(text) and name else text
            for text, name in zip(card.players, table.room.names, strict=True)
        ]
        clock = (card.clock[0] / 60_000, card.clock[1] / 1000) if card.clock else None
        new, _ = await self.make(
            card.game,
            card.options,
            [names[-1], *names[:-1]],
            start=card.start,
            clock=clock,
            pace=card.pace,
            listed=card.listed,
            hashes=[card.hashes[-1], *card.hashes[:-1]],
            parent=card.id,
        )
        return new

    async def mistakes(self, table: Table) -> AsyncIterator[tuple[float, list[dict[str, Any]]]]:
        """How far the review of a finished game is, from 0 to 1, and what it has found."""
        room = table.room.card.id
        if room not in self._reviews:
            found: list[dict[str, Any]] = []
            states = table.room.match.states
            for done, work in enumerate(review(states)):
                if done % 4 == 0:
                    yield done / len(states), found
                one = await self.crew.think(work)
                if one:
                    found.append(one)
            while len(self._reviews) >= MOST_REVIEWS:
                del self._reviews[next(iter(self._reviews))]
            self._reviews[room] = found
        yield 1.0, self._reviews[room]

    async def _tick(self) -> None:
        """Looks at the clocks again and again, and lets idle rooms go."""
        beat = self.time()
        while True:
            await asyncio.sleep(TICK)
            now = self.time()
            for table in list(self.tables.values()):
                clocks = table.room.clocks
                if clocks and not table.room.over and clocks.due(now) is not None:
                    with suppress(Exception):
                        await table.flag()
            if abs(now - beat) >= BEAT:
                beat = now
                with suppress(Exception):
                    await self.store.beat(now)
                self._let_go(now)

    def _let_go(self, now: int) -> None:
        crowded = len(self.tables) > MOST_TABLES
        for table in list(self.tables.values()):
            if not table.busy and (crowded or now - table.used > IDLE):
                self.drop(table)


async def _warm(name: str) -> None:
    """Compiles a game in a process of its own: compiling holds the interpreter's lock."""
    words = (sys.executable, "-m", "quincunx", "warm", name)
    quiet = asyncio.subprocess.DEVNULL
    process = await asyncio.create_subprocess_exec(*words, stdout=quiet, stderr=quiet)
    try:
        await process.wait()
    finally:
        if process.returncode is None:  # the server ends before
            process.terminate()


def _load(name: str) -> None:
    """Uses a game once, so that what is compiled is loaded before somebody waits for it."""
    state = game_named(name).start(seed=0)
    seat = 0 if state.turn is None else state.turn
    move = state.moves(seat)[0]
    state.steps(move, seat)
    after = state.play(move, seat)
    game_named(name).read(after.text)
    after.hidden(0, 0).scores  # noqa: B018


def _seated(game: Game, players: Sequence[str]) -> tuple[str, ...]:
    """Who sits where, names cleaned; BadOption unless they are as many as there are seats."""
    if len(players) != game.seats:
        raise BadOption("players", len(players), f"this game has {game.seats} seats here")
    seated = []
    for text in players:
        if len(text) > LONGEST_PLAYER:
            raise BadOption("players", text, f"at most {LONGEST_PLAYER} letters each")
        name = cleaned(text.partition(":")[2])[:LONGEST_NAME]
        seated.append((f"{HUMAN}:{name}" if name else HUMAN) if is_human(text) else text)
    return tuple(seated)


def _clock(clock: tuple[float, float] | None) -> tuple[int, int] | None:
    """Minutes and seconds more for each move, as milliseconds."""
    if clock is None:
        return None
    minutes, increment = clock
    _within("minutes", minutes, MINUTES)
    _within("increment", increment, INCREMENT)
    return round(minutes * 60_000), round(increment * 1000)


def _within(name: str, value: float, bounds: tuple[float, float]) -> None:
    low, high = bounds
    if not low <= value <= high:
        raise BadOption(name, value, f"must be a number from {low:g} to {high:g}")


def _seat_of(room: Room, move: str) -> tuple[int, str]:
    """The seat that a move of a record is of, and the move without its letter."""
    text, seat = room.state._split_seat(move, None)
    return room.state.acting_seat(seat, move), text
