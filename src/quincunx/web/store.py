"""What is kept on disk: rooms, their events, and results. One writer, one commit for all waiting.

A change is told to people only after `Store.append` has returned, and that is after its commit.
SQLite is asked to reach the disk with every commit (WAL, synchronous=FULL), so that an
acknowledged move survives not only the end of the process but that of the machine; the wait
for the disk is shared by all rooms that moved meanwhile.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Sequence
from contextlib import suppress
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

from quincunx.web.rooms import Card, Event
from quincunx.web.wire import Refused

log = logging.getLogger("quincunx.web")

META = MetaData()
ROOMS = Table(
    "rooms",
    META,
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
    Column("finished", BigInteger, nullable=False),  # when the game ended, 0 before
    Index("rooms_by_time", "created"),
)
EVENTS = Table(
    "events",
    META,
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
    META,
    Column("room", String(32), primary_key=True),
    Column("game", String(32), nullable=False),
    Column("options", Text, nullable=False),
    Column("seed", BigInteger, nullable=False),
    Column("players", Text, nullable=False),
    Column("names", Text, nullable=False),
    Column("scores", Text, nullable=False),
    Column("winners", Text, nullable=False),
    Column("best", Float, nullable=False),  # the score of a solo game
    Column("fair", Boolean, nullable=False),  # from the start, and nothing taken back
    Column("listed", Boolean, nullable=False),
    Column("time", BigInteger, nullable=False),
    Index("results_by_game", "game", "best"),
)
# One row: when this server was last known to run, so that clocks do not count its absence.
PULSE = Table(
    "pulse",
    META,
    Column("id", Integer, primary_key=True),
    Column("time", BigInteger, nullable=False),
)
# The times in which it did not run, in their order: a move may be thought over during several.
ABSENCES = Table(
    "absences",
    META,
    Column("id", Integer, primary_key=True),
    Column("since", BigInteger, nullable=False),
    Column("until", BigInteger, nullable=False),
)


@dataclass(frozen=True)
class Result:
    """How a room's game ended, for lists of scores and ratings."""

    room: str
    game: str
    options: dict[str, Any]
    seed: int
    players: tuple[str, ...]
    names: tuple[str, ...]
    scores: tuple[float, ...]
    winners: tuple[int, ...]
    fair: bool
    listed: bool
    time: int


@dataclass
class Job:
    """What one caller waits for: rows that are written together or not at all."""

    done: asyncio.Future[None]
    rooms: list[Card] = field(default_factory=list)
    events: list[tuple[str, Event]] = field(default_factory=list)
    results: list[Result] = field(default_factory=list)


class Store:
    """The database."""

    def __init__(self, url: str) -> None:
        self.url = url
        self._engine: AsyncEngine | None = None
        self._waiting: list[Job] = []
        self._more = asyncio.Event()
        self._writer: asyncio.Task[None] | None = None

    @property
    def engine(self) -> AsyncEngine:
        """The connection pool, once the store is open."""
        assert self._engine is not None
        return self._engine

    async def open(self) -> None:
        """Opens the database, makes its tables if they are not there, starts the writer."""
        self._engine = create_async_engine(self.url)
        if self.url.startswith("sqlite"):
            event.listen(self._engine.sync_engine, "connect", _sqlite)
        async with self._engine.begin() as connection:
            await connection.run_sync(META.create_all)
        self._writer = asyncio.create_task(self._write_for_ever())

    async def close(self) -> None:
        """Writes what is waiting, and closes the database."""
        while self._waiting:
            await asyncio.sleep(0.01)
        if self._writer:
            self._writer.cancel()
            with suppress(asyncio.CancelledError):
                await self._writer
        if self._engine:
            await self._engine.dispose()

    async def add(self, card: Card, events: Sequence[Event] = ()) -> None:
        """Keeps a new room with the events it begins with; returns when it is on disk."""
        await self._put(rooms=[card], events=[(card.id, one) for one in events])

    async def append(self, room: str, event: Event, result: Result | None = None) -> None:
        """Keeps an event, and the result if it ended the game; returns when it is on disk."""
        await self._put(events=[(room, event)], results=[result] if result else [])

    async def _put(self, **rows: Any) -> None:
        job = Job(asyncio.get_running_loop().create_future(), **rows)
        self._waiting.append(job)
        self._more.set()
        await job.done

    async def _write_for_ever(self) -> None:
        """Takes all that is waiting, commits it at once, tells those who wait, and again."""
        while True:
            try:
                async with self.engine.connect() as connection:
                    while True:
                        await self._write_next(connection)
            except (SQLAlchemyError, OSError):
                log.exception("writing failed; the connection is opened anew")
                await asyncio.sleep(0.1)

    async def _write_next(self, connection: AsyncConnection) -> None:
        await self._more.wait()
        self._more.clear()
        jobs, self._waiting = self._waiting, []
        try:
            await self._write(connection, jobs)
            await connection.commit()
        except BaseException as error:
            for job in jobs:
                if not job.done.done():
                    job.done.set_exception(Refused("busy", "it could not be kept; try again"))
            raise error
        for job in jobs:
            if not job.done.done():
                job.done.set_result(None)

    async def _write(self, connection: AsyncConnection, jobs: list[Job]) -> None:
        rooms = [_room_row(card) for job in jobs for card in job.rooms]
        events = [_event_row(room, one) for job in jobs for room, one in job.events]
        results = [_result_row(one) for job in jobs for one in job.results]
        for table, rows in ((ROOMS, rooms), (EVENTS, events), (RESULTS, results)):
            if rows:
                await connection.execute(table.insert(), rows)
        for row in results:
            ended = update(ROOMS).where(ROOMS.c.id == row["room"])
            await connection.execute(ended.values(finished=row["time"]))

    async def load(self, room: str) -> tuple[Card, list[Event]] | None:
        """A room and all its events, in their order; None if there is no such room."""
        async with self.engine.connect() as connection:
            row = (await connection.execute(select(ROOMS).where(ROOMS.c.id == room))).first()
            if row is None:
                return None
            found = select(EVENTS).where(EVENTS.c.room == room).order_by(EVENTS.c.number)
            rows = (await connection.execute(found)).all()
        return _card(row), [_event(one) for one in rows]

    async def rooms(
        self, finished: bool | None, game: str, before: int | None, count: int
    ) -> list[tuple[str, str]]:
        """The ids and games of listed rooms, the newest first."""
        wanted = (
            select(ROOMS.c.id, ROOMS.c.game).where(ROOMS.c.listed).order_by(ROOMS.c.created.desc())
        )
        if finished is not None:
            wanted = wanted.where(ROOMS.c.finished > 0 if finished else ROOMS.c.finished == 0)
        if game:
            wanted = wanted.where(ROOMS.c.game == game)
        if before is not None:
            wanted = wanted.where(ROOMS.c.created < before)
        async with self.engine.connect() as connection:
            return [(row.id, row.game) for row in await connection.execute(wanted.limit(count))]

    async def scores(self, game: str, seed: int | None, options: str, count: int) -> list[Any]:
        """The best results of listed solo games that were played fairly, with these options."""
        wanted = (
            select(RESULTS)
            .where(RESULTS.c.game == game, RESULTS.c.options == options)
            .where(RESULTS.c.fair, RESULTS.c.listed)
            .order_by(RESULTS.c.best.desc(), RESULTS.c.time)
            .limit(count)
        )
        if seed is not None:
            wanted = wanted.where(RESULTS.c.seed == seed)
        async with self.engine.connect() as connection:
            return list((await connection.execute(wanted)).all())

    async def results(self, game: str, count: int) -> list[Any]:
        """The last results of a game: who played, and what they scored."""
        wanted = (
            select(RESULTS.c.players, RESULTS.c.scores, RESULTS.c.winners)
            .where(RESULTS.c.game == game, RESULTS.c.fair)
            .order_by(RESULTS.c.time.desc())
            .limit(count)
        )
        async with self.engine.connect() as connection:
            return list((await connection.execute(wanted)).all())

    async def pulse(self) -> int:
        """When a server on this database was last known to run; 0 if never."""
        async with self.engine.connect() as connection:
            return int((await connection.execute(select(PULSE.c.time))).scalar() or 0)

    async def beat(self, time: int) -> None:
        """Keeps that the server runs at this time."""
        async with self.engine.begin() as connection:
            await _beat(connection, time)

    async def back(self, time: int) -> list[tuple[int, int]]:
        """Keeps that the server runs again; all times in which none did, the last one last."""
        last = await self.pulse()
        async with self.engine.begin() as connection:
            await _beat(connection, time)  # together with the absence, which counts once
            if last:
                await connection.execute(ABSENCES.insert().values(since=last, until=time))
            rows = await connection.execute(select(ABSENCES).order_by(ABSENCES.c.id))
            return [(row.since, row.until) for row in rows]


async def _beat(connection: AsyncConnection, time: int) -> None:
    done = await connection.execute(update(PULSE).values(time=time))
    if not done.rowcount:
        await connection.execute(PULSE.insert().values(id=1, time=time))


def place(data: Path) -> str:
    """The address of the SQLite database in a folder, which is made if it is not there."""
    data.mkdir(parents=True, exist_ok=True)
    return f"sqlite+aiosqlite:///{data.absolute() / 'rooms.sqlite'}"


def _sqlite(connection: Any, _: Any) -> None:
    cursor = connection.cursor()
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "busy_timeout=10000"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def options_text(options: dict[str, Any]) -> str:
    """Options as one text, the same for the same options."""
    return json.dumps(options, sort_keys=True)


def _room_row(card: Card) -> dict[str, Any]:
    return {
        **vars(card),
        "options": options_text(card.options),
        "players": json.dumps(card.players),
        "hashes": json.dumps(card.hashes),
        "clock": json.dumps(card.clock),
        "finished": 0,
    }


def _card(row: Any) -> Card:
    clock = json.loads(row.clock)
    return Card(
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


def _event_row(room: str, one: Event) -> dict[str, Any]:
    return {
        "room": room,
        "number": one.number,
        "kind": one.kind,
        "seat": one.seat,
        "text": one.text,
        "time": one.time,
        "left": "" if one.left is None else ",".join(map(str, one.left)),
    }


def _event(row: Any) -> Event:
    left = tuple(int(part) for part in row.left.split(",")) if row.left else None
    return Event(row.number, row.kind, row.seat, row.text, row.time, left)


def _result_row(one: Result) -> dict[str, Any]:
    return {
        **vars(one),
        "options": options_text(one.options),
        "players": json.dumps(one.players),
        "names": json.dumps(one.names),
        "scores": json.dumps(one.scores),
        "winners": json.dumps(one.winners),
        "best": one.scores[0] if len(one.scores) == 1 else 0.0,
    }
