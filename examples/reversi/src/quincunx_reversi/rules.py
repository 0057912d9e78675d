"""Reversi's names, texts and picture."""

from quincunx.boards import Bitboards, BoardLayout, BoardNotation, CellMoves, SquareBoard, WordMoves
from quincunx.phrases import Phrase
from quincunx_reversi import kernel

NAME = "reversi"
SUMMARY = "Enclose the other side's discs to turn them over."
SEAT_NAMES = ("Black", "White")
TEXTS = {
    "occupied": "there is already a disc on {square}",
    "no_line": "a disc on {square} would turn over no other disc",
    "no_pass": "you may pass only when you can place no disc",
}

BOARD = SquareBoard(8, 8, top_row_first=True, cell_word="square")
MOVES = CellMoves(BOARD) + WordMoves({kernel.PASS: "pass"})
NOTATION = BoardNotation(BOARD, pieces="BW", cells=Bitboards("discs"), moves=MOVES)


def reason(s, seat, action):
    """Returns why an action is not legal."""
    if action == kernel.PASS:
        return Phrase("no_pass")
    occupied = int(s.discs[0] | s.discs[1]) >> action & 1
    return Phrase("occupied" if occupied else "no_line", {"square": BOARD.names[action]})


def disc_counts(state):
    """Returns the line above the board: the number of discs of each seat."""
    pieces = NOTATION.pieces(state.position)
    return f"Black {pieces.count(1)}, White {pieces.count(2)}"


LAYOUT = BoardLayout(NOTATION, style="lines", header=disc_counts)
