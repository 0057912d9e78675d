"""Making moves by clicks."""

import pytest

import quincunx as qx
from quincunx.draw.scene import ViewOptions
from quincunx.terminal.selection import Selection, without_buttons


def test_clicks_pick_clear_replace_and_complete_a_move():
    state = qx.game("quorum").start()
    selection = Selection(state, 0)
    assert selection.click("a1") is None
    assert selection.picked == ("a1",)
    assert selection.click("a1") is None
    assert selection.picked == ()
    selection.click("a1")
    selection.click("b2")  # replaces a1
    assert selection.picked == ("b2",)
    with pytest.raises(KeyError, match="h8"):
        selection.click("h8")
    assert selection.picked == ("b2",)
    target = min(selection.next_names)
    assert selection.click(target) == f"b2{target}"
    assert selection.picked == ()


def test_without_a_seat_nothing_can_be_clicked():
    assert Selection(qx.game("quorum").start(), None).click_sequences == {}


def test_clicks_that_are_not_on_the_board_become_buttons():
    state = qx.game("blocky").start(seed=3)
    selection = Selection(state, 0)
    scene = without_buttons(state.scene(selection.view_options(ViewOptions())))
    assert selection.buttons(scene) == ["pass"]
    selection.click("top")
    scene = without_buttons(state.scene(selection.view_options(ViewOptions())))
    assert {"cw", "ccw", "hswap", "vswap"} <= set(selection.buttons(scene))
    quorum = qx.game("quorum").start()
    assert Selection(quorum, 0).buttons(quorum.scene()) == []


def test_targets_are_shown_where_a_move_is_a_single_click():
    onoro, quorum = qx.game("onoro").start(0), qx.game("quorum").start(0)
    assert Selection(onoro, onoro.turn).view_options(ViewOptions()).targets
    selection = Selection(quorum, 0)
    assert not selection.view_options(ViewOptions()).targets
    selection.click("a1")
    assert selection.view_options(ViewOptions()).picked == "a1"
