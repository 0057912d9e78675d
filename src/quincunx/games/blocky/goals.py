"""Blocky's goals, compiled: the points of a seat's goal on the board.

A set of unit cells is one 64-bit integer per row: bit x of rows[y] is the cell in column x of row
y.
"""

import numpy as np

from quincunx.games.blocky.blocks import (
    BLOCK_CELLS,
    CELL_COLUMN,
    CELL_ROW,
    MAX_SIDE,
    MAX_UNIT_CELLS,
)
from quincunx.jit import jit, popcount, stack_array

BLOB, PERIMETER = range(2)  # the kinds of goals

MAX_RUNS = MAX_UNIT_CELLS // 2  # on a chequered board


@jit
def colour_rows(s, colour, rows):
    """Writes the cells of a colour as a set."""
    depth = s.depth
    for y in range(1 << depth):
        rows[y] = np.uint64(0)
    i = 0
    while i < BLOCK_CELLS[depth]:
        height = depth - np.int64(s.units[i] >> 2)
        if s.units[i] & 3 == colour:
            bits = ~np.uint64(0) >> np.uint64(64 - (1 << height)) << np.uint64(CELL_COLUMN[i])
            for y in range(CELL_ROW[i], CELL_ROW[i] + (1 << height)):
                rows[y] |= bits
        i += BLOCK_CELLS[height]


@jit
def _find_root(parent, i):
    """Returns the root of run i in the union-find forest, halving the path to it."""
    while parent[i] != i:
        parent[i] = parent[parent[i]]
        i = parent[i]
    return i


@jit
def largest_blob(s, colour, rows):
    """Writes the largest blob of a colour as a set; returns its size.

    If several blobs are largest, the first one is written. Adjacent cells of a row form a run;
    a union-find structure joins the runs of neighbouring rows that touch.
    """
    colour_rows(s, colour, rows)
    side = 1 << s.depth
    run = stack_array(MAX_RUNS, np.uint64)
    row = stack_array(MAX_RUNS, np.uint8)
    parent = stack_array(MAX_RUNS, np.int16)
    size = stack_array(MAX_RUNS, np.int16)
    n = 0
    above = 0  # the first run of the row above that can touch a later run
    for y in range(side):
        first = n
        remaining = rows[y]
        rows[y] = np.uint64(0)
        while remaining:
            lowest_mask = remaining & (~remaining + np.uint64(1))
            run[n] = remaining & ~(remaining + lowest_mask)
            row[n] = y
            parent[n] = n
            size[n] = popcount(run[n])
            remaining ^= run[n]
            while above < first and run[above] < lowest_mask:
                above += 1
            i = above
            while i < first and run[i] & run[n]:
                a = _find_root(parent, i)
                b = _find_root(parent, n)
                if a != b:
                    parent[max(a, b)] = min(a, b)
                    size[min(a, b)] += size[max(a, b)]
                i += 1
            n += 1
        above = first
    if n == 0:
        return 0
    largest = 0
    for i in range(n):
        if parent[i] == i and size[i] > size[largest]:
            largest = i
    for i in range(n):
        if _find_root(parent, i) == largest:
            rows[row[i]] |= run[i]
    return np.int64(size[largest])


@jit
def goal_score(s, seat):
    """Returns the points of a seat's goal on this board, before costs are deducted."""
    side = 1 << s.depth
    rows = stack_array(MAX_SIDE, np.uint64)
    if s.goal[seat] == BLOB:
        return largest_blob(s, s.target[seat], rows)
    colour_rows(s, s.target[seat], rows)
    total = popcount(rows[0]) + popcount(rows[side - 1])
    for y in range(side):
        total += np.int64(rows[y] & np.uint64(1))
        total += np.int64(rows[y] >> np.uint64(side - 1) & np.uint64(1))
    return total
