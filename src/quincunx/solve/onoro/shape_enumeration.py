"""The enumeration of all legal shapes of a size, compiled (see `shapes`)."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from quincunx.jit import jit, lowest_bit
from quincunx.solve.onoro.arrays import Counts
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


class Growth(NamedTuple):
    """A set of cells that grows and shrinks: depth-first search over all connected sets."""

    status: NDArray[np.int8]  # by cell of the grid
    taken_neighbours: NDArray[np.int8]  # by cell, the number of its neighbours that are taken
    excluded_neighbours: NDArray[np.int8]  # by cell, the number of its neighbours that are excluded
    untried: Counts  # at each depth, untried[start[depth]:stop[depth]] are still to be tried
    start: Counts
    stop: Counts
    chosen: Counts  # the set: chosen[:depth]


@jit
def enumerate_shapes(n, part, parts, out):
    """Writes one of `parts` parts of the legal shapes of n cells and returns its length.

    A row of `out` has the bits of a shape's cells, ascending. If `out` is too short, the rest is
    counted but not written.

    Grows every connected set of cells that contains (0, 0) and no cell before it in reading order
    (Redelmeier's algorithm), prunes where a cell can no longer touch two others, and keeps the
    shapes in canonical orientation.
    """
    growth = _new_growth()
    q, r = np.empty(MAX_SHAPE_CELLS, np.int64), np.empty(MAX_SHAPE_CELLS, np.int64)
    words, order = np.empty(4, np.uint64), np.empty(MAX_SHAPE_CELLS, np.int64)
    scratch = np.empty(SCRATCH_SIZE, np.int64)
    count = split_sets = depth = 0
    while True:
        if growth.start[depth] == growth.stop[depth] or depth == n:
            depth -= 1
            if depth < 0:
                return count
            _drop_cell(growth, depth)
            continue
        _take_cell(growth, depth)
        depth += 1
        if depth == SPLIT_CELLS:
            split_sets += 1
        if _missing_neighbours(growth, depth) > 6 * (n - depth) or (
            depth == SPLIT_CELLS and parts > 1 and split_sets % parts != part
        ):
            # No legal shape grows from here, or another part has it.
            growth.start[depth] = growth.stop[depth]
        elif depth == n:
            for i in range(n):
                q[i] = growth.chosen[i] % GRID_WIDTH
                r[i] = growth.chosen[i] // GRID_WIDTH
            if is_canonical(q, r, n, words, order, scratch):
                if count < len(out):
                    _write_cells(words, out[count])
                count += 1


@jit
def _new_growth():
    """Returns the empty set with cell (0, 0) to be tried.

    Cells before (0, 0) in reading order are excluded, and so is the border of the grid.
    """
    growth = Growth(
        np.zeros(GRID_WIDTH * (MAX_SHAPE_CELLS + 6), np.int8),
        np.zeros(GRID_WIDTH * (MAX_SHAPE_CELLS + 6), np.int8),
        np.zeros(GRID_WIDTH * (MAX_SHAPE_CELLS + 6), np.int8),
        np.empty(8 * MAX_SHAPE_CELLS * MAX_SHAPE_CELLS, np.int64),
        np.zeros(MAX_SHAPE_CELLS + 1, np.int64),
        np.zeros(MAX_SHAPE_CELLS + 1, np.int64),
        np.zeros(MAX_SHAPE_CELLS + 1, np.int64),
    )
    status = growth.status
    for c in range(len(status)):
        row, column = c // GRID_WIDTH, c % GRID_WIDTH
        if c < ORIGIN or column < 1 or column > GRID_WIDTH - 2 or row > MAX_SHAPE_CELLS + 3:
            status[c] = EXCLUDED
    for c in range(GRID_WIDTH + 1, len(status) - GRID_WIDTH - 1):
        for step in GRID_STEPS:
            growth.excluded_neighbours[c] += status[c + step] == EXCLUDED
    growth.untried[0] = ORIGIN
    status[ORIGIN] = UNTRIED
    growth.stop[0] = 1
    return growth


@jit
def _take_cell(growth, depth):
    """Adds the next untried cell to the set; its free neighbours are to be tried deeper."""
    c = growth.untried[growth.start[depth]]
    growth.status[c] = TAKEN
    growth.chosen[depth] = c
    for step in GRID_STEPS:
        growth.taken_neighbours[c + step] += 1
    growth.start[depth + 1] = growth.start[depth] + 1
    growth.stop[depth + 1] = growth.stop[depth]
    for step in GRID_STEPS:
        if growth.status[c + step] == FREE:
            growth.status[c + step] = UNTRIED
            growth.untried[growth.stop[depth + 1]] = c + step
            growth.stop[depth + 1] += 1


@jit
def _drop_cell(growth, depth):
    """Backtracks: the cell chosen at this depth is excluded for the rest of this depth."""
    for i in range(growth.start[depth] + 1, growth.stop[depth + 1]):
        later = growth.untried[i]
        if growth.status[later] == EXCLUDED:
            for step in GRID_STEPS:
                growth.excluded_neighbours[later + step] -= 1
        growth.status[later] = UNTRIED if i < growth.stop[depth] else FREE
    c = growth.untried[growth.start[depth]]
    growth.status[c] = EXCLUDED
    for step in GRID_STEPS:
        growth.taken_neighbours[c + step] -= 1
        growth.excluded_neighbours[c + step] += 1
    growth.start[depth] += 1


@jit
def _missing_neighbours(growth, depth):
    """Returns the number of neighbours that the cells of the set still need.

    It is TOO_MANY if a cell can no longer touch two others.
    """
    missing = 0
    for i in range(depth):
        touched = growth.taken_neighbours[growth.chosen[i]]
        if touched < 2:
            missing += 2 - touched
            if 6 - growth.excluded_neighbours[growth.chosen[i]] < 2:
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
