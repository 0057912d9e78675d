"""Quorum's rules, compiled.

`stones[seat]` is the bitboard of a seat's stones. An action is PLACE, or
`direction * 64 + active square`; squares and directions are numbered as in `bitboards`.
"""

import numpy as np

from quincunx.games.quorum.bitboards import (
    CONVERTIBLE_MASK,
    DIRECTIONS,
    HOME_MASK,
    NEIGHBOUR_MASK,
    OBJECTIVE_MASK,
    TARGET_OFFSET,
    active_stones,
)
from quincunx.games.quorum.bitboards import HOME as HOME
from quincunx.games.quorum.bitboards import OBJECTIVE as OBJECTIVE
from quincunx.games.quorum.bitboards import STEP_FILE as STEP_FILE
from quincunx.games.quorum.bitboards import STEP_RANK as STEP_RANK
from quincunx.games.quorum.evaluation import evaluate as evaluate
from quincunx.jit import jit, lowest_bit
from quincunx.position import (
    HEADER,
    NOBODY,
    REPETITION_WINDOW,
    init_header,
    mix,
    record_repetition,
)

SEATS = 2
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

START = np.array([0x000000000103070F, 0xF0E0C08000000000], np.uint64)
NOT_A_FILE = np.uint64(0xFEFEFEFEFEFEFEFE)
NOT_H_FILE = np.uint64(0x7F7F7F7F7F7F7F7F)


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
        actives = active_stones(own, empty, d)
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
    n += np.uint64((empty & HOME_MASK[seat]) != np.uint64(0))
    return np.int64(n)


@jit
def is_legal(s, seat, action):
    """Returns True if an action is legal."""
    if s.over or s.stage or seat != s.turn or action < 0 or action > PLACE:
        return False
    empty = ~(s.stones[0] | s.stones[1])
    if action == PLACE:
        return (empty & HOME_MASK[seat]) != np.uint64(0)
    actives = active_stones(s.stones[seat], empty, action >> 6)
    return (actives >> np.uint64(action & 63)) & np.uint64(1) != np.uint64(0)


@jit
def _has_no_legal_play(s, seat):
    """Returns True if the seat has no legal play."""
    empty = ~(s.stones[0] | s.stones[1])
    if empty & HOME_MASK[seat]:
        return False
    for d in range(DIRECTIONS):
        if active_stones(s.stones[seat], empty, d):
            return False
    return True


@jit
def _update_result(s, times):
    """Ends the game on a win, when the side to move has no legal play, or by repetition.

    `times` is the number of times this position has occurred.
    """
    mover = 1 - s.turn
    if s.stones[s.turn] & OBJECTIVE_MASK == OBJECTIVE_MASK:
        # Only in a position that was read from text: no play completes the opponent's objective.
        s.over = 1
        s.winner = s.turn
    elif s.stones[mover] & OBJECTIVE_MASK == OBJECTIVE_MASK or _has_no_legal_play(s, s.turn):
        s.over = 1
        s.winner = mover
    elif s.repetition and times >= s.repetition:
        s.over = 1


@jit
def begin(s, seat, action):
    """Starts a play by moving the stone or filling the home; returns the event."""
    if action == PLACE:
        s.stones[seat] |= HOME_MASK[seat] & ~s.stones[1 - seat]
        s.stage = CONVERTED  # nothing is suffocated or converted
        return PLACED
    d = action >> 6
    active = action & 63
    s.landed = active + TARGET_OFFSET[d]
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
        planes[2, q // 8, q % 8] = (HOME_MASK[seat] >> bit) & np.uint64(1)
        planes[3, q // 8, q % 8] = 1.0 if s.turn == seat else 0.0
