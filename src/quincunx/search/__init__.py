"""Search over the kernels: written once per algorithm, compiled per game by `compiled(kernel)`."""

from __future__ import annotations

from functools import cache
from types import FunctionType, ModuleType, SimpleNamespace
from typing import cast

import numpy as np

from quincunx import jit
from quincunx.game import State
from quincunx.search import alphabeta, expectimax, mcts, playout

SEARCH_MODULES = (playout, expectimax, mcts, alphabeta)


@cache
def compiled(kernel: ModuleType, *modules: ModuleType) -> SimpleNamespace:
    """Returns the template functions of the modules, all searches by default, for one game."""
    templates = [
        value
        for module in modules or SEARCH_MODULES
        for value in vars(module).values()
        if isinstance(value, FunctionType) and value.__module__ == module.__name__
    ]
    return jit.specialise(kernel, *templates)


def count_leaves(state: State, depth: int) -> int:
    """Returns the number of move sequences of `depth` plies from a position (perft)."""
    if depth == 0:
        return 1
    game = state.game
    states = game.empty_positions(depth)
    states[0] = state.position
    moves = np.empty((depth, game.kernel.MAX_LEGAL), np.int32)
    return int(compiled(cast(ModuleType, game.kernel)).perft(states, game.seats, moves, depth))
