"""The database: rooms, their events and results. One writer commits everything that is waiting.

An event is broadcast only after `Database.append` has returned, which is after its commit.
SQLite waits for the disk at every commit (WAL, synchronous=FULL), so an acknowledged move
survives a crash of the process and of the machine. The next commit stores all that came meanwhile.

Times are milliseconds since 1970. Options, players, hashes, clock, names, scores and winners are
JSON; the clocks of an event are numbers separated by commas.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Float,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    event,
    select,
    update,
)
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from quincunx.rooms.errors import RequestError
from quincunx.rooms.events import Event, RoomResult, RoomSettings

log = logging.getLogger("quincunx.web")

METADATA = MetaData()
ROOMS = Table(
    "rooms",
    METADATA,
    Column("id", String(32), primary_key=True),
    Column("game", String(32), nullable=False),
    Column("options", Text, nullable=False),
    Column("seed", BigInteger, nullable=False),
    Column("start", Text, nullable=False),
    Column("players", Text, nullable=False),
    Column("hashes", Text, nullable=False),
    Column("clock", Text, nullable=False),
    Column("pace", Float, nullable=False),
    Column("listed", Boolean, nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("parent", String(32), nullable=False),
    Column("finished", BigInteger, nullable=False),  # when the game ended; 0 if it has not
    Index("rooms_by_time", "created"),
)
EVENTS = Table(
    "events",
    METADATA,
    Column("room", String(32), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("kind", String(16), nullable=False),
    Column("seat", Integer, nullable=True),
    Column("text", Text, nullable=False),
    Column("time", BigInteger, nullable=False),
    Column("left", Text, nullable=False),
)
RESULTS = Table(
    "results",
    METADATA,
    Column("room", String(32), primary_key=True),
    Column("game", String(32), nullable=False),
    Column("options", Text, nullable=False),
    Column("seed", BigInteger, nullable=False),
    Column("players", Text, nullable=False),
    Column("names", Text, nullable=False),
    Column("scores", Text, nullable=False),
    Column("winners", Text, nullable=False),
    Column("best", Float, nullable=False),  # the score of a solo game
    Column("fair", Boolean, nullable=False),  # from the usual start, and nothing taken back
    Column("listed", Boolean, nullable=False),
    Column("time", BigInteger, nullable=False),
    Index("results_by_game", "game", "best"),
)
# One row: the time of the last heartbeat, so that clocks do not count the time without a server.
HEARTBEAT = Table(
    "pulse",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("time", BigInteger, nullable=False),
)
# The intervals in which no server was running, in order; one move can span several of them.
ABSENCES = Table(
    "absences",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("since", BigInteger, nullable=False),
    Column("until", BigInteger, nullable=False),
)


@dataclass
class PendingWrite:
    """Rows that are written together or not at all, and the future that their caller awaits."""

    done: asyncio.Future[None]
    rooms: list[RoomSettings] = field(default_factory=list)
    events: list[tuple[str, Event]] = field(default_factory=list)
    results: list[RoomResult] = field(default_factory=list)


class Database:
    """The rooms, events and results of a server, in any database that SQLAlchemy supports."""

    def __init__(self, url: str) -> None:
        self.url = url
        self._engine: AsyncEngine | None = None
        self._pending: list[PendingWrite] = []
        self._has_pending = asyncio.Event()
        self._closing = False
        self._writer: asyncio.Task[None] | None = None

    @property
    def engine(self) -> AsyncEngine:
        """The connection pool of an open database."""
        assert self._engine is not None
        return self._engine

    async def open(self) -> None:
        """Opens the database, creates missing tables, and starts the writer."""
        self._engine = create_async_engine(self.url)
        if self.url.startswith("sqlite"):
            event.listen(self._engine.sync_engine, "connect", _configure_sqlite)
        async with self._engine.begin() as connection:
            await connection.run_sync(METADATA.create_all)
        self._writer = asyncio.create_task(self._run_writer())

    async def close(self) -> None:
        """Writes what is pending, and closes the database."""
        # The writer ends by itself. It may still be connecting, and a connection of aiosqlite
        # that is cancelled meanwhile leaves a thread that reports to a closed event loop.
        self._closing = True
        self._has_pending.set()
        if self._writer:
            await self._writer
        if self._engine:
            await self._engine.dispose()

    async def add(self, settings: RoomSettings, events: Sequence[Event] = ()) -> None:
        """Stores a new room with its first events; returns when they are on disk."""
        await self._submit(rooms=[settings], events=[(settings.id, item) for item in events])

    async def append(self, room_id: str, event: Event, result: RoomResult | None = None) -> None:
        """Stores an event, and the result if it ended the game; returns when it is on disk."""
        await self._submit(events=[(room_id, event)], results=[result] if result else [])

    async def _submit(self, **rows: Any) -> None:
        write = PendingWrite(asyncio.get_running_loop().create_future(), **rows)
        self._pending.append(write)
        self._has_pending.set()
        await write.done

    async def _run_writer(self) -> None:
        """Commits everything that is pending, until `close`; reconnects after an error."""
        while self._pending or not self._closing:
            try:
                async with self.engine.connect() as connection:
                    while self._pending or not self._closing:
                        await self._write_pending(connection)
            except (SQLAlchemyError, OSError):
                log.exception("writing to the database failed; reconnecting")
                await asyncio.sleep(0.1)

    async def _write_pending(self, connection: AsyncConnection) -> None:
        await self._has_pending.wait()
        self._has_pending.clear()
        writes, self._pending = self._pending, []
        try:
            await self._insert(connection, writes)
            await connection.commit()
        except BaseException:
            for write in writes:
                if not write.done.done():
                    text = "the change could not be stored; try again"
                    write.done.set_exception(RequestError("busy", text))
            raise
        for write in writes:
            if not write.done.done():
                write.done.set_result(None)

    async def _insert(self, connection: AsyncConnection, writes: list[PendingWrite]) -> None:
        rooms = [_room_row(settings) for write in writes for settings in write.rooms]
        events = [_event_row(room_id, item) for write in writes for room_id, item in write.events]
        results = [_result_row(result) for write in writes for result in write.results]
        for table, rows in ((ROOMS, rooms), (EVENTS, events), (RESULTS, results)):
            if rows:
                await connection.execute(table.insert(), rows)
        for row in results:
            set_finished = update(ROOMS).values(finished=row["time"])
            await connection.execute(set_finished.where(ROOMS.c.id == row["room"]))

    async def load(self, room_id: str) -> tuple[RoomSettings, list[Event]] | None:
        """Returns a room and all its events in order; None if there is no such room."""
        async with self.engine.connect() as connection:
            row = (await connection.execute(select(ROOMS).where(ROOMS.c.id == room_id))).first()
            if row is None:
                return None
            query = select(EVENTS).where(EVENTS.c.room == room_id).order_by(EVENTS.c.number)
            event_rows = (await connection.execute(query)).all()
        return _room_settings(row), [_event(event_row) for event_row in event_rows]

    async def listed_rooms(
        self, finished: bool | None, game: str, before: int | None, count: int
    ) -> list[tuple[str, str]]:
        """Returns the ids and games of listed rooms, the newest first."""
        query = (
            select(ROOMS.c.id, ROOMS.c.game).where(ROOMS.c.listed).order_by(ROOMS.c.created.desc())
        )
        if finished is not None:
            query = query.where(ROOMS.c.finished > 0 if finished else ROOMS.c.finished == 0)
        if game:
            query = query.where(ROOMS.c.game == game)
        if before is not None:
            query = query.where(ROOMS.c.created < before)
        async with self.engine.connect() as connection:
            return [(row.id, row.game) for row in await connection.execute(query.limit(count))]

    async def best_scores(
        self, game: str, seed: int | None, options: dict[str, Any], count: int
    ) -> list[RoomResult]:
        """Returns the best fair results of listed solo games with these options."""
        query = (
            select(RESULTS)
            .where(RESULTS.c.game == game, RESULTS.c.options == _options_json(options))
            .where(RESULTS.c.fair, RESULTS.c.listed)
            .order_by(RESULTS.c.best.desc(), RESULTS.c.time)
            .limit(count)
        )
        if seed is not None:
            query = query.where(RESULTS.c.seed == seed)
        async with self.engine.connect() as connection:
            return [_result(row) for row in await connection.execute(query)]

    async def recent_results(self, game: str, count: int) -> list[RoomResult]:
        """Returns the latest fair results of a game."""
        query = (
            select(RESULTS)
            .where(RESULTS.c.game == game, RESULTS.c.fair)
            .order_by(RESULTS.c.time.desc())
            .limit(count)
        )
        async with self.engine.connect() as connection:
            return [_result(row) for row in await connection.execute(query)]

    async def record_heartbeat(self, time: int) -> None:
        """Stores that the server is running at this time."""
        async with self.engine.begin() as connection:
            await _set_heartbeat(connection, time)

    async def record_start(self, time: int) -> list[tuple[int, int]]:
        """Stores that a server has started; returns all intervals without one, in order."""
        async with self.engine.begin() as connection:
            # One transaction, so that a crash in between cannot make the absence count twice.
            last = (await connection.execute(select(HEARTBEAT.c.time))).scalar()
            await _set_heartbeat(connection, time)
            if last:
                await connection.execute(ABSENCES.insert().values(since=last, until=time))
            rows = await connection.execute(select(ABSENCES).order_by(ABSENCES.c.id))
            return [(row.since, row.until) for row in rows]


async def _set_heartbeat(connection: AsyncConnection, time: int) -> None:
    updated = await connection.execute(update(HEARTBEAT).values(time=time))
    if not updated.rowcount:
        await connection.execute(HEARTBEAT.insert().values(id=1, time=time))


def sqlite_url(directory: Path) -> str:
    """Returns the URL of the SQLite database in a directory, which is created if missing."""
    directory.mkdir(parents=True, exist_ok=True)
    return f"sqlite+aiosqlite:///{directory.absolute() / 'rooms.sqlite'}"


def _configure_sqlite(connection: Any, _: Any) -> None:
    cursor = connection.cursor()
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "busy_timeout=10000"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _options_json(options: dict[str, Any]) -> str:
    """Returns options as JSON, identical for equal options."""
    return json.dumps(options, sort_keys=True)


def _room_row(settings: RoomSettings) -> dict[str, Any]:
    return {
        **vars(settings),
        "options": _options_json(settings.options),
        "players": json.dumps(settings.players),
        "hashes": json.dumps(settings.hashes),
        "clock": json.dumps(settings.clock),
        "finished": 0,
    }


def _room_settings(row: Any) -> RoomSettings:
    clock = json.loads(row.clock)
    return RoomSettings(
        row.id,
        row.game,
        json.loads(row.options),
        row.seed,
        row.start,
        tuple(json.loads(row.players)),
        tuple(json.loads(row.hashes)),
        tuple(clock) if clock else None,
        row.pace,
        row.listed,
        row.created,
        row.parent,
    )


def _event_row(room_id: str, event: Event) -> dict[str, Any]:
    return {
        "room": room_id,
        "number": event.number,
        "kind": event.kind,
        "seat": event.seat,
        "text": event.text,
        "time": event.time,
        "left": "" if event.left is None else ",".join(map(str, event.left)),
    }


def _event(row: Any) -> Event:
    left = tuple(int(part) for part in row.left.split(",")) if row.left else None
    return Event(row.number, row.kind, row.seat, row.text, row.time, left)


def _result_row(result: RoomResult) -> dict[str, Any]:
    return {
        **vars(result),
        "options": _options_json(result.options),
        "players": json.dumps(result.players),
        "names": json.dumps(result.names),
        "scores": json.dumps(result.scores),
        "winners": json.dumps(result.winners),
        "best": result.best,
    }


def _result(row: Any) -> RoomResult:
    return RoomResult(
        row.room,
        row.game,
        json.loads(row.options),
        row.seed,
        tuple(json.loads(row.players)),
        tuple(json.loads(row.names)),
        tuple(json.loads(row.scores)),
        tuple(json.loads(row.winners)),
        row.fair,
        row.listed,
        row.time,
    )
