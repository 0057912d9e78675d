"""Sphero's rules, compiled.

The board is a grid of 64 x 64 cells with the anchor in its middle. It is larger than the area
for placements, because spheres may settle further out. Cell `x,y` has the number
(y + 32) * 64 + x + 32:

    2143 2144 2145        y =  1        A set of cells is 64 integers, one for each row from
    2079    A 2081        y =  0        the bottom; bit x + 32 of row y + 32 is the cell x,y.
    2015 2016 2017        y = -1

An action is the liberty that a sphere is placed on, as its number in the area for placements, a
grid of 43 x 43 cells: (y + 21) * 43 + x + 21.
"""

import numpy as np

from quincunx.jit import jit, lowest_bit, popcount
from quincunx.position import ANYONE, HEADER, init_header, mix, reseed

SEATS = 6
MAX_PLACEMENT_VALENCE = 21  # VALENCE_LIMIT + 1: a liberty touches a sphere within the limit
ACTION_GRID_SIDE = 2 * MAX_PLACEMENT_VALENCE + 1
ACTIONS = ACTION_GRID_SIDE * ACTION_GRID_SIDE
MAX_LEGAL = 2 * MAX_PLACEMENT_VALENCE * (MAX_PLACEMENT_VALENCE + 1)
PLANES = (SEATS + 2, ACTION_GRID_SIDE, ACTION_GRID_SIDE)
VALENCE_LIMIT = 20  # the game ends when a sphere has a higher valence
CHAIN_LENGTH = 5

MIDDLE = 32  # the anchor's row and column in the grid
ANCHOR = MIDDLE * 64 + MIDDLE
ANCHOR_BIT = np.uint64(1 << MIDDLE)
MAX_VALENCE = 29  # of any sphere: the cells of valence 30 and 31 are always empty
NO_CELL = -1
# After this many steps without a liberty, a flood fill checks whether any can be reached. Most
# slides are shorter, and do without the flood fill.
REACHABILITY_CHECK_STEPS = 8
ORDER_TURNS = 1  # the option order=turns
SPHERE_IDS = 8192  # the number of distinct sphere ids before they start again from 0
# In spheres, for every sphere that touches two of its colour. A row of three has one of them and
# loses about this many spheres within 15 plies; a row of four has two and loses twice as many.
CROWDING_PENALTY = 0.7

# The events of a move. DONE is also the value of `stage` between moves.
DONE, PLACED, CHAINED, SETTLED, ROTATED, SLID = range(6)
EVENTS = ("", "place", "chain", "settle", "rotate", "slide")
# The values of `stage` during a move: what `advance` does next.
FINDING_CHAIN, SETTLING, ROTATING, SLIDING = range(1, 5)

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
        ("ring", "i2", (MAX_VALENCE + 1,)),  # the number of spheres of each valence
        ("count", "i2", (SEATS,)),  # the number of spheres of each seat
        ("made", "i4"),  # the number of spheres placed so far
        # The board. A sphere is 8 * its id + seat + 1; drawings use the id to follow a
        # sphere from cell to cell.
        ("sphere", "u2", (64 * 64,)),
        # Sets of cells.
        ("taken", "u8", (64,)),  # the cells of spheres and of the anchor
        (
            "attached",
            "u8",
            (64,),
        ),  # the anchor and the spheres connected to it, except waiting ones
        ("liberty", "u8", (64,)),
        ("waiting", "u8", (64,)),  # the spheres that have yet to slide or stay
        ("reached", "u8", (64,)),  # scratch: the cells that the sliding sphere can reach so far
        ("open", "u8", (64,)),  # scratch: the cells that a flood fill may enter
        ("room", "u8", (64,)),  # scratch: the cells that a flood fill has reached
    ]
)


def _cells_of_valence(v):
    """Yields the cells of one valence, clockwise from straight up."""
    quarter = [(i, v - i) for i in range(v)]
    for _ in range(4):
        yield from ((y + MIDDLE) * 64 + x + MIDDLE for x, y in quarter)
        quarter = [(y, -x) for x, y in quarter]


# All cells by valence, then by angle; those of valence v begin at index 2 * v * (v - 1) + 1.
ORDER = np.array(
    [ANCHOR, *(cell for v in range(1, MAX_VALENCE + 1) for cell in _cells_of_valence(v))], np.int16
)

STEPS = np.array([64, 1, -64, -1])


def _neighbour_order():
    """Returns for every cell its four directions, sorted by where the neighbours are in ORDER.

    A direction is an index in STEPS and takes two bits; the first one is in the lowest two.
    """
    rank = {int(cell): i for i, cell in enumerate(ORDER)}
    packed = np.zeros(64 * 64, np.uint8)
    for cell in rank:
        directions = sorted(range(4), key=lambda d: rank.get(cell + int(STEPS[d]), len(rank)))
        packed[cell] = sum(d << 2 * i for i, d in enumerate(directions))
    return packed


NEIGHBOUR_ORDER = _neighbour_order()

# ROW_SPAN[w]: the cells of a row with |x| <= w. PLAYABLE[row]: the cells up to MAX_VALENCE.
ROW_SPAN = np.array([((1 << 2 * w + 1) - 1) << MIDDLE - w for w in range(MIDDLE)], np.uint64)
PLAYABLE = np.array(
    [
        ROW_SPAN[MAX_VALENCE - abs(row - MIDDLE)] if abs(row - MIDDLE) <= MAX_VALENCE else 0
        for row in range(64)
    ],
    np.uint64,
)


@jit
def start(s, options, seed):
    """Writes the first position; the options are players, order and limit."""
    init_header(s, seed)
    s.players = options[0]
    s.turn = 0 if options[1] == ORDER_TURNS else ANYONE
    s.limit = options[2]
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
    s.ring[:] = 0
    s.count[:] = 0
    s.taken[:] = np.uint64(0)
    s.waiting[:] = np.uint64(0)
    s.taken[MIDDLE] = ANCHOR_BIT
    for i in range(1, len(ORDER)):
        sphere = np.int64(s.sphere[ORDER[i]])
        if sphere:
            _place_sphere(s, np.int64(ORDER[i]), sphere)
            s.count[(sphere & 7) - 1] += 1
    _recompute_attached(s)
    s.suspect = 1
    s.rebalanced = 0
    _update_over(s)


@jit
def _update_over(s):
    """Sets `over`: whether the highest valence or the number of placements ends the game."""
    s.over = s.highest > VALENCE_LIMIT or (s.limit > 0 and s.ply >= s.limit)


@jit
def _valence(cell):
    return abs((cell >> 6) - MIDDLE) + abs((cell & 63) - MIDDLE)


@jit
def _bit(cell):
    """Returns the bit of a cell in its row."""
    return np.uint64(1) << np.uint64(cell & 63)


@jit
def _cells_within(row, valence):
    """Returns the cells of a row whose valence is at most the given one."""
    w = valence - abs(row - MIDDLE)
    return ROW_SPAN[w] if w >= 0 else np.uint64(0)


@jit
def _dilated_row(cells, row):
    """Returns the cells of a row that are in the set or touch a cell of it."""
    here = cells[row]
    return here | here << np.uint64(1) | here >> np.uint64(1) | cells[row - 1] | cells[row + 1]


@jit
def _place_sphere(s, cell, sphere):
    """Places a sphere on an empty cell."""
    v = _valence(cell)
    s.sphere[cell] = sphere
    s.taken[cell >> 6] |= _bit(cell)
    s.ring[v] += 1
    s.total += v
    if v > s.highest:
        s.highest = v


@jit
def _remove_sphere(s, cell):
    """Removes the sphere from a cell and returns it."""
    v = _valence(cell)
    sphere = np.int64(s.sphere[cell])
    s.sphere[cell] = 0
    s.taken[cell >> 6] &= ~_bit(cell)
    s.ring[v] -= 1
    s.total -= v
    while s.highest > 0 and s.ring[s.highest] == 0:
        s.highest -= 1
    return sphere


@jit
def _flood_fill(cells, open_, margin):
    """Adds to a set all open cells connected to it, within `margin` rows of the anchor."""
    rows = 2 * margin + 1
    grew = True
    while grew:
        grew = False
        for i in range(2 * rows):  # sweep up, then down
            row = MIDDLE - margin + (i if i < rows else 2 * rows - 1 - i)
            here = cells[row]
            more = here | (_dilated_row(cells, row) & open_[row])
            while more != here:
                grew = True
                here = more
                more |= (here << np.uint64(1) | here >> np.uint64(1)) & open_[row]
            cells[row] = here


@jit
def _recompute_attached(s):
    """Recomputes the sets `attached` and `liberty`."""
    for row in range(64):
        s.open[row] = s.taken[row] & ~s.waiting[row]
    s.attached[:] = np.uint64(0)
    s.attached[MIDDLE] = ANCHOR_BIT
    _flood_fill(s.attached, s.open, s.highest)
    s.liberty[:] = np.uint64(0)
    for row in range(MIDDLE - s.highest - 1, MIDDLE + s.highest + 2):
        s.liberty[row] = _dilated_row(s.attached, row) & ~s.taken[row] & PLAYABLE[row]


@jit
def _attach(s, cell):
    """Adds the sphere on a cell that touches the attached spheres to them; updates the liberties.

    Floating spheres that it touches become attached with it.
    """
    row = cell >> 6
    bit = _bit(cell)
    s.attached[row] |= bit
    s.liberty[row] &= ~bit
    floating = np.uint64(0)
    for i in range(-1, 2):
        near = bit << np.uint64(1) | bit >> np.uint64(1) if i == 0 else bit
        s.liberty[row + i] |= near & ~s.taken[row + i] & PLAYABLE[row + i]
        floating |= near & s.taken[row + i] & ~s.attached[row + i] & ~s.waiting[row + i]
    if floating:
        _recompute_attached(s)


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
        loose |= here & ~two_neighbours & _cells_within(row, h - 4)
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
            neighbour = cell + STEPS[(NEIGHBOUR_ORDER[cell] >> 2 * k) & 3]
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
def _is_further_clockwise(origin, a, b):
    """Returns True if a is further clockwise from origin than b.

    Of two cells at the same angle, the one of lower valence counts as further.
    """
    x, y = (origin & 63) - MIDDLE, (origin >> 6) - MIDDLE
    ax, ay = (a & 63) - MIDDLE, (a >> 6) - MIDDLE
    bx, by = (b & 63) - MIDDLE, (b >> 6) - MIDDLE
    # The sector of a clockwise angle from the origin in degrees: 0 for -180 to 0, both exclusive,
    # 1 for 0, 2 for 0 to 180, both exclusive, 3 for 180.
    cross_a = y * ax - x * ay
    cross_b = y * bx - x * by
    sector_a = 2 if cross_a > 0 else 0 if cross_a < 0 else 1 if x * ax + y * ay > 0 else 3
    sector_b = 2 if cross_b > 0 else 0 if cross_b < 0 else 1 if x * bx + y * by > 0 else 3
    if sector_a != sector_b:
        return sector_a > sector_b
    cross = by * ax - bx * ay
    return cross > 0 or (cross == 0 and abs(ax) + abs(ay) < abs(bx) + abs(by))


@jit
def _no_liberty_reachable(s, origin, valence):
    """Returns True if a sphere cannot slide to any liberty of at most the given valence."""
    margin = s.highest + 1
    for row in range(MIDDLE - margin, MIDDLE + margin + 1):
        s.open[row] = ~s.taken[row] & ROW_SPAN[margin]
    s.room[:] = np.uint64(0)
    s.room[origin >> 6] = _bit(origin)
    _flood_fill(s.room, s.open, margin)
    for row in range(MIDDLE - margin, MIDDLE + margin + 1):
        if s.room[row] & s.liberty[row] & _cells_within(row, valence):
            return False
    return True


@jit
def _nearest_liberty(s, origin, valence):
    """Returns the liberty of at most the given valence that a sphere slides to, or NO_CELL."""
    # No shortest path goes further out than one row or column beyond all spheres.
    margin = s.highest + 1
    reached = s.reached
    best = np.int64(NO_CELL)
    bottom = top = origin >> 6
    reached[bottom] = _bit(origin)
    steps = 0
    grew = True
    while grew and best == NO_CELL:
        grew = False
        steps += 1
        if steps == REACHABILITY_CHECK_STEPS and _no_liberty_reachable(s, origin, valence):
            return best
        # One step of breadth-first search: one more row up and down, and every row dilated.
        if bottom > MIDDLE - margin:
            bottom -= 1
            reached[bottom] = np.uint64(0)
        if top < MIDDLE + margin:
            top += 1
            reached[top] = np.uint64(0)
        below = np.uint64(0)
        for row in range(bottom, top + 1):
            here = reached[row]
            above = reached[row + 1] if row < top else np.uint64(0)
            new = (here << np.uint64(1) | here >> np.uint64(1) | below | above) & ~here
            new &= ~s.taken[row] & ROW_SPAN[margin]
            below = here
            if new:
                grew = True
                reached[row] = here | new
                new &= s.liberty[row] & _cells_within(row, valence)
                while new:
                    cell = row * 64 + lowest_bit(new)
                    if best == NO_CELL or _is_further_clockwise(origin, cell, best):
                        best = cell
                    new &= new - np.uint64(1)
    return best


@jit
def _slide_next_waiting(s):
    """Slides the next waiting sphere that can; returns False when none is left to try.

    They try in the sequence of ORDER. A sphere that can neither slide nor stay tries once more
    after all others, then without the limit on valence if need be.
    """
    while s.unasked or s.deferred:
        if s.unasked == 0:
            s.second = 1
            s.cursor = 0
            s.unasked = s.deferred
            s.deferred = 0
        cell = np.int64(ORDER[s.cursor])
        s.cursor += 1
        row = cell >> 6
        bit = _bit(cell)
        if not s.waiting[row] & bit:
            continue
        s.unasked -= 1
        valence = _valence(cell) if s.stage == SLIDING else np.int64(MAX_VALENCE)
        target = _nearest_liberty(s, cell, valence)
        touching = _dilated_row(s.attached, row) & bit
        if target == NO_CELL and not touching:
            if not s.second:
                s.deferred += 1
                continue
            target = _nearest_liberty(s, cell, np.int64(MAX_VALENCE))
        s.waiting[row] &= ~bit
        if target != NO_CELL:
            sphere = _remove_sphere(s, cell)
            if touching:
                s.liberty[row] |= bit
            _place_sphere(s, target, sphere)
            _attach(s, target)
            s.origin = cell
            s.target = target
            return True
        if touching:
            _attach(s, cell)
    return False


@jit
def _set_waiting(s, inner):
    """Makes all spheres of a valence above `inner` wait, or all floating ones if it is -1."""
    waiting = s.waiting
    s.second = s.deferred = s.unasked = 0
    s.cursor = 2 * inner * (inner + 1) + 1 if inner >= 0 else 1
    for row in range(MIDDLE - s.highest, MIDDLE + s.highest + 1):
        staying = _cells_within(row, inner) if inner >= 0 else s.attached[row]
        waiting[row] = s.taken[row] & ~staying
        s.unasked += popcount(waiting[row])


@jit
def _rotate_inner_board(s):
    """Rotates the inner board by 180 degrees and makes all other spheres wait."""
    inner = s.highest - 2
    for v in range(1, inner + 1):
        for i in range(2 * v * (v - 1) + 1, 2 * v * v + 1):  # each pair of opposite cells once
            cell = np.int64(ORDER[i])
            opposite = 2 * ANCHOR - cell
            a, b = s.sphere[cell], s.sphere[opposite]
            s.sphere[cell], s.sphere[opposite] = b, a
            if (a == 0) != (b == 0):
                s.taken[cell >> 6] ^= _bit(cell)
                s.taken[opposite >> 6] ^= _bit(opposite)
    _set_waiting(s, inner)
    _recompute_attached(s)


@jit
def _remove_chain(s):
    """Removes the chain and makes the spheres that are now cut off from the anchor wait."""
    for i in range(CHAIN_LENGTH):
        s.count[(_remove_sphere(s, np.int64(s.chain[i])) & 7) - 1] -= 1
    _recompute_attached(s)
    _set_waiting(s, np.int64(-1))


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
def begin(s, seat, action):
    """Starts a move by placing the sphere; returns the event."""
    cell = (
        (action // ACTION_GRID_SIDE - MAX_PLACEMENT_VALENCE + MIDDLE) * 64
        + action % ACTION_GRID_SIDE
        - MAX_PLACEMENT_VALENCE
        + MIDDLE
    )
    _place_sphere(s, cell, s.made % SPHERE_IDS * 8 + seat + 1)
    _attach(s, cell)
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
            _rotate_inner_board(s)
            s.stage = SLIDING
            return ROTATED
        elif _slide_next_waiting(s):
            return SLID if s.stage == SLIDING else SETTLED
        elif is_balanced(s) or (s.stage == SLIDING and s.total >= s.before):
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
def apply(s, seat, action):
    """Plays a legal action."""
    begin(s, seat, action)
    while advance(s):
        pass


@jit
def scores(s, out):
    """Writes the number of spheres of each seat."""
    for seat in range(s.players):
        out[seat] = s.count[seat]


@jit
def hide(s, seat, seed):
    """Replaces the random generator; Sphero has no hidden information."""
    reseed(s, seed)


@jit
def _count_crowded(s):
    """Returns the numbers of spheres that touch at least two of their colour, ten bits per seat.

    Rotations are likely to turn such groups into chains.
    """
    crowded = np.int64(0)
    for row in range(MIDDLE - s.highest, MIDDLE + s.highest + 1):
        cells = s.taken[row]
        while cells:
            cell = row * 64 + lowest_bit(cells)
            cells &= cells - np.uint64(1)
            colour = np.int64(s.sphere[cell]) & 7
            if colour:
                touching = 0
                for step in STEPS:
                    touching += (np.int64(s.sphere[cell + step]) & 7) == colour
                if touching > 1:
                    crowded += np.int64(1) << 10 * (colour - 1)
    return crowded


@jit
def _expected_count(s, seat, crowded):
    """Returns the number of spheres of a seat; before the end, an estimate for the near future."""
    if s.over:
        return np.float64(s.count[seat])
    due = 1.0 if s.turn != ANYONE and seat >= s.turn else 0.0  # it still places in this round
    return s.count[seat] + due - CROWDING_PENALTY * np.float64(crowded >> 10 * seat & 1023)


@jit
def evaluate(s, seat):
    """Returns the static evaluation for the seat, -1 to 1: its lead over the best opponent."""
    crowded = _count_crowded(s)
    own = _expected_count(s, seat, crowded)
    best = -1000.0
    sharing = 1
    for other in range(s.players):
        if other != seat:
            expected = _expected_count(s, other, crowded)
            best = max(best, expected)
            sharing += expected == own
    lead = own - best
    if s.over:
        return -1.0 if lead < 0 else 2.0 / sharing - 1.0
    return lead / (10.0 + abs(lead))


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
