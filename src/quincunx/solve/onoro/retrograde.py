"""Retrograde analysis, compiled: the result of each colouring of each shape, round by round.

A position is a shape and a colouring: the set of cells, as a bit mask, that belong to the side to
move. The colourings are numbered in ascending order of their masks. The table has a row of codes
for each shape, with a code for each colouring. Phase 2 also needs three rows of bits for each
shape: the colourings that are won, that are lost, and that are in the frontier. The frontier is
the set of positions that the previous round solved; a round starts only from these.

A move turns colouring X of one shape into colouring ~perm(X) of another: the cells are numbered
differently there, and the other side is to move. Each call of a kernel writes only the rows of its
own range of shapes, low to high - 1, so that threads can share a round.
"""

from typing import NamedTuple

import numpy as np

from quincunx.jit import jit, lowest_bit
from quincunx.solve.onoro.arrays import Bytes, Codes, Counts, Masks, Slots, Words

# The code of a position:
#   DRAW            not solved; after the last round, a draw
#   UNREACHABLE     the side to move already has four in a row, which never occurs in a game
#   LOST_NOW + d    the game ends in d plies; lost for the side to move if even, won if odd
# The rounds treat UNREACHABLE as won, since it is odd.
DRAW, UNREACHABLE, LOST_NOW = 0, 1, 2
INFINITY = 1 << 30  # greater than all codes


class ShapeMoves(NamedTuple):
    """The moves of all shapes of one size, as `shape_moves.find_moves` writes them."""

    starts: Counts
    target: Slots
    perm: Words
    moved_cell: Bytes


class Colourings(NamedTuple):
    """The colourings of shapes of n cells, as masks, and the number (rank) of each mask."""

    n: int
    masks: Masks
    rank: Masks


class RetrogradeRows(NamedTuple):
    """The rows of phase 2 by shape: three of bits, one of codes.

    `codes` is empty in a process that does not write the table.
    """

    won: Words
    lost: Words
    frontier: Words
    codes: Codes


@jit
def _inverse(perm, n):
    """Returns the inverse of a permutation of n cells; both have four bits for each cell."""
    inverse = np.uint64(0)
    for cell in range(n):
        new = perm >> np.uint64(4 * cell) & np.uint64(15)
        inverse |= np.uint64(cell) << (np.uint64(4) * new)
    return inverse


@jit
def _fill_lookup(perm, n, lookup):
    """Writes the tables with which `_permute` permutes a mask, four cells at a time."""
    for four in range(0, n, 4):
        table = lookup[four >> 2]
        table[0] = 0
        for i in range(min(4, n - four)):
            new = 1 << np.int64(perm >> np.uint64(4 * (four + i)) & np.uint64(15))
            for bits in range(1 << i):
                table[1 << i | bits] = table[bits] | new


@jit
def _permute(lookup, mask):
    """Returns the permuted mask."""
    return (
        lookup[0, mask & 15]
        | lookup[1, mask >> 4 & 15]
        | lookup[2, mask >> 8 & 15]
        | lookup[3, mask >> 12]
    )


@jit
def line_code(own, lines, first, last):
    """Returns UNREACHABLE or LOST_NOW if a side has four in a row, DRAW if neither has."""
    code = DRAW
    for i in range(first, last):
        line = np.int64(lines[i])
        if line & own == line:
            return UNREACHABLE
        if line & own == 0:
            code = LOST_NOW
    return code


@jit
def write_terminal_codes(moves, colourings, line_starts, lines, codes):
    """Writes the codes of terminal positions, in which a side has four in a row or cannot move.

    Moves, lines and codes belong to a range of shapes and start with its first shape.
    """
    for shape in range(len(codes)):
        movable = 0
        for m in range(moves.starts[shape], moves.starts[shape + 1]):
            movable |= 1 << np.int64(moves.moved_cell[m])
        for k in range(len(colourings.masks)):
            own = np.int64(colourings.masks[k])
            code = line_code(own, lines, line_starts[shape], line_starts[shape + 1])
            if code == DRAW and own & movable == 0:
                code = LOST_NOW
            codes[shape, k] = code


@jit
def restore_bits(low, high, code, rows, active, next_active):
    """Restores bits and flags from the codes, for a round of `code` that may have been started.

    active[shape] is 1 if the previous round solved positions of the shape, next_active[shape] if
    this round did. Greater codes come from rounds after the last checkpoint. They are erased, since
    these positions are not solved yet in this round.
    """
    for shape in range(low, high):
        rows.won[shape] = np.uint64(0)
        rows.lost[shape] = np.uint64(0)
        rows.frontier[shape] = np.uint64(0)
        active[shape] = next_active[shape] = 0
        for k in range(rows.codes.shape[1]):
            stored = np.int64(rows.codes[shape, k])
            if stored > code:
                rows.codes[shape, k] = stored = DRAW
            if stored == DRAW:
                continue
            word, bit = k >> 6, np.uint64(1) << np.uint64(k & 63)
            if stored & 1:
                rows.won[shape, word] |= bit
            else:
                rows.lost[shape, word] |= bit
            if stored == code - 1:
                rows.frontier[shape, word] |= bit
                active[shape] = 1
            elif stored == code:
                rows.frontier[shape, word] |= bit
                next_active[shape] = 1


@jit
def _find_predecessors(a, moves, colourings, solved, frontier, active, lookup, found):
    """Finds the colourings of shape a with a move to a position in both frontier and `solved`.

    Sets their bits in `found`; returns whether there are any.
    """
    full = (1 << colourings.n) - 1
    has_any = False
    for m in range(moves.starts[a], moves.starts[a + 1]):
        b = moves.target[m]
        if not active[b]:
            continue
        perm = moves.perm[m]
        _fill_lookup(_inverse(perm, colourings.n), colourings.n, lookup)
        landed = 1 << np.int64(perm >> np.uint64(4 * moves.moved_cell[m]) & np.uint64(15))
        for w in range(frontier.shape[1]):
            bits = frontier[b, w] & solved[b, w]
            while bits:
                successor = np.int64(colourings.masks[64 * w + lowest_bit(bits)])
                bits &= bits - np.uint64(1)
                if not successor & landed:  # the moved pawn is not of the side to move afterwards
                    k = np.int64(colourings.rank[_permute(lookup, full & ~successor)])
                    found[k >> 6] |= np.uint64(1) << np.uint64(k & 63)
                    has_any = True
    return has_any


@jit
def _record_solved(a, code, solved, found, rows, next_active):
    """Records the colourings found in shape a that were not solved before, and clears `found`.

    `solved` is rows.won or rows.lost.
    """
    for w in range(len(found)):
        new = found[w] & ~(rows.won[a, w] | rows.lost[a, w])
        found[w] = np.uint64(0)
        if new:
            solved[a, w] |= new
            rows.frontier[a, w] |= new
            next_active[a] = 1
            while new and len(rows.codes):
                rows.codes[a, 64 * w + lowest_bit(new)] = code
                new &= new - np.uint64(1)


@jit
def write_codes(code, shapes, bit_rows, codes):
    """Writes a code for every bit that is set; bit_rows[i] belongs to shapes[i]."""
    for i in range(len(shapes)):
        for w in range(bit_rows.shape[1]):
            new = bit_rows[i, w]
            while new:
                codes[shapes[i], 64 * w + lowest_bit(new)] = code
                new &= new - np.uint64(1)


@jit
def find_wins(low, high, code, moves, colourings, rows, active, next_active):
    """Marks as won the positions with a move to a lost position of the frontier."""
    found = np.zeros(rows.won.shape[1], np.uint64)
    lookup = np.zeros((4, 16), np.int64)
    for a in range(low, high):
        if _find_predecessors(
            a, moves, colourings, rows.lost, rows.frontier, active, lookup, found
        ):
            _record_solved(a, code, rows.won, found, rows, next_active)


@jit
def find_losses(low, high, code, moves, colourings, rows, active, next_active):
    """Marks as lost the positions whose moves all lead to won positions, one in the frontier."""
    found = np.zeros(rows.won.shape[1], np.uint64)
    lookup = np.zeros((4, 16), np.int64)
    for a in range(low, high):
        if not _find_predecessors(
            a, moves, colourings, rows.won, rows.frontier, active, lookup, found
        ):
            continue
        for w in range(len(found)):
            found[w] &= ~(rows.won[a, w] | rows.lost[a, w])
        m = moves.starts[a]
        while m < moves.starts[a + 1] and _clear_unless_won(
            m, moves, colourings, rows.won, lookup, found
        ):
            m += 1
        _record_solved(a, code, rows.lost, found, rows, next_active)


@jit
def _clear_unless_won(m, moves, colourings, won, lookup, found):
    """Clears the bits of colourings from which move m leads to a position that is not won.

    Returns whether any bit is left.
    """
    full = (1 << colourings.n) - 1
    _fill_lookup(moves.perm[m], colourings.n, lookup)
    b = moves.target[m]
    lifted = 1 << np.int64(moves.moved_cell[m])
    remaining = np.uint64(0)
    for w in range(len(found)):
        bits = found[w]
        while bits:
            k = lowest_bit(bits)
            bits &= bits - np.uint64(1)
            own = np.int64(colourings.masks[64 * w + k])
            if own & lifted:
                after = np.int64(colourings.rank[full & ~_permute(lookup, own)])
                if not won[b, after >> 6] >> np.uint64(after & 63) & np.uint64(1):
                    found[w] &= ~(np.uint64(1) << np.uint64(k))
        remaining |= found[w]
    return remaining != np.uint64(0)


@jit
def advance_frontier(low, high, active, next_active, solved, frontier):
    """Removes from the frontier the positions that were solved before this round.

    `solved` are the won or the lost bits, whichever this round set.
    """
    for shape in range(low, high):
        if active[shape] or next_active[shape]:
            for w in range(frontier.shape[1]):
                frontier[shape, w] &= solved[shape, w]


@jit
def codes_from_successors(
    moves, colourings, line_starts, lines, target_colourings, target_codes, codes
):
    """Writes each position's code, computed from the codes of the positions after its moves.

    Moves, lines and codes belong to a range of shapes and start with its first shape;
    `target_colourings` and `target_codes` belong to all shapes that moves lead to.
    """
    n = colourings.n
    full = (1 << target_colourings.n) - 1
    lookup = np.zeros((4, 16), np.int64)
    count = len(colourings.masks)
    # For each colouring, over the positions after its moves: the least code that is lost for the
    # other side, the greatest code that is won for it, and whether one is a draw.
    soonest_win = np.empty(count, np.int64)
    latest_loss = np.empty(count, np.int64)
    can_draw = np.empty(count, np.bool_)
    # In phase 1 the moved cell is the new one, number n, and belongs to the side to move.
    placed = 1 << n if target_colourings.n > n else 0
    for shape in range(len(codes)):
        soonest_win[:] = INFINITY
        latest_loss[:] = UNREACHABLE  # one more is LOST_NOW, the code of a position without moves
        can_draw[:] = False
        for m in range(moves.starts[shape], moves.starts[shape + 1]):
            _fill_lookup(moves.perm[m], target_colourings.n, lookup)
            moved = 1 << np.int64(moves.moved_cell[m])
            row = target_codes[moves.target[m]]
            for k in range(count):
                own = np.int64(colourings.masks[k]) | placed
                if own & moved:
                    code = np.int64(row[target_colourings.rank[full & ~_permute(lookup, own)]])
                    if code == DRAW:
                        can_draw[k] = True
                    elif code & 1:
                        latest_loss[k] = max(latest_loss[k], code)
                    else:
                        soonest_win[k] = min(soonest_win[k], code)
        for k in range(count):
            own = np.int64(colourings.masks[k])
            code = line_code(own, lines, line_starts[shape], line_starts[shape + 1])
            if code == DRAW:
                if soonest_win[k] < INFINITY:
                    code = soonest_win[k] + 1
                elif not can_draw[k]:
                    code = latest_loss[k] + 1
            codes[shape, k] = code


@jit
def first_difference(codes, others):
    """Returns the shape and colouring of the first code that differs, or -1, -1."""
    for shape in range(len(codes)):
        for k in range(codes.shape[1]):
            if codes[shape, k] != others[shape, k]:
                return shape, k
    return -1, -1


@jit
def count_codes(codes, counts):
    """Adds the number of occurrences of each code to `counts`."""
    for shape in range(len(codes)):
        for k in range(codes.shape[1]):
            counts[codes[shape, k]] += 1
