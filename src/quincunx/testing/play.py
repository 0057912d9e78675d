"""Random games: their first positions, and their last ones."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from quincunx import jit
from quincunx.game import Game
from quincunx.testing.entry_points import check_header, check_legal
from quincunx.testing.fault import Context, Fault
from quincunx.testing.naive import Naive, check_naive_moves
from quincunx.testing.repetition import check_seen
from quincunx.testing.results import check_end_after_reading, check_winner

# A game that has not ended after this number of plies is abandoned; uncompiled code is slow.
MAX_PLIES = 200 if jit.UNCOMPILED else 1000

LAST_POSITIONS = 3  # positions before the end that are checked as thoroughly as the first ones
COMPARED_POSITIONS = 100  # later positions whose moves are compared with a naive implementation


class RandomGame:
    """A random game: yields its first positions, then the last ones if it comes to its end.

    The positions between them are played with a few cheap checks.
    """

    def __init__(self, game: Game, seed: int, rng: Random, naive: Naive | None = None) -> None:
        self.at = _start(game, seed, rng)
        self._naive = naive

    @property
    def ended(self) -> bool:
        """True if the game has come to its end."""
        return self.at.state.over

    def positions(self, plies: int, max_plies: int = MAX_PLIES) -> Iterator[Context]:
        """Yields the positions of the first `plies` moves, and those at the end of the game."""
        yield self.at
        while not self.ended and self.at.state.ply < plies:
            self._play()
            yield self.at
        if not self.ended:
            yield from self._last_positions(plies, max_plies)

    def _last_positions(self, plies: int, max_plies: int) -> Iterator[Context]:
        """Plays to the end; yields the last positions that were not among the first ones."""
        last: list[tuple[Context, int, int]] = []  # with the move that followed
        while not self.ended and self.at.state.ply < max_plies:
            before = self.at
            last = [*last[-LAST_POSITIONS + 1 :], (before, *self._play(check=True))]
            if self._naive is not None and self.at.state.ply < plies + COMPARED_POSITIONS:
                check_naive_moves(self.at, self._naive)
        if self.ended:
            yield from (at for at, _, _ in last if at.state.ply > plies)
            check_end_after_reading(
                last[0][0], [(action, seat) for _, action, seat in last], self.at
            )
            yield self.at

    def _play(self, check: bool = False) -> tuple[int, int]:
        """Plays a random move; returns its action and seat.

        `check` adds cheap checks, for positions that are not checked otherwise.
        """
        before, rng = self.at, self.at.rng
        turn = before.state.turn
        seat = rng.randrange(before.game.seats) if turn is None else turn
        try:
            if check:
                check_legal(before, seat)
            action = rng.choice(before.state.actions(seat))
            self.at = before.played(action, seat)
            if check:
                check_record(self.at)
        except Fault:
            raise
        except Exception as error:  # only some of the actions have been checked
            raise before.caught(error) from error
        return action, seat


def check_record(at: Context) -> None:
    """Checks the fields that have a meaning in every game."""
    check_header(at)
    check_winner(at)
    check_seen(at)


def _start(game: Game, seed: int, rng: Random) -> Context:
    """Returns an initial position, after checking that its seed decides about it."""
    first, second = game.start(seed=seed), game.start(seed=seed)
    at = Context(first, rng, seed)
    if first.pack() != second.pack():
        found = f"two calls with seed {seed} give different positions."
        expected = "the same bytes: everything random comes from the generator s.rng."
        raise at.fault("start", "does not depend on the seed alone", found, expected)
    if first.ply or first.over:
        check_seen(at)  # a key of 0 ends a game by repetition
        found = f"ply is {first.ply}, and over is {int(first.over)}."
        raise at.fault("start", "does not begin a game", found, "both are 0.")
    return at
