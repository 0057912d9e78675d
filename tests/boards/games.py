"""Small games on boards, not compiled: only what notation and layout need."""

from types import SimpleNamespace

import numpy as np

from quincunx.boards import (
    BoardLayout,
    BoardNotation,
    CellArray,
    CellMoves,
    DropMoves,
    FromToMoves,
    HexBoard,
    NumberField,
    SquareBoard,
    Tile,
    WordMoves,
)
from quincunx.game import Game, Parts
from quincunx.position import HEADER

SCORE_FIELD = NumberField("score")


def board_game(
    notation,
    layout,
    seats=2,
    letters="bw",
    fields=(),
    place=None,
    legal=(),
    cells=0,
    options=(),
):
    """Returns a game whose positions have `cells`; `place(s, seat, action)` plays a move."""
    state = np.dtype([*HEADER, ("cells", "u1", (cells or len(notation.board),)), *fields])
    legal = sorted(legal)

    def start(s, options, seed):
        s.turn = s.over = s.stage = s.ply = 0

    def write_legal(s, seat, out):
        out[: len(legal)] = legal
        return len(legal) if seat == s.turn else 0

    def begin(s, seat, action):
        if place:
            place(s, seat, action)
        return 1

    def advance(s):
        s.ply += 1
        s.turn = (s.turn + 1) % seats
        return 0

    def apply(s, seat, action):
        begin(s, seat, action)
        advance(s)

    kernel = SimpleNamespace(
        __name__="sample.kernel",
        STATE=state,
        ACTIONS=10**6,
        MAX_LEGAL=max(1, len(legal)),
        SEATS=seats,
        PLANES=(1, 1, 1),
        EVENTS=("", "move"),
        start=start,
        restore=lambda s: None,
        legal=write_legal,
        is_legal=lambda s, seat, action: action in legal,
        apply=apply,
        begin=begin,
        advance=advance,
        scores=lambda s, out: None,
        hide=lambda s, seat, seed: None,
        evaluate=lambda s, seat: 0.0,
        key=lambda s: 0,
        observe=lambda s, seat, planes: None,
    )
    rules = SimpleNamespace(
        NAME="sample",
        SUMMARY="A sample.",
        LETTERS=letters[:seats],
        SEAT_NAMES=("Black", "White")[:seats],
        OPTIONS=options,
    )
    return Game(Parts(kernel, rules, notation, layout))


def put(s, seat, action):
    if action < len(s.cells):
        s.cells[action] = seat + 1


def othello(style="lines", legal=range(65), **more):
    board = SquareBoard(8, 8, top_row_first=True)
    notation = BoardNotation(
        board,
        pieces="BW",
        cells=CellArray("cells"),
        moves=CellMoves(board) + WordMoves({64: "pass"}),
    )
    return board_game(notation, BoardLayout(notation, style=style, **more), place=put, legal=legal)


def connect_four():
    board = SquareBoard(7, 6)
    notation = BoardNotation(board, pieces="RY", cells=CellArray("cells"), moves=DropMoves(board))
    layout = BoardLayout(notation, style="holes", win=4)

    def drop(s, seat, column):
        cell = next(cell for cell in range(column, 42, 7) if not s.cells[cell])
        s.cells[cell] = seat + 1

    return board_game(notation, layout, letters="ry", place=drop, legal=range(7))


def move_piece(s, seat, action):
    origin, target = divmod(action, len(s.cells))
    s.cells[target], s.cells[origin] = s.cells[origin], 0


def breakthrough():
    board = SquareBoard(8, 8, cell_word="square", row_word="rank")
    notation = BoardNotation(board, pieces="WB", cells=CellArray("cells"), moves=FromToMoves(board))
    legal = [f * 64 + f + 8 + d for f in range(8, 16) for d in (-1, 0, 1) if 0 <= f % 8 + d < 8]
    layout = BoardLayout(notation, facing=True)
    return board_game(notation, layout, letters="wb", place=move_piece, legal=legal)


def one_step_game():
    board = SquareBoard(3, 3)
    pairs = [(a, b) for a, cells in enumerate(board.neighbours()) for b in cells]
    notation = BoardNotation(
        board, pieces="WB", cells=CellArray("cells"), moves=FromToMoves(board, pairs)
    )
    return board_game(notation, BoardLayout(notation), legal=range(len(pairs)))


def hex_game(board=None, pieces=None):
    board = board or HexBoard.rhombus(11, 11)
    notation = BoardNotation(
        board,
        pieces=pieces or {"R": "red", "B": "blue"},
        cells=CellArray("cells"),
        moves=CellMoves(board),
    )
    edges = {"top": "red", "bottom": "red", "left": "blue", "right": "blue"}
    layout = BoardLayout(notation, edges=edges if board.names[0] == "a1" and len(board) > 1 else {})
    return board_game(notation, layout, letters="rb", place=put, legal=range(len(board)))


TILE_COLOURS = ("white", "yellow", "orange", "red", "purple", "blue", "cyan", "green", "brown")


def twenty48(score=SCORE_FIELD):
    board = SquareBoard(4, 4, top_row_first=True)
    tiles = {
        letter: Tile(str(2 << k), TILE_COLOURS[k % 9])
        for k, letter in enumerate("abcdefghijklmnop")
    }
    words = dict(enumerate(("left", "up", "right", "down")))
    notation = BoardNotation(
        board,
        pieces=tiles,
        cells=CellArray("cells"),
        moves=WordMoves(words),
        fields=(score,),
    )
    layout = BoardLayout(
        notation, style="tiles", header=lambda state: f"{state.position.score} points"
    )
    return board_game(
        notation, layout, seats=1, letters="a", fields=[("score", "i8")], legal=range(4)
    )
