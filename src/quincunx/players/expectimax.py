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
from quincunx.players import MoveValue, unproven

OPTIONS = (
    Option("width", 8, "how many moves it tries, the best at a glance", 1, 1000),
    Option("samples", 2, "futures for each of them in a round", 1, 100_000),
    Option("trust", 4.0, "for how many futures the first glance counts", 0, 100_000),
    Option(
        "time", 0.0, "seconds a move, shared by the rounds; 0 = the samples once a round", 0, 3600
    ),
)
DESCRIPTION = "looks two moves ahead, into many futures"


@dataclass
class Candidate:
    """A move that is tried."""

    action: int
    glance: float
    trust: float
    total: float = 0.0  # of what its futures were worth
    futures: int = 0

    @property
    def mean(self) -> float:
        """What it is worth: few futures are much luck, so the first glance counts too."""
        return (self.total + self.trust * self.glance) / (self.futures + self.trust)


class ExpectimaxPlayer:
    """Tries the best moves in the same futures; after each round the better half goes on.

    After a choice, `nodes` says at how many positions it looked.
    """

    def __init__(self, game: Game, options: Mapping[str, Value], seed: int) -> None:
        self._dice = Random(seed)
        self._width, self._samples = int(options["width"]), int(options["samples"])
        self._trust, self._time = float(options["trust"]), float(options["time"])
        self._seats = game.seats
        self._code = search.compiled(cast(ModuleType, game.kernel))
        self._room = game.empty_positions(4)
        self._moves = np.empty(game.kernel.MAX_LEGAL, np.int32)
        self._values = np.empty(game.kernel.MAX_LEGAL)
        self.nodes = 0

    def choose(self, state: State, seat: int | None = None) -> int:
        """The best action found within the limit."""
        seat = state.acting_seat(seat)
        actions = state.actions(seat)
        return actions[0] if len(actions) == 1 else self._search(state, seat)[0][0].action

    def analyse_moves(self, state: State, seat: int | None = None) -> list[MoveValue]:
        """An opinion on every legal move, the best first; those not tried as they look."""
        seat = state.acting_seat(seat)
        tried, rest = self._search(state, seat)
        known = state.hidden(seat, 0)
        opinions = []
        for candidate in tried:
            ends = known.act(candidate.action, seat).over and abs(candidate.mean) == 1.0
            value = candidate.mean if ends else unproven(candidate.mean)
            line, plies = (candidate.action,), 1 if ends else None
            opinions.append(MoveValue(candidate.action, value, line, candidate.futures, plies))
        for action, value in rest:
            opinions.append(MoveValue(action, unproven(value), (action,), 0))
        return opinions

    def _search(self, state: State, seat: int) -> tuple[list[Candidate], list[tuple[int, float]]]:
        """The moves that were tried, the best first, and all others as they look at a glance."""
        begin = time.perf_counter()
        seed = self._dice.getrandbits(63)
        self._room[0] = state.hidden(seat, seed)._s
        n = self._code.one_ply_values(self._room[:2], seat, self._moves, self._values)
        self.nodes = n
        order = np.argsort(-self._values[:n], kind="stable")
        actions, values = self._moves[order].tolist(), self._values[order].tolist()
        pairs = list(zip(actions, values, strict=True))
        tried = [Candidate(action, value, self._trust) for action, value in pairs[: self._width]]
        rest = pairs[self._width :]
        running, rounds = len(tried), max(1, (len(tried) - 1).bit_length())
        for done in range(1, rounds + 1):
            passing = True
            while passing:
                seed = (seed + 1) % 2**63
                for candidate in tried[:running]:
                    candidate.total += self._foresee(seat, candidate.action, seed)
                    candidate.futures += self._samples
                passing = time.perf_counter() < begin + self._time * done / rounds
            tried[:running] = sorted(tried[:running], key=lambda c: -c.mean)
            running = (running + 1) // 2
        return tried, rest

    def _foresee(self, seat: int, action: int, seed: int) -> float:
        """What an action is worth, summed over some futures."""
        worth, nodes = self._code.expectimax(
            self._room,
            seat,
            self._seats,
            self._moves,
            self._values,
            action,
            self._samples,
            seed,
        )
        self.nodes += nodes
        return float(worth)


def make(game: Game, options: Mapping[str, Value], seed: int) -> ExpectimaxPlayer:
    """Plays every game."""
    return ExpectimaxPlayer(game, options, seed)
