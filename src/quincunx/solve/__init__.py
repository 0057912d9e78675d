"""Solved games: `probe(state)` returns who wins, how soon, and the result of each move.

A game is solved by a module of its own (see `protocol`). Nothing else names that module.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, cast

from quincunx.errors import BadOption
from quincunx.solve.protocol import DEFAULT_RESOURCES, Resources

if TYPE_CHECKING:
    from quincunx.game import Game, State
    from quincunx.solve.protocol import Directory, Solver
    from quincunx.solve.verdict import Verdict

# The solver of each solved game, by the game's name; imported on first use.
SOLVERS = {"onoro": "quincunx.solve.onoro"}


def solver_of(game: str) -> Solver:
    """Returns the solver of the named game; raises BadOption if the game is not solved."""
    if game not in SOLVERS:
        raise BadOption("game", game, f"only {', '.join(SOLVERS)} can be solved")
    return cast("Solver", import_module(SOLVERS[game]))


def probe(state: State, directory: Directory = None) -> Verdict:
    """Returns the verdict of a position; raises MissingTable without a table.

    A table knows positions, not their history: it does not count how often a position occurred,
    and so does not see draws by repetition.
    """
    return solver_of(state.game.name).open_table(state.game, directory).verdict(state)


def available(game: Game, directory: Directory = None) -> bool:
    """Returns whether positions of a game can be probed; may build a small table for it."""
    return game.name in SOLVERS and solver_of(game.name).available(game, directory)


def build(
    game: Game, directory: Directory = None, resources: Resources = DEFAULT_RESOURCES
) -> Path:
    """Solves a game and returns the path of its table; continues a run that was stopped."""
    return solver_of(game.name).build(game, directory, resources)
