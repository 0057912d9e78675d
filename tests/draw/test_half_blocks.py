"""Boards drawn with block elements, and the names that a click on them can mean."""

import pytest

from quincunx.draw import palette
from quincunx.draw.half_blocks import (
    MARK_STRENGTHS,
    MARKS_1X2,
    MARKS_2X2,
    draw_half_blocks,
    min_scale,
)
from quincunx.draw.scene import Disc, Label, Line, Piece, Rect, Scene, Shape, ViewOptions
from quincunx.draw.terminal_cells import TerminalPicture
from quincunx.draw.text import draw_characters
from quincunx.errors import BadOption
from quincunx.registry import BUILT_IN, game
from tests.draw.test_svg import scene_of_all_shapes


def scene(*shapes: Shape) -> Scene:
    return Scene(0, 0, 4, 4, shapes, "")


def board(*more: Shape) -> Scene:
    cells = [Rect(x, y, 1, 1, "board", cell=f"{x}{y}") for x in range(4) for y in range(4)]
    return scene(*cells, *more)


def characters(picture: TerminalPicture) -> str:
    return "\n".join("".join(cell.char for cell in row) for row in picture.rows)


@pytest.mark.parametrize("name", BUILT_IN)
@pytest.mark.parametrize("draw", [draw_characters, lambda scene: draw_half_blocks(scene, 4)])
def test_every_name_of_a_move_has_a_box_or_is_a_button(name, draw) -> None:
    state = game(name).start(seed=1)
    picture = draw(state.scene(ViewOptions(targets=True)))
    named = {cell for names in picture.nested_names for cell in names}
    assert named == set(picture.boxes)
    for row in range(picture.height):
        assert len(picture.rows[row]) == picture.width
    for cell, box in picture.boxes.items():
        assert 0 <= box.left < box.right <= picture.width, cell
        assert 0 <= box.top < box.bottom <= picture.height, cell
    clicks = state.game.parts.layout.clicks
    seat = 0 if state.turn is None else state.turn
    assert {clicks(move)[0] for move in state.moves(seat)} <= named | {"pass"}


@pytest.mark.parametrize("scale", [2, 4, 6, 8])
def test_a_cell_has_scale_columns_and_half_as_many_rows(scale: int) -> None:
    picture = draw_half_blocks(board(), scale)
    assert (picture.width, picture.height) == (4 * scale + 2, 2 * scale)
    for x in range(4):
        for y in range(4):
            middle = (int((x + 0.5) * scale) + 1, int((y + 0.5) * scale / 2))
            assert picture.names(*middle) == (f"{x}{y}",)
    assert picture.names(-1, 0) == picture.names(0, 99) == ()


def test_nested_names_are_listed_innermost_first() -> None:
    outer, inner = Rect(0, 0, 4, 4, "board", cell="top"), Rect(0, 0, 2, 2, "red", cell="0")
    frame = Rect(0, 0, 4, 4, "", "accent", role="target", cell="top")
    picture = draw_half_blocks(scene(outer, inner, frame), 4)
    assert picture.names(2, 0) == ("0", "top")
    assert picture.names(14, 6) == ("top",)
    both = Rect(0, 0, 2, 2, "red", cell="0 top")
    assert draw_half_blocks(scene(outer, both), 4).names(2, 0) == ("0", "top")


def test_pieces_are_round_and_do_not_touch() -> None:
    picture = draw_half_blocks(
        board(Piece(0.5, 0.5, "white"), Piece(1.5, 0.5, "white")), 4, marks="none"
    )
    white, background = palette.colour("white", "dark"), palette.colour("board", "dark")
    row = picture.rows[1]
    assert white in (row[2].background, row[2].foreground)
    assert white in (row[3].background, row[3].foreground)
    corner = picture.rows[0][1]
    assert corner.char == "▛"
    assert palette.contrast(corner.foreground, background) < 1.3
    colours = row[4].background, row[4].foreground
    assert min(palette.contrast(background, colour) for colour in colours) < 1.3


@pytest.mark.parametrize("colour", [name for name, paint in palette.PIECES.items() if paint.mark])
def test_every_piece_shows_the_mark_of_its_colour(colour: str) -> None:
    mark = palette.PIECES[colour].mark
    drawn = board(Piece(0.5, 0.5, colour))
    four = characters(draw_half_blocks(drawn, 4))
    two = characters(draw_half_blocks(drawn, 6))
    assert MARKS_2X2[mark][:2] in four
    assert MARKS_2X2[mark][2:] in four
    assert MARKS_1X2[mark] in two
    assert MARKS_2X2[mark][2:] not in characters(draw_half_blocks(drawn, 4, marks="none"))


def test_marks_differ() -> None:
    assert len(set(MARKS_2X2.values())) == len(set(MARKS_1X2.values())) == len(MARKS_2X2)
    assert set(MARKS_2X2) == set(MARKS_1X2) == {p.mark for p in palette.PIECES.values() if p.mark}


def test_labels_are_written_at_their_position() -> None:
    picture = draw_half_blocks(board(Label(2, 4.4, "files", fill="quiet")), 4)
    assert "files" in characters(picture).splitlines()[-1]
    assert "\x1b" not in characters(draw_half_blocks(board(Label(2, 2, "\x1b[2J")), 4))


def test_targets_are_visible_at_every_scale() -> None:
    for shape in (
        Disc(0.5, 0.5, 0.05, "accent", role="target", cell="00"),
        Disc(0.5, 0.5, 0.4, "", "accent", role="target", cell="00"),
        Disc(0.5, 0.5, 0.4, "", "accent", role="start", cell="00"),
        Line(((0.5, 0.5), (3.5, 3.5)), "accent", 0.01, role="last"),
    ):
        for scale in (2, 4, 6):
            assert (
                draw_half_blocks(board(shape), scale).rows != draw_half_blocks(board(), scale).rows
            )


@pytest.mark.parametrize("theme", palette.THEMES)
@pytest.mark.parametrize("scale", [1, 2, 4, 6, 8])
def test_all_shapes_can_be_drawn(theme: str, scale: int) -> None:
    for marks in MARK_STRENGTHS:
        assert draw_half_blocks(scene_of_all_shapes(), scale, theme, marks).height > 1
    assert draw_half_blocks(scene(), scale).rows == ()


def test_min_scale_is_larger_for_boards_with_pieces() -> None:
    assert min_scale(game("quorum").start().scene()) == 4
    assert min_scale(game("blocky").start(seed=1).scene()) == 1


@pytest.mark.parametrize(
    ("options", "allowed"),
    [({"marks": "bold"}, "strong, faint, none"), ({"theme": "auto"}, "light, dark, contrast")],
)
def test_wrong_options_are_refused(options: dict[str, str], allowed: str) -> None:
    with pytest.raises(BadOption, match=allowed):
        draw_half_blocks(scene(), 4, **options)
