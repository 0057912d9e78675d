"""Games of two: every search finds what is forced, and puts off what cannot be helped.

A plain minimax over whole States, without table, order or depth of its own, says what is forced.
"""

from functools import cache

import pytest

import quincunx as qx
from tests.conftest import UNCOMPILED

ALPHABETA = ["alphabeta:depth=7", "alphabeta:depth=6,exact=true", "alphabeta:nodes=50000"]

# The side to move wins in so many plies, and not in fewer.
WINS = [
    ("onoro", 1, "...B/.BBW/.WWW/BB.. w -1,-2"),
    ("onoro", 3, "..BW/BWWW/BB.. b -1,-1"),
    ("onoro", 5, "...B/.WWB/WBB./.W.. b -2,-1"),
    ("quorum", 1, "8/8/5BB1/3BW3/3WW3/6W1/8/8 w"),
    ("quorum", 3, "8/2B3W1/2W2W2/8/3B1W2/8/8/8 w"),
    ("quorum", 5, "8/2W5/8/2WB4/4W3/2W3B1/8/8 w"),
]
# It loses in so many plies, if it defends itself as long as possible.
LOSSES = [
    ("onoro", 4, ".WB./.BWW/BBB./.W.. w -2,-1"),
    ("onoro", 6, "..W/BBB/BWW w -2,0"),
    ("quorum", 2, "8/8/3BB3/2WBB3/3BW3/8/8/8 w"),
    ("quorum", 4, "8/3W4/8/3BBBW1/3BW3/8/8/8 w"),
    ("quorum", 6, "8/4B1W1/8/3BBWB1/3B4/8/8/8 w"),
]

pytestmark = pytest.mark.skipif(UNCOMPILED, reason="looks at too much to do it uncompiled")


@cache
def wins(state, plies):
    """True when the side to move can win within so many plies."""
    return plies > 0 and any(loses(state.act(action), plies - 1) for action in state.actions())


@cache
def loses(state, plies):
    """True when the side to move cannot help losing within so many plies."""
    if state.over:
        return bool(state.winners)
    return plies > 1 and all(wins(state.act(action), plies - 1) for action in state.actions())


@pytest.mark.parametrize(("name", "plies", "text"), WINS)
def test_a_forced_win_is_found(name, plies, text):
    state = qx.game(name).read(text)
    assert wins(state, plies), f"\n{state}"
    assert not wins(state, plies - 1), f"\n{state}"
    for kind in ALPHABETA:
        chosen = qx.player(kind, state.game, seed=1).choose(state)
        assert loses(state.act(chosen), plies - 1), f"{kind}: {state.move(chosen)}\n{state}"
    # Tree search proves a win too, though not always the nearest.
    best = qx.player("mcts:sims=20000", state.game, seed=1).analyse_moves(state)[0]
    assert best.value == 1, f"{state.move(best.action)}\n{state}"


@pytest.mark.parametrize(("name", "plies", "text"), LOSSES)
def test_a_forced_loss_is_put_off(name, plies, text):
    state = qx.game(name).read(text)
    assert loses(state, plies), f"\n{state}"
    assert not loses(state, plies - 1), f"\n{state}"
    for kind in ALPHABETA:
        chosen = qx.player(kind, state.game, seed=1).choose(state)
        assert not wins(state.act(chosen), plies - 2), f"{kind}: {state.move(chosen)}\n{state}"


@pytest.mark.parametrize(("name", "plies", "text"), WINS + LOSSES)
def test_what_is_said_of_moves_is_true(name, plies, text):
    """Distances to the end are those of minimax, and the lines lead there by legal moves."""
    state = qx.game(name).read(text)
    opinions = qx.player("alphabeta:depth=6,exact=true", state.game, seed=1).analyse_moves(state)
    assert sorted(opinion.action for opinion in opinions) == state.actions()
    values = [opinion.value for opinion in opinions]
    assert values == sorted(values, reverse=True)
    assert opinions[0].plies == plies
    for opinion in opinions:
        after = state.act(opinion.action)
        if opinion.plies is None:
            assert -1 < opinion.value < 1
            assert not wins(after, 3)
            assert not loses(after, 3)
        elif opinion.plies <= 5:
            forced, left = (loses if opinion.value == 1 else wins), opinion.plies - 1
            assert forced(after, left), f"{state.move(opinion.action)}\n{state}"
            assert not after.over or left == 0
            assert left == 0 or not forced(after, left - 1), f"{state.move(opinion.action)}"
        for action in opinion.line[1:]:
            after = after.act(action)
        if opinion.plies is not None and after.over:
            assert len(opinion.line) == opinion.plies


def test_limits_hold():
    """So many nodes and no more; a limit of time gives a legal move at once."""
    state = qx.game("onoro").start(seed=0)
    few = qx.player("alphabeta:nodes=500", state.game, seed=1)
    few.choose(state)
    assert few.nodes == 500
    hasty = qx.player("alphabeta:time=0.000001", state.game, seed=1)
    assert hasty.choose(state) in state.actions()
    assert len(hasty.analyse_moves(state)) == len(state.actions())


def test_a_search_that_stops_and_goes_on_finds_the_same(monkeypatch):
    from quincunx.players import alphabeta

    state = qx.game("quorum").start(seed=0)
    whole = qx.player("alphabeta:depth=4", state.game, seed=1)
    whole.choose(state)
    monkeypatch.setattr(alphabeta, "FEW", 7)
    monkeypatch.setattr(alphabeta, "MANY", 7)
    pieces = qx.player("alphabeta:depth=4", state.game, seed=1)
    pieces.choose(state)
    assert (pieces.value, pieces.nodes) == (whole.value, whole.nodes)
    assert whole.nodes > 7
