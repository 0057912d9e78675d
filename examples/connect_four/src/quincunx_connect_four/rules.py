"""Connect Four's names, texts and picture."""

from quincunx.boards import Bitboards, BoardLayout, BoardNotation, DropMoves, SquareBoard
from quincunx_connect_four.kernel import BOTTOM, COLUMNS, ROWS

NAME = "connect_four"
SUMMARY = "Drop discs into columns to get four in a line."
SEAT_NAMES = ("Red", "Yellow")

BOARD = SquareBoard(COLUMNS, ROWS)
BITS = [7 * column + row for column, row in BOARD.coordinates]


def floating_disc(s):
    """Returns why a position that was read from a text is impossible, or an empty text."""
    occupied = int(s.discs[0] | s.discs[1])
    return "there is an empty cell below a disc" if occupied + BOTTOM & occupied else ""


NOTATION = BoardNotation(
    BOARD, pieces="RY", cells=Bitboards("discs", BITS), moves=DropMoves(BOARD), check=floating_disc
)
LAYOUT = BoardLayout(NOTATION, style="holes")
