"""Alpha-beta search, for two players and no chance."""

from __future__ import annotations

import time
from collections.abc import Mapping
from types import ModuleType
from typing import cast

import numpy as np

from quincunx import search
from quincunx.game import Game, State
from quincunx.options import Option, Value
from quincunx.players import MoveValue, unproven
from quincunx.position import REPETITION_WINDOW
from quincunx.search.kernels import (
    DEEPEST,
    ENTRY,
    FRAME,
    LONGER,
    MATE,
    MATES,
    SEARCH,
    UNIT,
)

OPTIONS = (
    Option("depth", 0, "plies to look ahead; 0 = as far as the others allow, or 4", 0, DEEPEST),
    Option("time", 0.0, "seconds a move; 0 = as long as it takes", 0, 3600),
    Option("nodes", 0, "positions to look at for a move; 0 = as many as it takes", 0, 10**12),
    Option("exact", False, "look at every line to the full depth, as plain minimax does"),
)
DESCRIPTION = "alpha-beta search (Onoro, Quorum)"

DEPTH = 4  # where no limit is given
ROOM = DEEPEST + LONGER + 1  # plies
ENTRIES = 1 << 20
AT_ONCE = 0.004  # seconds between two looks at the clock, about
FEW, MANY = 250, 1 << 20  # nodes between them
ENDLESS = float("inf")


class AlphaBetaPlayer:
    """Looks deeper and deeper until a limit is reached, and plays the best move found.

    After a choice, `depth`, `nodes` and `value` say how deep it looked in full, at how many
    positions, and what it found. What it has seen it remembers for the next move.
    """

    def __init__(self, game: Game, options: Mapping[str, Value], seed: int) -> None:
        kernel = game.kernel
        self._game = game
        self._code = search.compiled(cast(ModuleType, kernel))
        self._depth, self._time = int(options["depth"]), float(options["time"])
        self._most = int(options["nodes"])
        if not (self._depth or self._time or self._most):
            self._depth = DEPTH
        self._states = game.empty_positions(ROOM)
        self._frames = np.zeros(ROOM, FRAME).view(np.recarray)
        self._moves = np.empty((ROOM, kernel.MAX_LEGAL), np.int32)
        self._urges = np.empty((ROOM, kernel.MAX_LEGAL), np.int64)
        self._table = np.zeros(ENTRIES, ENTRY).view(np.recarray)
        self._history = np.zeros(kernel.ACTIONS, np.int64)
        self._search = np.zeros(1, SEARCH).view(np.recarray)[0]
        self._search.exact = options["exact"]
        # Among equals it has its own taste.
        self._taste = np.random.default_rng(seed).integers(8, size=kernel.ACTIONS)
        self._end, self._pace = ENDLESS, FEW
        self.depth = self.nodes = self.value = 0

    def choose(self, state: State, seat: int | None = None) -> int:
        """The best action found within the limits."""
        state.acting_seat(seat)
        self._set_up(state)
        best, root = state.actions()[0], self._frames[0]
        for depth in range(1, (self._depth or DEEPEST) + 1):
            done = self._look(0, depth)
            if root.best >= -MATE:
                # Even unfinished: what was best so far was looked at first.
                best = int(root.action)
            if not done:
                break
            self.depth, self.value = depth, int(self._search.value)
            # Lines are looked at past the depth: there may be a nearer end than the one found.
            if MATE - abs(self.value) <= depth or len(state.actions()) == 1:
                break
        return best

    def analyse_moves(self, state: State, seat: int | None = None) -> list[MoveValue]:
        """What it thinks of every move within the limits, the best first.

        All moves are looked at equally deeply, each for its own exact value.
        """
        seat = state.acting_seat(seat)
        self._set_up(state)
        self._frames[0].key = state._s.seen[state.ply % REPETITION_WINDOW]
        values = dict.fromkeys(state.actions(), 0)
        visits = dict.fromkeys(values, 0)
        for depth in range(1, (self._depth or DEEPEST) + 1):
            found = {}
            # Longer lines find ends beyond the depth, which need not be the nearest.
            unsettled = [action for action, value in values.items() if MATE - abs(value) >= depth]
            for action in sorted(unsettled, key=values.__getitem__, reverse=True):
                before = self.nodes
                self._states[1] = self._states[0]
                self._game.kernel.apply(self._states[1], seat, action)
                if self._look(1, depth - 1, limited=depth > 1):
                    found[action] = -int(self._search.value)
                visits[action] += self.nodes - before
            if len(found) < len(unsettled):
                # Of a look that was cut short, only what is proven can stand beside the others.
                values.update({action: v for action, v in found.items() if abs(v) > MATES})
                break
            if not unsettled:
                break
            values.update(found)
            self.depth = depth
        ranked = sorted(values, key=values.__getitem__, reverse=True)
        return [self._opinion(action, values[action], visits[action]) for action in ranked]

    def _set_up(self, state: State) -> None:
        """Makes ready for a search from a position; the clock runs from here."""
        self._states[0] = state._s
        self._frames[:] = 0
        self._frames.killer = -1  # no action has this number
        self._history[:] = self._taste
        self._go_on(0)  # compiles, if nobody has; that is not on the clock
        self._end = time.perf_counter() + (self._time or ENDLESS)
        self.depth = self.nodes = self.value = 0

    def _look(self, root: int, depth: int, limited: bool = True) -> bool:
        """Searches from a ply, `depth` plies deep; False when a limit was reached before."""
        search, frame = self._search, self._frames[root]
        search.root = search.ply = root
        frame.alpha, frame.beta, frame.left, frame.best = -MATE, MATE, depth, -MATE - 1
        while True:
            now, budget = time.perf_counter(), self._pace
            if limited and self._most:
                budget = min(budget, self._most - self.nodes)
            if limited and (budget <= 0 or now >= self._end):
                return False
            if self._go_on(budget):
                return True
            slow = time.perf_counter() - now > AT_ONCE
            self._pace = max(FEW, self._pace // 2) if slow else min(2 * self._pace, MANY)

    def _go_on(self, budget: int) -> bool:
        """Lets the search go on for some nodes; True when it is done."""
        self._search.nodes = 0
        done = self._code.alphabeta(
            self._states,
            self._frames,
            self._moves,
            self._urges,
            self._table,
            self._history,
            self._search,
            budget,
        )
        self.nodes += int(self._search.nodes)
        return bool(done)

    def _opinion(self, action: int, value: int, visits: int) -> MoveValue:
        plies = MATE - abs(value) if abs(value) > MATES else None
        worth = unproven(value / UNIT) if plies is None else 1.0 if value > 0 else -1.0
        return MoveValue(action, worth, self._line(action), visits, plies)

    def _line(self, action: int) -> tuple[int, ...]:
        """The play that the table expects from the first position on, beginning with an action."""
        line = np.empty(DEEPEST, np.int64)
        self._states[1] = self._states[0]
        n = self._code.follow(self._states[1], action, self._table, self._moves[1], line)
        return tuple(line[:n].tolist())


def unsupported(game: Game) -> str:
    """Why it does not play a game."""
    plays = game.seats == game.kernel.SEATS == 2 and game.parts.rules.DRAWS
    return "" if plays else f"plays games of two without chance, not {game.name}"


def make(game: Game, options: Mapping[str, Value], seed: int) -> AlphaBetaPlayer:
    """Plays games of two without chance."""
    return AlphaBetaPlayer(game, options, seed)
