"""The entry points that games share, completing a kernel with those it does not define itself.

They are templates, compiled per kernel.
"""

from typing import Any

import numpy as np

from quincunx.contract import MAX_LEGAL, RequiredKernel, advance, apply, begin, legal
from quincunx.jit import specialise_for_module, stack_array
from quincunx.position import reseed, two_player_scores, two_player_value


def restore(s):
    """Does nothing, in games without derived fields."""


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


def apply_by_steps(s, seat, action):
    """Plays a legal action: all steps of the move."""
    begin(s, seat, action)
    while advance(s):
        pass


def begin_by_apply(s, seat, action):
    """Plays a whole move, in games whose moves are a single event."""
    apply(s, seat, action)
    return 1


def advance_nothing(s):
    """Returns 0: the move is complete after its first event."""
    return 0


def scores(s, out):
    """Writes 1 and 0 for a win, 0.5 each for a draw, zeros before the end."""
    two_player_scores(s, out)


def score_alone(s, out):
    """Writes the field `score`, in solo games."""
    out[0] = s.score


def hide(s, seat, seed):
    """Replaces the random generator, in games without hidden information."""
    reseed(s, seed)


def evaluate_result(s, seat):
    """Returns the result when the game is over, or else 0."""
    if s.over:
        return two_player_value(s, seat)
    return 0.0


def evaluate_nothing(s, seat):
    """Returns 0, in games without a winner and without an evaluation of their own."""
    return 0.0


def complete(kernel: RequiredKernel) -> None:
    """Adds to a kernel the constants and functions that it leaves to the defaults."""
    constants = {"MAX_LEGAL": kernel.ACTIONS, "SEATS": 2, "EVENTS": ("", "move")}
    for name, value in constants.items():
        if not hasattr(kernel, name):
            setattr(kernel, name, value)
    for name, template in _templates(kernel).items():
        if not hasattr(kernel, name):
            setattr(kernel, name, specialise_for_module(vars(kernel), template))


def _templates(kernel: RequiredKernel) -> dict[str, Any]:
    """Returns the templates of the functions that a kernel may leave out."""
    templates = {"restore": restore, "is_legal": is_legal, "hide": hide}
    if hasattr(kernel, "apply"):
        templates |= {"begin": begin_by_apply, "advance": advance_nothing}
    else:
        templates |= {"apply": apply_by_steps}
    if "winner" in (kernel.STATE.names or ()):
        return {**templates, "scores": scores, "evaluate": evaluate_result}
    return {**templates, "scores": score_alone, "evaluate": evaluate_nothing}
