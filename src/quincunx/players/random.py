"""A player that plays uniformly random legal moves."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from quincunx.game import Game, State
from quincunx.options import Option, Value

OPTIONS: tuple[Option, ...] = ()
DESCRIPTION = "plays random legal moves"


class RandomPlayer:
    """Chooses uniformly among the legal moves."""

    def __init__(self, seed: int) -> None:
        self._rng = Random(seed)

    def choose(self, state: State, seat: int | None = None) -> int:
        """Returns a random legal action."""
        return self._rng.choice(state.actions(state.acting_seat(seat)))


def make(game: Game, options: Mapping[str, Value], seed: int) -> RandomPlayer:
    """Returns a player for any game."""
    return RandomPlayer(seed)
