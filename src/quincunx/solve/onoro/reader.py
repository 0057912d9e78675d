"""The reader of a table: from positions to codes, and from codes to verdicts."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from quincunx.game import State
from quincunx.solve.onoro import probing, shape_sets
from quincunx.solve.onoro.probing import TableView
from quincunx.solve.onoro.retrograde import DRAW, LOST_NOW
from quincunx.solve.onoro.tablebase import Tablebase
from quincunx.solve.verdict import Verdict


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

    def action_verdicts(self, state: State) -> dict[int, Verdict]:
        """Returns the verdict of every legal action of an unfinished game, for the seat to move."""
        actions, codes = self.codes_after(state)
        return {action: move_verdict(code) for action, code in zip(actions, codes, strict=True)}

    def verdict(self, state: State) -> Verdict:
        """Returns the verdict of a position, with those of its moves, best first."""
        if state.over:
            return Verdict("loss", 0) if state.winners else Verdict("draw")
        format_move = state.game.parts.notation.format_move
        verdicts = self.action_verdicts(state)
        best_first = sorted(verdicts, key=lambda action: verdicts[action].rank, reverse=True)
        moves = {
            format_move(state.game, state.position, action): verdicts[action]
            for action in best_first
        }
        return verdict_from_code(self.code(state), moves)
