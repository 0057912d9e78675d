"""One-ply and two-ply search over sampled futures: templates, compiled per game."""

import numpy as np

from quincunx.contract import apply, evaluate, hide, legal
from quincunx.position import mix
from quincunx.search.playout import seat_to_move


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


def expectimax(scratch, seat, seats, moves, values, action, samples, seed):
    """Returns the sum of an action's values over sampled futures, and the number of nodes.

    Each sample redraws everything that the seat cannot know of scratch[0], plays the action and
    then the best reply by static evaluation, and evaluates the result for the seat. The same seed
    gives every action the same futures. The nodes are the positions after the action and after
    every reply. scratch[1] to scratch[3] are overwritten; `moves` and `values` are buffers for
    MAX_LEGAL entries.
    """
    value_sum = 0.0
    nodes = 0
    random_bits = np.uint64(seed)
    for _ in range(samples):
        random_bits += np.uint64(0x9E3779B97F4A7C15)
        scratch[3] = scratch[0]
        hide(scratch[3], seat, np.int64(mix(random_bits) >> np.uint64(1)))
        apply(scratch[3], seat, action)
        s = scratch[3]
        nodes += 1
        if s.over:
            value_sum += evaluate(s, seat)
            continue
        next_seat = seat_to_move(s, seat, 1, seats)
        scratch[1] = s
        n = one_ply_values(scratch[1:3], next_seat, moves, values)
        nodes += n
        best = 0
        for i in range(1, n):
            if values[i] > values[best]:
                best = i
        if next_seat == seat:
            value_sum += values[best]
        else:
            apply(s, next_seat, np.int64(moves[best]))
            value_sum += evaluate(s, seat)
    return value_sum, nodes
