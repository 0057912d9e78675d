"""Plays Onoro from a solved table: never misses a win, never gives a draw away."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from quincunx.errors import MissingTable
from quincunx.game import Game, State
from quincunx.options import Option, Value
from quincunx.players import MoveValue
from quincunx.solve import GAME, is_available, table_path, table_reader
from quincunx.solve.verdict import TableReader, move_verdict

OPTIONS: tuple[Option, ...] = ()
DESCRIPTION = "plays from a solved table (Onoro; `quincunx solve onoro` makes it)"

VALUES = {"win": 1.0, "draw": 0.0, "loss": -1.0}
FAR = 8  # plies that are told of a line


class PerfectPlayer:
    """Wins as soon as it can, loses as late as it can; chooses by chance among equals."""

    def __init__(self, table: TableReader, seed: int) -> None:
        self._table = table
        self._dice = Random(seed)

    def choose(self, state: State, seat: int | None = None) -> int:
        """One of the best actions."""
        state.acting_seat(seat)
        ranks = self._ranks(state)
        best = max(ranks.values())
        return self._dice.choice([action for action, rank in ranks.items() if rank == best])

    def analyse_moves(self, state: State, seat: int | None = None) -> list[MoveValue]:
        """What every action leads to."""
        state.acting_seat(seat)
        opinions = []
        for action, code in zip(*self._table.codes_after(state), strict=True):
            verdict = move_verdict(code)
            line = self._line(state.act(action))
            value = VALUES[verdict.value]
            opinions.append(
                (verdict.rank, MoveValue(action, value, (action, *line), 1, verdict.distance))
            )
        return [opinion for _, opinion in sorted(opinions, key=lambda pair: pair[0], reverse=True)]

    def _line(self, state: State) -> list[int]:
        """How it would go on."""
        line: list[int] = []
        while not state.over and len(line) < FAR - 1:
            ranks = self._ranks(state)
            line.append(max(ranks, key=lambda action: ranks[action]))
            state = state.act(line[-1])
        return line

    def _ranks(self, state: State) -> dict[int, tuple[int, int]]:
        actions, codes = self._table.codes_after(state)
        return {
            action: move_verdict(code).rank for action, code in zip(actions, codes, strict=True)
        }


def unsupported(game: Game) -> str:
    """Why it does not play a game: only Onoro has tables, and not always."""
    if game.name != GAME:
        return f"plays {GAME} only, not {game.name}"
    pawns = int(game.options["pawns"])
    return "" if is_available(pawns) else MissingTable(pawns, str(table_path(pawns).parent)).allowed


def make(game: Game, options: Mapping[str, Value], seed: int) -> PerfectPlayer:
    """Plays Onoro, where its table is there."""
    return PerfectPlayer(table_reader(int(game.options["pawns"])), seed)
