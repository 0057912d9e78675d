"""The fields and helpers that all kernels share: header, random generator, repetition.

Compiled; imported by kernels and search.
"""

import numpy as np

from quincunx.jit import jit

# turn: the seat to move, -1 = anyone. over: 1 when the game has ended.
# stage: progress within a move that is applied in steps, 0 between moves.
HEADER = [("turn", "i1"), ("over", "u1"), ("stage", "u1"), ("ply", "i4"), ("rng", "u8")]

ANYONE = -1

# The value of the field `winner` in drawn and unfinished positions of two-player games.
NOBODY = -1

# The number of plies that the repetition rule looks back.
REPETITION_WINDOW = 64

SPLITMIX_INCREMENT = np.uint64(0x9E3779B97F4A7C15)  # between two states of a generator


@jit
def mix(x):
    """Returns a 64-bit hash of a 64-bit integer (the finaliser of splitmix64)."""
    x = np.uint64(x)
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


@jit
def init_header(s, seed):
    """Writes the header of an initial position and seeds its generator."""
    s.turn = 0
    s.over = 0
    s.stage = 0
    s.ply = 0
    s.rng = mix(np.uint64(seed) ^ SPLITMIX_INCREMENT)


@jit
def next_random(s):
    """Returns the next 64 random bits of the position's generator (splitmix64)."""
    s.rng = s.rng + SPLITMIX_INCREMENT
    return mix(s.rng)


@jit
def random_below(s, n):
    """Returns a random integer from 0 to n - 1; n < 2**32."""
    return np.int64(((next_random(s) >> np.uint64(32)) * np.uint64(n)) >> np.uint64(32))


@jit
def random_chance(s, p):
    """Returns True with probability p."""
    return np.float64(next_random(s) >> np.uint64(11)) * 1.1102230246251565e-16 < p


@jit
def reseed(s, seed):
    """Reseeds the generator, so that future random events cannot be predicted."""
    s.rng = mix(np.uint64(seed))


@jit
def two_player_scores(s, out):
    """Writes 1 and 0 by `winner`, or 0.5 each for a draw; zeros before the end."""
    out[0] = out[1] = 0.0
    if s.over:
        if s.winner == NOBODY:
            out[0] = out[1] = 0.5
        else:
            out[s.winner] = 1.0


@jit
def two_player_value(s, seat):
    """Returns the result of a finished two-player game for a seat: 1, 0 or -1."""
    if s.winner == NOBODY:
        return 0.0
    return 1.0 if s.winner == seat else -1.0


@jit
def record_repetition(seen, ply, key):
    """Records the key of a position; returns its number of occurrences in the last 64 plies.

    seen[i % 64] is the key of ply i. The current occurrence counts.
    """
    occurrences = 1
    for i in range(REPETITION_WINDOW):
        if seen[i] == key:
            occurrences += 1
    seen[ply % REPETITION_WINDOW] = key
    return occurrences
