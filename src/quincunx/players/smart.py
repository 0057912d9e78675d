"""Blocky's own computer player: tries a number of random moves and takes the best."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from quincunx.game import Game, State
from quincunx.options import Option, Value

OPTIONS = (Option("difficulty", 20, "how many random moves it looks at", low=1, high=100_000),)
DESCRIPTION = "looks at `difficulty` random moves and takes the best (Blocky)"


class SmartPlayer:
    """Judges `difficulty` random legal moves by the score they give, costs included."""

    def __init__(self, difficulty: int, seed: int) -> None:
        self.difficulty = difficulty
        self._dice = Random(seed)

    def choose(self, state: State, seat: int | None = None) -> int:
        """The best of the moves it looked at, or to pass if none beats doing nothing."""
        seat = state.acting_seat(seat)
        pass_turn, actions = state.action("pass"), state.actions(seat)
        best, best_score = pass_turn, state.scores[seat]
        for action in self._dice.sample(actions, min(self.difficulty, len(actions))):
            # Hidden anew: a smash is judged on an outcome that is not the one it will get.
            imagined = state.hidden(seat, self._dice.getrandbits(63))
            score = imagined.act(action, seat).scores[seat]
            if score > best_score:
                best, best_score = action, score
        return best


def unsupported(game: Game) -> str:
    """Why it does not play a game: one must be able to pass."""
    return "" if hasattr(game.kernel, "PASS") else f"plays blocky only, not {game.name}"


def make(game: Game, options: Mapping[str, Value], seed: int) -> SmartPlayer:
    """Plays games in which one may pass, which is Blocky."""
    return SmartPlayer(int(options["difficulty"]), seed)
