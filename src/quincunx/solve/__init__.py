"""Solved games: `probe(state)` returns who wins, how soon, and the result of each move.

A game is solved by a module of its own (see `protocol`), which its rules name as SOLVER.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, cast

from quincunx import registry
from quincunx.errors import BadOption
from quincunx.solve.protocol import DEFAULT_RESOURCES, Resources

if TYPE_CHECKING:
    from quincunx.game import Game, State
    from quincunx.solve.protocol import Directory, Solver
    from quincunx.solve.verdict import Verdict


def solved_games() -> tuple[str, ...]:
    """Returns the names of the games that have a solver."""
    return tuple(name for name in registry.games() if registry.solver(name))


def solver_of(game: Game) -> Solver:
    """Returns the solver of a game; raises BadOption if it has none."""
    solver = game.parts.rules.SOLVER
    if solver is None:
        raise BadOption("game", game.name, f"only {', '.join(solved_games())} can be solved")
    return cast("Solver", import_module(solver))


def probe(state: State, directory: Directory = None) -> Verdict:
    """Returns the verdict of a position; raises MissingTable without a table.

    A table knows positions, not their history: it does not count how often a position occurred,
    and so does not see draws by repetition.
    """
    return solver_of(state.game).open_table(state.game, directory).verdict(state)


def available(game: Game, directory: Directory = None) -> bool:
    """Returns whether positions of a game can be probed; may build a small table for it."""
    return game.parts.rules.SOLVER is not None and solver_of(game).available(game, directory)


def build(
    game: Game, directory: Directory = None, resources: Resources = DEFAULT_RESOURCES
) -> Path:
    """Solves a game and returns the path of its table; continues a run that was stopped."""
    return solver_of(game).build(game, directory, resources)
