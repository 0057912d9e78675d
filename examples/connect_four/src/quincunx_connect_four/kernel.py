"""Connect Four's rules, compiled.

`stones[seat]` is the bitboard of a seat's discs. A column has seven bits, of which the highest
stays empty, so that no line continues from one column to the next:

     5 12 19 26 33 40 47
     .  .  .  .  .  .  .
     1  8 15 22 29 36 43
     0  7 14 21 28 35 42

An action is a column, 0 to 6.
"""

import numpy as np

from quincunx.jit import jit, popcount
from quincunx.position import HEADER, NOBODY, init_header, mix, two_player_value

ACTIONS = 7
PLANES = (2, 6, 7)
STATE = np.dtype([*HEADER, ("winner", "i1"), ("stones", "u8", (2,))])

BOTTOM = np.uint64(sum(1 << 7 * column for column in range(7)))
BOARD = BOTTOM * np.uint64(63)
# The distance of two neighbours in a line: up, to the right, and along both diagonals.
STEPS = np.array([1, 7, 6, 8], np.uint64)
EVALUATION_SCALE = 24.0  # an advantage of this number of discs in open lines counts as 0.5


@jit
def start(s, options, seed):
    """Writes the empty board."""
    init_header(s, seed)
    s.winner = NOBODY
    s.stones[0] = s.stones[1] = np.uint64(0)


@jit
def restore(s):
    """Decides whether a position that was read from a text is over."""
    for seat in range(2):
        _update_result(s, seat)


@jit
def legal(s, seat, out):
    """Writes the columns that are not full, ascending; returns their number."""
    empty = ~(s.stones[0] | s.stones[1])
    if s.over or seat != s.turn:
        empty = np.uint64(0)
    n = np.uint64(0)
    for column in range(ACTIONS):
        out[n] = column
        n += empty >> np.uint64(7 * column + 5) & np.uint64(1)
    return np.int64(n)


@jit
def apply(s, seat, action):
    """Drops a disc into a column."""
    occupied = s.stones[0] | s.stones[1]
    # Adding the lowest bit of a column carries into its first empty cell.
    s.stones[seat] |= (occupied + (np.uint64(1) << np.uint64(7 * action))) & ~occupied
    s.turn = 1 - seat
    s.ply += 1
    _update_result(s, seat)


@jit
def _update_result(s, seat):
    """Ends the game if the seat has four in a line, or the board is full."""
    if _has_four(s.stones[seat]):
        s.over = 1
        s.winner = seat
    elif s.stones[0] | s.stones[1] == BOARD:
        s.over = 1


@jit
def _lines(cells, step):
    """Returns the first cell of every line of four cells, in one direction, of a set."""
    pairs = cells & cells >> step
    return pairs & pairs >> (step + step)


@jit
def _has_four(discs):
    """Returns True if four discs are in a line."""
    fours = np.uint64(0)
    for i in range(4):
        fours |= _lines(discs, STEPS[i])
    return fours != np.uint64(0)


@jit
def _discs_in_open_lines(own, other):
    """Returns the number of own discs in the lines without other discs, summed over the lines."""
    total = 0
    for i in range(4):
        lines = _lines(BOARD & ~other, STEPS[i])
        for k in range(4):
            total += popcount(lines << np.uint64(k) * STEPS[i] & own)
    return total


@jit
def evaluate(s, seat):
    """Returns the result, or an estimate by the discs in lines that can still be completed."""
    if s.over:
        return two_player_value(s, seat)
    own, other = s.stones[seat], s.stones[1 - seat]
    advantage = _discs_in_open_lines(own, other) - _discs_in_open_lines(other, own)
    return advantage / (EVALUATION_SCALE + abs(advantage))


@jit
def key(s):
    """Returns a hash of the discs and the side to move."""
    return mix(mix(mix(s.stones[0]) + s.stones[1]) + np.uint64(s.turn))


@jit
def observe(s, seat, planes):
    """Writes two planes, the top row first: the own discs, the opponent's discs."""
    for row in range(6):
        for column in range(7):
            bit = np.uint64(7 * column + 5 - row)
            planes[0, row, column] = s.stones[seat] >> bit & np.uint64(1)
            planes[1, row, column] = s.stones[1 - seat] >> bit & np.uint64(1)
