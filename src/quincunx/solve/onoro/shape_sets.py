"""All shapes of one size, by index, with their colourings, moves and lines."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from math import comb

import numpy as np

from quincunx.solve.onoro import shape_enumeration, shape_moves, shapes
from quincunx.solve.onoro.arrays import Bytes, Counts, Masks, Slots
from quincunx.solve.onoro.retrograde import Colourings, ShapeMoves
from quincunx.solve.onoro.threads import ThreadTeam

START_PAWNS = 3  # on the board at the start of a game

# The number of legal shapes by their number of cells.
SHAPE_COUNTS = {
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

# A pawn touches at least two others, so at most four empty cells; a landing touches two pawns.
MAX_LANDINGS = 2 * shapes.MAX_SHAPE_CELLS
MAX_LINES = 3 * shapes.MAX_SHAPE_CELLS
BATCH_SHAPES = 128  # shapes whose moves are found in one kernel call


@dataclass(frozen=True)
class ShapeSet:
    """The shapes of one size: a row of cells for each, and the hash table that finds them."""

    cells: Bytes
    table: Slots

    @property
    def n(self) -> int:
        """The number of cells of each shape."""
        return int(self.cells.shape[1])

    def __len__(self) -> int:
        return len(self.cells)


def enumerate_parts(n: int, team: ThreadTeam) -> Iterator[tuple[int, int, Bytes]]:
    """Finds all shapes of n cells; yields parts done, parts in total and the cells of a part."""
    parts = shape_enumeration.PARTS if n > shape_enumeration.SPLIT_CELLS + 3 else 1

    def find_part(low: int, high: int) -> Bytes:
        capacity = 1024
        while True:
            out = np.empty((capacity, n), np.uint8)
            count = shape_enumeration.enumerate_shapes(n, low, parts, out)
            if count <= capacity:
                return out[:count].copy()
            capacity = count

    for done, cells in team.map_range(0, parts, find_part, 1):
        yield done, parts, cells


def hash_table_length(count: int) -> int:
    """Returns the length of the hash table of `count` shapes: a power of two, at most half full."""
    return 1 << max(2, (2 * count - 1).bit_length())


def fill_hash_table(shape_set: ShapeSet) -> None:
    """Writes the hash table of the shapes."""
    shapes.fill_hash_table(shape_set.cells, shape_set.n, shape_set.table)


@cache
def colourings_of(n: int) -> Colourings:
    """Returns the colourings of n cells, of which n // 2 belong to the side to move."""
    all_masks = np.arange(1 << n)
    own = sum(all_masks >> cell & 1 for cell in range(n))
    masks = all_masks[own == n // 2].astype(np.uint16)
    rank = np.zeros(1 << n, np.uint16)
    rank[masks] = np.arange(len(masks))
    return Colourings(n, masks, rank)


def colouring_count(n: int) -> int:
    """Returns the number of colourings of a shape of n cells."""
    return comb(n, n // 2)


def find_moves(shape_set: ShapeSet, target_set: ShapeSet, low: int, high: int) -> ShapeMoves:
    """Returns the moves of a range of shapes to shapes of the same size, or one cell larger."""
    n = shape_set.n
    capacity = (high - low) * MAX_LANDINGS * (n if target_set.n == n else 1)
    starts = np.empty(high - low + 1, np.int64)
    target, moved_cell = np.empty(capacity, np.int32), np.empty(capacity, np.uint8)
    perm = np.empty(capacity, np.uint64)
    count = shape_moves.find_moves(
        shape_set.cells,
        n,
        low,
        high,
        target_set.cells,
        target_set.table,
        starts,
        target,
        perm,
        moved_cell,
    )
    return ShapeMoves(starts, target[:count].copy(), perm[:count].copy(), moved_cell[:count].copy())


def find_lines(shape_set: ShapeSet, low: int, high: int) -> tuple[Counts, Masks]:
    """Returns the start of each shape's lines, and every four cells in a row of a range."""
    starts = np.empty(high - low + 1, np.int64)
    lines = np.empty((high - low) * MAX_LINES, np.uint16)
    shape_moves.find_lines(shape_set.cells, shape_set.n, low, high, starts, lines)
    return starts, lines
