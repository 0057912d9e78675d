"""The keyboard focus on a board."""

import pytest

import quincunx as qx
from quincunx.draw.half_blocks import draw_half_blocks
from quincunx.draw.text import draw_characters
from quincunx.terminal.focus import INNERMOST_LEVEL, name_at_level, next_focus, with_focus

UP, DOWN, LEFT, RIGHT = (0, -1), (0, 1), (-1, 0), (1, 0)


@pytest.mark.parametrize("draw", [draw_characters, lambda scene: draw_half_blocks(scene, 4)])
def test_arrow_keys_move_to_neighbouring_squares(draw):
    picture = draw(qx.game("quorum").start().scene())
    for step, name in ((UP, "d5"), (DOWN, "d3"), (LEFT, "c4"), (RIGHT, "e4")):
        assert next_focus(picture, "d4", INNERMOST_LEVEL, step) == name
    assert next_focus(picture, "a1", INNERMOST_LEVEL, LEFT) == "a1"
    assert next_focus(picture, "", INNERMOST_LEVEL, RIGHT) in {"d4", "d5", "e4", "e5"}
    assert next_focus(picture, "", INNERMOST_LEVEL, RIGHT, frozenset({"a1", "b2"})) == "b2"


def test_arrow_keys_move_to_neighbouring_hexagons():
    picture = draw_half_blocks(qx.game("onoro").start(0).scene(), 4)
    assert next_focus(picture, "0,0", INNERMOST_LEVEL, RIGHT) == "1,0"
    assert next_focus(picture, "0,0", INNERMOST_LEVEL, DOWN) in {"0,1", "-1,1"}


def test_levels_are_counted_from_the_outermost_name():
    names = ("012", "01", "0", "top")
    assert [name_at_level(names, level) for level in range(5)] == ["top", "0", "01", "012", "012"]
    assert name_at_level((), 0) == ""


def test_the_focus_is_visible_and_drawn_below_the_piece():
    scene = qx.game("quorum").start().scene()
    highlighted = with_focus(scene, "a1")
    assert [shape for shape in highlighted.shapes if shape.role != "focus"] == list(scene.shapes)
    index = next(i for i, shape in enumerate(highlighted.shapes) if shape.role == "focus")
    above = highlighted.shapes[index:]
    assert any(shape.role == "piece" and shape.cell == "a1" for shape in above)
    assert with_focus(scene, "nowhere") is scene
    assert draw_half_blocks(highlighted, 4).rows != draw_half_blocks(scene, 4).rows
    assert draw_characters(highlighted).rows != draw_characters(scene).rows
    nested_names = draw_half_blocks(scene, 4).nested_names
    assert draw_half_blocks(highlighted, 4).nested_names == nested_names
