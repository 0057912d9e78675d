"""Groups of cells on the board of 9 x 9, and the patterns that balls make in them.

A group is six cells in a row, straight or diagonal (five where a diagonal has no more), two
rows of three, or a cross of five. Groups that a turn or a reflection of the board maps onto
each other are of one kind. What a group looks like is one of 877 patterns, whatever the
colours are called:

    red . red blue . .   and   green . green red . .   are both   1 0 1 2 0 0

Numbers only, worked out once: the kernel looks them up.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

SIDE = 9
MATCH = 5
CELLS = SIDE * SIDE
PLACES = (SIDE + 2) * (SIDE + 1) + 2
SIZE = 6  # of a group; the sixth cell of one of five is place 0, a guard that is always empty

ROW = ((0, 0), (0, 1), (0, 2), (0, 3), (0, 4), (0, 5))
DIAGONAL = ((0, 0), (1, 1), (2, 2), (3, 3), (4, 4), (5, 5))
SHORT = DIAGONAL[:MATCH]
BRICK = ((0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2))
CROSS = ((0, 0), (0, 1), (1, 0), (0, -1), (-1, 0))

Cell = tuple[int, int]


def _turned(cell: Cell, symmetry: int) -> Cell:
    """A cell after one of the board's eight turns and reflections."""
    row, col = cell
    for _ in range(symmetry % 4):
        row, col = col, SIDE - 1 - row
    return (row, SIDE - 1 - col) if symmetry >= 4 else (row, col)


def _on_board(cell: Cell) -> bool:
    return 0 <= cell[0] < SIDE and 0 <= cell[1] < SIDE


def _kinds(shape: tuple[Cell, ...]) -> Iterator[list[tuple[Cell, ...]]]:
    """The groups of a shape, kind by kind; the cells of a kind's groups correspond."""
    seen: set[frozenset[Cell]] = set()
    for row in range(SIDE):
        for col in range(SIDE):
            first = tuple((row + down, col + right) for down, right in shape)
            if not all(_on_board(cell) for cell in first):
                continue
            if shape == SHORT and (_on_board((row - 1, col - 1)) or _on_board((row + 5, col + 5))):
                continue
            groups: dict[frozenset[Cell], tuple[Cell, ...]] = {}
            for symmetry in range(8):
                group = tuple(_turned(cell, symmetry) for cell in first)
                groups.setdefault(frozenset(group), group)
            if seen.isdisjoint(groups):
                seen.update(groups)
                yield list(groups.values())


def _forms() -> list[tuple[int, ...]]:
    """Every pattern: 0 for an empty cell, colours numbered in the order in which they appear.

    Those with an empty sixth cell come first.
    """
    forms: list[tuple[int, ...]] = [()]
    for _ in range(SIZE):
        forms = [(*form, label) for form in forms for label in range(max(form, default=0) + 2)]
    return sorted(forms, key=lambda form: (form[-1] > 0, form))


def _renumbered(balls: list[int]) -> tuple[int, ...]:
    """The pattern of some balls."""
    labels = {0: 0}
    return tuple(labels.setdefault(ball, len(labels)) for ball in balls)


def _of_codes() -> np.ndarray[Any, Any]:
    """The pattern of each code of five cells: their colours, three bits to the cell."""
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
    # In base 6 the labels come in the order of `_forms`.
    order = sum(label * 6 ** (4 - k) for k, label in enumerate(labels))
    return np.unique(order, return_inverse=True)[1].astype(np.uint8)


_GROUPS = [
    (kind, group)
    for kind, groups in enumerate(
        groups for shape in (ROW, DIAGONAL, SHORT, BRICK, CROSS) for groups in _kinds(shape)
    )
    for group in groups
]
_FORMS = _forms()
_NUMBER = {form: number for number, form in enumerate(_FORMS)}

GROUPS = len(_GROUPS)
LINES = sum(len(groups) for shape in (ROW, DIAGONAL, SHORT) for groups in _kinds(shape))
PATTERNS = len(_FORMS)

# PLACE[cell] on the board with guards; GROUP[group] = the places of its cells.
PLACE = np.array([cell + cell // SIDE + SIDE + 2 for cell in range(CELLS)], np.uint8)
GROUP = np.zeros((GROUPS, SIZE), np.uint8)
# THROUGH[place] = the groups that the place belongs to, each as group * 8 + position in it.
_through: list[list[int]] = [[] for _ in range(PLACES)]
for _g, (_, _cells) in enumerate(_GROUPS):
    for _k, (_row, _col) in enumerate(_cells):
        GROUP[_g, _k] = PLACE[_row * SIDE + _col]
        _through[GROUP[_g, _k]].append(_g * 8 + _k)
# PADDED[group] = 1 where the sixth cell is the guard.
PADDED = (GROUP[:, -1] == 0).astype(np.uint8)
PASSING = np.array([len(groups) for groups in _through], np.uint8)
THROUGH = np.zeros((PLACES, PASSING.max()), np.uint16)
for _place, _passing in enumerate(_through):
    THROUGH[_place, : len(_passing)] = _passing

# Weights: a block for each kind of group, with one for each of its patterns, then one for
# each count of empty cells.
_FIVE_CELLS = sum(form[-1] == 0 for form in _FORMS)
_SIZES = [PATTERNS if len(group) == SIZE else _FIVE_CELLS for group in dict(_GROUPS).values()]
BLOCK = np.array([sum(_SIZES[:kind]) for kind, _ in _GROUPS], np.uint16)
BY_ROOM = sum(_SIZES)
WEIGHTS = BY_ROOM + CELLS + 1

# What a pattern becomes when its k-th ball goes, when a ball comes on its empty k-th cell
# (label 0: of a colour that it does not have), and when its k-th ball moves to its j-th cell.
PATTERN = _of_codes()
LABEL = np.array(_FORMS, np.uint8)
WITHOUT = np.zeros((PATTERNS, SIZE), np.uint16)
WITH = np.zeros((PATTERNS, SIZE, SIZE), np.uint16)
MOVED = np.zeros((PATTERNS, SIZE, SIZE), np.uint16)
# Whether a pattern has five of a colour side by side.
LINE = np.array(
    [form[1:5].count(form[1] or 9) == 4 and form[1] in (form[0], form[5]) for form in _FORMS]
)
# How many colours a pattern has, and where the first ball of each label is, from label 1 on;
# how many empty cells, and where they are.
COLOURS = LABEL.max(axis=1)
LEADER = np.zeros((PATTERNS, SIZE + 1), np.uint8)
GAPS = (LABEL == 0).sum(axis=1).astype(np.uint8)
GAP = np.zeros((PATTERNS, SIZE), np.uint8)

for _form, _number in _NUMBER.items():
    LEADER[_number, 1 : COLOURS[_number] + 1] = [
        _form.index(label + 1) for label in range(COLOURS[_number])
    ]
    GAP[_number, : GAPS[_number]] = np.flatnonzero(LABEL[_number] == 0)
    for _k, _label in enumerate(_form):
        _balls = list(_form)
        if _label == 0:
            for _new in range(SIZE):
                _balls[_k] = _new or SIZE
                WITH[_number, _k, _new] = _NUMBER[_renumbered(_balls)]
            continue
        _balls[_k] = 0
        WITHOUT[_number, _k] = _NUMBER[_renumbered(_balls)]
        for _j in range(SIZE):
            if _form[_j] == 0:
                _balls[_j] = _label
                MOVED[_number, _k, _j] = _NUMBER[_renumbered(_balls)]
                _balls[_j] = 0
