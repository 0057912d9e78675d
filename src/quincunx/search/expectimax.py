"""One-ply and two-ply search over sampled futures: templates, compiled per game."""

from typing import Any

import numpy as np

from quincunx.contract import Kernel, apply, evaluate, hide, legal
from quincunx.position import SPLITMIX_INCREMENT, mix
from quincunx.search.playout import seat_to_move

SIGNATURES = {
    "one_ply_values": "(scratch: state[:], seat: i64, moves: i32[:], values: f64[:]) -> i64",
    "expectimax": "(scratch: state[:], seat: i64, seats: i64, workspace: workspace,"
    " candidate_count: i64, samples: i64, seed: i64) -> i64",
    "add_best_reply": "(scratch: state[:], seat: i64, seats: i64, workspace: workspace, i: i64)"
    " -> i64",
}


def workspace_type(max_legal: int) -> np.dtype[Any]:
    """Returns the workspace of `expectimax` in a game."""
    return np.dtype(
        [
            ("value_sums", "f8", (max_legal,)),  # of each candidate, over its samples
            ("values", "f8", (max_legal,)),  # after each move of a position
            ("candidates", "i4", (max_legal,)),  # the actions to search
            ("moves", "i4", (max_legal,)),  # the legal moves of a position
        ]
    )


def record_types(kernel: Kernel) -> dict[str, np.dtype[Any]]:
    """Returns the records that SIGNATURES names."""
    return {"workspace": workspace_type(kernel.MAX_LEGAL)}


def one_ply_values(scratch, seat, moves, values):
    """Writes every legal action of scratch[0] and the static evaluation after it.

    Returns the number of actions. scratch[1] is overwritten. A kernel may replace this template
    with a faster one.
    """
    n = legal(scratch[0], seat, moves)
    for i in range(n):
        scratch[1] = scratch[0]
        apply(scratch[1], seat, np.int64(moves[i]))
        values[i] = evaluate(scratch[1], seat)
    return n


def expectimax(scratch, seat, seats, workspace, candidate_count, samples, seed):
    """Writes the sum of each candidate's values over sampled futures; returns the nodes.

    A candidate is an action of scratch[0]; all are played in the same futures. The nodes are the
    positions after every candidate and after every reply. scratch[1] to scratch[3] are
    overwritten.
    """
    nodes = 0
    for i in range(candidate_count):
        workspace.value_sums[i] = 0.0
        random_bits = np.uint64(seed)
        for _ in range(samples):
            random_bits += SPLITMIX_INCREMENT
            scratch[3] = scratch[0]
            hide(scratch[3], seat, np.int64(mix(random_bits) >> np.uint64(1)))
            apply(scratch[3], seat, np.int64(workspace.candidates[i]))
            nodes += 1
            if scratch[3].over:
                workspace.value_sums[i] += evaluate(scratch[3], seat)
            else:
                nodes += add_best_reply(scratch, seat, seats, workspace, i)
    return nodes


def add_best_reply(scratch, seat, seats, workspace, i):
    """Adds to a candidate's sum the value, for the seat, of the best reply to scratch[3].

    The best reply is that of the highest static evaluation for the seat to move. Returns the
    number of replies.
    """
    moves = workspace.moves[:]  # slices, because compiled code needs arrays of any length
    values = workspace.values[:]
    next_seat = seat_to_move(scratch[3], seat, np.int64(1), seats)
    scratch[1] = scratch[3]
    n = one_ply_values(scratch[1:3], next_seat, moves, values)
    best = 0
    for k in range(1, n):
        if values[k] > values[best]:
            best = k
    if next_seat == seat:
        workspace.value_sums[i] += values[best]
    else:
        apply(scratch[3], next_seat, np.int64(moves[best]))
        workspace.value_sums[i] += evaluate(scratch[3], seat)
    return n
