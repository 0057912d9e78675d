"""Sphero's kernel by itself: balance, keys and scratch memory."""

import random
from itertools import product

import numpy as np
import pytest

import quincunx as qx
from quincunx.games.sphero import kernel
from quincunx.games.sphero.sliding import _no_liberty_reachable
from tests.naive import sphero as naive

ALL_CELLS = np.uint64(2**64 - 1)


@pytest.mark.parametrize("highest", [5, 6])
def test_balance_agrees_with_the_naive_implementation(highest):
    """The anchor has four neighbours, and few of the inner spheres are missing."""
    game, rng = qx.game("sphero", players=2), random.Random(highest)
    area = [(x, y) for x in range(-3, 4) for y in range(-3, 4) if 1 < abs(x) + abs(y) < 4]
    found = set()
    for _ in range(10):
        missing = rng.sample(area, rng.randrange(2, 10))
        cells = {(0, highest), (1, 0), (0, 1), (-1, 0), (0, -1), *area} - set(missing)
        board = {cell: "RY"[sum(cell) % 2] for cell in cells}
        state = game.read(naive.board_text(board))
        found.add(naive.is_balanced(board))
        assert bool(kernel.is_balanced(state.position)) == naive.is_balanced(board), f"\n{state}"
    assert found == {False, True}


def test_no_action_is_legal_for_another_seat_during_a_move_or_at_the_end():
    game = qx.game("sphero", players=2, order="turns", limit=1)
    state = game.start()
    action = state.action("0,1")
    placed, done = state.steps("0,1")
    out = np.zeros(kernel.MAX_LEGAL, np.int32)
    assert kernel.is_legal(state.position, 0, action)
    for other, seat in ((state, 1), (placed, 0), (done, 1)):
        assert kernel.legal(other.position, seat, out) == 0
        assert not any(kernel.is_legal(other.position, seat, a) for a in range(kernel.ACTIONS))


@pytest.mark.parametrize("players", [2, 3])
def test_keys_differ_by_the_seat_to_move_and_by_the_spheres(players):
    game = qx.game("sphero", players=players, order="turns")
    letters = "RYB"[:players]
    boards = ["RA", "YA", "AR", "R/A", "RYA", "YRA"]
    texts = [f"{board} {turn}" for board, turn in product(boards, letters)]
    keys = {int(kernel.key(game.read(text).position)) for text in texts}
    assert len(keys) == len(texts)
    anytime = qx.game("sphero", players=players)
    keys |= {int(kernel.key(anytime.read(board).position)) for board in boards}
    assert len(keys) == len(texts) + len(boards)


def test_a_key_depends_only_on_spheres_and_turn():
    game = qx.game("sphero", players=2, order="turns")
    played = game.start().play("0,1").play("1,0")
    assert kernel.key(played.position) == kernel.key(game.read("R./AY R").position)


def test_the_search_for_liberties_ignores_what_is_left_in_its_scratch_memory():
    # 1,0 is the only liberty of valence 1, and spheres enclose it; -1,1 has valence 2.
    s = qx.game("sphero", players=2).read(".RY./RA.R/.YR.").position.copy()
    origin = kernel.ANCHOR + 4
    for left in (np.uint64(0), ALL_CELLS):
        s.room[:] = s.open[:] = left
        assert _no_liberty_reachable(s, origin, 1)
        s.room[:] = s.open[:] = left
        assert not _no_liberty_reachable(s, origin, 2)


def test_a_game_may_start_in_a_used_record():
    game = qx.game("sphero", players=3, order="turns", limit=9)
    positions = game.empty_positions(2)
    positions.view(np.uint8)[positions.itemsize :] = 0xFF
    for s in positions:
        kernel.start(s, game.kernel_options, 5)
    assert positions[0].tobytes() == positions[1].tobytes()
