"""Sphero's rules, compiled.

The board is a grid of 64 x 64 cells with the anchor in its middle, large enough for all that
settling can push outward. Cell `x,y` has the number (y + 32) * 64 + x + 32:

    2143 2144 2145        y =  1        a set of cells is 64 words, one for each row from the
    2079    A 2081        y =  0        bottom; bit x + 32 of word y + 32 is the cell x,y
    2015 2016 2017        y = -1

An action is the liberty that a sphere is placed on, numbered within the 43 x 43 cells that a
placement can reach, as (y + 21) * 43 + x + 21.
"""

import numpy as np

from quincunx.jit import jit, lowest_bit, popcount
from quincunx.position import ANYONE, HEADER, init_header, mix, reseed

SEATS = 6
REACH = 21  # the highest valence of a placement: the game is over beyond 20
WIDTH = 2 * REACH + 1
ACTIONS = WIDTH * WIDTH
MAX_LEGAL = 2 * REACH * (REACH + 1)
PLANES = (SEATS + 2, WIDTH, WIDTH)
LAST_VALENCE = 20
CHAIN = 5

MIDDLE = 32
ANCHOR = MIDDLE * 64 + MIDDLE
ANCHOR_BIT = np.uint64(1 << MIDDLE)
EDGE = 29  # no sphere gets a higher valence; two rings around are always empty
NOWHERE = -1
PATIENCE = 8  # steps after which a slide asks whether it leads anywhere: most are shorter
TURNS = 1
NUMBERS = 8192  # so many spheres are told apart
CROWDING = 0.7  # spheres: about what a group of three loses within 15 plies, one of four twice

# What happens in a play, and what it does next.
DONE, PLACED, CHAINED, SETTLED, ROTATED, SLID = range(6)
EVENTS = ("", "place", "chain", "settle", "rotate", "slide")
LOOKING, SETTLING, ROTATING, SLIDING = range(1, 5)

STATE = np.dtype(
    [
        *HEADER,
        ("players", "u1"),
        ("limit", "i4"),
        # The play that unfolds.
        ("suspect", "u1"),  # there may be a chain
        ("rebalanced", "u1"),  # without a chain since: the play ends if none is found now
        ("second", "u1"),  # the waiting spheres try for the second time
        ("cursor", "i2"),  # how far in the order the waiting spheres have been asked
        ("unasked", "i2"),
        ("deferred", "i2"),
        ("before", "i4"),  # the sum of valences before the rebalancing pass
        ("chain", "i2", (CHAIN,)),  # the five in the order found
        ("origin", "i2"),
        ("target", "i2"),
        # Sums over the board.
        ("highest", "i2"),
        ("total", "i4"),  # of all valences
        ("ring", "i2", (EDGE + 1,)),  # how many spheres have this valence
        ("count", "i2", (SEATS,)),
        ("made", "i4"),
        # The board. A sphere is 8 * its number + seat + 1; by the numbers those who watch
        # can tell which sphere went where.
        ("sphere", "u2", (64 * 64,)),
        ("taken", "u8", (64,)),  # cells of spheres and of the anchor
        ("attached", "u8", (64,)),
        ("liberty", "u8", (64,)),
        ("waiting", "u8", (64,)),
        ("reached", "u8", (64,)),  # where the sliding sphere can be by now
        ("open", "u8", (64,)),
        ("room", "u8", (64,)),
    ]
)


def _ring(v):
    """The cells of one valence, clockwise from straight up."""
    quarter = [(i, v - i) for i in range(v)]
    for _ in range(4):
        yield from ((y + MIDDLE) * 64 + x + MIDDLE for x, y in quarter)
        quarter = [(y, -x) for x, y in quarter]


# The cells in the order; those of valence v begin at 2 * v * (v - 1) + 1.
ORDER = np.array([ANCHOR, *(cell for v in range(1, EDGE + 1) for cell in _ring(v))], np.int16)

STEPS = np.array([64, 1, -64, -1])


def _near():
    """For every cell its four directions, as bit pairs, with the neighbours in the order."""
    rank = {int(cell): i for i, cell in enumerate(ORDER)}
    near = np.zeros(64 * 64, np.uint8)
    for cell in rank:
        directions = sorted(range(4), key=lambda d: rank.get(cell + int(STEPS[d]), len(rank)))
        near[cell] = sum(d << 2 * i for i, d in enumerate(directions))
    return near


NEAR = _near()

# SPAN[w]: the cells of a row with |x| <= w; and the row's cells that spheres can be on.
SPAN = np.array([((1 << 2 * w + 1) - 1) << MIDDLE - w for w in range(MIDDLE)], np.uint64)
FIELD = np.array(
    [SPAN[EDGE - abs(row - MIDDLE)] if abs(row - MIDDLE) <= EDGE else 0 for row in range(64)],
    np.uint64,
)


@jit
def start(s, options, seed):
    """Writes the first position; options: players, order, limit."""
    init_header(s, seed)
    s.players = options[0]
    s.turn = 0 if options[1] == TURNS else ANYONE
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
    """Makes a position whose `sphere` and `turn` were just written whole, in between plays."""
    s.highest = s.total = 0
    s.ring[:] = 0
    s.count[:] = 0
    s.taken[:] = np.uint64(0)
    s.waiting[:] = np.uint64(0)
    s.taken[MIDDLE] = ANCHOR_BIT
    for i in range(1, len(ORDER)):
        sphere = np.int64(s.sphere[ORDER[i]])
        if sphere:
            _put(s, np.int64(ORDER[i]), sphere)
            s.count[(sphere & 7) - 1] += 1
    _attach_all(s)
    s.suspect = 1
    s.rebalanced = 0
    _judge(s)


@jit
def _judge(s):
    """Ends the game when a sphere is too far out or all placements are made."""
    s.over = s.highest > LAST_VALENCE or (s.limit > 0 and s.ply >= s.limit)


@jit
def _valence(cell):
    return abs((cell >> 6) - MIDDLE) + abs((cell & 63) - MIDDLE)


@jit
def _bit(cell):
    return np.uint64(1) << np.uint64(cell & 63)


@jit
def _within(row, valence):
    """The cells of a row up to a valence."""
    w = valence - abs(row - MIDDLE)
    return SPAN[w] if w >= 0 else np.uint64(0)


@jit
def _beside(cells, row):
    """The cells of a row that touch a cell of the set, or belong to it."""
    here = cells[row]
    return here | here << np.uint64(1) | here >> np.uint64(1) | cells[row - 1] | cells[row + 1]


@jit
def _put(s, cell, sphere):
    """Puts a sphere on an empty cell."""
    v = _valence(cell)
    s.sphere[cell] = sphere
    s.taken[cell >> 6] |= _bit(cell)
    s.ring[v] += 1
    s.total += v
    if v > s.highest:
        s.highest = v


@jit
def _lift(s, cell):
    """Takes a sphere off its cell and returns it."""
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
def _flood(cells, open_, margin):
    """Adds to a set all that is connected to it through open cells, in the rows up to a margin."""
    rows = 2 * margin + 1
    grew = True
    while grew:
        grew = False
        for i in range(2 * rows):  # up and down again
            row = MIDDLE - margin + (i if i < rows else 2 * rows - 1 - i)
            here = cells[row]
            more = here | (_beside(cells, row) & open_[row])
            while more != here:
                grew = True
                here = more
                more |= (here << np.uint64(1) | here >> np.uint64(1)) & open_[row]
            cells[row] = here


@jit
def _attach_all(s):
    """Finds anew what is attached to the anchor, nothing of what waits, and the liberties."""
    for row in range(64):
        s.open[row] = s.taken[row] & ~s.waiting[row]
    s.attached[:] = np.uint64(0)
    s.attached[MIDDLE] = ANCHOR_BIT
    _flood(s.attached, s.open, s.highest)
    s.liberty[:] = np.uint64(0)
    for row in range(MIDDLE - s.highest - 1, MIDDLE + s.highest + 2):
        s.liberty[row] = _beside(s.attached, row) & ~s.taken[row] & FIELD[row]


@jit
def _attach(s, cell):
    """Makes the sphere on a liberty part of the attached board."""
    row = cell >> 6
    bit = _bit(cell)
    s.attached[row] |= bit
    s.liberty[row] &= ~bit
    floating = np.uint64(0)
    for i in range(-1, 2):
        near = bit << np.uint64(1) | bit >> np.uint64(1) if i == 0 else bit
        s.liberty[row + i] |= near & ~s.taken[row + i] & FIELD[row + i]
        floating |= near & s.taken[row + i] & ~s.attached[row + i] & ~s.waiting[row + i]
    if floating:
        _attach_all(s)


@jit
def balanced(s):
    """True when the board is balanced."""
    h = s.highest
    if h <= 3 or s.ring[1] < 4:
        return h <= 3
    # Are there loose spheres, without two neighbours, so far in? The anchor counts for none.
    loose = np.uint64(0)
    s.taken[MIDDLE] ^= ANCHOR_BIT
    for row in range(MIDDLE - (h - 4), MIDDLE + (h - 4) + 1):
        here, above, below = s.taken[row], s.taken[row + 1], s.taken[row - 1]
        left, right = here >> np.uint64(1), here << np.uint64(1)
        two = (above & below) | (left & right) | ((above | below) & (left | right))
        loose |= here & ~two & _within(row, h - 4)
    s.taken[MIDDLE] ^= ANCHOR_BIT
    return loose == np.uint64(0)


@jit
def _group(s, first):
    """Writes a sphere's group into chain, breadth first in the order, five at most; how many."""
    chain = s.chain
    colour = s.sphere[first] & 7
    chain[0] = first
    n = 1
    i = 0
    while i < n:
        cell = np.int64(chain[i])
        i += 1
        for k in range(4):
            near = cell + STEPS[(NEAR[cell] >> 2 * k) & 3]
            if s.sphere[near] & 7 == colour:
                known = False
                for j in range(n):
                    known |= chain[j] == near
                if not known:
                    chain[n] = near
                    n += 1
                    if n == CHAIN:
                        return n
    return n


@jit
def _find_chain(s):
    """Writes the chain that goes, if there is one, into chain; True when there is."""
    for i in range(1, 2 * s.highest * (s.highest + 1) + 1):
        cell = np.int64(ORDER[i])
        if s.sphere[cell] and _group(s, cell) == CHAIN:
            return True
    return False


@jit
def _clockwise(origin, a, b):
    """True when a is further clockwise from origin than b, or as far but of lower valence."""
    x, y = (origin & 63) - MIDDLE, (origin >> 6) - MIDDLE
    ax, ay = (a & 63) - MIDDLE, (a >> 6) - MIDDLE
    bx, by = (b & 63) - MIDDLE, (b >> 6) - MIDDLE
    # Where the turns from the origin lie: -180..0 is 0, 0 is 1, 0..180 is 2, 180 is 3.
    turn_a = y * ax - x * ay
    turn_b = y * bx - x * by
    part_a = 2 if turn_a > 0 else 0 if turn_a < 0 else 1 if x * ax + y * ay > 0 else 3
    part_b = 2 if turn_b > 0 else 0 if turn_b < 0 else 1 if x * bx + y * by > 0 else 3
    if part_a != part_b:
        return part_a > part_b
    turn = by * ax - bx * ay
    return turn > 0 or (turn == 0 and abs(ax) + abs(ay) < abs(bx) + abs(by))


@jit
def _in_vain(s, origin, valence):
    """True when a sphere can reach no liberty up to a valence, however far it slides."""
    margin = s.highest + 1
    for row in range(MIDDLE - margin, MIDDLE + margin + 1):
        s.open[row] = ~s.taken[row] & SPAN[margin]
    s.room[:] = np.uint64(0)
    s.room[origin >> 6] = _bit(origin)
    _flood(s.room, s.open, margin)
    for row in range(MIDDLE - margin, MIDDLE + margin + 1):
        if s.room[row] & s.liberty[row] & _within(row, valence):
            return False
    return True


@jit
def _nearest(s, origin, valence):
    """The liberty up to a valence that a sphere slides to, or NOWHERE."""
    # Around all spheres there is one ring of empty cells, as good as the whole plane.
    margin = s.highest + 1
    reached = s.reached
    best = np.int64(NOWHERE)
    first = last = origin >> 6
    reached[first] = _bit(origin)
    steps = 0
    grew = True
    while grew and best == NOWHERE:
        grew = False
        steps += 1
        if steps == PATIENCE and _in_vain(s, origin, valence):
            return best
        # One step further: a row up and down, and every row grown by its neighbours.
        if first > MIDDLE - margin:
            first -= 1
            reached[first] = np.uint64(0)
        if last < MIDDLE + margin:
            last += 1
            reached[last] = np.uint64(0)
        below = np.uint64(0)
        for row in range(first, last + 1):
            here = reached[row]
            above = reached[row + 1] if row < last else np.uint64(0)
            new = (here << np.uint64(1) | here >> np.uint64(1) | below | above) & ~here
            new &= ~s.taken[row] & SPAN[margin]
            below = here
            if new:
                grew = True
                reached[row] = here | new
                new &= s.liberty[row] & _within(row, valence)
                while new:
                    cell = row * 64 + lowest_bit(new)
                    if best == NOWHERE or _clockwise(origin, cell, best):
                        best = cell
                    new &= new - np.uint64(1)
    return best


@jit
def _ask(s):
    """Asks the waiting spheres in their order until one moves; False when none waits any more."""
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
        valence = _valence(cell) if s.stage == SLIDING else np.int64(EDGE)
        target = _nearest(s, cell, valence)
        touching = _beside(s.attached, row) & bit
        if target == NOWHERE and not touching:
            if not s.second:
                s.deferred += 1
                continue
            target = _nearest(s, cell, np.int64(EDGE))
        s.waiting[row] &= ~bit
        if target != NOWHERE:
            sphere = _lift(s, cell)
            if touching:
                s.liberty[row] |= bit
            _put(s, target, sphere)
            _attach(s, target)
            s.origin = cell
            s.target = target
            return True
        if touching:
            _attach(s, cell)
    return False


@jit
def _let_wait(s, inner):
    """Makes all spheres above a valence wait; all that float if it is negative."""
    waiting = s.waiting
    s.second = s.deferred = s.unasked = 0
    s.cursor = 2 * inner * (inner + 1) + 1 if inner >= 0 else 1
    for row in range(MIDDLE - s.highest, MIDDLE + s.highest + 1):
        staying = _within(row, inner) if inner >= 0 else s.attached[row]
        waiting[row] = s.taken[row] & ~staying
        s.unasked += popcount(waiting[row])


@jit
def _rotate(s):
    """Turns the inner board and makes all other spheres wait."""
    inner = s.highest - 2
    for v in range(1, inner + 1):
        for i in range(2 * v * (v - 1) + 1, 2 * v * v + 1):  # half of a ring
            cell = np.int64(ORDER[i])
            opposite = 2 * ANCHOR - cell
            one, other = s.sphere[cell], s.sphere[opposite]
            s.sphere[cell], s.sphere[opposite] = other, one
            if (one == 0) != (other == 0):
                s.taken[cell >> 6] ^= _bit(cell)
                s.taken[opposite >> 6] ^= _bit(opposite)
    _let_wait(s, inner)
    _attach_all(s)


@jit
def _remove_chain(s):
    """Takes the chain off the board and makes the spheres that float wait."""
    for i in range(CHAIN):
        s.count[(_lift(s, np.int64(s.chain[i])) & 7) - 1] -= 1
    _attach_all(s)
    _let_wait(s, np.int64(-1))


@jit
def legal(s, seat, out):
    """Writes the legal actions, ascending, into out and returns how many."""
    if s.over or s.stage or (s.turn != ANYONE and seat != s.turn):
        return 0
    n = 0
    for row in range(MIDDLE - s.highest - 1, MIDDLE + s.highest + 2):
        cells = s.liberty[row]
        base = (row - MIDDLE + REACH) * WIDTH - MIDDLE + REACH
        while cells:
            out[n] = base + lowest_bit(cells)
            n += 1
            cells &= cells - np.uint64(1)
    return n


@jit
def begin(s, seat, action):
    """Starts a play: the sphere is placed. Returns the event."""
    cell = (action // WIDTH - REACH + MIDDLE) * 64 + action % WIDTH - REACH + MIDDLE
    _put(s, cell, s.made % NUMBERS * 8 + seat + 1)
    _attach(s, cell)
    s.made += 1
    s.count[seat] += 1
    s.suspect |= _group(s, cell) == CHAIN
    s.stage = LOOKING
    return PLACED


@jit
def advance(s):
    """Lets the play that has begun go on until something happens; returns the event, or DONE."""
    while s.stage != DONE:
        if s.stage == LOOKING:
            if s.suspect and _find_chain(s):
                s.rebalanced = 0
                _remove_chain(s)
                s.stage = SETTLING
                return CHAINED
            if s.rebalanced or balanced(s):
                _finish(s)
            else:
                s.rebalanced = 1
                s.stage = ROTATING
        elif s.stage == ROTATING:
            s.suspect = 1
            s.before = s.total
            _rotate(s)
            s.stage = SLIDING
            return ROTATED
        elif _ask(s):
            return SLID if s.stage == SLIDING else SETTLED
        elif balanced(s) or (s.stage == SLIDING and s.total >= s.before):
            s.stage = LOOKING
        else:
            s.stage = ROTATING
    return DONE


@jit
def _finish(s):
    """Ends the play."""
    s.stage = DONE
    s.suspect = s.rebalanced = 0
    s.ply += 1
    if s.turn != ANYONE:
        s.turn = (s.turn + 1) % s.players
    _judge(s)


@jit
def apply(s, seat, action):
    """Plays a legal action."""
    begin(s, seat, action)
    while advance(s):
        pass


@jit
def scores(s, out):
    """Writes how many spheres of its colour each seat has."""
    for seat in range(s.players):
        out[seat] = s.count[seat]


@jit
def hide(s, seat, seed):
    """Sphero hides nothing; only the generator is replaced."""
    reseed(s, seed)


@jit
def _crowded(s):
    """How many spheres touch two or more of their colour, ten bits for each seat.

    These are the groups that a rotation is likely to make a chain.
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
def _outlook(s, seat, crowded):
    """The spheres of a seat, and before the end what is likely to become of them."""
    if s.over:
        return np.float64(s.count[seat])
    due = 1.0 if s.turn != ANYONE and seat >= s.turn else 0.0  # to be placed in this round
    return s.count[seat] + due - CROWDING * np.float64(crowded >> 10 * seat & 1023)


@jit
def evaluate(s, seat):
    """How good it is for the seat, from -1 to 1: its outlook against the best other's."""
    crowded = _crowded(s)
    own = _outlook(s, seat, crowded)
    best = -1000.0
    sharing = 1
    for other in range(s.players):
        if other != seat:
            count = _outlook(s, other, crowded)
            best = max(best, count)
            sharing += count == own
    ahead = own - best
    if s.over:
        return -1.0 if ahead < 0 else 2.0 / sharing - 1.0
    return ahead / (10.0 + abs(ahead))


@jit
def key(s):
    """A hash of the spheres and of who is to move."""
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
    """Writes the spheres of every seat from this one on, the liberties, and whether it may move."""
    players = np.int64(s.players)
    may_move = 1.0 if s.turn == ANYONE or s.turn == seat else 0.0
    planes[: players + 1] = 0.0
    planes[players + 1] = may_move
    for row in range(MIDDLE - REACH, MIDDLE + REACH + 1):
        y = row - MIDDLE + REACH
        for x in range(WIDTH):
            column = x - REACH + MIDDLE
            colour = np.int64(s.sphere[row * 64 + column]) & 7
            if colour:
                planes[(colour - 1 - seat + players) % players, y, x] = 1.0
            elif s.liberty[row] >> np.uint64(column) & np.uint64(1):
                planes[players, y, x] = 1.0
