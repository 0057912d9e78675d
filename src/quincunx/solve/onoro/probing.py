"""Table lookups, compiled: from the game's own position record to a code."""

from typing import NamedTuple

import numpy as np

from quincunx.games.onoro.kernel import WINDOW_WIDTH, apply
from quincunx.jit import jit, lowest_bit
from quincunx.solve.onoro.arrays import Bytes, Codes, Counts, Masks, Slots, Words
from quincunx.solve.onoro.shapes import MAX_SHAPE_CELLS, SCRATCH_SIZE, canonical, find_shape


class TableView(NamedTuple):
    """The arrays of a table for positions with one number of pawns on the board."""

    cells: Bytes
    table: Slots
    rank: Masks
    codes: Codes


class ProbeScratch(NamedTuple):
    """Scratch arrays for lookups; each thread needs its own."""

    q: Counts
    r: Counts
    words: Words
    order: Counts
    canonical: Counts


def new_scratch() -> ProbeScratch:
    """Returns newly allocated scratch arrays."""
    q, r, order = (np.empty(MAX_SHAPE_CELLS, np.int64) for _ in range(3))
    return ProbeScratch(q, r, np.empty(4, np.uint64), order, np.empty(SCRATCH_SIZE, np.int64))


@jit
def code_of(s, view, scratch):
    """Returns the code of a position, which must be in the table."""
    n = own = 0
    for side in range(2):
        seat = s.turn if side == 0 else 1 - s.turn
        for w in range(4):
            bits = s.pawns[seat, w]
            while bits:
                c = 64 * w + lowest_bit(bits)
                bits &= bits - np.uint64(1)
                scratch.q[n] = c % WINDOW_WIDTH
                scratch.r[n] = c // WINDOW_WIDTH
                n += 1
        if side == 0:
            own = n
    canonical(scratch.q, scratch.r, n, scratch.words, scratch.order, scratch.canonical)
    colouring = 0
    for i in range(own):
        colouring |= 1 << scratch.order[i]
    shape = find_shape(scratch.words, view.cells, view.table, n)
    return np.int64(view.codes[shape, view.rank[colouring]])


@jit
def codes_of(positions, view, scratch, out):
    """Writes the codes of many positions with the same number of pawns on the board."""
    for i in range(len(positions)):
        out[i] = code_of(positions[i], view, scratch)


@jit
def codes_after(positions, actions, view, scratch, out):
    """Writes the code after each action in positions[0]; overwrites positions[1]."""
    for i in range(len(actions)):
        positions[1] = positions[0]
        apply(positions[1], np.int64(positions[0].turn), np.int64(actions[i]))
        out[i] = code_of(positions[1], view, scratch)
