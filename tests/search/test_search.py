"""Search finds forced wins and losses in small positions."""

import numpy as np
import pytest

import quincunx as qx
from quincunx import search
from quincunx.search.alphabeta_records import EVAL_SCALE, MATE
from tests.naive import onoro as naive_onoro
from tests.naive import quorum as naive_quorum

SEARCHES = ["mcts:sims=3000", "alphabeta:depth=3"]

# e2 leaps over e3 and completes the objective.
WIN_IN_ONE = "7B/8/8/3WW3/3W4/4W3/4W3/8 w"


@pytest.mark.parametrize("kind", ["greedy", *SEARCHES])
def test_a_win_in_one_is_found(kind):
    state = qx.game("quorum").read(WIN_IN_ONE)
    action = qx.player(kind, state.game, seed=1).choose(state)
    assert state.act(action).winners == (0,), f"\n{state}"


@pytest.mark.parametrize("kind", SEARCHES)
def test_a_threat_is_answered(kind):
    """Black is to move, and loses at once unless the leap of e2 is prevented."""
    game = qx.game("quorum")
    twin = naive_quorum.read("4BBBB/5BBB/4B1BB/3WW2B/3W4/4W3/4W3/8 b")
    safe = {
        move
        for move in twin.moves()
        if not any(twin.play(move).play(reply).winners == (0,) for reply in twin.play(move).moves())
    }
    state = game.read(twin.text)
    assert 0 < len(safe) < len(twin.moves()), "some moves must be safe and some not"
    move = state.move(qx.player(kind, game, seed=1).choose(state))
    assert move in safe, f"{move}\n{state}"


@pytest.mark.parametrize("kind", SEARCHES)
def test_wins_in_one_are_found_in_random_games_of_small_onoro(kind):
    game, found = qx.game("onoro", pawns=4), 0
    rng = np.random.default_rng(5)
    while found < 6:
        state = game.start()
        while not state.over:
            if state.ply > 5 and (wins := winning_moves(naive_onoro.read(state.text, pawns=4))):
                move = state.move(qx.player(kind, game, seed=found).choose(state))
                assert move in wins, f"{move} instead of one of {sorted(wins)}\n{state}"
                found += 1
                break
            state = state.act(int(rng.choice(state.actions())))


def winning_moves(twin):
    """Returns the moves that win at once, by the naive implementation."""
    return {move for move in twin.moves() if twin.turn in twin.play(move).winners}


def test_exact_alphabeta_gives_the_value_of_plain_minimax():
    """To depth 3, against a search without cutoffs, table or move ordering."""
    for name in ("quorum", "onoro"):
        state = qx.game(name).start()
        rng = np.random.default_rng(1)
        for _ in range(6):
            state = state.act(int(rng.choice(state.actions())))
        player = qx.player("alphabeta:depth=3,exact=true", state.game, seed=0)
        player.choose(state)
        assert player.value == minimax(state, 3, 0), f"\n{state}"


def minimax(state, depth, ply):
    """Returns the value for the side to move, by exhaustive search."""
    seat = int(state.position.turn)
    if state.over:
        return 0 if not state.winners else MATE - ply if seat in state.winners else ply - MATE
    if depth == 0:
        return int(state.evaluate(seat) * EVAL_SCALE)
    return max(-minimax(state.act(action), depth - 1, ply + 1) for action in state.actions())


def test_mcts_repeats_for_a_seed_and_shares_simulations_among_threads(any_game):
    state = any_game.start(seed=3)
    seat = 0 if state.turn is None else None
    first, second = (qx.player("mcts:sims=200", any_game, seed=4) for _ in range(2))
    assert first.choose(state, seat) == second.choose(state, seat)
    threads = qx.player("mcts:sims=200,threads=2", any_game, seed=4)
    assert threads.choose(state, seat) in state.actions(seat)
    assert threads.sims == 200


def test_playouts_play_whole_games(any_game):
    moves, games = search.RandomGames(any_game).play(7, min_moves=200, max_game_moves=50)
    assert moves >= 200
    assert games >= 4


# The nodes of small searches, the same in every mode of the compiler.
SMALL_SEARCHES = {
    ("onoro", "mcts:sims=30"): 161,
    ("onoro", "alphabeta:depth=2"): 17,
    ("onoro", "expectimax:width=2,samples=1"): 16,
    ("quorum", "mcts:sims=30"): 71,
    ("quorum", "alphabeta:depth=2"): 80,
}


@pytest.mark.modes
@pytest.mark.parametrize(("name", "kind"), SMALL_SEARCHES)
def test_small_searches_agree_in_all_modes(name, kind):
    state = qx.game(name).start(seed=1)
    bot = qx.player(kind, state.game, seed=1)
    bot.choose(state.act(state.actions()[0]))
    assert bot.nodes == SMALL_SEARCHES[name, kind]
