"""Wzlz's rules, compiled.

A cell's number is row * cols + column; an action is from * (rows * cols) + to. The board
has guards around it, always 0, so that rays and neighbours need not look for the edge.
With 3 rows of 4 cells, by place:

     0  1  2  3  4         cell 0 has place 6, cell 4 place 11:
     5 [6  7  8  9]        place = cell + row + cols + 2
    10 [.  .  .  .]        so the guard left of a row is the one right of the row above
    15 [.  .  .  .]
    20 21 22 23 24 25      beside it, `empty` has a word per row, a bit per empty cell
"""

import numpy as np

from quincunx.jit import jit, lowest, popcount
from quincunx.position import HEADER, clear, mix, roll

SEATS = 1
SIDE = 16
CELLS = SIDE * SIDE
PLACES = (SIDE + 2) * (SIDE + 1) + 1
REGIONS = CELLS // 2 + 1
COLOURS = 7
MOST_NEXT = 16
MOST_POINTS = 10**9
ACTIONS = CELLS * CELLS
PLANES = (2 * COLOURS, SIDE, SIDE)

REGION = 0
ROOT = REGION + PLACES
KNOWN = ROOT + REGIONS
MASK = KNOWN + 4 * REGIONS
MAX_LEGAL = CELLS * CELLS // 4 + MASK + 8 * REGIONS

NOWHERE = -1

# How often the first balls are redrawn for forming a line before they are coloured by pattern.
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
        ("unswept", "u1"),  # a line may stand on the board: the position was read
        ("score", "i8"),
        ("room", "i4"),  # how many cells are empty
        ("empty", "u2", (SIDE,)),
        ("gone", "u2", (SIDE,)),  # the cells of lines found, until they are swept
        ("origin", "i4"),  # the last move, and which cells were empty before it
        ("target", "i4"),
        ("was", "u2", (SIDE,)),
        ("coming", "i4"),  # the balls that come next; NOWHERE = no cell announced
        ("coming_colour", "u1", (MOST_NEXT,)),
        ("coming_cell", "i2", (MOST_NEXT,)),
        ("came", "i4"),  # the balls that came last
        ("came_cell", "i2", (MOST_NEXT,)),
        ("board", "u1", (PLACES,)),  # 0 = empty, 1..7 = colours
    ]
)

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
    k = roll(s, s.room)
    row = 0
    bits = np.int64(s.empty[0])
    n = popcount(bits)
    while k >= n:
        k -= n
        row += 1
        bits = np.int64(s.empty[row])
        n = popcount(bits)
    for _ in range(k):
        bits &= bits - 1
    return row * s.cols + lowest(bits)


@jit
def _find_lines(s, cell):
    """Marks the lines through the ball on a cell as gone; True if there are any."""
    row = cell // s.cols
    col = cell - row * s.cols
    stride = s.cols + 1
    place = cell + row + stride + 1
    colour = s.board[place]
    found = False
    # East, south-west, south, south-east, and back.
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
    """Marks every line on the board as gone; True if there are any."""
    found = False
    for cell in range(s.rows * s.cols):
        if s.board[cell + cell // s.cols + s.cols + 2]:
            found |= _find_lines(s, cell)
    return found


@jit
def _sweep(s):
    """Takes the marked balls off the board and returns how many they were."""
    before = s.room
    for row in range(s.rows):
        bits = np.int64(s.gone[row])
        while bits:
            _take(s, row * s.cols + lowest(bits))
            bits &= bits - 1
        s.gone[row] = 0
    return s.room - before


@jit
def _sweep_nothing(s):
    """Forgets the lines that were found."""
    for row in range(s.rows):
        s.gone[row] = 0


@jit
def _win(s, points):
    """Adds to the score, within what a text can hold."""
    s.score = max(-MOST_POINTS, min(MOST_POINTS, s.score + points))


@jit
def _announce(s):
    """In lines98, draws separate empty cells for the balls that come next."""
    for i in range(s.coming):
        s.coming_cell[i] = NOWHERE
        if s.lines98:
            # The ball stands there for a moment, so that no other is announced there.
            s.coming_cell[i] = _some_empty(s)
            _put(s, s.coming_cell[i], 1)
    if s.lines98:
        for i in range(s.coming):
            _take(s, s.coming_cell[i])


@jit
def _draw_next(s, count):
    """Draws the balls that come next."""
    s.coming = count
    for i in range(count):
        s.coming_colour[i] = 1 + roll(s, s.colours)
    _announce(s)


@jit
def _next_count(s):
    """How many balls are drawn to come next."""
    return min(s.per_turn, s.room) if s.lines98 else s.per_turn


@jit
def _first_balls(s, count):
    """Puts balls on random cells, none of which form a line."""
    redraws = 0
    while count and redraws < REDRAWS:
        cell = _some_empty(s)
        _put(s, cell, 1 + roll(s, s.colours))
        if _find_lines(s, cell):
            _sweep_nothing(s)
            _take(s, cell)
            redraws += 1
        else:
            count -= 1
    if count:
        # The board is so crowded that no colour may fit any more. This always does, having no
        # three in a row:    a a b b
        #                    b b a a
        for _ in range(count):
            _put(s, _some_empty(s), 1)
        a = roll(s, s.colours)
        b = (a + 1 + roll(s, s.colours - 1)) % s.colours
        for cell in range(s.rows * s.cols):
            row = cell // s.cols
            place = cell + row + s.cols + 2
            if s.board[place]:
                s.board[place] = 1 + (b if (cell - row * s.cols + 2 * row) & 2 else a)


@jit
def start(s, options, seed):
    """Writes the first position; options in the order of `rules.OPTIONS`."""
    clear(s, seed)
    s.rows = options[0]
    s.cols = options[1]
    s.colours = options[2]
    s.match = options[3]
    s.per_turn = options[4]
    s.shown = options[6]
    s.lines98 = options[7]
    s.score = 0
    s.origin = s.target = NOWHERE
    s.came = 0
    s.coming = 0
    s.board[:] = 0
    s.gone[:] = 0
    s.was[:] = 0
    restore(s)
    _first_balls(s, options[5])
    _draw_next(s, _next_count(s))


@jit
def restore(s):
    """Makes a position whose board, score and next balls were just written whole.

    Draws the next balls if there are none, and their cells if they have none.
    """
    s.empty[:] = 0
    s.room = 0
    s.unswept = 0
    for cell in range(s.rows * s.cols):
        row = cell // s.cols
        if s.board[cell + row + s.cols + 2] == 0:
            s.empty[row] |= 1 << (cell - row * s.cols)
            s.room += 1
    if _find_all_lines(s):
        s.unswept = 1
        _sweep_nothing(s)
    s.over = s.room == 0
    if s.coming == 0:
        _draw_next(s, _next_count(s))
    elif s.lines98 and s.coming_cell[0] == NOWHERE:
        _announce(s)


@jit
def _at(out, i):
    """out[i]; the unsigned index spares a look whether it is negative."""
    return np.int64(out[np.uint64(i)])


@jit
def _root(out, root, region):
    """The lowest of the numbers that the parts of a region were given."""
    while out[root + region] != region:
        region = out[root + region]
    return region


@jit
def _low_half(bits):
    """The lower 32 bits as a signed number."""
    bits &= 0xFFFFFFFF
    return bits - ((bits & 0x80000000) << 1)


@jit
def _find_regions(s, out, work):
    """Finds the regions of connected empty cells, and writes them to the work space.

    Each run of empty cells in a row takes its region from the row above; where it touches
    several there, the lowest becomes the root of the others.
    """
    stride = s.cols + 1
    region = work + REGION
    root = work + ROOT
    mask = work + MASK
    words = (s.rows * s.cols + 63) // 64 * 2
    for place in range((s.rows + 2) * stride + 1):
        out[region + place] = 0
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
                mine = _root(out, root, out[edge - stride + lowest(touched)])
                touched &= touched + (touched & -touched)
                while touched:
                    other = _root(out, root, out[edge - stride + lowest(touched)])
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
            out[at] |= _low_half(bits)
            if bits >> 32:
                out[at + 1] |= bits >> 32
            while run:
                out[edge + lowest(run)] = mine
                run &= run - 1
        above = here
    out[root] = 0
    for i in range(words):
        out[mask + i] = 0
    for mine in range(1, highest + 1):
        own = np.int64(out[root + out[root + mine]])
        out[root + mine] = own
        out[work + KNOWN + 4 * mine + 1] = 0
        if own != mine:
            for i in range(words):
                out[mask + 8 * own + i] |= out[mask + 8 * mine + i]


@jit
def legal(s, seat, out):
    """Writes the legal actions, ascending, into out and returns how many."""
    if s.over or seat != 0:
        return 0
    cells = np.int64(s.rows * s.cols)
    work = cells * cells // 4
    stride = s.cols + 1
    root = work + ROOT
    mask = work + MASK
    _find_regions(s, out, work)
    n = 0
    above = 0
    for row in range(s.rows):
        here = np.int64(s.empty[row])
        below = np.int64(s.empty[row + 1]) if row + 1 < s.rows else 0
        beside = here << 1 | here >> 1 | above | below
        balls = beside & ~here & ((1 << s.cols) - 1)
        above = here
        while balls:
            ball = row * s.cols + lowest(balls)
            balls &= balls - 1
            place = work + REGION + ball + row + stride + 1
            up = _at(out, root + _at(out, place - stride))
            left = _at(out, root + _at(out, place - 1))
            right = _at(out, root + _at(out, place + 1))
            down = _at(out, root + _at(out, place + stride))
            one = max(max(up, left), max(right, down))
            alone = (
                ((up == 0) | (up == one))
                & ((left == 0) | (left == one))
                & ((right == 0) | (right == one))
                & ((down == 0) | (down == one))
            )
            base = ball * cells
            known = work + KNOWN + 4 * one
            count = _at(out, known + 1)
            if alone and count:
                # Another ball reaches the same: copying is much faster than counting bits.
                first = _at(out, known)
                source = out[first : first + count]
                copied = out[n : n + count]
                further = base - _at(out, known + 2)
                for i in range(count):
                    copied[i] = source[i] + further
                n += count
                continue
            start = n
            for w in range(0, cells, 64):
                i = mask + w // 32
                low = _at(out, i + 8 * up) | _at(out, i + 8 * left) | _at(out, i + 8 * right) | _at(out, i + 8 * down)
                i += 1
                high = _at(out, i + 8 * up) | _at(out, i + 8 * left) | _at(out, i + 8 * right) | _at(out, i + 8 * down)
                bits = low & 0xFFFFFFFF | high << 32
                while bits:
                    out[np.uint64(n)] = base + w + lowest(bits)
                    bits &= bits - 1
                    n += 1
            if alone:
                out[known] = start
                out[known + 1] = n - start
                out[known + 2] = base
    return n


@jit
def begin(s, seat, action):
    """Starts a play: the ball stands on its new cell. Returns the event."""
    cells = s.rows * s.cols
    for row in range(s.rows):
        s.was[row] = s.empty[row]
    s.origin = action // cells
    s.target = action % cells
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
    s.stage = CAME
    return CAME


@jit
def _find_new_lines(s):
    """Marks the lines that go after new balls came: only theirs, unless the board was read."""
    if s.unswept:
        s.unswept = 0
        return _find_all_lines(s)
    found = False
    for i in range(s.came):
        found |= _find_lines(s, np.int64(s.came_cell[i]))
    return found


@jit
def advance(s):
    """Lets the play that has begun go on until something happens; returns the event, or DONE."""
    if s.stage == MOVED:
        if not _find_lines(s, s.target):
            return _come(s)
        n = _sweep(s)
        _win(s, n * (n - 4) if s.lines98 else 2 * n)
        s.stage = CLEARED
        return CLEARED
    if s.stage == CAME and _find_new_lines(s):
        n = _sweep(s)
        _win(s, n * (n - 4) if s.lines98 else 0)
        s.stage = FADED
        return FADED
    if s.stage == DONE:
        return DONE
    if s.stage != CLEARED:
        _draw_next(s, _next_count(s))
    if s.room == s.rows * s.cols:
        # Nobody could move on an empty board.
        return _come(s)
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
def scores(s, out):
    """Writes the score."""
    out[0] = s.score


@jit
def hide(s, seat, seed):
    """Redraws the generator and, where they are not shown, the next balls."""
    s.rng = mix(np.uint64(seed))
    if not s.shown:
        _draw_next(s, s.coming)


@jit
def evaluate(s, seat):
    return 0.0


@jit
def key(s):
    """A hash of the board, the next balls and the score."""
    total = mix(np.uint64(s.score)) 
    return total


@jit
def observe(s, seat, planes):
    return
