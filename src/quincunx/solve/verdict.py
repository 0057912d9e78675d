"""What a table says of a position, for people: won, drawn or lost, how soon, and every move."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from quincunx.game import State
from quincunx.solve import probing, shape_sets
from quincunx.solve.probing import Shelf
from quincunx.solve.retrograde import LOST_NOW, OPEN
from quincunx.solve.tablebase import Tablebase


@dataclass(frozen=True)
class Verdict:
    """How a position, or a move, ends when both sides play their best.

    The winner hurries and the loser delays. A verdict on a position is for the side to move and
    has one for each legal move, which is for who plays it.
    """

    value: Literal["win", "draw", "loss"]
    distance: int | None = None  # plies to the end; None for a draw
    moves: Mapping[str, Verdict] = field(default_factory=dict)

    @property
    def rank(self) -> tuple[int, int]:
        """The greater, the better: quick wins first, then draws, then slow losses."""
        if self.value == "draw":
            return 0, 0
        plies = self.distance or 0
        return (1, -plies) if self.value == "win" else (-1, plies)

    def __str__(self) -> str:
        if self.value == "draw":
            return "draw"
        return f"{self.value} in {self.distance}"


def verdict_from_code(code: int, moves: Mapping[str, Verdict] | None = None) -> Verdict:
    """The verdict that a code stands for."""
    if code == OPEN:
        return Verdict("draw", None, moves or {})
    return Verdict("win" if code & 1 else "loss", code - LOST_NOW, moves or {})


def move_verdict(code: int) -> Verdict:
    """The verdict on a move that leads to a position with this code."""
    if code == OPEN:
        return Verdict("draw")
    return Verdict("loss" if code & 1 else "win", code - LOST_NOW + 1)


class TableReader:
    """Looks up positions in a table."""

    def __init__(self, table: Tablebase) -> None:
        self.table = table
        self._shelves: dict[int, Shelf] = {}

    def shelf(self, n: int) -> Shelf:
        """What the table has of positions with n pawns on the board."""
        if n not in self._shelves:
            size = self.table.mapped.size(n)
            codes = self.table.mapped.codes(n)
            self._shelves[n] = Shelf(size.cells, size.table, shape_sets.colours(n).rank, codes)
        return self._shelves[n]

    def code(self, state: State) -> int:
        """The code of a position."""
        s = state._s
        return int(probing.code_of(s, self.shelf(int(s.placed)), probing.desk()))

    def codes_after(self, state: State) -> tuple[list[int], list[int]]:
        """The legal actions, and the code of the position after each."""
        actions = np.array(state.actions(), np.int64)
        room, codes = state.game.empty_positions(2), np.empty(len(actions), np.int64)
        room[0] = state._s
        after = min(int(state._s.placed) + 1, 2 * self.table.pawns)
        probing.codes_after(room, actions, self.shelf(after), probing.desk(), codes)
        return actions.tolist(), codes.tolist()

    def verdict(self, state: State) -> Verdict:
        """What the table says of a position and of every move in it."""
        if state.over:
            return Verdict("loss", 0) if state.winners else Verdict("draw")
        format_move: Any = state.game.parts.notation.format_move
        moves = {
            format_move(state.game, state._s, action): move_verdict(code)
            for action, code in zip(*self.codes_after(state), strict=True)
        }
        best = sorted(moves, key=lambda move: moves[move].rank, reverse=True)
        return verdict_from_code(self.code(state), {move: moves[move] for move in best})
