"""Onoro's rules, compiled.

The plane has no end, but a sound group of 16 pawns is at most 14 cells wide and high (two
triangles joined by a straight path of ten). So the pawns lie in a window of 16 x 16 cells
that follows them: the group begins at its column 1 and row 1, and all cells that touch
a pawn are in the window too. `origin` is where on the plane the window's cell 0 lies.

A row is half a cell further right than the one above it. The window's cells by number,
and the neighbours of a cell c:

     0  1  2  3  ..  15                   c-16   c-15
      16 17 18 19  ..  31             c-1      c      c+1
        32 33 34 35  ..  47               c+15   c+16

A set of cells is four 64-bit words, four rows to a word. No pawn is ever in column 0 or
15, so stepping from a pawn never leads around the end of a row.

An action is the cell of a placing, or 256 + 256 * from + to of a moving.
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

SEATS = 2
BLACK, WHITE = 0, 1
WIDTH = 16
CELLS = WIDTH * WIDTH
ACTIONS = CELLS + CELLS * CELLS
# A pawn touches two others, so at most four empty cells: around 16 pawns no more than
# 16 * 4 / 2 empty cells touch two of them. Each of 8 pawns may land on each of those.
MAX_LEGAL = 8 * 32
PLANES = (5, WIDTH, WIDTH)

STATE = np.dtype(
    [
        *HEADER,
        ("winner", "i1"),
        ("repetition", "u1"),
        ("each", "u1"),  # pawns per side when all are placed
        ("placed", "u1"),  # pawns of both sides so far
        ("landing", "u1"),  # the cell that the lifted pawn is on its way to
        ("origin", "i8", (2,)),  # q and r of the window's cell 0
        ("pawns", "u8", (2, 4)),
        ("two", "u8", (4,)),  # the cells, taken or not, that touch two pawns or more
        ("three", "u8", (4,)),  # three pawns or more
        ("seen", "u8", (REPETITION_WINDOW,)),
    ]
)

# What happens in a play.
DONE, PLACED, LIFTED, LANDED = range(4)
EVENTS = ("", "place", "lift", "land")

# The steps along the three lines, from lower to higher cells.
RIGHT, DOWN_LEFT, DOWN_RIGHT = np.uint64(1), np.uint64(15), np.uint64(16)
LINES = (RIGHT, DOWN_LEFT, DOWN_RIGHT)

ROW = np.uint64(0x000000000000FFFF)
COLUMN = np.uint64(0x0001000100010001)


def _set(cells):
    bits = sum(1 << c for c in cells)
    return [bits >> 64 * w & 0xFFFFFFFFFFFFFFFF for w in range(4)]


def _beside(c):
    q, r = c % WIDTH, c // WIDTH
    around = ((q + 1, r), (q - 1, r), (q, r + 1), (q, r - 1), (q + 1, r - 1), (q - 1, r + 1))
    return [y * WIDTH + x for x, y in around if 0 <= x < WIDTH and 0 <= y < WIDTH]


ALONE = np.array([_set([c]) for c in range(CELLS)], np.uint64)
BESIDE = np.array([_set(_beside(c)) for c in range(CELLS)], np.uint64)


@jit
def _cells(words):
    """A set out of an array, to be worked with: four words in registers."""
    return words[0], words[1], words[2], words[3]


@jit
def _or(a, b):
    return a[0] | b[0], a[1] | b[1], a[2] | b[2], a[3] | b[3]


@jit
def _and(a, b):
    return a[0] & b[0], a[1] & b[1], a[2] & b[2], a[3] & b[3]


@jit
def _less(a, b):
    return a[0] & ~b[0], a[1] & ~b[1], a[2] & ~b[2], a[3] & ~b[3]


@jit
def _any(a):
    return (a[0] | a[1] | a[2] | a[3]) != np.uint64(0)


@jit
def _later(a, n):
    """The set moved to cells higher by n, which is from 1 to 63."""
    over = np.uint64(64) - n
    return (
        a[0] << n,
        a[1] << n | a[0] >> over,
        a[2] << n | a[1] >> over,
        a[3] << n | a[2] >> over,
    )


@jit
def _earlier(a, n):
    """The set moved to cells lower by n, which is from 1 to 63."""
    over = np.uint64(64) - n
    return (
        a[0] >> n | a[1] << over,
        a[1] >> n | a[2] << over,
        a[2] >> n | a[3] << over,
        a[3] >> n,
    )


@jit
def _spread(a):
    """The cells that touch a cell of the set."""
    right = _later(a, RIGHT)
    pairs = _or(a, right)
    row = _or(right, _earlier(a, RIGHT))
    return _or(row, _or(_later(pairs, DOWN_LEFT), _earlier(pairs, DOWN_RIGHT)))


@jit
def _everyone(s):
    """The pawns of both sides."""
    return _or(_cells(s.pawns[BLACK]), _cells(s.pawns[WHITE]))


@jit
def start(s, options, seed):
    """Writes the first position; options: pawns, repetition."""
    init_header(s, seed)
    s.each = options[0]
    s.repetition = options[1]
    # White at 0,0 and Black below, at -1,1 and 0,1.
    s.origin[0] = -2
    s.origin[1] = -1
    s.pawns[:] = np.uint64(0)
    s.pawns[WHITE, 0] = np.uint64(1 << 18)
    s.pawns[BLACK, 0] = np.uint64(1 << 33 | 1 << 34)
    s.turn = WHITE
    restore(s)


@jit
def restore(s):
    """Makes a position whose pawns, origin and turn were just written whole, standing first."""
    s.placed = 0
    for w in range(4):
        s.placed += popcount(s.pawns[BLACK, w]) + popcount(s.pawns[WHITE, w])
    s.landing = 0
    s.over = 0
    s.winner = NOBODY
    s.seen[:] = np.uint64(0)
    _judge(s)


@jit
def _note_touching(s):
    """Notes which cells touch two pawns, and which three."""
    pawns = _everyone(s)
    one, near = _later(pawns, RIGHT), _earlier(pawns, RIGHT)
    two = _and(one, near)
    three = _less(two, two)
    one = _or(one, near)
    for step in (DOWN_LEFT, DOWN_RIGHT):
        for near in (_later(pawns, step), _earlier(pawns, step)):
            three = _or(three, _and(two, near))
            two = _or(two, _and(one, near))
            one = _or(one, near)
    for w in range(4):
        s.two[w] = two[w]
        s.three[w] = three[w]


# The neighbours of a cell c among the 33 cells from c - 16 to c + 16, as bits:
#
#       0   1          two neighbours side by side differ by 1 (0 1, 31 32),
#    15   .   17       by 16 (1 17, 15 31) or by 15 (0 15, 17 32)
#      31  32
RING = np.uint64(1 << 0 | 1 << 1 | 1 << 15 | 1 << 17 | 1 << 31 | 1 << 32)
APART_1 = np.uint64(1 << 0 | 1 << 31)
APART_16 = np.uint64(1 << 1 | 1 << 15)
APART_15 = np.uint64(1 << 0 | 1 << 17)


@jit
def _ring(a, c):
    """The cells of the set beside c, which holds a pawn, as bits 0 to 32 like drawn above."""
    first = c - 16
    w = first >> 6
    bit = np.uint64(first & 63)
    # What the clamp of the next word spoils lies past bit 32.
    return (a[w] >> bit | a[min(w + 1, 3)] << np.uint64(1) << (np.uint64(63) - bit)) & RING


@jit
def _arcs(ring):
    """How many separate arcs the cells of a ring form, if it is not full; at most one if it is."""
    return (
        popcount(ring)
        - popcount(ring & ring >> np.uint64(1) & APART_1)
        - popcount(ring & ring >> np.uint64(16) & APART_16)
        - popcount(ring & ring >> np.uint64(15) & APART_15)
    )


@jit
def _first(a):
    """The lowest cell of a set that is not empty."""
    w = 0
    while not a[w]:
        w += 1
    return 64 * w + lowest_bit(a[w])


@jit
def _joining(landings, rest, ends):
    """The landings that touch every part of the rest of a group; each part holds an end."""
    while True:
        part = _cells(ALONE[_first(ends)])
        while True:
            near = _spread(part)
            more = _less(_and(near, rest), part)
            if not _any(more):
                break
            part = _or(part, more)
            if not _any(_less(ends, part)):
                part = rest  # no end is left for another part
        landings = _and(landings, near)
        ends = _less(ends, part)
        if not _any(ends):
            return landings
        rest = _less(rest, part)


@jit
def _ground(s):
    """All pawns, the empty cells that touch two pawns or more, and three, and the frail pawns:
    those that touch only two others.
    """
    pawns, three = _everyone(s), _cells(s.three)
    return pawns, _less(_cells(s.two), pawns), _less(three, pawns), _less(pawns, three)


@jit
def _landings(ground, c):
    """The cells to which the pawn of cell c can go."""
    pawns, two, three, frail = ground
    beside = _cells(BESIDE[c])
    landings = _or(_less(two, beside), _and(three, beside))
    # Who loses one of two must touch the pawn again where it lands.
    left = _ring(frail, c)
    while left:
        landings = _and(landings, _cells(BESIDE[c - 16 + lowest_bit(left)]))
        left &= left - np.uint64(1)
    # One arc of neighbours holds together without the pawn in its middle.
    if _any(landings) and _arcs(_ring(pawns, c)) > 1:
        rest = _less(pawns, _cells(ALONE[c]))
        landings = _joining(landings, rest, _and(rest, beside))
    return landings


@jit
def _list(a, base, out, n):
    """Writes base + cell for each cell of the set, from out[n] on; returns where they end."""
    for w in range(4):
        left = a[w]
        while left:
            out[n] = base + 64 * w + lowest_bit(left)
            n += 1
            left &= left - np.uint64(1)
    return n


@jit
def legal(s, seat, out):
    """Writes the legal actions, ascending, into out and returns how many."""
    n = np.int64(0)
    if s.over or s.stage or seat != s.turn:
        return n
    ground = _ground(s)
    if s.placed < 2 * s.each:
        return _list(ground[1], n, out, n)
    for w in range(4):
        own = s.pawns[seat, w]
        while own:
            c = 64 * w + lowest_bit(own)
            own &= own - np.uint64(1)
            n = _list(_landings(ground, c), CELLS + CELLS * c, out, n)
    return n


@jit
def _stuck(s):
    """True when the side to move has no move; on the outline is always room for a new pawn."""
    if s.placed < 2 * s.each:
        return False
    ground = _ground(s)
    for w in range(4):
        own = s.pawns[s.turn, w]
        while own:
            if _any(_landings(ground, 64 * w + lowest_bit(own))):
                return False
            own &= own - np.uint64(1)
    return True


@jit
def _line(a):
    """True when four cells of the set lie in a row."""
    found = False
    for step in LINES:
        pairs = _and(a, _earlier(a, step))
        found |= _any(_and(pairs, _earlier(pairs, step + step)))
    return found


@jit
def _judge(s):
    """Sees what stands on the board, and ends the game if it is won, lost or repeated."""
    _note_touching(s)
    times = record_repetition(s.seen, s.ply, key(s))
    mover = 1 - s.turn
    if _line(_cells(s.pawns[mover])) or _stuck(s):
        s.over = 1
        s.winner = mover
    elif s.repetition and times >= s.repetition:
        s.over = 1


@jit
def _put(s, seat, c):
    """Puts a pawn on a cell, and the window back to where the group begins.

    A pawn alone in its row has neighbours in the next one, so a play moves the group's
    ends by one row and column at most.
    """
    s.pawns[seat, c >> 6] |= np.uint64(1) << np.uint64(c & 63)
    pawns = _everyone(s)
    columns = pawns[0] | pawns[1] | pawns[2] | pawns[3]
    right, down = 0, 0
    if columns & COLUMN:
        right = 1
    elif not columns & COLUMN << np.uint64(1):
        right = -1
    if pawns[0] & ROW:
        down = 1
    elif not pawns[0] & ROW << np.uint64(16):
        down = -1
    n = right + WIDTH * down
    if n == 0:
        return
    s.origin[0] -= right
    s.origin[1] -= down
    for side in range(2):
        moved = _cells(s.pawns[side])
        moved = _later(moved, np.uint64(n)) if n > 0 else _earlier(moved, np.uint64(-n))
        for w in range(4):
            s.pawns[side, w] = moved[w]


@jit
def begin(s, seat, action):
    """Starts a play: a pawn is placed, or lifted. Returns the event."""
    if action < CELLS:
        _put(s, np.int64(seat), np.int64(action))
        s.placed += 1
        s.stage = PLACED
        return PLACED
    c = (action >> 8) - 1
    s.pawns[seat, c >> 6] ^= np.uint64(1) << np.uint64(c & 63)
    s.landing = action & 255
    s.stage = LIFTED
    return LIFTED


@jit
def advance(s):
    """Lets the play that has begun go on until something happens; returns the event, or DONE."""
    if s.stage == LIFTED:
        _put(s, np.int64(s.turn), np.int64(s.landing))
        s.stage = LANDED
        return LANDED
    if s.stage:
        s.stage = DONE
        s.turn = 1 - s.turn
        s.ply += 1
        _judge(s)
    return DONE


@jit
def apply(s, seat, action):
    """Plays a legal action."""
    begin(s, seat, action)
    while advance(s):
        pass


@jit
def scores(s, out):
    """Writes 1 and 0, or 0.5 each for a draw; zeros before the end."""
    two_player_scores(s, out)


@jit
def hide(s, seat, seed):
    """Onoro hides nothing; only the generator is replaced."""
    reseed(s, seed)


# What it costs to be threatened by no, one or more cells on which the other would win.
THREAT_PLACING = np.array([0.0, 107.0, 320.0])
THREAT = np.array([0.0, 46.0, 165.0])


@jit
def _count(a):
    return popcount(a[0]) + popcount(a[1]) + popcount(a[2]) + popcount(a[3])


@jit
def _gaps(own):
    """The cells where one more pawn would make four in a row."""
    gaps = _less(own, own)
    for step in LINES:
        before, after = _later(own, step), _earlier(own, step)
        two_before = _and(before, _later(own, step + step))
        two_after = _and(after, _earlier(own, step + step))
        ends = _or(
            _and(two_before, _or(after, _later(own, step + step + step))),
            _and(two_after, _or(before, _earlier(own, step + step + step))),
        )
        gaps = _or(gaps, ends)
    return gaps


@jit
def _reach(s, seat, ground, near):
    """How freely a side's pawns move, and how many cells there are on which it would win, if
    it were its turn; `near` tells whether a line of it lacks only one cell that is open.
    """
    own = _cells(s.pawns[seat])
    gaps = _less(own, own)
    if near:
        gaps = _and(_gaps(own), ground[1])
    if s.placed < 2 * s.each:
        return 0, _count(gaps)
    freedom = 0
    strikes = _less(own, own)
    for w in range(4):
        left = own[w]
        while left:
            c = 64 * w + lowest_bit(left)
            left &= left - np.uint64(1)
            landings = _landings(ground, c)
            n = _count(landings)
            freedom += 11 + n if n else 0
            ends = _and(gaps, landings)
            if _any(ends):
                # A pawn of the three cannot be the fourth.
                strikes = _or(strikes, _and(ends, _gaps(_less(own, _cells(ALONE[c])))))
    return freedom, _count(strikes)


@jit
def _two(a, b, c, d):
    """The bits that are set in two or three of four words."""
    return a & b ^ c & d ^ (a ^ b) & (c ^ d)


@jit
def _prospects(s, seat, room):
    """A side's open lines: four cells in a row, two or three of them its own, none the other's.

    Returns how many lack one cell that a pawn can go to, as it touches two; how many lack one
    cell that does not yet; how many lack two cells, both open to pawns, or one of them.
    """
    near = far = both = one = 0
    for w in range(4):
        # A line begins in this word, and ends in it or in the next.
        own = s.pawns[seat, w]
        own_on = s.pawns[seat, w + 1] if w < 3 else np.uint64(0)
        if own | own_on == np.uint64(0):
            continue
        other = s.pawns[1 - seat, w]
        other_on = s.pawns[1 - seat, w + 1] if w < 3 else np.uint64(0)
        here = room[w]
        here_on = room[w + 1] if w < 3 else np.uint64(0)
        for step in LINES:
            two, three = step + step, step + step + step
            a, b = own, own >> step | own_on << (np.uint64(64) - step)
            c = own >> two | own_on << (np.uint64(64) - two)
            d = own >> three | own_on << (np.uint64(64) - three)
            blocked = (
                other
                | other >> step
                | other >> two
                | other >> three
                | other_on << (np.uint64(64) - step)
                | other_on << (np.uint64(64) - two)
                | other_on << (np.uint64(64) - three)
            )
            odd = a ^ b ^ c ^ d
            some = _two(a, b, c, d) & ~blocked
            if some:
                a, b = here, here >> step | here_on << (np.uint64(64) - step)
                c = here >> two | here_on << (np.uint64(64) - two)
                d = here >> three | here_on << (np.uint64(64) - three)
                odd_room = a ^ b ^ c ^ d
                near += popcount(some & odd & odd_room)
                far += popcount(some & odd & ~odd_room)
                both += popcount(some & ~odd & _two(a, b, c, d))
                one += popcount(some & ~odd & odd_room)
    return near, far, both, one


@jit
def evaluate(s, seat):
    """How good the position is for the seat, from -1 to 1.

    Adds up hundredths of a logit, as they came out of many games played against itself.
    """
    if s.over:
        return two_player_value(s, seat)
    ground = _ground(s)
    placing = s.placed < 2 * s.each
    turn = np.int64(s.turn)
    near, far, both, one = _prospects(s, turn, ground[1])
    freedom, strikes = _reach(s, turn, ground, near > 0)
    if strikes:
        x = 1000.0
    else:
        near, far_2, both_2, one_2 = _prospects(s, 1 - turn, ground[1])
        freedom_2, strikes = _reach(s, 1 - turn, ground, near > 0)
        far -= far_2
        both -= both_2
        one -= one_2
        if placing:
            x = 45.0 + 95 * far + 33 * both + 12 * one - THREAT_PLACING[min(strikes, 2)]
        else:
            x = 15.0 + 24 * far + 11 * both + freedom - freedom_2 - THREAT[min(strikes, 2)]
    x /= np.sqrt(40_000.0 + x * x)
    return x if seat == turn else -x


@jit
def key(s):
    """A hash of pawns and side to move, the same wherever on the plane the group lies."""
    x = np.uint64(s.turn)
    salt = np.uint64(0)
    for seat in range(2):
        for w in range(4):
            salt += np.uint64(0x9E3779B97F4A7C15)
            x += mix(s.pawns[seat, w] + salt)
    return mix(x)


@jit
def observe(s, seat, planes):
    """Writes the window's own pawns, the other's, the empty cells that touch two pawns,
    whether pawns are still to be placed, and the side to move.
    """
    for c in range(CELLS):
        w, bit = c >> 6, np.uint64(c & 63)
        q, r = c % WIDTH, c // WIDTH
        own = s.pawns[seat, w] >> bit & np.uint64(1)
        other = s.pawns[1 - seat, w] >> bit & np.uint64(1)
        planes[0, r, q] = own
        planes[1, r, q] = other
        planes[2, r, q] = s.two[w] >> bit & ~(own | other) & np.uint64(1)
        planes[3, r, q] = 1.0 if s.placed < 2 * s.each else 0.0
        planes[4, r, q] = 1.0 if s.turn == seat else 0.0
