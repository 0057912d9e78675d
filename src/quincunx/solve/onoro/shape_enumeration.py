"""The enumeration of all legal shapes of a size, compiled (see `shapes`)."""

import numpy as np

from quincunx.jit import jit, lowest_bit
from quincunx.solve.onoro.shapes import HEX_STEPS, MAX_SHAPE_CELLS, SCRATCH_SIZE, is_canonical

# The grid in which shapes are grown: cell (0, 0) is in the middle of its first usable row.
GRID_WIDTH = 2 * MAX_SHAPE_CELLS + 4
ORIGIN = 2 * GRID_WIDTH + MAX_SHAPE_CELLS + 2
GRID_STEPS = np.array([step[0] + step[1] * GRID_WIDTH for step in HEX_STEPS], np.int64)

# The status of a cell: not touched by the set yet, a candidate, in the set, ruled out.
FREE, UNTRIED, TAKEN, EXCLUDED = 0, 1, 2, 3

# Shapes of up to SPLIT_CELLS + 3 cells are grown in one part. For larger ones, each of PARTS parts
# continues from its share of the sets of SPLIT_CELLS cells.
SPLIT_CELLS, PARTS = 7, 128

TOO_MANY = 100  # more neighbours than any number of remaining cells can supply


@jit
def enumerate_shapes(n, part, parts, out):
    """Writes one of `parts` parts of the legal shapes of n cells and returns its length.

    A row of `out` has the bits of a shape's cells, ascending. If `out` is too short, the rest is
    counted but not written.

    Grows every connected set of cells that contains (0, 0) and no cell before it in reading order
    (Redelmeier's algorithm), prunes where a cell can no longer touch two others, and keeps the
    shapes in canonical orientation.
    """
    status = np.zeros(GRID_WIDTH * (MAX_SHAPE_CELLS + 6), np.int8)
    # For each cell, the numbers of its neighbours that are taken and that are excluded.
    taken, excluded = np.zeros(len(status), np.int8), np.zeros(len(status), np.int8)
    # At each depth, untried[start:stop] are the cells still to be tried.
    untried = np.empty(8 * MAX_SHAPE_CELLS * MAX_SHAPE_CELLS, np.int64)
    start, stop = np.zeros(MAX_SHAPE_CELLS + 1, np.int64), np.zeros(MAX_SHAPE_CELLS + 1, np.int64)
    chosen = np.zeros(MAX_SHAPE_CELLS + 1, np.int64)  # the set: chosen[:depth]
    q, r = np.empty(MAX_SHAPE_CELLS, np.int64), np.empty(MAX_SHAPE_CELLS, np.int64)
    words, order = np.empty(4, np.uint64), np.empty(MAX_SHAPE_CELLS, np.int64)
    scratch = np.empty(SCRATCH_SIZE, np.int64)
    _exclude_cells_outside(status, excluded)
    untried[0], status[ORIGIN], stop[0] = ORIGIN, UNTRIED, 1
    count = split_sets = depth = 0
    while True:
        if start[depth] == stop[depth] or depth == n:
            depth -= 1
            if depth < 0:
                return count
            _drop_cell(depth, untried, start, stop, status, taken, excluded)
            continue
        # Take the next untried cell; its free neighbours are to be tried deeper.
        c, end = untried[start[depth]], stop[depth]
        chosen[depth], status[c] = c, TAKEN
        for step in GRID_STEPS:
            taken[c + step] += 1
            if status[c + step] == FREE:
                status[c + step], untried[end] = UNTRIED, c + step
                end += 1
        start[depth + 1], stop[depth + 1] = start[depth] + 1, end
        depth += 1
        split_sets += depth == SPLIT_CELLS
        if _missing_neighbours(chosen, depth, taken, excluded) > 6 * (n - depth) or (
            depth == SPLIT_CELLS and parts > 1 and split_sets % parts != part
        ):
            start[depth] = stop[depth]  # no legal shape grows from here, or another part has it
        elif depth == n:
            for i in range(n):
                q[i] = chosen[i] % GRID_WIDTH
                r[i] = chosen[i] // GRID_WIDTH
            if is_canonical(q, r, n, words, order, scratch):
                if count < len(out):
                    _write_cells(words, out[count])
                count += 1


@jit
def _exclude_cells_outside(status, excluded):
    """Excludes the cells before (0, 0) in reading order and the border of the grid."""
    for c in range(len(status)):
        row, column = c // GRID_WIDTH, c % GRID_WIDTH
        if c < ORIGIN or column < 1 or column > GRID_WIDTH - 2 or row > MAX_SHAPE_CELLS + 3:
            status[c] = EXCLUDED
    for c in range(GRID_WIDTH + 1, len(status) - GRID_WIDTH - 1):
        for step in GRID_STEPS:
            excluded[c] += status[c + step] == EXCLUDED


@jit
def _drop_cell(depth, untried, start, stop, status, taken, excluded):
    """Backtracks: the cell chosen at this depth is excluded for the rest of this depth."""
    for i in range(start[depth] + 1, stop[depth + 1]):
        later = untried[i]
        if status[later] == EXCLUDED:
            for step in GRID_STEPS:
                excluded[later + step] -= 1
        status[later] = UNTRIED if i < stop[depth] else FREE
    c = untried[start[depth]]
    status[c] = EXCLUDED
    for step in GRID_STEPS:
        taken[c + step] -= 1
        excluded[c + step] += 1
    start[depth] += 1


@jit
def _missing_neighbours(chosen, depth, taken, excluded):
    """Returns the number of neighbours that the cells of the set still need.

    It is TOO_MANY if a cell can no longer touch two others.
    """
    missing = 0
    for i in range(depth):
        touched = taken[chosen[i]]
        if touched < 2:
            missing += 2 - touched
            if 6 - excluded[chosen[i]] < 2:
                return TOO_MANY
    return missing


@jit
def _write_cells(words, row):
    """Writes the bits of a bitboard, ascending."""
    i = 0
    for word in range(4):
        bits = words[word]
        while bits:
            row[i] = 64 * word + lowest_bit(bits)
            bits &= bits - np.uint64(1)
            i += 1
