"""Onoro's rules, compiled.

The plane has no end, but a sound group of 16 pawns is at most 14 cells wide and high (two
triangles joined by a straight path of ten). So the pawns lie in a window of 16 x 16 cells,
moved along with them so that they begin at its column 1 and row 1, and every cell next to
a pawn is in the window too; `origin` is where on the plane its cell 0 lies.

A cell is a bit of four 64-bit words, four rows to a word. Seen as hexagons, each row half
a cell further right than the one above, the neighbours of a cell c are

         c-16  c-15            0  1  2 .. 15
      c-1    c    c+1            16 17 18 .. 31
         c+15  c+16                 32 33 34 .. 47

Column 0 and 15 never hold a pawn, so no step from a pawn wraps around a row's end.

An action is the cell of a placing, or 256 + 256 * from + to of a moving.
"""

import numpy as np

from quincunx.jit import jit, lowest, popcount
from quincunx.position import HEADER, REMEMBERED, clear, mix, stand

SEATS = 2
BLACK, WHITE = 0, 1
WIDTH = 16
CELLS = WIDTH * WIDTH
ACTIONS = CELLS + CELLS * CELLS
# A pawn touches two others, hence at most four empty cells; 16 pawns let no more than
# 32 empty cells touch two pawns, and each of 8 pawns may land on each of those.
MAX_LEGAL = 8 * 32
PLANES = (5, WIDTH, WIDTH)

NOBODY = -1

STATE = np.dtype(
    [
        *HEADER,
        ("winner", "i1"),
        ("repetition", "u1"),
        ("each", "u1"),  # pawns per side
        ("placed", "u1"),  # pawns on the board, of both sides
        ("landing", "u1"),  # where the lifted pawn will land
        ("origin", "i8", (2,)),  # q, r
        ("pawns", "u8", (2, 4)),
        ("two", "u8", (4,)),  # the cells, empty or not, that touch two or more pawns
        ("three", "u8", (4,)),  # three or more
        ("seen", "u8", (REMEMBERED,)),
    ]
)

# What happens in a play, in this order.
DONE, PLACED, LIFTED, LANDED = range(4)
EVENTS = ("", "place", "lift", "land")

# The steps along the three lines, as differences of cells.
LINES = (1, 16, 15)

ROW = np.uint64(0x000000000000FFFF)
COLUMN = np.uint64(0x0001000100010001)


def _words(cells):
    bits = sum(1 << c for c in cells)
    return [bits >> 64 * w & 0xFFFFFFFFFFFFFFFF for w in range(4)]


def _beside(c):
    q, r = c % WIDTH, c // WIDTH
    around = ((q + 1, r), (q - 1, r), (q, r + 1), (q, r - 1), (q + 1, r - 1), (q - 1, r + 1))
    return [y * WIDTH + x for x, y in around if 0 <= x < WIDTH and 0 <= y < WIDTH]


# BESIDE[c]: the cells of the window that touch cell c.
BESIDE = np.array([_words(_beside(c)) for c in range(CELLS)], np.uint64)


# Sets of cells: four words each.


@jit
def _cells(words):
    return words[0], words[1], words[2], words[3]


@jit
def _or(a, b):
    return a[0] | b[0], a[1] | b[1], a[2] | b[2], a[3] | b[3]


@jit
def _and(a, b):
    return a[0] & b[0], a[1] & b[1], a[2] & b[2], a[3] & b[3]


@jit
def _xor(a, b):
    return a[0] ^ b[0], a[1] ^ b[1], a[2] ^ b[2], a[3] ^ b[3]


@jit
def _less(a, b):
    return a[0] & ~b[0], a[1] & ~b[1], a[2] & ~b[2], a[3] & ~b[3]


@jit
def _any(a):
    return (a[0] | a[1] | a[2] | a[3]) != np.uint64(0)


@jit
def _later(a, n):
    """The set moved n cells on, n from 1 to 63."""
    up, down = np.uint64(n), np.uint64(64 - n)
    return a[0] << up, a[1] << up | a[0] >> down, a[2] << up | a[1] >> down, a[3] << up | a[2] >> down


@jit
def _earlier(a, n):
    """The set moved n cells back, n from 1 to 63."""
    up, down = np.uint64(64 - n), np.uint64(n)
    return a[0] >> down | a[1] << up, a[1] >> down | a[2] << up, a[2] >> down | a[3] << up, a[3] >> down


@jit
def _spread(a):
    """The cells that touch a cell of the set."""
    row = _or(a, _later(a, 1))
    return _or(
        _or(_later(a, 1), _earlier(a, 1)),
        _or(_later(row, 15), _earlier(row, 16)),
    )


@jit
def _single(c):
    one = np.uint64(1) << np.uint64(c & 63)
    none = np.uint64(0)
    w = c >> 6
    return (
        one if w == 0 else none,
        one if w == 1 else none,
        one if w == 2 else none,
        one if w == 3 else none,
    )


@jit
def start(s, options, seed):
    """Writes the first position; options: pawns, repetition."""
    clear(s, seed)
    s.each = options[0]
    s.repetition = options[1]
    s.pawns[:] = np.uint64(0)
    # White at 0,0, Black below it at -1,1 and 0,1.
    s.pawns[WHITE, 0] = np.uint64(1) << np.uint64(18)
    s.pawns[BLACK, 0] = np.uint64(3) << np.uint64(33)
    s.origin[0] = -2
    s.origin[1] = -1
    s.turn = WHITE
    restore(s)


@jit
def restore(s):
    """Makes a position whose pawns, origin and turn were just written whole, as its first standing."""
    s.over = 0
    s.winner = NOBODY
    s.landing = 0
    s.placed = 0
    for w in range(4):
        s.placed += popcount(s.pawns[0, w]) + popcount(s.pawns[1, w])
    s.seen[:] = np.uint64(0)
    _feel(s)
    _judge(s, stand(s.seen, s.ply, key(s)))


@jit
def _everyone(s):
    return _or(_cells(s.pawns[0]), _cells(s.pawns[1]))


@jit
def _feel(s):
    """Notes which cells touch two pawns, and three."""
    a = _everyone(s)
    one = _later(a, 1)
    b = _earlier(a, 1)
    two = _and(one, b)
    one = _or(one, b)
    three = _less(a, a)
    for n in (15, 16):
        for b in (_later(a, n), _earlier(a, n)):
            three = _or(three, _and(two, b))
            two = _or(two, _and(one, b))
            one = _or(one, b)
    for w in range(4):
        s.two[w] = two[w]
        s.three[w] = three[w]


@jit
def _around(a, c):
    """The ring of c in the set a."""
    first = c - 16
    w = first >> 6
    shift = np.uint64(first & 63)
    return a[w] >> shift | a[min(w + 1, 3)] << np.uint64(1) << (np.uint64(63) - shift)


RING = np.uint64(1 << 0 | 1 << 1 | 1 << 15 | 1 << 17 | 1 << 31 | 1 << 32)
PAIRS_1 = np.uint64(1 << 0 | 1 << 31)
PAIRS_16 = np.uint64(1 << 1 | 1 << 15)
PAIRS_15 = np.uint64(1 << 0 | 1 << 17)


@jit
def _arcs(a, c):
    x = _around(a, c) 
    return (
        popcount(x & RING)
        - popcount(x & (x >> np.uint64(1)) & PAIRS_1)
        - popcount(x & (x >> np.uint64(16)) & PAIRS_16)
        - popcount(x & (x >> np.uint64(15)) & PAIRS_15)
    )


@jit
def _first(a):
    """The lowest cell of a set that is not empty, alone."""
    if a[0]:
        return a[0] & -a[0], a[0] ^ a[0], a[0] ^ a[0], a[0] ^ a[0]
    if a[1]:
        return a[0], a[1] & -a[1], a[0], a[0]
    if a[2]:
        return a[0], a[0], a[2] & -a[2], a[0]
    return a[0], a[0], a[0], a[3] & -a[3]


@jit
def _landings(everyone, two, three, frail, c):
    """The cells on which the pawn of cell c can land."""
    beside = _cells(BESIDE[c])
    # Lifted, the pawn is no longer touched by its neighbours
    cells = _or(_less(two, beside), _and(three, beside))
    for w in range(4):
        left = frail[w] & beside[w]
        while left:
            cells = _and(cells, _cells(BESIDE[64 * w + lowest(left)]))
            left &= left - np.uint64(1)
    if not _any(cells):
        return cells
    if _arcs(everyone, c) > 1:
        rest = _less(everyone, _single(c))
        ends = _and(rest, beside)
        while True:
            part = _first(ends)
            more = _and(_spread(part), rest)
            while _any(_less(more, part)) and _any(_less(ends, part)):
                part = _or(part, more)
                more = _and(_spread(part), rest)
            ends = _less(ends, part)
            if not _any(ends):
                return _and(cells, _spread(rest))
            cells = _and(cells, _spread(part))
            rest = _less(rest, part)
    return cells


@jit
def legal(s, seat, out):
    """Writes the legal actions, ascending, into out and returns how many."""
    if s.over or s.stage or seat != s.turn:
        return 0
    everyone = _everyone(s)
    two = _less(_cells(s.two), everyone)
    n = 0
    if s.placed < 2 * s.each:
        for w in range(4):
            left = two[w]
            while left:
                out[n] = 64 * w + lowest(left)
                n += 1
                left &= left - np.uint64(1)
        return n
    three = _less(_cells(s.three), everyone)
    frail = _less(everyone, _cells(s.three))
    for v in range(4):
        own = s.pawns[seat, v]
        while own:
            c = 64 * v + lowest(own)
            own &= own - np.uint64(1)
            landings = _landings(everyone, two, three, frail, c)
            for w in range(4):
                left = landings[w]
                while left:
                    out[n] = CELLS + CELLS * c + 64 * w + lowest(left)
                    n += 1
                    left &= left - np.uint64(1)
    return n


@jit
def _stuck(s):
    """True when the side to move has no legal play; while pawns are placed there always is one."""
    if s.placed < 2 * s.each:
        return False
    everyone = _everyone(s)
    two = _less(_cells(s.two), everyone)
    three = _less(_cells(s.three), everyone)
    frail = _less(everyone, _cells(s.three))
    for v in range(4):
        own = s.pawns[s.turn, v]
        while own:
            c = 64 * v + lowest(own)
            own &= own - np.uint64(1)
            if _any(_landings(everyone, two, three, frail, c)):
                return False
    return True


@jit
def _line(a):
    """True when four cells of the set lie in a row."""
    found = False
    for step in LINES:
        pairs = _and(a, _earlier(a, step))
        found |= _any(_and(pairs, _earlier(pairs, 2 * step)))
    return found


@jit
def _judge(s, times):
    """Ends the game by a line of four, if the side to move has no move, or by repetition."""
    mover = 1 - s.turn
    if _line(_cells(s.pawns[mover])) or _stuck(s):
        s.over = 1
        s.winner = mover
    elif s.repetition and times >= s.repetition:
        s.over = 1


@jit
def _put(s, seat, c):
    """Puts a pawn on a cell, and the window where the group now begins."""
    s.pawns[seat, c >> 6] |= np.uint64(1) << np.uint64(c & 63)
    a = _everyone(s)
    columns = a[0] | a[1] | a[2] | a[3]
    right = 0
    down = 0
    if columns & COLUMN:
        right = 1
    elif not columns & (COLUMN << np.uint64(1)):
        right = -1
    if a[0] & ROW:
        down = 1
    elif not a[0] & (ROW << np.uint64(16)):
        down = -1
    if right or down:
        by = right + 16 * down
        for i in range(2):
            b = _cells(s.pawns[i])
            b = _later(b, by) if by > 0 else _earlier(b, -by)
            for w in range(4):
                s.pawns[i, w] = b[w]
        s.origin[0] -= right
        s.origin[1] -= down


@jit
def begin(s, seat, action):
    """Starts a play: a pawn is placed, or lifted. Returns the event."""
    if action < CELLS:
        _put(s, seat, action)
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
        _put(s, s.turn, np.int64(s.landing))
        s.stage = LANDED
        return LANDED
    if s.stage:
        s.stage = DONE
        s.turn = 1 - s.turn
        s.ply += 1
        _feel(s)
        _judge(s, stand(s.seen, s.ply, key(s)))
    return DONE


@jit
def apply(s, seat, action):
    """Plays a legal action."""
    begin(s, seat, action)
    while advance(s):
        pass


@jit
def key(s):
    """A hash of pawns and side to move, the same wherever on the plane the group lies."""
    x = np.uint64(s.turn)
    for seat in range(2):
        for w in range(4):
            x += mix(s.pawns[seat, w] + np.uint64(4 * seat + w + 1) * np.uint64(0x9E3779B97F4A7C15))
    return mix(x)


@jit
def scores(s, out):
    """Writes 1 and 0, or 0.5 each for a draw; zeros before the end."""
    out[0] = out[1] = 0.0
    if s.over:
        if s.winner == NOBODY:
            out[0] = out[1] = 0.5
        else:
            out[s.winner] = 1.0


@jit
def hide(s, seat, seed):
    """Onoro hides nothing; only the generator is replaced."""
    s.rng = mix(np.uint64(seed))


@jit
def evaluate(s, seat):
    return 0.0

@jit
def observe(s, seat, planes):
    pass
