"""The prefix tree of clicks contains exactly the legal moves."""

import random

import pytest

import quincunx as qx
from quincunx.registry import BUILT_IN
from quincunx.rooms.click_tree import click_tree


def moves_in(tree, clicks=()):
    """Returns the moves of a tree with their clicks."""
    for name, child in tree.items():
        if name == "":
            yield child, clicks
        else:
            yield from moves_in(child, (*clicks, name))


def test_moves_share_the_nodes_of_their_first_clicks():
    moves = [("a1e3", ("a1", "e3")), ("a1a5", ("a1", "a5")), ("place", ("place",))]
    assert click_tree(moves) == {
        "a1": {"e3": {"": "a1e3"}, "a5": {"": "a1a5"}},
        "place": {"": "place"},
    }


def test_one_move_can_begin_with_the_clicks_of_another():
    assert click_tree([("b2", ("b2",)), ("b2c3", ("b2", "c3"))]) == {
        "b2": {"": "b2", "c3": {"": "b2c3"}}
    }
    assert click_tree([]) == {}


@pytest.mark.parametrize(
    "moves", [[("a", ("x",)), ("b", ("x",))], [("a", ()), ("b", ("", "x"))]], ids=["same", "empty"]
)
def test_ambiguous_clicks_are_rejected(moves):
    with pytest.raises(AssertionError):
        click_tree(moves)


@pytest.mark.parametrize("name", BUILT_IN)
def test_the_tree_of_a_position_has_its_legal_moves(name):
    state, rng = qx.game(name).start(seed=5), random.Random(5)
    clicks = state.game.parts.layout.clicks
    for _ in range(6):
        seat = state.turn or 0
        moves = state.moves(seat)
        tree = click_tree((move, clicks(move)) for move in moves)
        assert sorted(moves_in(tree)) == sorted((move, tuple(clicks(move))) for move in moves)
        state = state.play(rng.choice(moves), seat)
        if state.over:
            break
