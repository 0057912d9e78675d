"""Alpha-beta search in two-player games: forced results, move values, limits.

The reference is a plain minimax over States, without table, move ordering or heuristics.
"""

from functools import cache

import numpy as np
import pytest

import quincunx as qx
from quincunx.errors import BadOption
from quincunx.players import players_of
from tests.conftest import UNCOMPILED
from tests.test_kernel_checks import QUORUM, with_kernel
from tests.toy_game import make_game

ALPHABETA = ["alphabeta:depth=7", "alphabeta:depth=6,exact=true", "alphabeta:nodes=50000"]

# The side to move wins in exactly this number of plies.
WINS = [
    ("onoro", 1, "...B/.BBW/.WWW/BB.. w -1,-2"),
    ("onoro", 3, "..BW/BWWW/BB.. b -1,-1"),
    ("onoro", 5, "...B/.WWB/WBB./.W.. b -2,-1"),
    ("quorum", 1, "8/8/5BB1/3BW3/3WW3/6W1/8/8 w"),
    ("quorum", 3, "8/2B3W1/2W2W2/8/3B1W2/8/8/8 w"),
    ("quorum", 5, "8/2W5/8/2WB4/4W3/2W3B1/8/8 w"),
]
# The side to move loses in this number of plies against best play.
LOSSES = [
    ("onoro", 4, ".WB./.BWW/BBB./.W.. w -2,-1"),
    ("onoro", 6, "..W/BBB/BWW w -2,0"),
    ("quorum", 2, "8/8/3BB3/2WBB3/3BW3/8/8/8 w"),
    ("quorum", 4, "8/3W4/8/3BBBW1/3BW3/8/8/8 w"),
    ("quorum", 6, "8/4B1W1/8/3BBWB1/3B4/8/8/8 w"),
]

pytestmark = pytest.mark.skipif(UNCOMPILED, reason="searches too many positions uncompiled")


@cache
def wins(state, plies):
    """Returns True when the side to move can force a win within `plies`."""
    return plies > 0 and any(loses(state.act(action), plies - 1) for action in state.actions())


@cache
def loses(state, plies):
    """Returns True when every move of the side to move loses within `plies`."""
    if state.over:
        return bool(state.winners)
    return plies > 1 and all(wins(state.act(action), plies - 1) for action in state.actions())


@pytest.mark.parametrize(("name", "plies", "text"), WINS)
def test_a_forced_win_is_found(name, plies, text):
    state = qx.game(name).read(text)
    assert wins(state, plies), f"\n{state}"
    assert not wins(state, plies - 1), f"\n{state}"
    for kind in ALPHABETA:
        action = qx.player(kind, state.game, seed=1).choose(state)
        assert loses(state.act(action), plies - 1), f"{kind}: {state.move(action)}\n{state}"
    # Tree search proves a win too, though not always the shortest.
    best = qx.player("mcts:sims=20000", state.game, seed=1).analyse_moves(state)[0]
    assert best.value == 1, f"{state.move(best.action)}\n{state}"


@pytest.mark.parametrize(("name", "plies", "text"), LOSSES)
def test_a_forced_loss_is_delayed(name, plies, text):
    state = qx.game(name).read(text)
    assert loses(state, plies), f"\n{state}"
    assert not loses(state, plies - 1), f"\n{state}"
    for kind in ALPHABETA:
        action = qx.player(kind, state.game, seed=1).choose(state)
        assert not wins(state.act(action), plies - 2), f"{kind}: {state.move(action)}\n{state}"


@pytest.mark.parametrize(("name", "plies", "text"), WINS + LOSSES)
def test_move_values_agree_with_minimax(name, plies, text):
    """Plies to the end agree with minimax, and the lines are legal and as long."""
    state = qx.game(name).read(text)
    moves = qx.player("alphabeta:depth=6,exact=true", state.game, seed=1).analyse_moves(state)
    assert sorted(move.action for move in moves) == state.actions()
    values = [move.value for move in moves]
    assert values == sorted(values, reverse=True)
    assert moves[0].plies == plies
    for move in moves:
        after = state.act(move.action)
        if move.plies is None:
            assert -1 < move.value < 1
            assert not wins(after, 3)
            assert not loses(after, 3)
        elif move.plies <= 5:
            forced, plies_left = (loses if move.value == 1 else wins), move.plies - 1
            assert forced(after, plies_left), f"{state.move(move.action)}\n{state}"
            assert not after.over or plies_left == 0
            assert plies_left == 0 or not forced(after, plies_left - 1), (
                f"{state.move(move.action)}"
            )
        for action in move.line[1:]:
            after = after.act(action)
        if move.plies is not None and after.over:
            assert len(move.line) == move.plies


def test_node_and_time_limits_hold():
    """A node limit is exact; the shortest time limit still gives a legal move."""
    state = qx.game("onoro").start(seed=0)
    limited = qx.player("alphabeta:nodes=500", state.game, seed=1)
    limited.choose(state)
    assert limited.nodes == 500
    hurried = qx.player("alphabeta:time=0.000001", state.game, seed=1)
    assert hurried.choose(state) in state.actions()
    assert len(hurried.analyse_moves(state)) == len(state.actions())


def test_interruptions_do_not_change_the_result(monkeypatch):
    from quincunx.players import alphabeta

    state = qx.game("quorum").start(seed=0)
    uninterrupted = qx.player("alphabeta:depth=4", state.game, seed=1)
    uninterrupted.choose(state)
    monkeypatch.setattr(alphabeta, "MIN_CHECK_NODES", 7)
    monkeypatch.setattr(alphabeta, "MAX_CHECK_NODES", 7)
    resumed = qx.player("alphabeta:depth=4", state.game, seed=1)
    resumed.choose(state)
    assert (resumed.value, resumed.nodes) == (uninterrupted.value, uninterrupted.nodes)
    assert uninterrupted.nodes > 7


@pytest.mark.parametrize(("entries", "size"), [(2, 2), (1000, 512), (1 << 12, 1 << 12)])
def test_the_size_of_the_table_does_not_change_the_value(entries, size):
    """The size is rounded down to a power of two; a small table only forgets more."""
    state = qx.game("quorum").start()
    text = "alphabeta:depth=3,exact=true"
    small, default = (
        qx.player(kind, state.game, seed=1) for kind in (f"{text},table_entries={entries}", text)
    )
    for bot in (small, default):
        bot.choose(state)
    assert small.value == default.value
    assert (len(small._table), len(default._table)) == (size, 1 << 20)


@pytest.mark.parametrize("entries", [1, 2**28 + 1, "many"])
def test_an_invalid_table_size_is_rejected(entries):
    with pytest.raises(BadOption, match=r"table_entries=.*an integer from 2 to 268435456"):
        qx.player(f"alphabeta:table_entries={entries}", qx.game("quorum"))


def test_the_seed_decides_between_equal_moves():
    state = qx.game("onoro").start()
    choices = [
        qx.player("alphabeta:depth=1", state.game, seed=seed).choose(state) for seed in range(8)
    ]
    again = [
        qx.player("alphabeta:depth=1", state.game, seed=seed).choose(state) for seed in range(8)
    ]
    assert choices == again
    assert len(set(choices)) > 1


def test_a_game_without_a_winner_is_not_offered():
    fields = [field for field in QUORUM.kernel.STATE.descr if field[0] != "winner"]
    game = with_kernel(STATE=np.dtype(fields))
    assert "alphabeta" not in players_of(game)
    with pytest.raises(BadOption, match="needs the field winner in the positions of quorum"):
        qx.player("alphabeta", game)


@pytest.mark.parametrize(("text", "best"), [("7 w", "3"), ("6 b", "2"), ("5 w", "1"), ("3 w", "3")])
def test_a_game_that_does_not_record_its_keys(text, best):
    """In the toy game a side wins by leaving a multiple of four stones."""
    game = make_game()
    state = game.read(text)
    player = qx.player("alphabeta:depth=8", game, seed=0)
    assert state.move(player.choose(state)) == best
    first = player.analyse_moves(state)[0]
    assert (state.move(first.action), first.value) == (best, 1.0)
    assert first.plies == len(first.line)
