"""Onoro, solved by retrograde analysis: the functions of `quincunx.solve.protocol.Solver`."""

from __future__ import annotations

from contextlib import closing
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from quincunx.errors import MissingTable
from quincunx.machine import data_home
from quincunx.solve.protocol import DEFAULT_RESOURCES, Resources

if TYPE_CHECKING:
    from quincunx.game import Game
    from quincunx.solve.onoro.reader import TableReader
    from quincunx.solve.protocol import Directory, Report

ON_DEMAND_PAWNS = 5  # tables of up to this many pawns a side are built when first needed


def available(game: Game, directory: Directory = None) -> bool:
    """Returns whether the table exists or can be built in seconds."""
    return _pawns(game) <= ON_DEMAND_PAWNS or table_path(game, directory).exists()


def missing_table(game: Game, directory: Directory = None) -> MissingTable:
    """Returns the error for a table that is not available; it says how to build it."""
    pawns = _pawns(game)
    return MissingTable(
        "pawns",
        pawns,
        str(table_path(game, directory).parent),
        f"quincunx solve {game.name} --pawns {pawns}",
        f"Tables for up to {ON_DEMAND_PAWNS} pawns a side are built on demand",
    )


def open_table(game: Game, directory: Directory = None) -> TableReader:
    """Opens the table, and builds it first if that takes seconds; raises MissingTable.

    The table stays open.
    """
    path = table_path(game, directory)
    if not available(game, directory):
        raise missing_table(game, directory)
    return _open_table(_pawns(game), path)


@cache
def _open_table(pawns: int, path: Path) -> TableReader:
    from quincunx.solve.onoro.reader import TableReader
    from quincunx.solve.onoro.solver import solve

    return TableReader(solve(pawns, path, wait=True))


def table_path(game: Game, directory: Directory = None) -> Path:
    """Returns the path of the table for the game's number of pawns."""
    return Path(directory or data_home()) / f"{game.name}-{_pawns(game)}.table"


def describe(game: Game) -> str:
    """Returns the options that the table depends on, as words for people."""
    return f"{_pawns(game)} pawns a side"


def infer_options(game: Game, position: str) -> Game:
    """Returns the game with the number of pawns that a text has, if both sides have the same."""
    black, white = position.count("B"), position.count("W")
    if "pawns" not in game.changed_options and black == white and 3 <= black < 8:
        return game.configured(pawns=black)
    return game


def required_bytes(game: Game) -> dict[str, int]:
    """Returns the bytes that building needs: `memory`, working files (`work`) and `table`."""
    from quincunx.solve.onoro.solver import required_bytes

    return required_bytes(_pawns(game))


def build(
    game: Game, directory: Directory = None, resources: Resources = DEFAULT_RESOURCES
) -> Path:
    """Builds the table if there is none, or continues an earlier run; returns its path."""
    from quincunx.solve.onoro.solver import solve

    return solve(
        _pawns(game),
        table_path(game, directory),
        resources.threads,
        resources.memory,
        resources.progress,
        on=resources.on,
    ).path


def report(game: Game, directory: Directory = None) -> Report:
    """Returns the result of the start position and the numbers of positions by result."""
    from quincunx.solve.onoro.reports import table_report

    return table_report(open_table(game, directory).table)


def verify(
    game: Game, directory: Directory = None, resources: Resources = DEFAULT_RESOURCES
) -> Report:
    """Checks every entry of the table; raises BadTable that names the first wrong one.

    Saves a game with the longest win beside the table.
    """
    from quincunx.solve.onoro import verification
    from quincunx.solve.onoro.reports import verification_report
    from quincunx.solve.onoro.threads import ThreadTeam

    table = open_table(game, directory).table
    with closing(ThreadTeam(resources.threads)) as team:
        checked = verification.verify(table, team, resources.progress)
    record = verification.longest_win(table)
    file = table.path.with_suffix(".longest.qx")
    record.save(file)
    return verification_report(checked, record, file)


def estimate(
    game: Game,
    sample: int,
    directory: Directory = None,
    resources: Resources = DEFAULT_RESOURCES,
) -> Report:
    """Estimates the time to build the table, from a measurement on this number of shapes."""
    from quincunx.solve.onoro.sample import measure
    from quincunx.solve.onoro.threads import ThreadTeam

    path = table_path(game, directory)
    with closing(ThreadTeam(resources.threads)) as team:
        return measure(_pawns(game), sample, path, team, resources.progress).report()


def search_placing(game: Game) -> Report:
    """Searches for a win that can be forced before all pawns are placed."""
    from quincunx.solve.onoro.forced import winner_within
    from quincunx.solve.onoro.reports import placing_report

    start = game.start(0)
    plies = 2 * _pawns(game) - int(start.position.placed)
    return placing_report(game, plies, winner_within(start, plies))


def _pawns(game: Game) -> int:
    """Returns the number of pawns of each side."""
    return int(game.options["pawns"])
