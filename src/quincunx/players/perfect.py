"""Perfect play from a solved table."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import TYPE_CHECKING

from quincunx import solve
from quincunx.game import Game, State
from quincunx.options import Option, Value
from quincunx.players import MoveValue

if TYPE_CHECKING:
    from quincunx.solve.protocol import SolvedTable

OPTIONS: tuple[Option, ...] = ()
DESCRIPTION = "plays from a solved table, which `quincunx solve` builds"

VALUES = {"win": 1.0, "draw": 0.0, "loss": -1.0}
MAX_LINE_PLIES = 8


class PerfectPlayer:
    """Wins as soon and loses as late as possible; breaks ties at random."""

    def __init__(self, table: SolvedTable, seed: int) -> None:
        self._table = table
        self._rng = Random(seed)

    def choose(self, state: State, seat: int | None = None) -> int:
        """Returns one of the best actions."""
        state.acting_seat(seat)
        ranks = self._ranks(state)
        best = max(ranks.values())
        return self._rng.choice([action for action, rank in ranks.items() if rank == best])

    def analyse_moves(self, state: State, seat: int | None = None) -> list[MoveValue]:
        """Returns the exact value of every legal move, the best first."""
        state.acting_seat(seat)
        verdicts = self._table.action_verdicts(state)
        best_first = sorted(verdicts, key=lambda action: verdicts[action].rank, reverse=True)
        return [
            MoveValue(
                action,
                VALUES[verdicts[action].value],
                (action, *self._line(state.act(action))),
                1,
                verdicts[action].distance,
            )
            for action in best_first
        ]

    def _line(self, state: State) -> list[int]:
        """Returns best play for both sides from a position."""
        line: list[int] = []
        while not state.over and len(line) < MAX_LINE_PLIES - 1:
            ranks = self._ranks(state)
            line.append(max(ranks, key=lambda action: ranks[action]))
            state = state.act(line[-1])
        return line

    def _ranks(self, state: State) -> dict[int, tuple[int, int]]:
        """Returns a sort key for every legal action; the greatest is the best."""
        verdicts = self._table.action_verdicts(state)
        return {action: verdict.rank for action, verdict in verdicts.items()}


def unsupported(game: Game) -> str:
    """Returns why it cannot play a game: it is not solved, or the solved table is missing."""
    if game.parts.rules.SOLVER is None:
        return f"plays games that have a solver, not {game.name}"
    solver = solve.solver_of(game)
    return "" if solver.available(game) else solver.missing_table(game).allowed


def make(game: Game, options: Mapping[str, Value], seed: int) -> PerfectPlayer:
    """Returns a player for a solved game; its table must be available."""
    return PerfectPlayer(solve.solver_of(game).open_table(game), seed)
