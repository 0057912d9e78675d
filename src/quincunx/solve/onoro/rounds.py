"""The rounds of phase 2: round d solves the positions that are d plies from the end."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from quincunx.solve.onoro import retrograde, shape_sets
from quincunx.solve.onoro.arrays import Bytes, Codes, Counts, Words
from quincunx.solve.onoro.retrograde import Colourings, RetrogradeRows, ShapeMoves
from quincunx.solve.onoro.threads import ThreadTeam
from quincunx.solve.onoro.workspace import Workspace

# The names of files for the won, lost and frontier bits, used if these do not fit into memory.
BIT_FILES = ("won", "lost", "fresh")
PROGRAM_BYTES = 400 << 20  # memory of the program itself


def words_per_row(n: int) -> int:
    """Returns the number of 64-bit words for one bit per colouring of n cells."""
    return -(-shape_sets.colouring_count(n) // 64)


def bit_bytes(n: int, shape_count: int) -> int:
    """Returns the bytes that all bits of the rounds take."""
    return len(BIT_FILES) * 8 * words_per_row(n) * shape_count


def fits_in_memory(n: int, shape_count: int, memory: int | None) -> bool:
    """Returns whether bits and program fit into `memory` bytes; None means no limit."""
    return memory is None or bit_bytes(n, shape_count) + PROGRAM_BYTES <= memory


class RoundRunner:
    """Runs rounds on a full copy of the bits."""

    def __init__(
        self,
        team: ThreadTeam,
        colourings: Colourings,
        moves: ShapeMoves,
        rows: RetrogradeRows,
    ) -> None:
        self._team, self._colourings, self._moves, self._rows = team, colourings, moves, rows
        self.count = len(rows.won)
        # Flags by shape: whether the previous round, and this round, solved positions of it.
        self._active, self._next_active = (np.zeros(self.count, np.uint8) for _ in range(2))

    def run(self, code: int, low: int, high: int) -> Iterator[int]:
        """Solves the positions with this code in a range; yields the end of each chunk."""
        find = retrograde.find_wins if code & 1 else retrograde.find_losses
        moves, colourings, rows = self._moves, self._colourings, self._rows

        def task(start: int, stop: int) -> None:
            find(start, stop, code, moves, colourings, rows, self._active, self._next_active)

        for stop, _ in self._team.map_range(low, high, task):
            yield stop

    def finish(self, code: int) -> bool:
        """Ends a round; returns False if it solved nothing, in which case no later one will."""

        def task(low: int, high: int) -> None:
            frontier, solved = self._rows.frontier, self._solved(code)
            retrograde.advance_frontier(
                low, high, self._active, self._next_active, solved, frontier
            )

        for _ in self._team.map_range(0, self.count, task):
            pass
        self._active, self._next_active = self._next_active, self._active
        self._next_active[:] = 0
        return bool(self._active.any())

    def load(self, low: int, high: int, bits: Words, active: Bytes, next_active: Bytes) -> None:
        """Replaces the bits (won, lost, frontier) and flags of a range of shapes."""
        rows = self._rows
        rows.won[low:high], rows.lost[low:high], rows.frontier[low:high] = bits
        self._active[low:high], self._next_active[low:high] = active, next_active

    def solved_rows(self, code: int, low: int, high: int) -> tuple[Counts, Words]:
        """Returns the shapes of a range in which this round solved positions, and their bits."""
        shapes = low + np.flatnonzero(self._next_active[low:high])
        return shapes, self._rows.frontier[shapes] & self._solved(code)[shapes]

    def merge(self, code: int, shapes: Counts, bit_rows: Words) -> None:
        """Adds the positions that another copy solved in this round."""
        self._solved(code)[shapes] |= bit_rows
        self._rows.frontier[shapes] |= bit_rows
        self._next_active[shapes] = 1

    def _solved(self, code: int) -> Words:
        """Returns the bits that the round of this code sets."""
        return self._rows.won if code & 1 else self._rows.lost


class LocalRounds(RoundRunner):
    """Rounds on this machine; they write the codes into the table directly."""

    def __init__(
        self, team: ThreadTeam, n: int, codes: Codes, workspace: Workspace, memory: int | None
    ) -> None:
        shape = len(codes), words_per_row(n)
        in_memory = fits_in_memory(n, len(codes), memory)
        won, lost, frontier = (
            np.zeros(shape, np.uint64) if in_memory else workspace.zero_words(name, shape)
            for name in BIT_FILES
        )
        rows = RetrogradeRows(won, lost, frontier, codes)
        super().__init__(team, shape_sets.colourings_of(n), workspace.load_moves(), rows)

    def restore(self, code: int) -> Iterator[int]:
        """Restores the bits for a round that may be half done; yields the end of each chunk."""

        def task(low: int, high: int) -> None:
            retrograde.restore_bits(low, high, code, self._rows, self._active, self._next_active)

        for stop, _ in self._team.map_range(0, self.count, task):
            yield stop
