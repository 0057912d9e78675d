"""Boards whose size is an option."""

import pytest

from quincunx.boards import (
    BoardLayout,
    BoardNotation,
    CellArray,
    CellMoves,
    FromToMoves,
    HexBoard,
    SquareBoard,
    WordMoves,
    by_options,
)
from quincunx.errors import MoveSyntax
from quincunx.options import Option
from tests.boards import games


def hex_parts(size):
    board = HexBoard.rhombus(size, size)
    notation = BoardNotation(board, pieces="RB", cells=CellArray("cells"), moves=CellMoves(board))
    return notation, BoardLayout(notation)


def sized_hex(**options):
    notation, layout = by_options(hex_parts, size=5)
    option = Option("size", 5, "cells along an edge", low=2, high=9)
    game = games.board_game(
        notation,
        layout,
        letters="rb",
        place=games.put,
        legal=range(81),
        cells=81,
        options=(option,),
    )
    return game.configured(**options)


def test_texts_and_pictures_follow_the_option():
    assert sized_hex().start().text == "5/5/5/5/5 r"
    small, large = sized_hex(size=3), sized_hex(size=9)
    assert small.start().play("c3").text == "3/3/2R b"
    assert large.start().play("i9").text.endswith("/8R b")
    assert large.read("R8/" + "/".join(["9"] * 8) + " b").position.cells[0] == 1
    assert small.start().scene().w < large.start().scene().w


def test_errors_name_the_cells_of_the_board():
    with pytest.raises(MoveSyntax, match="a cell from a1 to c3"):
        sized_hex(size=3).start().play("e5")
    assert "a1 to e5" in sized_hex().parts.notation.MOVE_FORM


def test_clicks_do_not_depend_on_the_option():
    def build(size):
        board = SquareBoard(size, size)
        notation = BoardNotation(
            board, pieces="BW", cells=CellArray("cells"), moves=FromToMoves(board)
        )
        return notation, BoardLayout(notation, facing=True)

    _, layout = by_options(build, size=4)
    assert layout.clicks("h7h8") == ("h7", "h8")
    assert layout.CONTROLS.facing


def test_paths_follow_the_option():
    before = sized_hex(size=3).start()
    (step, _) = before.steps("c3")
    assert sized_hex().parts.layout.paths(before, step, False) == []


def swap_game(**options):
    """Returns a game on a board of a size, with a word that only the option `swap` adds."""

    def build(size, swap):
        board = HexBoard.rhombus(size, size)
        moves = CellMoves(board) + WordMoves({81: "swap"}) if swap else CellMoves(board)
        notation = BoardNotation(board, pieces="RB", cells=CellArray("cells"), moves=moves)
        return notation, BoardLayout(notation)

    game = games.board_game(
        *by_options(build, size=5, swap=False),
        letters="rb",
        legal=[0, 81],
        cells=81,
        options=(
            Option("size", 5, "cells along an edge", low=2, high=9),
            Option("swap", False, "Blue may take over the first stone"),
        ),
    )
    return game.configured(**options)


def test_a_word_of_an_option_has_a_button_in_games_with_that_option():
    def words(controls):
        return [button.word for button in controls.buttons]

    assert words(swap_game().controls) == []
    assert words(swap_game(swap=True, size=3).controls) == ["swap"]
    assert words(swap_game().parts.layout.CONTROLS) == ["swap"]  # all that there are
    assert swap_game(swap=True).start().moves() == ["a1", "swap"]
    assert swap_game().parts.layout.clicks("swap") == ("swap",)


def test_games_without_such_options_have_the_controls_of_their_layout():
    game = games.breakthrough()
    assert game.controls is game.parts.layout.CONTROLS
