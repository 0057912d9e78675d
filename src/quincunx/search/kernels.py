"""Search, written once over the kernel contract and compiled per game by `jit.specialise`."""

import numpy as np

from quincunx.contract import apply, evaluate, legal, start
from quincunx.position import mix


def playout(s, seats, moves, limit, seed):
    """Plays random legal actions until the end, or `limit` of them; returns how many.

    Where anyone may move, the seats take turns. `moves` is room for MAX_LEGAL actions.
    """
    dice = np.uint64(seed)
    for played in range(limit):
        if s.over:
            return played
        seat = s.turn if s.turn >= 0 else s.ply % seats
        n = legal(s, seat, moves)
        dice += np.uint64(0x9E3779B97F4A7C15)
        chosen = ((mix(dice) >> np.uint64(32)) * np.uint64(n)) >> np.uint64(32)
        apply(s, seat, moves[chosen])
    return limit


def playouts(s, options, seats, moves, limit, seed, enough):
    """Plays whole random games until they have `enough` moves; how many moves and games.

    Game i is started and played from seed + i.
    """
    played = games = 0
    while played < enough:
        start(s, options, seed + games)
        played += playout(s, seats, moves, limit, seed + games)
        games += 1
    return played, games


def perft(states, seats, moves, depth):
    """How many ways there are to play `depth` plies from states[0].

    `states` is room for depth positions and `moves` for depth rows of actions:
    row i holds the actions of states[i], which is depth-first search without recursion.
    """
    count = np.zeros(depth, np.int64)
    tried = np.zeros(depth, np.int64)
    leaves = 0
    ply = 0
    while ply >= 0:
        s = states[ply]
        seat = s.turn if s.turn >= 0 else s.ply % seats
        if tried[ply] == 0:
            count[ply] = legal(s, seat, moves[ply])
        if ply == depth - 1:
            leaves += count[ply]
        elif tried[ply] < count[ply]:
            action = moves[ply, tried[ply]]
            tried[ply] += 1
            states[ply + 1] = s
            apply(states[ply + 1], seat, action)
            ply += 1
            tried[ply] = 0
            continue
        ply -= 1
    return leaves


def glance(room, seat, moves, values):
    """Writes every legal action of room[0] and how good the position is after it; how many.

    `room` holds two positions; the second is scratch.
    """
    n = legal(room[0], seat, moves)
    for i in range(n):
        room[1] = room[0]
        apply(room[1], seat, moves[i])
        values[i] = evaluate(room[1], seat)
    return n
