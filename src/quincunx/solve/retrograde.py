"""Working backward, compiled: who wins each colouring of each shape, round by round.

A position is a shape and a colouring: the set of cells, as bits, that belong to the side to
move. Colourings are numbered in ascending order. A shape's row of codes has what is known of
each; in phase 2 rows of bits say which colourings are won, which are lost, and which were
settled last (`fresh`), so that a round looks at these only.

A move turns colouring X of one shape into colouring ~perm(X) of another, since the other side
is to move then. A round writes only rows of its own shapes, so that threads can share the work.
"""

from typing import Any, NamedTuple

import numpy as np

from quincunx.jit import jit, lowest_bit

# Codes of positions: OPEN as long as nothing forces an end, which is a draw when all is done; else
# the plies to the end, and LOST_NOW more. Even codes are lost, odd ones won. OVER is a win of a ply
# ago: the side to move has four in a row already, which never comes up.
OPEN, OVER, LOST_NOW = 0, 1, 2
NEVER = 1 << 30  # above all codes


class Moves(NamedTuple):
    """The moves of all shapes of one size, as `shapes.moves_of` writes them."""

    starts: Any
    target: Any
    perm: Any
    laid: Any


class Colours(NamedTuple):
    """The colourings of shapes of n cells, and the number of each."""

    cells: int
    colourings: Any
    rank: Any


class Known(NamedTuple):
    """What is known of phase 2: a row of bits, or of codes, for each shape.

    There are no rows of codes where they are kept elsewhere.
    """

    won: Any
    lost: Any
    fresh: Any
    codes: Any


@jit
def _undone(perm, n):
    """The permutation that undoes perm."""
    back = np.uint64(0)
    for cell in range(n):
        new = perm >> np.uint64(4 * cell) & np.uint64(15)
        back |= np.uint64(cell) << (np.uint64(4) * new)
    return back


@jit
def _spell(perm, n, tables):
    """Writes tables by which four lookups turn a colouring around by perm."""
    for four in range(0, n, 4):
        table = tables[four >> 2]
        table[0] = 0
        for i in range(min(4, n - four)):
            new = 1 << np.int64(perm >> np.uint64(4 * (four + i)) & np.uint64(15))
            for bits in range(1 << i):
                table[1 << i | bits] = table[bits] | new


@jit
def _turned(tables, colouring):
    return (
        tables[0, colouring & 15]
        | tables[1, colouring >> 4 & 15]
        | tables[2, colouring >> 8 & 15]
        | tables[3, colouring >> 12]
    )


@jit
def ended(own, lines, first, last):
    """The code of a position in which a side has four in a row; OPEN if none has."""
    code = OPEN
    for i in range(first, last):
        line = np.int64(lines[i])
        if line & own == line:
            return OVER
        if line & own == 0:
            code = LOST_NOW
    return code


@jit
def begin(moves, colours, line_starts, lines, codes):
    """Writes the codes of positions in which the game is over: four in a row, or no move.

    Moves, lines and codes are those of some shapes, counted from the first of them.
    """
    for shape in range(len(codes)):
        movable = 0
        for m in range(moves.starts[shape], moves.starts[shape + 1]):
            movable |= 1 << np.int64(moves.laid[m])
        for k in range(len(colours.colourings)):
            own = np.int64(colours.colourings[k])
            code = ended(own, lines, line_starts[shape], line_starts[shape + 1])
            if code == OPEN and own & movable == 0:
                code = LOST_NOW
            codes[shape, k] = code


@jit
def recall(low, high, code, known, live, next_live):
    """Writes the bits out of the codes: all below `code` are settled, and some of `code` may be.

    Greater codes are of rounds whose mark was never put: they are forgotten, lest they be taken
    for known before their time.
    """
    for shape in range(low, high):
        known.won[shape] = np.uint64(0)
        known.lost[shape] = np.uint64(0)
        known.fresh[shape] = np.uint64(0)
        live[shape] = next_live[shape] = 0
        for k in range(known.codes.shape[1]):
            here = np.int64(known.codes[shape, k])
            if here > code:
                known.codes[shape, k] = here = OPEN
            if here == OPEN:
                continue
            word, bit = k >> 6, np.uint64(1) << np.uint64(k & 63)
            if here & 1:
                known.won[shape, word] |= bit
            else:
                known.lost[shape, word] |= bit
            if here == code - 1:
                known.fresh[shape, word] |= bit
                live[shape] = 1
            elif here == code:
                known.fresh[shape, word] |= bit
                next_live[shape] = 1


@jit
def _reach(a, moves, colours, settled, fresh, live, tables, found):
    """Marks in `found` the colourings of shape a with a move to one that is fresh and settled."""
    full = (1 << colours.cells) - 1
    some = False
    for m in range(moves.starts[a], moves.starts[a + 1]):
        b = moves.target[m]
        if not live[b]:
            continue
        perm = moves.perm[m]
        _spell(_undone(perm, colours.cells), colours.cells, tables)
        landed = 1 << np.int64(perm >> np.uint64(4 * moves.laid[m]) & np.uint64(15))
        for w in range(fresh.shape[1]):
            bits = fresh[b, w] & settled[b, w]
            while bits:
                theirs = np.int64(colours.colourings[64 * w + lowest_bit(bits)])
                bits &= bits - np.uint64(1)
                if not theirs & landed:
                    k = np.int64(colours.rank[_turned(tables, full & ~theirs)])
                    found[k >> 6] |= np.uint64(1) << np.uint64(k & 63)
                    some = True
    return some


@jit
def _settle(a, code, settled, found, known, live):
    """Settles what was found in shape a, and forgets it."""
    for w in range(len(found)):
        new = found[w] & ~(known.won[a, w] | known.lost[a, w])
        found[w] = np.uint64(0)
        if new:
            settled[a, w] |= new
            known.fresh[a, w] |= new
            live[a] = 1
            while new and len(known.codes):
                known.codes[a, 64 * w + lowest_bit(new)] = code
                new &= new - np.uint64(1)


@jit
def write_codes(code, shapes, rows, codes):
    """Writes a code wherever the rows of some shapes have a bit."""
    for i in range(len(shapes)):
        for w in range(rows.shape[1]):
            new = rows[i, w]
            while new:
                codes[shapes[i], 64 * w + lowest_bit(new)] = code
                new &= new - np.uint64(1)


@jit
def find_wins(low, high, code, moves, colours, known, live, next_live):
    """Settles as won what can move to a position that was just lost."""
    found = np.zeros(known.won.shape[1], np.uint64)
    tables = np.zeros((4, 16), np.int64)
    for a in range(low, high):
        if _reach(a, moves, colours, known.lost, known.fresh, live, tables, found):
            _settle(a, code, known.won, found, known, next_live)


@jit
def find_losses(low, high, code, moves, colours, known, live, next_live):
    """Settles as lost what can move to a position just won, and to no other."""
    found = np.zeros(known.won.shape[1], np.uint64)
    tables = np.zeros((4, 16), np.int64)
    for a in range(low, high):
        if not _reach(a, moves, colours, known.won, known.fresh, live, tables, found):
            continue
        for w in range(len(found)):
            found[w] &= ~(known.won[a, w] | known.lost[a, w])
        m = moves.starts[a]
        while m < moves.starts[a + 1] and _all_won(m, moves, colours, known.won, tables, found):
            m += 1
        _settle(a, code, known.lost, found, known, next_live)


@jit
def _all_won(m, moves, colours, won, tables, found):
    """Drops the colourings that move m leads to anything but a won position; False if all go."""
    full = (1 << colours.cells) - 1
    _spell(moves.perm[m], colours.cells, tables)
    b = moves.target[m]
    lifted = 1 << np.int64(moves.laid[m])
    left = np.uint64(0)
    for w in range(len(found)):
        bits = found[w]
        while bits:
            k = lowest_bit(bits)
            bits &= bits - np.uint64(1)
            own = np.int64(colours.colourings[64 * w + k])
            if own & lifted:
                after = np.int64(colours.rank[full & ~_turned(tables, own)])
                if not won[b, after >> 6] >> np.uint64(after & 63) & np.uint64(1):
                    found[w] &= ~(np.uint64(1) << np.uint64(k))
        left |= found[w]
    return left != np.uint64(0)


@jit
def age(low, high, live, next_live, settled, fresh):
    """Only what the round settled stays fresh."""
    for shape in range(low, high):
        if live[shape] or next_live[shape]:
            for w in range(fresh.shape[1]):
                fresh[shape, w] &= settled[shape, w]


@jit
def judge(moves, colours, line_starts, lines, later, later_codes, codes):
    """Writes each position's code as it follows from the positions after its moves.

    Moves, lines and codes are those of some shapes, counted from the first of them; `later` and
    `later_codes` are the colourings and the codes of all shapes that moves lead to.
    """
    n = colours.cells
    full_later = (1 << later.cells) - 1
    tables = np.zeros((4, 16), np.int64)
    count = len(colours.colourings)
    soonest = np.empty(count, np.int64)  # the least code lost for the other side
    latest = np.empty(count, np.int64)  # the greatest code, won for the other side
    drawn = np.empty(count, np.bool_)
    placing = 1 << n if later.cells > n else 0
    for shape in range(len(codes)):
        soonest[:] = NEVER
        latest[:] = OVER  # with no move at all: lost now
        drawn[:] = False
        for m in range(moves.starts[shape], moves.starts[shape + 1]):
            _spell(moves.perm[m], later.cells, tables)
            laid = 1 << np.int64(moves.laid[m])
            row = later_codes[moves.target[m]]
            for k in range(count):
                own = np.int64(colours.colourings[k]) | placing
                if own & laid:
                    code = np.int64(row[later.rank[full_later & ~_turned(tables, own)]])
                    if code == OPEN:
                        drawn[k] = True
                    elif code & 1:
                        latest[k] = max(latest[k], code)
                    else:
                        soonest[k] = min(soonest[k], code)
        for k in range(count):
            own = np.int64(colours.colourings[k])
            code = ended(own, lines, line_starts[shape], line_starts[shape + 1])
            if code == OPEN:
                if soonest[k] < NEVER:
                    code = soonest[k] + 1
                elif not drawn[k]:
                    code = latest[k] + 1
            codes[shape, k] = code


@jit
def differing(codes, others):
    """Where the first two codes differ, as shape and colouring; -1, -1 if none do."""
    for shape in range(len(codes)):
        for k in range(codes.shape[1]):
            if codes[shape, k] != others[shape, k]:
                return shape, k
    return -1, -1


@jit
def tally(codes, counts):
    """Counts how often each code stands."""
    for shape in range(len(codes)):
        for k in range(codes.shape[1]):
            counts[codes[shape, k]] += 1
