"""Blocky's rules, compiled.

The board is stored as its unit cells (see `blocks`): `units[i]` is `level * 4 + colour` of the
leaf that covers cell i. A block is divided if its first cell belongs to a leaf of a deeper level.

An action is PASS, or `1 + block * 10 + operation`.
"""

import numpy as np

from quincunx.games.blocky.blocks import (
    BLOCK_CELLS,
    CELL_COLUMN,
    CELL_ROW,
    COLOURS,
    LEVEL_START,
    MAX_SIDE,
)
from quincunx.games.blocky.blocks import FIRST_BLOCK as FIRST_BLOCK
from quincunx.games.blocky.blocks import MAX_BOARD_DEPTH as MAX_BOARD_DEPTH
from quincunx.games.blocky.blocks import MAX_UNIT_CELLS as MAX_UNIT_CELLS
from quincunx.games.blocky.evaluation import evaluate as evaluate
from quincunx.games.blocky.goals import BLOB as BLOB
from quincunx.games.blocky.goals import PERIMETER as PERIMETER
from quincunx.games.blocky.goals import colour_rows as colour_rows
from quincunx.games.blocky.goals import goal_score as goal_score
from quincunx.games.blocky.goals import largest_blob as largest_blob
from quincunx.jit import jit
from quincunx.position import HEADER, init_header, mix, next_random, random_below, random_chance

SEATS = 4

OPERATIONS = 10
CW, CCW, HSWAP, VSWAP, SMASH, COMBINE, PAINT = range(7)  # PAINT + colour is the operation
PASS = 0

ACTIONS = 1 + OPERATIONS * FIRST_BLOCK[MAX_BOARD_DEPTH + 1]
# The maximum, with everything divided: a pass, four rotations and swaps for each block above the
# unit cells, a combination for each block directly above them, three colours for each unit cell.
MAX_LEGAL = 1 + 4 * FIRST_BLOCK[MAX_BOARD_DEPTH] + MAX_UNIT_CELLS // 4 + 3 * MAX_UNIT_CELLS

SAME, MIXED = range(2)  # the values of the option `goals`
OPERATION_COST = (0, 0, 0, 0, 3, 1, 1, 1, 1, 1)  # in points
_OPERATION_COST = np.array(OPERATION_COST, np.int64)

PLANES = (COLOURS + 1 + 3 * SEATS + 2, MAX_SIDE, MAX_SIDE)

# The functions that rules and layout call.
HELPERS = {
    "goal_score": "(s: state, seat: i64) -> i64",
    "colour_rows": "(s: state, colour: i64, rows: u64[:]) -> void",
    "largest_blob": "(s: state, colour: i64, rows: u64[:]) -> i64",
}

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

# DIVISION_PROBABILITY[k]: the probability that a new block of level k is divided further,
# exp(-k / 4). Not computed here, since the last digit would depend on the machine.
DIVISION_PROBABILITY = np.array(
    [
        1.0,
        0.7788007830714049,
        0.6065306597126334,
        0.4723665527410147,
        0.36787944117144233,
        0.2865047968601901,
    ]
)

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
        action = 1 + OPERATIONS * LEVEL_START[level]
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
    first = 1 + OPERATIONS * LEVEL_START[depth] + PAINT
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
def is_legal(s, seat, action):
    """Returns True if an action is legal."""
    if s.over or s.stage or seat != s.turn or action < 0:
        return False
    if action == PASS:
        return True
    block, operation = (action - 1) // OPERATIONS, (action - 1) % OPERATIONS
    if block >= LEVEL_START[s.depth + 1]:
        return False
    level = _level(block)
    first = (block - LEVEL_START[level]) * BLOCK_CELLS[s.depth - level]
    leaf = np.int64(s.units[first] >> 2)
    if leaf > level:
        if operation == COMBINE:
            return level == s.depth - 1 and MAJORITY[_four_colours(s.units, first)] != TIE
        return operation <= VSWAP
    if leaf < level:
        return False
    if level < s.depth:
        return operation == SMASH
    return operation >= PAINT and operation - PAINT != s.units[first] & 3


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
    while LEVEL_START[level + 1] <= block:
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
    first = (action // OPERATIONS - LEVEL_START[level]) * size
    s.cost[seat] += _OPERATION_COST[operation]
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
def scores(s, out):
    """Writes each seat's goal score less the cost of its actions."""
    for seat in range(s.players):
        out[seat] = goal_score(s, seat) - s.cost[seat]


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
