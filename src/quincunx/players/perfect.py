"""Perfect play of Onoro from a solved table."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from quincunx.errors import MissingTable
from quincunx.game import Game, State
from quincunx.options import Option, Value
from quincunx.players import MoveValue
from quincunx.solve import SOLVED_GAME, is_available, table_path, table_reader
from quincunx.solve.verdict import TableReader, move_verdict

OPTIONS: tuple[Option, ...] = ()
DESCRIPTION = "plays from a solved table (Onoro; `quincunx solve onoro` builds it)"

VALUES = {"win": 1.0, "draw": 0.0, "loss": -1.0}
MAX_LINE_PLIES = 8


class PerfectPlayer:
    """Wins as soon and loses as late as possible; breaks ties at random."""

    def __init__(self, table: TableReader, seed: int) -> None:
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
        ranked = []
        for action, code in zip(*self._table.codes_after(state), strict=True):
            verdict = move_verdict(code)
            line = self._line(state.act(action))
            value = VALUES[verdict.value]
            move_value = MoveValue(action, value, (action, *line), 1, verdict.distance)
            ranked.append((verdict.rank, move_value))
        ranked.sort(key=lambda pair: pair[0], reverse=True)
        return [move_value for _, move_value in ranked]

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
        actions, codes = self._table.codes_after(state)
        return {
            action: move_verdict(code).rank for action, code in zip(actions, codes, strict=True)
        }


def unsupported(game: Game) -> str:
    """Returns why it cannot play a game: not Onoro, or the solved table is missing."""
    if game.name != SOLVED_GAME:
        return f"plays {SOLVED_GAME} only, not {game.name}"
    pawns = int(game.options["pawns"])
    return "" if is_available(pawns) else MissingTable(pawns, str(table_path(pawns).parent)).allowed


def make(game: Game, options: Mapping[str, Value], seed: int) -> PerfectPlayer:
    """Returns a player for Onoro; its solved table must be available."""
    return PerfectPlayer(table_reader(int(game.options["pawns"])), seed)
