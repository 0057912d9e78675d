"""A picture for a terminal as plain values: letters with their colours, and what a click means."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from math import ceil
from typing import NamedTuple, TypeAlias

from quincunx.draw.scene import Label, Line, Scene, Shape

# Several names lie on one spot where blocks lie in blocks: the innermost first.
Names: TypeAlias = tuple[str, ...]


class Spot(NamedTuple):
    """One letter: its colour, its ground, and the names that a click on it may stand for."""

    letter: str
    ink: str
    ground: str
    names: Names = ()


class Box(NamedTuple):
    """A part of a picture, in columns from the left and rows from the top."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def size(self) -> float:
        """Its area."""
        return (self.right - self.left) * (self.bottom - self.top)

    def within(self, columns: range, rows: range) -> Box:
        """The part of it in a picture that begins and ends with these columns and rows."""
        return Box(
            max(self.left, columns.start) - columns.start,
            max(self.top, rows.start) - rows.start,
            min(self.right, columns.stop) - columns.start,
            min(self.bottom, rows.stop) - rows.start,
        )


@dataclass(frozen=True)
class Picture:
    """Rows of spots, all as long as each other; the places and the nestings of what is named."""

    rows: tuple[tuple[Spot, ...], ...] = ()
    places: Mapping[str, Box] = field(default_factory=dict)
    stacks: frozenset[Names] = frozenset()

    @property
    def width(self) -> int:
        """How many columns it has."""
        return len(self.rows[0]) if self.rows else 0

    @property
    def height(self) -> int:
        """How many rows it has."""
        return len(self.rows)

    def names(self, column: int, row: int) -> Names:
        """The names that a click there may stand for, the innermost first."""
        if 0 <= row < self.height and 0 <= column < self.width:
            return self.rows[row][column].names
        return ()


class Areas:
    """Which names lie where, collected shape by shape in the order in which they are drawn."""

    def __init__(self) -> None:
        self.places: dict[str, Box] = {}
        self._points: dict[tuple[int, int], list[str]] = {}

    def add(self, cell: str, box: Box, finer: int = 1) -> None:
        """A shape with a cell, on all points whose middle its box covers; rows may be finer."""
        names = cell.split()
        known = self.places.get(names[0])
        if known is None or box.size > known.size:
            self.places[names[0]] = box
        columns = range(ceil(box.left - 0.5), ceil(box.right - 0.5))
        for row in range(ceil(box.top * finer - 0.5), ceil(box.bottom * finer - 0.5)):
            for column in columns:
                under = self._points.setdefault((column, row), [])
                if names[0] not in under:  # a mark on what is there already changes no order
                    under[:] = [*names, *(name for name in under if name not in names)]

    def names(self, column: int, row: int) -> Names:
        """The names at a point."""
        return tuple(self._points.get((column, row), ()))

    @property
    def stacks(self) -> frozenset[Names]:
        """All ways in which names lie on each other somewhere."""
        return frozenset(map(tuple, self._points.values()))


def clickable(scene: Scene) -> Iterable[Shape]:
    """The shapes that a click can mean, in drawing order."""
    return (s for s in scene.shapes if s.cell.strip() and not isinstance(s, Line | Label))
