"""Search over the kernels: `compiled(kernel)` gives it for one game."""

from __future__ import annotations

from functools import cache
from types import FunctionType, ModuleType, SimpleNamespace
from typing import cast

import numpy as np

from quincunx import jit
from quincunx.game import State
from quincunx.search import kernels


@cache
def compiled(kernel: ModuleType, module: ModuleType = kernels) -> SimpleNamespace:
    """Every function of a module of templates, `search.kernels` by default, for one game."""
    templates = [
        value
        for value in vars(module).values()
        if isinstance(value, FunctionType) and value.__module__ == module.__name__
    ]
    return jit.specialise(kernel, *templates)


def count_leaves(state: State, depth: int) -> int:
    """How many ways there are to play `depth` more plies from a position."""
    if depth == 0:
        return 1
    game = state.game
    room = game.empty_positions(depth)
    room[0] = state._s
    moves = np.empty((depth, game.kernel.MAX_LEGAL), np.int32)
    return int(compiled(cast(ModuleType, game.kernel)).perft(room, game.seats, moves, depth))
