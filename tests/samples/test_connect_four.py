"""Connect Four: published counts of moves, the naive implementation, pgx's planes."""

import random

import numpy as np
import pytest

from quincunx.errors import BadPosition, IllegalMove, MoveSyntax
from quincunx.search import count_leaves
from tests.samples import naive_connect_four as naive
from tests.samples.packages import LEAVES, load

pytestmark = pytest.mark.xdist_group("connect_four")

CONNECT_FOUR = load("connect_four")
EMPTY = "7/7/7/7/7/7 r"
GAMES = 40


def test_leaf_counts():
    state = CONNECT_FOUR.start()
    assert [count_leaves(state, depth) for depth in range(1, 8)] == LEAVES["connect_four"]


@pytest.mark.modes
def test_columns_and_planes_are_those_of_pgx():
    state = CONNECT_FOUR.start()
    assert (state.text, state.actions()) == (EMPTY, [0, 1, 2, 3, 4, 5, 6])
    assert (CONNECT_FOUR.actions, CONNECT_FOUR.planes) == (7, (2, 6, 7))
    after = state.act(0).act(6).act(0)
    assert after.text == "7/7/7/7/R6/R5Y y"
    red, yellow = after.observe(0)
    assert np.flatnonzero(red).tolist() == [28, 35]  # a column of the two lowest rows
    assert np.flatnonzero(yellow).tolist() == [41]  # the lower right corner
    assert np.array_equal(after.observe(1), [yellow, red])


@pytest.mark.modes
def test_random_games_agree_with_the_naive_implementation():
    results = set()
    for seed in range(GAMES):
        rng, state, expected = random.Random(seed), CONNECT_FOUR.start(), naive.start()
        while not expected.over:
            assert (state.actions(), state.turn) == (expected.actions(), expected.turn), state
            assert np.array_equal(state.observe(0), expected.planes(0)), state
            action = rng.choice(expected.actions())
            state, expected = state.act(action), expected.act(action)
        assert (state.over, state.actions(), state.scores) == (True, [], expected.scores), state
        results.add(state.scores)
    assert {(1.0, 0.0), (0.0, 1.0)} <= results


@pytest.mark.parametrize(
    ("position", "move"),
    [
        ("7/7/7/7/YYY4/RRR4 r", "d"),  # a row
        ("7/7/7/R6/RY5/RYY4 r", "a"),  # a column
        ("7/7/7/2RY3/1RRY3/RYYR2Y r", "d"),  # a diagonal upwards
        ("7/7/7/3YR2/3YRR1/Y2RYYR r", "d"),  # a diagonal downwards
    ],
)
def test_four_in_a_line_win_and_are_struck_through(position, move):
    before = CONNECT_FOUR.read(position)
    after = before.play(move)
    assert (after.over, after.winners, after.status) == (True, (0,), "Red wins")
    assert CONNECT_FOUR.read(after.text) == after
    roles = [shape.role for shape in after.scene().shapes]
    # The line and its border.
    assert (roles.count("win"), "win" in before.svg()) == (2, False)


def test_lines_do_not_continue_in_the_next_column_or_row():
    assert not CONNECT_FOUR.read("R6/R6/R6/Y6/Y6/YR5 y").over
    assert not CONNECT_FOUR.read("7/7/7/7/YRR4/YYYRRRY r").play("d").over


def test_a_full_board_without_a_line_is_a_draw():
    state = CONNECT_FOUR.read("YRYRYR1/YRYRYRY/RYRYRYR/RYRYRYR/YRYRYRY/YRYRYRY r").play("g")
    assert (state.over, state.scores, state.status) == (True, (0.5, 0.5), "Draw")


def test_a_full_column_is_not_legal():
    state = CONNECT_FOUR.read("Y6/R6/Y6/R6/Y6/R6 r")
    assert state.moves() == ["b", "c", "d", "e", "f", "g"]
    with pytest.raises(IllegalMove, match="the column is full"):
        state.play("a")
    with pytest.raises(MoveSyntax, match="a column from a to g"):
        state.play("h")


def test_a_disc_above_an_empty_cell_is_refused():
    with pytest.raises(BadPosition, match="column d has an empty cell below a piece"):
        CONNECT_FOUR.read("7/7/7/7/3R3/7 y")


def test_the_evaluation_prefers_the_middle():
    values = [CONNECT_FOUR.start().act(column).evaluate(0) for column in range(7)]
    assert values == values[::-1]
    assert values == pytest.approx([n / 69 for n in (3, 4, 5, 7, 5, 4, 3)])


def test_keys_differ_after_every_sequence_of_four_moves_that_differs():
    positions, keys = set(), set()
    states = [CONNECT_FOUR.start()]
    for _ in range(4):
        states = [state.act(column) for state in states for column in range(7)]
        positions |= {state.text for state in states}
        keys |= {int(CONNECT_FOUR.kernel.key(state.position)) for state in states}
    assert len(keys) == len(positions)
