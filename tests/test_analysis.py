"""What the best player thinks: every legal move, the best first, with lines that can be played."""

import json

import pytest

import quincunx as qx
from quincunx.analysis import analyse, analysis_player
from quincunx.errors import BadOption, IllegalMove
from tests.test_cli import run

# White's e2 leaps over e3 and holds the middle; Black has stones enough to do something else.
WIN_IN_ONE = "7B/8/8/3WW3/3W4/4W3/4W3/8 w"
# A limit for each kind of player, small enough for tests.
SMALL = {"mcts": "sims=200", "alphabeta": "depth=2", "expectimax": "samples=1"}


def small(game):
    return SMALL[analysis_player(game, 1.0).partition(":")[0]]


def test_every_legal_move_is_judged_once_and_the_best_first(any_game):
    state = any_game.start(seed=4)
    seat = 0 if state.turn is None else state.turn
    found = analyse(state, small(any_game), seat)
    assert sorted(judged.move for judged in found.moves) == sorted(state.moves(seat))
    assert all(-1 <= judged.value <= 1 for judged in found.moves)
    assert found.value == found.moves[0].value
    assert all(judged.line[0] == judged.move for judged in found.moves)


def test_lines_can_be_played(any_game):
    state = any_game.start(seed=5)
    seat = 0 if state.turn is None else state.turn
    line = analyse(state, small(any_game), seat).line
    assert line
    if any_game.parts.rules.DRAWS:  # without chance the whole line can be played
        for move in line:
            state = state.play(move)


def test_the_same_seed_gives_the_same_analysis(any_game):
    state = any_game.start(seed=6)
    seat = 0 if state.turn is None else state.turn
    one, other = (analyse(state, small(any_game), seat, seed=9) for _ in range(2))
    assert one == other


def test_a_certain_win_says_how_far_it_is():
    state = qx.game("quorum").read(WIN_IN_ONE)
    found = analyse(state, "depth=3")
    assert (found.value, found.moves[0].plies) == (1.0, 1)
    assert state.play(found.line[0]).winners == (0,)


def test_where_a_game_is_solved_the_values_are_exact():
    state = qx.game("onoro", pawns=3).start()
    found = analyse(state, "depth=2")
    assert found.by == "perfect"
    assert {judged.value for judged in found.moves} <= {1.0, 0.0, -1.0}
    assert found.value == 0.0


def test_a_limit_that_is_wrong_says_what_is_allowed():
    state = qx.game("quorum").start()
    with pytest.raises(BadOption, match="no such option"):
        analyse(state, "minutes=4")
    with pytest.raises(IllegalMove, match="over"):
        analyse(qx.game("quorum").read(WIN_IN_ONE).play("e2e4"), "depth=1")


def test_the_command_prints_moves_values_and_lines():
    code, printed, _ = run("analyse", "quorum", WIN_IN_ONE, "--limit", "depth=3")
    assert code == 0
    assert "wins in 1 ply" in printed
    code, printed, _ = run("analyse", "quorum", WIN_IN_ONE, "--limit", "depth=3", "--json")
    found = json.loads(printed)
    assert code == 0
    assert (found["value"], found["seat"]) == (1.0, 0)


def test_the_players_of_a_game_are_listed():
    code, printed, _ = run("players", "blocky")
    assert code == 0
    assert all(word in printed for word in ("smart", "difficulty", "level:1", "level:8"))
    assert "not here: alphabeta" in printed
