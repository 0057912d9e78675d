"""Blocky's rules, compiled.

The board is stored as its unit cells in Morton order: the index of a cell is its path from
the top, read as a base-4 number. The cells for depth 2, and the quadrants of every block:

     0  1 |  4  5          0 | 1
     2  3 |  6  7          --+--
    ------+------          2 | 3
     8  9 | 12 13
    10 11 | 14 15

A block of level k is a range of 4^(depth - k) cells, whose indices start with the path of
the block. `units[i]` is `level * 4 + colour` of the leaf that covers cell i; a block is
divided if its first cell belongs to a leaf of a deeper level.

Blocks are numbered by level, and in Morton order within a level. The numbers do not depend
on the depth of the board:

    level 0    level 1    level 2    ...    level k starts at FIRST_BLOCK[k]
       0       1 2 3 4    5 .. 20

An action is PASS, or `1 + block * 10 + operation`.
"""

import numpy as np

from quincunx.jit import jit, popcount
from quincunx.position import (
    HEADER,
    init_header,
    mix,
    next_random,
    random_below,
    random_chance,
    reseed,
)

SEATS = 4
MAX_BOARD_DEPTH = 6
MAX_UNIT_CELLS = 4**MAX_BOARD_DEPTH

OPERATIONS = 10
CW, CCW, HSWAP, VSWAP, SMASH, COMBINE, PAINT = range(7)  # PAINT + colour is the operation
PASS = 0

FIRST_BLOCK = np.array([(4**k - 1) // 3 for k in range(MAX_BOARD_DEPTH + 2)], np.int64)
ACTIONS = 1 + OPERATIONS * int(FIRST_BLOCK[MAX_BOARD_DEPTH + 1])
# The maximum, with everything divided: a pass, four rotations and swaps for each block above the
# unit cells, a combination for each block directly above them, three colours for each unit cell.
MAX_LEGAL = 1 + 4 * int(FIRST_BLOCK[MAX_BOARD_DEPTH]) + MAX_UNIT_CELLS // 4 + 3 * MAX_UNIT_CELLS

COLOURS = 4
BLOB, PERIMETER = range(2)  # the kinds of goals
SAME, MIXED = range(2)  # the values of the option `goals`
OPERATION_COST = np.array([0, 0, 0, 0, 3, 1, 1, 1, 1, 1], np.int64)  # in points

PLANES = (COLOURS + 1 + 3 * SEATS + 2, 2**MAX_BOARD_DEPTH, 2**MAX_BOARD_DEPTH)

STATE = np.dtype(
    [
        *HEADER,
        ("depth", "i8"),
        ("players", "i8"),
        ("turns", "i8"),  # turns of each player in the whole game
        ("played", "i8"),  # turns played by all players together
        ("goal", "i8", (SEATS,)),  # BLOB or PERIMETER
        ("target", "i8", (SEATS,)),  # the target colour
        ("cost", "i8", (SEATS,)),  # points that the seat has paid for its actions
        ("units", "u1", (MAX_UNIT_CELLS,)),
    ]
)

DONE, ROTATED, SWAPPED, SMASHED, COMBINED, PAINTED, PASSED = range(7)
EVENTS: tuple[str, ...] = ("", "rotate", "swap", "smash", "combine", "paint", "pass")

# DIVISION_PROBABILITY[k]: the probability that a new block of level k is divided further.
DIVISION_PROBABILITY = np.exp(-0.25 * np.arange(MAX_BOARD_DEPTH))

# Row and column of a unit cell: every second bit of its index.
CELL_INDEX = np.arange(MAX_UNIT_CELLS, dtype=np.int64)
CELL_ROW = np.array([(CELL_INDEX >> 2 * b + 1 & 1) << b for b in range(MAX_BOARD_DEPTH)]).sum(
    axis=0
)
CELL_COLUMN = np.array([(CELL_INDEX >> 2 * b & 1) << b for b in range(MAX_BOARD_DEPTH)]).sum(axis=0)

# BLOCK_CELLS[h]: the number of unit cells in a block that is h levels above the unit cells.
BLOCK_CELLS = np.array([4**h for h in range(MAX_BOARD_DEPTH + 1)], np.int64)

TIE = -1  # instead of a majority colour


def _majority(colours):
    counts = [colours.count(c) for c in range(COLOURS)]
    return counts.index(max(counts)) if counts.count(max(counts)) == 1 else TIE


# The majority colour of four unit cells, or TIE. The index has their colours as base-4 digits.
MAJORITY = np.array(
    [_majority([i >> 6, i >> 4 & 3, i >> 2 & 3, i & 3]) for i in range(256)], np.int64
)


@jit
def start(s, options, seed):
    """Writes the first position. The options are `depth`, `players`, `turns` and `goals`."""
    init_header(s, seed)
    s.depth = options[0]
    s.players = options[1]
    s.turns = options[2]
    s.played = 0
    _fill(s.units, 0, MAX_UNIT_CELLS, 0)
    _divide_randomly(s, 0, 0)
    _draw_goals(s, options[3])


@jit
def _draw_goals(s, goals):
    """Draws a goal and a target colour for each player, according to the option `goals`."""
    remaining = np.int64(0b11_10_01_00)  # the colours not drawn yet, as base-4 digits
    goal = random_below(s, 2)
    for seat in range(SEATS):
        s.goal[seat] = s.target[seat] = s.cost[seat] = 0
        if seat >= s.players:
            continue
        if goals == MIXED:
            s.goal[seat] = random_below(s, 2)
            s.target[seat] = random_below(s, COLOURS)
        else:
            shift = 2 * random_below(s, COLOURS - seat)
            s.goal[seat] = goal
            s.target[seat] = remaining >> shift & 3
            remaining = (remaining >> (shift + 2) << shift) | (remaining & ((1 << shift) - 1))


@jit
def restore(s):
    """Computes `over` from `played`, `turns` and `players`."""
    s.over = 1 if s.played >= s.turns * s.players else 0


@jit
def _fill(units, first, size, unit):
    """Writes the same unit value into a range of cells, which makes it one leaf."""
    for i in range(first, first + size):
        units[i] = unit


@jit
def _divide_once(s, first, level):
    """Divides the block of this level at cell `first` into four leaves of random colours."""
    size = BLOCK_CELLS[s.depth - level - 1]
    colours = next_random(s)
    for q in range(4):
        colour = np.int64((colours >> np.uint64(2 * q)) & np.uint64(3))
        _fill(s.units, first + q * size, size, (level + 1) * 4 + colour)


@jit
def _divide_randomly(s, first, level):
    """Divides a block as `_divide_once`, then at random the blocks inside it, level by level."""
    end = first + BLOCK_CELLS[s.depth - level]
    _divide_once(s, first, level)
    for inner in range(level + 1, s.depth):
        for i in range(first, end, BLOCK_CELLS[s.depth - inner]):
            if s.units[i] >> 2 == inner and random_chance(s, DIVISION_PROBABILITY[inner]):
                _divide_once(s, i, inner)


@jit
def _four_colours(units, i):
    """Returns the colours of the four unit cells from index i, as a 4-digit base-4 number."""
    return (
        np.int64(units[i] & 3) << 6
        | np.int64(units[i + 1] & 3) << 4
        | np.int64(units[i + 2] & 3) << 2
        | np.int64(units[i + 3] & 3)
    )


@jit
def legal(s, seat, out):
    """Writes the legal actions into out, ascending; returns their number."""
    if s.over or s.stage or seat != s.turn:
        return 0
    units = s.units
    depth = s.depth
    out[0] = PASS
    n = 1
    for level in range(depth):
        size = BLOCK_CELLS[depth - level]
        action = 1 + OPERATIONS * FIRST_BLOCK[level]
        i = 0
        while i < BLOCK_CELLS[depth]:
            leaf = np.int64(units[i] >> 2)
            if leaf < level:
                skipped = BLOCK_CELLS[depth - leaf]
                i += skipped
                action += OPERATIONS * (skipped // size)
                continue
            if leaf > level:
                for operation in range(4):  # rotations and swaps
                    out[n + operation] = action + operation
                n += 4
                if level == depth - 1 and MAJORITY[_four_colours(units, i)] != TIE:
                    out[n] = action + COMBINE
                    n += 1
            else:
                out[n] = action + SMASH
                n += 1
            i += size
            action += OPERATIONS
    return _append_paints(units, depth, out, n)


@jit
def _append_paints(units, depth, out, n):
    """Writes the legal paint actions into out from index n; returns the new n."""
    first = 1 + OPERATIONS * FIRST_BLOCK[depth] + PAINT
    i = 0
    while i < BLOCK_CELLS[depth]:
        leaf = np.int64(units[i] >> 2)
        if leaf < depth:
            i += BLOCK_CELLS[depth - leaf]
            continue
        colour = np.int64(units[i] & 3)
        action = first + OPERATIONS * i
        for c in range(3):
            out[n + c] = action + c + (c >= colour)
        n += 3
        i += 1
    return n


@jit
def _rotate(units, first, size, clockwise):
    """Rotates a block by a quarter turn, including everything inside it.

    A clockwise turn maps quadrants 0 -> 1 -> 3 -> 2 -> 0. It maps every digit of a cell's path in
    the same way: the bits (lower, right) become (right, not lower). So the cells form cycles of
    four, each with one cell in quadrant 0, and two turns flip every bit.
    """
    last = first + size - 1
    for i in range(size // 4):
        turned = ((i & 0x555) << 1 | (~i >> 1 & 0x555)) & (size - 1)
        a, b, c, d = first + i, first + turned, last - i, last - turned
        if clockwise:
            units[a], units[b], units[c], units[d] = units[d], units[a], units[b], units[c]
        else:
            units[a], units[b], units[c], units[d] = units[b], units[c], units[d], units[a]


@jit
def _swap(units, first, size, bit):
    """Swaps the halves of a block: the cells whose indices differ only in `bit`."""
    for i in range(first, first + size):
        if i & bit == 0:
            units[i], units[i + bit] = units[i + bit], units[i]


@jit
def _level(block):
    """Returns the level of the block with this number."""
    level = 0
    while FIRST_BLOCK[level + 1] <= block:
        level += 1
    return level


@jit
def begin(s, seat, action):
    """Starts a play by performing the operation and charging its cost; returns the event."""
    s.stage = 1
    if action == PASS:
        return PASSED
    action = np.int64(action) - 1
    operation = action % OPERATIONS
    level = _level(action // OPERATIONS)
    size = BLOCK_CELLS[s.depth - level]
    first = (action // OPERATIONS - FIRST_BLOCK[level]) * size
    s.cost[seat] += OPERATION_COST[operation]
    units = s.units
    if operation <= CCW:
        _rotate(units, first, size, operation == CW)
        return ROTATED
    if operation <= VSWAP:
        _swap(units, first, size, size // 4 if operation == HSWAP else size // 2)
        return SWAPPED
    if operation == SMASH:
        _divide_randomly(s, first, level)
        return SMASHED
    if operation == COMBINE:
        _fill(units, first, size, level * 4 + MAJORITY[_four_colours(units, first)])
        return COMBINED
    units[first] = level * 4 + operation - PAINT
    return PAINTED


@jit
def advance(s):
    """Ends the turn and returns DONE: every play has exactly one event."""
    if s.stage:
        s.stage = 0
        s.ply += 1
        s.played += 1
        s.turn = (s.turn + 1) % s.players
        restore(s)
    return DONE


@jit
def apply(s, seat, action):
    """Plays a legal action."""
    begin(s, seat, action)
    while advance(s):
        pass


@jit
def colour_rows(s, colour, rows):
    """Writes the cells of a colour: bit x of rows[y] is the unit cell in column x of row y."""
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
    """Writes the largest blob of a colour in the format of `colour_rows`; returns its size.

    If several blobs are largest, the first one is written. Adjacent cells of a row form a run;
    a union-find structure joins the runs of neighbouring rows that touch.
    """
    colour_rows(s, colour, rows)
    side = 1 << s.depth
    run = np.empty(side * side // 2, np.uint64)
    row = np.empty(side * side // 2, np.int64)
    parent = np.empty(side * side // 2, np.int64)
    size = np.empty(side * side // 2, np.int64)
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
    return size[largest]


@jit
def goal_score(s, seat):
    """Returns the points of a seat's goal on this board, before costs are deducted."""
    side = 1 << s.depth
    rows = np.empty(side, np.uint64)
    if s.goal[seat] == BLOB:
        return largest_blob(s, s.target[seat], rows)
    colour_rows(s, s.target[seat], rows)
    total = popcount(rows[0]) + popcount(rows[side - 1])
    for y in range(side):
        total += np.int64(rows[y] & np.uint64(1))
        total += np.int64(rows[y] >> np.uint64(side - 1) & np.uint64(1))
    return total


@jit
def scores(s, out):
    """Writes each seat's goal score less the cost of its actions."""
    for seat in range(s.players):
        out[seat] = goal_score(s, seat) - s.cost[seat]


@jit
def hide(s, seat, seed):
    """Replaces the random generator, which determines future smashes; all else is public."""
    reseed(s, seed)


@jit
def _seat_score(s, seat):
    """Returns the evaluation of one seat: twice its score, plus its cells of the target colour.

    The seat to move gets a bonus of one side of the board, in unit cells.
    """
    cells = 0
    i = 0
    while i < BLOCK_CELLS[s.depth]:
        size = BLOCK_CELLS[s.depth - np.int64(s.units[i] >> 2)]
        if s.units[i] & 3 == s.target[seat]:
            cells += size
        i += size
    score = 2 * (goal_score(s, seat) - s.cost[seat]) + cells
    return score + (1 << s.depth) if seat == s.turn else score


@jit
def evaluate(s, seat):
    """Returns the static evaluation for the seat, from -1 to 1.

    It is the seat's lead over the best opponent or, in a solo game, its score. At the end it is 1
    for a sole winner, -1 for a loser, and 2 / n - 1 for each of n players who share the win.
    """
    side = 1 << s.depth
    if s.players == 1:
        max_score = side * side if s.goal[seat] == BLOB else 4 * side
        return max(-1.0, (goal_score(s, seat) - s.cost[seat]) / max_score)
    own = goal_score(s, seat) - s.cost[seat] if s.over else _seat_score(s, seat)
    lead = np.int64(1 << 40)
    equal_scores = 1
    for other in range(s.players):
        if other != seat:
            margin = own - (
                goal_score(s, other) - s.cost[other] if s.over else _seat_score(s, other)
            )
            lead = min(lead, margin)
            equal_scores += margin == 0
    if s.over:
        return 2.0 / equal_scores - 1.0 if lead >= 0 else -1.0
    return lead / np.float64(abs(lead) + 2 * side)


@jit
def key(s):
    """Returns a hash of board, goals, costs, turns played and seat to move."""
    h = mix(np.uint64(s.played * SEATS + s.turn))
    for seat in range(s.players):
        goal = (s.cost[seat] * COLOURS + s.target[seat]) * 2 + s.goal[seat]
        h = mix(h + np.uint64(goal))
    i = 0
    while i < BLOCK_CELLS[s.depth]:
        leaf = np.int64(s.units[i])
        h = mix(h + np.uint64(leaf))
        i += BLOCK_CELLS[s.depth - (leaf >> 2)]
    return h


@jit
def observe(s, seat, planes):
    """Writes the planes, in which rows and columns are those of the unit cells.

    Planes 0-3 are the cells of each colour, plane 4 is the level of the leaf divided by the depth.
    Three planes for each player follow, the seat itself first, zeros for missing players: the
    cells of the target colour, 1 for a perimeter goal, the score divided by the number of cells.
    The last two planes are the fraction of turns left, and 1 if the seat is to move.
    """
    count = BLOCK_CELLS[s.depth]
    total = s.turns * s.players
    for i in range(count):
        y = CELL_ROW[i]
        x = CELL_COLUMN[i]
        for p in range(PLANES[0]):
            planes[p, y, x] = 0.0
        planes[s.units[i] & 3, y, x] = 1.0
        planes[COLOURS, y, x] = (s.units[i] >> 2) / s.depth
        planes[PLANES[0] - 2, y, x] = (total - s.played) / total
        planes[PLANES[0] - 1, y, x] = s.turn == seat
    for k in range(s.players):
        player = (seat + k) % s.players
        score = (goal_score(s, player) - s.cost[player]) / count
        p = COLOURS + 1 + 3 * k
        for i in range(count):
            y = CELL_ROW[i]
            x = CELL_COLUMN[i]
            planes[p, y, x] = s.units[i] & 3 == s.target[player]
            planes[p + 1, y, x] = s.goal[player]
            planes[p + 2, y, x] = score
