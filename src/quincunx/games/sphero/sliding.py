"""Where Sphero's waiting spheres slide, compiled."""

import numpy as np

from quincunx.games.sphero.cells import (
    ANCHOR,
    MAX_VALENCE,
    MIDDLE,
    NO_CELL,
    ORDER,
    ROW_SPAN,
    attach,
    bit_of,
    cells_within,
    dilated_row,
    flood_fill,
    place_sphere,
    recompute_attached,
    remove_sphere,
    valence_of,
)
from quincunx.jit import jit, lowest_bit, popcount

# After this many steps without a liberty, a flood fill checks whether any can be reached. Most
# slides are shorter, and do without the flood fill.
REACHABILITY_CHECK_STEPS = 8


@jit
def is_further_clockwise(origin, a, b):
    """Returns True if a is further clockwise from origin than b.

    Of two cells at the same angle, the one of lower valence counts as further.
    """
    x, y = (origin & 63) - MIDDLE, (origin >> 6) - MIDDLE
    ax, ay = (a & 63) - MIDDLE, (a >> 6) - MIDDLE
    bx, by = (b & 63) - MIDDLE, (b >> 6) - MIDDLE
    # The sector of a clockwise angle from the origin in degrees: 0 for -180 to 0, both exclusive,
    # 1 for 0, 2 for 0 to 180, both exclusive, 3 for 180.
    cross_a = y * ax - x * ay
    cross_b = y * bx - x * by
    sector_a = 2 if cross_a > 0 else 0 if cross_a < 0 else 1 if x * ax + y * ay > 0 else 3
    sector_b = 2 if cross_b > 0 else 0 if cross_b < 0 else 1 if x * bx + y * by > 0 else 3
    if sector_a != sector_b:
        return sector_a > sector_b
    cross = by * ax - bx * ay
    return cross > 0 or (cross == 0 and abs(ax) + abs(ay) < abs(bx) + abs(by))


@jit
def _no_liberty_reachable(s, origin, valence):
    """Returns True if a sphere cannot slide to any liberty of at most the given valence."""
    margin = s.highest + 1
    for row in range(MIDDLE - margin, MIDDLE + margin + 1):
        s.open[row] = ~s.taken[row] & ROW_SPAN[margin]
    s.room[:] = np.uint64(0)
    s.room[origin >> 6] = bit_of(origin)
    flood_fill(s.room, s.open, margin)
    for row in range(MIDDLE - margin, MIDDLE + margin + 1):
        if s.room[row] & s.liberty[row] & cells_within(row, valence):
            return False
    return True


@jit
def _nearest_liberty(s, origin, valence):
    """Returns the liberty of at most the given valence that a sphere slides to, or NO_CELL."""
    # No shortest path goes further out than one row or column beyond all spheres.
    margin = s.highest + 1
    reached = s.reached
    best = np.int64(NO_CELL)
    bottom = top = origin >> 6
    reached[bottom] = bit_of(origin)
    steps = 0
    grew = True
    while grew and best == NO_CELL:
        grew = False
        steps += 1
        if steps == REACHABILITY_CHECK_STEPS and _no_liberty_reachable(s, origin, valence):
            return best
        # One step of breadth-first search: one more row up and down, and every row dilated.
        if bottom > MIDDLE - margin:
            bottom -= 1
            reached[bottom] = np.uint64(0)
        if top < MIDDLE + margin:
            top += 1
            reached[top] = np.uint64(0)
        below = np.uint64(0)
        for row in range(bottom, top + 1):
            here = reached[row]
            above = reached[row + 1] if row < top else np.uint64(0)
            new = (here << np.uint64(1) | here >> np.uint64(1) | below | above) & ~here
            new &= ~s.taken[row] & ROW_SPAN[margin]
            below = here
            if new:
                grew = True
                reached[row] = here | new
                new &= s.liberty[row] & cells_within(row, valence)
                while new:
                    cell = row * 64 + lowest_bit(new)
                    if best == NO_CELL or is_further_clockwise(origin, cell, best):
                        best = cell
                    new &= new - np.uint64(1)
    return best


@jit
def slide_next_waiting(s, limited):
    """Slides the next waiting sphere that can; returns False when none is left to try.

    They try in the sequence of ORDER. If `limited`, no sphere slides to a higher valence than its
    own; but one that can neither slide nor stay tries once more after all others, then without
    the limit if need be.
    """
    while s.unasked or s.deferred:
        if s.unasked == 0:
            s.second = 1
            s.cursor = 0
            s.unasked = s.deferred
            s.deferred = 0
        cell = np.int64(ORDER[s.cursor])
        s.cursor += 1
        row = cell >> 6
        bit = bit_of(cell)
        if not s.waiting[row] & bit:
            continue
        s.unasked -= 1
        valence = valence_of(cell) if limited else np.int64(MAX_VALENCE)
        target = _nearest_liberty(s, cell, valence)
        touching = dilated_row(s.attached, row) & bit
        if target == NO_CELL and not touching:
            if not s.second:
                s.deferred += 1
                continue
            target = _nearest_liberty(s, cell, np.int64(MAX_VALENCE))
        s.waiting[row] &= ~bit
        if target != NO_CELL:
            sphere = remove_sphere(s, cell)
            if touching:
                s.liberty[row] |= bit
            place_sphere(s, target, sphere)
            attach(s, target)
            s.origin = cell
            s.target = target
            return True
        if touching:
            attach(s, cell)
    return False


@jit
def set_waiting(s, inner):
    """Makes all spheres of a valence above `inner` wait, or all floating ones if it is -1."""
    waiting = s.waiting
    s.second = s.deferred = s.unasked = 0
    s.cursor = 2 * inner * (inner + 1) + 1 if inner >= 0 else 1
    for row in range(MIDDLE - s.highest, MIDDLE + s.highest + 1):
        staying = cells_within(row, inner) if inner >= 0 else s.attached[row]
        waiting[row] = s.taken[row] & ~staying
        s.unasked += popcount(waiting[row])


@jit
def rotate_inner_board(s):
    """Rotates the inner board by 180 degrees and makes all other spheres wait."""
    inner = s.highest - 2
    for v in range(1, inner + 1):
        for i in range(2 * v * (v - 1) + 1, 2 * v * v + 1):  # each pair of opposite cells once
            cell = np.int64(ORDER[i])
            opposite = 2 * ANCHOR - cell
            a, b = s.sphere[cell], s.sphere[opposite]
            s.sphere[cell], s.sphere[opposite] = b, a
            if (a == 0) != (b == 0):
                s.taken[cell >> 6] ^= bit_of(cell)
                s.taken[opposite >> 6] ^= bit_of(opposite)
    set_waiting(s, inner)
    recompute_attached(s)
