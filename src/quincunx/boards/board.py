"""What square and hexagonal boards have in common: cells, names, neighbours, lines, symmetries.

A cell is a number from 0 on, row by row. Everything is a plain Python value: a kernel turns the
tables that it needs into arrays itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import TypeAlias

Coordinates: TypeAlias = tuple[int, int]  # column and row; q and r on hexagonal boards
Point: TypeAlias = tuple[float, float]  # in the picture, x to the right and y down
Cells: TypeAlias = tuple[int, ...]
# The images of the unit steps to the right and to the next row.
Transform: TypeAlias = tuple[Coordinates, Coordinates]

LETTERS = "abcdefghijklmnopqrstuvwxyz"
# How cells are named: a letter for the column and a number for the row, both counted from the
# first one; or the two coordinates themselves, row first or column first.
LETTER_AND_NUMBER, ROW_AND_COLUMN, Q_AND_R = "a1", "row,column", "q,r"


class Board:
    """A finite set of cells, each with a name, coordinates and a place in the picture.

    `coordinates[cell]` is the column and the row of a cell, `names[cell]` its name. `cell_word`
    and `row_word` are what messages call a cell and a row (square and rank, for example).
    """

    def __init__(
        self,
        coordinates: Iterable[Coordinates],
        centres: Iterable[Point],
        naming: str,
        cell_word: str,
        row_word: str,
    ) -> None:
        self.coordinates = tuple(coordinates)
        self.naming = naming
        self.cell_word, self.row_word = cell_word, row_word
        self._first_column = min(column for column, _ in self.coordinates)
        self._first_row = min(row for _, row in self.coordinates)
        columns = 1 + max(column for column, _ in self.coordinates) - self._first_column
        if naming == LETTER_AND_NUMBER and columns > len(LETTERS):
            raise ValueError(
                f"a board of {columns} columns: only {len(LETTERS)} columns have letters; "
                "name the cells by numbers instead (see `naming`)"
            )
        self.names = tuple(self._name(*place) for place in self.coordinates)
        self._numbers = {name: cell for cell, name in enumerate(self.names)}
        self._cells = {place: cell for cell, place in enumerate(self.coordinates)}
        self._centres = tuple(centres)

    def _name(self, column: int, row: int) -> str:
        labels = self.column_label(column), self.row_label(row)
        return {
            LETTER_AND_NUMBER: "{0}{1}",
            ROW_AND_COLUMN: "{1},{0}",
            Q_AND_R: "{0},{1}",
        }[self.naming].format(*labels)

    def column_label(self, column: int) -> str:
        """Returns what is written beside a column, and is part of the names of its cells."""
        return (
            LETTERS[column - self._first_column]
            if self.naming == LETTER_AND_NUMBER
            else str(column)
        )

    def row_label(self, row: int) -> str:
        """Returns what is written beside a row, and is part of the names of its cells."""
        return str(row - self._first_row + 1 if self.naming == LETTER_AND_NUMBER else row)

    def __len__(self) -> int:
        return len(self.coordinates)

    def __contains__(self, name: object) -> bool:
        return name in self._numbers

    def index(self, name: str) -> int:
        """Returns the cell with a name; raises ValueError."""
        try:
            return self._numbers[name]
        except KeyError:
            raise ValueError(
                f"invalid {self.cell_word} {name!r}: expected {self.names[0]} to {self.names[-1]}"
            ) from None

    def cell_at(self, column: int, row: int) -> int | None:
        """Returns the cell with these coordinates, or None outside the board."""
        return self._cells.get((column, row))

    def column(self, column: int) -> Cells:
        """Returns the cells of a column in the order of their rows."""
        return tuple(cell for cell, place in enumerate(self.coordinates) if place[0] == column)

    def row(self, row: int) -> Cells:
        """Returns the cells of a row in the order of their columns."""
        return tuple(cell for cell, place in enumerate(self.coordinates) if place[1] == row)

    def mask(self, cells: Iterable[int | str]) -> int:
        """Returns a set of cells, given by number or name, as the integer with these bits set."""
        mask = 0
        for cell in cells:
            mask |= 1 << (self.index(cell) if isinstance(cell, str) else range(len(self))[cell])
        return mask

    def cells(self, mask: int) -> Cells:
        """Returns the cells of a bit mask, ascending."""
        return tuple(cell for cell in range(len(self)) if mask >> cell & 1)

    # The picture.

    def centre(self, cell: int, flip: bool = False) -> Point:
        """Returns the centre of a cell in the picture, which `flip` turns by 180 degrees."""
        return self._flipped_centres[cell] if flip else self._centres[cell]

    @cached_property
    def _flipped_centres(self) -> tuple[Point, ...]:
        left, top, right, bottom = self.bounds
        return tuple((left + right - x, top + bottom - y) for x, y in self._centres)

    @cached_property
    def bounds(self) -> tuple[float, float, float, float]:
        """The least and the greatest x and y of the centres: left, top, right, bottom."""
        xs, ys = zip(*self._centres, strict=True)
        return min(xs), min(ys), max(xs), max(ys)

    @cached_property
    def picture_rows(self) -> tuple[Cells, ...]:
        """The cells of each row from left to right, the rows from the top of the picture."""
        rows: dict[int, list[int]] = {}
        for cell, (_, row) in enumerate(self.coordinates):
            rows.setdefault(row, []).append(cell)
        from_left = (tuple(sorted(row, key=self._centres.__getitem__)) for row in rows.values())
        return tuple(sorted(from_left, key=lambda row: self._centres[row[0]][1]))

    def lines(self, length: int) -> tuple[Cells, ...]:
        """Returns all straight lines of `length` cells."""
        raise NotImplementedError

    # Tables. A step is a change of column and row.

    def _neighbours(self, steps: Sequence[Coordinates]) -> tuple[Cells, ...]:
        return tuple(
            tuple(ray[0] for ray in rays if ray) for rays in self._rays(steps, max_cells=1)
        )

    def _rays(
        self, steps: Sequence[Coordinates], max_cells: int | None = None
    ) -> tuple[tuple[Cells, ...], ...]:
        return tuple(
            tuple(self._ray(cell, step, max_cells) for step in steps) for cell in range(len(self))
        )

    def _ray(self, cell: int, step: Coordinates, max_cells: int | None) -> Cells:
        ray: list[int] = []
        column, row = self.coordinates[cell]
        while max_cells is None or len(ray) < max_cells:
            column, row = column + step[0], row + step[1]
            following = self.cell_at(column, row)
            if following is None:
                break
            ray.append(following)
        return tuple(ray)

    def _lines(self, length: int, steps: Sequence[Coordinates]) -> tuple[Cells, ...]:
        # Steps are in the order of their angles: the second half is opposite to the first.
        forward = steps[: len(steps) // 2]
        starts = ((cell, step) for cell in range(len(self)) for step in forward)
        lines = ((cell, *self._ray(cell, step, length - 1)) for cell, step in starts)
        unique = {tuple(sorted(line)): line for line in lines if len(line) == length}
        return tuple(sorted(unique.values()))

    def _symmetries(self, transforms: Iterable[Transform]) -> tuple[Cells, ...]:
        """Returns the transforms that map the board to itself, as permutations of cells."""
        permutations = (self._permutation(transform) for transform in transforms)
        return tuple(permutation for permutation in permutations if permutation)

    def _permutation(self, transform: Transform) -> Cells:
        (xx, xy), (yx, yy) = transform
        images = [(xx * x + yx * y, xy * x + yy * y) for x, y in self.coordinates]
        # Moved to where the board is; the least coordinates are those of the board.
        dx = self._first_column - min(x for x, _ in images)
        dy = self._first_row - min(y for _, y in images)
        cells = [self.cell_at(x + dx, y + dy) for x, y in images]
        return () if None in cells else tuple(cell for cell in cells if cell is not None)
