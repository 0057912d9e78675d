"""Plays any legal move, all equally likely."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from quincunx.game import Game, State
from quincunx.options import Option, Value

OPTIONS: tuple[Option, ...] = ()
DESCRIPTION = "plays any legal move"


class RandomPlayer:
    """Chooses among all legal moves with equal chances."""

    def __init__(self, seed: int) -> None:
        self._dice = Random(seed)

    def choose(self, state: State, seat: int | None = None) -> int:
        """Any legal action."""
        return self._dice.choice(state.actions(state.acting_seat(seat)))


def make(game: Game, options: Mapping[str, Value], seed: int) -> RandomPlayer:
    """Plays every game."""
    return RandomPlayer(seed)
