"""The naive solver of Onoro: known counts, positions judged by hand, the game searched through."""

import random
from collections import Counter
from itertools import combinations

import pytest

from tests.naive import onoro, onoro_solver
from tests.naive.onoro_solver import key, seen_by_mover, solve, solve_placing

# Whoever moves a pawn from the middle of an edge leaves two corners that no one cell holds.
STUCK = "WBW/BB./W.. b"

# White threatens 0,0>-1,2 with a line, and Black has three moves, none of which gets there.
THREAT = ".BW/WW./W../BB./B.. {} 0,-1"


def read_key(text, pawns):
    return key(seen_by_mover(onoro.read(text, pawns=pawns)))


def position_of(name, pawns):
    """A position of the game with the key, Black to move, and no rule of repetition."""
    sides = tuple(frozenset((q, r) for q, r, side in name if side == seat) for seat in (0, 1))
    return onoro.Position(sides, onoro.BLACK, (), pawns, repetition=0)


def is_lost(position, plies):
    """Whether the side to move loses within the plies, whatever it does."""
    if position.over:
        return position.next_seat not in position.winners
    return plies > 0 and all(is_won(reply, plies - 1) for reply in played(position))


def is_won(position, plies):
    """Whether the side to move can win within the plies."""
    return plies > 0 and any(is_lost(reply, plies - 1) for reply in played(position))


def played(position):
    return (position.play(move) for move in position.moves())


def searched(position, plies):
    """The outcome by looking so many plies ahead in the game itself."""
    for depth in range(plies + 1):
        if is_lost(position, depth):
            return "loss", depth
        if is_won(position, depth):
            return "win", depth
    return onoro_solver.DRAW


def test_symmetric_positions_have_one_key():
    rng = random.Random(1)
    for sides in rng.sample(onoro_solver.positions(3), 20):
        image = sides
        for _ in range(6):
            image = tuple(frozenset((7 - r, q + r - 3) for q, r in side) for side in image)
            mirrored = tuple(frozenset((r, q) for q, r in side) for side in image)
            assert key(image) == key(mirrored) == key(sides)


def test_other_positions_have_other_keys():
    triangle = onoro.read(STUCK).all_pawns
    keys = {key((frozenset(own), triangle - frozenset(own))) for own in combinations(triangle, 3)}
    # Burnside's lemma over the identity, two turns and three mirrors of the triangle.
    assert len(keys) == (20 + 2 * 2 + 3 * 4) / 6


@pytest.mark.parametrize(("pawns", "shapes", "positions"), [(3, 7, 140), (4, 54, 3780)])
def test_the_number_of_positions(pawns, shapes, positions):
    assert len(onoro_solver.shapes(2 * pawns)) == shapes
    assert len(onoro_solver.positions(pawns)) == positions


@pytest.mark.parametrize(
    ("pawns", "counts"),
    [
        (3, {"win": 11, "draw": 125, "loss": 4}),
        (4, {"win": 244, "draw": 3437, "loss": 52, "no outcome": 47}),
    ],
)
def test_the_number_of_outcomes(pawns, counts):
    outcomes = solve(pawns)
    found = [outcomes.get(key(sides), ("no outcome",)) for sides in onoro_solver.positions(pawns)]
    assert Counter(value for value, *_ in found) == counts


@pytest.mark.parametrize(
    ("text", "pawns", "outcome"),
    [
        (STUCK, 3, ("loss", 0)),
        ("BBBB/WWW./W... w", 4, ("loss", 0)),
        ("BBBB/WWW./W... b", 4, None),
        ("BBBB/WWWW w", 4, None),
        (THREAT.format("w"), 4, ("win", 1)),
        (THREAT.format("b"), 4, ("loss", 2)),
    ],
)
def test_positions_judged_by_hand(text, pawns, outcome):
    assert solve(pawns).get(read_key(text, pawns)) == outcome


@pytest.mark.parametrize("pawns", [3, 4])
def test_the_start_is_a_draw(pawns):
    assert onoro_solver.start_outcome(pawns) == onoro_solver.DRAW


@pytest.mark.parametrize(("pawns", "plies"), [(3, 5), (4, 3)])
def test_searching_the_game_finds_the_same(pawns, plies):
    for outcomes in (solve(pawns), solve_placing(pawns)):
        samples = {outcome: name for name, outcome in outcomes.items()}
        for outcome, name in samples.items():
            assert searched(position_of(name, pawns), plies) == outcome, name
