"""Looking positions up in a table, compiled: from the game's own record to a code."""

from typing import Any, NamedTuple

import numpy as np

from quincunx.games.onoro.kernel import WINDOW_WIDTH, apply
from quincunx.jit import jit, lowest_bit
from quincunx.solve.shapes import MOST, ROOM, canonical, index_of


class Shelf(NamedTuple):
    """What is known of the positions with n pawns on the board."""

    cells: Any
    table: Any
    rank: Any
    codes: Any


class Desk(NamedTuple):
    """Room to look something up; one for each thread."""

    q: Any
    r: Any
    words: Any
    order: Any
    room: Any


def desk() -> Desk:
    """New room."""
    q, r, order = (np.empty(MOST, np.int64) for _ in range(3))
    return Desk(q, r, np.empty(4, np.uint64), order, np.empty(ROOM, np.int64))


@jit
def code_of(s, shelf, desk):
    """The code of a position that is in the table."""
    n = own = 0
    for side in range(2):
        seat = s.turn if side == 0 else 1 - s.turn
        for w in range(4):
            bits = s.pawns[seat, w]
            while bits:
                c = 64 * w + lowest_bit(bits)
                bits &= bits - np.uint64(1)
                desk.q[n] = c % WINDOW_WIDTH
                desk.r[n] = c // WINDOW_WIDTH
                n += 1
        if side == 0:
            own = n
    canonical(desk.q, desk.r, n, desk.words, desk.order, desk.room)
    colouring = 0
    for i in range(own):
        colouring |= 1 << desk.order[i]
    shape = index_of(desk.words, shelf.cells, shelf.table, n)
    return np.int64(shelf.codes[shape, shelf.rank[colouring]])


@jit
def codes_of(positions, shelf, desk, out):
    """Writes the codes of many positions with the same number of pawns on the board."""
    for i in range(len(positions)):
        out[i] = code_of(positions[i], shelf, desk)


@jit
def codes_after(room, actions, shelf, desk, out):
    """Writes the code after each action in room[0]; room[1] is scratch."""
    for i in range(len(actions)):
        room[1] = room[0]
        apply(room[1], np.int64(room[0].turn), np.int64(actions[i]))
        out[i] = code_of(room[1], shelf, desk)
