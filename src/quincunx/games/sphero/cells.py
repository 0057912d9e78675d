"""Sphero's grid, compiled: cells, sets of cells, and the spheres connected to the anchor.

The board is a grid of 64 x 64 cells with the anchor in its middle. It is larger than the area
for placements, because spheres may settle further out. Cell `x,y` has the number
(y + 32) * 64 + x + 32:

    2143 2144 2145        y =  1        A set of cells is 64 integers, one for each row from
    2079    A 2081        y =  0        the bottom; bit x + 32 of row y + 32 is the cell x,y.
    2015 2016 2017        y = -1
"""

import numpy as np

from quincunx.jit import jit

MIDDLE = 32  # the anchor's row and column in the grid
ANCHOR = MIDDLE * 64 + MIDDLE
ANCHOR_BIT = np.uint64(1 << MIDDLE)
MAX_VALENCE = 29  # of any sphere: the cells of valence 30 and 31 are always empty
NO_CELL = -1


def _cells_of_valence(v):
    """Yields the cells of one valence, clockwise from straight up."""
    quarter = [(i, v - i) for i in range(v)]
    for _ in range(4):
        yield from ((y + MIDDLE) * 64 + x + MIDDLE for x, y in quarter)
        quarter = [(y, -x) for x, y in quarter]


# All cells by valence, then by angle; those of valence v begin at index 2 * v * (v - 1) + 1.
ORDER = np.array(
    [ANCHOR, *(cell for v in range(1, MAX_VALENCE + 1) for cell in _cells_of_valence(v))], np.int16
)

STEPS = (64, 1, -64, -1)
NEIGHBOUR_STEP = np.array(STEPS, np.int64)  # the same for compiled code


def _neighbour_order():
    """Returns for every cell its four directions, sorted by where the neighbours are in ORDER.

    A direction is an index of STEPS and takes two bits; the first one is in the lowest two.
    """
    rank = {int(cell): i for i, cell in enumerate(ORDER)}
    packed = np.zeros(64 * 64, np.uint8)
    for cell in rank:
        directions = sorted(range(4), key=lambda d: rank.get(cell + STEPS[d], len(rank)))
        packed[cell] = sum(d << 2 * i for i, d in enumerate(directions))
    return packed


NEIGHBOUR_ORDER = _neighbour_order()

# ROW_SPAN[w]: the cells of a row with |x| <= w. PLAYABLE[row]: the cells up to MAX_VALENCE.
ROW_SPAN = np.array([((1 << 2 * w + 1) - 1) << MIDDLE - w for w in range(MIDDLE)], np.uint64)
PLAYABLE = np.array(
    [
        ROW_SPAN[MAX_VALENCE - abs(row - MIDDLE)] if abs(row - MIDDLE) <= MAX_VALENCE else 0
        for row in range(64)
    ],
    np.uint64,
)


@jit
def valence_of(cell):
    """Returns the valence of a cell: its distance from the anchor, in steps."""
    return abs((cell >> 6) - MIDDLE) + abs((cell & 63) - MIDDLE)


@jit
def bit_of(cell):
    """Returns the bit of a cell in its row."""
    return np.uint64(1) << np.uint64(cell & 63)


@jit
def cells_within(row, valence):
    """Returns the cells of a row whose valence is at most the given one."""
    w = valence - abs(row - MIDDLE)
    return ROW_SPAN[w] if w >= 0 else np.uint64(0)


@jit
def dilated_row(cells, row):
    """Returns the cells of a row that are in the set or touch a cell of it."""
    here = cells[row]
    return here | here << np.uint64(1) | here >> np.uint64(1) | cells[row - 1] | cells[row + 1]


@jit
def place_sphere(s, cell, sphere):
    """Places a sphere on an empty cell."""
    v = valence_of(cell)
    s.sphere[cell] = sphere
    s.taken[cell >> 6] |= bit_of(cell)
    s.ring[v] += 1
    s.total += v
    if v > s.highest:
        s.highest = v


@jit
def remove_sphere(s, cell):
    """Removes the sphere from a cell and returns it."""
    v = valence_of(cell)
    sphere = np.int64(s.sphere[cell])
    s.sphere[cell] = 0
    s.taken[cell >> 6] &= ~bit_of(cell)
    s.ring[v] -= 1
    s.total -= v
    while s.highest > 0 and s.ring[s.highest] == 0:
        s.highest -= 1
    return sphere


@jit
def flood_fill(cells, open_, margin):
    """Adds to a set all open cells connected to it, within `margin` rows of the anchor."""
    rows = 2 * margin + 1
    grew = True
    while grew:
        grew = False
        for i in range(2 * rows):  # sweep up, then down
            row = MIDDLE - margin + (i if i < rows else 2 * rows - 1 - i)
            here = cells[row]
            more = here | (dilated_row(cells, row) & open_[row])
            while more != here:
                grew = True
                here = more
                more |= (here << np.uint64(1) | here >> np.uint64(1)) & open_[row]
            cells[row] = here


@jit
def recompute_attached(s):
    """Recomputes the sets `attached` and `liberty`."""
    for row in range(64):
        s.open[row] = s.taken[row] & ~s.waiting[row]
    s.attached[:] = np.uint64(0)
    s.attached[MIDDLE] = ANCHOR_BIT
    flood_fill(s.attached, s.open, s.highest)
    s.liberty[:] = np.uint64(0)
    for row in range(MIDDLE - s.highest - 1, MIDDLE + s.highest + 2):
        s.liberty[row] = dilated_row(s.attached, row) & ~s.taken[row] & PLAYABLE[row]


@jit
def attach(s, cell):
    """Adds the sphere on a cell that touches the attached spheres to them; updates the liberties.

    Floating spheres that it touches become attached with it.
    """
    row = cell >> 6
    bit = bit_of(cell)
    s.attached[row] |= bit
    s.liberty[row] &= ~bit
    floating = np.uint64(0)
    for i in range(-1, 2):
        near = bit << np.uint64(1) | bit >> np.uint64(1) if i == 0 else bit
        s.liberty[row + i] |= near & ~s.taken[row + i] & PLAYABLE[row + i]
        floating |= near & s.taken[row + i] & ~s.attached[row + i] & ~s.waiting[row + i]
    if floating:
        recompute_attached(s)
