"""Shapes, their moves and lines, against the rulings and against the slow way."""

import numpy as np
import pytest

from quincunx.solve import shape_sets, shapes
from quincunx.solve.shape_sets import SHAPES, ShapeSet
from tests.naive import onoro, onoro_solver


def whole(n, team):
    cells = np.concatenate([part for *_, part in shape_sets.enumerated(n, team)])
    size = ShapeSet(cells, np.empty(shape_sets.table_length(len(cells)), np.int32))
    shape_sets.fill(size)
    return size


def cells_of(row):
    return frozenset((int(code) & 15, int(code) >> 4) for code in row)


def name_of(cells):
    """The same for all views of a shape."""
    return onoro_solver.key((cells, frozenset()))


@pytest.mark.modes
@pytest.mark.parametrize("n", range(3, 9))
def test_the_shapes_are_those_of_the_slow_way(n, team):
    found = [name_of(cells_of(row)) for row in whole(n, team).cells]
    assert len(set(found)) == len(found) == SHAPES[n]
    assert set(found) == {name_of(cells) for cells in onoro_solver.shapes(n)}


@pytest.mark.parametrize("n", [9, 10, 11, 12, 13])
def test_the_number_of_shapes(n, team):
    assert len(whole(n, team)) == SHAPES[n]


def test_the_rulings_numbers():
    rulings = {6: 7, 8: 54, 10: 724, 12: 11293, 16: 3129836}
    assert {n: SHAPES[n] for n in rulings} == rulings


def test_parts_give_the_shapes_once_each():
    n, parts = 11, 5
    out = np.empty((SHAPES[n], n), np.uint8)
    found = []
    for part in range(parts):
        count = shapes.enumerate_shapes(n, part, parts, out)
        found += [row.tobytes() for row in out[:count]]
    assert len(set(found)) == len(found) == SHAPES[n]


@pytest.mark.parametrize("n", [6, 8])
def test_every_shape_finds_itself(n, team):
    size = whole(n, team)
    words, order = np.empty(4, np.uint64), np.empty(shapes.MOST, np.int64)
    room = np.empty(shapes.ROOM, np.int64)
    for number, row in enumerate(size.cells):
        q, r = (row & 15).astype(np.int64), (row >> 4).astype(np.int64)
        q, r = -r, q + r + 7  # turned, and somewhere else
        shapes.canonical(q, r, n, words, order, room)
        assert shapes.index_of(words, size.cells, size.table, n) == number


@pytest.mark.modes
@pytest.mark.parametrize(("n", "later"), [(5, 6), (6, 6), (7, 8), (8, 8)])
def test_moves_lead_where_the_rules_say(n, later, team):
    size, bigger = whole(n, team), whole(later, team)
    moves = shape_sets.moves(size, bigger, 0, len(size))
    for shape in range(len(size)):
        mine = range(moves.starts[shape], moves.starts[shape + 1])
        found = sorted(int(moves.target[m]) for m in mine)
        assert found == sorted(_targets(cells_of(size.cells[shape]), later, bigger))


def _targets(cells, later, bigger):
    """The numbers of the shapes that a move leads to, one for each move."""
    numbers = {name_of(cells_of(row)): i for i, row in enumerate(bigger.cells)}
    lifted = [frozenset([cell]) for cell in cells] if later == len(cells) else [frozenset()]
    for gone in lifted:
        rest = cells - gone
        for cell in onoro.empty_neighbours(rest):
            after = rest | {cell}
            if cell not in cells and onoro.is_legal_group(after):
                yield numbers[name_of(after)]


@pytest.mark.parametrize("n", [8, 9])
def test_lines_are_four_in_a_row(n, team):
    size = whole(n, team)
    starts, lines = shape_sets.lines(size, 0, len(size))
    for shape in range(len(size)):
        cells = [(int(code) & 15, int(code) >> 4) for code in size.cells[shape]]
        found = {int(line) for line in lines[starts[shape] : starts[shape + 1]]}
        for line in found:
            on_line = [cell for i, cell in enumerate(cells) if line >> i & 1]
            assert len(on_line) == 4
            assert onoro.has_four_in_a_row(frozenset(on_line))
        assert bool(found) == onoro.has_four_in_a_row(frozenset(cells))
