"""All shapes of one size, by number; their colourings, moves and lines."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from math import comb
from typing import Any

import numpy as np

from quincunx.solve import shapes
from quincunx.solve.retrograde import Colours, Moves
from quincunx.solve.threads import ThreadTeam

FEWEST = 3  # pawns on the board at the start

# How many shapes there are of so many cells.
SHAPES = {
    3: 1,
    4: 1,
    5: 2,
    6: 7,
    7: 16,
    8: 54,
    9: 192,
    10: 724,
    11: 2823,
    12: 11293,
    13: 45588,
    14: 185737,
    15: 760721,
    16: 3129836,
}

# A pawn touches two others, so at most four empty cells; a landing touches two pawns.
MOST_LANDINGS = 2 * shapes.MOST
MOST_LINES = 3 * shapes.MOST
TOGETHER = 128  # shapes whose moves are found in one go


@dataclass(frozen=True)
class ShapeSet:
    """The shapes of one size: their cells, and the hash table that finds them."""

    cells: Any
    table: Any

    @property
    def n(self) -> int:
        """Cells of each shape."""
        return int(self.cells.shape[1])

    def __len__(self) -> int:
        return len(self.cells)


def enumerated(n: int, team: ThreadTeam) -> Iterator[tuple[int, int, Any]]:
    """Finds all shapes of n cells part by part: parts done, parts in all, the cells of a part."""
    parts = shapes.PARTS if n > shapes.SPLIT + 3 else 1

    def part(low: int, high: int) -> Any:
        room = 1024
        while True:
            out = np.empty((room, n), np.uint8)
            found = shapes.enumerate_shapes(n, low, parts, out)
            if found <= room:
                return out[:found].copy()
            room = found

    for done, cells in team.map_range(0, parts, part, 1):
        yield done, parts, cells


def table_length(count: int) -> int:
    """How long the hash table of so many shapes is: a power of two, at most half full."""
    return 1 << max(2, (2 * count - 1).bit_length())


def fill(size: ShapeSet) -> None:
    """Writes the hash table."""
    shapes.fill_table(size.cells, size.n, size.table)


@cache
def colours(n: int) -> Colours:
    """The colourings of n cells: half of them, or the lesser half, belong to the side to move."""
    sets = np.arange(1 << n)
    own = sum(sets >> cell & 1 for cell in range(n))
    colourings = sets[own == n // 2].astype(np.uint16)
    rank = np.zeros(1 << n, np.uint16)
    rank[colourings] = np.arange(len(colourings))
    return Colours(n, colourings, rank)


def colourings(n: int) -> int:
    """How many colourings a shape of n cells has."""
    return comb(n, n // 2)


def moves(size: ShapeSet, bigger: ShapeSet, low: int, high: int) -> Moves:
    """The moves of some shapes, to those of the same size or of the next one."""
    each = MOST_LANDINGS * (size.n if bigger.n == size.n else 1)
    room = (high - low) * each
    starts = np.empty(high - low + 1, np.int64)
    target, laid = np.empty(room, np.int32), np.empty(room, np.uint8)
    perm = np.empty(room, np.uint64)
    count = shapes.moves_of(
        size.cells, size.n, low, high, bigger.cells, bigger.table, starts, target, perm, laid
    )
    return Moves(starts, target[:count].copy(), perm[:count].copy(), laid[:count].copy())


def lines(size: ShapeSet, low: int, high: int) -> tuple[Any, Any]:
    """Every four cells in a row of some shapes: where those of each begin, and the lines."""
    starts = np.empty(high - low + 1, np.int64)
    found = np.empty((high - low) * MOST_LINES, np.uint16)
    shapes.lines_of(size.cells, size.n, low, high, starts, found)
    return starts, found
