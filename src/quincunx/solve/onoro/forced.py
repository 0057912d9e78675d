"""A search for wins that can be forced within some plies, over the game's own rules, compiled.

It shares no code with the kernels that solve, so that it can check their results.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from quincunx.games.onoro.kernel import MAX_LEGAL, apply, evaluate, key, legal
from quincunx.jit import jit
from quincunx.position import mix

if TYPE_CHECKING:
    from quincunx.game import State

TABLE_ENTRIES = 1 << 20


@jit
def _order_moves(s, scratch, moves, scores):
    """Writes the legal moves, best first by evaluation.

    Returns their number and whether one wins at once; if so, the order is incomplete.
    """
    mover = np.int64(s.turn)
    n = legal(s, mover, moves)
    for i in range(n):
        scratch[0] = s
        apply(scratch[0], mover, np.int64(moves[i]))
        if scratch[0].over and scratch[0].winner == mover:
            return n, True
        # Insertion sort by the other side's evaluation, ascending.
        move, score = moves[i], evaluate(scratch[0], 1 - mover)
        j = i
        while j > 0 and scores[j - 1] > score:
            moves[j], scores[j] = moves[j - 1], scores[j - 1]
            j -= 1
        moves[j], scores[j] = move, score
    return n, False


@jit
def can_force(states, moves, scores, counts, tried, table, plies, seat):
    """Returns whether a seat can force a win from states[0] within a number of plies.

    Depth-first search without recursion: states[d], row d of moves and scores, counts[d] and
    tried[d] belong to depth d; states[-1] is scratch. An entry of `table` is the hash of a
    position and its remaining plies, with the result in the lowest bit.
    """
    depth = 0
    enter = True
    wins = False
    one = np.uint64(1)
    while True:
        s = states[depth]
        if enter:
            leave = True
            if s.over:
                wins = s.winner == seat
            elif depth == plies:
                wins = False
            else:
                hashed = mix(key(s) + np.uint64(2 * (plies - depth) + seat)) & ~one
                entry = table[hashed >> np.uint64(8) & np.uint64(len(table) - 1)]
                if entry & ~one == hashed:
                    wins = entry & one == one
                else:
                    n, wins_at_once = _order_moves(s, states[-1:], moves[depth], scores[depth])
                    counts[depth] = n
                    tried[depth] = 0
                    wins = s.turn == seat
                    leave = wins_at_once
        else:
            # Leave when a move gave the result that the side to move wants, or all were tried.
            leave = wins == (s.turn == seat) or tried[depth] == counts[depth]
            if leave:
                hashed = mix(key(s) + np.uint64(2 * (plies - depth) + seat)) & ~one
                table[hashed >> np.uint64(8) & np.uint64(len(table) - 1)] = hashed | (
                    one if wins else np.uint64(0)
                )
        if leave:
            if depth == 0:
                return wins
            depth -= 1
            enter = False
            continue
        states[depth + 1] = s
        apply(states[depth + 1], np.int64(s.turn), np.int64(moves[depth, tried[depth]]))
        tried[depth] += 1
        depth += 1
        enter = True


class ForcedWinSearch:
    """The arrays of a search of up to `plies` plies, allocated once."""

    def __init__(self, plies: int, entries: int = TABLE_ENTRIES) -> None:
        self.plies = plies
        self._moves = np.empty((plies + 1, MAX_LEGAL), np.int32)
        self._scores = np.empty((plies + 1, MAX_LEGAL))
        self._counts, self._tried = (np.zeros(plies + 1, np.int64) for _ in range(2))
        self._table = np.zeros(entries, np.uint64)

    def can_force(self, state: State, seat: int, plies: int) -> bool:
        """Returns whether the seat can force a win within `plies` plies."""
        states = state.game.empty_positions(self.plies + 2)
        states[0] = state.position
        buffers = self._moves, self._scores, self._counts, self._tried, self._table
        return bool(can_force(states, *buffers, plies, seat))


def winner_within(state: State, plies: int) -> int | None:
    """Returns the seat that can force a win within `plies` plies, or None."""
    search = ForcedWinSearch(plies, 1 << 22)
    for seat in range(state.game.seats):
        if search.can_force(state, seat, plies):
            return seat
    return None
