"""Position texts: what is written is read, and every error names what is wrong."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quincunx.boards import (
    BoardNotation,
    CellArray,
    CellMoves,
    HexBoard,
    NumberField,
    SquareBoard,
    Stone,
)
from quincunx.errors import BadPosition
from tests.boards import games

GAMES = {
    "othello": games.othello(),
    "breakthrough": games.breakthrough(),
    "connect four": games.connect_four(),
    "hex": games.hex_game(),
    "hexagon": games.hex_game(HexBoard.hexagon(3)),
    "2048": games.twenty48(),
}


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
@settings(max_examples=30)
@given(data=st.data())
def test_reading_the_text_gives_the_same_position(game, data):
    notation, s = game.parts.notation, game.start().position
    count, kinds = len(notation.board), len(notation.piece_letters)
    pieces = data.draw(st.lists(st.integers(0, kinds), min_size=count, max_size=count))
    notation.cells.write(s, bytes(pieces))
    s.turn = data.draw(st.integers(0, game.seats - 1))
    if game.seats == 1:
        s.score = data.draw(st.integers(0, 10**12))
    if reason := notation.moves.impossible(bytes(pieces)):
        with pytest.raises(BadPosition, match=reason):
            game.read(notation.write(game, s))
        return
    read = game.read(notation.write(game, s))
    assert notation.pieces(read.position) == bytes(pieces)
    assert read.position.tobytes() == s.tobytes()


def test_pieces_of_drop_moves_have_no_empty_cell_below_them():
    assert GAMES["connect four"].read("7/7/7/3R3/3Y3/3R2R y").turn == 1
    with pytest.raises(BadPosition, match="column g has an empty cell below a piece"):
        GAMES["connect four"].read("7/7/7/3R3/3Y2R/3R3 y")


def test_the_texts_of_initial_positions():
    assert GAMES["othello"].start().text == "8/8/8/8/8/8/8/8 b"
    assert GAMES["hex"].start().text == "/".join(["11"] * 11) + " r"
    assert GAMES["hexagon"].start().text == "4/5/6/7/6/5/4 r"
    assert GAMES["2048"].start().text == "4/4/4/4 0"


def test_rows_are_written_from_the_top():
    assert GAMES["othello"].start().play("b1").text == "1B6/8/8/8/8/8/8/8 w"
    assert GAMES["breakthrough"].read("8/8/8/8/8/8/W7/8 w").play("a2b3").text == (
        "8/8/8/8/8/1W6/8/8 b"
    )
    assert GAMES["hex"].start().play("k1").text == "10R/" + "/".join(["11"] * 10) + " b"


def test_adjacent_digits_add_up_and_long_rows_have_numbers_of_two_digits():
    assert GAMES["othello"].read("44/8/8/8/8/8/8/8 b").text == "8/8/8/8/8/8/8/8 b"
    assert GAMES["hex"].read("1R9/" + "/".join(["11"] * 10) + " r").text.startswith("1R9/")


OTHELLO_FORM = "expected 8 rows separated by / and the side to move, such as 8/8/8/8/8/8/8/8 b"
ERRORS = [
    ("othello", "", OTHELLO_FORM),
    ("othello", "8/8/8/8/8/8/8/8", OTHELLO_FORM),
    ("othello", "8/8/8/8/8/8/8/8 b 3", OTHELLO_FORM),
    ("othello", "8/8/8/8/8/8/8/8 r", "the side to move must be b or w, not 'r'"),
    ("othello", "8/8/8/8/8/8/8/8 bw", "the side to move must be b or w, not 'bw'"),
    ("othello", "8/8/8/8/8/8/8 b", "a board has 8 rows separated by /, not 7"),
    (
        "othello",
        "8/8/3X4/8/8/8/8/8 b",
        "row 3 contains 'X'; only B, W and the digits 1-8 are allowed",
    ),
    (
        "othello",
        "9/8/8/8/8/8/8/8 b",
        "row 1 contains '9'; only B, W and the digits 1-8 are allowed",
    ),
    ("othello", "8/8/8/8/8/8/8/7 b", "row 8 has 7 cells instead of 8"),
    ("othello", "8/8/8/8/8/8/BBBBBBBBB/8 b", "row 7 has 9 cells instead of 8"),
    ("othello", "8/8/8/8/8/8//8 b", "row 7 has 0 cells instead of 8"),
    ("breakthrough", "8/8/8/8/8/8/8/7 w", "rank 1 has 7 squares instead of 8"),
    ("breakthrough", "8/8/8/8/8/8/8 w", "a board has 8 ranks separated by /, not 7"),
    ("hexagon", "4/5/6/8/6/5/4 r", "row 4 contains '8'; only R, B and the digits 1-7 are allowed"),
    ("hexagon", "4/5/6/6/6/5/4 r", "row 4 has 6 cells instead of 7"),
    (
        "hex",
        "/".join(["11"] * 10 + ["011"]) + " r",
        "row 11 contains '0'; only R, B and numbers of empty cells are allowed",
    ),
    ("hex", "/".join(["11"] * 10 + ["999999"]) + " r", "row 11 has 10098 cells instead of 11"),
    (
        "2048",
        "4/4/4/4",
        "expected 4 rows separated by / and the score, such as 4/4/4/4 0",
    ),
    ("2048", "4/4/4/4 x", "invalid score 'x': expected an integer from 0 to 1000000000000"),
    ("2048", "4/4/4/4 -1", "invalid score '-1': expected an integer from 0 to 1000000000000"),
    (
        "2048",
        "4/4/4/4 " + "9" * 30,
        "invalid score '999999999999': expected an integer from 0 to 1000000000000",
    ),
]


@pytest.mark.parametrize(("name", "text", "reason"), ERRORS)
def test_every_error_names_what_is_wrong(name, text, reason):
    with pytest.raises(BadPosition) as caught:
        GAMES[name].read(text)
    assert caught.value.reason == reason
    assert caught.value.text == text


def test_a_game_can_refuse_positions_and_say_what_it_expects():
    board = SquareBoard(3, 3)
    notation = BoardNotation(
        board,
        pieces="OX".replace("X", "B"),
        cells=CellArray("cells"),
        moves=CellMoves(board),
        form="three rows",
        check=lambda s: "the middle must be empty" if s.cells[4] else "",
    )
    game = games.board_game(notation, None)
    assert game.read("O2/3/3 b").text == "O2/3/3 b"
    with pytest.raises(BadPosition, match="the middle must be empty"):
        game.read("3/1B1/3 b")
    with pytest.raises(BadPosition, match="expected three rows"):
        game.read("3/3/3")


def test_number_fields_have_limits_and_may_be_negative():
    game = games.twenty48(NumberField("score", low=-5, high=5))
    assert game.read("4/4/4/4 -5").position.score == -5
    with pytest.raises(BadPosition, match="expected an integer from -5 to 5"):
        game.read("4/4/4/4 6")


@pytest.mark.parametrize(
    ("pieces", "message"),
    [
        ("", "invalid pieces '': expected different ASCII characters"),
        ("BB", "invalid pieces 'BB': expected different ASCII characters"),
        ("B W", "invalid pieces 'B W': expected different ASCII characters"),
        ("Bé", "invalid pieces 'Bé': expected different ASCII characters"),
        ("B1", "invalid pieces 'B1': digits, . and / are not allowed"),
        ("B.", "invalid pieces 'B.': digits, . and / are not allowed"),
        ("BX", "piece 'X': no colour begins with this letter; write pieces={'X': 'red', ...}"),
        ({"X": "pink"}, "piece 'X': unknown colour 'pink'; the colours are white, black, red"),
    ],
)
def test_impossible_pieces_are_refused(pieces, message):
    board = SquareBoard(3, 3)
    with pytest.raises(ValueError) as caught:  # noqa: PT011  # compared below
        BoardNotation(board, pieces=pieces, cells=CellArray("cells"), moves=CellMoves(board))
    assert str(caught.value).startswith(message)


def test_letters_stand_for_the_colours_that_begin_with_them():
    board = SquareBoard(3, 3)
    notation = BoardNotation(
        board, pieces="BWrYG", cells=CellArray("cells"), moves=CellMoves(board)
    )
    assert notation.looks == {
        "B": Stone("black"),
        "W": Stone("white"),
        "r": Stone("red"),
        "Y": Stone("yellow"),
        "G": Stone("green"),
    }
