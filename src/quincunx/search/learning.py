"""Learning from play, written once over the kernel contract and compiled per game.

Temporal difference learning of what is still to come, for games that one plays alone: after
each move the value of the position before is drawn towards the points gained and the value
of the position after. How fast a weight changes is its own affair (temporal coherence): the
more its errors point to both sides, the slower.
"""

import numpy as np

from quincunx.contract import afterstate_values, apply, features, scores, start


def learn(room, options, moves, values, weights, drift, sway, trail, tuning, seed, results):
    """Plays a game for each result, from seed on, and learns; writes score and plies of each.

    `drift` and `sway` are the sums of each weight's errors and of their sizes; `trail` has a
    row of features for each of the last positions, as many as an error reaches back;
    `tuning` is rate, discount, decay of errors with distance, and the most plies of a game.
    """
    rate, discount, decay, limit = tuning[0], tuning[1], tuning[2], tuning[3]
    s = room[0]
    lag = len(trail)
    counts = np.zeros(lag, np.int64)
    errors = np.zeros(lag)
    score = np.zeros(2)
    for game in range(len(results)):
        start(s, options, seed + game)
        counts[0] = features(s, 0, trail[0])
        ply = 0
        while not s.over and ply < limit:
            scores(s, score[:1])
            score[1] = score[0]
            value = total(weights, trail[ply % lag], counts[ply % lag])
            n = afterstate_values(room, 0, moves, values, weights)
            best = 0
            for i in range(1, n):
                if values[i] > values[best]:
                    best = i
            apply(s, 0, np.int64(moves[best]))
            scores(s, score[:1])
            after = (ply + 1) % lag
            counts[after] = features(s, 0, trail[after])
            following = total(weights, trail[after], counts[after])
            errors[ply % lag] = score[0] - score[1] + discount * following - value
            ply += 1
            if ply >= lag - 1:
                first = ply - lag + 1
                error = reached(errors, first, ply, discount * decay)
                first %= lag
                correct(weights, drift, sway, trail[first], counts[first], rate, error)
        for first in range(max(0, ply - lag + 2), ply):
            error = reached(errors, first, ply, discount * decay)
            correct(weights, drift, sway, trail[first % lag], counts[first % lag], rate, error)
        results[game, 0] = score[0]
        results[game, 1] = ply


def total(weights, chosen, count):
    """The sum of some weights."""
    value = 0.0
    for i in range(count):
        value += weights[chosen[i]]
    return value


def reached(errors, first, end, decay):
    """The error of a position: its own and those that followed, less and less."""
    error = 0.0
    part = 1.0
    for ply in range(first, end):
        error += part * errors[ply % len(errors)]
        part *= decay
    return error


def correct(weights, drift, sway, chosen, count, rate, error):
    """Moves some weights towards what would have been right."""
    step = rate * error / max(1, count)
    for i in range(count):
        f = chosen[i]
        weights[f] += step * (abs(drift[f]) / sway[f] if sway[f] else 1.0)
        drift[f] += error
        sway[f] += abs(error)
