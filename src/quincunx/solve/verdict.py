"""Verdicts of a table: whether a position is won, drawn or lost, how soon, and for every move."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from quincunx.game import State
from quincunx.solve import probing, shape_sets
from quincunx.solve.probing import TableView
from quincunx.solve.retrograde import DRAW, LOST_NOW
from quincunx.solve.tablebase import Tablebase


@dataclass(frozen=True)
class Verdict:
    """The result of a position, or of a move, with best play by both sides.

    The winner wins as soon as possible and the loser delays. The verdict of a position is for the
    side to move, and so are the verdicts of its moves.
    """

    value: Literal["win", "draw", "loss"]
    distance: int | None = None  # plies to the end; None for a draw
    moves: Mapping[str, Verdict] = field(default_factory=dict)

    @property
    def rank(self) -> tuple[int, int]:
        """A sort key, greater is better: quick wins, slow wins, draws, slow losses, quick ones."""
        if self.value == "draw":
            return 0, 0
        plies = self.distance or 0
        return (1, -plies) if self.value == "win" else (-1, plies)

    def __str__(self) -> str:
        if self.value == "draw":
            return "draw"
        return f"{self.value} in {self.distance}"


def verdict_from_code(code: int, moves: Mapping[str, Verdict] | None = None) -> Verdict:
    """Returns the verdict of a position with this code."""
    if code == DRAW:
        return Verdict("draw", None, moves or {})
    return Verdict("win" if code & 1 else "loss", code - LOST_NOW, moves or {})


def move_verdict(code: int) -> Verdict:
    """Returns the verdict of a move that leads to a position with this code."""
    if code == DRAW:
        return Verdict("draw")
    return Verdict("loss" if code & 1 else "win", code - LOST_NOW + 1)


class TableReader:
    """Looks up positions in a table."""

    def __init__(self, table: Tablebase) -> None:
        self.table = table
        self._views: dict[int, TableView] = {}

    def view(self, n: int) -> TableView:
        """Returns the part of the table for positions with n pawns on the board."""
        if n not in self._views:
            shapes = self.table.mapped.shapes(n)
            rank, codes = shape_sets.colourings_of(n).rank, self.table.mapped.codes(n)
            self._views[n] = TableView(shapes.cells, shapes.table, rank, codes)
        return self._views[n]

    def code(self, state: State) -> int:
        """Returns the code of a position."""
        s = state.position
        return int(probing.code_of(s, self.view(int(s.placed)), probing.new_scratch()))

    def codes_after(self, state: State) -> tuple[list[int], list[int]]:
        """Returns the legal actions, and the code of the position after each."""
        actions = np.array(state.actions(), np.int64)
        positions, codes = state.game.empty_positions(2), np.empty(len(actions), np.int64)
        positions[0] = state.position
        pawns_after = min(int(state.position.placed) + 1, 2 * self.table.pawns)
        view, scratch = self.view(pawns_after), probing.new_scratch()
        probing.codes_after(positions, actions, view, scratch, codes)
        return actions.tolist(), codes.tolist()

    def verdict(self, state: State) -> Verdict:
        """Returns the verdict of a position, with those of its moves, best first."""
        if state.over:
            return Verdict("loss", 0) if state.winners else Verdict("draw")
        format_move: Any = state.game.parts.notation.format_move
        moves = {
            format_move(state.game, state.position, action): move_verdict(code)
            for action, code in zip(*self.codes_after(state), strict=True)
        }
        best_first = sorted(moves, key=lambda move: moves[move].rank, reverse=True)
        return verdict_from_code(self.code(state), {move: moves[move] for move in best_first})
