"""Sets of cells in Onoro's window, and the cells to which a pawn can move, compiled.

Each row is shifted right by half a cell against the row above it. The cell numbers of the
window, and the neighbours of a cell c:

     0  1  2  3  ..  15                   c-16   c-15
      16 17 18 19  ..  31             c-1      c      c+1
        32 33 34 35  ..  47               c+15   c+16

A set of cells is four 64-bit words with four rows each. Pawns are never in column 0 or 15, so
a step from a pawn never wraps around the end of a row.
"""

import numpy as np

from quincunx.jit import jit, lowest_bit, popcount

BLACK, WHITE = 0, 1
WINDOW_WIDTH = 16
WINDOW_CELLS = WINDOW_WIDTH * WINDOW_WIDTH

# The steps along the three directions of lines, from lower to higher cells.
RIGHT, DOWN_LEFT, DOWN_RIGHT = np.uint64(1), np.uint64(15), np.uint64(16)
LINE_STEPS = (RIGHT, DOWN_LEFT, DOWN_RIGHT)


def _words(cells):
    """Returns a set of cells as a list of four words."""
    bits = sum(1 << c for c in cells)
    return [bits >> 64 * w & 0xFFFFFFFFFFFFFFFF for w in range(4)]


def _neighbours(c):
    q, r = c % WINDOW_WIDTH, c // WINDOW_WIDTH
    neighbours = ((q + 1, r), (q - 1, r), (q, r + 1), (q, r - 1), (q + 1, r - 1), (q - 1, r + 1))
    return [
        y * WINDOW_WIDTH + x
        for x, y in neighbours
        if 0 <= x < WINDOW_WIDTH and 0 <= y < WINDOW_WIDTH
    ]


CELL_MASK = np.array([_words([c]) for c in range(WINDOW_CELLS)], np.uint64)
NEIGHBOUR_MASK = np.array([_words(_neighbours(c)) for c in range(WINDOW_CELLS)], np.uint64)


@jit
def load(words):
    """Returns a set stored in an array as a tuple of four words."""
    return words[0], words[1], words[2], words[3]


@jit
def union(a, b):
    """Returns the cells of either set."""
    return a[0] | b[0], a[1] | b[1], a[2] | b[2], a[3] | b[3]


@jit
def intersection(a, b):
    """Returns the cells of both sets."""
    return a[0] & b[0], a[1] & b[1], a[2] & b[2], a[3] & b[3]


@jit
def difference(a, b):
    """Returns the cells of a that are not in b."""
    return a[0] & ~b[0], a[1] & ~b[1], a[2] & ~b[2], a[3] & ~b[3]


@jit
def any_cell(a):
    """Returns True if the set is not empty."""
    return (a[0] | a[1] | a[2] | a[3]) != np.uint64(0)


@jit
def shift_up(a, n):
    """Returns the set with every cell number increased by n, from 1 to 63."""
    carry = np.uint64(64) - n
    return (
        a[0] << n,
        a[1] << n | a[0] >> carry,
        a[2] << n | a[1] >> carry,
        a[3] << n | a[2] >> carry,
    )


@jit
def shift_down(a, n):
    """Returns the set with every cell number decreased by n, from 1 to 63."""
    carry = np.uint64(64) - n
    return (
        a[0] >> n | a[1] << carry,
        a[1] >> n | a[2] << carry,
        a[2] >> n | a[3] << carry,
        a[3] >> n,
    )


@jit
def _adjacent(a):
    """Returns the cells that touch a cell of the set."""
    right = shift_up(a, RIGHT)
    pairs = union(a, right)
    row = union(right, shift_down(a, RIGHT))
    return union(row, union(shift_up(pairs, DOWN_LEFT), shift_down(pairs, DOWN_RIGHT)))


@jit
def all_pawns(s):
    """Returns the pawns of both sides."""
    return union(load(s.pawns[BLACK]), load(s.pawns[WHITE]))


@jit
def count(a):
    """Returns the number of cells of a set."""
    return popcount(a[0]) + popcount(a[1]) + popcount(a[2]) + popcount(a[3])


# The ring of a cell c: its six neighbours as bits of a word, where bit i is cell c - 16 + i:
#
#       0   1          Adjacent cells of the ring differ by 1 (0 1, 31 32),
#    15   .   17       by 16 (1 17, 15 31) or by 15 (0 15, 17 32).
#      31  32
#
# PAIRS_BY_n has the lower cell of each pair of adjacent cells that differ by n.
RING_MASK = np.uint64(1 << 0 | 1 << 1 | 1 << 15 | 1 << 17 | 1 << 31 | 1 << 32)
PAIRS_BY_1 = np.uint64(1 << 0 | 1 << 31)
PAIRS_BY_16 = np.uint64(1 << 1 | 1 << 15)
PAIRS_BY_15 = np.uint64(1 << 0 | 1 << 17)


@jit
def _ring(a, c):
    """Returns the cells of the set that touch c, as a ring; c must hold a pawn."""
    first = c - 16
    w = first >> 6
    bit = np.uint64(first & 63)
    # Past the last word the clamp repeats it, but only into bits above 32, which are masked out.
    return (a[w] >> bit | a[min(w + 1, 3)] << np.uint64(1) << (np.uint64(63) - bit)) & RING_MASK


@jit
def _count_arcs(ring):
    """Returns the number of separate arcs that the cells of a ring form; 0 for a full ring."""
    return (
        popcount(ring)
        - popcount(ring & ring >> np.uint64(1) & PAIRS_BY_1)
        - popcount(ring & ring >> np.uint64(16) & PAIRS_BY_16)
        - popcount(ring & ring >> np.uint64(15) & PAIRS_BY_15)
    )


@jit
def _lowest_cell(a):
    """Returns the lowest cell of a non-empty set."""
    w = 0
    while not a[w]:
        w += 1
    return 64 * w + lowest_bit(a[w])


@jit
def _connecting_landings(landings, rest, seeds):
    """Returns the landings that touch every connected part of `rest`.

    Every part contains at least one of the seeds.
    """
    while True:
        part = load(CELL_MASK[_lowest_cell(seeds)])
        while True:
            adjacent = _adjacent(part)
            new = difference(intersection(adjacent, rest), part)
            if not any_cell(new):
                break
            part = union(part, new)
            if not any_cell(difference(seeds, part)):
                part = rest  # all seeds are connected, so there is no other part
        landings = intersection(landings, adjacent)
        seeds = difference(seeds, part)
        if not any_cell(seeds):
            return landings
        rest = difference(rest, part)


@jit
def group_sets(s):
    """Returns four sets that the move generator uses.

    They are all pawns, the empty cells that touch at least two pawns, the empty cells that touch
    at least three, and the fragile pawns: those that touch only two others.
    """
    pawns, three = all_pawns(s), load(s.three)
    return pawns, difference(load(s.two), pawns), difference(three, pawns), difference(pawns, three)


@jit
def landings(sets, c):
    """Returns the cells to which the pawn on cell c can move."""
    pawns, two, three, fragile = sets
    neighbours = load(NEIGHBOUR_MASK[c])
    # A neighbouring cell loses the moving pawn itself as a neighbour, so it needs three.
    landings = union(difference(two, neighbours), intersection(three, neighbours))
    # A fragile pawn that loses this neighbour must touch the pawn again where it lands.
    remaining = _ring(fragile, c)
    while remaining:
        landings = intersection(landings, load(NEIGHBOUR_MASK[c - 16 + lowest_bit(remaining)]))
        remaining &= remaining - np.uint64(1)
    # If the neighbours form a single arc, they stay connected without the pawn.
    if any_cell(landings) and _count_arcs(_ring(pawns, c)) > 1:
        rest = difference(pawns, load(CELL_MASK[c]))
        landings = _connecting_landings(landings, rest, intersection(rest, neighbours))
    return landings
