"""Shapes of the group of pawns in Onoro, compiled: their canonical form and hash table.

A shape is a set of cells without colours, up to the twelve symmetries of the hexagonal grid. A
legal shape is connected, and each of its cells touches at least two others. A shape is stored as
a bitboard of four 64-bit words, in which the cell in row y and column x is bit 16 * y + x. Of its
twelve orientations, the canonical one has the smallest bitboard (read as one number). The cells
of a shape are numbered 0, 1, ... in the order of their bits in that orientation.
"""

import numpy as np

from quincunx.jit import jit, popcount
from quincunx.position import mix

MAX_SHAPE_CELLS = 16
ROW_BITS = 16  # bits of a row of the bitboard; no orientation of a legal shape is wider or taller

# From a cell to its neighbours, as (q, r).
HEX_STEPS = np.array([(1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1)], np.int64)


# In every orientation, x and y each follow one of the axes q, r and q + r, forward or backward.
HEX_AXES = np.array([(1, 0), (0, 1), (1, 1)])


def _orientations():
    """Returns the twelve symmetries as matrices: rotations by 60 degrees and their mirrors."""
    rotation, mirror = np.array([[0, -1], [1, 1]]), np.array([[0, 1], [1, 0]])
    orientations, orientation = [], np.eye(2, dtype=int)
    for _ in range(6):
        orientations += [orientation, mirror @ orientation]
        orientation = rotation @ orientation
    return orientations


def _axis_and_sign(row):
    """Returns the axis that a row of a matrix follows, and 1 for forward or -1 for backward."""
    # The product with (2, 5) is different for all three axes.
    (axis,) = np.flatnonzero(np.abs(HEX_AXES @ [2, 5]) == abs(row @ [2, 5]))
    return axis, row.sum() // HEX_AXES[axis].sum()


# A row for each orientation: the axis of x and its sign, the axis of y and its sign.
ORIENTATIONS = np.array(
    [[*_axis_and_sign(matrix[0]), *_axis_and_sign(matrix[1])] for matrix in _orientations()],
    np.int64,
)

# The scratch array of `canonical` has five parts of MAX_SHAPE_CELLS: each cell's coordinate on each
# of the three axes, then its bit in the current orientation, then its bit in the best one so far.
SCRATCH_SIZE = 5 * MAX_SHAPE_CELLS


@jit
def _is_less(w0, w1, w2, w3, words):
    """Returns whether four words, the last one with the highest bits, are less than `words`."""
    if w3 != words[3]:
        return w3 < words[3]
    if w2 != words[2]:
        return w2 < words[2]
    if w1 != words[1]:
        return w1 < words[1]
    return w0 < words[0]


@jit
def _count_bits_below(words, bit):
    """Returns the number of bits of a bitboard that are set below a bit."""
    below = np.int64(0)
    for word in range(bit >> 6):
        below += popcount(words[word])
    mask = (np.uint64(1) << np.uint64(bit & 63)) - np.uint64(1)
    return below + popcount(words[bit >> 6] & mask)


@jit
def canonical(q, r, n, words, order, scratch):
    """Writes the bitboard of n cells in canonical orientation, and each cell's number in it.

    q and r are the coordinates of the cells; words[3] has the highest bits; order[i] is the number
    of cell i.
    """
    low0 = high0 = q[0]
    low1 = high1 = r[0]
    low2 = high2 = q[0] + r[0]
    for i in range(n):
        x, y = q[i], r[i]
        scratch[i] = x
        scratch[MAX_SHAPE_CELLS + i] = y
        scratch[2 * MAX_SHAPE_CELLS + i] = x + y
        low0, high0 = min(low0, x), max(high0, x)
        low1, high1 = min(low1, y), max(high1, y)
        low2, high2 = min(low2, x + y), max(high2, x + y)
    low, high = (low0, low1, low2), (high0, high1, high2)
    # A taller orientation has a larger bitboard, so only those of the least height are compared.
    height = min(high0 - low0, high1 - low1, high2 - low2)
    has_best = False
    for orientation in range(12):
        x_axis, x_sign, y_axis, y_sign = ORIENTATIONS[orientation]
        if high[y_axis] - low[y_axis] > height:
            continue
        left = low[x_axis] if x_sign > 0 else -high[x_axis]
        top = low[y_axis] if y_sign > 0 else -high[y_axis]
        xs, ys = MAX_SHAPE_CELLS * x_axis, MAX_SHAPE_CELLS * y_axis
        w0 = w1 = w2 = w3 = np.uint64(0)
        for i in range(n):
            bit = (y_sign * scratch[ys + i] - top) * ROW_BITS + x_sign * scratch[xs + i] - left
            scratch[3 * MAX_SHAPE_CELLS + i] = bit
            mask = np.uint64(1) << np.uint64(bit & 63)
            word = bit >> 6
            if word == 0:
                w0 |= mask
            elif word == 1:
                w1 |= mask
            elif word == 2:
                w2 |= mask
            else:
                w3 |= mask
        if not has_best or _is_less(w0, w1, w2, w3, words):
            has_best = True
            words[0] = w0
            words[1] = w1
            words[2] = w2
            words[3] = w3
            for i in range(n):
                scratch[4 * MAX_SHAPE_CELLS + i] = scratch[3 * MAX_SHAPE_CELLS + i]
    for i in range(n):
        order[i] = _count_bits_below(words, scratch[4 * MAX_SHAPE_CELLS + i])


@jit
def is_canonical(q, r, n, words, order, scratch):
    """Returns whether the cells are in canonical orientation, and writes what `canonical` does."""
    canonical(q, r, n, words, order, scratch)
    left = top = np.int64(1 << 30)
    for i in range(n):
        left = min(left, q[i])
        top = min(top, r[i])
    for i in range(n):
        bit = (r[i] - top) * ROW_BITS + q[i] - left
        if not words[bit >> 6] >> np.uint64(bit & 63) & np.uint64(1):
            return False
    return True


@jit
def find_shape(words, cells, table, n):
    """Returns the index of the shape of n cells with this bitboard, or -1 if there is none.

    `cells` has a row for each shape, and `table` is their hash table. The bitboard must have n
    cells, so that a shape is equal if all its cells are in it.
    """
    slot = np.int64(_hash(words) & np.uint64(len(table) - 1))
    while table[slot] >= 0:
        shape = table[slot]
        same = True
        for i in range(n):
            bit = np.int64(cells[shape, i])
            if not words[bit >> 6] >> np.uint64(bit & 63) & np.uint64(1):
                same = False
                break
        if same:
            return np.int64(shape)
        slot = (slot + 1) & (len(table) - 1)
    return np.int64(-1)


@jit
def _hash(words):
    return mix(mix(mix(mix(words[0]) + words[1]) + words[2]) + words[3])


@jit
def fill_hash_table(cells, n, table):
    """Writes the hash table of all shapes, with linear probing and -1 for an empty slot.

    Its length must be a power of two greater than the number of shapes.
    """
    words = np.empty(4, np.uint64)
    table[:] = -1
    for shape in range(len(cells)):
        words[:] = np.uint64(0)
        for i in range(n):
            bit = np.int64(cells[shape, i])
            words[bit >> 6] |= np.uint64(1) << np.uint64(bit & 63)
        slot = np.int64(_hash(words) & np.uint64(len(table) - 1))
        while table[slot] >= 0:
            slot = (slot + 1) & (len(table) - 1)
        table[slot] = shape
