"""Quorum's static evaluation, compiled: stones, squares and threats, weighted."""

import numpy as np

from quincunx.games.quorum.bitboards import (
    DIRECTIONS,
    HOME_MASK,
    OBJECTIVE_MASK,
    STEP_SHIFT,
    active_stones,
    rotate_right,
)
from quincunx.jit import jit, popcount
from quincunx.position import two_player_value

FILES = "abcdefgh"

# The four axes: the step in bits, and the squares that have a neighbour on both sides. Ranks 1
# and 8 need no mask, because there the shifted bits leave the board.
AXES = np.array(
    [
        (1, 0x7E7E7E7E7E7E7E7E),
        (7, 0x7E7E7E7E7E7E7E7E),
        (8, 0xFFFFFFFFFFFFFFFF),
        (9, 0x7E7E7E7E7E7E7E7E),
    ],
    np.uint64,
)


def _bitboards_by_seat(white_squares):
    """Returns the bitboards of the named squares for White and of their mirror image for Black."""
    squares = [FILES.index(name[0]) + 8 * (int(name[1]) - 1) for name in white_squares.split()]
    return np.array([sum(1 << q for q in squares), sum(1 << (63 - q) for q in squares)], np.uint64)


# The squares around the objective, and squares where a stone is worth more or less than elsewhere.
OBJECTIVE_RING = np.uint64(0x00003C24243C0000)
BEST_SQUARES = _bitboards_by_seat("c3 d4")
GOOD_SQUARES = _bitboards_by_seat("c4 d3 d5 e4 d6 f4")
POOR_SQUARES = _bitboards_by_seat("e6 f5 f6 h1 h2 h3 h4 h5 h6 h7 h8 a8 b8 c8 d8 e8 f8 g8")


@jit
def _landing_squares(own, empty):
    """Returns the squares on which a side can land."""
    targets = np.uint64(0)
    for d in range(DIRECTIONS):
        targets |= rotate_right(
            active_stones(own, empty, d), np.uint64(64) - np.uint64(2) * STEP_SHIFT[d]
        )
    return targets


@jit
def _convertible(own, other, targets):
    """Returns the opponent's stones that a landing on one of the targets would convert."""
    convertible = np.uint64(0)
    for i in range(len(AXES)):
        step, between = AXES[i, 0], AXES[i, 1]
        convertible |= between & (targets << step & own >> step | targets >> step & own << step)
    return convertible & other


@jit
def _seat_score(s, seat):
    """Returns the evaluation of one seat, in hundredths of a logit.

    The weights were fitted by logistic regression to self-play games (benchmarks/tune_duel.py).
    """
    own, other = s.stones[seat], s.stones[1 - seat]
    empty = ~(own | other)
    targets = _landing_squares(own, empty)
    convertible = _convertible(own, other, targets)
    missing = OBJECTIVE_MASK & ~own
    score = (
        29 * popcount(own)
        + 15 * popcount(empty & HOME_MASK[seat])
        + 40 * popcount(own & BEST_SQUARES[seat])
        + 22 * popcount(own & GOOD_SQUARES[seat])
        - 15 * popcount(own & POOR_SQUARES[seat])
        + 11 * popcount(targets & OBJECTIVE_MASK)
        + 8 * popcount(targets & OBJECTIVE_RING)
    )
    if s.turn == seat:
        score += 20 + 20 * popcount(convertible) + 25 * popcount(convertible & OBJECTIVE_MASK)
    else:
        score += 13 * popcount(convertible)
    # Only one square of the objective is missing, and a single play gains it.
    if missing & (missing - np.uint64(1)) == np.uint64(0) and missing & (targets | convertible):
        score += 300 if s.turn == seat else 40
    return score


@jit
def evaluate(s, seat):
    """Returns the static evaluation for the seat, from -1 to 1."""
    if s.over:
        return two_player_value(s, seat)
    x = np.float64(_seat_score(s, seat) - _seat_score(s, 1 - seat))
    return x / np.sqrt(40_000.0 + x * x)
