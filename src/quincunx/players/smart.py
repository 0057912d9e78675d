"""The computer player of Blocky's source: tries random moves and plays the best of them."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from quincunx.game import Game, State
from quincunx.options import Option, Value

OPTIONS = (Option("difficulty", 20, "the number of random moves it tries", low=1, high=100_000),)
DESCRIPTION = "tries `difficulty` random moves and plays the best (Blocky)"


class SmartPlayer:
    """Compares `difficulty` random legal moves by the score after them, costs included."""

    def __init__(self, difficulty: int, seed: int) -> None:
        self.difficulty = difficulty
        self._rng = Random(seed)

    def choose(self, state: State, seat: int | None = None) -> int:
        """Returns the best of the moves it tried, or a pass if none improves the score."""
        seat = state.acting_seat(seat)
        pass_turn, actions = state.action("pass"), state.actions(seat)
        best, best_score = pass_turn, state.scores[seat]
        for action in self._rng.sample(actions, min(self.difficulty, len(actions))):
            # A smash has a random result that the player must not see: evaluate another one.
            redrawn = state.hidden(seat, self._rng.getrandbits(63))
            score = redrawn.act(action, seat).scores[seat]
            if score > best_score:
                best, best_score = action, score
        return best


def unsupported(game: Game) -> str:
    """Returns why it cannot play a game: the game must allow passing."""
    return "" if hasattr(game.kernel, "PASS") else f"plays blocky only, not {game.name}"


def make(game: Game, options: Mapping[str, Value], seed: int) -> SmartPlayer:
    """Returns a player for a game that allows passing: Blocky."""
    return SmartPlayer(int(options["difficulty"]), seed)
