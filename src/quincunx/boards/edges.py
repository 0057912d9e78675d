"""Coloured edges around a rhombus of hexagons, which the players of games such as Hex connect."""

from __future__ import annotations

from collections.abc import Mapping

from quincunx.boards.board import Board, Cells, Point
from quincunx.boards.ground import hexagon_corners
from quincunx.boards.hexagonal import HexBoard
from quincunx.draw.scene import Line, Shape

EDGE_WIDTH = 0.14
# The sides of the cells along each edge, numbered as `hexagonal.STEPS`, in the order of the cells.
SIDES = {"top": (4, 5), "bottom": (2, 1), "left": (3, 2), "right": (5, 0)}


def check_edges(board: Board, colours: Mapping[str, str]) -> None:
    """Raises ValueError unless these are edges of the board."""
    if not colours:
        return
    columns, rows = (len(set(values)) for values in zip(*board.coordinates, strict=True))
    if not isinstance(board, HexBoard) or len(board) != columns * rows:
        raise ValueError("only a rhombus of hexagons has edges with colours")
    unknown = [edge for edge in colours if edge not in SIDES]
    if unknown:
        raise ValueError(f"unknown edge {unknown[0]!r}: expected {', '.join(SIDES)}")


def draw_edges(board: Board, colours: Mapping[str, str], flip: bool) -> list[Shape]:
    """Returns a line along each edge, in its colour."""
    return [
        Line(_points(board, edge, flip), colour, EDGE_WIDTH, role="edge")
        for edge, colour in colours.items()
    ]


def _points(board: Board, edge: str, flip: bool) -> tuple[Point, ...]:
    sides = [(cell, side) for cell in _cells(board, edge) for side in SIDES[edge]]
    # The acute corners belong to two edges: left and right leave the common side to the others.
    if edge == "left":
        sides.pop()
    elif edge == "right":
        sides.pop(0)
    points: list[Point] = []
    for cell, side in sides:
        corners = hexagon_corners(*board.centre(cell, flip))
        # Side i is between corners i + 1 and i + 2; a flipped hexagon has the opposite side there.
        ends = [corners[(side + i + (3 if flip else 0)) % 6] for i in (1, 2)]
        points += ends if edge in ("top", "right") else ends[::-1]
    return tuple(points)


def _cells(board: Board, edge: str) -> Cells:
    column, row = board.coordinates[0 if edge in ("top", "left") else -1]
    return board.row(row) if edge in ("top", "bottom") else board.column(column)
