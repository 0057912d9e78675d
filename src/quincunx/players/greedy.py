"""Looks one move ahead and takes what the game's own evaluation likes best."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from types import ModuleType
from typing import cast

import numpy as np

from quincunx import search
from quincunx.game import Game, State
from quincunx.options import Option, Value
from quincunx.players import MoveValue, unproven

OPTIONS: tuple[Option, ...] = ()
DESCRIPTION = "looks one move ahead"


class GreedyPlayer:
    """Plays the move after which the position looks best; chooses by chance among equals."""

    def __init__(self, game: Game, seed: int) -> None:
        self._dice = Random(seed)
        self._code = search.compiled(cast(ModuleType, game.kernel))
        self._room = game.empty_positions(2)
        self._moves = np.empty(game.kernel.MAX_LEGAL, np.int32)
        self._values = np.empty(game.kernel.MAX_LEGAL)

    def choose(self, state: State, seat: int | None = None) -> int:
        """The best action at a glance; what the seat cannot know is redrawn before it looks."""
        n = self._glance(state, state.acting_seat(seat))
        best = np.flatnonzero(self._values[:n] == self._values[:n].max())
        return int(self._moves[self._dice.choice(best.tolist())])

    def analyse_moves(self, state: State, seat: int | None = None) -> list[MoveValue]:
        """What each action is worth at a glance."""
        n = self._glance(state, state.acting_seat(seat))
        actions, values = self._moves[:n].tolist(), self._values[:n].tolist()
        best = sorted(range(n), key=lambda i: -values[i])
        return [MoveValue(actions[i], unproven(values[i]), (actions[i],), 1) for i in best]

    def _glance(self, state: State, seat: int) -> int:
        """Values every legal action; how many there are."""
        self._room[0] = state.hidden(seat, self._dice.getrandbits(63))._s
        return int(self._code.one_ply_values(self._room, seat, self._moves, self._values))


def make(game: Game, options: Mapping[str, Value], seed: int) -> GreedyPlayer:
    """Plays every game."""
    return GreedyPlayer(game, seed)
