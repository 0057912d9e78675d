"""Wzlz's rules, compiled.

Cells are numbered as in `board`; an action is origin * (rows * cols) + target. The field `empty`
holds the empty cells of the board as a bit set: one integer per row with a bit for each of them.
"""

import numpy as np

from quincunx.games.wzlz import evaluation
from quincunx.games.wzlz.board import MAX_CELLS as MAX_CELLS
from quincunx.games.wzlz.board import MAX_COLOURS as MAX_COLOURS
from quincunx.games.wzlz.board import MAX_PADDED_CELLS
from quincunx.games.wzlz.board import MAX_SIDE as MAX_SIDE
from quincunx.games.wzlz.board import NO_CELL as NO_CELL
from quincunx.games.wzlz.evaluation import FEATURES as FEATURES
from quincunx.games.wzlz.evaluation import WEIGHTS as WEIGHTS
from quincunx.games.wzlz.evaluation import evaluate as evaluate
from quincunx.games.wzlz.evaluation import features as features
from quincunx.games.wzlz.lines import (
    clear_marks,
    mark_all_lines,
    mark_lines,
    put_ball,
    random_empty_cell,
    remove_marked,
    take_ball,
)
from quincunx.games.wzlz.regions import MAX_LEGAL as MAX_LEGAL
from quincunx.games.wzlz.regions import is_legal as is_legal
from quincunx.games.wzlz.regions import legal as legal
from quincunx.games.wzlz.regions import path as path
from quincunx.games.wzlz.regions import sample as sample
from quincunx.jit import jit, stack_array
from quincunx.position import HEADER, init_header, mix, random_below, reseed

SEATS = 1
MAX_BALLS_PER_TURN = 16
MAX_SCORE = 10**9
ACTIONS = MAX_CELLS * MAX_CELLS
PLANES = (2 * MAX_COLOURS, MAX_SIDE, MAX_SIDE)

# The function that rules and layout call.
HELPERS = {"path": "(s: state, empty: u16[:], origin: i64, target: i64, out: i64[:]) -> i64"}

# How often, in all, a first ball is drawn again because it forms a line.
MAX_REDRAWS = 1000

STATE = np.dtype(
    [
        *HEADER,
        ("rows", "i4"),
        ("cols", "i4"),
        ("colours", "i4"),
        ("match", "i4"),  # the least number of balls in a line
        ("per_turn", "i4"),  # the number of balls that come after a move
        ("shown", "u1"),  # 1 if the player knows the next balls
        ("lines98", "u1"),  # 1 in the variant lines98
        ("unswept", "u1"),  # 1 if there may be lines on the board, read from a position text
        ("score", "i8"),
        ("room", "i4"),  # the number of empty cells
        ("empty", "u2", (MAX_SIDE,)),  # the empty cells: bit `column` of entry `row`
        ("gone", "u2", (MAX_SIDE,)),  # the cells of lines that are about to be removed
        ("origin", "i4"),  # the cells of the last move
        ("target", "i4"),
        ("was", "u2", (MAX_SIDE,)),  # the empty cells before the last move
        ("coming", "i4"),  # the number of next balls
        ("coming_colour", "u1", (MAX_BALLS_PER_TURN,)),
        ("coming_cell", "i2", (MAX_BALLS_PER_TURN,)),  # the announced cell, or NO_CELL
        ("came", "i4"),  # the number of balls that came last
        ("came_cell", "i2", (MAX_BALLS_PER_TURN,)),
        ("board", "u1", (MAX_PADDED_CELLS,)),  # 0 = empty, 1..7 = colours
    ]
)

# The events of a move, also the values of `stage`: the last event. CAME and FADED repeat while
# lines of new balls empty the board.
DONE, MOVED, CLEARED, CAME, FADED = range(5)
EVENTS = ("", "move", "clear", "come", "fade")


@jit
def _add_points(s, points):
    """Adds points to the score, which stays within MAX_SCORE."""
    s.score = max(-MAX_SCORE, min(MAX_SCORE, s.score + points))


@jit
def _draw_announced_cells(s):
    """Draws distinct cells for the next balls in lines98; sets NO_CELL in the variant wzlz."""
    if not s.lines98:
        for i in range(s.coming):
            s.coming_cell[i] = NO_CELL
        return
    s.coming = min(s.coming, s.room)
    for i in range(s.coming):
        # A ball is put on the cell meanwhile so that no other ball gets the same cell.
        cell = random_empty_cell(s)
        put_ball(s, cell, 1)
        s.coming_cell[i] = cell
    for i in range(s.coming):
        take_ball(s, np.int64(s.coming_cell[i]))


@jit
def _draw_next_balls(s, count):
    """Draws `count` next balls."""
    s.coming = count
    for i in range(count):
        s.coming_colour[i] = 1 + random_below(s, s.colours)
    _draw_announced_cells(s)


@jit
def _put_first_balls(s, count):
    """Puts `count` balls on random cells, without forming a line."""
    redraws = 0
    while count and redraws < MAX_REDRAWS:
        cell = random_empty_cell(s)
        put_ball(s, cell, 1 + random_below(s, s.colours))
        if mark_lines(s, cell):
            clear_marks(s)
            take_ball(s, cell)
            redraws += 1
        else:
            count -= 1
    if count == 0:
        return
    # On a crowded board it may be impossible to add a ball without a line. Two colours arranged
    # like this never form one, since there are no three in a row:    a a b b
    #                                                                 b b a a
    for _ in range(count):
        put_ball(s, random_empty_cell(s), 1)
    a = random_below(s, s.colours)
    b = (a + 1 + random_below(s, s.colours - 1)) % s.colours
    for cell in range(s.rows * s.cols):
        row = cell // s.cols
        index = cell + row + s.cols + 2
        if s.board[index]:
            s.board[index] = 1 + (b if (cell - row * s.cols + 2 * row) & 2 else a)


@jit
def start(s, options, seed):
    """Writes the first position; options in the order of `rules.OPTIONS`."""
    init_header(s, seed)
    s.rows = options[0]
    s.cols = options[1]
    s.colours = options[2]
    s.match = options[3]
    s.per_turn = options[4]
    s.shown = options[6]
    s.lines98 = options[7]
    s.score = 0
    s.origin = s.target = NO_CELL
    s.coming = s.came = 0
    for index in range(MAX_PADDED_CELLS):
        s.board[index] = 0
    for row in range(MAX_SIDE):
        s.gone[row] = s.was[row] = 0
        s.empty[row] = (1 << s.cols) - 1 if row < s.rows else 0
    s.room = s.rows * s.cols
    s.unswept = 0
    _put_first_balls(s, options[5])
    _draw_next_balls(s, s.per_turn)


@jit
def restore(s):
    """Recomputes the fields derived from the board: `empty`, `room`, `over` and `unswept`.

    Draws next balls if there are none, and in lines98 their cells if they are missing.
    """
    s.room = 0
    for row in range(s.rows):
        s.empty[row] = 0
        for col in range(s.cols):
            if s.board[(row + 1) * (s.cols + 1) + 1 + col] == 0:
                s.empty[row] |= 1 << col
                s.room += 1
    s.over = s.room == 0
    s.unswept = mark_all_lines(s)
    clear_marks(s)
    if s.coming == 0:
        _draw_next_balls(s, s.per_turn)
    elif s.coming_cell[0] == NO_CELL:
        _draw_announced_cells(s)


@jit
def begin(s, seat, action):
    """Starts a move by moving the ball to its target; returns the event."""
    cells = s.rows * s.cols
    s.origin = action // cells
    s.target = action % cells
    for row in range(s.rows):
        s.was[row] = s.empty[row]
    put_ball(s, s.target, take_ball(s, s.origin))
    s.stage = MOVED
    return MOVED


@jit
def _put_next_balls(s):
    """Puts the next balls, as many as fit, each on its announced cell or on a random one."""
    s.came = min(s.coming, s.room)
    for i in range(s.came):
        cell = np.int64(s.coming_cell[i])
        if cell == NO_CELL or s.board[cell + cell // s.cols + s.cols + 2]:
            cell = random_empty_cell(s)
        put_ball(s, cell, s.coming_colour[i])
        s.came_cell[i] = cell


@jit
def _mark_new_lines(s):
    """Marks in `gone` every line after new balls have come; returns True if there are any."""
    if s.unswept:
        s.unswept = 0
        return mark_all_lines(s)
    # Earlier lines have been removed, so every line goes through a new ball.
    found = False
    for i in range(s.came):
        found |= mark_lines(s, np.int64(s.came_cell[i]))
    return found


@jit
def advance(s):
    """Continues a move until its next event and returns it, or DONE at the end of the move."""
    if s.stage == DONE:
        return DONE
    if s.stage == MOVED and mark_lines(s, s.target):
        n = remove_marked(s)
        _add_points(s, n * (n - 4) if s.lines98 else 2 * n)
        s.stage = CLEARED
        return CLEARED
    if s.stage == CAME and _mark_new_lines(s):
        n = remove_marked(s)
        _add_points(s, n * (n - 4) if s.lines98 else 0)
        s.stage = FADED
        return FADED
    if s.stage == CAME or s.stage == FADED:
        _draw_next_balls(s, s.per_turn)
    if s.stage == MOVED or s.room == s.rows * s.cols:
        # No line was cleared, or the board is empty and no move would be possible.
        _put_next_balls(s)
        s.stage = CAME
        return CAME
    s.stage = DONE
    s.ply += 1
    s.over = s.room == 0
    return DONE


@jit
def hide(s, seat, seed):
    """Replaces the random generator and redraws the next balls if they are not shown."""
    reseed(s, seed)
    if not s.shown:
        _draw_next_balls(s, s.coming)


@jit
def _write_values(scratch, seat, moves, values, weights):
    """Writes every legal action of scratch[0] and the value in points after it.

    Apart from `afterstate_values`, because WEIGHTS, a constant, has another type in compiled code.
    """
    s = scratch[0]
    n = legal(s, seat, moves)
    tables = stack_array(1, evaluation.MOVE_TABLES)[0]
    if not evaluation.fill_tables(s, weights, tables):
        for i in range(n):
            scratch[1] = s
            apply(scratch[1], seat, np.int64(moves[i]))
            values[i] = evaluation.value_in_points(scratch[1], weights)
        return n
    scoring = evaluation.write_move_values(s, moves, n, values, weights, tables)
    for k in range(scoring):
        i = np.int64(tables.scoring[k])
        scratch[1] = s
        apply(scratch[1], seat, np.int64(moves[i]))
        if scratch[1].score != s.score:
            values[i] = evaluation.value_in_points(scratch[1], weights)
    return n


@jit
def afterstate_values(scratch, seat, moves, values, weights):
    """Writes every legal action of scratch[0] and the value after it, returns their number.

    Values are in points, by the given weights. Overwrites scratch[1].
    """
    return _write_values(scratch, seat, moves, values, weights)


@jit
def one_ply_values(scratch, seat, moves, values):
    """Writes every legal action of scratch[0] and the evaluation after it, returns their number.

    Overwrites scratch[1].
    """
    n = _write_values(scratch, seat, moves, values, WEIGHTS)
    for i in range(n):
        values[i] = evaluation.squash(values[i])
    return n


@jit
def apply(s, seat, action):
    """Plays a legal action: all steps of the move."""
    begin(s, seat, action)
    while advance(s):
        pass


@jit
def key(s):
    """Returns a hash of the board, the next balls and the score."""
    total = mix(np.uint64(s.score))
    for index in range((s.rows + 2) * (s.cols + 1)):
        if s.board[index]:
            total += mix(np.uint64(index * 8 + np.int64(s.board[index])))
    for i in range(s.coming):
        ball = (np.int64(s.coming_cell[i]) + 1) * 8 + np.int64(s.coming_colour[i])
        total += mix(np.uint64((i + 1) * 8 * MAX_PADDED_CELLS + ball))
    return mix(total)


@jit
def observe(s, seat, planes):
    """Writes one plane of balls per colour, then one plane of next balls per colour.

    A next ball without an announced cell is spread evenly over all cells; next balls that are
    not shown are left out.
    """
    share = np.float32(1.0) / np.float32(s.rows * s.cols)
    for row in range(s.rows):
        for col in range(s.cols):
            for plane in range(2 * MAX_COLOURS):
                planes[plane, row, col] = 0.0
            colour = np.int64(s.board[(row + 1) * (s.cols + 1) + 1 + col])
            if colour:
                planes[colour - 1, row, col] = 1.0
            for i in range(s.coming if s.shown else 0):
                plane = MAX_COLOURS + np.int64(s.coming_colour[i]) - 1
                if s.coming_cell[i] == row * s.cols + col:
                    planes[plane, row, col] += 1.0
                elif s.coming_cell[i] == NO_CELL:
                    planes[plane, row, col] += share
