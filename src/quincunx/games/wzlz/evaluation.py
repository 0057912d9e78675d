"""What a Wzlz board of 9 x 9 is worth, compiled: points that are still to come.

The outlook is a sum of weights, one for the pattern of each group of cells and one for the
count of empty cells. Moving a ball changes few patterns, so the outlook after every move
comes from three small tables: what it costs to take a ball away, what it gains to put a
colour on a cell, and a correction where both cells are in one group.
"""

from pathlib import Path

import numpy as np

from quincunx.games.wzlz.patterns import (
    BLOCK,
    BY_ROOM,
    CELLS,
    COLOURS,
    GAP,
    GAPS,
    GROUP,
    GROUPS,
    LABEL,
    LEADER,
    LINE,
    LINES,
    MOVED,
    PADDED,
    PASSING,
    PATTERN,
    PLACE,
    SIZE,
    THROUGH,
    WITH,
    WITHOUT,
)
from quincunx.jit import jit

# The weights of all variants and stages, one after another.
LEARNT = np.load(Path(__file__).with_name("weights.npy")).astype(np.float32)


@jit
def code_of(board, group):
    """The colours of a group's cells, three bits to the cell."""
    code = 0
    for k in range(SIZE):
        code |= np.int64(board[GROUP[group, k]]) << (3 * k)
    return code


@jit
def pattern_of(code):
    """The pattern of a code."""
    five = np.int64(PATTERN[code & 0x7FFF])
    sixth = code >> 15
    if sixth == 0:
        return five
    label = 0
    for k in range(SIZE - 1):
        if code >> 3 * k & 7 == sixth:
            label = np.int64(LABEL[five, k])
    return np.int64(WITH[five, SIZE - 1, label])


@jit
def outlook(board, room, weights):
    """The points that are still to come on a board with so many empty cells."""
    total = np.float64(weights[BY_ROOM + room])
    for group in range(GROUPS):
        total += weights[BLOCK[group] + pattern_of(code_of(board, group))]
    return total


@jit
def survey(board, weights, codes, patterns, worths):
    """Writes code, pattern and weight of every group; their sum, and True if there is a line."""
    total = 0.0
    line = False
    for group in range(GROUPS):
        codes[group] = code_of(board, group)
        patterns[group] = pattern_of(np.int64(codes[group]))
        worths[group] = weights[BLOCK[group] + patterns[group]]
        total += worths[group]
        line |= group < LINES and LINE[patterns[group]]
    return total, line


@jit
def arrivals(now, then, weights, codes, patterns, worths, awaited, gains, lines, means):
    """Writes what each colour gains on each cell that is empty now, and which make lines.

    `then` is the board with the balls that are known to come, which was surveyed; a ball on
    one of their cells drives the other away. `awaited` marks the groups with such cells;
    `lines` has a bit for each colour; `means` is the mean gain of each colour over all cells
    that stay empty.
    """
    colours = len(means)
    for colour in range(colours):
        means[colour] = 0.0
    for group in range(GROUPS):
        awaited[group] = False
    empty = 0
    for cell in range(CELLS):
        place = PLACE[cell]
        lines[cell] = 0
        if now[place]:
            continue
        gain = gains[cell]
        for colour in range(colours):
            gain[colour] = 0.0
        for i in range(PASSING[place]):
            group = THROUGH[place, i] >> 3
            k = np.int64(THROUGH[place, i] & 7)
            block = BLOCK[group]
            awaited[group] |= then[place] > 0
            if then[place]:
                code = np.int64(codes[group]) & ~(7 << 3 * k)
                for colour in range(1, colours):
                    pattern = pattern_of(code | colour << 3 * k)
                    gain[colour] += weights[block + pattern] - worths[group]
                    if group < LINES and LINE[pattern]:
                        lines[cell] |= 1 << colour
                continue
            # Colours that the group does not have are all alike: gain[0] is theirs.
            pattern = patterns[group]
            strange = np.float64(weights[block + WITH[pattern, k, 0]])
            gain[0] += strange - worths[group]
            for label in range(1, COLOURS[pattern] + 1):
                colour = then[GROUP[group, LEADER[pattern, label]]]
                joined = WITH[pattern, k, label]
                gain[colour] += weights[block + joined] - strange
                if group < LINES and LINE[joined]:
                    lines[cell] |= 1 << colour
        empty += then[place] == 0
        for colour in range(1, colours):
            gain[colour] += gain[0]
            if then[place] == 0:
                means[colour] += gain[colour]
    for colour in range(1, colours):
        means[colour] /= empty


@jit
def departure(now, then, place, weights, codes, patterns, worths, awaited, more):
    """What it gains to take the ball on a place away.

    Writes for each place that is empty now how much more it gains if the ball goes there,
    beyond its departure here and its arrival there.
    """
    colour = np.int64(then[place])
    for there in range(len(more)):
        more[there] = 0.0
    total = 0.0
    for i in range(PASSING[place]):
        group = THROUGH[place, i] >> 3
        k = np.int64(THROUGH[place, i] & 7)
        block = BLOCK[group]
        pattern = patterns[group]
        loss = weights[block + WITHOUT[pattern, k]] - worths[group]
        total += loss
        label = LABEL[pattern, k]
        for gap in range(GAPS[pattern] - PADDED[group]):
            j = GAP[pattern, gap]
            both = np.float64(weights[block + MOVED[pattern, k, j]])
            arrived = weights[block + WITH[pattern, j, label]]
            more[GROUP[group, j]] += both - arrived - loss
        if awaited[group]:
            for j in range(SIZE):
                there = GROUP[group, j]
                if then[there] and now[there] == 0:
                    code = np.int64(codes[group]) & ~(7 << 3 * j) | colour << 3 * j
                    both = np.float64(weights[block + pattern_of(code & ~(7 << 3 * k))])
                    more[there] += both - weights[block + pattern_of(code)] - loss
    return total
