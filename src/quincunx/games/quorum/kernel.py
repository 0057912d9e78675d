"""Quorum's rules, compiled.

Squares are bits of a 64-bit word, a1 = 0, b1 = 1, ... h8 = 63; `stones[seat]` are a
seat's stones. An action is `direction * 64 + active square`, where the 24 directions
lead from the active stone to its centre, or PLACE:

    20 21 22 23 24        a direction's number is its place in this square of
    15 16 17 18 19        5 x 5, less one past the middle (which is the stone
    10 11  . 13 14        itself): 0..11 as drawn, 13..24 become 12..23
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
MAX_LEGAL = ACTIONS
PLANES = (4, 8, 8)

STATE = np.dtype(
    [
        *HEADER,
        ("winner", "i1"),
        ("repetition", "u1"),
        ("landed", "u1"),
        ("stones", "u8", (2,)),
        ("seen", "u8", (REPETITION_WINDOW,)),
    ]
)

# What happens in a play, in this order; only what changes the board is reported.
DONE, PLACED, MOVED, SUFFOCATED, CONVERTED = range(5)
EVENTS = ("", "place", "move", "suffocate", "convert")

HOME = np.array([0x0000000000000303, 0xC0C0000000000000], np.uint64)
START = np.array([0x000000000103070F, 0xF0E0C08000000000], np.uint64)
OBJECTIVE = np.uint64(0x0000001818000000)
NOT_A_FILE = np.uint64(0xFEFEFEFEFEFEFEFE)
NOT_H_FILE = np.uint64(0x7F7F7F7F7F7F7F7F)

STEP_FILE = np.array([d % 5 - 2 for d in range(25) if d != 12], np.int64)
STEP_RANK = np.array([d // 5 - 2 for d in range(25) if d != 12], np.int64)


def _squares(test):
    return np.uint64(sum(1 << q for q in range(64) if test(q % 8, q // 8)))


# REACH[d]: the active squares whose target, two steps along d, is on the board.
REACH = np.array(
    [
        _squares(lambda f, r, df=df, dr=dr: 0 <= f + 2 * df < 8 and 0 <= r + 2 * dr < 8)
        for df, dr in zip(STEP_FILE.tolist(), STEP_RANK.tolist(), strict=True)
    ],
    np.uint64,
)
# Steps as rotations of the board: what leaves it at one end and comes in at the other is
# outside REACH, and rotating needs no branch for the sign.
SHIFT = ((STEP_RANK * 8 + STEP_FILE) % 64).astype(np.uint64)
NEIGHBOURS = np.array(
    [_squares(lambda f, r, q=q: max(abs(f - q % 8), abs(r - q // 8)) == 1) for q in range(64)],
    np.uint64,
)
# BACKED[q]: the neighbours of q behind which, seen from q, the board goes on.
BACKED = np.array(
    [
        _squares(
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

# The lines through a square: the step, and the squares that have a neighbour on both sides.
AXES = np.array(
    [
        (1, 0x7E7E7E7E7E7E7E7E),
        (7, 0x7E7E7E7E7E7E7E7E),
        (8, 0xFFFFFFFFFFFFFFFF),
        (9, 0x7E7E7E7E7E7E7E7E),
    ],
    np.uint64,
)


def _posts(white):
    """Squares by name as White sees them, for both seats."""
    squares = [FILES.index(name[0]) + 8 * (int(name[1]) - 1) for name in white.split()]
    return np.array([sum(1 << q for q in squares), sum(1 << (63 - q) for q in squares)], np.uint64)


NEAR = np.uint64(0x00003C24243C0000)
BEST = _posts("c3 d4")
GOOD = _posts("c4 d3 d5 e4 d6 f4")
POOR = _posts("e6 f5 f6 h1 h2 h3 h4 h5 h6 h7 h8 a8 b8 c8 d8 e8 f8 g8")


@jit
def start(s, options, seed):
    """Writes the first position; options: repetition."""
    init_header(s, seed)
    s.winner = NOBODY
    s.repetition = options[0]
    s.landed = 0
    s.stones[0] = START[0]
    s.stones[1] = START[1]
    restore(s)


@jit
def restore(s):
    """Makes a position whose stones and turn were just written whole, as its first standing."""
    s.seen[:] = np.uint64(0)
    record_repetition(s.seen, s.ply, key(s))
    _judge(s, 1)


@jit
def _from(squares, shift):
    """The squares whose neighbour, `shift` bits further round the board, is in `squares`."""
    back = (np.uint64(64) - shift) & np.uint64(63)
    return (squares >> (shift & np.uint64(63))) | (squares << back)


@jit
def _actives(own, empty, d):
    """The stones that can move in direction d."""
    return own & REACH[d] & _from(own, SHIFT[d]) & _from(empty, np.uint64(2) * SHIFT[d])


@jit
def legal(s, seat, out):
    """Writes the legal actions, ascending, into out and returns how many."""
    # Written for the compiler: `out` is used on one path from beginning to end, or numba
    # counts references to it, atomically; n is unsigned, or every index may be negative.
    own = s.stones[seat]
    empty = ~(s.stones[0] | s.stones[1])
    if s.over or s.stage or seat != s.turn:
        empty = np.uint64(0)
    n = np.uint64(0)
    for d in range(DIRECTIONS):
        actives = _actives(own, empty, d)
        # Mostly there are none to two. These are written without asking, which the processor
        # would guess wrong every other time; what was none is overwritten by the next.
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
def _stuck(s, seat):
    """True when the seat has no legal play."""
    empty = ~(s.stones[0] | s.stones[1])
    if empty & HOME[seat]:
        return False
    for d in range(DIRECTIONS):
        if _actives(s.stones[seat], empty, d):
            return False
    return True


@jit
def _judge(s, times):
    """Ends the game if it is won, if the side to move has no play, or by repetition."""
    mover = 1 - s.turn
    if s.stones[s.turn] & OBJECTIVE == OBJECTIVE:
        # Only a position that was read: nobody wins by the other's play.
        s.over = 1
        s.winner = s.turn
    elif s.stones[mover] & OBJECTIVE == OBJECTIVE or _stuck(s, s.turn):
        s.over = 1
        s.winner = mover
    elif s.repetition and times >= s.repetition:
        s.over = 1


@jit
def begin(s, seat, action):
    """Starts a play: the stone moves, or the home fills. Returns the event."""
    if action == PLACE:
        s.stones[seat] |= HOME[seat] & ~s.stones[1 - seat]
        s.stage = CONVERTED
        return PLACED
    d = action >> 6
    active = action & 63
    s.landed = active + 2 * (STEP_RANK[d] * 8 + STEP_FILE[d])
    s.stones[seat] ^= (np.uint64(1) << np.uint64(active)) | (np.uint64(1) << np.uint64(s.landed))
    s.stage = MOVED
    return MOVED


@jit
def _beside(squares):
    """The squares of a set and all squares adjacent to it."""
    row = (
        squares
        | ((squares & NOT_H_FILE) << np.uint64(1))
        | ((squares & NOT_A_FILE) >> np.uint64(1))
    )
    return row | (row << np.uint64(8)) | (row >> np.uint64(8))


@jit
def _suffocate(s, seat):
    """Removes the opponent's stones beside the landed one that touch no empty square."""
    other = 1 - seat
    beside = NEIGHBOURS[s.landed] & s.stones[other]
    if not beside:
        return False
    gone = beside & ~_beside(~(s.stones[0] | s.stones[1]))
    s.stones[other] ^= gone
    return gone != np.uint64(0)


@jit
def _convert(s, seat):
    """Turns the opponent's stones that stand between the landed stone and a friend behind."""
    other = 1 - seat
    beside = BACKED[s.landed] & s.stones[other]
    own = s.stones[seat]
    turned = np.uint64(0)
    while beside:
        victim = lowest_bit(beside)
        beside &= beside - np.uint64(1)
        behind = np.uint64(2 * victim - s.landed)
        turned |= ((own >> behind) & np.uint64(1)) << np.uint64(victim)
    s.stones[other] ^= turned
    s.stones[seat] ^= turned
    return turned != np.uint64(0)


@jit
def _finish(s, seat):
    """Ends the turn."""
    s.stage = DONE
    s.turn = 1 - seat
    s.ply += 1
    _judge(s, record_repetition(s.seen, s.ply, key(s)))


@jit
def advance(s):
    """Lets the play that has begun go on until something happens; returns the event, or DONE."""
    if s.stage == MOVED:
        s.stage = SUFFOCATED
        if _suffocate(s, s.turn):
            return SUFFOCATED
    if s.stage == SUFFOCATED:
        s.stage = CONVERTED
        if _convert(s, s.turn):
            return CONVERTED
    if s.stage == CONVERTED:
        _finish(s, s.turn)
    return DONE


@jit
def apply(s, seat, action):
    """Plays a legal action: what `advance` does, without the cost of stopping at every stage."""
    if begin(s, seat, action) == MOVED:
        _suffocate(s, seat)
        _convert(s, seat)
    _finish(s, seat)


@jit
def scores(s, out):
    """Writes 1 and 0, or 0.5 each for a draw; zeros before the end."""
    two_player_scores(s, out)


@jit
def hide(s, seat, seed):
    """Quorum hides nothing; only the generator is replaced."""
    reseed(s, seed)


@jit
def _targets(own, empty):
    """The squares on which a side can land."""
    targets = np.uint64(0)
    for d in range(DIRECTIONS):
        targets |= _from(_actives(own, empty, d), np.uint64(64) - np.uint64(2) * SHIFT[d])
    return targets


@jit
def _convertible(own, other, targets):
    """The other's stones that a landing on one of the targets would convert."""
    found = np.uint64(0)
    for i in range(len(AXES)):
        step, between = AXES[i, 0], AXES[i, 1]
        found |= between & (targets << step & own >> step | targets >> step & own << step)
    return found & other


@jit
def _worth(s, seat):
    """A side's strength in hundredths of a logit."""
    own, other = s.stones[seat], s.stones[1 - seat]
    empty = ~(own | other)
    targets = _targets(own, empty)
    turned = _convertible(own, other, targets)
    missing = OBJECTIVE & ~own
    worth = (
        29 * popcount(own)
        + 15 * popcount(empty & HOME[seat])
        + 40 * popcount(own & BEST[seat])
        + 22 * popcount(own & GOOD[seat])
        - 15 * popcount(own & POOR[seat])
        + 11 * popcount(targets & OBJECTIVE)
        + 8 * popcount(targets & NEAR)
    )
    if s.turn == seat:
        worth += 20 + 20 * popcount(turned) + 25 * popcount(turned & OBJECTIVE)
    else:
        worth += 13 * popcount(turned)
    # One play from the goal.
    if missing & (missing - np.uint64(1)) == np.uint64(0) and missing & (targets | turned):
        worth += 300 if s.turn == seat else 40
    return worth


@jit
def evaluate(s, seat):
    """How good the position is for the seat, from -1 to 1."""
    if s.over:
        return two_player_value(s, seat)
    x = np.float64(_worth(s, seat) - _worth(s, 1 - seat))
    return x / np.sqrt(40_000.0 + x * x)


@jit
def key(s):
    """A hash of stones and side to move."""
    return mix(mix(mix(s.stones[0]) + s.stones[1]) + np.uint64(s.turn))


@jit
def observe(s, seat, planes):
    """Writes own stones, the other's stones, own home and the side to move, ranks 1 to 8."""
    for q in range(64):
        bit = np.uint64(q)
        planes[0, q // 8, q % 8] = (s.stones[seat] >> bit) & np.uint64(1)
        planes[1, q // 8, q % 8] = (s.stones[1 - seat] >> bit) & np.uint64(1)
        planes[2, q // 8, q % 8] = (HOME[seat] >> bit) & np.uint64(1)
        planes[3, q // 8, q % 8] = 1.0 if s.turn == seat else 0.0
