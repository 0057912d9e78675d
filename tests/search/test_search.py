"""Search finds what is forced: wins and losses planted in small positions."""

import numpy as np
import pytest

import quincunx as qx
from quincunx import search
from quincunx.search.kernels import MATE
from tests.naive import onoro as naive_onoro
from tests.naive import quorum as naive_quorum

SEARCHERS = ["mcts:sims=3000", "alphabeta:depth=3"]

# e2 leaps over e3 and holds the middle.
WIN_IN_ONE = "7B/8/8/3WW3/3W4/4W3/4W3/8 w"


@pytest.mark.parametrize("kind", ["greedy", *SEARCHERS])
def test_a_win_in_one_is_found(kind):
    state = qx.game("quorum").read(WIN_IN_ONE)
    chosen = qx.player(kind, state.game, seed=1).choose(state)
    assert state.act(chosen).winners == (0,), f"\n{state}"


@pytest.mark.parametrize("kind", SEARCHERS)
def test_a_threat_is_met(kind):
    """Black is to move, and loses at once unless the leap of e2 is stopped."""
    game = qx.game("quorum")
    twin = naive_quorum.read("4BBBB/5BBB/4B1BB/3WW2B/3W4/4W3/4W3/8 b")
    safe = {
        move
        for move in twin.moves()
        if not any(twin.play(move).play(reply).winners == (0,) for reply in twin.play(move).moves())
    }
    state = game.read(twin.text)
    assert 0 < len(safe) < len(twin.moves()), "the test's own position must be a choice"
    chosen = state.move(qx.player(kind, game, seed=1).choose(state))
    assert chosen in safe, f"{chosen}\n{state}"


@pytest.mark.parametrize("kind", SEARCHERS)
def test_forced_ends_of_small_onoro_are_found(kind):
    """In random endings of the game with 4 pawns, a win in one or three plies is not missed."""
    game, found = qx.game("onoro", pawns=4), 0
    dice = np.random.default_rng(5)
    while found < 6:
        state = game.start()
        while not state.over:
            if state.ply > 5 and (wins := winning_moves(naive_onoro.read(state.text, pawns=4))):
                chosen = state.move(qx.player(kind, game, seed=found).choose(state))
                assert chosen in wins, f"{chosen} instead of one of {sorted(wins)}\n{state}"
                found += 1
                break
            state = state.act(int(dice.choice(state.actions())))


def winning_moves(twin):
    """The moves that win at once, by the naive twin."""
    return {move for move in twin.moves() if twin.turn in twin.play(move).winners}


def test_alphabeta_gives_the_value_of_plain_minimax():
    """The same value as a search without cuts, table or ordering, to depth 3."""
    for name in ("quorum", "onoro"):
        state = qx.game(name).start()
        dice = np.random.default_rng(1)
        for _ in range(6):
            state = state.act(int(dice.choice(state.actions())))
        player = qx.player("alphabeta:depth=3,exact=true", state.game, seed=0)
        player.choose(state)
        assert player.value == minimax(state, 3, 0), f"\n{state}"


def minimax(state, depth, ply):
    """The value for the side to move, by looking at everything."""
    mover = int(state._s.turn)
    if state.over:
        return 0 if not state.winners else MATE - ply if mover in state.winners else ply - MATE
    if depth == 0:
        return int(state.evaluate(mover) * 10_000)
    return max(-minimax(state.act(action), depth - 1, ply + 1) for action in state.actions())


def test_mcts_is_the_same_for_the_same_seed_and_uses_threads(any_game):
    state = any_game.start(seed=3)
    seat = 0 if state.turn is None else None
    first, second = (qx.player("mcts:sims=200", any_game, seed=4) for _ in range(2))
    assert first.choose(state, seat) == second.choose(state, seat)
    threads = qx.player("mcts:sims=200,threads=2", any_game, seed=4)
    assert threads.choose(state, seat) in state.actions(seat)
    assert threads.sims == 200


def test_playouts_play_whole_games(any_game):
    code = search.compiled(any_game.kernel)
    room = np.empty(any_game.kernel.MAX_LEGAL, np.int32)
    s = any_game.empty_positions()[0]
    moves, games = code.playouts(s, any_game.kernel_options, any_game.seats, room, 50, 7, 200)
    assert moves >= 200
    assert games >= 4
