"""Analysis: a value for every legal move, the best first, with lines of legal moves."""

import json

import pytest

import quincunx as qx
from quincunx.analysis import analyse, analysis_player
from quincunx.errors import BadOption, IllegalMove
from tests.test_cli import run

# White's e2 leaps over e3 and completes the objective.
WIN_IN_ONE = "7B/8/8/3WW3/3W4/4W3/4W3/8 w"
# A limit for each kind of player, small enough for tests.
SMALL_LIMITS = {"mcts": "sims=200", "alphabeta": "depth=2", "expectimax": "samples=1"}


def small_limit(game):
    """Returns a small limit for the player that analyses a game."""
    return SMALL_LIMITS[analysis_player(game, 1.0).partition(":")[0]]


def test_every_legal_move_has_a_value_and_the_best_is_first(any_game):
    state = any_game.start(seed=4)
    seat = 0 if state.turn is None else state.turn
    analysis = analyse(state, small_limit(any_game), seat)
    assert sorted(move.move for move in analysis.moves) == sorted(state.moves(seat))
    assert all(-1 <= move.value <= 1 for move in analysis.moves)
    assert analysis.value == analysis.moves[0].value
    assert all(move.line[0] == move.move for move in analysis.moves)


def test_lines_are_legal(any_game):
    state = any_game.start(seed=5)
    seat = 0 if state.turn is None else state.turn
    line = analyse(state, small_limit(any_game), seat).line
    assert line
    if any_game.traits.combinatorial:  # without chance the whole line is legal
        for move in line:
            state = state.play(move)


def test_the_same_seed_gives_the_same_analysis(any_game):
    state = any_game.start(seed=6)
    seat = 0 if state.turn is None else state.turn
    first, second = (analyse(state, small_limit(any_game), seat, seed=9) for _ in range(2))
    assert first == second


def test_a_proven_win_has_its_distance():
    state = qx.game("quorum").read(WIN_IN_ONE)
    analysis = analyse(state, "depth=3")
    assert (analysis.value, analysis.moves[0].plies) == (1.0, 1)
    assert state.play(analysis.line[0]).winners == (0,)


def test_a_solved_game_has_exact_values():
    state = qx.game("onoro", pawns=3).start()
    analysis = analyse(state, "depth=2")
    assert analysis.by == "perfect"
    assert {move.value for move in analysis.moves} <= {1.0, 0.0, -1.0}
    assert analysis.value == 0.0


def test_an_invalid_limit_and_a_finished_game_are_rejected():
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
    analysis = json.loads(printed)
    assert code == 0
    assert (analysis["value"], analysis["seat"]) == (1.0, 0)


def test_the_players_command_lists_players_and_levels():
    code, printed, _ = run("players", "blocky")
    assert code == 0
    assert all(word in printed for word in ("smart", "difficulty", "level:1", "level:8"))
    assert "unavailable: alphabeta" in printed
