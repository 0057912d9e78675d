"""Looks two moves ahead: the best moves at a glance are tried in many futures."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from types import ModuleType
from typing import cast

import numpy as np

from quincunx import search
from quincunx.game import Game, State
from quincunx.options import Option, Value
from quincunx.players import Opinion

OPTIONS = (
    Option("width", 12, "how many moves it tries, the best at a glance", 1, 1000),
    Option("samples", 4, "futures for each of them in the first round", 1, 100_000),
    Option("time", 0.0, "seconds a move; 0 = one round after another until one is left", 0, 3600),
)
ABOUT = "looks two moves ahead, into many futures"

ALMOST = 1.0 - 1e-9  # the most that is not certain


@dataclass
class Candidate:
    """A move that is tried."""

    action: int
    total: float = 0.0  # of what its futures were worth
    futures: int = 0

    @property
    def mean(self) -> float:
        """What it is worth, as far as was seen."""
        return self.total / self.futures


class ExpectimaxPlayer:
    """Tries the best moves in the same futures; each round has half as many, twice as long."""

    def __init__(self, game: Game, options: Mapping[str, Value], seed: int) -> None:
        self._dice = Random(seed)
        self._width, self._samples = int(options["width"]), int(options["samples"])
        self._time = float(options["time"])
        self._seats = game.seats
        self._code = search.compiled(cast(ModuleType, game.kernel))
        self._room = game.blank(4)
        self._moves = np.empty(game.kernel.MAX_LEGAL, np.int32)
        self._values = np.empty(game.kernel.MAX_LEGAL)

    def choose(self, state: State, seat: int | None = None) -> int:
        """The best action found within the limit."""
        return self._search(state, state.acting(seat))[0][0].action

    def consider(self, state: State, seat: int | None = None) -> list[Opinion]:
        """An opinion on every legal move, the best first; those not tried as they look."""
        seat = state.acting(seat)
        tried, rest = self._search(state, seat)
        opinions = []
        for candidate in tried:
            ends = state.act(candidate.action, seat).over and abs(candidate.mean) == 1.0
            value = candidate.mean if ends else max(-ALMOST, min(ALMOST, candidate.mean))
            line, plies = (candidate.action,), 1 if ends else None
            opinions.append(Opinion(candidate.action, value, line, candidate.futures, plies))
        for action, value in rest:
            opinions.append(Opinion(action, max(-ALMOST, min(ALMOST, value)), (action,), 0))
        return opinions

    def _search(self, state: State, seat: int) -> tuple[list[Candidate], list[tuple[int, float]]]:
        """The moves that were tried, the best first, and all others as they look at a glance."""
        end = time.perf_counter() + self._time
        seed = self._dice.getrandbits(63)
        self._room[0] = state.hidden(seat, seed)._s
        n = self._code.glance(self._room[:2], seat, self._moves, self._values)
        order = np.argsort(-self._values[:n], kind="stable")
        actions, values = self._moves[order].tolist(), self._values[order].tolist()
        tried = [Candidate(action) for action in actions[: self._width]]
        rest = list(zip(actions, values, strict=True))[self._width :]
        running = len(tried)
        while running > 1 or not tried[0].futures:
            seed = (seed + 1) % 2**63
            for candidate in tried[:running]:
                candidate.total += self._foresee(seat, candidate.action, seed)
                candidate.futures += self._samples
            tried[:running] = sorted(tried[:running], key=lambda c: -c.mean)
            if not self._time or time.perf_counter() > end:
                running = (running + 1) // 2 if running > 1 else 0
        return tried, rest

    def _foresee(self, seat: int, action: int, seed: int) -> float:
        return float(
            self._code.foresee(
                self._room,
                seat,
                self._seats,
                self._moves,
                self._values,
                action,
                self._samples,
                seed,
            )
        )


def make(game: Game, options: Mapping[str, Value], seed: int) -> ExpectimaxPlayer:
    """Plays every game."""
    return ExpectimaxPlayer(game, options, seed)
