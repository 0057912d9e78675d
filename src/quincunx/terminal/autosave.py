"""Autosaves: one unfinished game of each kind in the data folder, written after every move."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from quincunx.errors import BadRecord
from quincunx.machine import data_home
from quincunx.record import Record


def autosave_path(name: str) -> Path:
    """Returns the path of the autosave of a game, by the game's name."""
    return data_home() / "unfinished" / f"{name}.qx"


def update_autosave(record: Record) -> None:
    """Writes the autosave of an unfinished game, or deletes it if the game is over."""
    path = autosave_path(record.game.name)
    if record.result is not None:
        path.unlink(missing_ok=True)
    elif record.moves:
        path.parent.mkdir(parents=True, exist_ok=True)
        record.save(path)


def has_autosave(name: str) -> bool:
    """Returns whether there is an autosave of a game."""
    return autosave_path(name).is_file()


def latest_autosave() -> str:
    """Returns the name of the game that was saved last, or an empty string."""
    files = sorted(autosave_path("*").parent.glob("*.qx"), key=lambda path: path.stat().st_mtime_ns)
    return files[-1].stem if files else ""


def load_autosave(name: str) -> Record | None:
    """Returns the autosave of a game, or None if it is missing or cannot be read."""
    with suppress(OSError, BadRecord):
        return Record.load(autosave_path(name))
    return None
