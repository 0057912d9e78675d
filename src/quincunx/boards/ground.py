"""The parts of a picture that are the same in every position: the board, its cells, coordinates."""

from __future__ import annotations

from math import cos, pi, sin
from types import MappingProxyType
from typing import Protocol

from quincunx.boards.board import Board, Point
from quincunx.boards.hexagonal import HexBoard
from quincunx.draw.scene import Disc, Label, Line, Rect, Shape

CELL_GLYPH = "·"
COORDINATE_DISTANCE = 0.92  # from the centre of the first cell of a row or column to its label


class CellShapes(Protocol):
    """Draws one cell."""

    def __call__(self, x: float, y: float, name: str, click: str, shaded: bool) -> list[Shape]:
        """Returns the shapes of the cell at x, y; the first one is what a page marks."""


def _rect(
    x: float,
    y: float,
    side: float,
    fill: str,
    name: str,
    click: str,
    edge: float = 0.0,
    radius: float = 0.0,
) -> Rect:
    return Rect(
        *(x - side / 2, y - side / 2, side, side, fill, "line" if edge else "", edge, radius),
        role="cell",
        cell=click,
        id=f"cell-{name}",
        glyph=CELL_GLYPH,
        title=name,
    )


def _chequered(x: float, y: float, name: str, click: str, shaded: bool) -> list[Shape]:
    return [_rect(x, y, 1, "shade" if shaded else "board", name, click)]


def _lined(x: float, y: float, name: str, click: str, shaded: bool) -> list[Shape]:
    return [_rect(x, y, 1, "board", name, click, edge=0.025)]


def _tile(x: float, y: float, name: str, click: str, shaded: bool) -> list[Shape]:
    return [_rect(x, y, 0.94, "shade", name, click, edge=0.015, radius=0.14)]


def _hole(x: float, y: float, name: str, click: str, shaded: bool) -> list[Shape]:
    hole = Disc(x, y, 0.42, "paper", "line", 0.025, role="hole", cell=click, id=f"hole-{name}")
    return [_rect(x, y, 1, "board", name, click), hole]


def _point(x: float, y: float, name: str, click: str, shaded: bool) -> list[Shape]:
    return [_rect(x, y, 1, "board", name, click)]


def _hexagon(x: float, y: float, name: str, click: str, shaded: bool) -> list[Shape]:
    """Returns a hexagon, and a disc in it: terminals do not draw areas of other shapes."""
    return [
        Line(
            hexagon_corners(x, y),
            *("line", 0.035, "board", True),
            role="cell",
            cell=click,
            id=f"cell-{name}",
        ),
        Disc(x, y, 0.46, "board", role="area", cell=click, glyph=CELL_GLYPH, title=name),
    ]


def hexagon_corners(x: float, y: float, radius: float = 0.5) -> tuple[Point, ...]:
    """Returns the corners of a hexagon whose edges are `radius` from its centre, the top first."""
    outer = radius / cos(pi / 6)
    angles = [pi * i / 3 for i in range(6)]
    return tuple((x + outer * sin(angle), y - outer * cos(angle)) for angle in angles)


SQUARE_STYLES: MappingProxyType[str, CellShapes] = MappingProxyType(
    {
        "chequered": _chequered,
        "lines": _lined,
        "tiles": _tile,
        "holes": _hole,
        "points": _point,
    }
)
HEX_STYLES: MappingProxyType[str, CellShapes] = MappingProxyType({"hexagons": _hexagon})


def styles(board: Board) -> MappingProxyType[str, CellShapes]:
    """Returns the styles in which a board can be drawn, the default first."""
    return HEX_STYLES if isinstance(board, HexBoard) else SQUARE_STYLES


def background(board: Board) -> list[Shape]:
    """Returns what lies under the cells: a frame around squares, nothing under hexagons."""
    if isinstance(board, HexBoard):
        return []
    left, top, right, bottom = board.bounds
    w, h = right - left + 1.12, bottom - top + 1.12
    return [Rect(left - 0.56, top - 0.56, w, h, "board", "line", radius=0.12, role="board")]


def point_lines(board: Board, flip: bool) -> list[Shape]:
    """Returns the lines on whose crossings the pieces of the style `points` stand."""
    lines: list[Shape] = []
    for cells in (*board.picture_rows, *_picture_columns(board)):
        ends = board.centre(cells[0], flip), board.centre(cells[-1], flip)
        lines.append(Line(ends, "quiet", 0.025, opacity=0.7, role="grid"))
    return lines


def _picture_columns(board: Board) -> list[tuple[int, ...]]:
    return [board.column(column) for column in sorted({c for c, _ in board.coordinates})]


def coordinates(board: Board, flip: bool) -> list[Shape]:
    """Returns the labels to the left of the rows and below the columns."""
    labels: list[Shape] = []
    for cells in board.picture_rows:
        x, y = min(board.centre(cell, flip) for cell in cells)
        text = board.row_label(board.coordinates[cells[0]][1])
        labels.append(Label(x - COORDINATE_DISTANCE, y, text, role="coordinate"))
    # Below a column of hexagons is its continuation, to the lower right.
    slant = 0.5 if isinstance(board, HexBoard) else 0.0
    for cells in _picture_columns(board):
        x, y = max((board.centre(cell, flip) for cell in cells), key=lambda point: point[1])
        text = board.column_label(board.coordinates[cells[0]][0])
        labels.append(
            Label(x + slant * COORDINATE_DISTANCE, y + COORDINATE_DISTANCE, text, role="coordinate")
        )
    return labels
