"""A picture for a terminal as plain values: coloured characters that can be clicked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from math import ceil
from typing import NamedTuple, TypeAlias

from quincunx.draw.scene import Label, Line, Scene, Shape

# The names of all board cells at one position. Nested blocks have several, innermost first.
CellNames: TypeAlias = tuple[str, ...]


class TerminalCell(NamedTuple):
    """One character, its colours as #rrggbb, and the names that a click on it can mean."""

    char: str
    foreground: str
    background: str
    names: CellNames = ()


class Box(NamedTuple):
    """A rectangle in a picture, in columns from the left and rows from the top."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def area(self) -> float:
        """The area of the box."""
        return (self.right - self.left) * (self.bottom - self.top)

    def cropped(self, columns: range, rows: range) -> Box:
        """Returns the part of the box in these columns and rows, relative to their first ones."""
        return Box(
            max(self.left, columns.start) - columns.start,
            max(self.top, rows.start) - rows.start,
            min(self.right, columns.stop) - columns.start,
            min(self.bottom, rows.stop) - rows.start,
        )


@dataclass(frozen=True)
class TerminalPicture:
    """Rows of characters, all of the same length, with the names that can be clicked.

    `boxes` has the box of each name. `nested_names` has every combination of names that occurs
    at some position.
    """

    rows: tuple[tuple[TerminalCell, ...], ...] = ()
    boxes: Mapping[str, Box] = field(default_factory=dict)
    nested_names: frozenset[CellNames] = frozenset()

    @property
    def width(self) -> int:
        """The number of columns."""
        return len(self.rows[0]) if self.rows else 0

    @property
    def height(self) -> int:
        """The number of rows."""
        return len(self.rows)

    def names(self, column: int, row: int) -> CellNames:
        """Returns the names that a click at this position can mean, innermost first."""
        if 0 <= row < self.height and 0 <= column < self.width:
            return self.rows[row][column].names
        return ()


class ClickAreas:
    """The names at each position of a picture, collected from its shapes in drawing order."""

    def __init__(self) -> None:
        self.boxes: dict[str, Box] = {}
        self._names: dict[tuple[int, int], list[str]] = {}

    def add(self, cell: str, box: Box, rows_per_line: int = 1) -> None:
        """Adds the names of a shape at all positions whose centre is in the shape's box.

        `rows_per_line` is the number of positions in a line of text, one above the other.
        """
        names = cell.split()
        old_box = self.boxes.get(names[0])
        if old_box is None or box.area > old_box.area:  # the largest shape with this name
            self.boxes[names[0]] = box
        columns = range(ceil(box.left - 0.5), ceil(box.right - 0.5))
        top, bottom = box.top * rows_per_line, box.bottom * rows_per_line
        for row in range(ceil(top - 0.5), ceil(bottom - 0.5)):
            for column in columns:
                below = self._names.setdefault((column, row), [])
                if names[0] not in below:  # another shape with this name does not change the order
                    below[:] = [*names, *(name for name in below if name not in names)]

    def names(self, column: int, row: int) -> CellNames:
        """Returns the names at a position, innermost first."""
        return tuple(self._names.get((column, row), ()))

    @property
    def nested_names(self) -> frozenset[CellNames]:
        """Every combination of names that occurs at some position."""
        return frozenset(map(tuple, self._names.values()))


def clickable(scene: Scene) -> Iterable[Shape]:
    """Returns the shapes that can be clicked, in drawing order."""
    return (s for s in scene.shapes if s.cell.strip() and not isinstance(s, Line | Label))
