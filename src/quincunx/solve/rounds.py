"""The rounds of phase 2: each settles what is one ply further from the end than the last."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from quincunx.solve import retrograde, shape_sets
from quincunx.solve.retrograde import Colours, Known, Moves
from quincunx.solve.threads import ThreadTeam
from quincunx.solve.workspace import Workspace

BITS = ("won", "lost", "fresh")
PROGRAM = 400 << 20  # what the program itself takes, in bytes


def words(n: int) -> int:
    """How many words of 64 bits the colourings of n cells fill."""
    return -(-shape_sets.colourings(n) // 64)


def bytes_of_bits(n: int, shapes: int) -> int:
    """How much room the bits take that the rounds need."""
    return len(BITS) * 8 * words(n) * shapes


def fit(n: int, shapes: int, memory: int | None) -> bool:
    """True when the bits, and the program, fit into so much memory; anything fits into None."""
    return memory is None or bytes_of_bits(n, shapes) + PROGRAM <= memory


class Replica:
    """The bits of all shapes, and which of these have fresh ones."""

    def __init__(self, team: ThreadTeam, colours: Colours, moves: Moves, known: Known) -> None:
        self._team, self._colours, self._moves, self._known = team, colours, moves, known
        self.count = len(known.won)
        self._live, self._next_live = (np.zeros(self.count, np.uint8) for _ in range(2))

    def settle(self, code: int, low: int, high: int) -> Iterator[int]:
        """Settles what has this code in a range of shapes; gives how far it is."""
        find = retrograde.find_wins if code & 1 else retrograde.find_losses
        moves, colours, known = self._moves, self._colours, self._known

        def some(begin: int, end: int) -> None:
            find(begin, end, code, moves, colours, known, self._live, self._next_live)

        for end, _ in self._team.map_range(low, high, some):
            yield end

    def finish(self, code: int) -> bool:
        """Ends a round; False if it settled nothing, and so no later one will."""

        def some(low: int, high: int) -> None:
            fresh, settled = self._known.fresh, self._settled(code)
            retrograde.age(low, high, self._live, self._next_live, settled, fresh)

        for _ in self._team.map_range(0, self.count, some):
            pass
        self._live, self._next_live = self._next_live, self._live
        self._next_live[:] = 0
        return bool(self._live.any())

    def take(self, low: int, high: int, bits: Any, live: Any, next_live: Any) -> None:
        """Takes over what another replica knows of some shapes."""
        for mine, given in zip(self._known, bits, strict=False):
            mine[low:high] = given
        self._live[low:high], self._next_live[low:high] = live, next_live

    def news(self, code: int, low: int, high: int) -> tuple[Any, Any]:
        """The shapes of a range in which this round settled something, and the bits of that."""
        shapes = low + np.flatnonzero(self._next_live[low:high])
        return shapes, self._known.fresh[shapes] & self._settled(code)[shapes]

    def hear(self, code: int, shapes: Any, rows: Any) -> None:
        """Takes over what another replica settled in this round."""
        self._settled(code)[shapes] |= rows
        self._known.fresh[shapes] |= rows
        self._next_live[shapes] = 1

    def _settled(self, code: int) -> Any:
        """The bits that a round sets."""
        return self._known.won if code & 1 else self._known.lost


class Rounds(Replica):
    """Rounds on this machine, which writes the codes as it settles them."""

    def __init__(
        self, team: ThreadTeam, n: int, codes: Any, work: Workspace, memory: int | None
    ) -> None:
        shape, fits = (len(codes), words(n)), fit(n, len(codes), memory)
        won, lost, fresh = (
            np.zeros(shape, np.uint64) if fits else work.room(name, shape, np.uint64)
            for name in BITS
        )
        super().__init__(team, shape_sets.colours(n), work.moves(), Known(won, lost, fresh, codes))

    def recall(self, code: int) -> Iterator[int]:
        """Makes ready for a round that may have been begun; gives how far it is."""

        def some(low: int, high: int) -> None:
            retrograde.recall(low, high, code, self._known, self._live, self._next_live)

        for end, _ in self._team.map_range(0, self.count, some):
            yield end
