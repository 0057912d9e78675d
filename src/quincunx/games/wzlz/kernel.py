"""Wzlz's rules, compiled.

A cell is row * cols + column; an action is origin * (rows * cols) + target. The board is
padded with sentinels, always 0, so that scans in all directions stop at the edge without a
check. The padded indices with 3 rows of 4 cells:

     0  1  2  3  4         cell 0 has padded index 6, cell 4 has 11:
     5 [6  7  8  9]        index = cell + row + cols + 2
    10 [.  .  .  .]        the sentinel left of a row is also the one right of the row above
    15 [.  .  .  .]
    20 21 22 23 24 25

The field `empty` holds the same information as a bit set: one integer per row with a bit for
each empty cell.
"""

import numpy as np

from quincunx.games.wzlz import evaluation, patterns
from quincunx.jit import jit, lowest_bit, popcount
from quincunx.position import HEADER, init_header, mix, random_below, reseed

SEATS = 1
MAX_SIDE = 16
MAX_CELLS = MAX_SIDE * MAX_SIDE
MAX_PADDED_CELLS = (MAX_SIDE + 2) * (MAX_SIDE + 1) + 1
MAX_REGIONS = MAX_CELLS // 2 + 1  # on a chequered board; region 0 stands for none
MAX_COLOURS = 7
MAX_BALLS_PER_TURN = 16
MAX_SCORE = 10**9
ACTIONS = MAX_CELLS * MAX_CELLS
PLANES = (2 * MAX_COLOURS, MAX_SIDE, MAX_SIDE)

# `legal` labels the regions of connected empty cells. It keeps its tables in `out` itself, behind
# the largest possible number of actions: half of the cells hold balls, and each ball reaches the
# other half. The offsets of the tables from there:
#   REGION  the region of each padded index, 0 for none (balls and sentinels)
#   ROOT    the parent of each region in the union-find forest, finally its root
#   CACHED  four values for each region, about the first ball that touches only this region:
#           the start of its actions in `out`, their number (0 = no such ball yet),
#           ball * (rows * cols), unused
#   MASK    eight values for each region: a bit for each of its cells, 32 cells to a value
REGION_OFFSET = 0
ROOT_OFFSET = REGION_OFFSET + MAX_PADDED_CELLS
CACHED_OFFSET = ROOT_OFFSET + MAX_REGIONS
MASK_OFFSET = CACHED_OFFSET + 4 * MAX_REGIONS
MAX_LEGAL = MAX_CELLS * MAX_CELLS // 4 + MASK_OFFSET + 8 * MAX_REGIONS

NO_CELL = -1

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

# The weights of the 9 x 9 board were trained by self-play: first those of lines98, then those of
# wzlz, each for three phases of the game by the number of empty cells.
WEIGHT_PHASES = 3
PHASE_0_MIN_EMPTY, PHASE_1_MIN_EMPTY = 48, 36
FEATURES = patterns.GROUP_COUNT + 1  # one per group, one for the number of empty cells
# Expected points count less than points already scored, which cannot be lost any more.
FUTURE_DISCOUNT, FUTURE_DISCOUNT_LINES98 = 0.5, 0.25
WEIGHTS = evaluation.TRAINED_WEIGHTS

# The events of a move, also the values of `stage`: the last event. CAME and FADED repeat while
# lines of new balls empty the board.
DONE, MOVED, CLEARED, CAME, FADED = range(5)
EVENTS = ("", "move", "clear", "come", "fade")


@jit
def _put_ball(s, cell, colour):
    """Puts a ball on an empty cell."""
    row = cell // s.cols
    s.board[cell + row + s.cols + 2] = colour
    s.empty[row] ^= 1 << (cell - row * s.cols)
    s.room -= 1


@jit
def _take_ball(s, cell):
    """Removes the ball from a cell and returns its colour."""
    row = cell // s.cols
    index = cell + row + s.cols + 2
    colour = s.board[index]
    s.board[index] = 0
    s.empty[row] ^= 1 << (cell - row * s.cols)
    s.room += 1
    return colour


@jit
def _random_empty_cell(s):
    """Returns a random empty cell; there must be one."""
    k = random_below(s, s.room)
    row = 0
    bits = np.int64(s.empty[0])
    while k >= popcount(bits):
        k -= popcount(bits)
        row += 1
        bits = np.int64(s.empty[row])
    for _ in range(k):
        bits &= bits - 1
    return row * s.cols + lowest_bit(bits)


@jit
def _mark_lines(s, cell):
    """Marks in `gone` the lines through the ball on a cell; returns True if there are any."""
    row = cell // s.cols
    col = cell - row * s.cols
    stride = s.cols + 1
    index = cell + row + stride + 1
    colour = s.board[index]
    found = False
    for down, right in ((0, 1), (1, -1), (1, 0), (1, 1)):
        step = down * stride + right
        forward = 0
        while s.board[index + (forward + 1) * step] == colour:
            forward += 1
        backward = 0
        while s.board[index - (backward + 1) * step] == colour:
            backward += 1
        if forward + backward + 1 >= s.match:
            found = True
            for k in range(-backward, forward + 1):
                s.gone[row + k * down] |= 1 << (col + k * right)
    return found


@jit
def _mark_all_lines(s):
    """Marks in `gone` every line on the board; returns True if there are any."""
    found = False
    for cell in range(s.rows * s.cols):
        if s.board[cell + cell // s.cols + s.cols + 2]:
            found |= _mark_lines(s, cell)
    return found


@jit
def _clear_marks(s):
    """Clears the marked cells."""
    for row in range(s.rows):
        s.gone[row] = 0


@jit
def _remove_marked(s):
    """Removes the balls of the marked cells; returns their number."""
    before = s.room
    for row in range(s.rows):
        bits = np.int64(s.gone[row])
        while bits:
            _take_ball(s, row * s.cols + lowest_bit(bits))
            bits &= bits - 1
    _clear_marks(s)
    return s.room - before


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
        cell = _random_empty_cell(s)
        _put_ball(s, cell, 1)
        s.coming_cell[i] = cell
    for i in range(s.coming):
        _take_ball(s, np.int64(s.coming_cell[i]))


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
        cell = _random_empty_cell(s)
        _put_ball(s, cell, 1 + random_below(s, s.colours))
        if _mark_lines(s, cell):
            _clear_marks(s)
            _take_ball(s, cell)
            redraws += 1
        else:
            count -= 1
    if count == 0:
        return
    # On a crowded board it may be impossible to add a ball without a line. Two colours arranged
    # like this never form one, since there are no three in a row:    a a b b
    #                                                                 b b a a
    for _ in range(count):
        _put_ball(s, _random_empty_cell(s), 1)
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
    s.unswept = _mark_all_lines(s)
    _clear_marks(s)
    if s.coming == 0:
        _draw_next_balls(s, s.per_turn)
    elif s.coming_cell[0] == NO_CELL:
        _draw_announced_cells(s)


@jit
def _load(out, i):
    """Returns out[i]; with an unsigned index the compiled code skips the check for negatives."""
    return np.int64(out[np.uint64(i)])


@jit
def _find_root(out, root, region):
    """Returns the root of a region in the union-find forest."""
    while _load(out, root + region) != region:
        region = _load(out, root + region)
    return region


@jit
def _label_regions(s, out, scratch_start):
    """Writes the tables of connected regions of empty cells to `out`, beginning at `scratch_start`.

    Each run of empty cells in a row takes its region from the row above. If it touches several
    regions there, they are united with the lowest as their root.
    """
    stride = s.cols + 1
    region = scratch_start + REGION_OFFSET
    root = scratch_start + ROOT_OFFSET
    mask = scratch_start + MASK_OFFSET
    mask_size = (s.rows * s.cols + 63) // 64 * 2  # even: `_reachable_cells` reads 64 cells
    region_of = out[region : region + (s.rows + 2) * stride + 1]
    for index in range(len(region_of)):
        region_of[index] = 0
    region_count = 0
    above = 0
    for row in range(s.rows):
        first_cell = row * s.cols
        row_start = region + (row + 1) * stride + 1
        here = rest = np.int64(s.empty[row])
        while rest:
            # Adding the lowest bit carries through the lowest run of bits and so separates it.
            run = rest & ~(rest + (rest & -rest))
            rest ^= run
            touched = run & above
            if touched:
                own = _find_root(out, root, _load(out, row_start - stride + lowest_bit(touched)))
                touched &= touched + (touched & -touched)
                while touched:
                    other = _find_root(
                        out, root, _load(out, row_start - stride + lowest_bit(touched))
                    )
                    touched &= touched + (touched & -touched)
                    out[root + max(own, other)] = min(own, other)
                    own = min(own, other)
            else:
                region_count += 1
                own = region_count
                out[root + own] = own
                for i in range(mask_size):
                    out[mask + 8 * own + i] = 0
            bits = run << (first_cell & 31)
            word = mask + 8 * own + first_cell // 32
            # As a signed number, because `out` holds int32.
            out[np.uint64(word)] |= (bits & 0x7FFFFFFF) - (bits & 0x80000000)
            if bits >> 32:
                out[word + 1] |= bits >> 32
            while run:
                out[np.uint64(row_start + lowest_bit(run))] = own
                run &= run - 1
        above = here
    out[root] = 0
    for i in range(mask_size):
        out[mask + i] = 0
    for number in range(1, region_count + 1):
        own = _load(out, root + _load(out, root + number))
        out[root + number] = own
        out[scratch_start + CACHED_OFFSET + 4 * number + 1] = 0
        if own != number:
            for i in range(mask_size):
                out[mask + 8 * own + i] |= out[mask + 8 * number + i]


@jit
def _movable_balls(s, row):
    """Returns the balls of a row that touch an empty cell, as bits."""
    here = np.int64(s.empty[row])
    above = np.int64(s.empty[row - 1]) if row > 0 else 0
    below = np.int64(s.empty[row + 1]) if row + 1 < s.rows else 0
    return (here << 1 | here >> 1 | above | below) & ~here & ((1 << s.cols) - 1)


@jit
def _adjacent_regions(s, out, scratch_start, ball, row):
    """Returns the four regions that a ball touches, 0 for none, and the highest of them."""
    root = scratch_start + ROOT_OFFSET
    stride = s.cols + 1
    index = scratch_start + REGION_OFFSET + ball + row + stride + 1
    a = _load(out, root + _load(out, index - stride))
    b = _load(out, root + _load(out, index - 1))
    c = _load(out, root + _load(out, index + 1))
    d = _load(out, root + _load(out, index + stride))
    return a, b, c, d, max(max(a, b), max(c, d))


@jit
def _touches_one_region(a, b, c, d, highest):
    """Returns True if a ball touches only one region: each of the four is 0 or the highest."""
    return (a * (highest - a) | b * (highest - b) | c * (highest - c) | d * (highest - d)) == 0


@jit
def _reachable_cells(out, low, a, b, c, d):
    """Returns 64 cells of the union of four regions as bits.

    `low` is the index in `out` of the mask value of region 0 for the first 32 of these cells.
    """
    high = low + 1
    return (
        (_load(out, low + 8 * a) | _load(out, low + 8 * b))
        | (_load(out, low + 8 * c) | _load(out, low + 8 * d))
    ) & 0xFFFFFFFF | (
        (_load(out, high + 8 * a) | _load(out, high + 8 * b))
        | (_load(out, high + 8 * c) | _load(out, high + 8 * d))
    ) << 32


@jit
def legal(s, seat, out):
    """Writes the legal actions, ascending, into `out` and returns their number."""
    if s.over or s.stage or seat != 0:
        return 0
    cells = np.int64(s.rows * s.cols)
    scratch_start = cells * cells // 4
    _label_regions(s, out, scratch_start)
    n = 0
    for row in range(s.rows):
        balls = _movable_balls(s, row)
        while balls:
            ball = row * s.cols + lowest_bit(balls)
            balls &= balls - 1
            a, b, c, d, highest = _adjacent_regions(s, out, scratch_start, ball, row)
            one_region = _touches_one_region(a, b, c, d, highest)
            base = ball * cells
            cached = scratch_start + CACHED_OFFSET + 4 * highest
            count = _load(out, cached + 1)
            if one_region and count:
                # Copying the actions of another ball is faster than scanning the bits again.
                first = _load(out, cached)
                difference = base - _load(out, cached + 2)
                source, copied = out[first : first + count], out[n : n + count]
                for i in range(count):
                    copied[i] = source[i] + difference
                n += count
                continue
            first = n
            for w in range(0, cells, 64):
                bits = _reachable_cells(out, scratch_start + MASK_OFFSET + w // 32, a, b, c, d)
                while bits:
                    out[np.uint64(n)] = base + w + lowest_bit(bits)
                    bits &= bits - 1
                    n += 1
            if one_region:
                out[cached] = first
                out[cached + 1] = n - first
                out[cached + 2] = base
    return n


@jit
def sample(s, seat, out, random_bits):
    """Returns the legal action at index random_bits * n >> 32 without listing all n of them."""
    cells = np.int64(s.rows * s.cols)
    scratch_start = cells * cells // 4
    _label_regions(s, out, scratch_start)
    # Write to `out` from index 0, in pairs, each ball and the number of cells that it reaches.
    n = 0
    end = 0
    for row in range(s.rows):
        balls = _movable_balls(s, row)
        while balls:
            ball = row * s.cols + lowest_bit(balls)
            balls &= balls - 1
            a, b, c, d, highest = _adjacent_regions(s, out, scratch_start, ball, row)
            cached = scratch_start + CACHED_OFFSET + 4 * highest + 1
            one_region = _touches_one_region(a, b, c, d, highest)
            count = _load(out, cached) if one_region else 0
            if count == 0:
                for w in range(0, cells, 64):
                    count += popcount(
                        _reachable_cells(out, scratch_start + MASK_OFFSET + w // 32, a, b, c, d)
                    )
                if one_region:
                    out[cached] = count
            out[end] = ball
            out[end + 1] = count
            end += 2
            n += count
    k = np.int64(np.uint64(random_bits) * np.uint64(n) >> np.uint64(32))
    i = 0
    while k >= _load(out, i + 1):
        k -= _load(out, i + 1)
        i += 2
    ball = _load(out, i)
    a, b, c, d, _ = _adjacent_regions(s, out, scratch_start, ball, ball // s.cols)
    w = 0
    bits = _reachable_cells(out, scratch_start + MASK_OFFSET, a, b, c, d)
    while k >= popcount(bits):
        k -= popcount(bits)
        w += 64
        bits = _reachable_cells(out, scratch_start + MASK_OFFSET + w // 32, a, b, c, d)
    for _ in range(k):
        bits &= bits - 1
    return ball * cells + w + lowest_bit(bits)


@jit
def begin(s, seat, action):
    """Starts a move by moving the ball to its target; returns the event."""
    cells = s.rows * s.cols
    s.origin = action // cells
    s.target = action % cells
    for row in range(s.rows):
        s.was[row] = s.empty[row]
    _put_ball(s, s.target, _take_ball(s, s.origin))
    s.stage = MOVED
    return MOVED


@jit
def _put_next_balls(s):
    """Puts the next balls, as many as fit, each on its announced cell or on a random one."""
    s.came = min(s.coming, s.room)
    for i in range(s.came):
        cell = np.int64(s.coming_cell[i])
        if cell == NO_CELL or s.board[cell + cell // s.cols + s.cols + 2]:
            cell = _random_empty_cell(s)
        _put_ball(s, cell, s.coming_colour[i])
        s.came_cell[i] = cell


@jit
def _mark_new_lines(s):
    """Marks in `gone` every line after new balls have come; returns True if there are any."""
    if s.unswept:
        s.unswept = 0
        return _mark_all_lines(s)
    # Earlier lines have been removed, so every line goes through a new ball.
    found = False
    for i in range(s.came):
        found |= _mark_lines(s, np.int64(s.came_cell[i]))
    return found


@jit
def advance(s):
    """Continues a move until its next event and returns it, or DONE at the end of the move."""
    if s.stage == DONE:
        return DONE
    if s.stage == MOVED and _mark_lines(s, s.target):
        n = _remove_marked(s)
        _add_points(s, n * (n - 4) if s.lines98 else 2 * n)
        s.stage = CLEARED
        return CLEARED
    if s.stage == CAME and _mark_new_lines(s):
        n = _remove_marked(s)
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
def apply(s, seat, action):
    """Plays a legal action."""
    begin(s, seat, action)
    while advance(s):
        pass


@jit
def path(s, empty, origin, target, out):
    """Writes a shortest path, both ends included, into `out` and returns its number of cells.

    `empty` is `s.empty`, or `s.was` for the last move. Returns 0 if there is no path.
    """
    cells = s.rows * s.cols
    queue = np.empty(cells, np.int64)
    next_cell = np.empty(cells, np.int64)
    for cell in range(cells):
        next_cell[cell] = NO_CELL
    # Search from the target, so that `next_cell` leads from the origin to it.
    next_cell[target] = target
    queue[0] = target
    tail = 1
    for head in range(cells):
        if head == tail or next_cell[origin] != NO_CELL:
            break
        for down, right in ((-1, 0), (0, -1), (0, 1), (1, 0)):
            row, col = queue[head] // s.cols + down, queue[head] % s.cols + right
            near = row * s.cols + col
            if 0 <= row < s.rows and 0 <= col < s.cols and next_cell[near] == NO_CELL:
                if near == origin or empty[row] >> col & 1:
                    next_cell[near] = queue[head]
                    queue[tail] = near
                    tail += 1
    if next_cell[origin] == NO_CELL:
        return 0
    n = 1
    out[0] = origin
    while out[n - 1] != target:
        out[n] = next_cell[out[n - 1]]
        n += 1
    return n


@jit
def scores(s, out):
    """Writes the score."""
    out[0] = s.score


@jit
def hide(s, seat, seed):
    """Replaces the random generator and redraws the next balls if they are not shown."""
    reseed(s, seed)
    if not s.shown:
        _draw_next_balls(s, s.coming)


@jit
def _has_weights(s):
    """Returns True if there are weights for the board: 9 x 9 with lines of five."""
    return (
        s.rows == patterns.BOARD_SIDE
        and s.cols == patterns.BOARD_SIDE
        and s.match == patterns.MATCH_LENGTH
    )


@jit
def _weights_offset(s, empty_cells):
    """Returns the offset of the weights for a position with that number of empty cells."""
    phase = 0 if empty_cells >= PHASE_0_MIN_EMPTY else 1 if empty_cells >= PHASE_1_MIN_EMPTY else 2
    return ((0 if s.lines98 else WEIGHT_PHASES) + phase) * patterns.WEIGHT_COUNT


@jit
def _future_discount(s):
    """Returns the factor for expected points: they count less than points already scored."""
    return FUTURE_DISCOUNT_LINES98 if s.lines98 else FUTURE_DISCOUNT


@jit
def _partial_lines_value(s):
    """Returns an estimate, in points, of the lines that are partly complete."""
    value = 0.0
    stride = s.cols + 1
    extent = s.match - 1
    for row in range(s.rows):
        for col in range(s.cols):
            for down, right in ((0, 1), (1, -1), (1, 0), (1, 1)):
                if row + extent * down >= s.rows or not 0 <= col + extent * right < s.cols:
                    continue
                # A possible line counts if it has at least two balls, all of one colour. Each
                # further ball multiplies its value by four, up to 1.6 points with one missing.
                index = (row + 1) * stride + 1 + col
                colour = 0
                missing = s.match
                for _ in range(s.match):
                    here = s.board[index]
                    index += down * stride + right
                    if here:
                        if colour and here != colour:
                            missing = s.match
                            break
                        colour = here
                        missing -= 1
                if missing < extent:
                    value += 6.4 * 0.25**missing
    return value


@jit
def _value_in_points(s, weights):
    """Returns the score plus the discounted expected points."""
    if s.room == 0:
        return np.float64(s.score)
    if _has_weights(s):
        offset = _weights_offset(s, s.room)
        phase_weights = weights[offset : offset + patterns.WEIGHT_COUNT]
        return s.score + _future_discount(s) * evaluation.board_value(
            s.board, s.room, phase_weights
        )
    return s.score + s.room + _partial_lines_value(s)


@jit
def _squash(points):
    """Maps points to a value from -1 to 1."""
    return points / (1000.0 + abs(points))


@jit
def evaluate(s, seat):
    """Returns the static evaluation, -1 to 1: the score plus the expected points."""
    return _squash(_value_in_points(s, WEIGHTS))


@jit
def features(s, seat, out):
    """Writes the indices of the weights that the evaluation sums, returns their number.

    Returns 0 if the evaluation of the position does not use weights.
    """
    if s.room == 0 or not _has_weights(s):
        return 0
    offset = _weights_offset(s, s.room)
    for group in range(patterns.GROUP_COUNT):
        pattern = evaluation.code_pattern(evaluation.group_code(s.board, group))
        out[group] = offset + np.int64(patterns.GROUP_WEIGHTS_OFFSET[group]) + pattern
    out[patterns.GROUP_COUNT] = offset + patterns.EMPTY_CELLS_WEIGHTS_OFFSET + s.room
    return FEATURES


@jit
def afterstate_values(scratch, seat, moves, values, weights):
    """Writes every legal action of scratch[0] and the value after it, returns their number.

    Values are in points, by the given weights. A ball that comes on a random cell counts with
    its mean gain over all empty cells. Overwrites scratch[1].
    """
    s = scratch[0]
    n = legal(s, seat, moves)
    empty_cells = s.room - s.coming
    incremental = _has_weights(s) and empty_cells > 0
    next_board = np.empty(patterns.PADDED_CELLS, np.uint8)
    codes = np.empty(patterns.GROUP_COUNT, np.uint32)
    group_patterns = np.empty(patterns.GROUP_COUNT, np.uint16)
    group_values = np.empty(patterns.GROUP_COUNT)
    base = 0.0
    offset = _weights_offset(s, empty_cells) if incremental else 0
    phase_weights = weights[offset : offset + patterns.WEIGHT_COUNT]
    if incremental:
        for index in range(patterns.PADDED_CELLS):
            next_board[index] = s.board[index]
        for i in range(s.coming):
            cell = np.int64(s.coming_cell[i])
            if cell != NO_CELL and s.board[patterns.PADDED_INDEX[cell]] == 0:
                next_board[patterns.PADDED_INDEX[cell]] = s.coming_colour[i]
        total, has_line = evaluation.evaluate_groups(
            next_board, phase_weights, codes, group_patterns, group_values
        )
        base += total + phase_weights[patterns.EMPTY_CELLS_WEIGHTS_OFFSET + empty_cells]
        incremental = not has_line
    if not incremental:
        for i in range(n):
            scratch[1] = s
            apply(scratch[1], seat, moves[i])
            values[i] = _value_in_points(scratch[1], weights)
        return n

    gains = np.empty((patterns.CELLS, MAX_COLOURS + 1))
    lines = np.empty(patterns.CELLS, np.uint8)
    has_announced = np.empty(patterns.GROUP_COUNT, np.uint8)
    mean_gains = np.empty(MAX_COLOURS + 1)
    corrections = np.empty(patterns.PADDED_CELLS)
    evaluation.placement_gains(
        s.board,
        next_board,
        phase_weights,
        codes,
        group_patterns,
        group_values,
        has_announced,
        gains,
        lines,
        mean_gains,
    )
    for i in range(s.coming):
        cell = np.int64(s.coming_cell[i])
        if cell != NO_CELL and s.board[patterns.PADDED_INDEX[cell]] == 0:
            for colour in range(1, MAX_COLOURS + 1):
                # A ball moved here displaces the announced ball to a random cell.
                gains[cell, colour] += mean_gains[s.coming_colour[i]]
        elif s.shown:
            base += mean_gains[s.coming_colour[i]]
        else:
            for colour in range(1, s.colours + 1):
                base += mean_gains[colour] / s.colours
    discount = _future_discount(s)
    ball = NO_CELL
    colour = 0
    without_ball = base
    for i in range(n):
        origin = np.int64(moves[i]) // patterns.CELLS
        target = np.int64(moves[i]) - origin * patterns.CELLS
        if origin != ball:
            ball = origin
            index = np.int64(patterns.PADDED_INDEX[ball])
            colour = np.int64(next_board[index])
            without_ball = base + evaluation.removal_gain(
                s.board,
                next_board,
                index,
                phase_weights,
                codes,
                group_patterns,
                group_values,
                has_announced,
                corrections,
            )
        future = without_ball + gains[target, colour] + corrections[patterns.PADDED_INDEX[target]]
        values[i] = s.score + discount * future
        # `lines` also counts the moved ball on its origin and announced balls, so play the move to
        # find out whether it scores.
        if lines[target] >> colour & 1:
            scratch[1] = s
            apply(scratch[1], seat, moves[i])
            if scratch[1].score != s.score:
                values[i] = _value_in_points(scratch[1], weights)
    return n


@jit
def one_ply_values(scratch, seat, moves, values):
    """Writes every legal action of scratch[0] and the evaluation after it, returns their number.

    Overwrites scratch[1].
    """
    n = afterstate_values(scratch, seat, moves, values, WEIGHTS)
    for i in range(n):
        values[i] = _squash(values[i])
    return n


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
