"""2048's rules, compiled.

`board` has four bits for every cell, the lowest for the upper left corner, row by row: 0 for an
empty cell, or else the exponent of the tile's power of two. Tiles end at 32768: two of these do not
merge. `moves` has a bit for every direction in which a tile can move; an action is a direction.
"""

import numpy as np

from quincunx.jit import jit, lowest_bit, popcount
from quincunx.position import HEADER, init_header, mix, random_below, random_chance

SEATS = 1
LEFT, UP, RIGHT, DOWN = range(4)
ACTIONS = 4
PLANES = (31, 4, 4)
STATE = np.dtype([*HEADER, ("moves", "u1"), ("score", "u4"), ("board", "u8")])

FOUR_CHANCE = 0.1  # a new tile is 4, otherwise 2
MAX_EXPONENT = 15
ONES = np.uint64(0x1111111111111111)  # the lowest bit of every cell

# The evaluation prefers large tiles along a line that winds through the rows from the corner; the
# weight is halved from cell to cell. A value of EVALUATION_SCALE points counts as 0.5.
SNAKE = np.array([0, 1, 2, 3, 7, 6, 5, 4, 8, 9, 10, 11, 15, 14, 13, 12], np.uint64)
FIRST_WEIGHT, EVALUATION_SCALE = 4.0, 20000.0


def _pushed_rows():
    """Returns, for every row of 16 bits, the row pushed to the left and the points for it.

    The points are divided by 4, so that they fit into the 16 bits above the row.
    """
    cells = np.arange(1 << 16)[:, None] >> np.array([0, 4, 8, 12]) & 15
    cells = np.take_along_axis(cells, np.argsort(cells == 0, axis=1, kind="stable"), 1)
    points = np.zeros(1 << 16, np.int64)
    for here, right in ((0, 1), (1, 2), (2, 3)):
        merged = (cells[:, here] == cells[:, right]) & (cells[:, here] % MAX_EXPONENT > 0)
        cells[merged, here] += 1
        cells[merged, right] = 0
        points[merged] += 1 << cells[merged, here]
    cells = np.take_along_axis(cells, np.argsort(cells == 0, axis=1, kind="stable"), 1)
    rows = cells @ np.array([1, 1 << 4, 1 << 8, 1 << 12])
    return (points << 14 | rows).astype(np.uint32)


PUSHED = _pushed_rows()


@jit
def start(s, options, seed):
    """Writes a board with two random tiles."""
    init_header(s, seed)
    s.score = 0
    s.board = np.uint64(0)
    _add_tile(s)
    _add_tile(s)
    restore(s)


@jit
def restore(s):
    """Computes `moves`; the game is over without any."""
    s.moves = 0
    for action in range(ACTIONS):
        if _pushed(s.board, action)[0] != s.board:
            s.moves |= 1 << action
    s.over = s.moves == 0


@jit
def _tiles(board):
    """Returns the lowest bit of every cell that is not empty."""
    pairs = board | board >> np.uint64(1)
    return (pairs | pairs >> np.uint64(2)) & ONES


@jit
def _add_tile(s):
    """Adds a 2 or a 4 on a random empty cell."""
    empty = _tiles(s.board) ^ ONES
    for _ in range(random_below(s, popcount(empty))):
        empty &= empty - np.uint64(1)
    exponent = np.uint64(1 + random_chance(s, FOUR_CHANCE))
    s.board |= exponent << np.uint64(lowest_bit(empty))


@jit
def _transposed(board):
    """Returns the board with rows and columns exchanged: first in blocks of 2 x 2, then blocks."""
    board = (
        board & np.uint64(0xF0F00F0FF0F00F0F)
        | (board & np.uint64(0x0000F0F00000F0F0)) << np.uint64(12)
        | (board & np.uint64(0x0F0F00000F0F0000)) >> np.uint64(12)
    )
    return (
        board & np.uint64(0xFF00FF0000FF00FF)
        | (board & np.uint64(0x00FF00FF00000000)) >> np.uint64(24)
        | (board & np.uint64(0x00000000FF00FF00)) << np.uint64(24)
    )


@jit
def _mirrored(board):
    """Returns the board with left and right exchanged: first in pairs, then pairs."""
    low, pairs = np.uint64(0x0F0F0F0F0F0F0F0F), np.uint64(0x00FF00FF00FF00FF)
    board = (board & low) << np.uint64(4) | board >> np.uint64(4) & low
    return (board & pairs) << np.uint64(8) | board >> np.uint64(8) & pairs


@jit
def legal(s, seat, out):
    """Writes the directions in which a tile can move, ascending; returns their number."""
    moves = np.uint64(0) if seat != s.turn else np.uint64(s.moves)
    n = np.uint64(0)
    for action in range(ACTIONS):
        out[n] = action
        n += moves >> np.uint64(action) & np.uint64(1)
    return np.int64(n)


@jit
def _pushed(board, action):
    """Returns the board after all tiles were pushed in a direction, and the points for it."""
    if action & 1:
        board = _transposed(board)
    if action & 2:
        board = _mirrored(board)
    pushed = points = np.uint64(0)
    for row in range(4):
        entry = np.uint64(PUSHED[board >> np.uint64(16 * row) & np.uint64(0xFFFF)])
        pushed |= (entry & np.uint64(0xFFFF)) << np.uint64(16 * row)
        points += entry >> np.uint64(16)
    if action & 2:
        pushed = _mirrored(pushed)
    if action & 1:
        pushed = _transposed(pushed)
    return pushed, np.uint64(4) * points


@jit
def apply(s, seat, action):
    """Pushes all tiles in a direction and adds a tile."""
    s.board, points = _pushed(s.board, action)
    s.score += points
    s.ply += 1
    _add_tile(s)
    restore(s)


@jit
def scores(s, out):
    """Writes the sum of all merged tiles."""
    out[0] = s.score


@jit
def evaluate(s, seat):
    """Returns an estimate, 0 to 1: the score and, before the end, the weighted tiles."""
    points, weight = np.float64(s.score), FIRST_WEIGHT
    for i in range(0 if s.over else 16):
        exponent = s.board >> np.uint64(4) * SNAKE[i] & np.uint64(15)
        points += weight * (np.int64(1) << np.int64(exponent))
        weight /= 2.0
    return points / (EVALUATION_SCALE + points)


@jit
def key(s):
    """Returns a hash of the board."""
    return mix(s.board)


@jit
def observe(s, seat, planes):
    """Writes a plane for every exponent, the first one for the empty cells."""
    planes[:] = 0.0
    for cell in range(16):
        planes[np.int64(s.board >> np.uint64(4 * cell) & np.uint64(15)), cell // 4, cell % 4] = 1.0
