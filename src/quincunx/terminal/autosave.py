"""Unfinished games, kept for this user after every move: one of each kind."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from quincunx.errors import BadRecord
from quincunx.machine import data_home
from quincunx.record import Record


def autosave_path(name: str) -> Path:
    """Where the unfinished game of that name is kept."""
    return data_home() / "unfinished" / f"{name}.qx"


def update_autosave(record: Record) -> None:
    """Keeps a game that is not over; forgets the one of its kind that was, if it is over."""
    path = autosave_path(record.game.name)
    if record.result is not None:
        path.unlink(missing_ok=True)
    elif record.moves:
        path.parent.mkdir(parents=True, exist_ok=True)
        record.save(path)


def has_autosave(name: str) -> bool:
    """True when there is an unfinished game of that name."""
    return autosave_path(name).is_file()


def latest_autosave() -> str:
    """The name of the game that was kept last; empty if none is."""
    files = sorted(autosave_path("*").parent.glob("*.qx"), key=lambda path: path.stat().st_mtime_ns)
    return files[-1].stem if files else ""


def load_autosave(name: str) -> Record | None:
    """The unfinished game of that name, as far as it can be read."""
    with suppress(OSError, BadRecord):
        return Record.load(autosave_path(name))
    return None
