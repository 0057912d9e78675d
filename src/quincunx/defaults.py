"""The entry points that games share: templates, compiled per kernel.

A kernel takes those that it does not define itself, in its last lines:

    apply, hide = default(globals(), "apply", "hide")
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from quincunx.contract import DEFAULT_NAMES, MAX_LEGAL, advance, begin, legal
from quincunx.jit import specialise_for_module, stack_array
from quincunx.position import reseed, two_player_scores


def is_legal(s, seat, action):
    """Returns True if an action is legal, by a binary search in the list of all legal actions."""
    out = stack_array(MAX_LEGAL, np.int32)
    low, high = 0, legal(s, seat, out)
    while low < high:
        middle = (low + high) // 2
        if out[middle] < action:
            low = middle + 1
        elif out[middle] > action:
            high = middle
        else:
            return True
    return False


def apply(s, seat, action):
    """Plays a legal action: all steps of the move."""
    begin(s, seat, action)
    while advance(s):
        pass


def scores(s, out):
    """Writes 1 and 0 for a win, 0.5 each for a draw, zeros before the end."""
    two_player_scores(s, out)


def hide(s, seat, seed):
    """Replaces the random generator, in games without hidden information."""
    reseed(s, seed)


def default(kernel: Mapping[str, Any], *names: str) -> tuple[Any, ...]:
    """Returns the named entry points for the kernel module with these globals."""
    unknown = [name for name in names if name not in DEFAULT_NAMES]
    if unknown:
        known = ", ".join(DEFAULT_NAMES)
        raise ValueError(f"{unknown[0]} has no default: expected one of {known}")
    return tuple(specialise_for_module(kernel, globals()[name]) for name in names)
