"""Random play and move counting: templates, compiled per game by `jit.specialise`."""

from typing import Any

import numpy as np

from quincunx.contract import Kernel, apply, legal, start
from quincunx.position import SPLITMIX_INCREMENT, mix

# The totals of `playouts`.
TOTALS = np.dtype([("moves", "i8"), ("games", "i8")])

# The stack of `perft` has one frame for each ply.
PERFT_FRAME = np.dtype(
    [
        ("move_count", "i8"),
        ("next_move", "i8"),  # the index of the next move to count
    ]
)

SIGNATURES = {
    "sample": "(s: state, seat: i64, out: i32[:], random_bits: u64) -> i64",
    "seat_to_move": "(s: state, first: i64, plies: i64, seats: i64) -> i64",
    "playout": "(s: state, seats: i64, moves: i32[:], max_moves: i64, seed: i64) -> i64",
    "playouts": "(s: state, options: i64[:], seats: i64, moves: i32[:], max_moves: i64,"
    " seed: i64, min_total_moves: i64, totals: totals) -> void",
    "perft": "(states: state[:], frames: perft_frame[:], moves: i32[:,:], seats: i64,"
    " depth: i64) -> i64",
}


def record_types(kernel: Kernel) -> dict[str, np.dtype[Any]]:
    """Returns the records that SIGNATURES names."""
    return {"totals": TOTALS, "perft_frame": PERFT_FRAME}


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
    first = np.int64(0)
    for played in range(max_moves):
        if s.over:
            return played
        seat = seat_to_move(s, first, np.int64(s.ply), seats)
        random_bits += SPLITMIX_INCREMENT
        apply(s, seat, sample(s, seat, moves, mix(random_bits) >> np.uint64(32)))
    return max_moves


def playouts(s, options, seats, moves, max_moves, seed, min_total_moves, totals):
    """Plays random games until they have at least `min_total_moves` moves in total.

    Writes the numbers of moves and games into `totals`. Game i is started and played from
    seed + i and ends after `max_moves` at the latest.
    """
    totals.moves = 0
    totals.games = 0
    while totals.moves < min_total_moves:
        game_seed = seed + totals.games
        start(s, options, game_seed)
        totals.moves += playout(s, seats, moves, max_moves, game_seed)
        totals.games += 1


def perft(states, frames, moves, seats, depth):
    """Returns the number of move sequences of `depth` plies from states[0].

    states[i], frames[i] and row i of `moves`, the legal actions, belong to ply i, so that a
    depth-first search needs no recursion; there are `depth` of each.
    """
    leaves = 0
    ply = 0
    first = np.int64(0)
    frames[0].next_move = 0
    while ply >= 0:
        s = states[ply]
        frame = frames[ply]
        seat = seat_to_move(s, first, np.int64(s.ply), seats)
        if frame.next_move == 0:
            frame.move_count = legal(s, seat, moves[ply])
        if ply == depth - 1:
            leaves += frame.move_count
        elif frame.next_move < frame.move_count:
            action = np.int64(moves[ply, frame.next_move])
            frame.next_move += 1
            states[ply + 1] = s
            apply(states[ply + 1], seat, action)
            ply += 1
            frames[ply].next_move = 0
            continue
        ply -= 1
    return leaves
