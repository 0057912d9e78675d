"""Nothing floats in Sphero since rules 2; by rules 1, spheres that a pass cut off stayed there."""

import pickle
import random

import numpy as np
import pytest

import quincunx as qx
from quincunx.errors import BadPosition
from quincunx.games.sphero import kernel

# Green hangs on brown, which is an outer sphere when red is placed on 2,2.
TEXT, MOVE = "GB/.Y/AR R", "2,2"


def sphero(version, **options):
    return qx.game("sphero", order="turns", **options).with_rules(version)


def floating_spheres(s):
    """Returns the number of spheres that are cut off from the anchor."""
    cut_off = (s.taken & ~s.attached).tolist()
    return sum(cells.bit_count() for cells in cut_off)


def count_resting_boards(version, players, games, plies):
    """Plays random games; returns the number of boards after a move with a floating sphere."""
    game = sphero(version, players=players, limit=plies)
    moves, found = np.empty(kernel.MAX_LEGAL, np.int32), 0
    for seed in range(games):
        rng, s = random.Random(seed), game.start(seed).position.copy()
        while not s.over:
            count = kernel.legal(s, int(s.turn), moves)
            kernel.apply(s, int(s.turn), int(moves[rng.randrange(count)]))
            found += floating_spheres(s) > 0
    return found


@pytest.mark.parametrize("players", range(2, 7))
def test_no_sphere_floats_after_a_move(players):
    assert count_resting_boards(2, players, games=10, plies=200) == 0


def test_spheres_floated_by_rules_1():
    assert count_resting_boards(1, players=4, games=10, plies=200) > 20


def test_a_sphere_that_a_pass_cuts_off_settles():
    steps = sphero(2).read(TEXT).steps(MOVE)
    assert [(step.event, step.text.split()[0]) for step in steps[:-1]] == [
        ("place", "GBR/.Y./AR."),
        ("rotate", "..BR/..../RA../Y.../.G.."),
        ("slide", "...R/..../RAB./Y.../.G.."),
        ("slide", "RABR/Y.../.G.."),
        ("settle", "RABR/Y.../G..."),
    ]
    assert steps[-2].cells == ("0,-2", "-1,-2")


def test_it_stays_by_rules_1():
    steps = sphero(1).read(TEXT).steps(MOVE)
    assert [step.event for step in steps[:-1]] == ["place", "rotate", "slide", "slide"]
    assert steps[-1].text == "RABR/Y.../.G.. Y"
    assert floating_spheres(steps[-1].position) == 1


def test_a_packed_position_keeps_its_rules():
    for version in (1, 2):
        state = sphero(version).read(TEXT)
        for other in (1, 2):
            again = sphero(other).unpack(state.pack())
            assert again == state
            assert again.game.rules_version == version
            assert again.play(MOVE) == state.play(MOVE)
        assert pickle.loads(pickle.dumps(state)).play(MOVE) == state.play(MOVE)
        step = pickle.loads(pickle.dumps(state.steps(MOVE)[-1]))
        assert (step.game.rules_version, step.text) == (version, state.play(MOVE).text)
    with pytest.raises(BadPosition, match="not a position of"):
        sphero(2, players=3).unpack(sphero(2).read(TEXT).pack())


def test_batches_keep_the_rules():
    for version in (1, 2):
        game = sphero(version, players=2, limit=60)
        batch = game.batch(4, seed=3)
        rng = random.Random(1)
        states = [game.start(3 + i) for i in range(4)]
        for _ in range(60):
            actions = [rng.choice(state.actions()) for state in states]
            batch.step(np.array(actions))
            states = [state.act(action) for state, action in zip(states, actions, strict=True)]
            if states[0].over:
                break
            assert [batch[i].text for i in range(4)] == [state.text for state in states]
