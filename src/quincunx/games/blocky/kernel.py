"""Blocky's rules, compiled.

The board is its unit cells in Morton order: the index of a cell is its path from the
top, read as a number to the base 4. For depth 2, and the quadrants of every block:

     0  1 |  4  5          0 | 1
     2  3 |  6  7          --+--
    ------+------          2 | 3
     8  9 | 12 13
    10 11 | 14 15

A block of level k is then a range: of the 4^(depth - k) cells whose index begins with
its path. `units[i]` is `level * 4 + colour` of the leaf that covers cell i, so that a
block is divided when the first of its cells belongs to a leaf of a deeper level.

Blocks are numbered by level, each level in Morton order, whatever the depth:

    level 0    level 1    level 2    ...    level k begins with FIRST[k]
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
DEEPEST = 6
UNITS = 4**DEEPEST

OPERATIONS = 10
CW, CCW, HSWAP, VSWAP, SMASH, COMBINE, PAINT = range(7)  # PAINT + colour is the operation
PASS = 0

FIRST = np.array([(4**k - 1) // 3 for k in range(DEEPEST + 2)], np.int64)
ACTIONS = 1 + OPERATIONS * int(FIRST[DEEPEST + 1])
# All divided: four arrangements of each block above the unit cells, one combination of
# each block just above them, three colours for each of them.
MAX_LEGAL = 1 + 4 * int(FIRST[DEEPEST]) + UNITS // 4 + 3 * UNITS

COLOURS = 4
BLOB, PERIMETER = range(2)
SAME, MIXED = range(2)
COST = np.array([0, 0, 0, 0, 3, 1, 1, 1, 1, 1], np.int64)

PLANES = (COLOURS + 1 + 3 * SEATS + 2, 2**DEEPEST, 2**DEEPEST)

STATE = np.dtype(
    [
        *HEADER,
        ("depth", "i8"),
        ("players", "i8"),
        ("turns", "i8"),
        ("played", "i8"),  # turns, by all players together
        ("goal", "i8", (SEATS,)),
        ("target", "i8", (SEATS,)),
        ("cost", "i8", (SEATS,)),
        ("units", "u1", (UNITS,)),
    ]
)

DONE, ROTATED, SWAPPED, SMASHED, COMBINED, PAINTED, PASSED = range(7)
EVENTS: tuple[str, ...] = ("", "rotate", "swap", "smash", "combine", "paint", "pass")

# How probable it is that a new block of level k divides further.
DIVIDES = np.exp(-0.25 * np.arange(DEEPEST))

# Row and column of a unit cell: every second bit of its index.
INDEX = np.arange(UNITS, dtype=np.int64)
ROW = np.array([(INDEX >> 2 * b + 1 & 1) << b for b in range(DEEPEST)]).sum(axis=0)
COLUMN = np.array([(INDEX >> 2 * b & 1) << b for b in range(DEEPEST)]).sum(axis=0)

# How far a leaf of level k reaches, by depth - k.
REACH = np.array([4**k for k in range(DEEPEST + 1)], np.int64)

TIE = -1


def _majority(colours):
    counts = [colours.count(c) for c in range(COLOURS)]
    return counts.index(max(counts)) if counts.count(max(counts)) == 1 else TIE


# The colour of most of four unit cells, by their colours as the digits of a base-4 number.
MAJORITY = np.array(
    [_majority([i >> 6, i >> 4 & 3, i >> 2 & 3, i & 3]) for i in range(256)], np.int64
)


@jit
def start(s, options, seed):
    """Writes the first position; options: depth, players, turns, goals."""
    init_header(s, seed)
    s.depth = options[0]
    s.players = options[1]
    s.turns = options[2]
    s.played = 0
    _fill(s.units, 0, UNITS, 0)
    _divide(s, 0, 0)
    _draw_goals(s, options[3])


@jit
def _draw_goals(s, goals):
    """Gives each player a goal: all of one type and each another colour, or any."""
    left = np.int64(0b11_10_01_00)  # the colours not drawn yet, as base-4 digits
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
            s.target[seat] = left >> shift & 3
            left = (left >> (shift + 2) << shift) | (left & ((1 << shift) - 1))


@jit
def restore(s):
    """Makes a position whole whose board, goals, costs, turns played and seat were written."""
    s.over = 1 if s.played >= s.turns * s.players else 0


@jit
def _fill(units, first, size, unit):
    """Makes a range of cells one leaf."""
    for i in range(first, first + size):
        units[i] = unit


@jit
def _quarter(s, first, level):
    """Divides a block of this level once: four leaves of random colours."""
    size = REACH[s.depth - level - 1]
    colours = next_random(s)
    for q in range(4):
        colour = np.int64((colours >> np.uint64(2 * q)) & np.uint64(3))
        _fill(s.units, first + q * size, size, (level + 1) * 4 + colour)


@jit
def _divide(s, first, level):
    """Divides a block of this level and, by chance, what is inside it, level after level."""
    end = first + REACH[s.depth - level]
    _quarter(s, first, level)
    for inner in range(level + 1, s.depth):
        for i in range(first, end, REACH[s.depth - inner]):
            if s.units[i] >> 2 == inner and random_chance(s, DIVIDES[inner]):
                _quarter(s, i, inner)


@jit
def _four(units, i):
    """The colours of the four unit cells from index i on, as a number below 256."""
    return (
        np.int64(units[i] & 3) << 6
        | np.int64(units[i + 1] & 3) << 4
        | np.int64(units[i + 2] & 3) << 2
        | np.int64(units[i + 3] & 3)
    )


@jit
def legal(s, seat, out):
    """Writes the legal actions, ascending, into out and returns how many."""
    if s.over or s.stage or seat != s.turn:
        return 0
    units = s.units
    depth = s.depth
    out[0] = PASS
    n = 1
    for level in range(depth):
        size = REACH[depth - level]
        action = 1 + OPERATIONS * FIRST[level]
        i = 0
        while i < REACH[depth]:
            leaf = np.int64(units[i] >> 2)
            if leaf < level:
                skipped = REACH[depth - leaf]
                i += skipped
                action += OPERATIONS * (skipped // size)
                continue
            if leaf > level:
                for arrangement in range(4):
                    out[n + arrangement] = action + arrangement
                n += 4
                if level == depth - 1 and MAJORITY[_four(units, i)] != TIE:
                    out[n] = action + COMBINE
                    n += 1
            else:
                out[n] = action + SMASH
                n += 1
            i += size
            action += OPERATIONS
    return _legal_paints(units, depth, out, n)


@jit
def _legal_paints(units, depth, out, n):
    """Writes the legal paintings after the n actions that are there; returns how many in all."""
    first = 1 + OPERATIONS * FIRST[depth] + PAINT
    i = 0
    while i < REACH[depth]:
        leaf = np.int64(units[i] >> 2)
        if leaf < depth:
            i += REACH[depth - leaf]
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
    """Turns a block by a quarter, with all that is inside it, like a picture.

    Clockwise, what is in quadrant 0 goes to 1, to 3, to 2 and back to 0, and so does every
    digit of a cell's path: its bits (lower, right) become (right, not lower). So each cell
    goes round with three others, one of them in quadrant 0; two turns change every bit.
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
    """Exchanges the cells of a block whose index differs in one bit: its halves."""
    for i in range(first, first + size):
        if i & bit == 0:
            units[i], units[i + bit] = units[i + bit], units[i]


@jit
def _level(block):
    """The level of a block, by its number."""
    level = 0
    while FIRST[level + 1] <= block:
        level += 1
    return level


@jit
def begin(s, seat, action):
    """Does what the action says to its block, and charges for it. Returns the event."""
    s.stage = 1
    if action == PASS:
        return PASSED
    action = np.int64(action) - 1
    operation = action % OPERATIONS
    level = _level(action // OPERATIONS)
    size = REACH[s.depth - level]
    first = (action // OPERATIONS - FIRST[level]) * size
    s.cost[seat] += COST[operation]
    units = s.units
    if operation <= CCW:
        _rotate(units, first, size, operation == CW)
        return ROTATED
    if operation <= VSWAP:
        _swap(units, first, size, size // 4 if operation == HSWAP else size // 2)
        return SWAPPED
    if operation == SMASH:
        _divide(s, first, level)
        return SMASHED
    if operation == COMBINE:
        _fill(units, first, size, level * 4 + MAJORITY[_four(units, first)])
        return COMBINED
    units[first] = level * 4 + operation - PAINT
    return PAINTED


@jit
def advance(s):
    """Ends the turn: nothing follows the one thing that happens in it."""
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
def coloured(s, colour, rows):
    """Writes where a colour is: bit x of rows[y] for the unit cell in column x of row y."""
    depth = s.depth
    for y in range(1 << depth):
        rows[y] = np.uint64(0)
    i = 0
    while i < REACH[depth]:
        above = depth - np.int64(s.units[i] >> 2)
        if s.units[i] & 3 == colour:
            bits = ~np.uint64(0) >> np.uint64(64 - (1 << above)) << np.uint64(COLUMN[i])
            for y in range(ROW[i], ROW[i] + (1 << above)):
                rows[y] |= bits
        i += REACH[above]


@jit
def _root(joined, i):
    """The first of the runs that run i is joined to."""
    while joined[i] != i:
        joined[i] = joined[joined[i]]
        i = joined[i]
    return i


@jit
def blob(s, colour, rows):
    """Writes the largest blob of a colour, the first of equals, as `coloured` does.

    Returns how many unit cells it has. Cells side by side in a row are a run, and runs
    that touch in neighbouring rows are joined into one blob.
    """
    coloured(s, colour, rows)
    side = 1 << s.depth
    run = np.empty(side * side // 2, np.uint64)
    row = np.empty(side * side // 2, np.int64)
    joined = np.empty(side * side // 2, np.int64)
    size = np.empty(side * side // 2, np.int64)
    n = 0
    above = 0  # the first run of the row above that can still touch
    for y in range(side):
        first = n
        rest = rows[y]
        rows[y] = np.uint64(0)
        while rest:
            lowest_bit = rest & (~rest + np.uint64(1))
            run[n] = rest & ~(rest + lowest_bit)
            row[n] = y
            joined[n] = n
            size[n] = popcount(run[n])
            rest ^= run[n]
            while above < first and run[above] < lowest_bit:
                above += 1
            i = above
            while i < first and run[i] & run[n]:
                a = _root(joined, i)
                b = _root(joined, n)
                if a != b:
                    joined[max(a, b)] = min(a, b)
                    size[min(a, b)] += size[max(a, b)]
                i += 1
            n += 1
        above = first
    if n == 0:
        return 0
    largest = 0
    for i in range(n):
        if joined[i] == i and size[i] > size[largest]:
            largest = i
    for i in range(n):
        if _root(joined, i) == largest:
            rows[row[i]] |= run[i]
    return size[largest]


@jit
def reached(s, seat):
    """What the board is worth for a seat's goal, costs left aside."""
    side = 1 << s.depth
    rows = np.empty(side, np.uint64)
    if s.goal[seat] == BLOB:
        return blob(s, s.target[seat], rows)
    coloured(s, s.target[seat], rows)
    total = popcount(rows[0]) + popcount(rows[side - 1])
    for y in range(side):
        total += np.int64(rows[y] & np.uint64(1))
        total += np.int64(rows[y] >> np.uint64(side - 1) & np.uint64(1))
    return total


@jit
def scores(s, out):
    """Writes for each seat what its goal is worth, less what its actions cost."""
    for seat in range(s.players):
        out[seat] = reached(s, seat) - s.cost[seat]


@jit
def hide(s, seat, seed):
    """Redraws the generator, which holds what smashes will bring; all else is public."""
    reseed(s, seed)


@jit
def _standing(s, seat):
    """What a seat has and is likely to get: twice its score, its cells, the right to move."""
    cells = 0
    i = 0
    while i < REACH[s.depth]:
        size = REACH[s.depth - np.int64(s.units[i] >> 2)]
        if s.units[i] & 3 == s.target[seat]:
            cells += size
        i += size
    standing = 2 * (reached(s, seat) - s.cost[seat]) + cells
    return standing + (1 << s.depth) if seat == s.turn else standing


@jit
def evaluate(s, seat):
    """The seat's lead over the best of the others, from -1 to 1; alone, its score.

    At the end it is 1 for the winner, -1 for the others, and what is between
    for those who share the win: twice the share less 1.
    """
    side = 1 << s.depth
    if s.players == 1:
        most = side * side if s.goal[seat] == BLOB else 4 * side
        return max(-1.0, (reached(s, seat) - s.cost[seat]) / most)
    own = reached(s, seat) - s.cost[seat] if s.over else _standing(s, seat)
    lead = np.int64(1 << 40)
    sharing = 1
    for other in range(s.players):
        if other != seat:
            ahead = own - (reached(s, other) - s.cost[other] if s.over else _standing(s, other))
            lead = min(lead, ahead)
            sharing += ahead == 0
    if s.over:
        return 2.0 / sharing - 1.0 if lead >= 0 else -1.0
    return lead / np.float64(abs(lead) + 2 * side)


@jit
def key(s):
    """A hash of board, goals, costs, turns played and seat to move."""
    h = mix(np.uint64(s.played * SEATS + s.turn))
    for seat in range(s.players):
        goal = (s.cost[seat] * COLOURS + s.target[seat]) * 2 + s.goal[seat]
        h = mix(h + np.uint64(goal))
    i = 0
    while i < REACH[s.depth]:
        leaf = np.int64(s.units[i])
        h = mix(h + np.uint64(leaf))
        i += REACH[s.depth - (leaf >> 2)]
    return h


@jit
def observe(s, seat, planes):
    """Writes the planes, in reading order.

    0-3 colours; 4 the leaf's level by depth; then for each player from the seat on three
    planes, zeros where there is none: the cells of the target colour, 1 for a perimeter
    goal, the score by the number of cells; last the part of all turns that is left, and
    1 when the seat is to move.
    """
    count = REACH[s.depth]
    total = s.turns * s.players
    for i in range(count):
        y = ROW[i]
        x = COLUMN[i]
        for p in range(PLANES[0]):
            planes[p, y, x] = 0.0
        planes[s.units[i] & 3, y, x] = 1.0
        planes[COLOURS, y, x] = (s.units[i] >> 2) / s.depth
        planes[PLANES[0] - 2, y, x] = (total - s.played) / total
        planes[PLANES[0] - 1, y, x] = s.turn == seat
    for k in range(s.players):
        player = (seat + k) % s.players
        score = (reached(s, player) - s.cost[player]) / count
        p = COLOURS + 1 + 3 * k
        for i in range(count):
            y = ROW[i]
            x = COLUMN[i]
            planes[p, y, x] = s.units[i] & 3 == s.target[player]
            planes[p + 1, y, x] = s.goal[player]
            planes[p + 2, y, x] = score
