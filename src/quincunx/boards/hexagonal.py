"""Boards of hexagons in rows, and the geometry of the plane of hexagons.

A cell has the coordinates q and r: r counts the rows downwards, and q the cells of a row to the
right. Each row begins half a cell further to the right than the one above:

    0,0   1,0   2,0          The six neighbours of 1,1 are 2,1 (right), 1,2, 0,2, 0,1 (left),
       0,1   1,1   2,1       1,0 and 2,0.
          0,2   1,2   2,2
"""

from __future__ import annotations

from collections.abc import Iterable
from math import sqrt

from quincunx.boards.board import (
    LETTER_AND_NUMBER,
    Q_AND_R,
    Board,
    Cells,
    Coordinates,
    Point,
    Transform,
)

ROW_HEIGHT = sqrt(3) / 2  # where the centres of neighbouring cells are 1 apart

# The changes of q and r from a cell to its neighbours, clockwise from the right; the opposite of
# step i is i + 3.
STEPS: tuple[Coordinates, ...] = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
# A rotation maps each step to a later one; so does a reflection, in the opposite order.
ROTATIONS: tuple[Transform, ...] = tuple((STEPS[i], STEPS[(i + 1) % 6]) for i in range(6))
REFLECTIONS: tuple[Transform, ...] = tuple((STEPS[i], STEPS[i - 1]) for i in range(6))


def centre(q: float, r: float) -> Point:
    """Returns the centre of a cell in the picture; those of neighbouring cells are 1 apart."""
    return q + r / 2, r * ROW_HEIGHT


class HexBoard(Board):
    """A board of hexagons, given by their coordinates q and r and numbered row by row.

    Names are a letter for q and a number for r, counted from the first ones that the board has;
    or, with naming="q,r", the coordinates themselves.
    """

    def __init__(
        self,
        coordinates: Iterable[Coordinates],
        *,
        naming: str = LETTER_AND_NUMBER,
        cell_word: str = "cell",
        row_word: str = "row",
    ) -> None:
        places = sorted(set(coordinates), key=lambda place: (place[1], place[0]))
        if not places:
            raise ValueError("a board without cells: expected at least one pair of coordinates")
        if naming not in (LETTER_AND_NUMBER, Q_AND_R):
            raise ValueError(f"naming={naming!r}: expected {LETTER_AND_NUMBER!r} or {Q_AND_R!r}")
        super().__init__(places, (centre(*p) for p in places), naming, cell_word, row_word)

    @classmethod
    def rhombus(cls, columns: int, rows: int, *, naming: str = LETTER_AND_NUMBER) -> HexBoard:
        """Returns the board of Hex: cell `row * columns + column`, a1 in the upper left corner."""
        if columns < 1 or rows < 1:
            raise ValueError(f"a board of {columns} x {rows} cells: both must be at least 1")
        return cls(((q, r) for r in range(rows) for q in range(columns)), naming=naming)

    @classmethod
    def hexagon(cls, radius: int, *, naming: str = LETTER_AND_NUMBER) -> HexBoard:
        """Returns a hexagon whose cells are at most `radius` steps from the one in the middle.

        The cell in the middle has the coordinates 0,0; an edge has radius + 1 cells.
        """
        if radius < 0:
            raise ValueError(f"a hexagon of radius {radius}: expected 0 or more")
        reach = range(-radius, radius + 1)
        return cls(((q, r) for r in reach for q in reach if abs(q + r) <= radius), naming=naming)

    def __repr__(self) -> str:
        return f"<HexBoard of {len(self)} cells, {self.names[0]} to {self.names[-1]}>"

    def neighbours(self) -> tuple[Cells, ...]:
        """Returns for each cell those that share an edge with it."""
        return self._neighbours(STEPS)

    def rays(self) -> tuple[tuple[Cells, ...], ...]:
        """Returns for each cell and each of the steps the cells up to the edge, nearest first."""
        return self._rays(STEPS)

    def lines(self, length: int) -> tuple[Cells, ...]:
        """Returns all straight lines of `length` cells."""
        return self._lines(length, STEPS)

    def symmetries(self, reflections: bool = True) -> tuple[Cells, ...]:
        """Returns the symmetries of the board, the identity first.

        A symmetry is a permutation: entry i is the cell to which cell i moves.
        """
        return self._symmetries((*ROTATIONS, *(REFLECTIONS if reflections else ())))
