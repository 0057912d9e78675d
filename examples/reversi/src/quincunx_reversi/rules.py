"""Reversi's names, texts and picture."""

from quincunx.boards import Bitboards, BoardLayout, BoardNotation, CellMoves, SquareBoard, WordMoves
from quincunx_reversi import kernel

NAME = "reversi"
SUMMARY = "Enclose the other side's discs to turn them over."
SEAT_NAMES = ("Black", "White")

BOARD = SquareBoard(8, 8, top_row_first=True, cell_word="square")
NOTATION = BoardNotation(
    BOARD,
    pieces="BW",
    cells=Bitboards("discs"),
    moves=CellMoves(BOARD) + WordMoves({kernel.PASS: "pass"}),
)
LAYOUT = BoardLayout(NOTATION, style="lines")
