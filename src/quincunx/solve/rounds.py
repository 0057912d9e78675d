"""The rounds of phase 2: each settles what is one ply further from the end than the last."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from quincunx.solve import retrograde, sizes
from quincunx.solve.crew import Crew
from quincunx.solve.retrograde import Known, Moves
from quincunx.solve.work import Work

BITS = ("won", "lost", "fresh")


def words(n: int) -> int:
    """How many words of 64 bits the colourings of n cells fill."""
    return -(-sizes.colourings(n) // 64)


def bytes_of_bits(n: int, shapes: int) -> int:
    """How much room the bits take that the rounds need."""
    return len(BITS) * 8 * words(n) * shapes


class Rounds:
    """Rounds on this machine, on all threads of a crew."""

    def __init__(self, crew: Crew, n: int, codes: Any, work: Work, memory: int | None) -> None:
        self._crew = crew
        self._colours = sizes.colours(n)
        self._moves: Moves = work.moves()
        shape = len(codes), words(n)
        self.count = len(codes)
        fits = memory is None or bytes_of_bits(n, self.count) <= memory
        won, lost, fresh = (
            np.zeros(shape, np.uint64) if fits else work.room(name, shape, np.uint64)
            for name in BITS
        )
        self._known = Known(won, lost, fresh, codes)
        self._live, self._next_live = (np.zeros(self.count, np.uint8) for _ in range(2))

    def recall(self, code: int) -> Iterator[int]:
        """Makes ready for a round that may have been begun; gives how many shapes are done."""

        def some(low: int, high: int) -> None:
            retrograde.recall(low, high, code, self._known, self._live, self._next_live)

        for done, _ in self._crew.over(0, self.count, some):
            yield done

    def settle(self, code: int, done: int) -> Iterator[int]:
        """Settles what has this code, in all shapes but the first `done`; gives how many are."""
        find = retrograde.find_wins if code & 1 else retrograde.find_losses

        def some(low: int, high: int) -> None:
            find(
                low,
                high,
                code,
                self._moves,
                self._colours,
                self._known,
                self._live,
                self._next_live,
            )

        for end, _ in self._crew.over(done, self.count, some):
            yield end

    def finish(self, code: int) -> bool:
        """Ends a round; False if it settled nothing, and so no later one will."""
        settled = self._known.won if code & 1 else self._known.lost

        def some(low: int, high: int) -> None:
            retrograde.age(low, high, self._live, self._next_live, settled, self._known.fresh)

        self._crew.through(0, self.count, some)
        self._live, self._next_live = self._next_live, self._live
        self._next_live[:] = 0
        return bool(self._live.any())
