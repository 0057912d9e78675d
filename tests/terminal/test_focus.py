"""Where arrow keys lead, and what a hand picks up."""

import pytest

import quincunx as qx
from quincunx.draw.half_blocks import draw_half_blocks
from quincunx.draw.scene import ViewOptions
from quincunx.draw.text import draw_characters
from quincunx.terminal.focus import INNERMOST, at_level, focused, stepped
from quincunx.terminal.selection import Selection, without_buttons

UP, DOWN, LEFT, RIGHT = (0, -1), (0, 1), (-1, 0), (1, 0)


@pytest.mark.parametrize("draw", [draw_characters, lambda scene: draw_half_blocks(scene, 4)])
def test_arrows_go_to_neighbours(draw):
    picture = draw(qx.game("quorum").start().scene())
    for step, name in ((UP, "d5"), (DOWN, "d3"), (LEFT, "c4"), (RIGHT, "e4")):
        assert stepped(picture, "d4", INNERMOST, step) == name
    assert stepped(picture, "a1", INNERMOST, LEFT) == "a1"
    assert stepped(picture, "", INNERMOST, RIGHT) in {"d4", "d5", "e4", "e5"}
    assert stepped(picture, "", INNERMOST, RIGHT, frozenset({"a1", "b2"})) == "b2"


def test_arrows_go_to_hexagons():
    picture = draw_half_blocks(qx.game("onoro").start(0).scene(), 4)
    here = "0,0"
    assert stepped(picture, here, INNERMOST, RIGHT) == "1,0"
    assert stepped(picture, here, INNERMOST, DOWN) in {"0,1", "-1,1"}


def test_levels_are_counted_from_the_outermost():
    names = ("012", "01", "0", "top")
    assert [at_level(names, level) for level in range(5)] == ["top", "0", "01", "012", "012"]
    assert at_level((), 0) == ""


def test_a_focus_is_seen_and_hides_no_piece():
    scene = qx.game("quorum").start().scene()
    lit = focused(scene, "a1")
    assert [s for s in lit.shapes if s.role != "focus"] == list(scene.shapes)
    place = next(i for i, s in enumerate(lit.shapes) if s.role == "focus")
    assert any(s.role == "piece" and s.cell == "a1" for s in lit.shapes[place:])
    assert focused(scene, "nowhere") is scene
    assert draw_half_blocks(lit, 4).rows != draw_half_blocks(scene, 4).rows
    assert draw_characters(lit).rows != draw_characters(scene).rows
    assert draw_half_blocks(lit, 4).nested_names == draw_half_blocks(scene, 4).nested_names


def test_a_hand_picks_up_puts_down_and_makes_moves():
    state = qx.game("quorum").start()
    hand = Selection(state, 0)
    assert hand.touch("a1") is None
    assert hand.picked == ("a1",)
    assert hand.touch("a1") is None
    assert hand.picked == ()
    hand.touch("a1")
    hand.touch("b2")  # another one instead
    assert hand.picked == ("b2",)
    with pytest.raises(KeyError):
        hand.touch("h8")
    assert hand.picked == ("b2",)
    target = min(hand.next)
    assert hand.touch(target) == f"b2{target}"
    assert hand.picked == ()
    assert Selection(state, None).ways == {}


def test_what_is_not_on_the_board_becomes_a_button():
    state = qx.game("blocky").start(seed=3)
    hand = Selection(state, 0)
    scene = without_buttons(state.scene(hand.show(ViewOptions())))
    assert hand.buttons(scene) == ["pass"]
    hand.touch("top")
    scene = without_buttons(state.scene(hand.show(ViewOptions())))
    assert {"cw", "ccw", "hswap", "vswap"} <= set(hand.buttons(scene))
    quorum = qx.game("quorum").start()
    assert Selection(quorum, 0).buttons(quorum.scene()) == []


def test_targets_are_shown_where_one_touch_is_a_move():
    onoro, quorum = qx.game("onoro").start(0), qx.game("quorum").start(0)
    assert Selection(onoro, onoro.turn).show(ViewOptions()).targets
    hand = Selection(quorum, 0)
    assert not hand.show(ViewOptions()).targets
    hand.touch("a1")
    assert hand.show(ViewOptions()).picked == "a1"
