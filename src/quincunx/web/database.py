"""The database of a server: rooms, their events and results, in SQLite or PostgreSQL.

An event is broadcast only after `Database.append` has returned, which is after its commit. Writes
go through one task, which commits all that are waiting (`writer.py`); reads have connections of
their own. Everything is answered within a time limit: what the database does not do in time, or
cannot do, raises RequestError `busy`.
"""

from __future__ import annotations

import asyncio
import json
import logging
import secrets
from collections.abc import Awaitable, Callable, Collection, Sequence
from pathlib import Path
from typing import Any, TypeVar

from sqlalchemy import event as engine_events
from sqlalchemy import select, update
from sqlalchemy.engine import URL, make_url
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine
from sqlalchemy.pool import NullPool

from quincunx.rooms.errors import RequestError
from quincunx.rooms.events import Event, ListedRoom, RoomResult, RoomSettings
from quincunx.web import postgres, queries, statements
from quincunx.web.migrations import upgrade
from quincunx.web.sqlite import SqliteWriteConnection, configure, sqlite_url
from quincunx.web.tables import (
    ABSENCES,
    HEARTBEAT,
    SECRET,
    event_row,
    listed_room,
    result_row,
    room_event,
    room_result,
    room_row,
    room_settings,
)
from quincunx.web.time_limit import within
from quincunx.web.writer import NO_ANSWER, UnusableDatabase, WriteConnection, Writer, describe

__all__ = ["Database", "UnusableDatabase", "make_engine", "sqlite_path", "sqlite_url"]

READ_SECONDS = 5.0
RECENT_ROOMS = 1000  # among which `games_in_play` looks
MAX_DELETED = 100  # rooms that one call of `delete_old` deletes
DELETED_SECONDS = 60.0  # for which it is remembered that a room has been deleted

T = TypeVar("T")
log = logging.getLogger("quincunx.web")


class Database:
    """The rooms, events and results of a server."""

    def __init__(self, url: str) -> None:
        self.url = make_url(url)
        self.writer = Writer(_write_connection(self.url))
        self.failed_reads = 0  # for metrics
        self._problem = ""  # of the last read
        self._engine: AsyncEngine | None = None
        # Rooms that have just been deleted, and when: they must not be loaded or changed.
        self._deleted: dict[str, float] = {}
        self._unplayed_since = 0  # older rooms in which nobody moved have been deleted

    @property
    def engine(self) -> AsyncEngine:
        """The connections for reading of an open database."""
        assert self._engine is not None
        return self._engine

    @property
    def is_failing(self) -> bool:
        """True when the last write failed; the next heartbeat tries again."""
        return self.writer.is_failing

    async def open(self) -> None:
        """Opens the database, creates or upgrades its tables, and starts the writer."""
        await self._upgrade()
        self._engine = make_engine(self.url)
        await self.writer.open()

    async def _upgrade(self) -> None:
        # With connections of its own, since an upgrade may take longer than a query.
        engine = make_engine(self.url, poolclass=NullPool)
        try:
            async with engine.connect() as connection:
                await connection.run_sync(upgrade)
        finally:
            await engine.dispose()

    async def close(self) -> None:
        """Writes what is pending, and closes the database."""
        await self.writer.close()
        if self._engine:
            try:
                await within(self._engine.dispose(), READ_SECONDS)
            except Exception as error:
                log.warning("the database was not closed: %s", describe(error))

    # Writes

    async def add(self, settings: RoomSettings, events: Sequence[Event] = ()) -> None:
        """Stores a new room with its first events; returns when they are on disk."""
        rows = [(statements.INSERT_EVENT, event_row(settings.id, item)) for item in events]
        await self.writer.write((statements.INSERT_ROOM, room_row(settings)), *rows)

    async def append(self, room_id: str, event: Event, result: RoomResult | None = None) -> None:
        """Stores an event, and the result if it ended the game; returns when it is on disk."""
        if room_id in self._deleted:
            raise RequestError("room", "this room has been deleted", "room")
        change = statements.INSERT_EVENT, event_row(room_id, event)
        if result is None:
            await self.writer.write(change)
        else:
            await self.writer.write(
                change,
                (statements.INSERT_RESULT, result_row(result)),
                (statements.SET_FINISHED, (result.time, room_id)),
            )

    async def set_hashes(self, room_id: str, hashes: Sequence[str]) -> None:
        """Replaces the hashes of a room's seats."""
        await self.writer.write((statements.SET_HASHES, (json.dumps(hashes), room_id)))

    async def set_summary(self, room_id: str, summary: dict[str, Any]) -> None:
        """Stores the entry of a room in lists."""
        await self.writer.write((statements.SET_SUMMARY, (json.dumps(summary), room_id)))

    async def quarantine(self, room_id: str, reason: str) -> None:
        """Keeps a room out of lists, with the reason; an empty reason ends that."""
        await self.writer.write((statements.SET_QUARANTINE, (reason, room_id)))

    async def record_heartbeat(self, time: int) -> None:
        """Stores that the server is running at this time."""
        await self.writer.write((statements.SET_HEARTBEAT, (time,)))

    async def delete(self, room_id: str) -> None:
        """Deletes a room with its events and its result."""
        self._mark_deleted([room_id])
        changes = statements.DELETE_RESULT, statements.DELETE_EVENTS, statements.DELETE_ROOM
        await self.writer.write(*((statement, (room_id,)) for statement in changes))

    async def delete_old(
        self, before_unplayed: int, before: int | None, keep: Collection[str] = ()
    ) -> list[str]:
        """Deletes some of the old rooms but not their results; returns their ids."""
        count = MAX_DELETED + len(keep)
        query = queries.unplayed_rooms(self._unplayed_since, before_unplayed, count)
        rows = unplayed = await self._rows(query)
        if before is not None and len(unplayed) < count:
            rows = unplayed + await self._rows(queries.idle_rooms(before, count))
        # No await from here to `write`: a room that is loaded from now on is not found.
        old = list(dict.fromkeys(row.id for row in rows if row.id not in keep))[:MAX_DELETED]
        self._mark_deleted(old)
        if old:
            changes = statements.DELETE_EVENTS, statements.DELETE_ROOM
            await self.writer.write(*((change, (room,)) for change in changes for room in old))
        if len(unplayed) < count:
            # A room in which someone has moved stays so: it need not be looked at again.
            remaining = [row.created for row in unplayed if row.id not in old]
            self._unplayed_since = min(remaining, default=before_unplayed)
        return old

    def _mark_deleted(self, room_ids: Sequence[str]) -> None:
        """Remembers rooms until everyone who is loading them has found out."""
        now = asyncio.get_running_loop().time()
        recent = {
            room: time for room, time in self._deleted.items() if now - time < DELETED_SECONDS
        }
        self._deleted = {**recent, **dict.fromkeys(room_ids, now)}

    # Reads

    async def load(self, room_id: str) -> tuple[RoomSettings, list[Event]] | None:
        """Returns a room and all its events in order; None if there is no such room."""

        async def read(connection: AsyncConnection) -> tuple[Any, Sequence[Any]]:
            room = (await connection.execute(queries.room_by_id(room_id))).first()
            if room is None:
                return None, ()
            return room, (await connection.execute(queries.events_of(room_id))).all()

        room, rows = await self._read(read)
        if room is None or room_id in self._deleted:
            return None
        return room_settings(room), [room_event(row) for row in rows]

    async def listed_rooms(
        self, finished: bool | None, game: str, before: int | None, count: int
    ) -> list[ListedRoom]:
        """Returns the entries of listed rooms, the newest first."""
        rows = await self._rows(queries.listed_rooms(finished, game, before, count))
        return [listed_room(row) for row in rows]

    async def games_in_play(self) -> list[str]:
        """Returns the games of recent rooms that are not finished, the most played first."""
        return [row.game for row in await self._rows(queries.games_in_play(RECENT_ROOMS))]

    async def best_scores(
        self, game: str, seed: int | None, options: dict[str, Any], count: int
    ) -> list[RoomResult]:
        """Returns the best fair results of listed solo games with these options."""
        rows = await self._rows(queries.best_scores(game, seed, options, count))
        return [room_result(row) for row in rows]

    async def recent_results(self, game: str, count: int) -> list[RoomResult]:
        """Returns the latest fair results of a game."""
        return [room_result(row) for row in await self._rows(queries.recent_results(game, count))]

    async def count_rooms(self, owner: str, since: int) -> int:
        """Returns the number of rooms that an owner has created since a time."""
        return int((await self._rows(queries.count_rooms(owner, since)))[0][0])

    async def has_room(self, owner: str, game: str, seed: int) -> bool:
        """True when an owner has created a room with this game and seed."""
        return bool(await self._rows(queries.room_with_seed(owner, game, seed)))

    async def secret(self) -> bytes:
        """Returns the 32 random bytes of this server, which are created once."""
        rows = await self._rows(select(SECRET.c.secret))
        if not rows:
            await self.writer.write((statements.ADD_SECRET, (secrets.token_hex(32),)))
            rows = await self._rows(select(SECRET.c.secret))  # of the first of two servers
        return bytes.fromhex(rows[0][0])

    async def ping(self) -> None:
        """Returns when the database answers; raises RequestError `busy` if it does not."""
        await self._rows(select(1))

    async def record_start(self, time: int) -> list[tuple[int, int]]:
        """Stores that a server has started; returns all intervals without one, in order."""

        async def record(connection: AsyncConnection) -> list[tuple[int, int]]:
            # One transaction, so that a crash in between cannot make the absence count twice.
            last = (await connection.execute(select(HEARTBEAT.c.time))).scalar()
            if last is None:
                await connection.execute(HEARTBEAT.insert().values(id=1, time=time))
            else:
                await connection.execute(update(HEARTBEAT).values(time=time))
                await connection.execute(ABSENCES.insert().values(since=last, until=time))
            rows = await connection.execute(select(ABSENCES).order_by(ABSENCES.c.id))
            absences = [(row.since, row.until) for row in rows]
            await connection.commit()
            return absences

        return await self._read(record)

    async def _rows(self, query: Any) -> list[Any]:
        async def read(connection: AsyncConnection) -> list[Any]:
            return list((await connection.execute(query)).all())

        return await self._read(read)

    async def _read(self, work: Callable[[AsyncConnection], Awaitable[T]]) -> T:
        """Returns the result of work with a connection; RequestError `busy` if that fails."""

        async def connect_and_work() -> T:
            async with self.engine.connect() as connection:
                return await work(connection)

        try:
            connection = self.writer.connection
            if isinstance(connection, SqliteWriteConnection) and connection.file:
                connection.file.check()
            result = await within(connect_and_work(), READ_SECONDS)
            self._problem = ""
            return result
        except UnusableDatabase as error:
            self.failed_reads += 1
            raise RequestError("busy", str(error)) from error
        except Exception as error:
            self.failed_reads += 1
            problem = describe(error)
            if problem != self._problem:  # a lasting one is logged once
                self._problem = problem
                log.warning("reading from the database failed: %s", problem)
            raise RequestError("busy", NO_ANSWER) from error


def sqlite_path(url: URL) -> Path | None:
    """Returns the file of a database; None for PostgreSQL."""
    return Path(url.database or "") if url.get_backend_name() == "sqlite" else None


def _write_connection(url: URL) -> WriteConnection:
    """Returns the writer's connection for a database; raises UnusableDatabase."""
    if url.drivername == "sqlite+aiosqlite":
        if url.database in (None, "", ":memory:") or url.query:
            raise UnusableDatabase("a database in SQLite must be a file: sqlite+aiosqlite:///FILE")
        return SqliteWriteConnection(Path(url.database or ""))
    if url.drivername == "postgresql+asyncpg":
        return postgres.PostgresWriteConnection(url)
    raise UnusableDatabase(
        f"{url.drivername} is not a supported database: "
        "expected sqlite+aiosqlite:///FILE or postgresql+asyncpg://USER@HOST/NAME"
    )


def make_engine(url: URL, **arguments: Any) -> AsyncEngine:
    """Returns the connections for reading, with time limits unless there is a `poolclass`."""
    if url.get_backend_name() == "sqlite":
        engine = create_async_engine(url, **arguments)
        engine_events.listen(engine.sync_engine, "connect", lambda raw, _: configure(raw))
        return engine
    if "poolclass" in arguments:  # for upgrades, which may take long
        limits = {"timeout": postgres.CONNECT_SECONDS}
        return create_async_engine(url, connect_args=limits, **arguments)
    # A connection is tested before it is used, since the server may have been restarted.
    return create_async_engine(
        url, connect_args=postgres.read_arguments(), pool_pre_ping=True, pool_timeout=READ_SECONDS
    )
