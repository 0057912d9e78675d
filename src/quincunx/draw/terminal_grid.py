"""Maps the coordinates of a scene to columns and rows of a terminal.

The centres of square cells are 1 apart. Hexagons are shifted by half a cell in every other row,
and their rows may be closer together; gaps may move cells a little. So the grid that fits the
board best is computed from the centres of its cells. What is above and below the board (labels,
next balls) need not fit this grid: it gets rows of its own.
"""

from __future__ import annotations

from cmath import phase, rect
from dataclasses import dataclass, field, replace
from math import ceil, sqrt, tau
from typing import TypeGuard

from quincunx.draw.scene import Disc, Label, Piece, Rect, Scene, Shape

# Distances between centres, in cells: of squares, of hexagons.
COLUMN_PITCHES = (1.0, 0.5)
ROW_PITCHES = (1.0, sqrt(3) / 2)
SAME_ROW_DISTANCE = 0.3  # in cells: outside the board, what differs less in y shares a row


@dataclass(frozen=True)
class TerminalGrid:
    """The columns and rows of a scene in a terminal.

    A board cell is two columns wide. The cell whose centre is `x, y` is in column 0 and row 0.
    `columns` and `rows` are the first and the last ones of the board, `row_columns` the first and
    the last column of each row, which differ where rows are shifted; `outside_rows` has the rows
    above and below the board, by the y of what they contain.
    """

    x: float
    column_pitch: float
    y: float
    row_pitch: float
    columns: tuple[int, int] = (0, 0)
    rows: tuple[int, int] = (0, 0)
    outside_rows: dict[float, int] = field(default_factory=dict)
    row_columns: dict[int, tuple[int, int]] = field(default_factory=dict)

    def column(self, x: float) -> int:
        """Returns the column of the board cell at x."""
        return round(2 * self.column_pitch * round((x - self.x) / self.column_pitch))

    def row(self, y: float) -> int:
        """Returns the row at y, on the board or outside it."""
        return self.outside_rows.get(y, round((y - self.y) / self.row_pitch))

    def exact_column(self, x: float) -> float:
        """Returns the column at x as a fraction, for what is not in a cell."""
        return 2 * (x - self.x)


def fit_grid(scene: Scene) -> TerminalGrid:
    """Returns the grid that fits the clickable shapes best, or all shapes if none is clickable."""
    shown = [shape for shape in scene.shapes if is_shown(shape)]
    board = [shape for shape in shown if shape.cell] or shown
    centres = [first_cell(shape) for shape in board] or [(0.5, 0.5)]
    xs, ys = [x for x, _ in centres], [y for _, y in centres]
    fitted = TerminalGrid(*_fit(xs, COLUMN_PITCHES), *_fit(ys, ROW_PITCHES))
    corners = centres + [last_cell(shape) for shape in board]
    columns = [fitted.column(x) for x, _ in corners]
    rows = [fitted.row(y) for _, y in corners]
    all_ys = {first_cell(shape)[1] for shape in shown}
    all_ys |= {shape.y for shape in scene.shapes if isinstance(shape, Label)}
    outside: dict[float, int] = {}
    for step, edge in ((-1, min(rows)), (1, max(rows))):
        row, row_y = edge, float("inf")
        for y in sorted(all_ys, reverse=step < 0):
            exact_row = (y - fitted.y) / fitted.row_pitch
            if (exact_row - edge) * step <= 0.5:
                continue  # on the board, or beyond the other edge
            if abs(y - row_y) > SAME_ROW_DISTANCE:
                # The nearest row, or the next one outwards if that is taken.
                row = step * max(step * (row + step), step * round(exact_row))
                row_y = y
            outside[y] = row
    return replace(
        fitted,
        columns=(min(columns), max(columns)),
        rows=(min(rows), max(rows)),
        outside_rows=outside,
        row_columns=_row_columns(fitted, board),
    )


def _row_columns(
    grid: TerminalGrid, board: list[Rect | Disc | Piece]
) -> dict[int, tuple[int, int]]:
    """Returns the first and the last column of each row of the board."""
    columns: dict[int, list[int]] = {}
    for shape in board:
        (x, y), (last_x, last_y) = first_cell(shape), last_cell(shape)
        for row in range(grid.row(y), grid.row(last_y) + 1):
            columns.setdefault(row, []).extend((grid.column(x), grid.column(last_x)))
    return {row: (min(found), max(found)) for row, found in columns.items()}


def _fit(values: list[float], pitches: tuple[float, float]) -> tuple[float, float]:
    """Returns the origin and the pitch that fit the values best, the first pitch on a tie.

    Each value becomes a unit vector whose angle is the value's phase within the pitch. The better
    the phases agree, the longer is the sum of the vectors; its angle gives the origin.
    """

    def phase_sum(pitch: float) -> complex:
        return sum((rect(1, tau * value / pitch) for value in values), 0j)

    first, second = pitches
    pitch = first if abs(phase_sum(first)) > 0.99 * abs(phase_sum(second)) else second
    return phase(phase_sum(pitch)) / tau * pitch, pitch


def is_shown(shape: Shape) -> TypeGuard[Rect | Disc | Piece]:
    """Returns True if the shape is drawn as a character."""
    if isinstance(shape, Rect | Disc) and shape.glyph:
        return True
    return isinstance(shape, Piece) or (isinstance(shape, Disc) and "target" in shape.role.split())


def middle(shape: Rect | Disc | Piece) -> tuple[float, float]:
    """Returns the coordinates of the middle of a shape."""
    if isinstance(shape, Rect):
        return shape.x + shape.w / 2, shape.y + shape.h / 2
    return shape.x, shape.y


def cell_count(length: float) -> int:
    """Returns the number of cells along a side; blocks are drawn a little smaller, with gaps."""
    return max(1, ceil(length - 0.25))


def first_cell(shape: Rect | Disc | Piece) -> tuple[float, float]:
    """Returns the centre of the upper left cell that a shape covers."""
    x, y = middle(shape)
    if isinstance(shape, Rect):
        return x - (cell_count(shape.w) - 1) / 2, y - (cell_count(shape.h) - 1) / 2
    return x, y


def last_cell(shape: Rect | Disc | Piece) -> tuple[float, float]:
    """Returns the centre of the lower right cell that a shape covers."""
    (x, y), (mx, my) = first_cell(shape), middle(shape)
    return 2 * mx - x, 2 * my - y
