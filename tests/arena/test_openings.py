from random import Random

import pytest

import quincunx as qx
from quincunx.arena.openings import opening
from quincunx.arena.schedule import make_plan
from quincunx.search.alphabeta_records import MATE_THRESHOLD


def test_games_with_a_fixed_start_have_random_openings():
    plan = make_plan("quorum", ["greedy", "random"])
    assert plan.opening_plies == 4
    ends = {opening(plan, seed).state.text for seed in range(10)}
    assert len(ends) == 10
    assert opening(plan, 3).state == opening(plan, 3).state
    assert make_plan("blocky", ["greedy", "random"]).opening_plies == 0


def test_an_opening_never_ends_the_game():
    plan = make_plan("quorum", ["random", "random"], opening_plies=250)
    for seed in range(3):
        assert not opening(plan, seed).state.over


@pytest.mark.heavy
def test_no_side_can_force_a_win_after_the_opening():
    plan = make_plan("onoro", ["greedy", "random"])
    assert not any(is_decided(opening(plan, seed).state) for seed in range(4))
    # Some random openings are decided, so the search can detect it.
    assert any(is_decided(random_opening(plan.configured_game, seed)) for seed in range(10))


def is_decided(state):
    """Returns whether another search finds a forced win within eight plies."""
    judge = qx.player("alphabeta:depth=8", state.game, seed=0)
    judge.choose(state)
    return abs(judge.value) > MATE_THRESHOLD


def random_opening(game, seed):
    rng, state = Random(seed), game.start(seed)
    while state.ply < 4:
        state = state.act(rng.choice(state.actions()))
    return state
