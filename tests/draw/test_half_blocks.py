"""Boards in half and quarter blocks, and what a click on them means."""

import pytest

from quincunx.draw import palette
from quincunx.draw.half_blocks import MARKS, PAIRS, SQUARES, blocks, least_scale
from quincunx.draw.scene import Disc, Label, Line, Piece, Rect, Scene, Shape, ViewOptions
from quincunx.draw.terminal_cells import Picture
from quincunx.draw.text import letters
from quincunx.errors import BadOption
from quincunx.registry import GAMES, game
from tests.draw.test_svg import everything


def scene(*shapes: Shape) -> Scene:
    return Scene(0, 0, 4, 4, shapes, "")


def board(*more: Shape) -> Scene:
    cells = [Rect(x, y, 1, 1, "board", cell=f"{x}{y}") for x in range(4) for y in range(4)]
    return scene(*cells, *more)


def seen(picture: Picture) -> str:
    return "\n".join("".join(spot.letter for spot in row) for row in picture.rows)


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("draw", [letters, lambda scene: blocks(scene, 4)])
def test_every_name_of_a_move_has_its_place_or_is_a_button(name, draw) -> None:
    state = game(name).start(seed=1)
    picture = draw(state.scene(ViewOptions(targets=True)))
    named = {one for stack in picture.stacks for one in stack}
    assert named == set(picture.places)
    for row in range(picture.height):
        assert len(picture.rows[row]) == picture.width
    for one, place in picture.places.items():
        assert 0 <= place.left < place.right <= picture.width, one
        assert 0 <= place.top < place.bottom <= picture.height, one
    clicks = state.game.parts.layout.clicks
    seat = 0 if state.turn is None else state.turn
    assert {clicks(move)[0] for move in state.moves(seat)} <= named | {"pass"}


@pytest.mark.parametrize("scale", [2, 4, 6, 8])
def test_a_cell_is_as_wide_as_the_scale_and_half_as_high(scale: int) -> None:
    picture = blocks(board(), scale)
    assert (picture.width, picture.height) == (4 * scale + 2, 2 * scale)
    for x in range(4):
        for y in range(4):
            middle = (int((x + 0.5) * scale) + 1, int((y + 0.5) * scale / 2))
            assert picture.names(*middle) == (f"{x}{y}",)
    assert picture.names(-1, 0) == picture.names(0, 99) == ()


def test_names_lie_in_each_other_the_innermost_first() -> None:
    outer, inner = Rect(0, 0, 4, 4, "board", cell="top"), Rect(0, 0, 2, 2, "red", cell="0")
    frame = Rect(0, 0, 4, 4, "", "accent", role="target", cell="top")
    picture = blocks(scene(outer, inner, frame), 4)
    assert picture.names(2, 0) == ("0", "top")
    assert picture.names(14, 6) == ("top",)
    together = Rect(0, 0, 2, 2, "red", cell="0 top")
    assert blocks(scene(outer, together), 4).names(2, 0) == ("0", "top")


def test_pieces_are_round_and_do_not_touch() -> None:
    picture = blocks(board(Piece(0.5, 0.5, "white"), Piece(1.5, 0.5, "white")), 4, marks="none")
    white, ground = palette.colour("white", "dark"), palette.colour("board", "dark")
    row = picture.rows[1]
    assert white in (row[2].ground, row[2].ink)
    assert white in (row[3].ground, row[3].ink)
    corner = picture.rows[0][1]
    assert corner.letter == "▛"
    assert palette.contrast(corner.ink, ground) < 1.3
    assert min(palette.contrast(ground, row[4].ground), palette.contrast(ground, row[4].ink)) < 1.3


@pytest.mark.parametrize("colour", [name for name, paint in palette.PIECES.items() if paint.mark])
def test_every_colour_carries_its_mark(colour: str) -> None:
    mark = palette.PIECES[colour].mark
    drawn = board(Piece(0.5, 0.5, colour))
    even, odd = seen(blocks(drawn, 4)), seen(blocks(drawn, 6))
    assert SQUARES[mark][:2] in even
    assert SQUARES[mark][2:] in even
    assert PAIRS[mark] in odd
    assert SQUARES[mark][2:] not in seen(blocks(drawn, 4, marks="none"))


def test_marks_are_told_apart() -> None:
    assert len(set(SQUARES.values())) == len(set(PAIRS.values())) == len(SQUARES)
    assert set(SQUARES) == set(PAIRS) == {p.mark for p in palette.PIECES.values() if p.mark}


def test_labels_are_written_where_they_stand() -> None:
    picture = blocks(board(Label(2, 4.4, "files", fill="quiet")), 4)
    assert "files" in seen(picture).splitlines()[-1]
    assert "\x1b" not in seen(blocks(board(Label(2, 2, "\x1b[2J")), 4))


def test_targets_are_seen_at_every_scale() -> None:
    for shape in (
        Disc(0.5, 0.5, 0.05, "accent", role="target", cell="00"),
        Disc(0.5, 0.5, 0.4, "", "accent", role="target", cell="00"),
        Disc(0.5, 0.5, 0.4, "", "accent", role="start", cell="00"),
        Line(((0.5, 0.5), (3.5, 3.5)), "accent", 0.01, role="last"),
    ):
        for scale in (2, 4, 6):
            assert blocks(board(shape), scale).rows != blocks(board(), scale).rows


@pytest.mark.parametrize("theme", palette.THEMES)
@pytest.mark.parametrize("scale", [1, 2, 4, 6, 8])
def test_everything_can_be_drawn(theme: str, scale: int) -> None:
    for marks in MARKS:
        assert blocks(everything(), scale, theme, marks).height > 1
    assert blocks(scene(), scale).rows == ()


def test_discs_need_some_points() -> None:
    assert least_scale(game("quorum").start().scene()) == 4
    assert least_scale(game("blocky").start(seed=1).scene()) == 1


@pytest.mark.parametrize(
    ("options", "allowed"),
    [({"marks": "bold"}, "strong, faint, none"), ({"theme": "auto"}, "light, dark, contrast")],
)
def test_wrong_options_are_refused(options: dict[str, str], allowed: str) -> None:
    with pytest.raises(BadOption, match=allowed):
        blocks(scene(), 4, **options)
