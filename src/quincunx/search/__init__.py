"""Search over the kernels: written once per algorithm, compiled per game by `compiled(kernel)`.

Each search module declares SIGNATURES, the argument types of its functions, and `record_types`,
the records that these name, if any. A search that reads optional fields of positions lists them
in FIELDS.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from types import FunctionType, ModuleType, SimpleNamespace
from typing import Any, cast

from quincunx import jit
from quincunx.buffers import action_buffer, records
from quincunx.contract import Kernel
from quincunx.game import Game, State
from quincunx.search import (
    alphabeta,
    computed_keys,
    expectimax,
    mcts,
    playout,
    recorded_keys,
    transposition_table,
)

SEARCH_MODULES = (
    playout,
    expectimax,
    mcts,
    recorded_keys,
    computed_keys,
    transposition_table,
    alphabeta,
)


def modules_for(kernel: Kernel) -> tuple[ModuleType, ...]:
    """Returns the search modules for a kernel, of which one says how to find the keys."""
    keys = computed_keys if has_fields(kernel, recorded_keys) else recorded_keys
    return tuple(module for module in SEARCH_MODULES if module is not keys)


def has_fields(kernel: Kernel, module: ModuleType) -> bool:
    """Returns True if a kernel's positions have all optional fields that a module reads."""
    return {*getattr(module, "FIELDS", ())} <= {*(kernel.STATE.names or ())}


def compiled(kernel: Kernel, *modules: ModuleType) -> SimpleNamespace:
    """Returns the template functions of the modules, all searches by default, for one game."""
    return _compiled(cast(Any, kernel), modules or modules_for(kernel))


@cache
def _compiled(kernel: Kernel, modules: tuple[ModuleType, ...]) -> SimpleNamespace:
    templates = [
        value
        for module in modules
        for name, value in vars(module).items()
        if isinstance(value, FunctionType)
        and value.__module__ == module.__name__
        and name in getattr(module, "SIGNATURES", vars(module))
    ]
    return jit.specialise(kernel, *templates)


def declared_functions(kernel: Kernel) -> Iterator[tuple[str, Any, str, Mapping[str, Any]]]:
    """Yields the functions of all searches that can be compiled for a kernel.

    Each comes with its name, its signature text and the records that this names.
    """
    code = compiled(kernel)
    for module in modules_for(kernel):
        if has_fields(kernel, module):
            own = module.record_types(kernel) if hasattr(module, "record_types") else {}
            records = {"state": kernel.STATE, **own}
            for name, text in module.SIGNATURES.items():
                yield name, getattr(code, name, None) or getattr(module, name), text, records


def count_leaves(state: State, depth: int) -> int:
    """Returns the number of move sequences of `depth` plies from a position (perft)."""
    if depth == 0:
        return 1
    game = state.game
    states = game.empty_positions(depth)
    states[0] = state.position
    frames = records(playout.PERFT_FRAME, depth)
    moves = action_buffer(depth, game.kernel.MAX_LEGAL)
    code = compiled(game.kernel)
    return int(code.perft(states, frames, moves, game.seats, depth))


class RandomGames:
    """Plays random games of one kind, in the same memory."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._code = compiled(game.kernel)
        self._position = game.empty_positions()[0]
        self._moves = action_buffer(game.kernel.MAX_LEGAL)
        self._totals = records(playout.TOTALS, 1)[0]

    def play(self, seed: int, min_moves: int, max_game_moves: int) -> tuple[int, int]:
        """Plays whole games until they have `min_moves` moves; returns the moves and games."""
        self._code.playouts(
            self._position,
            self._game.kernel_options,
            self._game.seats,
            self._moves,
            max_game_moves,
            seed,
            min_moves,
            self._totals,
        )
        moves, games = self._totals.tolist()
        return moves, games
