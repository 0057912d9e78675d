"""Copies of a database in SQLite that may be in use.

Copying the file alone would miss what is still in the write-ahead log. SQLite's own backup reads
both, in one transaction, while others go on writing.
"""

from __future__ import annotations

import os
import secrets
import sqlite3
from contextlib import closing, suppress
from pathlib import Path

LOCK_SECONDS = 10.0  # how long a copy waits for another process


def copy_database(source: Path, target: Path) -> None:
    """Writes a complete copy of a database to a file, which is replaced if it exists.

    The copy is written beside it, checked and flushed to the disk before it gets its name. Raises
    sqlite3.Error or OSError, and leaves nothing behind.
    """
    temporary = target.with_name(f".{target.name}-{secrets.token_hex(4)}.part")
    try:
        temporary.touch(source.stat().st_mode & 0o777, exist_ok=False)  # it holds secrets
        uri = f"{source.absolute().as_uri()}?mode=rw"
        with (
            closing(sqlite3.connect(uri, uri=True, timeout=LOCK_SECONDS)) as original,
            closing(sqlite3.connect(temporary)) as copy,
        ):
            original.backup(copy)
            copy.execute("PRAGMA journal_mode=DELETE")  # one file, without a log beside it
            problems = integrity_problems(copy)
            if problems:
                raise sqlite3.DatabaseError(f"the database is damaged: {problems[0]}")
        _flush(temporary)
        os.replace(temporary, target)
        _flush(target.absolute().parent)
    finally:
        for suffix in ("", "-journal", "-wal", "-shm"):
            temporary.with_name(temporary.name + suffix).unlink(missing_ok=True)


def integrity_problems(connection: sqlite3.Connection) -> list[str]:
    """Returns what SQLite finds wrong with the structure of a database."""
    rows = connection.execute("PRAGMA integrity_check").fetchall()
    return [text for (text,) in rows if text != "ok"]


def _flush(path: Path) -> None:
    """Waits until a file, or the names in a directory, are on the disk."""
    with suppress(PermissionError, IsADirectoryError):  # Windows cannot open a directory
        descriptor = os.open(path, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
