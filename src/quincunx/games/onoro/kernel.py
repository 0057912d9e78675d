"""Onoro's rules, compiled.

The plane is infinite, but a legal group of 16 pawns is at most 14 cells wide and high (two
triangles joined by a straight path of ten). So the pawns are stored in a window of 16 x 16
cells that follows them: the group starts at column 1 and row 1 of the window, and all cells
that touch a pawn are inside the window too. `origin` is the position of cell 0 on the plane.

An action is the cell of a new pawn, or 256 + 256 * from + to when a pawn moves; cells are numbered
as in `cell_sets`.
"""

import numpy as np

from quincunx.games.onoro.cell_sets import (
    BLACK,
    DOWN_LEFT,
    DOWN_RIGHT,
    LINE_STEPS,
    RIGHT,
    all_pawns,
    any_cell,
    difference,
    group_sets,
    intersection,
    landings,
    load,
    shift_down,
    shift_up,
    union,
)
from quincunx.games.onoro.cell_sets import WHITE as WHITE
from quincunx.games.onoro.cell_sets import WINDOW_CELLS as WINDOW_CELLS
from quincunx.games.onoro.cell_sets import WINDOW_WIDTH as WINDOW_WIDTH
from quincunx.games.onoro.evaluation import evaluate as evaluate
from quincunx.jit import jit, lowest_bit, popcount
from quincunx.position import (
    HEADER,
    NOBODY,
    REPETITION_WINDOW,
    init_header,
    mix,
    record_repetition,
)

SEATS = 2
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

FIRST_ROW_MASK = np.uint64(0x000000000000FFFF)
FIRST_COLUMN_MASK = np.uint64(0x0001000100010001)


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
    pawns = all_pawns(s)
    # one, two and three are the cells that touch at least that many pawns in the directions so far.
    one, touching = shift_up(pawns, RIGHT), shift_down(pawns, RIGHT)
    two = intersection(one, touching)
    three = difference(two, two)  # the empty set
    one = union(one, touching)
    for step in (DOWN_LEFT, DOWN_RIGHT):
        for touching in (shift_up(pawns, step), shift_down(pawns, step)):
            three = union(three, intersection(two, touching))
            two = union(two, intersection(one, touching))
            one = union(one, touching)
    for w in range(4):
        s.two[w] = two[w]
        s.three[w] = three[w]


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
    sets = group_sets(s)
    if s.placed < 2 * s.each:
        return _append_actions(sets[1], n, out, n)
    for w in range(4):
        own = s.pawns[seat, w]
        while own:
            c = 64 * w + lowest_bit(own)
            own &= own - np.uint64(1)
            n = _append_actions(landings(sets, c), WINDOW_CELLS + WINDOW_CELLS * c, out, n)
    return n


@jit
def is_legal(s, seat, action):
    """Returns True if an action is legal."""
    if s.over or s.stage or seat != s.turn or action < 0 or action >= ACTIONS:
        return False
    sets = group_sets(s)
    target = np.uint64(action & 63)
    word = action >> 6 & 3
    if s.placed < 2 * s.each:
        return action < WINDOW_CELLS and (sets[1][word] >> target) & np.uint64(1) != np.uint64(0)
    c = (action >> 8) - 1
    if c < 0 or not s.pawns[seat, c >> 6] >> np.uint64(c & 63) & np.uint64(1):
        return False
    return (landings(sets, c)[word] >> target) & np.uint64(1) != np.uint64(0)


@jit
def _has_no_legal_move(s):
    """Returns True if the side to move has no legal move.

    A new pawn can always be placed: some cell around the group touches two pawns.
    """
    if s.placed < 2 * s.each:
        return False
    sets = group_sets(s)
    for w in range(4):
        own = s.pawns[s.turn, w]
        while own:
            if any_cell(landings(sets, 64 * w + lowest_bit(own))):
                return False
            own &= own - np.uint64(1)
    return True


@jit
def _has_four_in_a_row(a):
    """Returns True if four cells of the set are in a row."""
    found = False
    for step in LINE_STEPS:
        pairs = intersection(a, shift_down(a, step))
        found |= any_cell(intersection(pairs, shift_down(pairs, step + step)))
    return found


@jit
def _update_result(s):
    """Updates the neighbour counts, and ends the game if it is won, lost or drawn by repetition."""
    _update_neighbour_counts(s)
    times = record_repetition(s.seen, s.ply, key(s))
    mover = 1 - s.turn
    if _has_four_in_a_row(load(s.pawns[mover])) or _has_no_legal_move(s):
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
    pawns = all_pawns(s)
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
        moved = load(s.pawns[side])
        moved = shift_up(moved, np.uint64(n)) if n > 0 else shift_down(moved, np.uint64(-n))
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
    """Plays a legal action: all steps of the move."""
    begin(s, seat, action)
    while advance(s):
        pass


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
