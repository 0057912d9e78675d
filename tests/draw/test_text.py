"""Boards as text: squares, hexagons and blocks on a grid of characters."""

import re
from math import sqrt

import pytest

from quincunx.boards import HexBoard
from quincunx.draw import palette, picture
from quincunx.draw.scene import Disc, Label, Piece, Rect, Scene, Shape, ViewOptions
from quincunx.draw.text import text
from quincunx.errors import BadOption
from quincunx.registry import game
from tests.boards.games import hex_game
from tests.draw.test_svg import scene_of_all_shapes

# The first diagram of the rules, but with the files below the board.
START = """\
8  · · · · ● ● ● ●
7  · · · · · ● ● ●
6  · · · · · · ● ●
5  · · · + + · · ●
4  ○ · · + + · · ·
3  ○ ○ · · · · · ·
2  ○ ○ ○ · · · · ·
1  ○ ○ ○ ○ · · · ·
   a b c d e f g h"""
ESCAPE = re.compile("\x1b\\[[0-9;]*m")


def scene(*shapes: Shape) -> Scene:
    return Scene(0, 0, 9, 9, shapes, "")


def hexagons(height: float, *more: Shape) -> Scene:
    """A hexagon of 19 dots whose rows are `height` apart."""
    cells = [(q, r) for r in range(-2, 3) for q in range(-2, 3) if abs(q + r) <= 2]
    dots = [Disc(q + r / 2, r * height, 0.1, "line", glyph="·") for q, r in cells]
    return scene(*dots, *more)


def block(x: float, y: float, size: int, colour: str, gap: float) -> Rect:
    glyph, side = colour[0], size - 2 * gap
    return Rect(x + gap, y + gap, side, side, colour, cell=f"{x},{y}", glyph=glyph)


def test_quorum_starts_as_in_the_rules() -> None:
    assert str(game("quorum").start()) == START


def test_quorum_after_the_first_move_of_the_rules() -> None:
    moved = START.replace("3  ○ ○ · · ·", "3  ○ ○ · · ○").replace("1  ○", "1  ·")
    assert str(game("quorum").start().play("a1e3")) == moved


def test_quorum_flipped() -> None:
    flipped = text(game("quorum").start().scene(ViewOptions(flip=True)))
    assert flipped.splitlines()[0] == "1  · · · · ○ ○ ○ ○"
    assert flipped.splitlines()[-1] == "   h g f e d c b a"


def test_targets_are_shown() -> None:
    shown = text(game("quorum").start().scene(ViewOptions(picked="a1")))
    assert "3  ○ ○ o · o · · ·" in shown.splitlines()


def test_without_coordinates_only_the_board_is_drawn() -> None:
    shown = text(game("quorum").start().scene(ViewOptions(coordinates=False)))
    assert shown.splitlines()[0] == "· · · · ● ● ● ●"


@pytest.mark.parametrize("height", [1.0, sqrt(3) / 2])
def test_every_other_row_of_hexagons_is_shifted_by_half_a_cell(height: float) -> None:
    pieces = (Piece(0, 0, "black", glyph="B"), Piece(1.5, height, "red", glyph="R"))
    assert text(hexagons(height, *pieces)) == (
        "  · · ·\n"
        " · · · ·\n"
        "· · B · ·\n"
        " · · · R\n"
        "  · · ·"
    )  # fmt: skip


def test_blocks_fill_the_cells_they_cover() -> None:
    blocks = [
        block(0, 0, 2, "red", 0.1),
        block(2, 0, 1, "green", 0.05),
        block(3, 0, 1, "blue", 0.05),
        block(2, 1, 1, "blue", 0.05),
        block(3, 1, 1, "blue", 0.05),
        block(0, 2, 2, "yellow", 0.1),
        block(2, 2, 2, "yellow", 0.1),
    ]
    assert text(scene(*blocks)) == "rrr g b\nrrr b b\nyyy yyy\nyyy yyy"
    assert text(scene(block(0, 0, 8, "red", 0.3))) == "\n".join(["r" * 15] * 8)


def test_pieces_hide_dots_and_cells() -> None:
    cell = Rect(0, 0, 1, 1, "board", cell="a", glyph=".")
    piece, dot = Piece(0.5, 0.5, "red", glyph="R"), Disc(0.5, 0.5, 0.1, glyph="·")
    assert text(scene(cell)) == "."
    assert text(scene(dot, cell)) == "·"
    assert text(scene(piece, dot, cell)) == "R"
    assert text(scene(Piece(0.5, 0.5, "red"))) == "●"


def test_labels_are_anchored_and_never_cover_a_piece() -> None:
    row = [Piece(x + 0.5, 0.5, "red", glyph="R", cell=str(x)) for x in range(6)]
    labels = [
        Label(3, -0.5, "mid"),
        Label(0, 1.5, "start", anchor="start"),
        Label(6, 1.5, "end", anchor="end"),
        Label(0.5, 0.5, "7"),
        Label(7, 0.5, "right of it"),
        Label(-1, 0.5, "left of it"),
    ]
    assert text(scene(*row, *labels)).splitlines() == [
        "                mid",
        "left of it  R R R R R R  right of it",
        "            start   end",
    ]


def test_shapes_just_above_the_board_get_their_own_rows() -> None:
    row = [Rect(x, 0, 1, 1, "board", cell=str(x), glyph=".") for x in range(4)]
    files = [Label(x + 0.5, -0.35, "abcd"[x]) for x in range(4)]
    above = [Label(0, -0.9, "12", anchor="start"), Piece(2, -0.9, "red", 0.2, glyph="R")]
    near = Piece(2.4, -0.9, "blue", 0.2, glyph="B")
    assert text(scene(*row, *files, *above, near)).splitlines() == ["12 R B", "a b c d", ". . . ."]


def test_overlapping_labels_are_written_side_by_side() -> None:
    labels = [Label(1, 2, "one", anchor="start"), Label(1, 2, "two", anchor="start")]
    assert text(scene(*labels)) == "one two"


def test_an_empty_scene_is_an_empty_text() -> None:
    assert text(scene()) == ""
    assert text(scene(Label(1, 1, "  "))) == ""


def test_control_characters_are_replaced() -> None:
    shown = text(scene(Label(1, 1, "a\x1b[2J\nb\x07"), Piece(4, 4, "red", glyph="\x1b")))
    assert "\x1b" not in shown
    assert "a?[2J?b?" in shown


def test_trailing_spaces_are_stripped() -> None:
    assert not re.search(r" $", text(scene_of_all_shapes()), re.MULTILINE)


@pytest.mark.parametrize("theme", palette.THEMES)
def test_colours_change_no_character(theme: str) -> None:
    shown = game("quorum").start().play("a1e3").scene(ViewOptions(picked="e8"))
    coloured = ESCAPE.sub("", text(shown, "truecolor", theme)).splitlines()
    assert [line[1:].rstrip() for line in coloured] == text(shown).splitlines()
    assert len({len(line) for line in coloured}) == 1


def test_pieces_are_coloured_and_blocks_have_a_background() -> None:
    cell = Rect(0, 0, 1, 1, "board", cell="a", glyph=".")
    coloured = text(scene(cell, Piece(0.5, 0.5, "red", glyph="R")), "truecolor")
    assert "\x1b[38;2;213;94;0mR" in coloured
    filled = text(scene(block(0, 0, 2, "red", 0.1)), "truecolor")
    assert filled.count("\x1b[48;2;213;94;0m") == 2
    assert ESCAPE.sub("", filled).split() == ["r"]


@pytest.mark.parametrize("theme", palette.THEMES)
@pytest.mark.parametrize("colour", palette.PIECES)
def test_every_piece_has_enough_contrast_in_every_theme(theme: str, colour: str) -> None:
    for more in ((), (Disc(0.5, 0.5, 0.4, role="picked"),)):
        coloured = text(scene(Piece(0.5, 0.5, colour, glyph="X"), *more), "truecolor", theme)
        before = coloured[: coloured.index("X")]
        background, foreground = (
            "#" + "".join(f"{int(n):02x}" for n in re.findall(code, before)[-1])
            for code in (r"48;2;(\d+);(\d+);(\d+)m", r"38;2;(\d+);(\d+);(\d+)m")
        )
        assert palette.contrast(background, foreground) > 1.8


def test_a_picked_piece_is_highlighted_once() -> None:
    piece = Piece(0.5, 0.5, "white", glyph="W")
    highlighted = text(scene(piece, Disc(0.5, 0.5, 0.4, role="picked")), "truecolor")
    assert highlighted != text(scene(piece), "truecolor")
    twice = text(scene(piece, *[Disc(0.5, 0.5, 0.4, role="last")] * 2), "truecolor")
    assert twice == highlighted


@pytest.mark.parametrize(
    ("options", "allowed"),
    [({"colour": "256"}, "none, truecolor"), ({"theme": "auto"}, "light, dark, contrast")],
)
def test_wrong_options_are_refused(options: dict[str, str], allowed: str) -> None:
    with pytest.raises(BadOption, match=allowed):
        text(scene(), **options)


def hex_text(position: str) -> list[str]:
    rows = position.count("/") + 1
    return str(hex_game(HexBoard.rhombus(rows, rows)).read(position + " r")).splitlines()


def test_labels_of_hexagons_step_with_their_rows() -> None:
    assert hex_text("3/R2/1B1") == [
        "1  · · ·",
        " 2  R · ·",
        "  3  · B ·",
        "     a b c",
    ]


@pytest.mark.parametrize("first", ["11", "R10"])
def test_labels_of_two_digits_stand_beside_occupied_cells(first: str) -> None:
    *rows, columns = hex_text("/".join([first] * 11))
    cell = "R" if first[0] == "R" else "·"
    for number, row in enumerate(rows, 1):
        label = " " * (number - len(str(number))) + str(number)
        assert row == f"{label}  {' '.join(cell + '·' * 10)}"
    assert columns == " " * 13 + "a b c d e f g h i j k"


@pytest.mark.parametrize(("name", "seed", "count"), [("quorum", 0, 6), ("wzlz", 1, 5)])
def test_pieces_that_can_move_are_marked_without_colour(name, seed, count):
    """Only colours showed them, which a plain terminal does not have."""
    state = game(name).start(seed)
    plain, marked = (picture(state, "text", targets=targets) for targets in (False, True))
    assert "*" not in plain
    assert marked.count("*") == count == len({move_start(state, move) for move in state.moves()})
    assert marked.replace("*", " ").split() == plain.split()
    assert "*" not in picture(state, "text", targets=True, colour="truecolor")


def move_start(state, move):
    return state.game.parts.layout.clicks(move)[0]
