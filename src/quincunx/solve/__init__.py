"""Exact answers for Onoro: `probe(state)` says who wins, how soon, and what each move leads to."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from quincunx.errors import BadOption, MissingTable
from quincunx.machine import data_home

if TYPE_CHECKING:
    from quincunx.game import State
    from quincunx.solve.tablebase import Tablebase
    from quincunx.solve.verdict import TableReader, Verdict

GAME = "onoro"
AT_ONCE = 5  # tables of so many pawns a side, or fewer, are made when they are asked for


def probe(state: State, directory: str | Path | None = None) -> Verdict:
    """What the table says of a position of Onoro; MissingTable if it is not there.

    A table knows positions, not how they came about: that the same position has stood before,
    and may be drawn when it stands once more, it does not see.
    """
    if state.game.name != GAME:
        raise BadOption("game", state.game.name, f"only {GAME} is solved")
    return table_reader(int(state.game.options["pawns"]), directory).verdict(state)


def table_path(pawns: int, directory: str | Path | None = None) -> Path:
    """Where the table for a number of pawns a side is kept."""
    return Path(directory or data_home()) / f"{GAME}-{pawns}.table"


def is_available(pawns: int) -> bool:
    """True when the table for a number of pawns a side is there, or is made in seconds."""
    return pawns <= AT_ONCE or table_path(pawns).exists()


def open_table(pawns: int, directory: str | Path | None = None) -> Tablebase:
    """The table for a number of pawns a side, made now if that takes seconds; MissingTable."""
    from quincunx.solve.solver import solve
    from quincunx.solve.tablebase import Tablebase

    path = table_path(pawns, directory)
    if path.exists():
        return Tablebase.open(path)
    if pawns > AT_ONCE:
        raise MissingTable(pawns, str(path.parent))
    return solve(pawns, path, wait=True)


def table_reader(pawns: int, directory: str | Path | None = None) -> TableReader:
    """A reader of the table for a number of pawns a side, kept open."""
    return _reader(pawns, table_path(pawns, directory))


@cache
def _reader(pawns: int, path: Path) -> TableReader:
    from quincunx.solve.verdict import TableReader

    return TableReader(open_table(pawns, path.parent))
