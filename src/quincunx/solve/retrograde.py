"""Working backward, compiled: who wins each colouring of each shape, round by round.

A position of phase 2 is a shape and a colouring: the set of cells, as bits, that belong to the
side to move. Colourings are numbered by `RANK`. A shape's row of bits says which colourings are
won, which are lost, and which were settled last (`fresh`); both won and lost means that the
side to move has four in a row already, which never comes up.

A move turns colouring X of one shape into colouring ~perm(X) of another, since the other side
is to move then. Each round takes the moves of a shape to shapes where something is fresh and
looks at nothing else; it writes only rows of its own shapes, so that threads can share the work.
"""

import numpy as np

from quincunx.jit import jit, lowest

# Codes of a settled position: plies to the end, and one; odd codes are lost, even ones won.
OPEN, OVER = 0, 255


@jit
def _spell(perm, n, tables):
    """Writes tables by which four lookups turn a colouring around by perm."""
    for part in range(4):
        for bits in range(16):
            turned = 0
            for j in range(4):
                cell = 4 * part + j
                if cell < n and bits >> j & 1:
                    turned |= 1 << np.int64(perm >> np.uint64(4 * cell) & np.uint64(15))
            tables[part, bits] = turned


@jit
def _spell_back(perm, n, tables):
    """The tables that undo perm."""
    tables[:] = 0
    for cell in range(n):
        new = np.int64(perm >> np.uint64(4 * cell) & np.uint64(15))
        for bits in range(16):
            if bits >> (new & 3) & 1:
                tables[new >> 2, bits] |= 1 << cell


@jit
def _turned(tables, colouring):
    return (
        tables[0, colouring & 15]
        | tables[1, colouring >> 4 & 15]
        | tables[2, colouring >> 8 & 15]
        | tables[3, colouring >> 12]
    )


@jit
def begin(low, high, n, starts, lifted, lines, line_starts, colourings, won, lost, fresh, live):
    """Settles the positions in which the game is over: four in a row, or no move."""
    full = (1 << n) - 1
    for shape in range(low, high):
        movable = 0
        for m in range(starts[shape], starts[shape + 1]):
            movable |= 1 << np.int64(lifted[m])
        for k in range(len(colourings)):
            own = np.int64(colourings[k])
            word, bit = k >> 6, np.uint64(1) << np.uint64(k & 63)
            ended = own & movable == 0
            for i in range(line_starts[shape], line_starts[shape + 1]):
                line = np.int64(lines[i])
                if line & own == line:
                    won[shape, word] |= bit
                    lost[shape, word] |= bit
                ended |= line & own == 0
            if ended and not won[shape, word] & bit:
                lost[shape, word] |= bit
                fresh[shape, word] |= bit
                live[shape] = 1


@jit
def _reach(a, n, starts, target, perm, lifted, colourings, rank, settled, fresh, live, found):
    """Marks in `found` the colourings of shape a with a move to one that is fresh and settled."""
    full = (1 << n) - 1
    tables = np.empty((4, 16), np.int64)
    some = False
    for m in range(starts[a], starts[a + 1]):
        b = target[m]
        if not live[b]:
            continue
        _spell_back(perm[m], n, tables)
        own_bit = 1 << np.int64(lifted[m])
        for w in range(fresh.shape[1]):
            bits = fresh[b, w] & settled[b, w]
            while bits:
                other = full & ~np.int64(colourings[64 * w + lowest(bits)])
                bits &= bits - np.uint64(1)
                own = _turned(tables, other)
                if own & own_bit:
                    k = np.int64(rank[own])
                    found[k >> 6] |= np.uint64(1) << np.uint64(k & 63)
                    some = True
    return some


@jit
def find_wins(
    low, high, n, starts, target, perm, lifted, colourings, rank, won, lost, fresh, live, next_live
):
    """Settles as won what can move to a position that was just lost; how many."""
    found = np.zeros(won.shape[1], np.uint64)
    count = 0
    for a in range(low, high):
        if not _reach(
            a, n, starts, target, perm, lifted, colourings, rank, lost, fresh, live, found
        ):
            continue
        for w in range(len(found)):
            new = found[w] & ~(won[a, w] | lost[a, w])
            found[w] = np.uint64(0)
            if new:
                won[a, w] |= new
                fresh[a, w] |= new
                next_live[a] = 1
                while new:
                    new &= new - np.uint64(1)
                    count += 1
    return count


@jit
def find_losses(
    low, high, n, starts, target, perm, lifted, colourings, rank, won, lost, fresh, live, next_live
):
    """Settles as lost what could move to a position just won, and has only such moves; how many."""
    full = (1 << n) - 1
    found = np.zeros(won.shape[1], np.uint64)
    tables = np.empty((4, 16), np.int64)
    count = 0
    for a in range(low, high):
        if not _reach(
            a, n, starts, target, perm, lifted, colourings, rank, won, fresh, live, found
        ):
            continue
        some = False
        for w in range(len(found)):
            found[w] &= ~(won[a, w] | lost[a, w])
            some |= found[w] != np.uint64(0)
        m = starts[a]
        while some and m < starts[a + 1]:
            b = target[m]
            own_bit = 1 << np.int64(lifted[m])
            _spell(perm[m], n, tables)
            some = False
            for w in range(len(found)):
                bits = found[w]
                while bits:
                    bit = bits & (~bits + np.uint64(1))
                    own = np.int64(colourings[64 * w + lowest(bits)])
                    bits &= bits - np.uint64(1)
                    if own & own_bit:
                        k = np.int64(rank[full & ~_turned(tables, own)])
                        if not won[b, k >> 6] >> np.uint64(k & 63) & np.uint64(1):
                            found[w] &= ~bit
                some |= found[w] != np.uint64(0)
            m += 1
        for w in range(len(found)):
            new = found[w]
            found[w] = np.uint64(0)
            if new:
                lost[a, w] |= new
                fresh[a, w] |= new
                next_live[a] = 1
                while new:
                    new &= new - np.uint64(1)
                    count += 1
    return count


@jit
def keep(low, high, code, settled, fresh, codes):
    """Drops what was fresh before the round, and writes the code of what it settled.

    `settled` are the rows that the round wrote: what is fresh in them is new.
    """
    for shape in range(low, high):
        for w in range(fresh.shape[1]):
            if not fresh[shape, w]:
                continue
            fresh[shape, w] &= settled[shape, w]
            bits = fresh[shape, w]
            while bits:
                codes[shape, 64 * w + lowest(bits)] = code
                bits &= bits - np.uint64(1)
