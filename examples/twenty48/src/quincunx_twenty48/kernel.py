"""2048's rules, compiled.

`board` has four bits for each cell, row by row, those of the upper left cell lowest: 0 if the cell
is empty, or else the exponent of its tile, which is a power of two. The largest tile is 2**15: two
of these do not merge. An action is the direction of a push, and bit `action` of `moves` is set if
that push moves a tile: 0 left, 1 up, 2 right, 3 down. `score` is the sum of all merged tiles.
"""

import numpy as np

from quincunx.jit import jit, lowest_bit, popcount
from quincunx.position import HEADER, init_header, mix, random_below, random_chance

SEATS = 1
ACTIONS = 4
PLANES = (31, 4, 4)
STATE = np.dtype([*HEADER, ("moves", "u1"), ("score", "u4"), ("board", "u8")])

FOUR_CHANCE = 0.1  # that a new tile is 4 and not 2
LOWEST_BITS = np.uint64(0x1111111111111111)  # of all cells

# The evaluation prefers large tiles along a line that winds from row to row: the weight of a cell
# is half of that of the cell before. EVALUATION_SCALE points have the value 0.5.
CELL_WEIGHTS = 4.0 / 2.0 ** np.array([0, 1, 2, 3, 7, 6, 5, 4, 8, 9, 10, 11, 15, 14, 13, 12])
EVALUATION_SCALE = 20000.0


def _pushed_rows(shifts):
    """Returns each of the 2**16 rows after a push and, above its 16 bits, a quarter of the points.

    `shifts` are those of the cells, beginning at the side to which the tiles are pushed.
    """
    cells = np.arange(1 << 16)[:, None] >> np.array(shifts) & 15
    cells = np.take_along_axis(cells, np.argsort(cells == 0, kind="stable"), 1)
    points = np.zeros(len(cells), np.int64)
    for i in range(3):
        merged = (cells[:, i] == cells[:, i + 1]) & (cells[:, i] % 15 > 0)  # neither 0 nor 15
        cells[merged, i] += 1
        cells[merged, i + 1] = 0
        points[merged] += 1 << cells[merged, i]
    cells = np.take_along_axis(cells, np.argsort(cells == 0, kind="stable"), 1)
    return (cells << np.array(shifts)).sum(axis=1) | points // 4 << 16


PUSHED_ROWS = np.array([_pushed_rows((0, 4, 8, 12)), _pushed_rows((12, 8, 4, 0))], np.uint32)


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
def _add_tile(s):
    """Adds a 2 or a 4 on a random empty cell."""
    pairs = s.board | s.board >> np.uint64(1)
    empty = ~(pairs | pairs >> np.uint64(2)) & LOWEST_BITS
    for _ in range(random_below(s, popcount(empty))):
        empty &= empty - np.uint64(1)
    exponent = np.uint64(1 + random_chance(s, FOUR_CHANCE))
    s.board |= exponent << np.uint64(lowest_bit(empty))


@jit
def restore(s):
    """Computes `moves`, and ends the game when there are none."""
    s.moves = 0
    for action in range(ACTIONS):
        s.moves |= (_pushed(s.board, action)[0] != s.board) << action
    s.over = s.moves == 0


@jit
def legal(s, seat, out):
    """Writes the pushes that move a tile, ascending; returns their number."""
    moves = s.moves if seat == s.turn else 0
    n = 0
    for action in range(ACTIONS):
        out[n] = action  # the next action takes its place if it is not legal
        n += moves >> action & 1
    return n


@jit
def apply(s, seat, action):
    """Pushes all tiles in a direction and adds a tile."""
    s.board, points = _pushed(s.board, action)
    s.score += points
    s.ply += 1
    _add_tile(s)
    restore(s)


@jit
def _pushed(board, action):
    """Returns the board after a push, and the points for it."""
    vertical, side = action & 1, action >> 1
    board = _transposed(board) if vertical else board
    pushed = points = np.uint64(0)
    for shift in range(0, 64, 16):
        result = np.uint64(PUSHED_ROWS[side, board >> np.uint64(shift) & np.uint64(0xFFFF)])
        pushed |= (result & np.uint64(0xFFFF)) << np.uint64(shift)
        points += (result >> np.uint64(16)) * np.uint64(4)
    return _transposed(pushed) if vertical else pushed, points


@jit
def _transposed(board):
    """Returns the board with rows and columns exchanged: in blocks of 2 x 2, then the blocks."""
    difference = (board ^ board >> np.uint64(12)) & np.uint64(0x0000F0F00000F0F0)
    board ^= difference ^ difference << np.uint64(12)
    difference = (board ^ board >> np.uint64(24)) & np.uint64(0x00000000FF00FF00)
    return board ^ difference ^ difference << np.uint64(24)


@jit
def evaluate(s, seat):
    """Returns an estimate, 0 to 1: by the score and, before the end, the tiles."""
    points = np.float64(s.score)
    for cell in range(0 if s.over else 16):
        exponent = np.int64(s.board >> np.uint64(4 * cell) & np.uint64(15))
        points += CELL_WEIGHTS[cell] * (1 << exponent)
    return points / (EVALUATION_SCALE + points)


@jit
def key(s):
    """Returns a hash of the board."""
    return mix(s.board)


@jit
def observe(s, seat, planes):
    """Writes a plane for each exponent: the cells with such a tile; the first: the empty cells."""
    planes[:] = 0.0
    for cell in range(16):
        exponent = np.int64(s.board >> np.uint64(4 * cell) & np.uint64(15))
        planes[exponent, cell // 4, cell % 4] = 1.0
