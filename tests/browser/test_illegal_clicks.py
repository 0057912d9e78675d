"""A click or drag that is not legal has a reason, which is shown at the board and announced."""

import pytest

from tests.browser.room_driver import open_room


def cell_point(page, name):
    """Returns the centre of a cell in viewport pixels."""
    box = page.locator(f'.shapes [data-cell="{name}"]').first.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def click_cell(page, name):
    page.mouse.click(*cell_point(page, name))


def drag(page, origin, target):
    page.mouse.move(*cell_point(page, origin))
    page.mouse.down()
    page.mouse.move(*cell_point(page, target), steps=4)
    page.mouse.up()


def assert_refused(page, text):
    """Waits for the reason on the board; it is announced, and a cell is marked."""
    page.wait_for_function(
        "text => document.querySelector('.refusal:not([hidden])')?.textContent.includes(text)",
        arg=text,
    )
    assert "position" not in page.inner_text(".refusal")
    assert text in page.text_content("#announcements")
    assert page.locator(".overlay .ring.refused").count() == 1


@pytest.mark.parametrize("size", [(1280, 720), (390, 844)])
def test_clicks_on_the_wrong_cells_have_reasons(page, server, size):
    page.emulate_media(reduced_motion="no-preference")
    page.set_viewport_size({"width": size[0], "height": size[1]})
    open_room(page, server, "quorum")
    click_cell(page, "h8")
    assert_refused(page, "There is an opponent's stone on h8")
    assert page.locator(".overlay .ring.flashing").count() == 1
    click_cell(page, "a1")
    page.wait_for_selector(".refusal", state="hidden")
    click_cell(page, "d4")
    assert_refused(page, "A stone lands as far beyond its centre as it started before it")
    drag(page, "a1", "d4")
    assert_refused(page, "A stone lands as far beyond its centre")
    drag(page, "h8", "h6")
    assert_refused(page, "There is an opponent's stone on h8")
    click_cell(page, "a1")
    click_cell(page, "e3")  # a legal move is played, and the reason is gone
    page.wait_for_selector(".move-list li")
    page.wait_for_selector(".refusal", state="hidden")


def test_a_drag_where_nothing_can_move_yet_has_a_reason(page, server):
    open_room(page, server, "onoro")
    click_cell(page, "0,0")
    assert_refused(page, "0,0 is occupied")
    click_cell(page, "2,-2")
    assert_refused(page, "would touch no other pawn")
    drag(page, "0,0", "2,-2")
    assert_refused(page, "Pawns are still to be placed")


def test_analysis_gives_reasons_without_motion_if_that_is_reduced(page):
    page.emulate_media(reduced_motion="reduce")
    page.goto("/analysis?game=wzlz&seed=1")
    page.wait_for_selector(".shapes .draggable")
    click_cell(page, "0,0")
    assert_refused(page, "There is no ball on 0,0")
    assert page.locator(".overlay .ring.flashing").count() == 0
