"""Quorum's rules, compiled.

A set of squares is a bitboard: a1 is bit 0, b1 bit 1, ... h8 bit 63. `stones[seat]` is the
bitboard of a seat's stones. An action is PLACE, or `direction * 64 + active square`. The 24
directions are the offsets from the active stone to its centre:

    20 21 22 23 24        The active stone is in the middle, at 12, and has no number
    15 16 17 18 19        itself: 0..11 are as drawn, 13..24 become 12..23.
    10 11  . 13 14
     5  6  7  8  9
     0  1  2  3  4
"""

import numpy as np

from quincunx.jit import jit, lowest_bit, popcount
from quincunx.position import (
    HEADER,
    NOBODY,
    REPETITION_WINDOW,
    init_header,
    mix,
    record_repetition,
    reseed,
    two_player_scores,
    two_player_value,
)

FILES = "abcdefgh"
SEATS = 2
DIRECTIONS = 24
PLACE = DIRECTIONS * 64
ACTIONS = PLACE + 1
MAX_LEGAL = ACTIONS  # a rough upper bound
PLANES = (4, 8, 8)

STATE = np.dtype(
    [
        *HEADER,
        ("winner", "i1"),
        ("repetition", "u1"),
        ("landed", "u1"),  # the target square of the last movement
        ("stones", "u8", (2,)),
        ("seen", "u8", (REPETITION_WINDOW,)),  # the keys of the last plies
    ]
)

# The events of a play, in this order; an event that changes nothing is skipped. They are also the
# values of `stage`: the last event that has taken place or was skipped.
DONE, PLACED, MOVED, SUFFOCATED, CONVERTED = range(5)
EVENTS = ("", "place", "move", "suffocate", "convert")

HOME = np.array([0x0000000000000303, 0xC0C0000000000000], np.uint64)
START = np.array([0x000000000103070F, 0xF0E0C08000000000], np.uint64)
OBJECTIVE = np.uint64(0x0000001818000000)
NOT_A_FILE = np.uint64(0xFEFEFEFEFEFEFEFE)
NOT_H_FILE = np.uint64(0x7F7F7F7F7F7F7F7F)

STEP_FILE = np.array([d % 5 - 2 for d in range(25) if d != 12], np.int64)
STEP_RANK = np.array([d // 5 - 2 for d in range(25) if d != 12], np.int64)


def _bitboard(predicate):
    """Returns the squares for which predicate(file, rank), both counted from 0, is true."""
    return np.uint64(sum(1 << q for q in range(64) if predicate(q % 8, q // 8)))


# TARGET_ON_BOARD[d]: the active squares whose target, two steps in direction d, is on the board.
TARGET_ON_BOARD = np.array(
    [
        _bitboard(lambda f, r, df=df, dr=dr: 0 <= f + 2 * df < 8 and 0 <= r + 2 * dr < 8)
        for df, dr in zip(STEP_FILE.tolist(), STEP_RANK.tolist(), strict=True)
    ],
    np.uint64,
)
# Steps as rotations of the 64 bits: unlike a shift, a rotation needs no branch for the sign of
# the step, and TARGET_ON_BOARD excludes the bits that wrap around.
STEP_SHIFT = ((STEP_RANK * 8 + STEP_FILE) % 64).astype(np.uint64)
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


# For the evaluation: the squares around the objective, and squares where a stone is worth more or
# less than elsewhere.
OBJECTIVE_RING = np.uint64(0x00003C24243C0000)
BEST_SQUARES = _bitboards_by_seat("c3 d4")
GOOD_SQUARES = _bitboards_by_seat("c4 d3 d5 e4 d6 f4")
POOR_SQUARES = _bitboards_by_seat("e6 f5 f6 h1 h2 h3 h4 h5 h6 h7 h8 a8 b8 c8 d8 e8 f8 g8")


@jit
def start(s, options, seed):
    """Writes the first position. The only option is `repetition`."""
    init_header(s, seed)
    s.winner = NOBODY
    s.repetition = options[0]
    s.landed = 0
    s.stones[0] = START[0]
    s.stones[1] = START[1]
    restore(s)


@jit
def restore(s):
    """Computes `seen`, `over` and `winner` of a position from stones, turn and options.

    The position counts as its own first occurrence.
    """
    s.seen[:] = np.uint64(0)
    record_repetition(s.seen, s.ply, key(s))
    _update_result(s, 1)


@jit
def _rotate_right(squares, shift):
    """Returns the bitboard rotated right by `shift` bits: q is set when q + shift was."""
    back = (np.uint64(64) - shift) & np.uint64(63)
    return (squares >> (shift & np.uint64(63))) | (squares << back)


@jit
def _active_stones(own, empty, d):
    """Returns the own stones that can move in direction d."""
    return (
        own
        & TARGET_ON_BOARD[d]
        & _rotate_right(own, STEP_SHIFT[d])
        & _rotate_right(empty, np.uint64(2) * STEP_SHIFT[d])
    )


@jit
def legal(s, seat, out):
    """Writes the legal actions into out, ascending; returns their number."""
    # Two choices help the compiler: there is no early return, because with one numba adds atomic
    # reference counting for `out`; and n is unsigned, so indices need no check for negatives.
    own = s.stones[seat]
    empty = ~(s.stones[0] | s.stones[1])
    if s.over or s.stage or seat != s.turn:
        empty = np.uint64(0)
    n = np.uint64(0)
    for d in range(DIRECTIONS):
        actives = _active_stones(own, empty, d)
        # Most directions have at most two active stones. Two entries are written without a
        # branch, which would often be mispredicted; n counts only the valid ones, and the next
        # write replaces an invalid one.
        for _ in range(2):
            out[n] = d * 64 + lowest_bit(actives)
            n += np.uint64(actives != np.uint64(0))
            actives &= actives - np.uint64(1)
        while actives:
            out[n] = d * 64 + lowest_bit(actives)
            n += np.uint64(1)
            actives &= actives - np.uint64(1)
    out[n] = PLACE
    n += np.uint64((empty & HOME[seat]) != np.uint64(0))
    return np.int64(n)


@jit
def _has_no_legal_play(s, seat):
    """Returns True if the seat has no legal play."""
    empty = ~(s.stones[0] | s.stones[1])
    if empty & HOME[seat]:
        return False
    for d in range(DIRECTIONS):
        if _active_stones(s.stones[seat], empty, d):
            return False
    return True


@jit
def _update_result(s, times):
    """Ends the game on a win, when the side to move has no legal play, or by repetition.

    `times` is the number of times this position has occurred.
    """
    mover = 1 - s.turn
    if s.stones[s.turn] & OBJECTIVE == OBJECTIVE:
        # Only in a position that was read from text: no play completes the opponent's objective.
        s.over = 1
        s.winner = s.turn
    elif s.stones[mover] & OBJECTIVE == OBJECTIVE or _has_no_legal_play(s, s.turn):
        s.over = 1
        s.winner = mover
    elif s.repetition and times >= s.repetition:
        s.over = 1


@jit
def begin(s, seat, action):
    """Starts a play by moving the stone or filling the home; returns the event."""
    if action == PLACE:
        s.stones[seat] |= HOME[seat] & ~s.stones[1 - seat]
        s.stage = CONVERTED  # nothing is suffocated or converted
        return PLACED
    d = action >> 6
    active = action & 63
    s.landed = active + 2 * (STEP_RANK[d] * 8 + STEP_FILE[d])
    s.stones[seat] ^= (np.uint64(1) << np.uint64(active)) | (np.uint64(1) << np.uint64(s.landed))
    s.stage = MOVED
    return MOVED


@jit
def _with_neighbours(squares):
    """Returns the squares of a set and all squares adjacent to them."""
    row = (
        squares
        | ((squares & NOT_H_FILE) << np.uint64(1))
        | ((squares & NOT_A_FILE) >> np.uint64(1))
    )
    return row | (row << np.uint64(8)) | (row >> np.uint64(8))


@jit
def _suffocate(s, seat):
    """Removes the opponent's stones next to the landed one that have no empty neighbour.

    Returns True if any stone was removed.
    """
    other = 1 - seat
    adjacent = NEIGHBOUR_MASK[s.landed] & s.stones[other]
    if not adjacent:
        return False
    suffocated = adjacent & ~_with_neighbours(~(s.stones[0] | s.stones[1]))
    s.stones[other] ^= suffocated
    return suffocated != np.uint64(0)


@jit
def _convert(s, seat):
    """Converts the opponent's stones directly between the landed stone and another own stone.

    Returns True if any stone was converted.
    """
    other = 1 - seat
    adjacent = CONVERTIBLE_MASK[s.landed] & s.stones[other]
    own = s.stones[seat]
    converted = np.uint64(0)
    while adjacent:
        square = lowest_bit(adjacent)
        adjacent &= adjacent - np.uint64(1)
        far_side = np.uint64(2 * square - s.landed)
        converted |= ((own >> far_side) & np.uint64(1)) << np.uint64(square)
    s.stones[other] ^= converted
    s.stones[seat] ^= converted
    return converted != np.uint64(0)


@jit
def _end_turn(s, seat):
    """Passes the turn to the opponent and updates the result."""
    s.stage = DONE
    s.turn = 1 - seat
    s.ply += 1
    _update_result(s, record_repetition(s.seen, s.ply, key(s)))


@jit
def advance(s):
    """Continues the current play up to its next event; returns the event, or DONE."""
    if s.stage == MOVED:
        s.stage = SUFFOCATED
        if _suffocate(s, s.turn):
            return SUFFOCATED
    if s.stage == SUFFOCATED:
        s.stage = CONVERTED
        if _convert(s, s.turn):
            return CONVERTED
    if s.stage == CONVERTED:
        _end_turn(s, s.turn)
    return DONE


@jit
def apply(s, seat, action):
    """Plays a legal action; same result as `begin` and `advance`, without their stages."""
    if begin(s, seat, action) == MOVED:
        _suffocate(s, seat)
        _convert(s, seat)
    _end_turn(s, seat)


@jit
def scores(s, out):
    """Writes 1 and 0 for a win, 0.5 each for a draw, zeros before the end."""
    two_player_scores(s, out)


@jit
def hide(s, seat, seed):
    """Replaces the random generator; Quorum has no hidden information."""
    reseed(s, seed)


@jit
def _landing_squares(own, empty):
    """Returns the squares on which a side can land."""
    targets = np.uint64(0)
    for d in range(DIRECTIONS):
        targets |= _rotate_right(
            _active_stones(own, empty, d), np.uint64(64) - np.uint64(2) * STEP_SHIFT[d]
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
    missing = OBJECTIVE & ~own
    score = (
        29 * popcount(own)
        + 15 * popcount(empty & HOME[seat])
        + 40 * popcount(own & BEST_SQUARES[seat])
        + 22 * popcount(own & GOOD_SQUARES[seat])
        - 15 * popcount(own & POOR_SQUARES[seat])
        + 11 * popcount(targets & OBJECTIVE)
        + 8 * popcount(targets & OBJECTIVE_RING)
    )
    if s.turn == seat:
        score += 20 + 20 * popcount(convertible) + 25 * popcount(convertible & OBJECTIVE)
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


@jit
def key(s):
    """Returns a hash of the stones and the side to move."""
    return mix(mix(mix(s.stones[0]) + s.stones[1]) + np.uint64(s.turn))


@jit
def observe(s, seat, planes):
    """Writes four planes, ranks 1 to 8: own stones, opponent's stones, own home, side to move."""
    for q in range(64):
        bit = np.uint64(q)
        planes[0, q // 8, q % 8] = (s.stones[seat] >> bit) & np.uint64(1)
        planes[1, q // 8, q % 8] = (s.stones[1 - seat] >> bit) & np.uint64(1)
        planes[2, q // 8, q % 8] = (HOME[seat] >> bit) & np.uint64(1)
        planes[3, q // 8, q % 8] = 1.0 if s.turn == seat else 0.0
