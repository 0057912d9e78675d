"""Temporal-difference learning of evaluation weights: templates, compiled per game.

For games with one player. The evaluation predicts the points still to come, as a sum of weights.
After each move the value of the position before it is corrected towards the points gained plus
the value of the position after it: TD(lambda), truncated after a few plies. Every weight has a
learning rate of its own (temporal coherence learning): the more its errors differ in sign, the
lower.
"""

import numpy as np

from quincunx.contract import afterstate_values, apply, features, scores, start


def learn(
    scratch,
    options,
    moves,
    values,
    weights,
    error_sums,
    absolute_error_sums,
    feature_history,
    settings,
    seed,
    results,
):
    """Plays a game for each row of `results`, learns, and writes its score and number of plies.

    Game i is started from seed + i. `error_sums` and `absolute_error_sums` have an entry per
    weight. `feature_history` is a ring buffer: a row of features for each of the last positions,
    one more than an error is propagated back. `settings` holds learning rate, discount, trace decay
    (lambda) and the maximum number of plies of a game. scratch[0] and scratch[1] are overwritten.
    """
    rate, discount, decay, max_plies = settings[0], settings[1], settings[2], settings[3]
    s = scratch[0]
    rows = len(feature_history)
    counts = np.zeros(rows, np.int64)
    errors = np.zeros(rows)
    score = np.zeros(2)  # after the current move, and before it
    for game in range(len(results)):
        start(s, options, seed + game)
        counts[0] = features(s, 0, feature_history[0])
        ply = 0
        while not s.over and ply < max_plies:
            scores(s, score[:1])
            score[1] = score[0]
            value = sum_weights(weights, feature_history[ply % rows], counts[ply % rows])
            n = afterstate_values(scratch, 0, moves, values, weights)
            best = 0
            for i in range(1, n):
                if values[i] > values[best]:
                    best = i
            apply(s, 0, np.int64(moves[best]))
            scores(s, score[:1])
            after = (ply + 1) % rows
            counts[after] = features(s, 0, feature_history[after])
            next_value = sum_weights(weights, feature_history[after], counts[after])
            errors[ply % rows] = score[0] - score[1] + discount * next_value - value
            ply += 1
            # A position is corrected once the errors of the plies after it are known.
            last_known = ply - rows + 2 if not s.over and ply < max_plies else ply
            for first in range(max(0, ply - rows + 1), last_known):
                row = first % rows
                error = trace_error(errors, first, ply, discount * decay)
                active, count = feature_history[row], counts[row]
                update_weights(weights, error_sums, absolute_error_sums, active, count, rate, error)
        results[game, 0] = score[0]
        results[game, 1] = ply


def sum_weights(weights, active, count):
    """Returns the sum of the weights of the first `count` active features."""
    value = 0.0
    for i in range(count):
        value += weights[active[i]]
    return value


def trace_error(errors, first, end, decay):
    """Returns the error of a ply plus the decayed errors of the later plies before `end`."""
    error = 0.0
    factor = 1.0
    for ply in range(first, end):
        error += factor * errors[ply % len(errors)]
        factor *= decay
    return error


def update_weights(weights, error_sums, absolute_error_sums, active, count, rate, error):
    """Adds a part of an error to the weight of each active feature, at the weight's own rate."""
    step = rate * error / max(1, count)
    for i in range(count):
        f = active[i]
        coherence = abs(error_sums[f]) / absolute_error_sums[f] if absolute_error_sums[f] else 1.0
        weights[f] += step * coherence
        error_sums[f] += error
        absolute_error_sums[f] += abs(error)
