"""Onoro's rules, compiled.

The plane is infinite, but a legal group of 16 pawns is at most 14 cells wide and high (two
triangles joined by a straight path of ten). So the pawns are stored in a window of 16 x 16
cells that follows them: the group starts at column 1 and row 1 of the window, and all cells
that touch a pawn are inside the window too. `origin` is the position of cell 0 on the plane.

Each row is shifted right by half a cell against the row above it. The cell numbers of the
window, and the neighbours of a cell c:

     0  1  2  3  ..  15                   c-16   c-15
      16 17 18 19  ..  31             c-1      c      c+1
        32 33 34 35  ..  47               c+15   c+16

A set of cells is four 64-bit words with four rows each. Pawns are never in column 0 or 15, so
a step from a pawn never wraps around the end of a row.

An action is the cell of a new pawn, or 256 + 256 * from + to when a pawn moves.
"""

import numpy as np

from quincunx.jit import jit, lowest_bit, popcount
from quincunx.position import (
    HEADER,
    NOBODY,
    REPETITION_WINDOW,
    init_header,
    mix,
    record_repetition,
    reseed,
    two_player_scores,
    two_player_value,
)

SEATS = 2
BLACK, WHITE = 0, 1
WINDOW_WIDTH = 16
WINDOW_CELLS = WINDOW_WIDTH * WINDOW_WIDTH
ACTIONS = WINDOW_CELLS + WINDOW_CELLS * WINDOW_CELLS
# Each pawn touches at least two others, so at most four empty cells. At most 16 * 4 / 2 empty
# cells can therefore touch two of the 16 pawns. Each of 8 pawns may land on each of them.
MAX_LEGAL = 8 * 32
PLANES = (5, WINDOW_WIDTH, WINDOW_WIDTH)

STATE = np.dtype(
    [
        *HEADER,
        ("winner", "i1"),
        ("repetition", "u1"),
        ("each", "u1"),  # pawns per side when all are placed
        ("placed", "u1"),  # pawns of both sides on the board
        ("landing", "u1"),  # the target cell of the lifted pawn
        ("origin", "i8", (2,)),  # q and r of the window's cell 0
        ("pawns", "u8", (2, 4)),
        ("two", "u8", (4,)),  # the cells, occupied or not, that touch at least two pawns
        ("three", "u8", (4,)),  # the cells, occupied or not, that touch at least three pawns
        ("seen", "u8", (REPETITION_WINDOW,)),  # the keys of the last plies
    ]
)

# The events of a play, also the values of `stage`: the last event.
DONE, PLACED, LIFTED, LANDED = range(4)
EVENTS = ("", "place", "lift", "land")

# The steps along the three directions of lines, from lower to higher cells.
RIGHT, DOWN_LEFT, DOWN_RIGHT = np.uint64(1), np.uint64(15), np.uint64(16)
LINE_STEPS = (RIGHT, DOWN_LEFT, DOWN_RIGHT)

FIRST_ROW_MASK = np.uint64(0x000000000000FFFF)
FIRST_COLUMN_MASK = np.uint64(0x0001000100010001)


def _words(cells):
    """Returns a set of cells as a list of four words."""
    bits = sum(1 << c for c in cells)
    return [bits >> 64 * w & 0xFFFFFFFFFFFFFFFF for w in range(4)]


def _neighbours(c):
    q, r = c % WINDOW_WIDTH, c // WINDOW_WIDTH
    neighbours = ((q + 1, r), (q - 1, r), (q, r + 1), (q, r - 1), (q + 1, r - 1), (q - 1, r + 1))
    return [
        y * WINDOW_WIDTH + x
        for x, y in neighbours
        if 0 <= x < WINDOW_WIDTH and 0 <= y < WINDOW_WIDTH
    ]


CELL_MASK = np.array([_words([c]) for c in range(WINDOW_CELLS)], np.uint64)
NEIGHBOUR_MASK = np.array([_words(_neighbours(c)) for c in range(WINDOW_CELLS)], np.uint64)


@jit
def _load(words):
    """Returns a set stored in an array as a tuple of four words."""
    return words[0], words[1], words[2], words[3]


@jit
def _or(a, b):
    return a[0] | b[0], a[1] | b[1], a[2] | b[2], a[3] | b[3]


@jit
def _and(a, b):
    return a[0] & b[0], a[1] & b[1], a[2] & b[2], a[3] & b[3]


@jit
def _and_not(a, b):
    return a[0] & ~b[0], a[1] & ~b[1], a[2] & ~b[2], a[3] & ~b[3]


@jit
def _any(a):
    return (a[0] | a[1] | a[2] | a[3]) != np.uint64(0)


@jit
def _shift_up(a, n):
    """Returns the set with every cell number increased by n, from 1 to 63."""
    carry = np.uint64(64) - n
    return (
        a[0] << n,
        a[1] << n | a[0] >> carry,
        a[2] << n | a[1] >> carry,
        a[3] << n | a[2] >> carry,
    )


@jit
def _shift_down(a, n):
    """Returns the set with every cell number decreased by n, from 1 to 63."""
    carry = np.uint64(64) - n
    return (
        a[0] >> n | a[1] << carry,
        a[1] >> n | a[2] << carry,
        a[2] >> n | a[3] << carry,
        a[3] >> n,
    )


@jit
def _adjacent(a):
    """Returns the cells that touch a cell of the set."""
    right = _shift_up(a, RIGHT)
    pairs = _or(a, right)
    row = _or(right, _shift_down(a, RIGHT))
    return _or(row, _or(_shift_up(pairs, DOWN_LEFT), _shift_down(pairs, DOWN_RIGHT)))


@jit
def _all_pawns(s):
    """Returns the pawns of both sides."""
    return _or(_load(s.pawns[BLACK]), _load(s.pawns[WHITE]))


@jit
def start(s, options, seed):
    """Writes the first position. The options are `pawns` and `repetition`."""
    init_header(s, seed)
    s.each = options[0]
    s.repetition = options[1]
    # White is on 0,0, Black below it on -1,1 and 0,1.
    s.origin[0] = -2
    s.origin[1] = -1
    s.pawns[:] = np.uint64(0)
    s.pawns[WHITE, 0] = np.uint64(1 << 18)
    s.pawns[BLACK, 0] = np.uint64(1 << 33 | 1 << 34)
    s.turn = WHITE
    restore(s)


@jit
def restore(s):
    """Computes the other fields of a position from pawns, origin, turn and options.

    The position counts as its own first occurrence.
    """
    s.placed = 0
    for w in range(4):
        s.placed += popcount(s.pawns[BLACK, w]) + popcount(s.pawns[WHITE, w])
    s.landing = 0
    s.over = 0
    s.winner = NOBODY
    s.seen[:] = np.uint64(0)
    _update_result(s)


@jit
def _update_neighbour_counts(s):
    """Updates `two` and `three`, the cells that touch at least two or three pawns."""
    pawns = _all_pawns(s)
    # one, two and three are the cells that touch at least that many pawns in the directions so far.
    one, touching = _shift_up(pawns, RIGHT), _shift_down(pawns, RIGHT)
    two = _and(one, touching)
    three = _and_not(two, two)  # the empty set
    one = _or(one, touching)
    for step in (DOWN_LEFT, DOWN_RIGHT):
        for touching in (_shift_up(pawns, step), _shift_down(pawns, step)):
            three = _or(three, _and(two, touching))
            two = _or(two, _and(one, touching))
            one = _or(one, touching)
    for w in range(4):
        s.two[w] = two[w]
        s.three[w] = three[w]


# The ring of a cell c: its six neighbours as bits of a word, where bit i is cell c - 16 + i:
#
#       0   1          Adjacent cells of the ring differ by 1 (0 1, 31 32),
#    15   .   17       by 16 (1 17, 15 31) or by 15 (0 15, 17 32).
#      31  32
#
# PAIRS_BY_n has the lower cell of each pair of adjacent cells that differ by n.
RING_MASK = np.uint64(1 << 0 | 1 << 1 | 1 << 15 | 1 << 17 | 1 << 31 | 1 << 32)
PAIRS_BY_1 = np.uint64(1 << 0 | 1 << 31)
PAIRS_BY_16 = np.uint64(1 << 1 | 1 << 15)
PAIRS_BY_15 = np.uint64(1 << 0 | 1 << 17)


@jit
def _ring(a, c):
    """Returns the cells of the set that touch c, as a ring; c must hold a pawn."""
    first = c - 16
    w = first >> 6
    bit = np.uint64(first & 63)
    # Past the last word the clamp repeats it, but only into bits above 32, which are masked out.
    return (a[w] >> bit | a[min(w + 1, 3)] << np.uint64(1) << (np.uint64(63) - bit)) & RING_MASK


@jit
def _count_arcs(ring):
    """Returns the number of separate arcs that the cells of a ring form; 0 for a full ring."""
    return (
        popcount(ring)
        - popcount(ring & ring >> np.uint64(1) & PAIRS_BY_1)
        - popcount(ring & ring >> np.uint64(16) & PAIRS_BY_16)
        - popcount(ring & ring >> np.uint64(15) & PAIRS_BY_15)
    )


@jit
def _lowest_cell(a):
    """Returns the lowest cell of a non-empty set."""
    w = 0
    while not a[w]:
        w += 1
    return 64 * w + lowest_bit(a[w])


@jit
def _connecting_landings(landings, rest, seeds):
    """Returns the landings that touch every connected part of `rest`.

    Every part contains at least one of the seeds.
    """
    while True:
        part = _load(CELL_MASK[_lowest_cell(seeds)])
        while True:
            adjacent = _adjacent(part)
            new = _and_not(_and(adjacent, rest), part)
            if not _any(new):
                break
            part = _or(part, new)
            if not _any(_and_not(seeds, part)):
                part = rest  # all seeds are connected, so there is no other part
        landings = _and(landings, adjacent)
        seeds = _and_not(seeds, part)
        if not _any(seeds):
            return landings
        rest = _and_not(rest, part)


@jit
def _group_sets(s):
    """Returns four sets that the move generator uses.

    They are all pawns, the empty cells that touch at least two pawns, the empty cells that touch
    at least three, and the fragile pawns: those that touch only two others.
    """
    pawns, three = _all_pawns(s), _load(s.three)
    return pawns, _and_not(_load(s.two), pawns), _and_not(three, pawns), _and_not(pawns, three)


@jit
def _landings(sets, c):
    """Returns the cells to which the pawn on cell c can move."""
    pawns, two, three, fragile = sets
    neighbours = _load(NEIGHBOUR_MASK[c])
    # A neighbouring cell loses the moving pawn itself as a neighbour, so it needs three.
    landings = _or(_and_not(two, neighbours), _and(three, neighbours))
    # A fragile pawn that loses this neighbour must touch the pawn again where it lands.
    remaining = _ring(fragile, c)
    while remaining:
        landings = _and(landings, _load(NEIGHBOUR_MASK[c - 16 + lowest_bit(remaining)]))
        remaining &= remaining - np.uint64(1)
    # If the neighbours form a single arc, they stay connected without the pawn.
    if _any(landings) and _count_arcs(_ring(pawns, c)) > 1:
        rest = _and_not(pawns, _load(CELL_MASK[c]))
        landings = _connecting_landings(landings, rest, _and(rest, neighbours))
    return landings


@jit
def _append_actions(a, base, out, n):
    """Writes base + cell for each cell of the set into out from index n; returns the new n."""
    for w in range(4):
        remaining = a[w]
        while remaining:
            out[n] = base + 64 * w + lowest_bit(remaining)
            n += 1
            remaining &= remaining - np.uint64(1)
    return n


@jit
def legal(s, seat, out):
    """Writes the legal actions into out, ascending; returns their number."""
    n = np.int64(0)
    if s.over or s.stage or seat != s.turn:
        return n
    sets = _group_sets(s)
    if s.placed < 2 * s.each:
        return _append_actions(sets[1], n, out, n)
    for w in range(4):
        own = s.pawns[seat, w]
        while own:
            c = 64 * w + lowest_bit(own)
            own &= own - np.uint64(1)
            n = _append_actions(_landings(sets, c), WINDOW_CELLS + WINDOW_CELLS * c, out, n)
    return n


@jit
def _has_no_legal_move(s):
    """Returns True if the side to move has no legal move.

    A new pawn can always be placed: some cell around the group touches two pawns.
    """
    if s.placed < 2 * s.each:
        return False
    sets = _group_sets(s)
    for w in range(4):
        own = s.pawns[s.turn, w]
        while own:
            if _any(_landings(sets, 64 * w + lowest_bit(own))):
                return False
            own &= own - np.uint64(1)
    return True


@jit
def _has_four_in_a_row(a):
    """Returns True if four cells of the set are in a row."""
    found = False
    for step in LINE_STEPS:
        pairs = _and(a, _shift_down(a, step))
        found |= _any(_and(pairs, _shift_down(pairs, step + step)))
    return found


@jit
def _update_result(s):
    """Updates the neighbour counts, and ends the game if it is won, lost or drawn by repetition."""
    _update_neighbour_counts(s)
    times = record_repetition(s.seen, s.ply, key(s))
    mover = 1 - s.turn
    if _has_four_in_a_row(_load(s.pawns[mover])) or _has_no_legal_move(s):
        s.over = 1
        s.winner = mover
    elif s.repetition and times >= s.repetition:
        s.over = 1


@jit
def _put_pawn(s, seat, c):
    """Puts a pawn on a cell, and moves the window so that the group starts at column and row 1.

    A pawn that is alone in its row touches pawns of the next row, so a play moves the group's
    bounding box by at most one row and one column.
    """
    s.pawns[seat, c >> 6] |= np.uint64(1) << np.uint64(c & 63)
    pawns = _all_pawns(s)
    columns = pawns[0] | pawns[1] | pawns[2] | pawns[3]
    right, down = 0, 0
    if columns & FIRST_COLUMN_MASK:
        right = 1
    elif not columns & FIRST_COLUMN_MASK << np.uint64(1):
        right = -1
    if pawns[0] & FIRST_ROW_MASK:
        down = 1
    elif not pawns[0] & FIRST_ROW_MASK << np.uint64(16):
        down = -1
    n = right + WINDOW_WIDTH * down
    if n == 0:
        return
    s.origin[0] -= right
    s.origin[1] -= down
    for side in range(2):
        moved = _load(s.pawns[side])
        moved = _shift_up(moved, np.uint64(n)) if n > 0 else _shift_down(moved, np.uint64(-n))
        for w in range(4):
            s.pawns[side, w] = moved[w]


@jit
def begin(s, seat, action):
    """Starts a play by placing or lifting a pawn; returns the event."""
    if action < WINDOW_CELLS:
        _put_pawn(s, np.int64(seat), np.int64(action))
        s.placed += 1
        s.stage = PLACED
        return PLACED
    c = (action >> 8) - 1
    s.pawns[seat, c >> 6] ^= np.uint64(1) << np.uint64(c & 63)
    s.landing = action & 255
    s.stage = LIFTED
    return LIFTED


@jit
def advance(s):
    """Continues the current play up to its next event; returns the event, or DONE."""
    if s.stage == LIFTED:
        _put_pawn(s, np.int64(s.turn), np.int64(s.landing))
        s.stage = LANDED
        return LANDED
    if s.stage:
        s.stage = DONE
        s.turn = 1 - s.turn
        s.ply += 1
        _update_result(s)
    return DONE


@jit
def apply(s, seat, action):
    """Plays a legal action."""
    begin(s, seat, action)
    while advance(s):
        pass


@jit
def scores(s, out):
    """Writes 1 and 0 for a win, 0.5 each for a draw, zeros before the end."""
    two_player_scores(s, out)


@jit
def hide(s, seat, seed):
    """Replaces the random generator; Onoro has no hidden information."""
    reseed(s, seed)


# In hundredths of a logit, by the number of cells on which the opponent would win: none, one, more.
THREAT_PENALTY_PLACING = np.array([0.0, 107.0, 320.0])
THREAT_PENALTY_MOVING = np.array([0.0, 46.0, 165.0])


@jit
def _count(a):
    """Returns the number of cells of a set."""
    return popcount(a[0]) + popcount(a[1]) + popcount(a[2]) + popcount(a[3])


@jit
def _completing_cells(own):
    """Returns the cells where one more pawn would make four in a row."""
    gaps = _and_not(own, own)  # the empty set
    for step in LINE_STEPS:
        before, after = _shift_up(own, step), _shift_down(own, step)
        two_before = _and(before, _shift_up(own, step + step))
        two_after = _and(after, _shift_down(own, step + step))
        completing = _or(
            _and(two_before, _or(after, _shift_up(own, step + step + step))),
            _and(two_after, _or(before, _shift_down(own, step + step + step))),
        )
        gaps = _or(gaps, completing)
    return gaps


@jit
def _mobility_and_wins(s, seat, sets, has_open_three):
    """Returns a side's mobility and the number of cells on which it would win if it were to move.

    Mobility counts 1 for each landing and 11 more for each pawn that can move, in hundredths of a
    logit; it is 0 while pawns are placed. `has_open_three` says whether the side has a line with
    three own pawns whose last cell is open; without one it cannot win at once.
    """
    own = _load(s.pawns[seat])
    gaps = _and_not(own, own)  # the empty set
    if has_open_three:
        gaps = _and(_completing_cells(own), sets[1])
    if s.placed < 2 * s.each:
        return 0, _count(gaps)
    mobility = 0
    winning = _and_not(own, own)
    for w in range(4):
        remaining = own[w]
        while remaining:
            c = 64 * w + lowest_bit(remaining)
            remaining &= remaining - np.uint64(1)
            landings = _landings(sets, c)
            n = _count(landings)
            mobility += 11 + n if n else 0
            completing = _and(gaps, landings)
            if _any(completing):
                # The moving pawn must not be one of the three that it completes.
                winning = _or(
                    winning, _and(completing, _completing_cells(_and_not(own, _load(CELL_MASK[c]))))
                )
    return mobility, _count(winning)


@jit
def _two_or_three(a, b, c, d):
    """Returns the bits that are set in two or three of the four words."""
    return a & b ^ c & d ^ (a ^ b) & (c ^ d)


@jit
def _count_open_lines(s, seat, open_cells):
    """Counts a side's unblocked lines: four cells in a row without a pawn of the opponent.

    Open cells are empty cells that touch two pawns, so that a pawn can go there. Returns four
    counts: lines with three own pawns whose last cell is open, lines with three own pawns whose
    last cell is not open, and lines with two own pawns of whose other cells both or only one
    are open.
    """
    three_open = three_closed = two_both_open = two_one_open = 0
    for w in range(4):
        # A line starts in this word, and ends in it or in the next.
        own = s.pawns[seat, w]
        own_next = s.pawns[seat, w + 1] if w < 3 else np.uint64(0)
        if own | own_next == np.uint64(0):
            continue
        other = s.pawns[1 - seat, w]
        other_next = s.pawns[1 - seat, w + 1] if w < 3 else np.uint64(0)
        opened = open_cells[w]
        opened_next = open_cells[w + 1] if w < 3 else np.uint64(0)
        for step in LINE_STEPS:
            two, three = step + step, step + step + step
            a, b = own, own >> step | own_next << (np.uint64(64) - step)
            c = own >> two | own_next << (np.uint64(64) - two)
            d = own >> three | own_next << (np.uint64(64) - three)
            blocked = (
                other
                | other >> step
                | other >> two
                | other >> three
                | other_next << (np.uint64(64) - step)
                | other_next << (np.uint64(64) - two)
                | other_next << (np.uint64(64) - three)
            )
            # Parity distinguishes three own pawns from two, and one open cell from none or both.
            odd_own = a ^ b ^ c ^ d
            lines = _two_or_three(a, b, c, d) & ~blocked
            if lines:
                a, b = opened, opened >> step | opened_next << (np.uint64(64) - step)
                c = opened >> two | opened_next << (np.uint64(64) - two)
                d = opened >> three | opened_next << (np.uint64(64) - three)
                odd_open = a ^ b ^ c ^ d
                three_open += popcount(lines & odd_own & odd_open)
                three_closed += popcount(lines & odd_own & ~odd_open)
                two_both_open += popcount(lines & ~odd_own & _two_or_three(a, b, c, d))
                two_one_open += popcount(lines & ~odd_own & odd_open)
    return three_open, three_closed, two_both_open, two_one_open


@jit
def evaluate(s, seat):
    """Returns the static evaluation for the seat, from -1 to 1.

    It sums features of the side to move less those of the other side. The weights are in
    hundredths of a logit, fitted by logistic regression to self-play games
    (benchmarks/tune_duel.py).
    """
    if s.over:
        return two_player_value(s, seat)
    sets = _group_sets(s)
    placing = s.placed < 2 * s.each
    turn = np.int64(s.turn)
    three_open, three_closed, two_both_open, two_one_open = _count_open_lines(s, turn, sets[1])
    mobility, wins = _mobility_and_wins(s, turn, sets, three_open > 0)
    if wins:
        x = 1000.0
    else:
        other_three_open, other_three_closed, other_two_both_open, other_two_one_open = (
            _count_open_lines(s, 1 - turn, sets[1])
        )
        other_mobility, threats = _mobility_and_wins(s, 1 - turn, sets, other_three_open > 0)
        three_closed -= other_three_closed
        two_both_open -= other_two_both_open
        two_one_open -= other_two_one_open
        if placing:
            x = (
                45.0
                + 95 * three_closed
                + 33 * two_both_open
                + 12 * two_one_open
                - THREAT_PENALTY_PLACING[min(threats, 2)]
            )
        else:
            x = (
                15.0
                + 24 * three_closed
                + 11 * two_both_open
                + mobility
                - other_mobility
                - THREAT_PENALTY_MOVING[min(threats, 2)]
            )
    x /= np.sqrt(40_000.0 + x * x)
    return x if seat == turn else -x


@jit
def key(s):
    """Returns a hash of pawns and side to move that ignores where on the plane the group is."""
    x = np.uint64(s.turn)
    salt = np.uint64(0)
    for seat in range(2):
        for w in range(4):
            salt += np.uint64(0x9E3779B97F4A7C15)
            x += mix(s.pawns[seat, w] + salt)
    return mix(x)


@jit
def observe(s, seat, planes):
    """Writes five planes of the window.

    They are own pawns, opponent's pawns, empty cells that touch two pawns, 1 while pawns are
    still to be placed, and 1 if the seat is to move.
    """
    for c in range(WINDOW_CELLS):
        w, bit = c >> 6, np.uint64(c & 63)
        q, r = c % WINDOW_WIDTH, c // WINDOW_WIDTH
        own = s.pawns[seat, w] >> bit & np.uint64(1)
        other = s.pawns[1 - seat, w] >> bit & np.uint64(1)
        planes[0, r, q] = own
        planes[1, r, q] = other
        planes[2, r, q] = s.two[w] >> bit & ~(own | other) & np.uint64(1)
        planes[3, r, q] = 1.0 if s.placed < 2 * s.each else 0.0
        planes[4, r, q] = 1.0 if s.turn == seat else 0.0
