"""Reversi: published counts of moves, the naive implementation, pgx's numbers and planes."""

import random

import numpy as np
import pytest

from quincunx.errors import BadPosition, IllegalMove, MoveSyntax
from quincunx.search import count_leaves
from tests.samples import naive_reversi as naive
from tests.samples.packages import LEAVES, load

pytestmark = pytest.mark.xdist_group("reversi")

REVERSI = load("reversi")
START = "8/8/8/3WB3/3BW3/8/8/8 b"
GAMES = 12
CORNERS = {(0, 0), (0, 7), (7, 0), (7, 7)}


def test_leaf_counts():
    state = REVERSI.start()
    assert [count_leaves(state, depth) for depth in range(1, 8)] == LEAVES["reversi"]


@pytest.mark.modes
def test_the_first_position_and_its_moves_have_the_numbers_of_pgx():
    state = REVERSI.start()
    assert (state.text, state.turn) == (START, 0)
    assert state.actions() == [19, 26, 37, 44]
    assert state.moves() == ["c4", "d3", "e6", "f5"]
    assert state.action("d3") == 19
    assert (REVERSI.actions, REVERSI.planes) == (65, (2, 8, 8))
    black, white = state.observe(0)
    assert np.flatnonzero(black).tolist() == [28, 35]
    assert np.flatnonzero(white).tolist() == [27, 36]
    assert np.array_equal(state.observe(1), [white, black])


@pytest.mark.modes
def test_random_games_agree_with_the_naive_implementation():
    passes = 0
    for seed in range(GAMES):
        rng, state, expected = random.Random(seed), REVERSI.start(), naive.start()
        while not expected.over:
            assert (state.actions(), state.turn) == (expected.actions(), expected.turn), state
            assert np.array_equal(state.observe(1), expected.planes(1)), state
            assert state.evaluate(0) == pytest.approx(estimate(expected, 0)), state
            action = rng.choice(expected.actions())
            passes += action == naive.PASS
            state, expected = state.act(action), expected.act(action)
        assert (state.over, state.actions(), state.scores) == (True, [], expected.scores), state
    assert passes > 1


def estimate(position, seat):
    """Returns the static evaluation: 0.15 for a corner, up to 0.4 for more moves."""
    corners = [len(CORNERS & discs) for discs in position.discs]
    moves = [len(position.placements(player)) for player in (0, 1)]
    more_moves = (moves[seat] - moves[1 - seat]) / sum(moves)
    return 0.15 * (corners[seat] - corners[1 - seat]) + 0.4 * more_moves


def test_a_pass_is_legal_only_without_another_move():
    state = REVERSI.read("WB6/8/8/8/8/8/8/8 b")
    assert (state.actions(), state.moves()) == ([64], ["pass"])
    after = state.play("pass")
    assert (after.text, after.moves()) == ("WB6/8/8/8/8/8/8/8 w", ["c1"])
    with pytest.raises(IllegalMove, match="you may pass only when you can place no disc"):
        after.play("pass")


def test_the_game_ends_when_neither_side_can_move():
    state = REVERSI.read("WB6/8/8/8/8/8/8/8 w").play("c1")
    assert (state.over, state.winners, state.status) == (True, (1,), "White wins")
    draw = REVERSI.read("B6W/8/8/8/8/8/8/8 b")
    assert (draw.over, draw.scores, draw.status) == (True, (0.5, 0.5), "Draw")


def test_a_disc_turns_over_lines_in_all_directions():
    state = REVERSI.read("8/1B1B1B2/2WWW3/1BW1WB2/2WWW3/1B1B1B2/8/8 b").play("d4")
    assert state.text == "8/1B1B1B2/2BBB3/1BBBBB2/2BBB3/1B1B1B2/8/8 w"


def test_no_line_wraps_around_the_edge():
    # On the line of bits, W on h1 would be between B on g1 and the empty a2.
    assert REVERSI.read("6BW/8/8/8/8/8/8/8 b").moves() == ["pass"]
    assert REVERSI.read("8/7B/W7/8/8/8/8/8 b").over


@pytest.mark.parametrize(
    ("move", "reason"),
    [
        ("d4", "there is already a disc on d4"),
        ("a1", "a disc on a1 would turn over no other disc"),
    ],
)
def test_illegal_moves_are_explained(move, reason):
    with pytest.raises(IllegalMove, match=reason):
        REVERSI.start().play(move)


def test_invalid_texts_are_refused():
    with pytest.raises(MoveSyntax, match="a square from a1 to h8, such as f3, or the word pass"):
        REVERSI.start().play("i9")
    with pytest.raises(BadPosition, match="the side to move must be b or w, not 'x'"):
        REVERSI.read(START.replace(" b", " x"))


def test_the_evaluation_of_a_finished_game_is_its_result():
    state = REVERSI.read("WB6/8/8/8/8/8/8/8 w").play("c1")
    assert [state.evaluate(seat) for seat in (0, 1)] == [-1.0, 1.0]


def test_the_picture_counts_the_discs():
    assert "Black 2, White 2" in REVERSI.start().svg()
