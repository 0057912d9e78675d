"""Shapes of the group of pawns in Onoro, compiled: enumeration, canonical form, moves, lines.

A shape is a set of cells without colours, up to the twelve symmetries of the hexagonal grid. A
legal shape is connected, and each of its cells touches at least two others. A shape is stored as
a bitboard of four 64-bit words, in which the cell in row y and column x is bit 16 * y + x. Of its
twelve orientations, the canonical one has the smallest bitboard (read as one number). The cells
of a shape are numbered 0, 1, ... in the order of their bits in that orientation.
"""

import numpy as np

from quincunx.jit import jit, lowest_bit, popcount
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
        if not has_best:
            is_smaller = True
        elif w3 != words[3]:
            is_smaller = w3 < words[3]
        elif w2 != words[2]:
            is_smaller = w2 < words[2]
        elif w1 != words[1]:
            is_smaller = w1 < words[1]
        else:
            is_smaller = w0 < words[0]
        if is_smaller:
            has_best = True
            words[0] = w0
            words[1] = w1
            words[2] = w2
            words[3] = w3
            for i in range(n):
                scratch[4 * MAX_SHAPE_CELLS + i] = scratch[3 * MAX_SHAPE_CELLS + i]
    for i in range(n):
        bit = scratch[4 * MAX_SHAPE_CELLS + i]
        below = np.int64(0)
        for word in range(bit >> 6):
            below += popcount(words[word])
        mask = (np.uint64(1) << np.uint64(bit & 63)) - np.uint64(1)
        order[i] = below + popcount(words[bit >> 6] & mask)


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


# The grid in which shapes are grown: cell (0, 0) is in the middle of its first usable row.
GRID_WIDTH = 2 * MAX_SHAPE_CELLS + 4
ORIGIN = 2 * GRID_WIDTH + MAX_SHAPE_CELLS + 2
GRID_STEPS = np.array([step[0] + step[1] * GRID_WIDTH for step in HEX_STEPS], np.int64)

# The status of a cell: not touched by the set yet, a candidate, in the set, ruled out.
FREE, UNTRIED, TAKEN, EXCLUDED = 0, 1, 2, 3

# Shapes of up to SPLIT_CELLS + 3 cells are grown in one part. For larger ones, each of PARTS parts
# continues from its share of the sets of SPLIT_CELLS cells.
SPLIT_CELLS, PARTS = 7, 128


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
    taken_neighbours = np.zeros(len(status), np.int8)
    excluded_neighbours = np.zeros(len(status), np.int8)
    untried = np.empty(8 * MAX_SHAPE_CELLS * MAX_SHAPE_CELLS, np.int64)
    # At each depth, untried[start:stop] are the cells still to be tried.
    start = np.zeros(MAX_SHAPE_CELLS + 1, np.int64)
    stop = np.zeros(MAX_SHAPE_CELLS + 1, np.int64)
    chosen = np.zeros(MAX_SHAPE_CELLS + 1, np.int64)  # the set: chosen[:depth]
    q, r = np.empty(MAX_SHAPE_CELLS, np.int64), np.empty(MAX_SHAPE_CELLS, np.int64)
    words, order = np.empty(4, np.uint64), np.empty(MAX_SHAPE_CELLS, np.int64)
    scratch = np.empty(SCRATCH_SIZE, np.int64)
    count = split_sets = 0
    # Cells before (0, 0) in reading order are excluded, and so is the border of the grid.
    for c in range(len(status)):
        row, column = c // GRID_WIDTH, c % GRID_WIDTH
        if c < ORIGIN or column < 1 or column > GRID_WIDTH - 2 or row > MAX_SHAPE_CELLS + 3:
            status[c] = EXCLUDED
    for c in range(GRID_WIDTH + 1, len(status) - GRID_WIDTH - 1):
        for step in GRID_STEPS:
            excluded_neighbours[c] += status[c + step] == EXCLUDED
    untried[0] = ORIGIN
    status[ORIGIN] = UNTRIED
    start[0], stop[0] = 0, 1
    depth = 0
    while depth >= 0:
        if start[depth] == stop[depth] or depth == n:
            # Backtrack: the cell chosen one level up is excluded for the rest of that level.
            depth -= 1
            if depth < 0:
                break
            for i in range(start[depth] + 1, stop[depth + 1]):
                later = untried[i]
                if status[later] == EXCLUDED:
                    for step in GRID_STEPS:
                        excluded_neighbours[later + step] -= 1
                status[later] = UNTRIED if i < stop[depth] else FREE
            c = untried[start[depth]]
            status[c] = EXCLUDED
            for step in GRID_STEPS:
                taken_neighbours[c + step] -= 1
                excluded_neighbours[c + step] += 1
            start[depth] += 1
            continue
        c = untried[start[depth]]
        status[c] = TAKEN
        chosen[depth] = c
        for step in GRID_STEPS:
            taken_neighbours[c + step] += 1
        start[depth + 1] = start[depth] + 1
        stop[depth + 1] = stop[depth]
        for step in GRID_STEPS:
            if status[c + step] == FREE:
                status[c + step] = UNTRIED
                untried[stop[depth + 1]] = c + step
                stop[depth + 1] += 1
        depth += 1
        missing = 0  # neighbours that the cells of the set still need
        for i in range(depth):
            touched = taken_neighbours[chosen[i]]
            if touched < 2:
                missing += 2 - touched
                if 6 - excluded_neighbours[chosen[i]] < 2:
                    missing = 100  # more than the remaining cells can supply
                    break
        if depth == SPLIT_CELLS:
            split_sets += 1
        if missing > 6 * (n - depth) or (
            depth == SPLIT_CELLS and parts > 1 and split_sets % parts != part
        ):
            start[depth] = stop[depth]  # no legal shape grows from here, or another part has it
        elif depth == n:
            for i in range(n):
                q[i] = chosen[i] % GRID_WIDTH
                r[i] = chosen[i] // GRID_WIDTH
            if is_canonical(q, r, n, words, order, scratch):
                if count < len(out):
                    i = 0
                    for word in range(4):
                        bits = words[word]
                        while bits:
                            out[count, i] = 64 * word + lowest_bit(bits)
                            bits &= bits - np.uint64(1)
                            i += 1
                count += 1
    return count


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
