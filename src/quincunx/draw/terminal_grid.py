"""Where a terminal puts the cells of a scene: the lattice of columns and rows that fits it.

Squares have their centres one apart, hexagons half a cell aside in every other row, and rows
of hexagons may lie closer together; gaps may push cells a little out of place. So the board is
put on the lattice that fits it best. What stands above and below it (labels, next balls) need
not fit: it gets rows of its own.
"""

from __future__ import annotations

from cmath import phase, rect
from dataclasses import dataclass, field, replace
from math import ceil, sqrt, tau
from typing import TypeGuard

from quincunx.draw.scene import Disc, Label, Piece, Rect, Scene, Shape

ACROSS = (1.0, 0.5)  # from centre to centre on a lattice of squares, of hexagons
DOWN = (1.0, sqrt(3) / 2)
TOGETHER = 0.3  # heights outside the board that are this near to each other share a row


@dataclass(frozen=True)
class Lattice:
    """Which column and row a point falls on, where the board ends, and the rows outside it."""

    x: float
    across: float
    y: float
    down: float
    columns: tuple[int, int] = (0, 0)
    rows: tuple[int, int] = (0, 0)
    outside: dict[float, int] = field(default_factory=dict)

    def column(self, x: float) -> int:
        """The column of the cell at a place on the board."""
        return round(2 * self.across * round((x - self.x) / self.across))

    def row(self, y: float) -> int:
        """The row of a height, on the board or outside it."""
        return self.outside.get(y, round((y - self.y) / self.down))

    def beside(self, x: float) -> float:
        """The column of a place where no cells are, as a fraction."""
        return 2 * (x - self.x)


def lattice(scene: Scene) -> Lattice:
    """The lattice that fits the scene's board best: what can be clicked, or all there is."""
    shown = [shape for shape in scene.shapes if is_shown(shape)]
    board = [shape for shape in shown if shape.cell] or shown
    centres = [first_cell(shape) for shape in board] or [(0.5, 0.5)]
    fitted = Lattice(*_fit([x for x, _ in centres], ACROSS), *_fit([y for _, y in centres], DOWN))
    ends = centres + [last_cell(shape) for shape in board]
    columns = [fitted.column(x) for x, _ in ends]
    rows = [fitted.row(y) for _, y in ends]
    heights = {first_cell(shape)[1] for shape in shown}
    heights |= {shape.y for shape in scene.shapes if isinstance(shape, Label)}
    outside: dict[float, int] = {}
    for step, edge in ((-1, min(rows)), (1, max(rows))):
        row, begun = edge, float("inf")
        for y in sorted(heights, reverse=step < 0):
            place = (y - fitted.y) / fitted.down
            if (place - edge) * step <= 0.5:
                continue
            if abs(y - begun) > TOGETHER:
                row, begun = step * max(step * (row + step), step * round(place)), y
            outside[y] = row
    span = (min(columns), max(columns))
    return replace(fitted, columns=span, rows=(min(rows), max(rows)), outside=outside)


def _fit(values: list[float], pitches: tuple[float, float]) -> tuple[float, float]:
    """Origin and pitch of the lattice that fits the values best, the first one when in doubt.

    Each value is a hand on a clock that goes around once every pitch: the more they agree,
    the longer is their sum, and it points to the origin.
    """

    def hands(pitch: float) -> complex:
        return sum((rect(1, tau * value / pitch) for value in values), 0j)

    first, second = pitches
    pitch = first if abs(hands(first)) > 0.99 * abs(hands(second)) else second
    return phase(hands(pitch)) / tau * pitch, pitch


def is_shown(shape: Shape) -> TypeGuard[Rect | Disc | Piece]:
    """True if a letter stands for the shape."""
    if isinstance(shape, Rect | Disc) and shape.glyph:
        return True
    return isinstance(shape, Piece) or (isinstance(shape, Disc) and "target" in shape.role.split())


def middle(shape: Rect | Disc | Piece) -> tuple[float, float]:
    """The middle of a shape."""
    if isinstance(shape, Rect):
        return shape.x + shape.w / 2, shape.y + shape.h / 2
    return shape.x, shape.y


def cells(length: float) -> int:
    """How many cells a side covers; blocks are drawn smaller than they are, with gaps around."""
    return max(1, ceil(length - 0.25))


def first_cell(shape: Rect | Disc | Piece) -> tuple[float, float]:
    """The centre of the upper left cell that a shape covers."""
    x, y = middle(shape)
    if isinstance(shape, Rect):
        return x - (cells(shape.w) - 1) / 2, y - (cells(shape.h) - 1) / 2
    return x, y


def last_cell(shape: Rect | Disc | Piece) -> tuple[float, float]:
    """The centre of the lower right cell that a shape covers."""
    (x, y), (mx, my) = first_cell(shape), middle(shape)
    return 2 * mx - x, 2 * my - y
