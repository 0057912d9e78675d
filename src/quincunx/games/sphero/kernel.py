"""Sphero's rules, compiled.

An action is the liberty that a sphere is placed on, as its number in the area for placements, a
grid of 43 x 43 cells: (y + 21) * 43 + x + 21. The cells of the board are numbered as in `cells`.
"""

import numpy as np

from quincunx.games.sphero.cells import ANCHOR as ANCHOR
from quincunx.games.sphero.cells import (
    ANCHOR_BIT,
    NEIGHBOUR_ORDER,
    NEIGHBOUR_STEP,
    ORDER,
    attach,
    bit_of,
    cells_within,
    place_sphere,
    recompute_attached,
    remove_sphere,
)
from quincunx.games.sphero.cells import MAX_VALENCE as MAX_VALENCE
from quincunx.games.sphero.cells import MIDDLE as MIDDLE
from quincunx.games.sphero.cells import STEPS as STEPS
from quincunx.games.sphero.evaluation import evaluate as evaluate
from quincunx.games.sphero.sliding import rotate_inner_board, set_waiting, slide_next_waiting
from quincunx.jit import jit, lowest_bit
from quincunx.position import ANYONE, HEADER, init_header, mix

SEATS = 6
MAX_PLACEMENT_VALENCE = 21  # VALENCE_LIMIT + 1: a liberty touches a sphere within the limit
ACTION_GRID_SIDE = 2 * MAX_PLACEMENT_VALENCE + 1
ACTIONS = ACTION_GRID_SIDE * ACTION_GRID_SIDE
MAX_LEGAL = 2 * MAX_PLACEMENT_VALENCE * (MAX_PLACEMENT_VALENCE + 1)
PLANES = (SEATS + 2, ACTION_GRID_SIDE, ACTION_GRID_SIDE)
VALENCE_LIMIT = 20  # the game ends when a sphere has a higher valence
CHAIN_LENGTH = 5

ORDER_TURNS = 1  # the option order=turns
SPHERE_IDS = 8192  # the number of distinct sphere ids before they start again from 0

# The events of a move. DONE is also the value of `stage` between moves.
DONE, PLACED, CHAINED, SETTLED, ROTATED, SLID = range(6)
EVENTS = ("", "place", "chain", "settle", "rotate", "slide")
# The values of `stage` during a move: what `advance` does next.
FINDING_CHAIN, SETTLING, ROTATING, SLIDING, SETTLING_AFTER_PASS = range(1, 6)

# The index in `ring` of 1 if nothing floats, 0 by rules 1, where cut-off spheres waited for the
# next chain. No sphere has valence 0; a field of its own would change what has been packed.
NOTHING_FLOATS = 0
NOTHING_FLOATS_SINCE = 2  # the version of the rules

STATE = np.dtype(
    [
        *HEADER,
        ("players", "u1"),
        ("limit", "i4"),
        # The move in progress.
        ("suspect", "u1"),  # 1 if there may be a chain; if 0, the search for one is skipped
        ("rebalanced", "u1"),  # 1 after rebalancing: without a chain the move then ends
        ("second", "u1"),  # 1 while the deferred spheres try again
        ("cursor", "i2"),  # the index in ORDER of the next cell that may hold a waiting sphere
        ("unasked", "i2"),  # the number of waiting spheres that have not tried yet
        ("deferred", "i2"),  # the number of waiting spheres that try again after all others
        ("before", "i4"),  # the sum of valences before the rebalancing pass
        ("chain", "i2", (CHAIN_LENGTH,)),  # its cells, breadth first
        ("origin", "i2"),  # the cells between which the last slide went
        ("target", "i2"),
        # Totals, updated with every change.
        ("highest", "i2"),  # the highest valence
        ("total", "i4"),  # the sum of all valences
        # The number of spheres of each valence from 1; before them, NOTHING_FLOATS.
        ("ring", "i2", (MAX_VALENCE + 1,)),
        ("count", "i2", (SEATS,)),  # the number of spheres of each seat
        ("made", "i4"),  # the number of spheres placed so far
        # The board. A sphere is 8 * its id + seat + 1; drawings use the id to follow a
        # sphere from cell to cell.
        ("sphere", "u2", (64 * 64,)),
        # Sets of cells.
        ("taken", "u8", (64,)),  # the cells of spheres and of the anchor
        ("attached", "u8", (64,)),  # the anchor and what is connected to it, except waiting spheres
        ("liberty", "u8", (64,)),
        ("waiting", "u8", (64,)),  # the spheres that have yet to slide or stay
        ("reached", "u8", (64,)),  # scratch: the cells that the sliding sphere can reach so far
        ("open", "u8", (64,)),  # scratch: the cells that a flood fill may enter
        ("room", "u8", (64,)),  # scratch: the cells that a flood fill has reached
    ]
)


@jit
def start(s, options, seed):
    """Writes the first position; the options are players, order, limit and rules' version."""
    init_header(s, seed)
    s.players = options[0]
    s.turn = 0 if options[1] == ORDER_TURNS else ANYONE
    s.limit = options[2]
    s.ring[NOTHING_FLOATS] = options[3] >= NOTHING_FLOATS_SINCE
    s.cursor = s.unasked = s.deferred = s.second = 0
    s.before = s.origin = s.target = 0
    s.chain[:] = 0
    s.made = 0
    s.sphere[:] = 0
    s.reached[:] = np.uint64(0)
    s.open[:] = np.uint64(0)
    s.room[:] = np.uint64(0)
    restore(s)


@jit
def restore(s):
    """Recomputes the totals, the sets of cells and `over` from `sphere`, `ply` and the options."""
    s.highest = s.total = 0
    s.ring[1:] = 0
    s.count[:] = 0
    s.taken[:] = np.uint64(0)
    s.waiting[:] = np.uint64(0)
    s.taken[MIDDLE] = ANCHOR_BIT
    for i in range(1, len(ORDER)):
        sphere = np.int64(s.sphere[ORDER[i]])
        if sphere:
            place_sphere(s, np.int64(ORDER[i]), sphere)
            s.count[(sphere & 7) - 1] += 1
    recompute_attached(s)
    s.suspect = 1
    s.rebalanced = 0
    _update_over(s)


@jit
def _update_over(s):
    """Sets `over`: whether the highest valence or the number of placements ends the game."""
    s.over = s.highest > VALENCE_LIMIT or (s.limit > 0 and s.ply >= s.limit)


@jit
def is_balanced(s):
    """Returns True if the board is balanced."""
    h = s.highest
    if h <= 3 or s.ring[1] < 4:
        return h <= 3
    # Look for loose spheres (fewer than two neighbours, not counting the anchor) of valence h - 4
    # or less. The anchor's bit is cleared meanwhile so that it does not count.
    loose = np.uint64(0)
    s.taken[MIDDLE] ^= ANCHOR_BIT
    for row in range(MIDDLE - (h - 4), MIDDLE + (h - 4) + 1):
        here, above, below = s.taken[row], s.taken[row + 1], s.taken[row - 1]
        right, left = here >> np.uint64(1), here << np.uint64(1)
        two_neighbours = (above & below) | (right & left) | ((above | below) & (right | left))
        loose |= here & ~two_neighbours & cells_within(row, h - 4)
    s.taken[MIDDLE] ^= ANCHOR_BIT
    return loose == np.uint64(0)


@jit
def _write_group(s, first):
    """Writes up to five spheres of a sphere's group into `chain`, returns their number.

    The search is breadth first and visits neighbours as they follow in ORDER.
    """
    chain = s.chain
    colour = s.sphere[first] & 7
    chain[0] = first
    n = 1
    i = 0
    while i < n:
        cell = np.int64(chain[i])
        i += 1
        for k in range(4):
            neighbour = cell + NEIGHBOUR_STEP[(NEIGHBOUR_ORDER[cell] >> 2 * k) & 3]
            if s.sphere[neighbour] & 7 == colour:
                visited = False
                for j in range(n):
                    visited |= chain[j] == neighbour
                if not visited:
                    chain[n] = neighbour
                    n += 1
                    if n == CHAIN_LENGTH:
                        return n
    return n


@jit
def _find_chain(s):
    """Writes the chain to remove into `chain`; returns False if there is none."""
    for i in range(1, 2 * s.highest * (s.highest + 1) + 1):
        cell = np.int64(ORDER[i])
        if s.sphere[cell] and _write_group(s, cell) == CHAIN_LENGTH:
            return True
    return False


@jit
def _remove_chain(s):
    """Removes the chain and makes the spheres that are now cut off from the anchor wait."""
    for i in range(CHAIN_LENGTH):
        s.count[(remove_sphere(s, np.int64(s.chain[i])) & 7) - 1] -= 1
    recompute_attached(s)
    set_waiting(s, np.int64(-1))


@jit
def legal(s, seat, out):
    """Writes the legal actions, ascending, into `out` and returns their number."""
    if s.over or s.stage or (s.turn != ANYONE and seat != s.turn):
        return 0
    n = 0
    for row in range(MIDDLE - s.highest - 1, MIDDLE + s.highest + 2):
        cells = s.liberty[row]
        base = (
            (row - MIDDLE + MAX_PLACEMENT_VALENCE) * ACTION_GRID_SIDE
            - MIDDLE
            + MAX_PLACEMENT_VALENCE
        )
        while cells:
            out[n] = base + lowest_bit(cells)
            n += 1
            cells &= cells - np.uint64(1)
    return n


@jit
def _action_cell(action):
    """Returns the cell of an action."""
    return (
        (action // ACTION_GRID_SIDE - MAX_PLACEMENT_VALENCE + MIDDLE) * 64
        + action % ACTION_GRID_SIDE
        - MAX_PLACEMENT_VALENCE
        + MIDDLE
    )


@jit
def is_legal(s, seat, action):
    """Returns True if an action is legal."""
    if s.over or s.stage or (s.turn != ANYONE and seat != s.turn):
        return False
    if action < 0 or action >= ACTIONS:
        return False
    cell = _action_cell(action)
    return s.liberty[cell >> 6] & bit_of(cell) != np.uint64(0)


@jit
def begin(s, seat, action):
    """Starts a move by placing the sphere; returns the event."""
    cell = _action_cell(action)
    place_sphere(s, cell, s.made % SPHERE_IDS * 8 + seat + 1)
    attach(s, cell)
    s.made += 1
    s.count[seat] += 1
    s.suspect |= _write_group(s, cell) == CHAIN_LENGTH
    s.stage = FINDING_CHAIN
    return PLACED


@jit
def advance(s):
    """Continues a move until its next event and returns it, or DONE at the end of the move."""
    while s.stage != DONE:
        if s.stage == FINDING_CHAIN:
            if s.suspect and _find_chain(s):
                s.rebalanced = 0
                _remove_chain(s)
                s.stage = SETTLING
                return CHAINED
            if s.rebalanced or is_balanced(s):
                _finish_move(s)
            else:
                s.rebalanced = 1
                s.stage = ROTATING
        elif s.stage == ROTATING:
            s.suspect = 1
            s.before = s.total
            rotate_inner_board(s)
            s.stage = SLIDING
            return ROTATED
        elif slide_next_waiting(s, s.stage == SLIDING):
            return SLID if s.stage == SLIDING else SETTLED
        elif s.stage == SLIDING and s.ring[NOTHING_FLOATS]:
            set_waiting(s, np.int64(-1))
            s.stage = SETTLING_AFTER_PASS
        elif is_balanced(s) or (s.stage != SETTLING and s.total >= s.before):
            s.stage = FINDING_CHAIN
        else:
            s.stage = ROTATING
    return DONE


@jit
def _finish_move(s):
    """Ends the move and passes the turn."""
    s.stage = DONE
    s.suspect = s.rebalanced = 0
    s.ply += 1
    if s.turn != ANYONE:
        s.turn = (s.turn + 1) % s.players
    _update_over(s)


@jit
def scores(s, out):
    """Writes the number of spheres of each seat."""
    for seat in range(s.players):
        out[seat] = s.count[seat]


@jit
def key(s):
    """Returns a hash of the spheres and of the seat to move."""
    spheres = np.uint64(0)
    for row in range(MIDDLE - s.highest, MIDDLE + s.highest + 1):
        cells = s.taken[row]
        while cells:
            cell = row * 64 + lowest_bit(cells)
            spheres += mix(np.uint64(cell * 8 + (s.sphere[cell] & 7)))
            cells &= cells - np.uint64(1)
    return mix(spheres ^ np.uint64(s.turn + 1))


@jit
def observe(s, seat, planes):
    """Writes one plane of spheres per seat, own first, then the liberties and the right to move."""
    players = np.int64(s.players)
    may_move = 1.0 if s.turn == ANYONE or s.turn == seat else 0.0
    planes[: players + 1] = 0.0
    planes[players + 1] = may_move
    for row in range(MIDDLE - MAX_PLACEMENT_VALENCE, MIDDLE + MAX_PLACEMENT_VALENCE + 1):
        y = row - MIDDLE + MAX_PLACEMENT_VALENCE
        for x in range(ACTION_GRID_SIDE):
            column = x - MAX_PLACEMENT_VALENCE + MIDDLE
            colour = np.int64(s.sphere[row * 64 + column]) & 7
            if colour:
                planes[(colour - 1 - seat + players) % players, y, x] = 1.0
            elif s.liberty[row] >> np.uint64(column) & np.uint64(1):
                planes[players, y, x] = 1.0
