"""The database: rooms, their events and results. One writer commits everything that is waiting.

An event is broadcast only after `Database.append` has returned, which is after its commit.
SQLite waits for the disk at every commit (WAL, synchronous=FULL), so an acknowledged move
survives a crash of the process and of the machine. The next commit stores all that came meanwhile.
"""

from __future__ import annotations

import asyncio
import json
import logging
import secrets
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sqlalchemy import Executable, delete, event, func, select, update
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from quincunx.rooms.errors import RequestError
from quincunx.rooms.events import Event, ListedRoom, RoomResult, RoomSettings
from quincunx.web.migrations import upgrade
from quincunx.web.tables import (
    ABSENCES,
    EVENTS,
    HEARTBEAT,
    RESULTS,
    ROOMS,
    SECRET,
    event_row,
    listed_room,
    options_json,
    result_row,
    room_event,
    room_result,
    room_row,
    room_settings,
)

MAX_DELETED = 100  # rooms that one call of `delete_old` deletes

log = logging.getLogger("quincunx.web")


@dataclass
class PendingWrite:
    """Rows that are written together or not at all, and the future that their caller awaits."""

    done: asyncio.Future[None]
    rooms: list[RoomSettings] = field(default_factory=list)
    events: list[tuple[str, Event]] = field(default_factory=list)
    results: list[RoomResult] = field(default_factory=list)
    changes: list[Executable] = field(default_factory=list)


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
        async with self._engine.connect() as connection:
            await connection.run_sync(upgrade)
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

    async def set_hashes(self, room_id: str, hashes: Sequence[str]) -> None:
        """Replaces the hashes of a room's seats."""
        await self._set(room_id, hashes=json.dumps(hashes))

    async def set_summary(self, room_id: str, summary: dict[str, Any]) -> None:
        """Stores the entry of a room in lists."""
        await self._set(room_id, summary=json.dumps(summary))

    async def quarantine(self, room_id: str, reason: str) -> None:
        """Keeps a room out of lists, with the reason; an empty reason ends that."""
        await self._set(room_id, quarantine=reason)

    async def _set(self, room_id: str, **values: str) -> None:
        await self._submit(changes=[update(ROOMS).where(ROOMS.c.id == room_id).values(**values)])

    async def delete(self, room_id: str) -> None:
        """Deletes a room with its events and its result."""
        await self._submit(
            changes=[
                delete(RESULTS).where(RESULTS.c.room == room_id),
                delete(EVENTS).where(EVENTS.c.room == room_id),
                delete(ROOMS).where(ROOMS.c.id == room_id),
            ]
        )

    async def delete_old(
        self, before_unplayed: int, before: int | None, keep: Collection[str] = ()
    ) -> list[str]:
        """Deletes some of the old rooms but not their results; returns their ids."""
        last_time = func.coalesce(
            select(func.max(EVENTS.c.time)).where(EVENTS.c.room == ROOMS.c.id).scalar_subquery(),
            ROOMS.c.created,
        )
        played = (
            select(EVENTS.c.room)
            .where(EVENTS.c.room == ROOMS.c.id, EVENTS.c.kind == "play")
            .exists()
        )
        is_old = (ROOMS.c.created < before_unplayed) & ~played
        if before is not None:
            is_old |= (ROOMS.c.created < before) & (last_time < before)
        query = select(ROOMS.c.id).where(is_old).order_by(ROOMS.c.created)
        async with self.engine.connect() as connection:
            found = (await connection.execute(query.limit(MAX_DELETED + len(keep)))).scalars()
            old = [room_id for room_id in found if room_id not in keep][:MAX_DELETED]
        if old:
            await self._submit(
                changes=[
                    delete(EVENTS).where(EVENTS.c.room.in_(old)),
                    delete(ROOMS).where(ROOMS.c.id.in_(old)),
                ]
            )
        return old

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
        rooms = [room_row(settings) for write in writes for settings in write.rooms]
        events = [event_row(room_id, item) for write in writes for room_id, item in write.events]
        results = [result_row(result) for write in writes for result in write.results]
        for table, rows in ((ROOMS, rooms), (EVENTS, events), (RESULTS, results)):
            if rows:
                await connection.execute(table.insert(), rows)
        for row in results:
            set_finished = update(ROOMS).values(finished=row["time"])
            await connection.execute(set_finished.where(ROOMS.c.id == row["room"]))
        for write in writes:
            for change in write.changes:
                await connection.execute(change)

    async def load(self, room_id: str) -> tuple[RoomSettings, list[Event]] | None:
        """Returns a room and all its events in order; None if there is no such room."""
        async with self.engine.connect() as connection:
            row = (await connection.execute(select(ROOMS).where(ROOMS.c.id == room_id))).first()
            if row is None:
                return None
            query = select(EVENTS).where(EVENTS.c.room == room_id).order_by(EVENTS.c.number)
            event_rows = (await connection.execute(query)).all()
        return room_settings(row), [room_event(event_row) for event_row in event_rows]

    async def listed_rooms(
        self, finished: bool | None, game: str, before: int | None, count: int
    ) -> list[ListedRoom]:
        """Returns the entries of listed rooms, the newest first."""
        query = (
            select(ROOMS.c.id, ROOMS.c.game, ROOMS.c.created, ROOMS.c.summary)
            .where(ROOMS.c.listed, ROOMS.c.quarantine == "")
            .order_by(ROOMS.c.created.desc())
        )
        if finished is not None:
            query = query.where(ROOMS.c.finished > 0 if finished else ROOMS.c.finished == 0)
        if game:
            query = query.where(ROOMS.c.game == game)
        if before is not None:
            query = query.where(ROOMS.c.created < before)
        async with self.engine.connect() as connection:
            return [listed_room(row) for row in await connection.execute(query.limit(count))]

    async def count_rooms(self, owner: str, since: int) -> int:
        """Returns the number of rooms that an owner has created since a time."""
        query = (
            select(func.count())
            .select_from(ROOMS)
            .where(ROOMS.c.owner == owner, ROOMS.c.created >= since)
        )
        async with self.engine.connect() as connection:
            return int((await connection.execute(query)).scalar_one())

    async def secret(self) -> bytes:
        """Returns the 32 random bytes of this server, which are created once."""
        async with self.engine.begin() as connection:
            stored = (await connection.execute(select(SECRET.c.secret))).scalar()
            if stored is None:
                stored = secrets.token_hex(32)
                await connection.execute(SECRET.insert().values(id=1, secret=stored))
            return bytes.fromhex(stored)

    async def ping(self) -> None:
        """Returns when the database answers; raises RequestError `busy` if it does not."""
        try:
            async with self.engine.connect() as connection:
                await connection.execute(select(1))
        except (SQLAlchemyError, OSError) as error:
            raise RequestError("busy", "the database does not answer") from error

    async def best_scores(
        self, game: str, seed: int | None, options: dict[str, Any], count: int
    ) -> list[RoomResult]:
        """Returns the best fair results of listed solo games with these options."""
        query = (
            select(RESULTS)
            .where(RESULTS.c.game == game, RESULTS.c.options == options_json(options))
            .where(RESULTS.c.fair, RESULTS.c.listed)
            .order_by(RESULTS.c.best.desc(), RESULTS.c.time)
            .limit(count)
        )
        if seed is not None:
            query = query.where(RESULTS.c.seed == seed)
        async with self.engine.connect() as connection:
            return [room_result(row) for row in await connection.execute(query)]

    async def recent_results(self, game: str, count: int) -> list[RoomResult]:
        """Returns the latest fair results of a game."""
        query = (
            select(RESULTS)
            .where(RESULTS.c.game == game, RESULTS.c.fair)
            .order_by(RESULTS.c.time.desc())
            .limit(count)
        )
        async with self.engine.connect() as connection:
            return [room_result(row) for row in await connection.execute(query)]

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
