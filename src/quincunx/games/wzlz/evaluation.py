"""The trained evaluation of the 9 x 9 Wzlz board, compiled: the points still to be scored.

The value of a board is a sum of weights: one for the pattern of each group of cells and one
for the number of empty cells. A move changes few patterns, so the values after all moves are
computed from three small tables: the change of value from removing a ball, the change from
placing a colour on a cell, and a correction where both cells are in the same group.
"""

from pathlib import Path

import numpy as np

from quincunx.games.wzlz.patterns import (
    CELLS,
    EMPTY_CELLS_WEIGHTS_OFFSET,
    GROUP_CELLS,
    GROUP_COUNT,
    GROUP_SIZE,
    GROUP_WEIGHTS_OFFSET,
    GROUPS_THROUGH,
    GROUPS_THROUGH_COUNT,
    HAS_LINE,
    HAS_SENTINEL,
    LINE_GROUP_COUNT,
    PADDED_INDEX,
    PATTERN_COLOUR_COUNT,
    PATTERN_EMPTY_CELLS,
    PATTERN_EMPTY_COUNT,
    PATTERN_FIRST_BALL,
    PATTERN_LABELS,
    PATTERN_MOVED,
    PATTERN_OF_CODE,
    PATTERN_WITH,
    PATTERN_WITHOUT,
)
from quincunx.jit import jit

# The weights of both variants and of all phases of the game, one after another.
TRAINED_WEIGHTS = np.load(Path(__file__).with_name("weights.npy")).astype(np.float32)


@jit
def group_code(board, group):
    """Returns the code of a group: the colours of its cells, three bits per cell."""
    code = 0
    for k in range(GROUP_SIZE):
        code |= np.int64(board[GROUP_CELLS[group, k]]) << (3 * k)
    return code


@jit
def code_pattern(code):
    """Returns the pattern of a group's code."""
    first_five = np.int64(PATTERN_OF_CODE[code & 0x7FFF])
    sixth = code >> 15
    if sixth == 0:
        return first_five
    label = 0
    for k in range(GROUP_SIZE - 1):
        if code >> 3 * k & 7 == sixth:
            label = np.int64(PATTERN_LABELS[first_five, k])
    return np.int64(PATTERN_WITH[first_five, GROUP_SIZE - 1, label])


@jit
def board_value(board, empty_cells, weights):
    """Returns the expected future points of a board with `empty_cells` empty cells."""
    total = np.float64(weights[EMPTY_CELLS_WEIGHTS_OFFSET + empty_cells])
    for group in range(GROUP_COUNT):
        total += weights[GROUP_WEIGHTS_OFFSET[group] + code_pattern(group_code(board, group))]
    return total


@jit
def evaluate_groups(board, weights, codes, patterns, group_values):
    """Writes the code, the pattern and the weight of every group.

    Returns the sum of the weights, and whether there is a line on the board.
    """
    total = 0.0
    has_line = False
    for group in range(GROUP_COUNT):
        codes[group] = group_code(board, group)
        patterns[group] = code_pattern(np.int64(codes[group]))
        group_values[group] = weights[GROUP_WEIGHTS_OFFSET[group] + patterns[group]]
        total += group_values[group]
        has_line |= group < LINE_GROUP_COUNT and HAS_LINE[patterns[group]]
    return total, has_line


@jit
def placement_gains(
    board,
    next_board,
    weights,
    codes,
    patterns,
    group_values,
    has_announced,
    gains,
    lines,
    mean_gains,
):
    """Writes the change of value from placing each colour on each cell that is empty now.

    `next_board` is the board after the announced balls have come; `evaluate_groups` has
    evaluated it. A ball placed on an announced cell replaces the announced ball. Also writes
    `has_announced`, which marks the groups with announced cells; `lines`, which has a bit for
    each colour that makes a line on a cell; and `mean_gains`, the mean gain of each colour over
    all cells that are empty on `next_board`.
    """
    colours = len(mean_gains)
    for colour in range(colours):
        mean_gains[colour] = 0.0
    for group in range(GROUP_COUNT):
        has_announced[group] = False
    empty_cells = 0
    for cell in range(CELLS):
        index = PADDED_INDEX[cell]
        lines[cell] = 0
        if board[index]:
            continue
        gain = gains[cell]
        for colour in range(colours):
            gain[colour] = 0.0
        for i in range(GROUPS_THROUGH_COUNT[index]):
            group = GROUPS_THROUGH[index, i] >> 3
            k = np.int64(GROUPS_THROUGH[index, i] & 7)
            offset = GROUP_WEIGHTS_OFFSET[group]
            has_announced[group] |= next_board[index] > 0
            if next_board[index]:
                code = np.int64(codes[group]) & ~(7 << 3 * k)
                for colour in range(1, colours):
                    pattern = code_pattern(code | colour << 3 * k)
                    gain[colour] += weights[offset + pattern] - group_values[group]
                    if group < LINE_GROUP_COUNT and HAS_LINE[pattern]:
                        lines[cell] |= 1 << colour
                continue
            # The gain is the same for all colours that the group does not have: gain[0].
            pattern = patterns[group]
            new_colour_weight = np.float64(weights[offset + PATTERN_WITH[pattern, k, 0]])
            gain[0] += new_colour_weight - group_values[group]
            for label in range(1, PATTERN_COLOUR_COUNT[pattern] + 1):
                colour = next_board[GROUP_CELLS[group, PATTERN_FIRST_BALL[pattern, label]]]
                extended = PATTERN_WITH[pattern, k, label]
                gain[colour] += weights[offset + extended] - new_colour_weight
                if group < LINE_GROUP_COUNT and HAS_LINE[extended]:
                    lines[cell] |= 1 << colour
        empty_cells += next_board[index] == 0
        for colour in range(1, colours):
            gain[colour] += gain[0]
            if next_board[index] == 0:
                mean_gains[colour] += gain[colour]
    for colour in range(1, colours):
        mean_gains[colour] /= empty_cells


@jit
def removal_gain(
    board, next_board, index, weights, codes, patterns, group_values, has_announced, corrections
):
    """Returns the change of value from removing the ball at a padded index.

    Writes `corrections`: for each padded index that is empty now, what must be added to the
    gains of this removal and of the placement there to get the change of value of the move.
    """
    colour = np.int64(next_board[index])
    for target in range(len(corrections)):
        corrections[target] = 0.0
    total = 0.0
    for i in range(GROUPS_THROUGH_COUNT[index]):
        group = GROUPS_THROUGH[index, i] >> 3
        k = np.int64(GROUPS_THROUGH[index, i] & 7)
        offset = GROUP_WEIGHTS_OFFSET[group]
        pattern = patterns[group]
        removal = weights[offset + PATTERN_WITHOUT[pattern, k]] - group_values[group]
        total += removal
        label = PATTERN_LABELS[pattern, k]
        for i_empty in range(PATTERN_EMPTY_COUNT[pattern] - HAS_SENTINEL[group]):
            j = PATTERN_EMPTY_CELLS[pattern, i_empty]
            moved = np.float64(weights[offset + PATTERN_MOVED[pattern, k, j]])
            placed = weights[offset + PATTERN_WITH[pattern, j, label]]
            corrections[GROUP_CELLS[group, j]] += moved - placed - removal
        if has_announced[group]:
            for j in range(GROUP_SIZE):
                target = GROUP_CELLS[group, j]
                if next_board[target] and board[target] == 0:
                    code = np.int64(codes[group]) & ~(7 << 3 * j) | colour << 3 * j
                    moved = np.float64(weights[offset + code_pattern(code & ~(7 << 3 * k))])
                    corrections[target] += moved - weights[offset + code_pattern(code)] - removal
    return total
