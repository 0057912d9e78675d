"""One-ply search: plays the move with the best static evaluation."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from quincunx import search
from quincunx.buffers import action_buffer, float_buffer
from quincunx.game import Game, State
from quincunx.options import Option, Value
from quincunx.players import MoveValue, clamp_unproven

OPTIONS: tuple[Option, ...] = ()
DESCRIPTION = "looks one move ahead"


class GreedyPlayer:
    """Plays the move with the best static evaluation; breaks ties at random."""

    def __init__(self, game: Game, seed: int) -> None:
        self._rng = Random(seed)
        self._code = search.compiled(game.kernel)
        self._scratch = game.empty_positions(2)
        self._moves = action_buffer(game.kernel.MAX_LEGAL)
        self._values = float_buffer(game.kernel.MAX_LEGAL)

    def choose(self, state: State, seat: int | None = None) -> int:
        """Returns the best action by static evaluation, with hidden information redrawn."""
        n = self._evaluate_moves(state, state.acting_seat(seat))
        values = self._values[:n].tolist()
        best_value = max(values)
        best = [i for i, value in enumerate(values) if value == best_value]
        return int(self._moves[self._rng.choice(best)])

    def analyse_moves(self, state: State, seat: int | None = None) -> list[MoveValue]:
        """Returns the static evaluation after every legal move, the best first."""
        n = self._evaluate_moves(state, state.acting_seat(seat))
        actions, values = self._moves[:n].tolist(), self._values[:n].tolist()
        order = sorted(range(n), key=lambda i: -values[i])
        return [MoveValue(actions[i], clamp_unproven(values[i]), (actions[i],), 1) for i in order]

    def _evaluate_moves(self, state: State, seat: int) -> int:
        """Writes the legal actions and their values into the buffers; returns their number."""
        self._scratch[0] = state.hidden(seat, self._rng.getrandbits(63)).position
        return int(self._code.one_ply_values(self._scratch, seat, self._moves, self._values))


def make(game: Game, options: Mapping[str, Value], seed: int) -> GreedyPlayer:
    """Returns a player for any game."""
    return GreedyPlayer(game, seed)
