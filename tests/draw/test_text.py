"""Boards in a terminal: the same squares, hexagons and blocks in letters."""

import re
from math import sqrt

import pytest

from quincunx.draw import palette
from quincunx.draw.scene import Disc, Label, Piece, Rect, Scene, Shape, ViewOptions
from quincunx.draw.text import text
from quincunx.errors import BadOption
from quincunx.registry import game
from tests.draw.test_svg import everything

# The first diagram of the seed, with its files below instead of above.
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
    """A hexagon of 19 dots, its rows that far apart."""
    places = [(q, r) for r in range(-2, 3) for q in range(-2, 3) if abs(q + r) <= 2]
    dots = [Disc(q + r / 2, r * height, 0.1, "line", glyph="·") for q, r in places]
    return scene(*dots, *more)


def block(x: float, y: float, size: int, colour: str, gap: float) -> Rect:
    glyph, side = colour[0], size - 2 * gap
    return Rect(x + gap, y + gap, side, side, colour, cell=f"{x},{y}", glyph=glyph)


def test_quorum_starts_as_in_the_seed() -> None:
    assert str(game("quorum").start()) == START


def test_quorum_after_the_first_move_of_the_seed() -> None:
    moved = START.replace("3  ○ ○ · · ·", "3  ○ ○ · · ○").replace("1  ○", "1  ·")
    assert str(game("quorum").start().play("a1e3")) == moved


def test_quorum_from_the_other_side() -> None:
    turned = text(game("quorum").start().scene(ViewOptions(flip=True)))
    assert turned.splitlines()[0] == "1  · · · · ○ ○ ○ ○"
    assert turned.splitlines()[-1] == "   h g f e d c b a"


def test_targets_are_shown() -> None:
    shown = text(game("quorum").start().scene(ViewOptions(picked="a1")))
    assert "3  ○ ○ o · o · · ·" in shown.splitlines()


def test_without_coordinates_nothing_is_wider_than_the_board() -> None:
    shown = text(game("quorum").start().scene(ViewOptions(coordinates=False)))
    assert shown.splitlines()[0] == "· · · · ● ● ● ●"


@pytest.mark.parametrize("height", [1.0, sqrt(3) / 2])
def test_hexagons_stand_half_a_cell_aside(height: float) -> None:
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


def test_labels_keep_their_anchor_and_never_cover_a_piece() -> None:
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


def test_what_stands_close_above_the_board_gets_rows_of_its_own() -> None:
    row = [Rect(x, 0, 1, 1, "board", cell=str(x), glyph=".") for x in range(4)]
    files = [Label(x + 0.5, -0.35, "abcd"[x]) for x in range(4)]
    above = [Label(0, -0.9, "12", anchor="start"), Piece(2, -0.9, "red", 0.2, glyph="R")]
    near = Piece(2.4, -0.9, "blue", 0.2, glyph="B")
    assert text(scene(*row, *files, *above, near)).splitlines() == ["12 R B", "a b c d", ". . . ."]


def test_labels_that_meet_stand_side_by_side() -> None:
    labels = [Label(1, 2, "one", anchor="start"), Label(1, 2, "two", anchor="start")]
    assert text(scene(*labels)) == "one two"


def test_an_empty_scene_is_an_empty_text() -> None:
    assert text(scene()) == ""
    assert text(scene(Label(1, 1, "  "))) == ""


def test_nothing_reaches_the_terminal_but_letters() -> None:
    shown = text(scene(Label(1, 1, "a\x1b[2J\nb\x07"), Piece(4, 4, "red", glyph="\x1b")))
    assert "\x1b" not in shown
    assert "a?[2J?b?" in shown


def test_trailing_blanks_are_stripped() -> None:
    assert not re.search(r" $", text(everything()), re.MULTILINE)


@pytest.mark.parametrize("theme", palette.THEMES)
def test_colours_change_no_letter(theme: str) -> None:
    shown = game("quorum").start().play("a1e3").scene(ViewOptions(picked="e8"))
    painted = ESCAPE.sub("", text(shown, "truecolor", theme)).splitlines()
    assert [line[1:].rstrip() for line in painted] == text(shown).splitlines()
    assert len({len(line) for line in painted}) == 1


def test_pieces_have_their_colours_and_blocks_their_grounds() -> None:
    cell = Rect(0, 0, 1, 1, "board", cell="a", glyph=".")
    painted = text(scene(cell, Piece(0.5, 0.5, "red", glyph="R")), "truecolor")
    assert "\x1b[38;2;213;94;0mR" in painted
    filled = text(scene(block(0, 0, 2, "red", 0.1)), "truecolor")
    assert filled.count("\x1b[48;2;213;94;0m") == 2
    assert ESCAPE.sub("", filled).split() == ["r"]


@pytest.mark.parametrize("theme", palette.THEMES)
@pytest.mark.parametrize("colour", palette.PIECES)
def test_every_piece_is_seen_on_every_theme(theme: str, colour: str) -> None:
    for more in ((), (Disc(0.5, 0.5, 0.4, role="picked"),)):
        painted = text(scene(Piece(0.5, 0.5, colour, glyph="X"), *more), "truecolor", theme)
        before = painted[: painted.index("X")]
        ground, ink = (
            "#" + "".join(f"{int(n):02x}" for n in re.findall(code, before)[-1])
            for code in (r"48;2;(\d+);(\d+);(\d+)m", r"38;2;(\d+);(\d+);(\d+)m")
        )
        assert palette.contrast(ground, ink) > 1.8


def test_what_is_picked_shines() -> None:
    piece = Piece(0.5, 0.5, "white", glyph="W")
    lit = text(scene(piece, Disc(0.5, 0.5, 0.4, role="picked")), "truecolor")
    assert lit != text(scene(piece), "truecolor")
    twice = text(scene(piece, *[Disc(0.5, 0.5, 0.4, role="last")] * 2), "truecolor")
    assert twice == lit


@pytest.mark.parametrize(
    ("options", "allowed"),
    [({"colour": "256"}, "none, truecolor"), ({"theme": "auto"}, "light, dark, contrast")],
)
def test_wrong_options_are_refused(options: dict[str, str], allowed: str) -> None:
    with pytest.raises(BadOption, match=allowed):
        text(scene(), **options)
