"""2048: pushes by hand, new tiles, the naive implementation, pgx's directions and planes."""

import random
from collections import Counter

import numpy as np
import pytest

from quincunx.contract import SCORE
from quincunx.errors import BadPosition, IllegalMove
from tests.samples import naive_twenty48 as naive
from tests.samples.packages import load

pytestmark = pytest.mark.xdist_group("twenty48")

TWENTY48 = load("twenty48")
LEFT, UP, RIGHT, DOWN = range(4)
GAMES = 4
SPAWNS = 10_000


def board(state):
    """Returns the tiles of a position as rows of numbers."""
    rows = state.text.split()[0].split("/")
    spread = ("".join("." * int(c) if c.isdigit() else c for c in row) for row in rows)
    return tuple(tuple(0 if c == "." else 2 << ord(c) - ord("a") for c in row) for row in spread)


def pushed_row(row):
    """Returns the first row after a push to the left, and the points, by the kernel's table."""
    code = sum((tile.bit_length() - 1) << 4 * i for i, tile in enumerate(row) if tile)
    entry = int(TWENTY48.kernel.PUSHED_ROWS[0, code])
    exponents = [entry >> 4 * i & 15 for i in range(4)]
    return [1 << e if e else 0 for e in exponents], (entry >> 16) * 4


@pytest.mark.parametrize(
    ("row", "result", "points"),
    [
        ([0, 0, 0, 0], [0, 0, 0, 0], 0),
        ([0, 0, 0, 2], [2, 0, 0, 0], 0),
        ([2, 0, 0, 2], [4, 0, 0, 0], 4),
        ([2, 2, 2, 2], [4, 4, 0, 0], 8),
        ([2, 2, 2, 0], [4, 2, 0, 0], 4),  # the pair at the side merges
        ([4, 2, 2, 0], [4, 4, 0, 0], 4),  # a merged tile does not merge again
        ([4, 4, 8, 0], [8, 8, 0, 0], 8),
        ([2, 4, 2, 4], [2, 4, 2, 4], 0),
        ([2, 0, 4, 2], [2, 4, 2, 0], 0),
        ([16384, 16384, 0, 0], [32768, 0, 0, 0], 32768),
        ([32768, 32768, 0, 0], [32768, 32768, 0, 0], 0),  # the largest tile
        ([16384, 16384, 16384, 16384], [32768, 32768, 0, 0], 65536),
    ],
)
def test_pushes_of_a_row(row, result, points):
    assert pushed_row(row) == (result, points)
    assert naive.pushed_row(tuple(row)) == (tuple(result), points)


def test_the_tables_agree_with_the_naive_implementation_for_all_rows():
    tiles = [0, *(1 << e for e in range(1, 16))]
    for code in range(0, 1 << 16, 7):
        row = tuple(tiles[code >> 4 * i & 15] for i in range(4))
        for side, cells in ((0, row), (1, row[::-1])):
            pushed, points = naive.pushed_row(cells)
            exponents = [max(tile, 1).bit_length() - 1 for tile in pushed[:: 1 - 2 * side]]
            entry = points // 4 << 16 | sum(e << 4 * i for i, e in enumerate(exponents))
            assert TWENTY48.kernel.PUSHED_ROWS[side, code] == entry, row


@pytest.mark.parametrize(
    ("action", "word", "cells"),
    [
        (LEFT, "left", [(0, 0), (3, 0)]),
        (UP, "up", [(0, 1), (0, 3)]),
        (RIGHT, "right", [(0, 3), (3, 3)]),
        (DOWN, "down", [(3, 1), (3, 3)]),
    ],
)
def test_directions_have_the_numbers_of_pgx(action, word, cells):
    state = TWENTY48.read("1g2/4/4/3h 0")
    assert state.action(word) == action
    rows = board(state.act(action))
    assert [rows[row][column] for row, column in cells] == [128, 256]


def test_planes_are_those_of_pgx():
    planes = TWENTY48.read("1a2/2b1/4/3o 0").observe(0)
    assert planes.shape == TWENTY48.planes == (31, 4, 4)
    assert planes.sum(axis=0).tolist() == [[1.0] * 4] * 4
    assert np.flatnonzero(planes[1]).tolist() == [1]  # the tile of 2, second in its row
    assert np.flatnonzero(planes[2]).tolist() == [6]
    assert np.flatnonzero(planes[15]).tolist() == [15]
    assert planes[0].sum() == 13  # the empty cells


@pytest.mark.modes
def test_random_games_agree_with_the_naive_implementation():
    for seed in range(GAMES):
        rng, state = random.Random(seed), TWENTY48.start(seed)
        while not state.over:
            rows, score = board(state), state.scores[0]
            assert state.actions() == naive.actions(rows), state
            action = rng.choice(state.actions())
            pushed, points = naive.pushed(rows, action)
            state = state.act(action)
            ((row, column, tile),) = naive.new_tiles(pushed, board(state))
            assert (pushed[row][column], tile in (2, 4)) == (0, True), state
            assert state.scores[0] == score + points, state
        assert naive.actions(board(state)) == [], state
        assert state.status == f"Game over: {state.scores[0]:.0f} points"


def test_new_tiles_are_2_in_nine_of_ten_cases_on_every_empty_cell():
    rows = ((64, 0, 0, 0), (0,) * 4, (0,) * 4, (0,) * 4)  # a push to the right leaves 15 cells
    cells, tiles = Counter(), Counter()
    for seed in range(SPAWNS):
        after = TWENTY48.read("f3/4/4/4 0", seed=seed).act(RIGHT)
        ((row, column, tile),) = naive.new_tiles(naive.pushed(rows, RIGHT)[0], board(after))
        cells[row, column] += 1
        tiles[tile] += 1
    assert len(cells) == 15
    # Within four standard deviations; the seeds are fixed, so that the counts never change.
    assert abs(tiles[4] - SPAWNS * 0.1) < 4 * (SPAWNS * 0.09) ** 0.5
    for count in cells.values():
        assert abs(count - SPAWNS / 15) < 4 * (SPAWNS / 15) ** 0.5


def test_games_start_with_two_random_tiles():
    starts = [board(TWENTY48.start(seed)) for seed in range(200)]
    numbers = Counter(tile for rows in starts for row in rows for tile in row if tile)
    assert (numbers.total(), set(numbers)) == (400, {2, 4})
    assert len(set(starts)) > 100
    assert TWENTY48.start(5) == TWENTY48.start(5)


def test_a_push_that_moves_nothing_is_not_legal():
    state = TWENTY48.read("ab2/4/4/4 0")
    assert state.moves() == ["down", "right"]
    with pytest.raises(IllegalMove, match="no tile would move"):
        state.play("left")


def test_the_game_ends_when_the_board_is_full_without_a_pair():
    state = TWENTY48.read("fgfg/gfgf/fgfg/gfhh 5000")
    assert state.moves() == ["left", "right"]
    after = state.play("left")
    assert (after.over, after.scores) == (True, (5512.0,))
    assert not TWENTY48.read("aaaa/aaaa/aaaa/aaaa 0").over


def test_traits_and_evaluation():
    assert (TWENTY48.seats, TWENTY48.traits.outcome) == (1, SCORE)
    assert (TWENTY48.traits.chance, TWENTY48.traits.random_start) == (True, True)
    in_the_corner, in_the_middle = (
        TWENTY48.read(f"{rows} 0") for rows in ("g3/4/4/4", "4/1g2/4/4")
    )
    assert in_the_corner.evaluate(0) > in_the_middle.evaluate(0) > 0
    assert TWENTY48.read("fgfg/gfgf/fgfg/gfgf 20000").evaluate(0) == 0.5


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("4/4/4/4", "4 rows separated by / and the score, such as "),
        ("4/4/4/3p 0", "row 4 contains 'p'"),
        ("4/4/4/4 -1", "invalid score '-1': expected an integer from 0 to 4294967295"),
        ("4/4/4/4 4294967296", "invalid score '4294967296': expected an integer from 0 to"),
    ],
)
def test_invalid_positions_are_refused(text, reason):
    with pytest.raises(BadPosition, match=reason):
        TWENTY48.read(text)


def test_the_picture_has_no_coordinates_because_moves_are_words():
    roles = {shape.role for shape in TWENTY48.start(seed=0).scene().shapes}
    assert "coordinate" not in roles
