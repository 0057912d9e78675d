"""The moves between shapes and the lines of four cells in them, compiled (see `shapes`)."""

import numpy as np

from quincunx.jit import jit
from quincunx.solve.onoro.shapes import (
    HEX_STEPS,
    MAX_SHAPE_CELLS,
    ROW_BITS,
    SCRATCH_SIZE,
    canonical,
    find_shape,
)

# A board for one shape, with an empty border two cells wide.
BOARD_WIDTH = ROW_BITS + 4
BOARD_STEPS = np.array([step[0] + step[1] * BOARD_WIDTH for step in HEX_STEPS], np.int64)


@jit
def _set_up_board(cells, n, location, board, neighbours):
    """Writes each cell's location on the board.

    For each location, also writes its cell (or -1) and its number of neighbours.
    """
    board[:] = -1
    neighbours[:] = 0
    for i in range(n):
        bit = np.int64(cells[i])
        location[i] = ((bit >> 4) + 2) * BOARD_WIDTH + (bit & 15) + 2
        board[location[i]] = i
        for step in BOARD_STEPS:
            neighbours[location[i] + step] += 1


@jit
def _number_groups(location, n, without, board, group):
    """Numbers the connected groups of all cells but `without`; returns the number of groups.

    If `without` is n, no cell is left out.
    """
    stack = np.empty(MAX_SHAPE_CELLS, np.int64)
    group[:n] = -1
    groups = 0
    for i in range(n):
        if i == without or group[i] >= 0:
            continue
        group[i] = groups
        stack[0] = i
        size = 1
        while size:
            size -= 1
            at = location[stack[size]]
            for step in BOARD_STEPS:
                j = board[at + step]
                if j >= 0 and j != without and group[j] < 0:
                    group[j] = groups
                    stack[size] = j
                    size += 1
        groups += 1
    return groups


@jit
def _is_legal_landing(at, location, n, without, board, neighbours, group, groups):
    """Returns whether all cells but `without`, with a new cell at location `at`, are legal."""
    touched = completed = 0  # neighbours of the new cell; those that had only one neighbour
    joined = np.int64(0)  # the groups that the new cell touches, as bits
    for step in BOARD_STEPS:
        j = board[at + step]
        if j >= 0 and j != without:
            touched += 1
            joined |= 1 << group[j]
            completed += neighbours[location[j]] == 1
    if touched < 2 or joined != (1 << groups) - 1:
        return False
    missing = 0  # neighbours that the other cells need
    for j in range(n):
        if j != without:
            missing += max(0, 2 - neighbours[location[j]])
    return missing == completed


@jit
def find_moves(shapes, n, low, high, target_shapes, table, starts, target, perm, moved_cell):
    """Writes the moves of shapes[low:high], which have n cells; returns the number of moves.

    A move lifts a cell and puts it down elsewhere so that the result is a legal shape; if
    `target_shapes` have n + 1 cells, it adds cell number n instead. For move m, moved_cell[m] is
    that cell's old number, target[m] is the index of the resulting shape in `target_shapes`, whose
    hash table is `table`, and perm[m] has the new number of each old cell, in four bits each: cell
    i in bits 4 * i to 4 * i + 3. starts[i] is the first move of shape low + i.
    """
    location, group = np.empty(MAX_SHAPE_CELLS, np.int64), np.empty(MAX_SHAPE_CELLS, np.int64)
    board = np.empty(BOARD_WIDTH * BOARD_WIDTH, np.int64)
    neighbours = np.empty(BOARD_WIDTH * BOARD_WIDTH, np.int64)
    q, r = np.empty(MAX_SHAPE_CELLS, np.int64), np.empty(MAX_SHAPE_CELLS, np.int64)
    words, order = np.empty(4, np.uint64), np.empty(MAX_SHAPE_CELLS, np.int64)
    scratch = np.empty(SCRATCH_SIZE, np.int64)
    target_n = target_shapes.shape[1]
    count = 0
    for shape in range(low, high):
        starts[shape - low] = count
        _set_up_board(shapes[shape], n, location, board, neighbours)
        for i in range(n):
            q[i] = location[i] % BOARD_WIDTH
            r[i] = location[i] // BOARD_WIDTH
        for i in range(n if target_n > n else 0, target_n):
            if i < n:
                for step in BOARD_STEPS:
                    neighbours[location[i] + step] -= 1
            groups = _number_groups(location, n, i, board, group)
            for at in range(BOARD_WIDTH + 1, BOARD_WIDTH * (BOARD_WIDTH - 1) - 1):
                if neighbours[at] < 2 or board[at] >= 0:
                    continue
                if not _is_legal_landing(at, location, n, i, board, neighbours, group, groups):
                    continue
                q[i] = at % BOARD_WIDTH
                r[i] = at // BOARD_WIDTH
                canonical(q, r, target_n, words, order, scratch)
                packed = np.uint64(0)
                for j in range(target_n):
                    packed |= np.uint64(order[j]) << np.uint64(4 * j)
                target[count] = find_shape(words, target_shapes, table, target_n)
                perm[count] = packed
                moved_cell[count] = i
                count += 1
            if i < n:
                q[i] = location[i] % BOARD_WIDTH
                r[i] = location[i] // BOARD_WIDTH
                for step in BOARD_STEPS:
                    neighbours[location[i] + step] += 1
    starts[high - low] = count
    return count


@jit
def find_lines(shapes, n, low, high, starts, lines):
    """Writes the lines of shapes[low:high], each a bit mask of four cells in a row.

    Returns the number of lines; starts[i] is the first line of shape low + i.
    """
    location = np.empty(MAX_SHAPE_CELLS, np.int64)
    board = np.empty(BOARD_WIDTH * BOARD_WIDTH, np.int64)
    neighbours = np.empty(BOARD_WIDTH * BOARD_WIDTH, np.int64)
    count = 0
    for shape in range(low, high):
        starts[shape - low] = count
        _set_up_board(shapes[shape], n, location, board, neighbours)
        for i in range(n):
            for direction in (0, 2, 4):  # one of each pair of opposite steps
                line, at, length = np.int64(0), location[i], 0
                while length < 4 and board[at] >= 0:
                    line |= 1 << board[at]
                    at += BOARD_STEPS[direction]
                    length += 1
                if length == 4:
                    lines[count] = line
                    count += 1
    starts[high - low] = count
    return count
