"""What an analysis says of moves besides their values: the way of a piece, and points."""

from itertools import pairwise

import pytest

from quincunx.analysis import ScoredMove
from quincunx.registry import game
from quincunx.rooms.explore import expected_points, move_path


def scored(move, value, line=()):
    return ScoredMove(move, value, (move, *line), 1, None)


def test_the_path_of_a_ball_goes_around_others():
    state = game("wzlz").start(3)
    paths = [move_path(state, move, 0) for move in state.moves()]
    for move, path in zip(state.moves(), paths, strict=True):
        assert (path[0], path[-1]) == state.game.parts.layout.clicks(move)
        cells = [tuple(map(int, name.split(","))) for name in path]
        if len(cells) > 2:
            assert all(abs(a - c) + abs(b - d) == 1 for (a, b), (c, d) in pairwise(cells))
    assert any(len(path) > 4 for path in paths)


def test_a_move_without_a_path_has_its_clicks(any_game):
    state = any_game.start(3)
    seat = 0 if state.turn is None else state.turn
    for move in state.moves(seat)[:5]:
        clicks = tuple(any_game.parts.layout.clicks(move))
        path = move_path(state, move, seat)
        assert path == clicks or (path[0], path[-1]) == (clicks[0], clicks[-1])


def test_a_value_of_a_solo_game_is_its_expected_score():
    state = game("wzlz").start(3)
    move = state.moves()[0]
    assert expected_points(state, 0, scored(move, 0.5)) == 1000.0
    assert expected_points(state, 0, scored(move, 0.0)) == 0.0


def test_points_of_several_players_are_the_lead_after_the_expected_moves():
    state = game("blocky", depth=2).start(5)
    line = state.hidden(0, 0)
    moves = []
    for _ in range(3):
        moves.append(line.moves()[-1])
        line = line.play(moves[-1])
    expected = line.scores[0] - line.scores[1]
    assert expected_points(state, 0, scored(moves[0], 0.2, moves[1:])) == expected


def test_a_game_that_is_won_or_drawn_has_no_points():
    state = game("quorum").start(0)
    assert expected_points(state, 0, scored("a1e3", 0.4)) is None


@pytest.mark.parametrize("value", [-1.0, 1.0])
def test_a_decided_value_is_not_a_number_of_points(value):
    assert game("wzlz").parts.rules.points(value) is None
