"""All rooms of a host: created, loaded from the store, timed, and unloaded when idle."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from hashlib import blake2b
from typing import Any

from quincunx.errors import BadOption, shorten
from quincunx.game import Game, checked_seed
from quincunx.match import HUMAN, is_human
from quincunx.phrases import quantity
from quincunx.rooms.answers import MistakeFields
from quincunx.rooms.daily import DailyGames
from quincunx.rooms.errors import RequestError
from quincunx.rooms.events import Event, RoomSettings
from quincunx.rooms.explore import review_tasks
from quincunx.rooms.host import Clock, Encode, GameProvider, Pool, Randomness
from quincunx.rooms.messages import MAX_NAME_CHARS, clean_name, dumps
from quincunx.rooms.replay import last_position, new_room, replay
from quincunx.rooms.room import GameRoom
from quincunx.rooms.seat_secrets import invitation
from quincunx.rooms.session import RoomSession
from quincunx.rooms.store import Store
from quincunx.rooms.summary import summary, unloaded
from quincunx.rooms.upkeep import DAY_MS, MEMORY_BUDGET, Upkeep

MAX_UNREADABLE = 10_000  # rooms of which it is remembered that they cannot be read
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
        memory_budget: int = MEMORY_BUDGET,
    ) -> None:
        self.store = store
        self.games = games
        self.pool = pool
        self.clock = clock
        self.randomness = randomness
        self.encode = encode
        self.sessions: dict[str, RoomSession] = {}
        self.upkeep = Upkeep(self, memory_budget)
        self.loading: dict[str, asyncio.Task[RoomSession | None]] = {}
        self._reviews: dict[str, list[MistakeFields]] = {}  # by room, the oldest first
        # Rooms that cannot be read, the oldest first; True if the last stored position is shown.
        self._unreadable: dict[str, bool] = {}
        self._secret = b""
        self.daily = DailyGames(self._secret, clock.now)
        self._daily_lock = asyncio.Lock()

    async def open(self) -> None:
        """Opens the store and starts the clocks."""
        await self.store.open()
        self._secret = await self.store.secret()
        self.daily = DailyGames(self._secret, self.clock.now)
        await self.upkeep.start()

    async def close(self) -> None:
        """Stops all tasks and closes the store, where every room stays."""
        for session in self.sessions.values():
            session.stop()
            self.store_summary(session)
        await self.upkeep.stop()
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
        client: str = "",
        owner: str = "",
        rooms_per_day: int | None = None,
        daily: bool = False,
    ) -> tuple[RoomSession, dict[int, str]]:
        """Creates and stores a room; returns its session and the invitations to human seats.

        Its result counts if nobody chose seed, start or moves. With `daily`, the seed is that of
        the day; only the first such room of an owner counts.

        `client` is who asks for it, such as the network of an address; only its keyed hash is
        stored, as the room's owner. Raises RequestError `rate` if it has created `rooms_per_day`
        rooms in the last 24 hours.
        """
        owner = self.owner_of(client) if client else owner
        await self.check_quota(owner, rooms_per_day)
        configured = self.games.game(game, options)
        player_texts = _checked_players(configured, players)
        people = [seat for seat, text in enumerate(player_texts) if is_human(text)]
        secrets = {seat: self.randomness.secret() for seat in people}
        _check_range("pace", pace, PACE_SECONDS)
        fair = seed is None and not start and not moves
        if daily and not fair:
            raise BadOption("daily", True, "the game of the day has no other seed, start or moves")
        if daily:
            seed = self.daily.seed(game, self.daily.today)
        settings = RoomSettings(
            self.randomness.room_id(),
            game,
            dict(sorted(configured.changed_options.items())),  # in the order of the store
            checked_seed(self.randomness.seed() if seed is None else seed),
            start,
            player_texts,
            tuple(_invitations(secrets, len(players)) if hashes is None else hashes),
            _clock_ms(clock),
            float(pace),
            listed,
            self.clock.now(),
            parent,
            configured.rules_version,
            fair,
            owner,
        )
        room, events = await self._build(settings, moves, configured)
        store = self._store_daily if daily else self._store_new
        return await store(room, events), secrets

    async def _build(
        self, settings: RoomSettings, moves: Sequence[str], game: Game
    ) -> tuple[GameRoom, list[Event]]:
        """Returns a new room after its first moves, and their events."""
        stored_game = self.games.game(settings.game, settings.options)

        def build() -> tuple[GameRoom, list[Event]]:
            for text in settings.players:
                if not is_human(text):
                    self.pool.check_bot(text, game)
            return new_room(settings, moves, game, stored_game)

        return await self.pool.run_replay(build, settings.owner or settings.id)

    async def _store_daily(self, room: GameRoom, events: Sequence[Event]) -> RoomSession:
        """Stores a room with the game of the day; it counts if it is the first of its owner.

        The lock is held for the store only: whoever waits for other work must not hold up all.
        """
        settings = room.settings
        async with self._daily_lock:  # of two rooms at the same time, one is the first
            if await self.store.has_room(settings.owner, settings.game, settings.seed):
                room.settings = replace(settings, fair=False)
            return await self._store_new(room, events)

    async def _store_new(self, room: GameRoom, events: Sequence[Event]) -> RoomSession:
        """Stores a new room; returns its session."""
        await self.store.add(room.settings, events)
        self.upkeep.restart_clock(room, is_new=True)
        session = self._start_session(room)
        self.store_summary(session)
        return session

    def _start_session(self, room: GameRoom) -> RoomSession:
        """Returns the session of a room that is now in memory."""
        session = self.sessions[room.settings.id] = RoomSession(room, self)
        self.upkeep.count(session)
        session.start_bots()
        return session

    def owner_of(self, client: str) -> str:
        """Returns the keyed hash that stands for a client among the owners of rooms."""
        return blake2b(client.encode(), key=self._secret, digest_size=16).hexdigest()

    async def check_quota(self, owner: str, rooms_per_day: int | None) -> None:
        """Raises RequestError when an owner has created this many rooms in the last 24 hours."""
        if not owner or rooms_per_day is None:
            return
        if await self.store.count_rooms(owner, self.clock.now() - DAY_MS) >= rooms_per_day:
            text = f"too many new rooms: at most {rooms_per_day:,} in 24 hours; try again later"
            raise RequestError("rate", text)

    async def session(self, room_id: str) -> RoomSession:
        """Returns the session of a room, loaded if necessary; RequestError if there is none."""
        session = self.sessions.get(room_id)
        if session is None and ROOM_ID.fullmatch(room_id):
            if room_id not in self.loading:
                self.loading[room_id] = asyncio.create_task(self._load(room_id))
            session = await asyncio.shield(self.loading[room_id])
        if session is None:
            text = f"unknown room {shorten(room_id)}: check its link"
            raise RequestError("room", text, "room")
        session.last_used = self.clock.uptime()
        return session

    async def _load(self, room_id: str) -> RoomSession | None:
        try:
            if self._unreadable.get(room_id) is False:
                raise _unreadable_error(room_id)
            room = await self._read(room_id)
            if room is None:
                return None
            self.upkeep.restart_clock(room)
            return self._start_session(room)
        finally:
            self.loading.pop(room_id, None)

    async def _read(self, room_id: str) -> GameRoom | None:
        """Returns a room as it is stored; None if there is none.

        A room that cannot be replayed is quarantined and returned closed at its last stored
        position; without such a position, RequestError is raised.
        """
        try:
            stored = await self.store.load(room_id)
        except (ValueError, TypeError, LookupError) as cause:  # a damaged row
            await self._quarantine(room_id, cause, None)
            raise _unreadable_error(room_id) from cause
        if stored is None:
            return None
        settings, events = stored
        game: Game | None = None
        try:
            game = self.games.game(settings.game, settings.options)
            replay_room = partial(replay, settings, events, game)
            return await self.pool.run_replay(replay_room, settings.owner or room_id)
        except (RequestError, MemoryError):
            raise  # the room may be sound
        except Exception as cause:
            if isinstance(cause, BadOption) and cause.name == "game":  # it may be installed again
                text = f"room {room_id} cannot be read: the game {settings.game} is not installed"
                raise RequestError("room", text, "room") from cause
            room = last_position(settings, events, game) if game else None
            await self._quarantine(room_id, cause, room)
            if room is None:
                raise _unreadable_error(room_id) from cause
            return room

    async def _quarantine(self, room_id: str, cause: Exception, room: GameRoom | None) -> None:
        """Keeps a room out of lists, and logs that once."""
        if room_id not in self._unreadable:
            reason = f"{type(cause).__name__}: {cause}"
            log.error("room %s cannot be read: %s", room_id, reason)
            await self.store.quarantine(room_id, reason)
            while len(self._unreadable) >= MAX_UNREADABLE:
                del self._unreadable[next(iter(self._unreadable))]
            self._unreadable[room_id] = room is not None

    def store_summary(self, session: RoomSession) -> None:
        """Stores the entry of a listed room in lists, without waiting, if it has changed.

        Lists show it while the room is not in memory.
        """
        room = session.room
        room_id, number = room.settings.id, session.stored_clocks[0]
        # After a failed write, memory is ahead of what is stored.
        if room.settings.listed and not room.closed and session.summarised < number == room.number:
            session.summarised = number
            try:
                entry = unloaded(summary(session, self.encode))
            except Exception:  # whatever a game from outside raises for its status
                log.exception("the entry of room %s in lists cannot be made", room_id)
                return
            what = f"storing the summary of room {room_id} after event {number}"
            self.upkeep.run(what, self.store.set_summary(room_id, entry))

    def unload(self, session: RoomSession) -> None:
        """Removes a room from memory and disconnects its subscribers, who may connect again."""
        if self.sessions.get(session.room.settings.id) is session:
            del self.sessions[session.room.settings.id]
            self.upkeep.remember_clock(session)
            self.store_summary(session)
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
            owner=settings.owner,
        )
        return rematch

    async def mistakes(
        self, room: GameRoom, client: str = ""
    ) -> AsyncIterator[tuple[float, list[MistakeFields]]]:
        """Yields the progress of a finished game's review, from 0 to 1, and the mistakes so far."""
        room_id = room.settings.id
        if room_id not in self._reviews:
            mistakes: list[MistakeFields] = []
            states, plies = room.match.positions(), room.plies
            for done, task in enumerate(review_tasks(states, plies)):
                if done % 4 == 0:
                    yield done / plies, mistakes
                mistake = await self.pool.run_long(task, client)
                if mistake:
                    mistakes.append(mistake)
            while len(self._reviews) >= MAX_REVIEWS:
                del self._reviews[next(iter(self._reviews))]
            self._reviews[room_id] = mistakes
        yield 1.0, self._reviews[room_id]


def _unreadable_error(room_id: str) -> RequestError:
    text = f"room {room_id} cannot be read: it was played by other rules, or is damaged"
    return RequestError("room", text, "room")


def _checked_players(game: Game, players: Sequence[str]) -> tuple[str, ...]:
    """Returns the player texts with clean names; raises BadOption for a wrong number or length."""
    if len(players) != game.seats:
        names = "; ".join(map(str, players))
        raise BadOption(
            "players", names, f"expected {quantity(game.seats, 'player')}, one for each seat"
        )
    checked = []
    for text in players:
        if len(text) > MAX_PLAYER_CHARS:
            raise BadOption("players", text, f"at most {MAX_PLAYER_CHARS} characters each")
        name = clean_name(text.partition(":")[2])[:MAX_NAME_CHARS]
        checked.append((f"{HUMAN}:{name}" if name else HUMAN) if is_human(text) else text)
    return tuple(checked)


def _invitations(secrets: Mapping[int, str], seats: int) -> list[str]:
    """Returns what is stored of each seat's invitation; an empty text for a bot."""
    return [invitation(secrets[seat]) if seat in secrets else "" for seat in range(seats)]


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
