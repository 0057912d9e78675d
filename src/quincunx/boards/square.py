"""Boards of squares in rows and columns."""

from __future__ import annotations

from quincunx.boards.board import (
    LETTER_AND_NUMBER,
    ROW_AND_COLUMN,
    Board,
    Cells,
    Coordinates,
    Transform,
)

# The changes of column and row from a cell to those around it, in the order of their angles from
# the step to the next column; every second one is a diagonal, and the opposite of step i is i + 4.
STEPS: tuple[Coordinates, ...] = (
    *((1, 0), (1, 1), (0, 1), (-1, 1)),
    *((-1, 0), (-1, -1), (0, -1), (1, -1)),
)
ROTATIONS: tuple[Transform, ...] = (
    *(((1, 0), (0, 1)), ((0, 1), (-1, 0))),
    *(((-1, 0), (0, -1)), ((0, -1), (1, 0))),
)
REFLECTIONS: tuple[Transform, ...] = (
    *(((-1, 0), (0, 1)), ((0, 1), (1, 0))),
    *(((1, 0), (0, -1)), ((0, -1), (-1, 0))),
)


def steps(diagonals: bool) -> tuple[Coordinates, ...]:
    """Returns the four or eight steps from a cell to its neighbours."""
    return STEPS if diagonals else STEPS[::2]


class SquareBoard(Board):
    """A board of `columns` x `rows` squares.

    Cell `row * columns + column` is in that column and row, both counted from 0. The first row
    is at the bottom as in chess, or with `top_row_first` at the top as in Othello. Names are a1,
    b1, ... or, with naming="row,column", 0,0, 0,1, ...
    """

    def __init__(
        self,
        columns: int,
        rows: int,
        *,
        top_row_first: bool = False,
        naming: str = LETTER_AND_NUMBER,
        cell_word: str = "cell",
        row_word: str = "row",
    ) -> None:
        if columns < 1 or rows < 1:
            raise ValueError(f"a board of {columns} x {rows} cells: both must be at least 1")
        if naming not in (LETTER_AND_NUMBER, ROW_AND_COLUMN):
            raise ValueError(
                f"naming={naming!r}: expected {LETTER_AND_NUMBER!r} or {ROW_AND_COLUMN!r}"
            )
        self.columns, self.rows, self.top_row_first = columns, rows, top_row_first
        places = [(column, row) for row in range(rows) for column in range(columns)]
        centres = (
            (column + 0.5, (row if top_row_first else rows - 1 - row) + 0.5)
            for column, row in places
        )
        super().__init__(places, centres, naming, cell_word, row_word)

    def __repr__(self) -> str:
        order = ", top_row_first=True" if self.top_row_first else ""
        return f"SquareBoard({self.columns}, {self.rows}{order})"

    def neighbours(self, diagonals: bool = False) -> tuple[Cells, ...]:
        """Returns for each cell those that share an edge with it, or with `diagonals` a corner."""
        return self._neighbours(steps(diagonals))

    def rays(self, diagonals: bool = True) -> tuple[tuple[Cells, ...], ...]:
        """Returns for each cell and each of the steps the cells up to the edge, nearest first."""
        return self._rays(steps(diagonals))

    def lines(self, length: int, diagonals: bool = True) -> tuple[Cells, ...]:
        """Returns all straight lines of `length` cells."""
        return self._lines(length, steps(diagonals))

    def symmetries(self, reflections: bool = True) -> tuple[Cells, ...]:
        """Returns the symmetries of the board, the identity first.

        A symmetry is a permutation: entry i is the cell to which cell i moves.
        """
        return self._symmetries((*ROTATIONS, *(REFLECTIONS if reflections else ())))
