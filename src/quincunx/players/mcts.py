"""Monte Carlo tree search, for any number of players, with chance and hidden things."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from random import Random
from types import ModuleType
from typing import Any, cast

import numpy as np

from quincunx import search
from quincunx.errors import BadOption
from quincunx.game import Game, State
from quincunx.options import Option, Value
from quincunx.search.kernels import NODE, NONE, OPEN

OPTIONS = (
    Option("sims", 0, "simulations a move; 0 = as many as there is time for", 0, 100_000_000),
    Option("time", 0.0, "seconds a move; 0 = as long as the simulations take", 0, 3600),
    Option("threads", 1, "trees grown side by side", 1, 64),
    Option("horizon", NONE, "random plies after the tree; -1 = what suits the game", -1, 10_000),
    Option("explore", 0.0, "how much it tries what looks worse; 0 = what suits the game", 0, 10),
)
ABOUT = "Monte Carlo tree search"

SIMS = 1000  # where no limit is given
NODES = 1 << 18  # of a tree; when it is full, it grows no more
DEEP = 512  # plies of the tree
AT_ONCE = 0.004  # seconds between two looks at the clock


@dataclass(frozen=True)
class Tuning:
    """What suits a game: how widely to look, and how far to play on at random."""

    explore: float
    horizon: int


class Tree:
    """A tree that grows from one position, for one seat."""

    def __init__(self, game: Game, tuning: Tuning) -> None:
        exact = game.seats == 2 and game.parts.rules.DRAWS
        self._game = game
        self._grow = search.compiled(cast(ModuleType, game.kernel)).mcts
        self._nodes = np.zeros(NODES, NODE).view(np.recarray)
        self._room = game.blank(2)
        self._moves = np.empty(game.kernel.MAX_LEGAL, np.int32)
        self._path, self._widths = np.zeros(DEEP, np.int64), np.zeros(DEEP, np.int64)
        self._tuning = np.array([tuning.explore, 2.0, tuning.horizon, exact], np.float64)
        self._used = 0
        self._seat = 0

    def plant(self, state: State, seat: int) -> None:
        """Begins anew from a position."""
        self._room[0] = state._s
        self._seat = seat
        self._nodes[0] = (NONE, NONE, NONE, 0, 0.0, 0, OPEN)
        self._used = 1

    def grow(self, sims: int, seed: int) -> bool:
        """Runs simulations; False when more would change nothing."""
        self._used = self._grow(
            self._nodes,
            self._used,
            self._room,
            self._seat,
            self._game.seats,
            self._moves,
            self._path,
            self._widths,
            sims,
            self._tuning,
            seed,
        )
        return bool(self._used < NODES and self._nodes[0].proof == OPEN)

    def children(self, node: int = 0) -> list[Any]:
        """The nodes after a node."""
        found, child = [], self._nodes[node].child
        while child != NONE:
            found.append(self._nodes[child])
            child = self._nodes[child].next
        return found

    @property
    def sims(self) -> int:
        """How many simulations it has seen."""
        return int(self._nodes[0].visits)


class MctsPlayer:
    """Chooses the move that most simulations went to."""

    def __init__(self, game: Game, options: Mapping[str, Value], tuning: Tuning, seed: int) -> None:
        self._dice = Random(seed)
        self._sims, self._time = int(options["sims"]), float(options["time"])
        if not self._sims and not self._time:
            self._sims = SIMS
        self._trees = [Tree(game, tuning) for _ in range(int(options["threads"]))]

    def choose(self, state: State, seat: int | None = None) -> int:
        """The best action found within the limit."""
        self.search(state, state.acting(seat))
        tally: dict[int, tuple[int, int]] = {}
        for tree in self._trees:
            for node in tree.children():
                proof, visits = tally.get(int(node.action), (0, 0))
                tally[int(node.action)] = (proof or int(node.proof), visits + int(node.visits))
        return max(tally, key=lambda action: tally[action])

    def search(self, state: State, seat: int) -> None:
        """Grows the trees from a position until the limit is reached."""
        for tree in self._trees:
            tree.plant(state, seat)
        seeds = [self._dice.getrandbits(63) for _ in self._trees]
        if len(self._trees) == 1:
            self._grow(self._trees[0], seeds[0])
            return
        with ThreadPoolExecutor(len(self._trees)) as threads:
            list(threads.map(self._grow, self._trees, seeds))

    @property
    def sims(self) -> int:
        """How many simulations the last search made."""
        return sum(tree.sims for tree in self._trees)

    def _grow(self, tree: Tree, seed: int) -> None:
        """Grows one tree: its share of the simulations, or until the time is up."""
        left = -(-self._sims // len(self._trees)) if self._sims else 1 << 60
        if not self._time:
            # In one go, so that the same seed gives the same tree.
            tree.grow(left, seed)
            return
        begin = time.perf_counter()
        end, now, batch = begin + self._time, begin, 16
        while left > 0 and now < end and tree.grow(min(batch, left), seed):
            left -= batch
            seed = (seed + 1) & (2**63 - 1)
            now = time.perf_counter()
            rate = tree.sims / (now - begin)
            batch = max(1, int(rate * min(AT_ONCE, end - now)))


def make(game: Game, options: Mapping[str, Value], seed: int) -> MctsPlayer:
    """Plays every game."""
    if int(options["threads"]) > 4 * (os.cpu_count() or 1):
        raise BadOption("threads", options["threads"], "more than four for each core is no use")
    suits = game.parts.rules.SEARCH
    horizon, explore = int(options["horizon"]), float(options["explore"])
    tuning = Tuning(
        explore or float(suits["explore"]), int(suits["horizon"]) if horizon == NONE else horizon
    )
    return MctsPlayer(game, options, tuning, seed)
