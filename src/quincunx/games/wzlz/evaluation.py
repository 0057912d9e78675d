"""Wzlz's static evaluation, compiled: the score and the points still to be scored.

On the 9 x 9 board the expected points are a sum of trained weights: one for the pattern of each
group of cells and one for the number of empty cells. A move changes few patterns, so the values
after all moves are computed from three small tables: the change of value from removing a ball,
the change from placing a colour on a cell, and a correction where both cells are in the same
group. Boards of other sizes have a simple estimate instead.
"""

from pathlib import Path

import numpy as np

from quincunx.games.wzlz.board import MAX_COLOURS, MAX_SIDE, NO_CELL
from quincunx.games.wzlz.patterns import (
    BOARD_SIDE,
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
    MATCH_LENGTH,
    PADDED_CELLS,
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
    WEIGHT_COUNT,
)
from quincunx.jit import jit

# The weights of the 9 x 9 board were trained by self-play: first those of lines98, then those of
# wzlz, each for three phases of the game by the number of empty cells.
WEIGHTS = np.load(Path(__file__).with_name("weights.npy")).astype(np.float32)
WEIGHT_PHASES = 3
PHASE_0_MIN_EMPTY, PHASE_1_MIN_EMPTY = 48, 36
FEATURES = GROUP_COUNT + 1  # one per group, one for the number of empty cells
# Expected points count less than points already scored, which cannot be lost any more.
FUTURE_DISCOUNT, FUTURE_DISCOUNT_LINES98 = 0.5, 0.25

# PARTIAL_LINE_VALUE[missing]: the value in points of a line with that number of balls missing.
PARTIAL_LINE_VALUE = np.array([6.4 * 0.25**missing for missing in range(MAX_SIDE)])

# The tables from which the values after all moves are computed. `next_board` is the board after
# the announced balls have come.
MOVE_TABLES = np.dtype(
    [
        ("next_board", "u1", (PADDED_CELLS,)),
        ("base_value", "f8"),  # the value of `next_board` when all next balls have come
        # For each group on `next_board`: code, pattern, weight, and 1 if it has announced cells.
        ("codes", "u4", (GROUP_COUNT,)),
        ("patterns", "u2", (GROUP_COUNT,)),
        ("group_values", "f8", (GROUP_COUNT,)),
        ("has_announced", "u1", (GROUP_COUNT,)),
        # The change of value from placing each colour on each cell that is empty now, and its
        # mean over all cells that are empty on `next_board`.
        ("gains", "f8", (CELLS, MAX_COLOURS + 1)),
        ("mean_gains", "f8", (MAX_COLOURS + 1,)),
        ("lines", "u1", (CELLS,)),  # a bit for each colour that makes a line on a cell
        # For each padded index that is empty now, what must be added to the gains of the current
        # removal and of the placement there to get the change of value of the move.
        ("corrections", "f8", (PADDED_CELLS,)),
        # The indices of the moves that may score.
        ("scoring", "i2", (CELLS * CELLS // 4,)),
    ],
    align=True,
)


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
def _has_weights(s):
    """Returns True if there are weights for the board: 9 x 9 with lines of five."""
    return s.rows == BOARD_SIDE and s.cols == BOARD_SIDE and s.match == MATCH_LENGTH


@jit
def weights_offset(s, empty_cells):
    """Returns the offset of the weights for a position with that number of empty cells."""
    phase = 0 if empty_cells >= PHASE_0_MIN_EMPTY else 1 if empty_cells >= PHASE_1_MIN_EMPTY else 2
    return ((0 if s.lines98 else WEIGHT_PHASES) + phase) * WEIGHT_COUNT


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
                    value += PARTIAL_LINE_VALUE[missing]
    return value


@jit
def value_in_points(s, weights):
    """Returns the score plus the discounted expected points."""
    if s.room == 0:
        return np.float64(s.score)
    if _has_weights(s):
        offset = weights_offset(s, s.room)
        phase_weights = weights[offset : offset + WEIGHT_COUNT]
        return s.score + _future_discount(s) * board_value(s.board, s.room, phase_weights)
    return s.score + s.room + _partial_lines_value(s)


@jit
def squash(points):
    """Maps points to a value from -1 to 1."""
    return points / (1000.0 + abs(points))


@jit
def evaluate(s, seat):
    """Returns the static evaluation, -1 to 1: the score plus the expected points."""
    return squash(value_in_points(s, WEIGHTS))


@jit
def features(s, seat, out):
    """Writes the indices of the weights that the evaluation sums, returns their number.

    Returns 0 if the evaluation of the position does not use weights.
    """
    if s.room == 0 or not _has_weights(s):
        return 0
    offset = weights_offset(s, s.room)
    for group in range(GROUP_COUNT):
        pattern = code_pattern(group_code(s.board, group))
        out[group] = offset + np.int64(GROUP_WEIGHTS_OFFSET[group]) + pattern
    out[GROUP_COUNT] = offset + EMPTY_CELLS_WEIGHTS_OFFSET + s.room
    return FEATURES


@jit
def _evaluate_groups(weights, tables):
    """Writes the code, the pattern and the weight of every group of `next_board`.

    Returns the sum of the weights, and whether there is a line on the board.
    """
    total = 0.0
    has_line = False
    for group in range(GROUP_COUNT):
        code = group_code(tables.next_board, group)
        pattern = code_pattern(code)
        value = np.float64(weights[GROUP_WEIGHTS_OFFSET[group] + pattern])
        tables.codes[group] = code
        tables.patterns[group] = pattern
        tables.group_values[group] = value
        total += value
        has_line |= group < LINE_GROUP_COUNT and HAS_LINE[pattern]
    return total, has_line


@jit
def _write_placement_gains(board, weights, tables):
    """Writes `has_announced`, `gains`, `mean_gains` and `lines`.

    A ball placed on an announced cell replaces the announced ball.
    """
    next_board, mean_gains, lines = tables.next_board, tables.mean_gains, tables.lines
    group_values, has_announced = tables.group_values, tables.has_announced
    colours = MAX_COLOURS + 1
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
        gain = tables.gains[cell]
        for colour in range(colours):
            gain[colour] = 0.0
        for i in range(GROUPS_THROUGH_COUNT[index]):
            group = GROUPS_THROUGH[index, i] >> 3
            k = np.int64(GROUPS_THROUGH[index, i] & 7)
            offset = GROUP_WEIGHTS_OFFSET[group]
            has_announced[group] |= next_board[index] > 0
            if next_board[index]:
                code = np.int64(tables.codes[group]) & ~(7 << 3 * k)
                for colour in range(1, colours):
                    pattern = code_pattern(code | colour << 3 * k)
                    gain[colour] += weights[offset + pattern] - group_values[group]
                    if group < LINE_GROUP_COUNT and HAS_LINE[pattern]:
                        lines[cell] |= 1 << colour
                continue
            # The gain is the same for all colours that the group does not have: gain[0].
            pattern = tables.patterns[group]
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
def _removal_gain(board, index, weights, tables):
    """Returns the change of value from removing the ball at a padded index.

    Writes `corrections`.
    """
    next_board, corrections = tables.next_board, tables.corrections
    colour = np.int64(next_board[index])
    for target in range(len(corrections)):
        corrections[target] = 0.0
    total = 0.0
    for i in range(GROUPS_THROUGH_COUNT[index]):
        group = GROUPS_THROUGH[index, i] >> 3
        k = np.int64(GROUPS_THROUGH[index, i] & 7)
        offset = GROUP_WEIGHTS_OFFSET[group]
        pattern = tables.patterns[group]
        removal = weights[offset + PATTERN_WITHOUT[pattern, k]] - tables.group_values[group]
        total += removal
        label = PATTERN_LABELS[pattern, k]
        for i_empty in range(PATTERN_EMPTY_COUNT[pattern] - HAS_SENTINEL[group]):
            j = PATTERN_EMPTY_CELLS[pattern, i_empty]
            moved = np.float64(weights[offset + PATTERN_MOVED[pattern, k, j]])
            placed = weights[offset + PATTERN_WITH[pattern, j, label]]
            corrections[GROUP_CELLS[group, j]] += moved - placed - removal
        if tables.has_announced[group]:
            for j in range(GROUP_SIZE):
                target = GROUP_CELLS[group, j]
                if next_board[target] and board[target] == 0:
                    code = np.int64(tables.codes[group]) & ~(7 << 3 * j) | colour << 3 * j
                    moved = np.float64(weights[offset + code_pattern(code & ~(7 << 3 * k))])
                    corrections[target] += moved - weights[offset + code_pattern(code)] - removal
    return total


@jit
def fill_tables(s, weights, tables):
    """Writes the tables of a position, except `corrections` and `scoring`.

    Returns False if the values after its moves cannot be computed from tables: there are no
    weights for the board, it may fill up, or the announced balls make a line.
    """
    empty_cells = s.room - s.coming
    if not _has_weights(s) or empty_cells <= 0:
        return False
    offset = weights_offset(s, empty_cells)
    phase_weights = weights[offset : offset + WEIGHT_COUNT]
    for index in range(PADDED_CELLS):
        tables.next_board[index] = s.board[index]
    for i in range(s.coming):
        cell = np.int64(s.coming_cell[i])
        if cell != NO_CELL and s.board[PADDED_INDEX[cell]] == 0:
            tables.next_board[PADDED_INDEX[cell]] = s.coming_colour[i]
    total, has_line = _evaluate_groups(phase_weights, tables)
    if has_line:
        return False
    base = total + phase_weights[EMPTY_CELLS_WEIGHTS_OFFSET + empty_cells]
    _write_placement_gains(s.board, phase_weights, tables)
    mean_gains = tables.mean_gains
    for i in range(s.coming):
        cell = np.int64(s.coming_cell[i])
        if cell != NO_CELL and s.board[PADDED_INDEX[cell]] == 0:
            for colour in range(1, MAX_COLOURS + 1):
                # A ball moved here displaces the announced ball to a random cell.
                tables.gains[cell, colour] += mean_gains[s.coming_colour[i]]
        elif s.shown:
            base += mean_gains[s.coming_colour[i]]
        else:
            for colour in range(1, s.colours + 1):
                base += mean_gains[colour] / s.colours
    tables.base_value = base
    return True


@jit
def write_move_values(s, moves, n, values, weights, tables):
    """Writes the value in points after each of n moves, as if none of them scored.

    A ball that comes on a random cell counts with its mean gain over all empty cells. Returns the
    number of moves that may score; their indices are in `scoring`.
    """
    offset = weights_offset(s, s.room - s.coming)
    phase_weights = weights[offset : offset + WEIGHT_COUNT]
    discount = _future_discount(s)
    ball = NO_CELL
    colour = 0
    without_ball = 0.0
    scoring = 0
    for i in range(n):
        origin = np.int64(moves[i]) // CELLS
        target = np.int64(moves[i]) - origin * CELLS
        if origin != ball:
            ball = origin
            index = np.int64(PADDED_INDEX[ball])
            colour = np.int64(tables.next_board[index])
            without_ball = tables.base_value + _removal_gain(s.board, index, phase_weights, tables)
        future = (
            without_ball + tables.gains[target, colour] + tables.corrections[PADDED_INDEX[target]]
        )
        values[i] = s.score + discount * future
        # `lines` also counts the moved ball on its origin and announced balls, so only playing the
        # move shows whether it scores.
        if tables.lines[target] >> colour & 1:
            tables.scoring[scoring] = i
            scoring += 1
    return scoring
