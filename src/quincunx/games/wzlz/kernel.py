"""Wzlz's rules, compiled.

A cell's number is row * cols + column; an action is from * (rows * cols) + to. The board
has guards around it, always 0, so that rays and neighbours need not look for the edge.
With 3 rows of 4 cells, by place:

     0  1  2  3  4         cell 0 has place 6, cell 4 place 11:
     5 [6  7  8  9]        place = cell + row + cols + 2
    10 [.  .  .  .]        the guard on the left of a row is that on the right of the row above
    15 [.  .  .  .]
    20 21 22 23 24 25      beside it, `empty` has a word per row with a bit per empty cell
"""

import numpy as np

from quincunx.games.wzlz import evaluation, patterns
from quincunx.jit import jit, lowest_bit, popcount
from quincunx.position import HEADER, init_header, mix, random_below, reseed

SEATS = 1
SIDE = 16
CELLS = SIDE * SIDE
PLACES = (SIDE + 2) * (SIDE + 1) + 1
REGIONS = CELLS // 2 + 1
COLOURS = 7
MOST_COMING = 16
MOST_POINTS = 10**9
ACTIONS = CELLS * CELLS
PLANES = (2 * COLOURS, SIDE, SIDE)

# `legal` works out regions of empty cells in `out` itself, past the last action that there can
# be: at best half of the cells hold balls, and each of them reaches the other half. From there,
#   REGION  the number of each place's region, 0 for balls and guards
#   ROOT    the lowest number given to the same region, for each number
#   KNOWN   four for each region: where the actions of a ball that reaches just this region
#           begin, how many they are (0: no such ball yet), its number * (rows * cols), nothing
#   MASK    eight for each region: a bit for each of its cells, 32 cells to the word
REGION = 0
ROOT = REGION + PLACES
KNOWN = ROOT + REGIONS
MASK = KNOWN + 4 * REGIONS
MAX_LEGAL = CELLS * CELLS // 4 + MASK + 8 * REGIONS

NOWHERE = -1

# How many of the first balls may be drawn again because they form a line.
REDRAWS = 1000

STATE = np.dtype(
    [
        *HEADER,
        ("rows", "i4"),
        ("cols", "i4"),
        ("colours", "i4"),
        ("match", "i4"),
        ("per_turn", "i4"),
        ("shown", "u1"),
        ("lines98", "u1"),
        ("unswept", "u1"),  # a line may stand on the board, because the position was read
        ("score", "i8"),
        ("room", "i4"),  # how many cells are empty
        ("empty", "u2", (SIDE,)),
        ("gone", "u2", (SIDE,)),  # the cells of lines that were found, until they are swept
        ("origin", "i4"),  # the last move, and the empty cells before it
        ("target", "i4"),
        ("was", "u2", (SIDE,)),
        ("coming", "i4"),  # the balls that come next; NOWHERE = on any cell
        ("coming_colour", "u1", (MOST_COMING,)),
        ("coming_cell", "i2", (MOST_COMING,)),
        ("came", "i4"),  # the balls that came last
        ("came_cell", "i2", (MOST_COMING,)),
        ("board", "u1", (PLACES,)),  # 0 = empty, 1..7 = colours
    ]
)

# What a board of 9 x 9 is worth was learnt from play: weights for lines98, then for wzlz, each
# for three stages, with much room, less, and little.
STAGES = 3
ROOMY, CROWDED = 48, 36
FEATURES = patterns.GROUPS + 1
# How much a point to come counts beside one in hand, which nothing can take away any more.
PATIENCE, PATIENCE_98 = 0.5, 0.25
WEIGHTS = evaluation.LEARNT

# What happens in a play. CAME and FADED repeat while lines of new balls empty the board.
DONE, MOVED, CLEARED, CAME, FADED = range(5)
EVENTS = ("", "move", "clear", "come", "fade")


@jit
def _put(s, cell, colour):
    """Puts a ball on an empty cell."""
    row = cell // s.cols
    s.board[cell + row + s.cols + 2] = colour
    s.empty[row] ^= 1 << (cell - row * s.cols)
    s.room -= 1


@jit
def _take(s, cell):
    """Takes the ball off a cell and returns its colour."""
    row = cell // s.cols
    place = cell + row + s.cols + 2
    colour = s.board[place]
    s.board[place] = 0
    s.empty[row] ^= 1 << (cell - row * s.cols)
    s.room += 1
    return colour


@jit
def _some_empty(s):
    """A random empty cell; there must be one."""
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
def _find_lines(s, cell):
    """Marks the balls of all lines through a cell's ball as gone; True if there are any."""
    row = cell // s.cols
    col = cell - row * s.cols
    stride = s.cols + 1
    place = cell + row + stride + 1
    colour = s.board[place]
    found = False
    for down, right in ((0, 1), (1, -1), (1, 0), (1, 1)):
        step = down * stride + right
        ahead = 0
        while s.board[place + (ahead + 1) * step] == colour:
            ahead += 1
        behind = 0
        while s.board[place - (behind + 1) * step] == colour:
            behind += 1
        if ahead + behind + 1 >= s.match:
            found = True
            for k in range(-behind, ahead + 1):
                s.gone[row + k * down] |= 1 << (col + k * right)
    return found


@jit
def _find_all_lines(s):
    """Marks the balls of every line on the board as gone; True if there are any."""
    found = False
    for cell in range(s.rows * s.cols):
        if s.board[cell + cell // s.cols + s.cols + 2]:
            found |= _find_lines(s, cell)
    return found


@jit
def _spare(s):
    """Forgets the lines that were found."""
    for row in range(s.rows):
        s.gone[row] = 0


@jit
def _sweep(s):
    """Takes the balls of the lines that were found off the board; returns how many."""
    before = s.room
    for row in range(s.rows):
        bits = np.int64(s.gone[row])
        while bits:
            _take(s, row * s.cols + lowest_bit(bits))
            bits &= bits - 1
    _spare(s)
    return s.room - before


@jit
def _win(s, points):
    """Adds to the score, within what a text can hold."""
    s.score = max(-MOST_POINTS, min(MOST_POINTS, s.score + points))


@jit
def _announce(s):
    """Draws the cells of the balls that come next: separate ones in lines98, otherwise none."""
    if not s.lines98:
        for i in range(s.coming):
            s.coming_cell[i] = NOWHERE
        return
    s.coming = min(s.coming, s.room)
    for i in range(s.coming):
        # The ball stands there for a moment, so that no other gets the same cell.
        cell = _some_empty(s)
        _put(s, cell, 1)
        s.coming_cell[i] = cell
    for i in range(s.coming):
        _take(s, np.int64(s.coming_cell[i]))


@jit
def _draw_next(s, count):
    """Draws the balls that come next."""
    s.coming = count
    for i in range(count):
        s.coming_colour[i] = 1 + random_below(s, s.colours)
    _announce(s)


@jit
def _first_balls(s, count):
    """Puts that many balls on random cells, so that they form no line."""
    redraws = 0
    while count and redraws < REDRAWS:
        cell = _some_empty(s)
        _put(s, cell, 1 + random_below(s, s.colours))
        if _find_lines(s, cell):
            _spare(s)
            _take(s, cell)
            redraws += 1
        else:
            count -= 1
    if count == 0:
        return
    # The board is so crowded that no ball may fit any more. Two colours always do, like this,
    # for it has no three in a row:    a a b b
    #                                  b b a a
    for _ in range(count):
        _put(s, _some_empty(s), 1)
    a = random_below(s, s.colours)
    b = (a + 1 + random_below(s, s.colours - 1)) % s.colours
    for cell in range(s.rows * s.cols):
        row = cell // s.cols
        place = cell + row + s.cols + 2
        if s.board[place]:
            s.board[place] = 1 + (b if (cell - row * s.cols + 2 * row) & 2 else a)


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
    s.origin = s.target = NOWHERE
    s.coming = s.came = 0
    for place in range(PLACES):
        s.board[place] = 0
    for row in range(SIDE):
        s.gone[row] = s.was[row] = 0
        s.empty[row] = (1 << s.cols) - 1 if row < s.rows else 0
    s.room = s.rows * s.cols
    s.unswept = 0
    _first_balls(s, options[5])
    _draw_next(s, s.per_turn)


@jit
def restore(s):
    """Makes a position whose board, score and next balls were just written whole.

    Next balls are drawn if there are none, and in lines98 their cells if they have none.
    """
    s.room = 0
    for row in range(s.rows):
        s.empty[row] = 0
        for col in range(s.cols):
            if s.board[(row + 1) * (s.cols + 1) + 1 + col] == 0:
                s.empty[row] |= 1 << col
                s.room += 1
    s.over = s.room == 0
    s.unswept = _find_all_lines(s)
    _spare(s)
    if s.coming == 0:
        _draw_next(s, s.per_turn)
    elif s.coming_cell[0] == NOWHERE:
        _announce(s)


@jit
def _at(out, i):
    """out[i]; an unsigned index spares the compiler the case of negative ones."""
    return np.int64(out[np.uint64(i)])


@jit
def _root(out, root, region):
    """The lowest number given to the same region so far."""
    while _at(out, root + region) != region:
        region = _at(out, root + region)
    return region


@jit
def _find_regions(s, out, work):
    """Works out the regions of connected empty cells.

    Each run of empty cells in a row takes its region from the row above; where it touches
    several there, the lowest becomes the root of the others.
    """
    stride = s.cols + 1
    region, root, mask = work + REGION, work + ROOT, work + MASK
    words = (s.rows * s.cols + 63) // 64 * 2
    guarded = out[region : region + (s.rows + 2) * stride + 1]
    for place in range(len(guarded)):
        guarded[place] = 0
    highest = 0
    above = 0
    for row in range(s.rows):
        first = row * s.cols
        edge = region + (row + 1) * stride + 1
        here = rest = np.int64(s.empty[row])
        while rest:
            # The sum carries through the lowest run of bits, which tells it from the rest.
            run = rest & ~(rest + (rest & -rest))
            rest ^= run
            touched = run & above
            if touched:
                mine = _root(out, root, _at(out, edge - stride + lowest_bit(touched)))
                touched &= touched + (touched & -touched)
                while touched:
                    other = _root(out, root, _at(out, edge - stride + lowest_bit(touched)))
                    touched &= touched + (touched & -touched)
                    out[root + max(mine, other)] = min(mine, other)
                    mine = min(mine, other)
            else:
                highest += 1
                mine = highest
                out[root + mine] = mine
                for i in range(words):
                    out[mask + 8 * mine + i] = 0
            bits = run << (first & 31)
            at = mask + 8 * mine + first // 32
            # As a signed number, since such is the type of `out`.
            out[np.uint64(at)] |= (bits & 0x7FFFFFFF) - (bits & 0x80000000)
            if bits >> 32:
                out[at + 1] |= bits >> 32
            while run:
                out[np.uint64(edge + lowest_bit(run))] = mine
                run &= run - 1
        above = here
    out[root] = 0
    for i in range(words):
        out[mask + i] = 0
    for number in range(1, highest + 1):
        mine = _at(out, root + _at(out, root + number))
        out[root + number] = mine
        out[work + KNOWN + 4 * number + 1] = 0
        if mine != number:
            for i in range(words):
                out[mask + 8 * mine + i] |= out[mask + 8 * number + i]


@jit
def _movable(s, row):
    """The balls of a row that touch an empty cell, as bits."""
    here = np.int64(s.empty[row])
    above = np.int64(s.empty[row - 1]) if row > 0 else 0
    below = np.int64(s.empty[row + 1]) if row + 1 < s.rows else 0
    return (here << 1 | here >> 1 | above | below) & ~here & ((1 << s.cols) - 1)


@jit
def _around(s, out, work, ball, row):
    """The regions that a ball touches, 0 where there is none, and the highest of them."""
    root = work + ROOT
    stride = s.cols + 1
    place = work + REGION + ball + row + stride + 1
    a = _at(out, root + _at(out, place - stride))
    b = _at(out, root + _at(out, place - 1))
    c = _at(out, root + _at(out, place + 1))
    d = _at(out, root + _at(out, place + stride))
    return a, b, c, d, max(max(a, b), max(c, d))


@jit
def _touches_one(a, b, c, d, top):
    """True when all regions that a ball touches are the same."""
    return (a * (top - a) | b * (top - b) | c * (top - c) | d * (top - d)) == 0


@jit
def _reach(out, low, a, b, c, d):
    """The cells of up to four regions, 64 of them from the word at `low` on, as bits."""
    high = low + 1
    return (
        (_at(out, low + 8 * a) | _at(out, low + 8 * b))
        | (_at(out, low + 8 * c) | _at(out, low + 8 * d))
    ) & 0xFFFFFFFF | (
        (_at(out, high + 8 * a) | _at(out, high + 8 * b))
        | (_at(out, high + 8 * c) | _at(out, high + 8 * d))
    ) << 32


@jit
def legal(s, seat, out):
    """Writes the legal actions, ascending, into out and returns how many."""
    if s.over or s.stage or seat != 0:
        return 0
    cells = np.int64(s.rows * s.cols)
    work = cells * cells // 4
    _find_regions(s, out, work)
    n = 0
    for row in range(s.rows):
        balls = _movable(s, row)
        while balls:
            ball = row * s.cols + lowest_bit(balls)
            balls &= balls - 1
            a, b, c, d, top = _around(s, out, work, ball, row)
            one = _touches_one(a, b, c, d, top)
            base = ball * cells
            known = work + KNOWN + 4 * top
            count = _at(out, known + 1)
            if one and count:
                # Copying what another ball reaches is faster than going through bits again.
                first = _at(out, known)
                further = base - _at(out, known + 2)
                source, copied = out[first : first + count], out[n : n + count]
                for i in range(count):
                    copied[i] = source[i] + further
                n += count
                continue
            first = n
            for w in range(0, cells, 64):
                bits = _reach(out, work + MASK + w // 32, a, b, c, d)
                while bits:
                    out[np.uint64(n)] = base + w + lowest_bit(bits)
                    bits &= bits - 1
                    n += 1
            if one:
                out[known] = first
                out[known + 1] = n - first
                out[known + 2] = base
    return n


@jit
def sample(s, seat, out, random_bits):
    """Returns out[random_bits * n >> 32] of the n legal actions without writing them all."""
    cells = np.int64(s.rows * s.cols)
    work = cells * cells // 4
    _find_regions(s, out, work)
    # How far each ball reaches, in `out` from 0 on.
    n = 0
    movable = 0
    for row in range(s.rows):
        balls = _movable(s, row)
        while balls:
            ball = row * s.cols + lowest_bit(balls)
            balls &= balls - 1
            a, b, c, d, top = _around(s, out, work, ball, row)
            known = work + KNOWN + 4 * top + 1
            one = _touches_one(a, b, c, d, top)
            count = _at(out, known) if one else 0
            if count == 0:
                for w in range(0, cells, 64):
                    count += popcount(_reach(out, work + MASK + w // 32, a, b, c, d))
                if one:
                    out[known] = count
            out[movable] = ball
            out[movable + 1] = count
            movable += 2
            n += count
    k = np.int64(np.uint64(random_bits) * np.uint64(n) >> np.uint64(32))
    i = 0
    while k >= _at(out, i + 1):
        k -= _at(out, i + 1)
        i += 2
    ball = _at(out, i)
    a, b, c, d, _ = _around(s, out, work, ball, ball // s.cols)
    w = 0
    bits = _reach(out, work + MASK, a, b, c, d)
    while k >= popcount(bits):
        k -= popcount(bits)
        w += 64
        bits = _reach(out, work + MASK + w // 32, a, b, c, d)
    for _ in range(k):
        bits &= bits - 1
    return ball * cells + w + lowest_bit(bits)


@jit
def begin(s, seat, action):
    """Starts a play: the ball stands on its new cell. Returns the event."""
    cells = s.rows * s.cols
    s.origin = action // cells
    s.target = action % cells
    for row in range(s.rows):
        s.was[row] = s.empty[row]
    _put(s, s.target, _take(s, s.origin))
    s.stage = MOVED
    return MOVED


@jit
def _come(s):
    """Lets the next balls come, as many as fit, each on its announced cell or a random one."""
    s.came = min(s.coming, s.room)
    for i in range(s.came):
        cell = np.int64(s.coming_cell[i])
        if cell == NOWHERE or s.board[cell + cell // s.cols + s.cols + 2]:
            cell = _some_empty(s)
        _put(s, cell, s.coming_colour[i])
        s.came_cell[i] = cell


@jit
def _find_new_lines(s):
    """Marks the balls of every line on the board, once new balls have come, as gone."""
    if s.unswept:
        s.unswept = 0
        return _find_all_lines(s)
    # All lines before were swept, so that only through new balls there can be others.
    found = False
    for i in range(s.came):
        found |= _find_lines(s, np.int64(s.came_cell[i]))
    return found


@jit
def advance(s):
    """Lets the play that has begun go on until something happens; returns the event, or DONE."""
    if s.stage == DONE:
        return DONE
    if s.stage == MOVED and _find_lines(s, s.target):
        n = _sweep(s)
        _win(s, n * (n - 4) if s.lines98 else 2 * n)
        s.stage = CLEARED
        return CLEARED
    if s.stage == CAME and _find_new_lines(s):
        n = _sweep(s)
        _win(s, n * (n - 4) if s.lines98 else 0)
        s.stage = FADED
        return FADED
    if s.stage == CAME or s.stage == FADED:
        _draw_next(s, s.per_turn)
    if s.stage == MOVED or s.room == s.rows * s.cols:
        # No match, or an empty board on which nobody could move.
        _come(s)
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
    """Writes the cells of a shortest way, both ends too, into out and returns how many.

    `empty` is `s.empty`, or `s.was` for the last move. 0 if there is no way.
    """
    cells = s.rows * s.cols
    queue = np.empty(cells, np.int64)
    onward = np.empty(cells, np.int64)
    for cell in range(cells):
        onward[cell] = NOWHERE
    # From the target back, so that afterwards each cell knows the next one on its way.
    onward[target] = target
    queue[0] = target
    tail = 1
    for head in range(cells):
        if head == tail or onward[origin] != NOWHERE:
            break
        for down, right in ((-1, 0), (0, -1), (0, 1), (1, 0)):
            row, col = queue[head] // s.cols + down, queue[head] % s.cols + right
            near = row * s.cols + col
            if 0 <= row < s.rows and 0 <= col < s.cols and onward[near] == NOWHERE:
                if near == origin or empty[row] >> col & 1:
                    onward[near] = queue[head]
                    queue[tail] = near
                    tail += 1
    if onward[origin] == NOWHERE:
        return 0
    n = 1
    out[0] = origin
    while out[n - 1] != target:
        out[n] = onward[out[n - 1]]
        n += 1
    return n


@jit
def scores(s, out):
    """Writes the score."""
    out[0] = s.score


@jit
def hide(s, seat, seed):
    """Draws the generator anew, and the next balls where they are not shown."""
    reseed(s, seed)
    if not s.shown:
        _draw_next(s, s.coming)


@jit
def _known(s):
    """True where there are weights for the board: 9 x 9, with lines of five."""
    return s.rows == patterns.SIDE and s.cols == patterns.SIDE and s.match == patterns.MATCH


@jit
def _first_weight(s, room):
    """Where the weights for a position with so much room begin."""
    stage = 0 if room >= ROOMY else 1 if room >= CROWDED else 2
    return ((0 if s.lines98 else STAGES) + stage) * patterns.WEIGHTS


@jit
def _patience(s):
    """How much a point to come counts."""
    return PATIENCE_98 if s.lines98 else PATIENCE


@jit
def _lines_on_their_way(s):
    """About how many points the balls that could become lines are worth."""
    worth = 0.0
    stride = s.cols + 1
    reach = s.match - 1
    for row in range(s.rows):
        for col in range(s.cols):
            for down, right in ((0, 1), (1, -1), (1, 0), (1, 1)):
                if row + reach * down >= s.rows or not 0 <= col + reach * right < s.cols:
                    continue
                # Balls of one colour and nothing else where a line could be: each of them
                # makes it worth four times as much, up to 1.6 points if one is missing.
                place = (row + 1) * stride + 1 + col
                colour = 0
                missing = s.match
                for _ in range(s.match):
                    here = s.board[place]
                    place += down * stride + right
                    if here:
                        if colour and here != colour:
                            missing = s.match
                            break
                        colour = here
                        missing -= 1
                if missing < reach:
                    worth += 6.4 * 0.25**missing
    return worth


@jit
def _worth(s, weights):
    """The score, and what is still to come."""
    if s.room == 0:
        return np.float64(s.score)
    if _known(s):
        first = _first_weight(s, s.room)
        part = weights[first : first + patterns.WEIGHTS]
        return s.score + _patience(s) * evaluation.outlook(s.board, s.room, part)
    return s.score + s.room + _lines_on_their_way(s)


@jit
def _squashed(worth):
    """Points as a number from -1 to 1."""
    return worth / (1000.0 + abs(worth))


@jit
def evaluate(s, seat):
    """How good the position is, from -1 to 1: the score, and what is still to come."""
    return _squashed(_worth(s, WEIGHTS))


@jit
def features(s, seat, out):
    """Writes which weights make up what is still to come, and returns how many; 0 if none do."""
    if s.room == 0 or not _known(s):
        return 0
    first = _first_weight(s, s.room)
    for group in range(patterns.GROUPS):
        pattern = evaluation.pattern_of(evaluation.code_of(s.board, group))
        out[group] = first + np.int64(patterns.BLOCK[group]) + pattern
    out[patterns.GROUPS] = first + patterns.BY_ROOM + s.room
    return FEATURES


@jit
def afterstate_values(room, seat, moves, values, weights):
    """Writes every legal action of room[0] and what the position is worth after it; how many.

    In points, by the weights. Balls that come on cells that nobody knows count with what
    they bring on average.
    """
    s = room[0]
    n = legal(s, seat, moves)
    left = s.room - s.coming
    simple = _known(s) and left > 0
    then = np.empty(patterns.PLACES, np.uint8)
    codes = np.empty(patterns.GROUPS, np.uint32)
    formed = np.empty(patterns.GROUPS, np.uint16)
    worths = np.empty(patterns.GROUPS)
    base = 0.0
    first = _first_weight(s, left) if simple else 0
    part = weights[first : first + patterns.WEIGHTS]
    if simple:
        for place in range(patterns.PLACES):
            then[place] = s.board[place]
        for i in range(s.coming):
            cell = np.int64(s.coming_cell[i])
            if cell != NOWHERE and s.board[patterns.PLACE[cell]] == 0:
                then[patterns.PLACE[cell]] = s.coming_colour[i]
        total, line = evaluation.survey(then, part, codes, formed, worths)
        base += total + part[patterns.BY_ROOM + left]
        simple = not line
    if not simple:
        for i in range(n):
            room[1] = s
            apply(room[1], seat, moves[i])
            values[i] = _worth(room[1], weights)
        return n

    gains = np.empty((patterns.CELLS, COLOURS + 1))
    lines = np.empty(patterns.CELLS, np.uint8)
    awaited = np.empty(patterns.GROUPS, np.uint8)
    means = np.empty(COLOURS + 1)
    more = np.empty(patterns.PLACES)
    evaluation.arrivals(s.board, then, part, codes, formed, worths, awaited, gains, lines, means)
    for i in range(s.coming):
        cell = np.int64(s.coming_cell[i])
        if cell != NOWHERE and s.board[patterns.PLACE[cell]] == 0:
            for colour in range(1, COLOURS + 1):
                gains[cell, colour] += means[s.coming_colour[i]]  # driven away, it comes anywhere
        elif s.shown:
            base += means[s.coming_colour[i]]
        else:
            for colour in range(1, s.colours + 1):
                base += means[colour] / s.colours
    patience = _patience(s)
    ball = NOWHERE
    colour = 0
    without = base
    for i in range(n):
        origin = np.int64(moves[i]) // patterns.CELLS
        target = np.int64(moves[i]) - origin * patterns.CELLS
        if origin != ball:
            ball = origin
            place = np.int64(patterns.PLACE[ball])
            colour = np.int64(then[place])
            without = base + evaluation.departure(
                s.board, then, place, part, codes, formed, worths, awaited, more
            )
        to_come = without + gains[target, colour] + more[patterns.PLACE[target]]
        values[i] = s.score + patience * to_come
        if lines[target] >> colour & 1:
            room[1] = s
            apply(room[1], seat, moves[i])
            if room[1].score != s.score:
                values[i] = _worth(room[1], weights)
    return n


@jit
def one_ply_values(room, seat, moves, values):
    """Writes every legal action of room[0] and how good the position is after it; how many."""
    n = afterstate_values(room, seat, moves, values, WEIGHTS)
    for i in range(n):
        values[i] = _squashed(values[i])
    return n


@jit
def key(s):
    """A hash of board, next balls and score."""
    total = mix(np.uint64(s.score))
    for place in range((s.rows + 2) * (s.cols + 1)):
        if s.board[place]:
            total += mix(np.uint64(place * 8 + np.int64(s.board[place])))
    for i in range(s.coming):
        ball = (np.int64(s.coming_cell[i]) + 1) * 8 + np.int64(s.coming_colour[i])
        total += mix(np.uint64((i + 1) * 8 * PLACES + ball))
    return mix(total)


@jit
def observe(s, seat, planes):
    """Writes a plane of balls to each colour, then in the same way those that come next.

    A ball that may come on any cell is spread over all; next balls that are not shown are 0.
    """
    part = np.float32(1.0) / np.float32(s.rows * s.cols)
    for row in range(s.rows):
        for col in range(s.cols):
            for plane in range(2 * COLOURS):
                planes[plane, row, col] = 0.0
            colour = np.int64(s.board[(row + 1) * (s.cols + 1) + 1 + col])
            if colour:
                planes[colour - 1, row, col] = 1.0
            for i in range(s.coming if s.shown else 0):
                plane = COLOURS + np.int64(s.coming_colour[i]) - 1
                if s.coming_cell[i] == row * s.cols + col:
                    planes[plane, row, col] += 1.0
                elif s.coming_cell[i] == NOWHERE:
                    planes[plane, row, col] += part
