"""Random play and move counting: templates, compiled per game by `jit.specialise`."""

import numpy as np

from quincunx.contract import apply, legal, start
from quincunx.position import mix


def sample(s, seat, out, random_bits):
    """Returns a legal action, chosen uniformly by 32 random bits.

    `out` is a buffer for MAX_LEGAL actions. A kernel may replace this template with a faster one.
    """
    n = legal(s, seat, out)
    return np.int64(out[np.uint64(random_bits) * np.uint64(n) >> np.uint64(32)])


def seat_to_move(s, first, plies, seats):
    """Returns the seat to move.

    Where any seat may move, the seats take turns, counted from `first`, who moved `plies` plies
    ago.
    """
    return np.int64(s.turn) if s.turn >= 0 else (np.int64(first) + plies) % seats


def playout(s, seats, moves, max_moves, seed):
    """Plays random legal actions until the game ends or `max_moves` are played.

    Returns the number of actions played. `moves` is a buffer for MAX_LEGAL actions.
    """
    random_bits = np.uint64(seed)
    for played in range(max_moves):
        if s.over:
            return played
        seat = seat_to_move(s, 0, np.int64(s.ply), seats)
        random_bits += np.uint64(0x9E3779B97F4A7C15)
        apply(s, seat, sample(s, seat, moves, mix(random_bits) >> np.uint64(32)))
    return max_moves


def playouts(s, options, seats, moves, max_moves, seed, min_total_moves):
    """Plays random games until they have at least `min_total_moves` moves in total.

    Returns the number of moves and the number of games. Game i is started and played from
    seed + i and ends after `max_moves` at the latest.
    """
    played = games = 0
    while played < min_total_moves:
        start(s, options, seed + games)
        played += playout(s, seats, moves, max_moves, seed + games)
        games += 1
    return played, games


def perft(states, seats, moves, depth):
    """Returns the number of move sequences of `depth` plies from states[0].

    `states` holds `depth` positions and `moves` as many rows of actions: row i holds the legal
    actions of states[i], so that a depth-first search needs no recursion.
    """
    move_counts = np.zeros(depth, np.int64)
    next_moves = np.zeros(depth, np.int64)
    leaves = 0
    ply = 0
    while ply >= 0:
        s = states[ply]
        seat = seat_to_move(s, 0, np.int64(s.ply), seats)
        if next_moves[ply] == 0:
            move_counts[ply] = legal(s, seat, moves[ply])
        if ply == depth - 1:
            leaves += move_counts[ply]
        elif next_moves[ply] < move_counts[ply]:
            action = np.int64(moves[ply, next_moves[ply]])
            next_moves[ply] += 1
            states[ply + 1] = s
            apply(states[ply + 1], seat, action)
            ply += 1
            next_moves[ply] = 0
            continue
        ply -= 1
    return leaves
