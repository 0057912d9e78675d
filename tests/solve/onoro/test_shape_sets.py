"""Shapes, their moves and lines, compared with the rulings and with the naive solver."""

import numpy as np
import pytest

from quincunx.solve.onoro import shape_enumeration, shape_sets, shapes
from quincunx.solve.onoro.shape_sets import SHAPE_COUNTS, ShapeSet
from tests.naive import onoro, onoro_solver

# All in one pytest-xdist worker, so that the solver is compiled once.
pytestmark = pytest.mark.xdist_group("solver")


def all_shapes(n, team):
    cells = np.concatenate([part for *_, part in shape_sets.enumerate_parts(n, team)])
    table = np.empty(shape_sets.hash_table_length(len(cells)), np.int32)
    shape_set = ShapeSet(cells, table)
    shape_sets.fill_hash_table(shape_set)
    return shape_set


def cells_of(row):
    return frozenset((int(bit) & 15, int(bit) >> 4) for bit in row)


def shape_key(cells):
    """Returns a key that all orientations of a shape share."""
    return onoro_solver.key((cells, frozenset()))


@pytest.mark.modes
@pytest.mark.parametrize("n", range(3, 9))
def test_shapes_agree_with_the_naive_solver(n, team):
    keys = [shape_key(cells_of(row)) for row in all_shapes(n, team).cells]
    assert len(set(keys)) == len(keys) == SHAPE_COUNTS[n]
    assert set(keys) == {shape_key(cells) for cells in onoro_solver.shapes(n)}


@pytest.mark.parametrize("n", [9, 10, 11, 12, 13])
def test_the_number_of_shapes(n, team):
    assert len(all_shapes(n, team)) == SHAPE_COUNTS[n]


def test_shape_counts_agree_with_the_rulings():
    rulings = {6: 7, 8: 54, 10: 724, 12: 11293, 16: 3129836}
    assert {n: SHAPE_COUNTS[n] for n in rulings} == rulings


def test_parts_contain_each_shape_once():
    n, parts = 11, 5
    out = np.empty((SHAPE_COUNTS[n], n), np.uint8)
    rows = []
    for part in range(parts):
        count = shape_enumeration.enumerate_shapes(n, part, parts, out)
        rows += [row.tobytes() for row in out[:count]]
    assert len(set(rows)) == len(rows) == SHAPE_COUNTS[n]


@pytest.mark.parametrize("n", [6, 8])
def test_find_shape_finds_rotated_shapes(n, team):
    shape_set = all_shapes(n, team)
    words, order = np.empty(4, np.uint64), np.empty(shapes.MAX_SHAPE_CELLS, np.int64)
    scratch = np.empty(shapes.SCRATCH_SIZE, np.int64)
    for index, row in enumerate(shape_set.cells):
        q, r = (row & 15).astype(np.int64), (row >> 4).astype(np.int64)
        q, r = -r, q + r + 7  # rotated and shifted
        shapes.canonical(q, r, n, words, order, scratch)
        assert shapes.find_shape(words, shape_set.cells, shape_set.table, n) == index


@pytest.mark.modes
@pytest.mark.parametrize(("n", "target_n"), [(5, 6), (6, 6), (7, 8), (8, 8)])
def test_moves_agree_with_the_rules(n, target_n, team):
    shape_set, target_set = all_shapes(n, team), all_shapes(target_n, team)
    moves = shape_sets.find_moves(shape_set, target_set, 0, len(shape_set))
    for shape in range(len(shape_set)):
        numbers = range(moves.starts[shape], moves.starts[shape + 1])
        targets = sorted(int(moves.target[m]) for m in numbers)
        assert targets == sorted(naive_targets(cells_of(shape_set.cells[shape]), target_set))


def naive_targets(cells, target_set):
    """Yields the index of the shape that each move leads to."""
    index = {shape_key(cells_of(row)): i for i, row in enumerate(target_set.cells)}
    moves_a_pawn = target_set.n == len(cells)
    for lifted in [frozenset([cell]) for cell in cells] if moves_a_pawn else [frozenset()]:
        rest = cells - lifted
        for cell in onoro.empty_neighbours(rest):
            after = rest | {cell}
            if cell not in cells and onoro.is_legal_group(after):
                yield index[shape_key(after)]


@pytest.mark.parametrize("n", [8, 9])
def test_lines_are_four_in_a_row(n, team):
    shape_set = all_shapes(n, team)
    starts, lines = shape_sets.find_lines(shape_set, 0, len(shape_set))
    for shape in range(len(shape_set)):
        cells = [(int(bit) & 15, int(bit) >> 4) for bit in shape_set.cells[shape]]
        shape_lines = {int(line) for line in lines[starts[shape] : starts[shape + 1]]}
        for line in shape_lines:
            on_line = [cell for i, cell in enumerate(cells) if line >> i & 1]
            assert len(on_line) == 4
            assert onoro.has_four_in_a_row(frozenset(on_line))
        assert bool(shape_lines) == onoro.has_four_in_a_row(frozenset(cells))
