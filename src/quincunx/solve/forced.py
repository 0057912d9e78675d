"""What a side can force within some plies: plain search over the game's own rules, compiled.

It shares nothing with the kernels that solve, and so can tell whether they are right.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from quincunx.game import State
from quincunx.games.onoro.kernel import MAX_LEGAL, apply, evaluate, key, legal
from quincunx.jit import jit
from quincunx.position import mix

ENTRIES = 1 << 20


@jit
def _arrange(s, room, moves, urges):
    """Lists the legal moves, those first that look best; how many, and whether one wins at once."""
    mover = np.int64(s.turn)
    n = legal(s, mover, moves)
    for i in range(n):
        room[0] = s
        apply(room[0], mover, np.int64(moves[i]))
        if room[0].over and room[0].winner == mover:
            return n, True
        # Insertion by what the other side thinks of it.
        move, urge = moves[i], evaluate(room[0], 1 - mover)
        j = i
        while j > 0 and urges[j - 1] > urge:
            moves[j], urges[j] = moves[j - 1], urges[j - 1]
            j -= 1
        moves[j], urges[j] = move, urge
    return n, False


@jit
def can_force(states, moves, urges, counts, tried, table, plies, seat):
    """True when a seat wins within so many plies from states[0], whatever the other side does.

    Depth first without recursion: states[d], row d of moves and urges, counts[d] and tried[d]
    belong to ply d; states[-1] is scratch. Each entry of `table` remembers a position with the
    plies left, and in its lowest bit what was found.
    """
    depth = 0
    enter = True
    found = False
    one = np.uint64(1)
    while True:
        s = states[depth]
        if enter:
            leave = True
            if s.over:
                found = s.winner == seat
            elif depth == plies:
                found = False
            else:
                mark = mix(key(s) + np.uint64(2 * (plies - depth) + seat)) & ~one
                entry = table[mark >> np.uint64(8) & np.uint64(len(table) - 1)]
                if entry & ~one == mark:
                    found = entry & one == one
                else:
                    n, at_once = _arrange(s, states[-1:], moves[depth], urges[depth])
                    counts[depth] = n
                    tried[depth] = 0
                    found = s.turn == seat
                    leave = at_once
        else:
            # A seat that may choose has found what it wants, or has tried all.
            leave = found == (s.turn == seat) or tried[depth] == counts[depth]
            if leave:
                mark = mix(key(s) + np.uint64(2 * (plies - depth) + seat)) & ~one
                table[mark >> np.uint64(8) & np.uint64(len(table) - 1)] = mark | (
                    one if found else np.uint64(0)
                )
        if leave:
            if depth == 0:
                return found
            depth -= 1
            enter = False
            continue
        states[depth + 1] = s
        apply(states[depth + 1], np.int64(s.turn), np.int64(moves[depth, tried[depth]]))
        tried[depth] += 1
        depth += 1
        enter = True


class Search:
    """Room for searches of up to so many plies."""

    def __init__(self, plies: int, entries: int = ENTRIES) -> None:
        self.plies = plies
        self._moves = np.empty((plies + 1, MAX_LEGAL), np.int32)
        self._urges = np.empty((plies + 1, MAX_LEGAL))
        self._counts, self._tried = (np.zeros(plies + 1, np.int64) for _ in range(2))
        self._table = np.zeros(entries, np.uint64)

    def can_force(self, state: State, seat: int, plies: int) -> bool:
        """True when the seat can force a win within so many plies."""
        states: Any = state.game.empty_positions(self.plies + 2)
        states[0] = state._s
        room = self._moves, self._urges, self._counts, self._tried, self._table
        return bool(can_force(states, *room, plies, seat))


def winner_within(state: State, plies: int) -> int | None:
    """The seat that can force a win within so many plies; None if neither can."""
    search = Search(plies, 1 << 22)
    for seat in range(state.game.seats):
        if search.can_force(state, seat, plies):
            return seat
    return None
