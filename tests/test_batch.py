import os
import select
import signal

import numpy as np
import pytest

import quincunx as qx
from quincunx.errors import BadOption, IllegalMove


def test_a_batch_plays_like_single_states(any_game):
    batch = any_game.batch(70, seed=3)
    states = [batch[i] for i in range(len(batch))]
    for _ in range(5):
        actions, seats = batch.sample(), batch.turn
        batch.step(actions)
        for i, state in enumerate(states):
            if not state.over:
                states[i] = state.act(int(actions[i]), int(seats[i]))
    assert [batch[i].pack() for i in range(len(batch))] == [state.pack() for state in states]
    assert batch.scores.tolist() == [list(state.scores) for state in states]
    assert batch.over.tolist() == [state.over for state in states]


def test_masks_and_observations_match_single_states(any_game):
    batch = any_game.batch(3, seed=1)
    masks, planes = batch.masks(), batch.observe()
    for i, seat in enumerate(batch.turn.tolist()):
        assert np.flatnonzero(masks[i]).tolist() == batch[i].actions(seat)
        assert (planes[i] == batch[i].observe(seat)).all()


def test_the_same_seed_gives_the_same_games(any_game):
    first, second = any_game.batch(5, seed=8), any_game.batch(5, seed=8)
    assert first.states.tobytes() == second.states.tobytes()
    assert first.sample().tolist() == second.sample().tolist()


def test_an_illegal_action_changes_no_game(any_game):
    batch = any_game.batch(80, seed=2)
    actions = batch.sample()
    actions[71] = any_game.actions - 1
    while actions[71] in batch[71].actions(int(batch.turn[71])):
        actions[71] -= 1
    before = batch.states.tobytes()
    with pytest.raises(IllegalMove, match="game 71"):
        batch.step(actions)
    assert batch.states.tobytes() == before


def test_finished_games_do_not_change_until_restarted(any_game):
    batch = any_game.batch(4, seed=5)
    batch.states.over[1] = 1
    before = batch.states[1].tobytes()
    actions = batch.sample()
    assert actions[1] == -1
    batch.step(actions)
    assert batch.states[1].tobytes() == before
    batch.restart()
    assert not batch.over.any()


@pytest.mark.parametrize("actions", [[1, 2], [0.5] * 4, 3, [[0] * 4]])
def test_actions_must_be_one_integer_per_game(any_game, actions):
    with pytest.raises(BadOption, match="4 integers"):
        any_game.batch(4, seed=5).step(actions)


@pytest.mark.parametrize("seats", [[7] * 4, [-1] * 4, [10**12] * 4])
def test_invalid_seats_are_rejected(any_game, seats):
    batch = any_game.batch(4, seed=1)
    with pytest.raises(BadOption, match="has seats 0 to"):
        batch.observe(seats)
    with pytest.raises(BadOption, match="has seats 0 to"):
        batch.step(batch.sample(), seats, check=False)


@pytest.mark.parametrize("which", [[2], [0, 1, 0, 1], [True]])
def test_restart_takes_one_boolean_per_game(any_game, which):
    with pytest.raises(BadOption, match="4 booleans"):
        any_game.batch(4, seed=1).restart(which)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")
def test_a_batch_works_after_a_fork():
    batch = qx.game("quorum").batch(256, seed=1)
    batch.step(batch.sample())
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        batch.step(batch.sample())
        os._exit(0)
    os.close(writer)
    # The pipe becomes readable when the child, its only other writer, has ended.
    ended, _, _ = select.select([reader], [], [], 60)
    if not ended:
        os.kill(child, signal.SIGKILL)
    os.close(reader)
    _, status = os.waitpid(child, 0)
    assert status == 0, "the child waits for threads that it does not have"


@pytest.mark.parametrize("count", [0, -1, 1.5, True])
def test_a_batch_has_at_least_one_game(any_game, count):
    with pytest.raises(BadOption, match="1 or more"):
        any_game.batch(count)
