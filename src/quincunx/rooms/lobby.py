"""All rooms of a host: created, loaded from the store, timed, and unloaded when idle."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import AsyncIterator, Awaitable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from quincunx.errors import BadOption, shorten
from quincunx.game import Game, checked_seed
from quincunx.match import HUMAN, is_human
from quincunx.rooms.answers import MistakeFields
from quincunx.rooms.clocks import uptime
from quincunx.rooms.errors import RequestError
from quincunx.rooms.events import Event, RoomSettings
from quincunx.rooms.explore import review_tasks
from quincunx.rooms.host import Clock, Encode, GameProvider, Pool, Randomness
from quincunx.rooms.messages import MAX_NAME_CHARS, clean_name, dumps
from quincunx.rooms.room import GameRoom
from quincunx.rooms.seat_secrets import invitation
from quincunx.rooms.session import RoomSession
from quincunx.rooms.store import Store

CLOCK_CHECK_SECONDS = 0.1
HEARTBEAT_MS = 5_000  # between two writes of the time at which the server was running
IDLE_MS = 60_000  # a room that is unused for longer is unloaded
MAX_SESSIONS = 20_000  # with more in memory, all rooms that are not in use are unloaded
MAX_REVIEWS = 200  # reviews of finished games that are cached
MAX_PLAYER_CHARS = 100

# The ranges that are allowed: lowest and highest value.
PACE_SECONDS = (0.2, 60.0)
CLOCK_MINUTES = (0.05, 600.0)
INCREMENT_SECONDS = (0.0, 600.0)

ROOM_ID = re.compile(r"[A-Za-z0-9_-]{1,32}")

log = logging.getLogger("quincunx.rooms")


class Lobby:
    """The rooms of one host."""

    def __init__(
        self,
        store: Store,
        games: GameProvider,
        pool: Pool,
        clock: Clock,
        randomness: Randomness,
        encode: Encode = dumps,
    ) -> None:
        self.store = store
        self.games = games
        self.pool = pool
        self.clock = clock
        self.randomness = randomness
        self.encode = encode
        self.sessions: dict[str, RoomSession] = {}
        self._loading: dict[str, asyncio.Task[RoomSession | None]] = {}
        self._ticking: asyncio.Task[None] | None = None
        self._reviews: dict[str, list[MistakeFields]] = {}  # by room, the oldest first
        self._absences: list[tuple[int, int]] = []  # intervals in which no server was running

    async def open(self) -> None:
        """Opens the store and starts the clocks."""
        await self.store.open()
        self._absences = await self.store.record_start(self.clock.now())
        self._ticking = asyncio.create_task(self._tick())

    async def close(self) -> None:
        """Stops all tasks and closes the store, where every room stays."""
        if self._ticking is not None:
            self._ticking.cancel()
            await asyncio.gather(self._ticking, return_exceptions=True)
        for session in self.sessions.values():
            session.stop()
        await self.store.close()

    # Rooms

    async def create(
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
    ) -> tuple[RoomSession, dict[int, str]]:
        """Creates and stores a room; returns its session and the invitations to human seats."""
        configured = self.games.game(game, options)
        player_texts = _checked_players(configured, players)
        human_seats = [seat for seat, text in enumerate(player_texts) if is_human(text)]
        seat_secrets = {seat: self.randomness.secret() for seat in human_seats}
        if hashes is None:
            hashes = [
                invitation(seat_secrets[seat]) if seat in seat_secrets else ""
                for seat in range(len(player_texts))
            ]
        _check_range("pace", pace, PACE_SECONDS)
        settings = RoomSettings(
            self.randomness.room_id(),
            game,
            {name: configured.options[name] for name in configured.changed_options},
            checked_seed(self.randomness.seed() if seed is None else seed),
            start,
            player_texts,
            tuple(hashes),
            _clock_ms(clock),
            float(pace),
            listed,
            self.clock.now(),
            parent,
        )

        def play_moves() -> tuple[GameRoom, list[Event]]:
            for text in player_texts:
                if not is_human(text):
                    self.pool.check_bot(text, configured)
            room = GameRoom(settings, configured)
            return room, [room.play_recorded(move, settings.created) for move in moves]

        room, events = await self.pool.run_short(play_moves)
        # Store the start position in the game's own notation, not as it was typed.
        settings = room.settings = replace(settings, start=room.match.record.start)
        await self.store.add(settings, events)
        session = self.sessions[settings.id] = RoomSession(room, self)
        session.start_bots()
        return session, seat_secrets

    async def session(self, room_id: str) -> RoomSession:
        """Returns the session of a room, loaded if necessary; RequestError if there is none."""
        session = self.sessions.get(room_id)
        if session is None and ROOM_ID.fullmatch(room_id):
            if room_id not in self._loading:
                self._loading[room_id] = asyncio.create_task(self._load(room_id))
            session = await asyncio.shield(self._loading[room_id])
        if session is None:
            text = f"unknown room {shorten(room_id)}: check its link"
            raise RequestError("room", text, "room")
        session.last_used = self.clock.now()
        return session

    async def _load(self, room_id: str) -> RoomSession | None:
        try:
            stored = await self.store.load(room_id)
            if stored is None:
                return None
            settings, events = stored
            game = self.games.game(settings.game, settings.options)

            def replay() -> GameRoom:
                room = GameRoom(settings, game)
                for event in events:
                    room.apply(event)
                return room

            room = await self.pool.run_short(replay)
            if room.clocks and events:
                now = self.clock.now()
                elapsed = self._elapsed(events[-1].time, now)
                clocks = room.clocks
                room.clocks = clocks.restart(clocks.left, clocks.running, now - elapsed)
            session = self.sessions[room_id] = RoomSession(room, self)
            session.start_bots()
            return session
        finally:
            self._loading.pop(room_id, None)

    def _elapsed(self, since: int, now: int) -> int:
        """Returns how much of the time since a room's last event counts on the running clock.

        Time in which no server was running does not count. The last absence is taken to last
        until the room is loaded, since its players could not move before.
        """
        absences = list(self._absences)
        if absences and since < absences[-1][1]:
            absences[-1] = absences[-1][0], now
        return uptime(since, now, absences)

    def unload(self, session: RoomSession) -> None:
        """Removes a room from memory and disconnects its subscribers, who may connect again."""
        if self.sessions.get(session.room.settings.id) is session:
            del self.sessions[session.room.settings.id]
        session.stop()
        self.pool.discard_bots(session.room.settings.id)
        for subscriber in list(session.subscriptions):
            subscriber.disconnect()

    async def create_rematch(self, session: RoomSession) -> RoomSession:
        """Creates a room with the seats rotated by one; people keep their secrets."""
        settings = session.room.settings
        players = [
            f"{HUMAN}:{name}" if is_human(text) and name else text
            for text, name in zip(settings.players, session.room.names, strict=True)
        ]
        clock = (settings.clock[0] / 60_000, settings.clock[1] / 1000) if settings.clock else None
        rematch, _ = await self.create(
            settings.game,
            settings.options,
            [players[-1], *players[:-1]],
            start=settings.start,
            clock=clock,
            pace=settings.pace,
            listed=settings.listed,
            hashes=[settings.hashes[-1], *settings.hashes[:-1]],
            parent=settings.id,
        )
        return rematch

    async def mistakes(self, room: GameRoom) -> AsyncIterator[tuple[float, list[MistakeFields]]]:
        """Yields the progress of a finished game's review, from 0 to 1, and the mistakes so far."""
        room_id = room.settings.id
        if room_id not in self._reviews:
            mistakes: list[MistakeFields] = []
            states = room.match.states
            for done, task in enumerate(review_tasks(states)):
                if done % 4 == 0:
                    yield done / len(states), mistakes
                mistake = await self.pool.run_long(task)
                if mistake:
                    mistakes.append(mistake)
            while len(self._reviews) >= MAX_REVIEWS:
                del self._reviews[next(iter(self._reviews))]
            self._reviews[room_id] = mistakes
        yield 1.0, self._reviews[room_id]

    async def _tick(self) -> None:
        """Checks the clocks, stores heartbeats and unloads idle rooms, until it is cancelled."""
        last_heartbeat = self.clock.now()
        while True:
            await self.clock.sleep(CLOCK_CHECK_SECONDS)
            now = self.clock.now()
            for session in list(self.sessions.values()):
                clocks = session.room.clocks
                if clocks and not session.room.over and clocks.expired_seat(now) is not None:
                    await _log_failure("checking the clocks of a room", session.flag())
            if abs(now - last_heartbeat) >= HEARTBEAT_MS:
                last_heartbeat = now
                await _log_failure("storing a heartbeat", self.store.record_heartbeat(now))
                self._unload_idle(now)

    def _unload_idle(self, now: int) -> None:
        crowded = len(self.sessions) > MAX_SESSIONS
        for session in list(self.sessions.values()):
            if not session.in_use and (crowded or now - session.last_used > IDLE_MS):
                self.unload(session)


async def _log_failure(what: str, work: Awaitable[None]) -> None:
    """Awaits work that must not end its caller; logs its failure."""
    try:
        await work
    except Exception:
        log.exception("%s failed", what)


def _checked_players(game: Game, players: Sequence[str]) -> tuple[str, ...]:
    """Returns the player texts with clean names; raises BadOption for a wrong number or length."""
    if len(players) != game.seats:
        names = "; ".join(map(str, players))
        raise BadOption("players", names, f"expected {game.seats} players, one for each seat")
    checked = []
    for text in players:
        if len(text) > MAX_PLAYER_CHARS:
            raise BadOption("players", text, f"at most {MAX_PLAYER_CHARS} characters each")
        name = clean_name(text.partition(":")[2])[:MAX_NAME_CHARS]
        checked.append((f"{HUMAN}:{name}" if name else HUMAN) if is_human(text) else text)
    return tuple(checked)


def _clock_ms(clock: tuple[float, float] | None) -> tuple[int, int] | None:
    """Returns a clock of minutes and seconds of increment in milliseconds; raises BadOption."""
    if clock is None:
        return None
    minutes, increment = clock
    _check_range("minutes", minutes, CLOCK_MINUTES)
    _check_range("increment", increment, INCREMENT_SECONDS)
    return round(minutes * 60_000), round(increment * 1000)


def _check_range(name: str, value: float, bounds: tuple[float, float]) -> None:
    low, high = bounds
    if not low <= value <= high:
        raise BadOption(name, value, f"must be a number from {low:g} to {high:g}")
