"""Unfinished games, kept for this user after every move: one of each kind."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from quincunx.errors import BadRecord
from quincunx.machine import data_home
from quincunx.record import Record


def kept_file(name: str) -> Path:
    """Where the unfinished game of that name is kept."""
    return data_home() / "unfinished" / f"{name}.qx"


def keep(record: Record) -> None:
    """Keeps a game that is not over; forgets the one of its kind that was, if it is over."""
    path = kept_file(record.game.name)
    if record.result is not None:
        path.unlink(missing_ok=True)
    elif record.moves:
        path.parent.mkdir(parents=True, exist_ok=True)
        record.save(path)


def is_kept(name: str) -> bool:
    """True when there is an unfinished game of that name."""
    return kept_file(name).is_file()


def latest() -> str:
    """The name of the game that was kept last; empty if none is."""
    files = sorted(kept_file("*").parent.glob("*.qx"), key=lambda path: path.stat().st_mtime_ns)
    return files[-1].stem if files else ""


def kept(name: str) -> Record | None:
    """The unfinished game of that name, as far as it can be read."""
    with suppress(OSError, BadRecord):
        return Record.load(kept_file(name))
    return None
