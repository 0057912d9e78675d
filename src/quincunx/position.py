"""What every position carries, in every game: the header, the random generator, the last positions.

Compiled; imported by kernels and by search.
"""

import numpy as np

from quincunx.jit import jit

# turn: the seat to move, -1 = anyone. over: 1 when the game has ended.
# stage: how far a play has unfolded, 0 between plays.
HEADER = [("turn", "i1"), ("over", "u1"), ("stage", "u1"), ("ply", "i4"), ("rng", "u8")]

ANYONE = -1

# In games of two that somebody wins, the field `winner` of a drawn or unfinished position.
NOBODY = -1

# How many earlier positions the repetition rule looks back at.
REPETITION_WINDOW = 64


@jit
def mix(x):
    """A well-spread 64-bit number for every 64-bit number (the finaliser of splitmix64)."""
    x = np.uint64(x)
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


@jit
def init_header(s, seed):
    """Writes the header of a first position, generator seeded."""
    s.turn = 0
    s.over = 0
    s.stage = 0
    s.ply = 0
    s.rng = mix(np.uint64(seed) ^ np.uint64(0x9E3779B97F4A7C15))


@jit
def next_random(s):
    """The next 64 random bits of the position's own generator (splitmix64)."""
    s.rng = s.rng + np.uint64(0x9E3779B97F4A7C15)
    return mix(s.rng)


@jit
def random_below(s, n):
    """A random integer from 0 to n - 1; n below 2**32."""
    return np.int64(((next_random(s) >> np.uint64(32)) * np.uint64(n)) >> np.uint64(32))


@jit
def random_chance(s, p):
    """True with probability p."""
    return np.float64(next_random(s) >> np.uint64(11)) * 1.1102230246251565e-16 < p


@jit
def reseed(s, seed):
    """Replaces the generator, so that nothing that is yet to come can be told."""
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
    """What the end of a game of two is worth for a seat: 1, 0 or -1."""
    if s.winner == NOBODY:
        return 0.0
    return 1.0 if s.winner == seat else -1.0


@jit
def record_repetition(seen, ply, key):
    """How often the position with this key has stood, now and within the last 64 plies.

    Remembers it: seen[i % 64] is the key of ply i.
    """
    times = 1
    for i in range(REPETITION_WINDOW):
        if seen[i] == key:
            times += 1
    seen[ply % REPETITION_WINDOW] = key
    return times
