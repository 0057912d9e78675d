"""Quorum's bitboards, compiled: squares, directions, and the stones that can move.

A set of squares is a bitboard: a1 is bit 0, b1 bit 1, ... h8 bit 63. The 24 directions are the
offsets from the active stone to its centre:

    20 21 22 23 24        The active stone is in the middle, at 12, and has no number
    15 16 17 18 19        itself: 0..11 are as drawn, 13..24 become 12..23.
    10 11  . 13 14
     5  6  7  8  9
     0  1  2  3  4
"""

import numpy as np

from quincunx.jit import jit

DIRECTIONS = 24
STEP_FILE = tuple(d % 5 - 2 for d in range(25) if d != 12)
STEP_RANK = tuple(d // 5 - 2 for d in range(25) if d != 12)

HOME = (0x0000000000000303, 0xC0C0000000000000)
OBJECTIVE = 0x0000001818000000

# The same for compiled code.
HOME_MASK = np.array(HOME, np.uint64)
OBJECTIVE_MASK = np.uint64(OBJECTIVE)


def _bitboard(predicate):
    """Returns the squares for which predicate(file, rank), both counted from 0, is true."""
    return np.uint64(sum(1 << q for q in range(64) if predicate(q % 8, q // 8)))


# TARGET_ON_BOARD[d]: the active squares whose target, two steps in direction d, is on the board.
TARGET_ON_BOARD = np.array(
    [
        _bitboard(lambda f, r, df=df, dr=dr: 0 <= f + 2 * df < 8 and 0 <= r + 2 * dr < 8)
        for df, dr in zip(STEP_FILE, STEP_RANK, strict=True)
    ],
    np.uint64,
)
# Steps as rotations of the 64 bits: unlike a shift, a rotation needs no branch for the sign of
# the step, and TARGET_ON_BOARD excludes the bits that wrap around.
STEP_SHIFT = np.array(
    [(rank * 8 + file) % 64 for file, rank in zip(STEP_FILE, STEP_RANK, strict=True)], np.uint64
)
# TARGET_OFFSET[d]: the square number of the target less that of the active stone.
TARGET_OFFSET = np.array(
    [2 * (rank * 8 + file) for file, rank in zip(STEP_FILE, STEP_RANK, strict=True)], np.int64
)
NEIGHBOUR_MASK = np.array(
    [_bitboard(lambda f, r, q=q: max(abs(f - q % 8), abs(r - q // 8)) == 1) for q in range(64)],
    np.uint64,
)
# CONVERTIBLE_MASK[q]: the neighbours of q behind which, seen from q, there is another square.
CONVERTIBLE_MASK = np.array(
    [
        _bitboard(
            lambda f, r, q=q: (
                max(abs(f - q % 8), abs(r - q // 8)) == 1
                and 0 <= 2 * f - q % 8 < 8
                and 0 <= 2 * r - q // 8 < 8
            )
        )
        for q in range(64)
    ],
    np.uint64,
)


@jit
def rotate_right(squares, shift):
    """Returns the bitboard rotated right by `shift` bits: q is set when q + shift was."""
    back = (np.uint64(64) - shift) & np.uint64(63)
    return (squares >> (shift & np.uint64(63))) | (squares << back)


@jit
def active_stones(own, empty, d):
    """Returns the own stones that can move in direction d."""
    return (
        own
        & TARGET_ON_BOARD[d]
        & rotate_right(own, STEP_SHIFT[d])
        & rotate_right(empty, np.uint64(2) * STEP_SHIFT[d])
    )
