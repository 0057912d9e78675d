"""Regions of connected empty cells, compiled: which moves are legal, and their paths."""

import numpy as np

from quincunx.games.wzlz.board import MAX_CELLS, MAX_PADDED_CELLS, MAX_SIDE, NO_CELL
from quincunx.jit import jit, lowest_bit, popcount, stack_array

MAX_REGIONS = MAX_CELLS // 2 + 1  # on a chequered board; region 0 stands for none

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
def _merge_united_regions(out, scratch_start, region_count, mask_size):
    """Writes the root of every region, and all cells of united regions into the mask of their root.

    Region 0 gets an empty mask, and the tables for the first balls are cleared.
    """
    root = scratch_start + ROOT_OFFSET
    mask = scratch_start + MASK_OFFSET
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
    _merge_united_regions(out, scratch_start, region_count, mask_size)


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
def is_legal(s, seat, action):
    """Returns True if an action is legal: a flood fill of the ball's region reaches the target."""
    cells = np.int64(s.rows * s.cols)
    if s.over or s.stage or seat != 0 or action < 0 or action >= cells * cells:
        return False
    origin_row, target_row = action // cells // s.cols, action % cells // s.cols
    origin = np.int64(1) << (action // cells % s.cols)
    target = np.int64(1) << (action % cells % s.cols)
    if s.empty[origin_row] & origin or not s.empty[target_row] & target:
        return False
    reached = stack_array(MAX_SIDE, np.int64)
    for row in range(s.rows):
        reached[row] = 0
    reached[origin_row] = origin
    grew = True
    while grew and not reached[target_row] & target:
        grew = False
        for i in range(2 * s.rows):  # sweep down, then up
            row = i if i < s.rows else 2 * s.rows - 1 - i
            above = reached[row - 1] if row > 0 else 0
            below = reached[row + 1] if row + 1 < s.rows else 0
            here = reached[row]
            more = here | (above | below | here << 1 | here >> 1) & s.empty[row]
            while more != here:
                grew = True
                here = more
                more |= (here << 1 | here >> 1) & s.empty[row]
            reached[row] = here
    return reached[target_row] & target != 0


@jit
def path(s, empty, origin, target, out):
    """Writes a shortest path, both ends included, into `out` and returns its number of cells.

    `empty` is `s.empty`, or `s.was` for the last move. Returns 0 if there is no path.
    """
    cells = np.int64(s.rows * s.cols)
    queue = stack_array(MAX_CELLS, np.int64)
    next_cell = stack_array(MAX_CELLS, np.int64)
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
