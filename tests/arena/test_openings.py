from random import Random

import quincunx as qx
from quincunx.arena.openings import opening
from quincunx.arena.schedule import make_plan
from quincunx.search.alphabeta import MATE_THRESHOLD


def test_openings_are_drawn_where_all_games_start_alike():
    plan = make_plan("quorum", ["greedy", "random"])
    assert plan.opening_plies == 4
    ends = {opening(plan, seed)[-1].text for seed in range(10)}
    assert len(ends) == 10
    assert opening(plan, 3)[-1] == opening(plan, 3)[-1]
    assert make_plan("blocky", ["greedy", "random"]).opening_plies == 0


def test_an_opening_never_ends_the_game():
    plan = make_plan("quorum", ["random", "random"], opening_plies=250)
    for seed in range(3):
        assert not opening(plan, seed)[-1].over


def test_no_side_has_won_when_the_players_begin():
    plan = make_plan("onoro", ["greedy", "random"])
    assert not any(is_decided(opening(plan, seed)[-1]) for seed in range(10))
    # Drawn blindly, some are; so the search can tell.
    assert any(is_decided(blind(plan.rules, seed)) for seed in range(10))


def is_decided(state):
    """True when one side can force its win within eight plies, by another search."""
    judge = qx.player("alphabeta:depth=8", state.game, seed=0)
    judge.choose(state)
    return abs(judge.value) > MATE_THRESHOLD


def blind(game, seed):
    dice, state = Random(seed), game.start(seed)
    while state.ply < 4:
        state = state.act(dice.choice(state.actions()))
    return state
