"""Alpha-beta search, for two players and no chance."""

from __future__ import annotations

import time
from collections.abc import Mapping
from random import Random
from types import ModuleType
from typing import cast

import numpy as np

from quincunx import search
from quincunx.errors import BadOption
from quincunx.game import Game, State
from quincunx.options import Option, Value
from quincunx.search.kernels import DEEPEST, ENTRY, FRAME, MATE, MATES

OPTIONS = (
    Option("depth", 0, "plies to look ahead; 0 = as many as there is time for", 0, DEEPEST),
    Option("time", 0.0, "seconds a move; 0 = as long as the depth takes", 0, 3600),
)
ABOUT = "alpha-beta search (Onoro, Quorum)"

DEPTH = 4  # where no limit is given
ENTRIES = 1 << 18
SLOW = 100_000.0  # nodes a second, before any were counted
FEW = 5_000  # nodes that are too few to tell the speed


class AlphaBetaPlayer:
    """Looks deeper and deeper until the limit is reached, and plays the best move found."""

    def __init__(self, game: Game, options: Mapping[str, Value], seed: int) -> None:
        self._dice = Random(seed)
        self._depth, self._time = int(options["depth"]), float(options["time"])
        if not self._depth and not self._time:
            self._depth = DEPTH
        kernel = game.kernel
        self._search = search.compiled(cast(ModuleType, kernel)).alphabeta
        self._states = game.blank(DEEPEST + 1)
        self._frames = np.zeros(DEEPEST + 1, FRAME).view(np.recarray)
        self._moves = np.empty((DEEPEST + 1, kernel.MAX_LEGAL), np.int32)
        self._urges = np.empty((DEEPEST + 1, kernel.MAX_LEGAL), np.int64)
        self._table = np.zeros(ENTRIES, ENTRY).view(np.recarray)
        self._history = np.zeros(kernel.ACTIONS, np.int64)
        self._rate = SLOW
        self.depth = self.nodes = self.value = 0

    def choose(self, state: State, seat: int | None = None) -> int:
        """The best action found within the limit."""
        state.acting(seat)
        begin = time.perf_counter()
        self._states[0] = state._s
        self._history[:] = 0
        self._frames[:] = 0
        self.nodes = self.depth = 0
        best = self._dice.choice(state.actions())
        for depth in range(1, (self._depth or DEEPEST) + 1):
            left = begin + self._time - time.perf_counter() if self._time else 1e9
            budget = int(min(left * self._rate, 1e15))
            if budget < 1:
                break
            now = time.perf_counter()
            value, nodes = self._search(
                self._states,
                self._frames,
                self._moves,
                self._urges,
                self._table,
                self._history,
                depth,
                -MATE,
                MATE,
                budget,
            )
            self.nodes += nodes
            if nodes > FEW:
                self._rate = nodes / (time.perf_counter() - now)
            if nodes > budget:
                break
            best, self.value, self.depth = int(self._frames[0].action), int(value), depth
            if abs(value) > MATES:
                break
        return best


def make(game: Game, options: Mapping[str, Value], seed: int) -> AlphaBetaPlayer:
    """Plays games of two without chance."""
    if not (game.seats == game.kernel.SEATS == 2 and game.parts.rules.DRAWS):
        raise BadOption(
            "player", "alphabeta", f"plays games of two without chance, not {game.name}"
        )
    return AlphaBetaPlayer(game, options, seed)
