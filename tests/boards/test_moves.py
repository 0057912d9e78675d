"""Move texts: actions, forms, clicks, and the cells to mark."""

import pytest

from quincunx.boards import (
    CellMoves,
    DropMoves,
    FromToMoves,
    HexBoard,
    Moves,
    SquareBoard,
    WordMoves,
)
from quincunx.boards.moves import RESERVED_KEYS
from quincunx.draw.scene import Button
from quincunx.errors import IllegalMove, MoveSyntax
from quincunx.phrases import Phrase
from tests.boards import games

CHESS = SquareBoard(8, 8, cell_word="square")
LINES = SquareBoard(9, 9, naming="row,column", top_row_first=True)
CONNECT_FOUR = SquareBoard(7, 6)
ONE_STEP = [(origin, target) for origin, cells in enumerate(CHESS.neighbours()) for target in cells]

KINDS = {
    "cells": (CellMoves(CHESS), 0, 64, {"a1": 0, "h8": 63, "d3": 19}),
    "later cells": (CellMoves(CHESS, first=10), 10, 74, {"a1": 10}),
    "hexagons": (CellMoves(HexBoard.hexagon(2, naming="q,r")), 0, 19, {"0,-2": 0, "0,0": 9}),
    "from to": (FromToMoves(CHESS), 0, 4096, {"a1b1": 1, "e2e4": 12 * 64 + 28}),
    "separated": (FromToMoves(CHESS, separator=">", first=7), 7, 4103, {"b1>a1": 7 + 64}),
    "by numbers": (FromToMoves(LINES), 0, 81 * 81, {"0,1>8,8": 81 + 80}),
    "pairs": (FromToMoves(CHESS, ONE_STEP), 0, len(ONE_STEP), {"a1b1": 0, "a1a2": 1}),
    "columns": (DropMoves(CONNECT_FOUR), 0, 7, {"a": 0, "g": 6}),
    "words": (WordMoves({3: "left", 5: "up"}), None, None, {"left": 3, "up": 5}),
    "several": (
        CellMoves(CHESS) + FromToMoves(CHESS, first=64) + WordMoves({4160: "pass"}),
        *(0, 4161, {"c1": 2, "a1a1": 64, "h8h8": 4159, "pass": 4160}),
    ),
}


@pytest.mark.parametrize(("moves", "low", "high", "examples"), KINDS.values(), ids=KINDS)
def test_actions_and_texts_belong_together(moves, low, high, examples):
    for text, action in examples.items():
        assert moves.parse(text) == action
        assert moves.format(action) == text
    if low is None:
        assert [action for action in range(9) if moves.has(action)] == [3, 5]
        return
    texts = [moves.format(action) for action in range(low, high)]
    assert len(set(texts)) == len(texts)
    assert [moves.parse(text) for text in texts[::7]] == list(range(low, high))[::7]
    assert not moves.has(low - 1)
    assert not moves.has(high)
    assert moves.has(low)
    assert moves.has(high - 1)
    assert moves.parse("zz99") is None
    assert moves.clicks("zz99") is None


def test_two_cells_that_are_not_a_pair_are_refused_with_a_reason():
    moves = FromToMoves(CHESS, ONE_STEP, no_action="too_far")
    assert moves.parse("a1a3") == Phrase("too_far")
    assert moves.parse("a1i3") is None
    with_gaps = FromToMoves(CHESS, [None, (0, 1)])
    assert with_gaps.parse("a1b1") == 1
    with pytest.raises(ValueError, match="action 0 has no cells"):
        with_gaps.format(0)


@pytest.mark.parametrize(
    ("moves", "form"),
    [
        (CellMoves(CHESS), "a square from a1 to h8, such as f3"),
        (CellMoves(HexBoard.rhombus(3, 3)), "a cell from a1 to c3, such as a2"),
        (FromToMoves(CHESS), "the two squares of a move, such as f3f4"),
        (FromToMoves(CHESS, ONE_STEP), "the two squares of a move, such as a1b1"),
        (FromToMoves(LINES), "the two cells of a move, such as 3,0>4,0"),
        (DropMoves(CONNECT_FOUR), "a column from a to g"),
        (WordMoves({0: "pass"}), "the word pass"),
        (WordMoves(dict(enumerate(("left", "up", "right")))), "the word left, up or right"),
        (
            CellMoves(CONNECT_FOUR) + WordMoves({42: "swap"}),
            "a cell from a1 to g6, such as a3, or the word swap",
        ),
    ],
)
def test_forms_say_what_is_expected(moves, form):
    assert moves.form == form


def test_clicks():
    several = KINDS["several"][0]
    assert several.clicks("c1") == ("c1",)
    assert several.clicks("e2e4") == ("e2", "e4")
    assert several.clicks("pass") == ("pass",)
    assert KINDS["by numbers"][0].clicks("0,1>8,8") == ("0,1", "8,8")
    assert KINDS["columns"][0].clicks("d") == ("d",)
    assert KINDS["columns"][0].click_name(CONNECT_FOUR.index("d5")) == "d"
    assert several.click_name(0) is None


def test_the_cells_of_a_move():
    several, nothing = KINDS["several"][0], bytes(64)
    assert several.cells("c1", nothing) == (2,)
    assert several.cells("a1b1", nothing) == (0, 1)
    assert several.cells("pass", nothing) == ()
    assert several.marked_cell("c1", nothing) == 2
    assert several.marked_cell("pass", nothing) is None


@pytest.mark.parametrize("top_row_first", [False, True])
def test_a_piece_falls_to_the_lowest_empty_cell(top_row_first):
    board = SquareBoard(7, 6, top_row_first=top_row_first)
    moves, column = DropMoves(board), board.column(3)
    from_bottom = column[::-1] if top_row_first else column
    pieces = bytearray(42)
    for cell in from_bottom:
        assert moves.marked_cell("d", pieces) == cell
        pieces[cell] = 1
        assert moves.cells("d", pieces) == (cell,)
    assert moves.marked_cell("d", pieces) is None
    assert moves.cells("a", pieces) == ()


def test_words_have_buttons():
    left, up, given = WordMoves(
        {0: "left", 1: "up", 2: Button("u", "Undo", "z", "undo it")}
    ).buttons
    assert left == Button("left", "Left", "l", "play the move left")
    assert up == Button("up", "Up", "p", "play the move up")  # u is a key of the page
    assert given.key == "z"
    keys = [b.key for b in WordMoves(dict(enumerate(("pa", "pas", "pass", "passs")))).buttons]
    assert keys == ["p", "1", "2", "3"]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: WordMoves({}), "expected at least one word"),
        (lambda: WordMoves({0: "Pass"}), "invalid word 'Pass': expected lower case and no spaces"),
        (lambda: WordMoves({0: "a b"}), "invalid word 'a b'"),
        (lambda: WordMoves({0: ""}), "invalid word ''"),
        (lambda: CellMoves(CHESS) + WordMoves({64: "a1"}), "the word 'a1' is also another move"),
        (lambda: FromToMoves(LINES, separator=""), "cells named by numbers need a separator"),
    ],
)
def test_impossible_moves_are_refused(make, message):
    with pytest.raises(ValueError, match=message):
        make()


def test_every_kind_fulfils_the_same_protocol():
    for moves, *_ in KINDS.values():
        assert isinstance(moves, Moves)
        assert moves.kinds


@pytest.mark.parametrize("text", ["d3", " d3 ", "D3"])
def test_a_game_reads_moves_in_any_case(text):
    assert games.othello().start().action(text) == 19


def test_spaces_around_separators_are_ignored():
    notation = games.breakthrough().parts.notation
    assert notation.parse_move(games.breakthrough(), None, " E2E4 ") == 12 * 64 + 28
    hexes = games.hex_game(HexBoard.rhombus(3, 3, naming="q,r"))
    assert hexes.start().action("1 , 2") == 7


@pytest.mark.parametrize("text", ["", "d", "d9", "i1", "d3d4", "passs", "3d", "?!"])
def test_a_game_refuses_other_texts(text):
    with pytest.raises(MoveSyntax) as caught:
        games.othello().start().play(text)
    assert str(caught.value) == (
        f"invalid move {text!r}: expected a cell from a1 to h8, such as f3, or the word pass"
    )


def test_cells_without_an_action_are_an_illegal_move():
    game = games.one_step_game()
    with pytest.raises(IllegalMove, match="illegal move 'a1a3': not a legal action"):
        game.start().play("a1a3")


def test_two_actions_cannot_have_the_same_word():
    with pytest.raises(ValueError, match="invalid words pass, pass: two are equal"):
        WordMoves({0: "pass", 1: "pass"})


def test_every_word_has_a_key_of_its_own_as_long_as_there_are_keys():
    keys = 9 + 26 - len(RESERVED_KEYS)
    words = {number: f"s{'s' * number}" for number in range(keys)}
    assert len({button.key for button in WordMoves(words).buttons}) == keys
    with pytest.raises(ValueError, match="no key is left for the word 'th': give it a Button"):
        WordMoves({**words, keys: "th"})
