"""The naive solver of Onoro: known counts, positions solved by hand, and a search of the game."""

import random
from collections import Counter
from itertools import combinations

import pytest

from tests.naive import onoro, onoro_solver
from tests.naive.onoro_solver import key, mover_first, solve, solve_placing

# All in one pytest-xdist worker, so that the solver is compiled once.
pytestmark = pytest.mark.xdist_group("solver")

# A pawn moved from the middle of an edge leaves two corners loose, which no single cell joins.
STUCK = "WBW/BB./W.. b"

# White threatens a line with 0,0>-1,2, and none of Black's three moves can stop it.
THREAT = ".BW/WW./W../BB./B.. {} 0,-1"


def read_key(text, pawns):
    return key(mover_first(onoro.read(text, pawns=pawns)))


def position_of(position_key, pawns):
    """Returns a position of the game with this key, Black to move, without repetition rule."""
    sides = tuple(
        frozenset((q, r) for q, r, side in position_key if side == seat) for seat in (0, 1)
    )
    return onoro.Position(sides, onoro.BLACK, (), pawns, repetition=0)


def is_lost(position, plies):
    """Returns whether the side to move loses within `plies` plies whatever it plays."""
    if position.over:
        return position.next_seat not in position.winners
    return plies > 0 and all(is_won(reply, plies - 1) for reply in replies(position))


def is_won(position, plies):
    """Returns whether the side to move can win within `plies` plies."""
    return plies > 0 and any(is_lost(reply, plies - 1) for reply in replies(position))


def replies(position):
    return (position.play(move) for move in position.moves())


def search(position, plies):
    """Returns the outcome found by a search of `plies` plies in the game itself."""
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


def test_different_positions_have_different_keys():
    triangle = onoro.read(STUCK).all_pawns
    keys = {key((frozenset(own), triangle - frozenset(own))) for own in combinations(triangle, 3)}
    # Burnside's lemma over the identity, two rotations and three mirrors of the triangle.
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
    results = [outcomes.get(key(sides), ("no outcome",)) for sides in onoro_solver.positions(pawns)]
    assert Counter(value for value, *_ in results) == counts


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
def test_positions_solved_by_hand(text, pawns, outcome):
    assert solve(pawns).get(read_key(text, pawns)) == outcome


@pytest.mark.parametrize("pawns", [3, 4])
def test_the_start_is_a_draw(pawns):
    assert onoro_solver.start_outcome(pawns) == onoro_solver.DRAW


@pytest.mark.parametrize(("pawns", "plies"), [(3, 5), (4, 3)])
def test_outcomes_agree_with_a_search_of_the_game(pawns, plies):
    for outcomes in (solve(pawns), solve_placing(pawns)):
        samples = {outcome: sample for sample, outcome in outcomes.items()}
        for outcome, sample in samples.items():
            assert search(position_of(sample, pawns), plies) == outcome, sample
