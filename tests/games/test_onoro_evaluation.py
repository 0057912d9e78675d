"""Onoro's evaluation and cell sets against slow computations, also in the last word of a set."""

import random
from dataclasses import replace
from math import sqrt

import numpy as np
import pytest

import quincunx as qx
from quincunx.games.onoro import cell_sets
from tests.games.test_onoro import LONGEST_GROUPS, diagram
from tests.naive import onoro as naive

ONORO = qx.game("onoro")
WIDTH = 16
STEPS = (1, 15, 16)  # right, down left, down right, as differences of cell numbers

# Sets of cells have four rows to a word: the tall groups reach from the first word to the last.
SHAPES = {
    **{name: text.split()[0] for name, text in LONGEST_GROUPS.items()},
    "two columns": "/".join(["BW"] * 8),
    "two diagonals": "/".join("." * (7 - i) + "BW" for i in range(8)),
    "five rows": "/".join(["BWB"] * 5 + ["W"]),
    "placing, two columns": "/".join(["BW"] * 7),
    "placing, tall": "/".join(["BW", *["B", "W"] * 4, "B", "WB", "W"]),
    "placing, two rows": "BWBWBW/BWBWBW",
}


def recoloured(shape, rng):
    """Returns the position of a shape with random colours, or None if a side has four in a row."""
    cells = [(q, r) for r, row in enumerate(shape.split("/")) for q, x in enumerate(row) if x > "."]
    black = frozenset(rng.sample(cells, len(cells) // 2))
    if naive.has_four_in_a_row(black) or naive.has_four_in_a_row(frozenset(cells) - black):
        return None
    turn = rng.choice("bw") if len(cells) == 16 else "b"  # while placing, Black has as many
    return diagram({cell: "B" if cell in black else "W" for cell in cells}, turn)


def slow_evaluation(reference):
    """Returns the evaluation for the side to move, by its definition."""
    turn = reference.next_seat
    own, other = (side_features(reference, seat) for seat in (turn, 1 - turn))
    if own["wins"]:
        x = 1000.0
    else:
        closed, both, one, mobility = (
            own[name] - other[name]
            for name in ("three, closed", "two, both open", "two, one open", "mobility")
        )
        threats = min(other["wins"], 2)
        if reference.is_placing:
            x = 45 + 95 * closed + 33 * both + 12 * one - (0, 107, 320)[threats]
        else:
            x = 15 + 24 * closed + 11 * both + mobility - (0, 46, 165)[threats]
    return x / sqrt(40_000 + x * x)


def side_features(reference, seat):
    """Returns the features of a side as if it were to move."""
    moving = replace(reference, next_seat=seat)
    targets = {}  # the cells that each pawn can move to, or None: a new pawn
    for move in moving.choices():
        *origin, target = map(naive.read_cell, move.split(">"))
        targets.setdefault(origin[0] if origin else None, set()).add(target)
    own = reference.sides[seat]
    wins = {
        target
        for origin, reached in targets.items()
        for target in reached
        if naive.has_four_in_a_row(own - {origin} | {target})
    }
    mobility = 0 if reference.is_placing else sum(11 + len(reached) for reached in targets.values())
    return {**line_features(reference, seat), "wins": len(wins), "mobility": mobility}


def line_features(reference, seat):
    """Counts the unblocked lines of a side by their own pawns and open cells.

    Lines are those of the kernel's window, in which the group starts at column 1 and row 1: they
    start in the window, and the cell after the end of a row is the first of the next.
    """
    left, top = reference.corner

    def window(cells):
        return {(r - top + 1) * WIDTH + q - left + 1 for q, r in cells}

    own, other = window(reference.sides[seat]), window(reference.sides[1 - seat])
    opened = window(map(naive.read_cell, reference.placements()))
    counts = {"three, closed": 0, "two, both open": 0, "two, one open": 0}
    for start in range(WIDTH * WIDTH):
        for step in STEPS:
            line = {start + i * step for i in range(4)}
            kind = len(line & own), len(line & opened)
            name = {(3, 0): "three, closed", (2, 2): "two, both open", (2, 1): "two, one open"}
            if kind in name and not line & other:
                counts[name[kind]] += 1
    return counts


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
def test_evaluation_of_recoloured_groups(shape):
    rng = random.Random(shape)
    states = [ONORO.read(text) for _ in range(30) if (text := recoloured(shape, rng))]
    states = [state for state in states if not state.over]
    assert len(states) >= 10
    for state in states:
        expected = slow_evaluation(naive.read(state.text))
        assert state.evaluate(state.turn) == pytest.approx(expected), f"\n{state}"
        assert state.evaluate(1 - state.turn) == pytest.approx(-expected), f"\n{state}"


# The neighbours of a cell in a circle, as bits of a ring.
CIRCLE = (0, 1, 17, 32, 31, 15)


def test_the_number_of_arcs_of_every_ring():
    for chosen in range(64):
        present = [chosen >> i & 1 for i in range(6)]
        ring = np.uint64(sum(p << bit for bit, p in zip(CIRCLE, present, strict=True)))
        arcs = sum(present[i] and not present[i - 1] for i in range(6))
        assert cell_sets._count_arcs(ring) == arcs, f"{ring:b}"
