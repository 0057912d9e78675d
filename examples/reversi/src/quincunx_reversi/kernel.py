"""Reversi's rules, compiled.

`discs[seat]` is the bitboard of a seat's discs: a1, at the upper left, is bit 0, b1 bit 1, h8 bit
63. An action is the square of the new disc, or PASS. `moves` are the squares where the seat to move
may place a disc: they are computed once for every position.
"""

import numpy as np

from quincunx.jit import jit, lowest_bit, popcount
from quincunx.position import HEADER, NOBODY, init_header, mix, two_player_value

PASS = 64
ACTIONS = 65
PLANES = (2, 8, 8)
STATE = np.dtype([*HEADER, ("winner", "i1"), ("discs", "u8", (2,)), ("moves", "u8")])

DIRECTIONS = 8
# A step in a direction rotates the 64 bits to the left, which needs no branch for the sign.
STEP = np.array([step % 64 for step in (1, -1, 8, -8, 7, -7, 9, -9)], np.uint64)
# INNER[d]: the squares that have neighbours on both sides in direction d. Only discs there can
# be between two others, and no step to or from them wraps around the edge.
INNER_FILES, INNER_RANKS = 0x7E7E7E7E7E7E7E7E, 0x00FFFFFFFFFFFF00
INNER = np.array([INNER_FILES] * 2 + [INNER_RANKS] * 2 + [INNER_FILES & INNER_RANKS] * 4, np.uint64)
CORNERS = np.uint64(0x8100000000000081)


@jit
def start(s, options, seed):
    """Writes the initial position: two discs each in the middle, Black to move."""
    init_header(s, seed)
    s.discs[0] = np.uint64(1) << np.uint64(28) | np.uint64(1) << np.uint64(35)
    s.discs[1] = np.uint64(1) << np.uint64(27) | np.uint64(1) << np.uint64(36)
    restore(s)


@jit
def restore(s):
    """Computes `moves`, and ends the game when neither seat can place a disc."""
    own, other = s.discs[s.turn], s.discs[1 - s.turn]
    s.moves = _moves(own, other)
    s.over = s.moves == np.uint64(0) and _moves(other, own) == np.uint64(0)
    s.winner = NOBODY
    if s.over and popcount(own) != popcount(other):
        s.winner = s.turn if popcount(own) > popcount(other) else 1 - s.turn


@jit
def _step(squares, d):
    """Returns the squares one step further in direction d."""
    return squares << STEP[d] | squares >> (np.uint64(64) - STEP[d])


@jit
def _line(squares, other, d):
    """Returns the other seat's discs in the unbroken lines that start next to the squares."""
    other &= INNER[d]
    line = _step(squares, d) & other
    for _ in range(5):
        line |= _step(line, d) & other
    return line


@jit
def _moves(own, other):
    """Returns the empty squares at the far end of a line of the other seat's discs."""
    moves = np.uint64(0)
    for d in range(DIRECTIONS):
        moves |= _step(_line(own, other, d), d)
    return moves & ~(own | other)


@jit
def _flipped(square, own, other):
    """Returns the discs that a new disc on a square turns over."""
    flipped = np.uint64(0)
    for d in range(DIRECTIONS):
        line = _line(square, other, d)
        if _step(line, d) & own:
            flipped |= line
    return flipped


@jit
def legal(s, seat, out):
    """Writes the squares where a disc may be placed, or else PASS; returns their number."""
    n = np.uint64(0)
    if s.over or seat != s.turn:
        return 0
    if s.moves == np.uint64(0):
        out[0] = PASS
        return 1
    moves = s.moves
    while moves:
        out[n] = lowest_bit(moves)
        n += np.uint64(1)
        moves &= moves - np.uint64(1)
    return np.int64(n)


@jit
def apply(s, seat, action):
    """Places a disc and turns over all lines between it and the seat's other discs."""
    if action != PASS:
        square = np.uint64(1) << np.uint64(action)
        flipped = _flipped(square, s.discs[seat], s.discs[1 - seat])
        s.discs[seat] ^= flipped | square
        s.discs[1 - seat] ^= flipped
    s.turn = 1 - seat
    s.ply += 1
    restore(s)


@jit
def evaluate(s, seat):
    """Returns the result, or an estimate by the corners and by the number of moves."""
    if s.over:
        return two_player_value(s, seat)
    own, other = s.discs[seat], s.discs[1 - seat]
    corners = popcount(own & CORNERS) - popcount(other & CORNERS)
    moves, replies = popcount(_moves(own, other)), popcount(_moves(other, own))
    return 0.15 * corners + 0.4 * (moves - replies) / (moves + replies)


@jit
def key(s):
    """Returns a hash of the discs and the side to move."""
    return mix(mix(mix(s.discs[0]) + s.discs[1]) + np.uint64(s.turn))


@jit
def observe(s, seat, planes):
    """Writes two planes, the first row first: the own discs, the opponent's discs."""
    for q in range(64):
        planes[0, q // 8, q % 8] = s.discs[seat] >> np.uint64(q) & np.uint64(1)
        planes[1, q // 8, q % 8] = s.discs[1 - seat] >> np.uint64(q) & np.uint64(1)
