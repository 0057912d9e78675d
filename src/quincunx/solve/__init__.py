"""Onoro, solved: `probe(state)` returns who wins, how soon, and the result of each move."""

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

SOLVED_GAME = "onoro"
ON_DEMAND_PAWNS = 5  # tables of up to this many pawns a side are built when first needed


def probe(state: State, directory: str | Path | None = None) -> Verdict:
    """Returns the table's verdict of a position of Onoro; raises MissingTable without a table.

    A table knows positions, not their history: it does not count how often a position occurred,
    and so does not see draws by repetition.
    """
    if state.game.name != SOLVED_GAME:
        raise BadOption("game", state.game.name, f"only {SOLVED_GAME} is solved")
    return table_reader(int(state.game.options["pawns"]), directory).verdict(state)


def table_path(pawns: int, directory: str | Path | None = None) -> Path:
    """Returns the path of the table for a number of pawns a side."""
    return Path(directory or data_home()) / f"{SOLVED_GAME}-{pawns}.table"


def is_available(pawns: int) -> bool:
    """Returns whether the table for a number of pawns a side exists or can be built in seconds."""
    return pawns <= ON_DEMAND_PAWNS or table_path(pawns).exists()


def open_table(pawns: int, directory: str | Path | None = None) -> Tablebase:
    """Opens the table for a number of pawns a side, and builds it first if that takes seconds.

    Raises MissingTable if it does not exist and takes longer.
    """
    from quincunx.solve.solver import solve
    from quincunx.solve.tablebase import Tablebase

    path = table_path(pawns, directory)
    if path.exists():
        return Tablebase.open(path)
    if pawns > ON_DEMAND_PAWNS:
        raise MissingTable(pawns, str(path.parent))
    return solve(pawns, path, wait=True)


def table_reader(pawns: int, directory: str | Path | None = None) -> TableReader:
    """Returns a reader of the table for a number of pawns a side, which stays open."""
    return _table_reader(pawns, table_path(pawns, directory))


@cache
def _table_reader(pawns: int, path: Path) -> TableReader:
    from quincunx.solve.verdict import TableReader

    return TableReader(open_table(pawns, path.parent))
