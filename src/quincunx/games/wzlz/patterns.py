"""Lookup tables for the evaluation of the 9 x 9 board: groups of cells, and their patterns.

The evaluation is an n-tuple network. Its tuples, here called groups, are six cells in a line,
straight or diagonal (five on a diagonal of five), two rows of three, or a cross of five.
Groups that a symmetry of the board maps onto each other share their weights. The contents of a
group are one of 877 patterns, which number the colours in their order of appearance:

    red . red blue . .   and   green . green red . .   are both   1 0 1 2 0 0

The tables are computed once, on import.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

BOARD_SIDE = 9
MATCH_LENGTH = 5  # balls in a line
CELLS = BOARD_SIDE * BOARD_SIDE
PADDED_CELLS = (BOARD_SIDE + 2) * (BOARD_SIDE + 1) + 2
# The sixth cell of a group of five is padded index 0, a sentinel that is always empty.
GROUP_SIZE = 6

ROW_SHAPE = ((0, 0), (0, 1), (0, 2), (0, 3), (0, 4), (0, 5))
DIAGONAL_SHAPE = ((0, 0), (1, 1), (2, 2), (3, 3), (4, 4), (5, 5))
SHORT_DIAGONAL_SHAPE = DIAGONAL_SHAPE[:MATCH_LENGTH]
RECTANGLE_SHAPE = ((0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2))
CROSS_SHAPE = ((0, 0), (0, 1), (1, 0), (0, -1), (-1, 0))

Cell = tuple[int, int]


def _transformed(cell: Cell, symmetry: int) -> Cell:
    """Returns the image of a cell under one of the board's eight symmetries."""
    row, col = cell
    for _ in range(symmetry % 4):
        row, col = col, BOARD_SIDE - 1 - row
    return (row, BOARD_SIDE - 1 - col) if symmetry >= 4 else (row, col)


def _on_board(cell: Cell) -> bool:
    return 0 <= cell[0] < BOARD_SIDE and 0 <= cell[1] < BOARD_SIDE


def _symmetry_classes(shape: tuple[Cell, ...]) -> Iterator[list[tuple[Cell, ...]]]:
    """Yields for each symmetry class of a shape the list of its groups.

    The k-th cells of the groups of a class correspond to each other.
    """
    visited: set[frozenset[Cell]] = set()
    for row in range(BOARD_SIDE):
        for col in range(BOARD_SIDE):
            first = tuple((row + down, col + right) for down, right in shape)
            if not all(_on_board(cell) for cell in first):
                continue
            # Longer diagonals are covered by DIAGONAL_SHAPE.
            if shape == SHORT_DIAGONAL_SHAPE and (
                _on_board((row - 1, col - 1)) or _on_board((row + 5, col + 5))
            ):
                continue
            groups: dict[frozenset[Cell], tuple[Cell, ...]] = {}
            for symmetry in range(8):
                group = tuple(_transformed(cell, symmetry) for cell in first)
                groups.setdefault(frozenset(group), group)
            if visited.isdisjoint(groups):
                visited.update(groups)
                yield list(groups.values())


def _all_patterns() -> list[tuple[int, ...]]:
    """Returns every pattern as labels: 0 for an empty cell, 1, 2, ... for the colours.

    Patterns with an empty sixth cell come first.
    """
    patterns: list[tuple[int, ...]] = [()]
    for _ in range(GROUP_SIZE):
        patterns = [
            (*labels, label) for labels in patterns for label in range(max(labels, default=0) + 2)
        ]
    return sorted(patterns, key=lambda labels: (labels[-1] > 0, labels))


def _relabelled(balls: list[int]) -> tuple[int, ...]:
    """Returns the labels of cells that are given as colour numbers, 0 for an empty cell."""
    labels = {0: 0}
    return tuple(labels.setdefault(ball, len(labels)) for ball in balls)


def _patterns_of_codes() -> np.ndarray[Any, Any]:
    """Returns the pattern of each code of five cells: their colours, three bits per cell."""
    codes = np.arange(8**5)
    balls = [codes >> 3 * k & 7 for k in range(5)]
    labels: list[np.ndarray[Any, Any]] = []
    highest = np.zeros_like(codes)
    for k, ball in enumerate(balls):
        label = np.zeros_like(codes)
        for earlier in range(k):
            label = np.where((balls[earlier] == ball) & (ball > 0), labels[earlier], label)
        new = (ball > 0) & (label == 0)
        highest += new
        labels.append(np.where(new, highest, label))
    # Read as digits in base 6, the labels sort in the order of `_all_patterns`.
    order = sum(label * 6 ** (4 - k) for k, label in enumerate(labels))
    return np.unique(order, return_inverse=True)[1].astype(np.uint8)


_GROUPS = [
    (symmetry_class, group)
    for symmetry_class, groups in enumerate(
        groups
        for shape in (ROW_SHAPE, DIAGONAL_SHAPE, SHORT_DIAGONAL_SHAPE, RECTANGLE_SHAPE, CROSS_SHAPE)
        for groups in _symmetry_classes(shape)
    )
    for group in groups
]
_PATTERNS = _all_patterns()
_PATTERN_NUMBER = {labels: number for number, labels in enumerate(_PATTERNS)}

GROUP_COUNT = len(_GROUPS)
# The groups in which a line of five fits come first.
LINE_GROUP_COUNT = sum(
    len(groups)
    for shape in (ROW_SHAPE, DIAGONAL_SHAPE, SHORT_DIAGONAL_SHAPE)
    for groups in _symmetry_classes(shape)
)
PATTERN_COUNT = len(_PATTERNS)

# PADDED_INDEX[cell]: its index in the padded board of the kernel.
# GROUP_CELLS[group]: the padded indices of its cells.
PADDED_INDEX = np.array(
    [cell + cell // BOARD_SIDE + BOARD_SIDE + 2 for cell in range(CELLS)], np.uint8
)
GROUP_CELLS = np.zeros((GROUP_COUNT, GROUP_SIZE), np.uint8)
# GROUPS_THROUGH[index]: the groups that contain a cell, each as group * 8 + position in it.
_groups_through: list[list[int]] = [[] for _ in range(PADDED_CELLS)]
for _g, (_, _cells) in enumerate(_GROUPS):
    for _k, (_row, _col) in enumerate(_cells):
        GROUP_CELLS[_g, _k] = PADDED_INDEX[_row * BOARD_SIDE + _col]
        _groups_through[GROUP_CELLS[_g, _k]].append(_g * 8 + _k)
# HAS_SENTINEL[group]: 1 if its sixth cell is the sentinel.
HAS_SENTINEL = (GROUP_CELLS[:, -1] == 0).astype(np.uint8)
GROUPS_THROUGH_COUNT = np.array([len(groups) for groups in _groups_through], np.uint8)
GROUPS_THROUGH = np.zeros((PADDED_CELLS, GROUPS_THROUGH_COUNT.max()), np.uint16)
for _index, _packed in enumerate(_groups_through):
    GROUPS_THROUGH[_index, : len(_packed)] = _packed

# Each symmetry class has one weight per pattern; then there is one weight for each possible
# number of empty cells on the board.
_FIVE_CELL_PATTERN_COUNT = sum(labels[-1] == 0 for labels in _PATTERNS)
_CLASS_WEIGHT_COUNTS = [
    PATTERN_COUNT if len(group) == GROUP_SIZE else _FIVE_CELL_PATTERN_COUNT
    for group in dict(_GROUPS).values()
]
GROUP_WEIGHTS_OFFSET = np.array(
    [sum(_CLASS_WEIGHT_COUNTS[:symmetry_class]) for symmetry_class, _ in _GROUPS], np.uint16
)
EMPTY_CELLS_WEIGHTS_OFFSET = sum(_CLASS_WEIGHT_COUNTS)
WEIGHT_COUNT = EMPTY_CELLS_WEIGHTS_OFFSET + CELLS + 1

# PATTERN_OF_CODE[code]: the pattern of a code of five cells.
# PATTERN_LABELS[pattern, k]: the label of its k-th cell.
# PATTERN_WITHOUT[pattern, k]: the pattern after the k-th ball has been removed.
# PATTERN_WITH[pattern, k, label]: the pattern after a ball has been put on the empty k-th cell;
#   label 0 stands for a colour that the pattern does not have.
# PATTERN_MOVED[pattern, k, j]: the pattern after the k-th ball has moved to the empty j-th cell.
PATTERN_OF_CODE = _patterns_of_codes()
PATTERN_LABELS = np.array(_PATTERNS, np.uint8)
PATTERN_WITHOUT = np.zeros((PATTERN_COUNT, GROUP_SIZE), np.uint16)
PATTERN_WITH = np.zeros((PATTERN_COUNT, GROUP_SIZE, GROUP_SIZE), np.uint16)
PATTERN_MOVED = np.zeros((PATTERN_COUNT, GROUP_SIZE, GROUP_SIZE), np.uint16)
# HAS_LINE[pattern]: True if five adjacent cells have balls of one colour: the second to the fifth
#   are alike and not empty (no label is 9), and so is the first or the sixth.
HAS_LINE = np.array(
    [
        labels[1:5].count(labels[1] or 9) == 4 and labels[1] in (labels[0], labels[5])
        for labels in _PATTERNS
    ]
)
# PATTERN_COLOUR_COUNT[pattern]: its number of colours.
# PATTERN_FIRST_BALL[pattern, label]: the position, 0 to 5, of the first ball with that label.
# PATTERN_EMPTY_COUNT[pattern]: its number of empty cells; PATTERN_EMPTY_CELLS: their positions.
PATTERN_COLOUR_COUNT = PATTERN_LABELS.max(axis=1)
PATTERN_FIRST_BALL = np.zeros((PATTERN_COUNT, GROUP_SIZE + 1), np.uint8)
PATTERN_EMPTY_COUNT = (PATTERN_LABELS == 0).sum(axis=1).astype(np.uint8)
PATTERN_EMPTY_CELLS = np.zeros((PATTERN_COUNT, GROUP_SIZE), np.uint8)

for _labels, _number in _PATTERN_NUMBER.items():
    PATTERN_FIRST_BALL[_number, 1 : PATTERN_COLOUR_COUNT[_number] + 1] = [
        _labels.index(label + 1) for label in range(PATTERN_COLOUR_COUNT[_number])
    ]
    PATTERN_EMPTY_CELLS[_number, : PATTERN_EMPTY_COUNT[_number]] = np.flatnonzero(
        PATTERN_LABELS[_number] == 0
    )
    for _k, _label in enumerate(_labels):
        _balls = list(_labels)
        if _label == 0:
            for _new in range(GROUP_SIZE):
                _balls[_k] = _new or GROUP_SIZE  # no pattern with an empty cell has six colours
                PATTERN_WITH[_number, _k, _new] = _PATTERN_NUMBER[_relabelled(_balls)]
            continue
        _balls[_k] = 0
        PATTERN_WITHOUT[_number, _k] = _PATTERN_NUMBER[_relabelled(_balls)]
        for _j in range(GROUP_SIZE):
            if _labels[_j] == 0:
                _balls[_j] = _label
                PATTERN_MOVED[_number, _k, _j] = _PATTERN_NUMBER[_relabelled(_balls)]
                _balls[_j] = 0
