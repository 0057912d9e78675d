"""Compares the leaf counts of the kernels with those of the naive implementations (count.py)."""

import json
from pathlib import Path

import pytest

from quincunx.registry import BUILT_IN, game
from quincunx.search import count_leaves

HERE = Path(__file__).parent
ROWS = [
    pytest.param(name, row, id=f"{name}-{i}")
    for name in BUILT_IN
    for i, row in enumerate(json.loads((HERE / f"{name}.json").read_text()))
]


@pytest.mark.parametrize(("name", "row"), ROWS)
def test_leaf_counts(name, row):
    state = game(name, **row["options"]).read(row["position"])
    for depth, expected in enumerate(row["leaves"], 1):
        found = count_leaves(state, depth)
        if found != expected:
            per_move = {move: count_leaves(state.play(move), depth - 1) for move in state.moves()}
            pytest.fail(f"depth {depth}: {found} instead of {expected}\n{per_move}\n{state}")


def test_quorum_perft_4_matches_the_rules_document():
    start = game("quorum").start()
    assert [count_leaves(start, depth) for depth in (1, 2, 3, 4)] == [19, 361, 7763, 166473]
