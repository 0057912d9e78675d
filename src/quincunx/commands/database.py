"""What `serve` does with the database instead of serving: back it up, and check it."""

from __future__ import annotations

import asyncio
import sqlite3
from pathlib import Path

import typer
from rich.markup import escape
from rich.table import Table

from quincunx.commands.console import (
    EXIT_FAILED,
    fail,
    fail_usage,
    out,
    printable,
    without_password,
)
from quincunx.commands.progress import counting_progress
from quincunx.errors import MissingExtra
from quincunx.phrases import quantity

MAX_PROBLEMS = 200  # rows of the table


def back_up(url: str, target: Path, force: bool) -> None:
    """Writes a copy of a database in SQLite to a file; exits with an error if that fails."""
    from sqlalchemy.engine import make_url
    from sqlalchemy.exc import ArgumentError

    from quincunx.web.backup import copy_database
    from quincunx.web.database import sqlite_path

    try:
        source = sqlite_path(make_url(url))
    except ArgumentError as error:
        fail(f"--database {without_password(url)}: {error}")
    if source is None:
        fail_usage("--backup: for PostgreSQL, use its own program: pg_dump")
    if not source.is_file():
        fail(f"--backup: there is no database {source}")
    if target.exists() and (target.is_dir() or target.samefile(source)):
        fail_usage(f"--backup {target}: not a file that could be replaced")
    if target.exists() and not force:
        fail(f"--backup {target}: the file exists; replace it with --force")
    try:
        copy_database(source, target)
    except (sqlite3.Error, OSError) as error:
        fail(f"--backup {target}: {error}")
    size = target.stat().st_size / 1e6
    out.print(f"Wrote {target} ({size:,.1f} MB).", markup=False, soft_wrap=True)


def check(url: str) -> None:
    """Prints what is wrong with a database; exits with 1 if anything is."""
    from sqlalchemy.exc import SQLAlchemyError

    from quincunx.web.database import UnusableDatabase
    from quincunx.web.database_check import check_database

    with counting_progress() as progress:
        bar = progress.add_task("Checking rooms", total=None)

        def show(done: int, total: int) -> None:
            progress.update(bar, completed=done, total=total)

        try:
            report = asyncio.run(check_database(url, show))
        except ModuleNotFoundError as error:
            raise MissingExtra("scale", f"a database with {error.name}") from error
        except (SQLAlchemyError, UnusableDatabase, OSError) as error:
            reason = str(getattr(error, "orig", None) or error).splitlines()[0]
            fail(f"--check: {reason}")
    counts = f"{quantity(report.rooms, 'room')} with {quantity(report.events, 'event')}"
    if not report.problems:
        out.print(f"Checked {counts}: nothing is wrong.")
        return
    table = Table("room", "game", "what is wrong", title=quantity(len(report.problems), "problem"))
    for problem in report.problems[:MAX_PROBLEMS]:
        cells = (problem.room or "(database)", problem.game, problem.text)
        table.add_row(*(escape(printable(cell)) for cell in cells))
    out.print(table)
    out.print(f"Checked {counts}.")
    raise typer.Exit(EXIT_FAILED)
