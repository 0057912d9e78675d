"""Boards as building blocks: a game on squares or hexagons takes notation and layout from here.

    BOARD = SquareBoard(8, 8, top_row_first=True)
    notation = BoardNotation(
        BOARD,
        pieces="BW",
        cells=Bitboards("stones"),
        moves=CellMoves(BOARD) + WordMoves({64: "pass"}),
    )
    layout = BoardLayout(notation, style="lines")
    GAME = Game(Parts(kernel, rules, notation, layout))

The boards themselves (names, neighbours, rays, lines, symmetries, bit masks) are plain values, from
which a kernel builds its tables. docs/boards.md describes everything with examples.
"""

from quincunx.boards.board import Board
from quincunx.boards.by_options import by_options
from quincunx.boards.cells import Bitboards, CellArray, CellStore, OwnCells, PackedCells
from quincunx.boards.hexagonal import HexBoard
from quincunx.boards.layout import BoardLayout
from quincunx.boards.looks import Look, Place, Stone, Tile
from quincunx.boards.moves import CellMoves, DropMoves, FromToMoves, Moves, WordMoves
from quincunx.boards.notation import BoardNotation, NumberField
from quincunx.boards.square import SquareBoard
from quincunx.draw.scene import Button

__all__ = [
    "Bitboards",
    "Board",
    "BoardLayout",
    "BoardNotation",
    "Button",
    "CellArray",
    "CellMoves",
    "CellStore",
    "DropMoves",
    "FromToMoves",
    "HexBoard",
    "Look",
    "Moves",
    "NumberField",
    "OwnCells",
    "PackedCells",
    "Place",
    "SquareBoard",
    "Stone",
    "Tile",
    "WordMoves",
    "by_options",
]
