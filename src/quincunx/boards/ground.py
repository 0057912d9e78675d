"""The parts of a picture that are the same in every position: the board, its cells, coordinates."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import chain, zip_longest
from math import cos, pi, sin
from types import MappingProxyType
from typing import Any, TypeAlias

from quincunx.boards.board import Board, Point
from quincunx.boards.hexagonal import HexBoard
from quincunx.boards.looks import Place
from quincunx.draw.scene import Disc, Label, Line, Rect, Shape

FRAME = 0.06  # width of the edge around the squares
COORDINATE_DISTANCE = 0.92  # from the centre of the first cell of a row or column to its label


# Returns the shapes of a cell, of which a page marks the first. Shaded cells are every second one.
CellShapes: TypeAlias = Callable[[Place, bool], list[Shape]]


def _rect(place: Place, side: float, fill: str, **style: Any) -> Rect:
    return Rect(
        *(place.x - side / 2, place.y - side / 2, side, side, fill),
        **style,
        role="cell",
        cell=place.click,
        # Where several cells have the same click, a page needs another way to identify them.
        id=f"cell-{place.name}" if place.click != place.name else "",
        glyph=place.glyph,
        title=place.name,
    )


def _chequered(place: Place, shaded: bool) -> list[Shape]:
    return [_rect(place, 1, "shade" if shaded else "board")]


def _lined(place: Place, shaded: bool) -> list[Shape]:
    return [_rect(place, 1, "board", stroke="line", stroke_width=0.025)]


def _tile(place: Place, shaded: bool) -> list[Shape]:
    return [_rect(place, 0.94, "shade", stroke="line", stroke_width=0.015, radius=0.14)]


def _hole(place: Place, shaded: bool) -> list[Shape]:
    hole = Disc(place.x, place.y, 0.42, "paper", "line", 0.025, role="hole", cell=place.click)
    return [_rect(place, 1, "board"), replace(hole, id=f"hole-{place.name}")]


def _point(place: Place, shaded: bool) -> list[Shape]:
    return [_rect(place, 1, "board")]


def _hexagon(place: Place, shaded: bool) -> list[Shape]:
    """Returns a hexagon, and a disc in it: terminals do not draw areas of other shapes."""
    x, y, name, click = place.x, place.y, place.name, place.click
    corners = hexagon_corners(x, y)
    return [
        Line(corners, "line", 0.035, "board", True, role="cell", cell=click, id=f"cell-{name}"),
        Disc(x, y, 0.46, "board", role="area", cell=click, glyph=place.glyph, title=name),
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
    w, h = right - left + 1 + 2 * FRAME, bottom - top + 1 + 2 * FRAME
    x, y = left - 0.5 - FRAME, top - 0.5 - FRAME
    return [Rect(x, y, w, h, "board", "line", radius=2 * FRAME)]


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
    """Returns the labels below the columns and to the left of the rows."""
    columns, rows = [], []
    lowest = max(board.centre(cell, flip)[1] for cell in range(len(board)))
    for cells in _picture_columns(board):
        x, y = max((board.centre(cell, flip) for cell in cells), key=lambda point: point[1])
        # To the lower right of a column of hexagons, unless it ends in the lowest row: there is
        # room right below its last cell.
        slant = 0.0 if y == lowest else COORDINATE_DISTANCE / 2
        text = board.column_label(board.coordinates[cells[0]][0])
        columns.append(Label(x + slant, y + COORDINATE_DISTANCE, text, role="coordinate"))
    for cells in sorted(board.picture_rows):
        x, y = min(board.centre(cell, flip) for cell in cells)
        text = board.row_label(board.coordinates[cells[0]][1])
        rows.append(Label(x - COORDINATE_DISTANCE, y, text, role="coordinate"))
    return [label for label in chain(*zip_longest(columns, rows)) if label]
