"""The time limit of a player besides its options: the same moves within it, an end after it."""

from types import SimpleNamespace

import pytest

import quincunx as qx
from quincunx.players import TimeLimited, alphabeta, expectimax, mcts, players_of, smart

AN_HOUR = 3600.0
SEARCHES = ("mcts:sims=300", "mcts:sims=90,threads=2", "expectimax:samples=3", "alphabeta:depth=3")


def fake_clock(monkeypatch, module):
    """Replaces a module's clock by one that advances a second whenever it is read."""
    clock = SimpleNamespace(seconds=0.0)

    def perf_counter():
        clock.seconds += 1.0
        return clock.seconds

    monkeypatch.setattr(module, "time", SimpleNamespace(perf_counter=perf_counter))
    return clock


def limited(text, game, seconds):
    return qx.players.player(text, game, seed=5, time_limit=seconds)


def playing(texts, game):
    """Returns the texts of players that can play a game."""
    return [text for text in texts if text.partition(":")[0] in players_of(game)]


def test_within_the_limit_a_player_chooses_the_same_moves_as_without(any_game):
    for text in playing([*SEARCHES, "smart", "level:4"], any_game):
        unlimited, bounded = limited(text, any_game, None), limited(text, any_game, AN_HOUR)
        state = any_game.start(seed=3)
        for ply in range(4):  # later moves use the tree or the table of those before
            seat = state.seat_to_move(0, ply)
            action = unlimited.choose(state, seat)
            assert bounded.choose(state, seat) == action, f"{text}, ply {ply}\n{state}"
            state = state.act(action, seat)


def test_within_the_limit_an_analysis_is_the_same_as_without(any_game):
    state = any_game.start(seed=3)
    seat = state.seat_to_move(0, 0)
    for text in playing(SEARCHES, any_game):
        unlimited, bounded = (
            limited(text, any_game, seconds).analyse_moves(state, seat)
            for seconds in (None, AN_HOUR)
        )
        assert bounded == unlimited, text


@pytest.mark.modes
@pytest.mark.parametrize("text", ["mcts:sims=6", "expectimax:samples=2,width=2"])
def test_within_the_limit_a_small_search_is_the_same_in_every_mode(text):
    state = qx.game("quorum").start(seed=3)
    unlimited, bounded = (
        limited(text, state.game, seconds).analyse_moves(state) for seconds in (None, AN_HOUR)
    )
    assert bounded == unlimited


def test_mcts_stops_at_the_limit(monkeypatch):
    game = qx.game("blocky")
    bot = limited("mcts:sims=20000", game, 10.0)
    fake_clock(monkeypatch, mcts)
    state = game.start(seed=1)
    assert bot.choose(state) in state.actions()
    assert 1 <= bot.sims < 20


def test_expectimax_stops_at_the_limit(monkeypatch):
    game = qx.game("wzlz")
    bot = limited("expectimax:width=64,samples=64", game, 300.0)
    clock = fake_clock(monkeypatch, expectimax)
    state = game.start(seed=1)
    assert bot.choose(state) in state.actions()
    assert clock.seconds <= 302.0
    counts = {move.visits for move in bot.analyse_moves(state)}
    assert counts == {0, 2}  # 300 readings of the clock, two for each sample of 64 moves


@pytest.mark.parametrize("seconds", [1.0, 3.0])
def test_expectimax_without_a_single_sample_plays_by_evaluation(seconds, monkeypatch):
    game = qx.game("quorum")  # without chance
    bot = limited("expectimax:trust=0", game, seconds)
    fake_clock(monkeypatch, expectimax)
    state = game.start(seed=1)
    best = max(state.actions(), key=lambda action: state.act(action).evaluate(0))
    assert state.act(bot.choose(state)).evaluate(0) == state.act(best).evaluate(0)


def test_alphabeta_stops_at_the_limit(monkeypatch):
    game = qx.game("quorum")
    bot = limited("alphabeta:nodes=200000", game, 20.0)
    fake_clock(monkeypatch, alphabeta)
    state = game.start(seed=1)
    assert bot.choose(state) in state.actions()
    assert bot.nodes <= 20 * alphabeta.MIN_CHECK_NODES


def test_smart_stops_at_the_limit(monkeypatch):
    game = qx.game("blocky")
    bot = limited("smart:difficulty=2000", game, 7.0)
    clock = fake_clock(monkeypatch, smart)
    state = game.start(seed=1)
    assert bot.choose(state) in (*state.actions(), game.parts.rules.PASS)
    assert clock.seconds == 8.0


def test_a_level_passes_its_limit_on():
    game = qx.game("quorum")
    bot = limited("level:8", game, 2.5)
    assert isinstance(bot, TimeLimited)
    assert bot.time_limit == bot._inner.time_limit == 2.5
    assert limited("level:1", qx.game("blocky"), 2.5).time_limit is None  # it does not search
