"""Connect Four's rules, compiled.

`discs[seat]` is the bitboard of a seat's discs. A column has seven bits, of which the highest stays
empty, so that no line continues in the next column: its bits are 0 to 5 in the first column, from
the bottom, 7 to 12 in the second, and so on. An action is a column, 0 to 6.
"""

import numpy as np

from quincunx.jit import jit, popcount
from quincunx.position import HEADER, NOBODY, init_header, mix, two_player_value

COLUMNS = ACTIONS = 7
ROWS = 6
PLANES = (2, ROWS, COLUMNS)
STATE = np.dtype([*HEADER, ("winner", "i1"), ("discs", "i8", (2,))])

BOARD = sum(0b111111 << 7 * column for column in range(COLUMNS))
# From one cell of a line to the next: up, to the right, and along both diagonals.
STEPS = np.array([1, 7, 6, 8])
LINES = 69  # on the empty board


@jit
def start(s, options, seed):
    """Writes the empty board."""
    init_header(s, seed)
    s.winner = NOBODY
    s.discs[:] = 0


@jit
def restore(s):
    """Ends the game if a seat has four discs in a line, or if the board is full."""
    s.over = s.discs[0] | s.discs[1] == BOARD
    for seat in range(2):
        if _count_lines(s.discs[seat]):
            s.over = 1
            s.winner = seat


@jit
def _count_lines(cells):
    """Returns the number of lines of four in a set of cells."""
    count = 0
    for i in range(len(STEPS)):
        pairs = cells & cells >> STEPS[i]
        count += popcount(pairs & pairs >> 2 * STEPS[i])
    return count


@jit
def legal(s, seat, out):
    """Writes the columns that are not full, ascending; returns their number."""
    empty = 0 if s.over or seat != s.turn else ~(s.discs[0] | s.discs[1])
    n = 0
    for column in range(COLUMNS):
        out[n] = column  # the next column takes its place if it is full
        n += empty >> (7 * column + ROWS - 1) & 1
    return n


@jit
def apply(s, seat, action):
    """Drops a disc into a column."""
    occupied = s.discs[0] | s.discs[1]
    # Adding the lowest bit of a column carries to its lowest empty cell.
    s.discs[seat] |= occupied + (1 << 7 * action) & ~occupied
    s.turn = 1 - seat
    s.ply += 1
    restore(s)


@jit
def evaluate(s, seat):
    """Returns the result, or an estimate by the number of lines that each seat can complete."""
    if s.over:
        return two_player_value(s, seat)
    own, other = s.discs[seat], s.discs[1 - seat]
    return (_count_lines(BOARD & ~other) - _count_lines(BOARD & ~own)) / LINES


@jit
def key(s):
    """Returns a hash of the discs and the seat to move."""
    return mix(2 * ((s.discs[0] | s.discs[1]) + s.discs[0]) + s.turn)


@jit
def observe(s, seat, planes):
    """Writes two planes, the top row first: the seat's discs and the opponent's."""
    for row in range(ROWS):
        for column in range(COLUMNS):
            bit = 7 * column + ROWS - 1 - row
            planes[0, row, column] = s.discs[seat] >> bit & 1
            planes[1, row, column] = s.discs[1 - seat] >> bit & 1
