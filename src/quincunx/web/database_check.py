"""The check of a database: its structure, and every room replayed with the installed games."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.engine import URL, make_url
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.pool import NullPool

from quincunx.phrases import quantity
from quincunx.registry import game as game_named
from quincunx.rooms.replay import replay
from quincunx.web import queries
from quincunx.web.backup import copy_database, integrity_problems
from quincunx.web.database import make_engine, sqlite_path, sqlite_url
from quincunx.web.migrations import VERSION, stored_version, upgrade
from quincunx.web.tables import EVENTS, ROOMS, room_event, room_settings
from quincunx.web.writer import UnusableDatabase

ROOMS_AT_ONCE = 200


@dataclass(frozen=True)
class Problem:
    """What is wrong with a room, or with the database if `room` is empty."""

    room: str
    game: str
    text: str


@dataclass
class Report:
    """What a check has found."""

    rooms: int = 0
    events: int = 0
    problems: list[Problem] = field(default_factory=list)


async def check_database(url: str, progress: Callable[[int, int], None]) -> Report:
    """Returns what is wrong with a database, which is not changed; raises UnusableDatabase.

    `progress` is called with the number of rooms that have been checked, and of all rooms.
    """
    report = Report()
    async with _connection(make_url(url), report) as connection:
        if connection is not None:
            await _check_rooms(connection, report, progress)
    return report


@asynccontextmanager
async def _connection(url: URL, report: Report) -> AsyncIterator[AsyncConnection | None]:
    """Gives a connection to the database; None if its structure is damaged.

    A database in SQLite of a former version is copied, and the copy is upgraded.
    """
    path = sqlite_path(url)
    with TemporaryDirectory(prefix="quincunx-") as directory:
        if path is not None:
            if not path.is_file():
                raise UnusableDatabase(f"there is no database {path}")
            version = _check_structure(path, report)
            if report.problems:
                yield None
                return
            if version is not None and version < VERSION:
                url = make_url(sqlite_url(Path(directory)))
                copy_database(path, Path(url.database or ""))
        engine = make_engine(url, poolclass=NullPool)
        try:
            async with engine.connect() as connection:
                if Path(directory) in Path(url.database or "").parents:
                    await connection.run_sync(upgrade)
                await connection.run_sync(_check_version)
                yield connection
        finally:
            await engine.dispose()


def _check_structure(path: Path, report: Report) -> int | None:
    """Adds what SQLite finds wrong to the report; returns the version of the tables."""
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=rw", uri=True)) as database:
            report.problems += [Problem("", "", text) for text in integrity_problems(database)]
            names = {name for (name,) in database.execute("SELECT name FROM sqlite_master")}
            if "schema_version" not in names:
                return 1 if "rooms" in names else None
            row = database.execute("SELECT version FROM schema_version").fetchone()
            return int(row[0])
    except sqlite3.DatabaseError as error:
        report.problems.append(Problem("", "", str(error)))
        return None


def _check_version(connection: Any) -> None:
    version = stored_version(connection)
    if version != VERSION:
        found = "it has no tables" if version is None else f"its tables have version {version}"
        text = f"{found}, and version {VERSION} is expected: start a server with it first"
        raise UnusableDatabase(text)


async def _check_rooms(
    connection: AsyncConnection, report: Report, progress: Callable[[int, int], None]
) -> None:
    total = int((await connection.execute(select(func.count()).select_from(ROOMS))).scalar_one())
    last = ""
    while True:
        query = select(ROOMS).where(ROOMS.c.id > last).order_by(ROOMS.c.id).limit(ROOMS_AT_ONCE)
        rows = (await connection.execute(query)).all()
        if not rows:
            break
        for row in rows:
            events = (await connection.execute(queries.events_of(row.id))).all()
            problem = _room_problem(row, events)
            if problem:
                report.problems.append(Problem(row.id, row.game, problem))
            report.rooms += 1
            report.events += len(events)
            progress(report.rooms, total)
        last = rows[-1].id
    without_room = ~select(ROOMS.c.id).where(ROOMS.c.id == EVENTS.c.room).exists()
    orphans = select(EVENTS.c.room, func.count()).where(without_room).group_by(EVENTS.c.room)
    for room, count in await connection.execute(orphans):
        report.problems.append(
            Problem(room, "", f"{quantity(count, 'event')} of a room that is not stored")
        )


def _room_problem(row: Any, event_rows: Any) -> str:
    """Returns what is wrong with a room, or an empty text."""
    try:
        settings = room_settings(row)
        game = game_named(settings.game, **settings.options)
        replay(settings, [room_event(event_row) for event_row in event_rows], game)
    except Exception as error:  # whatever a damaged row or another version of a game raises
        reason = f"{type(error).__name__}: {error}"
        installed = _installed_rules(row.game)
        if row.rules > 0 and installed and row.rules not in installed:
            reason += f" (played by rules {row.rules}; {installed[-1]} are installed)"
        return reason
    return f"in quarantine: {row.quarantine}" if row.quarantine else ""


def _installed_rules(name: str) -> tuple[int, ...]:
    """Returns the versions of the rules that can be played; none if the game is not installed."""
    try:
        return game_named(name).rules_versions
    except Exception:
        return ()
