"""Connect Four's names, texts and picture."""

from quincunx.boards import Bitboards, BoardLayout, BoardNotation, DropMoves, SquareBoard
from quincunx_connect_four.kernel import COLUMNS, ROWS

NAME = "connect_four"
SUMMARY = "Drop discs into columns to get four in a line."
SEAT_NAMES = ("Red", "Yellow")
TEXTS = {"not_legal": "the column is full"}

BOARD = SquareBoard(COLUMNS, ROWS)
BITS = [7 * column + row for column, row in BOARD.coordinates]
NOTATION = BoardNotation(BOARD, pieces="RY", cells=Bitboards("discs", BITS), moves=DropMoves(BOARD))
LAYOUT = BoardLayout(NOTATION, style="holes", win=4)
