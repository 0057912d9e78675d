"""Tries random moves and plays the best of them, or passes if none improves the score.

It plays any game with a running score in which a turn can be passed.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from random import Random

from quincunx.contract import WIN_OR_DRAW
from quincunx.game import Game, State
from quincunx.options import Option, Value

OPTIONS = (Option("difficulty", 20, "the number of random moves it tries", low=1, high=100_000),)
DESCRIPTION = "tries `difficulty` random moves and plays the best, or passes"


class SmartPlayer:
    """Compares `difficulty` random legal moves by the score after them, costs included."""

    def __init__(self, pass_action: int, difficulty: int, seed: int) -> None:
        self._pass = pass_action
        self.difficulty = difficulty
        self._rng = Random(seed)
        self.time_limit: float | None = None

    def choose(self, state: State, seat: int | None = None) -> int:
        """Returns the best of the moves it tried, or a pass if none improves the score."""
        seat = state.acting_seat(seat)
        actions = state.actions(seat)
        best, best_score = self._pass, state.scores[seat]
        deadline = None if self.time_limit is None else time.perf_counter() + self.time_limit
        for action in self._rng.sample(actions, min(self.difficulty, len(actions))):
            # A smash has a random result that the player must not see: evaluate another one.
            redrawn = state.hidden(seat, self._rng.getrandbits(63))
            score = redrawn.act(action, seat).scores[seat]
            if score > best_score:
                best, best_score = action, score
            if deadline is not None and time.perf_counter() >= deadline:
                break
        return best


def unsupported(game: Game) -> str:
    """Returns why it cannot play a game: it compares scores, and passes if none is better."""
    if game.parts.rules.PASS is not None and game.traits.outcome != WIN_OR_DRAW:
        return ""
    return f"plays only games with points in which a turn can be passed, not {game.name}"


def make(game: Game, options: Mapping[str, Value], seed: int) -> SmartPlayer:
    """Returns a player for a game with points that allows passing."""
    pass_action = game.parts.rules.PASS
    assert pass_action is not None
    return SmartPlayer(pass_action, int(options["difficulty"]), seed)
