"""The keys of positions that do not record them: templates, compiled per game.

The same functions as in `recorded_keys`, for games in which no position can repeat.
"""

import numpy as np

from quincunx.contract import key

SIGNATURES = {
    "current_key": "(s: state) -> u64",
    "has_repeated": "(s: state) -> bool",
}


def current_key(s):
    """Returns the key of a position."""
    return key(s)


def has_repeated(s):
    """Returns False."""
    return np.bool_(False)  # numba has a type of its own for the literal
