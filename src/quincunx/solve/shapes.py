"""Shapes of Onoro's group, compiled: which there are, and how they turn into one another.

A shape is a set of cells without colours, up to the twelve symmetries of the hexagonal grid:
connected, and every cell touches two others. Its cells are numbered 0, 1, .. in the order of
their codes, 16 * row + column, in the one of its twelve views whose bits make the least number.
"""

import numpy as np

from quincunx.jit import jit, lowest_bit, popcount
from quincunx.position import mix

MOST = 16  # cells of the largest shape
WIDTH = 16  # no view of a sound shape is wider or higher

# The neighbours of a cell, and the twelve views: rotations by 60 degrees, and their mirrors.
STEPS = np.array([(1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1)], np.int64)


# Across and down in each view is one of the axes q, r and q + r, forward or backward.
AXES = np.array([(1, 0), (0, 1), (1, 1)])


def _views():
    turn, mirror = np.array([[0, -1], [1, 1]]), np.array([[0, 1], [1, 0]])
    views, view = [], np.eye(2, dtype=int)
    for _ in range(6):
        views += [view, mirror @ view]
        view = turn @ view
    return views


def _axis(row):
    (which,) = np.flatnonzero(np.abs(AXES @ [2, 5]) == abs(row @ [2, 5]))
    return which, row.sum() // AXES[which].sum()


# Of each view: the axis across and its sign, the axis down and its sign.
VIEWS = np.array([[*_axis(view[0]), *_axis(view[1])] for view in _views()], np.int64)

# Room for `canonical`: along each axis, of each cell, then its code in a view and in the best.
ROOM = 5 * MOST


@jit
def canonical(q, r, n, words, order, room):
    """Writes the four words of n cells' least view, and each cell's number in it."""
    low0 = high0 = q[0]
    low1 = high1 = r[0]
    low2 = high2 = q[0] + r[0]
    for i in range(n):
        x, y = q[i], r[i]
        room[i] = x
        room[MOST + i] = y
        room[2 * MOST + i] = x + y
        low0, high0 = min(low0, x), max(high0, x)
        low1, high1 = min(low1, y), max(high1, y)
        low2, high2 = min(low2, x + y), max(high2, x + y)
    low, high = (low0, low1, low2), (high0, high1, high2)
    # The lower a view is, the less is its number.
    height = min(high0 - low0, high1 - low1, high2 - low2)
    found = False
    for view in range(12):
        across, right, down, under = VIEWS[view]
        if high[down] - low[down] > height:
            continue
        left = low[across] if right > 0 else -high[across]
        top = low[down] if under > 0 else -high[down]
        columns, rows = MOST * across, MOST * down
        w0 = w1 = w2 = w3 = np.uint64(0)
        for i in range(n):
            code = (under * room[rows + i] - top) * WIDTH + right * room[columns + i] - left
            room[3 * MOST + i] = code
            bit = np.uint64(1) << np.uint64(code & 63)
            word = code >> 6
            if word == 0:
                w0 |= bit
            elif word == 1:
                w1 |= bit
            elif word == 2:
                w2 |= bit
            else:
                w3 |= bit
        if not found:
            less = True
        elif w3 != words[3]:
            less = w3 < words[3]
        elif w2 != words[2]:
            less = w2 < words[2]
        elif w1 != words[1]:
            less = w1 < words[1]
        else:
            less = w0 < words[0]
        if less:
            found = True
            words[0] = w0
            words[1] = w1
            words[2] = w2
            words[3] = w3
            for i in range(n):
                room[4 * MOST + i] = room[3 * MOST + i]
    for i in range(n):
        code = room[4 * MOST + i]
        below = np.int64(0)
        for word in range(code >> 6):
            below += popcount(words[word])
        mask = (np.uint64(1) << np.uint64(code & 63)) - np.uint64(1)
        order[i] = below + popcount(words[code >> 6] & mask)


@jit
def is_canonical(q, r, n, words, order, room):
    """True when the cells, moved to the corner, are their own least view."""
    canonical(q, r, n, words, order, room)
    left = top = np.int64(1 << 30)
    for i in range(n):
        left = min(left, q[i])
        top = min(top, r[i])
    for i in range(n):
        code = (r[i] - top) * WIDTH + q[i] - left
        if not words[code >> 6] >> np.uint64(code & 63) & np.uint64(1):
            return False
    return True


# The field in which shapes are grown: cell (0, 0) is in the middle of its first row.
FIELD = 2 * MOST + 4
ORIGIN = 2 * FIELD + MOST + 2
NEAR = np.array([step[0] + step[1] * FIELD for step in STEPS], np.int64)
FREE, WAITING, TAKEN, BARRED = 0, 1, 2, 3


# Shapes of so many cells or fewer are grown in one go; of larger ones, each of PARTS parts goes
# on from its share of the sets of SPLIT cells.
SPLIT, PARTS = 7, 128


@jit
def enumerate_shapes(n, part, parts, out):
    """Writes the cells of the sound shapes of n cells, as codes: one of `parts` parts; how many.

    Grows every connected set of cells that holds (0, 0) and nothing before it (Redelmeier),
    gives up where a cell can no longer touch two, and keeps those that are their own least view.
    Counts on, but writes no more, when there are more than `out` has room for.
    """
    mark = np.zeros(FIELD * (MOST + 6), np.int8)
    touching = np.zeros(len(mark), np.int8)  # taken neighbours
    barred = np.zeros(len(mark), np.int8)  # neighbours that can't be taken any more
    waiting = np.empty(8 * MOST * MOST, np.int64)
    first = np.zeros(MOST + 1, np.int64)  # of each depth: what of `waiting` it may still try
    last = np.zeros(MOST + 1, np.int64)
    chosen = np.zeros(MOST + 1, np.int64)
    q, r = np.empty(MOST, np.int64), np.empty(MOST, np.int64)
    words, order = np.empty(4, np.uint64), np.empty(MOST, np.int64)
    room = np.empty(ROOM, np.int64)
    found = split = 0
    # Cells before (0, 0) in reading order are barred, and so are the field's ends.
    for c in range(len(mark)):
        row, column = c // FIELD, c % FIELD
        if c < ORIGIN or column < 1 or column > FIELD - 2 or row > MOST + 3:
            mark[c] = BARRED
    for c in range(FIELD + 1, len(mark) - FIELD - 1):
        for step in NEAR:
            barred[c] += mark[c + step] == BARRED
    waiting[0] = ORIGIN
    mark[ORIGIN] = WAITING
    first[0], last[0] = 0, 1
    depth = 0
    while depth >= 0:
        if first[depth] == last[depth] or depth == n:
            # All was tried here: one cell back, which then is barred for what is left there.
            depth -= 1
            if depth < 0:
                break
            for i in range(first[depth] + 1, last[depth + 1]):
                w = waiting[i]
                if mark[w] == BARRED:
                    for step in NEAR:
                        barred[w + step] -= 1
                mark[w] = WAITING if i < last[depth] else FREE
            c = waiting[first[depth]]
            mark[c] = BARRED
            for step in NEAR:
                touching[c + step] -= 1
                barred[c + step] += 1
            first[depth] += 1
            continue
        c = waiting[first[depth]]
        mark[c] = TAKEN
        chosen[depth] = c
        for step in NEAR:
            touching[c + step] += 1
        first[depth + 1] = first[depth] + 1
        last[depth + 1] = last[depth]
        for step in NEAR:
            if mark[c + step] == FREE:
                mark[c + step] = WAITING
                waiting[last[depth + 1]] = c + step
                last[depth + 1] += 1
        depth += 1
        short = 0
        for i in range(depth):
            t = touching[chosen[i]]
            if t < 2:
                short += 2 - t
                if 6 - barred[chosen[i]] < 2:
                    short = 100
                    break
        if depth == SPLIT:
            split += 1
        if short > 6 * (n - depth) or (depth == SPLIT and parts > 1 and split % parts != part):
            first[depth] = last[depth]  # nothing sound grows from here, or another part has it
        elif depth == n:
            for i in range(n):
                q[i] = chosen[i] % FIELD
                r[i] = chosen[i] // FIELD
            if is_canonical(q, r, n, words, order, room):
                if found < len(out):
                    i = 0
                    for word in range(4):
                        bits = words[word]
                        while bits:
                            out[found, i] = 64 * word + lowest_bit(bits)
                            bits &= bits - np.uint64(1)
                            i += 1
                found += 1
    return found


@jit
def index_of(words, cells, table, n):
    """The number of the shape with these words, by the hash table; -1 if there is none."""
    slot = np.int64(_hash(words) & np.uint64(len(table) - 1))
    while table[slot] >= 0:
        shape = table[slot]
        same = True
        for i in range(n):
            code = np.int64(cells[shape, i])
            if not words[code >> 6] >> np.uint64(code & 63) & np.uint64(1):
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
def fill_table(cells, n, table):
    """Writes the hash table of all shapes; its length is a power of two, above their number."""
    words = np.empty(4, np.uint64)
    table[:] = -1
    for shape in range(len(cells)):
        words[:] = np.uint64(0)
        for i in range(n):
            code = np.int64(cells[shape, i])
            words[code >> 6] |= np.uint64(1) << np.uint64(code & 63)
        slot = np.int64(_hash(words) & np.uint64(len(table) - 1))
        while table[slot] >= 0:
            slot = (slot + 1) & (len(table) - 1)
        table[slot] = shape


# A shape laid out with an empty border two cells wide.
BOARD = WIDTH + 4
AROUND = np.array([step[0] + step[1] * BOARD for step in STEPS], np.int64)


@jit
def _lay(cells, n, place, board, touching):
    """Lays a shape on the empty board: its cells' places, who is where, and neighbours."""
    board[:] = -1
    touching[:] = 0
    for i in range(n):
        code = np.int64(cells[i])
        place[i] = ((code >> 4) + 2) * BOARD + (code & 15) + 2
        board[place[i]] = i
        for step in AROUND:
            touching[place[i] + step] += 1


@jit
def _group(place, n, without, board, group):
    """Numbers the connected groups of the cells but one; how many there are."""
    todo = np.empty(MOST, np.int64)
    group[:n] = -1
    groups = 0
    for i in range(n):
        if i == without or group[i] >= 0:
            continue
        group[i] = groups
        todo[0] = i
        left = 1
        while left:
            left -= 1
            at = place[todo[left]]
            for step in AROUND:
                j = board[at + step]
                if j >= 0 and j != without and group[j] < 0:
                    group[j] = groups
                    todo[left] = j
                    left += 1
        groups += 1
    return groups


@jit
def _sound(at, place, n, without, board, touching, group, groups):
    """True when a cell laid here touches two, joins all groups and mends what was loose."""
    near = mended = 0
    joined = np.int64(0)
    for step in AROUND:
        j = board[at + step]
        if j >= 0 and j != without:
            near += 1
            joined |= 1 << group[j]
            mended += touching[place[j]] == 1
    if near < 2 or joined != (1 << groups) - 1:
        return False
    loose = 0
    for j in range(n):
        if j != without:
            loose += max(0, 2 - touching[place[j]])
    return loose == mended


@jit
def moves_of(shapes, n, low, high, bigger, table, starts, target, perm, laid):
    """Writes the moves of the shapes of n cells from `low` up to `high`; how many there are.

    A move lays a cell so that a sound shape comes out: one that was lifted, or a new one, number
    n, if the shapes of `bigger` have n + 1 cells. Of move m, laid[m] is that cell's old number,
    target[m] the shape that comes out, by its hash table, and perm[m] has, in four bits each, the
    new numbers of the old cells; starts[i] is the first move of shape low + i.
    """
    place, group = np.empty(MOST, np.int64), np.empty(MOST, np.int64)
    board = np.empty(BOARD * BOARD, np.int64)
    touching = np.empty(BOARD * BOARD, np.int64)
    q, r = np.empty(MOST, np.int64), np.empty(MOST, np.int64)
    words, order = np.empty(4, np.uint64), np.empty(MOST, np.int64)
    room = np.empty(ROOM, np.int64)
    after = bigger.shape[1]
    count = 0
    for shape in range(low, high):
        starts[shape - low] = count
        _lay(shapes[shape], n, place, board, touching)
        for i in range(n):
            q[i] = place[i] % BOARD
            r[i] = place[i] // BOARD
        for i in range(n if after > n else 0, after):
            if i < n:
                for step in AROUND:
                    touching[place[i] + step] -= 1
            groups = _group(place, n, i, board, group)
            for at in range(BOARD + 1, BOARD * (BOARD - 1) - 1):
                if touching[at] < 2 or board[at] >= 0:
                    continue
                if not _sound(at, place, n, i, board, touching, group, groups):
                    continue
                q[i] = at % BOARD
                r[i] = at // BOARD
                canonical(q, r, after, words, order, room)
                packed = np.uint64(0)
                for j in range(after):
                    packed |= np.uint64(order[j]) << np.uint64(4 * j)
                target[count] = index_of(words, bigger, table, after)
                perm[count] = packed
                laid[count] = i
                count += 1
            if i < n:
                q[i] = place[i] % BOARD
                r[i] = place[i] // BOARD
                for step in AROUND:
                    touching[place[i] + step] += 1
    starts[high - low] = count
    return count


@jit
def lines_of(shapes, n, low, high, starts, lines):
    """Writes every four cells in a row of the shapes from `low` up to `high`; how many."""
    place = np.empty(MOST, np.int64)
    board = np.empty(BOARD * BOARD, np.int64)
    touching = np.empty(BOARD * BOARD, np.int64)
    count = 0
    for shape in range(low, high):
        starts[shape - low] = count
        _lay(shapes[shape], n, place, board, touching)
        for i in range(n):
            for way in (0, 2, 4):  # one of each pair of opposite steps
                line, at, long = np.int64(0), place[i], 0
                while long < 4 and board[at] >= 0:
                    line |= 1 << board[at]
                    at += AROUND[way]
                    long += 1
                if long == 4:
                    lines[count] = line
                    count += 1
    starts[high - low] = count
    return count
