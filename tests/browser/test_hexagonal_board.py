"""A board of hexagons: keys visit every row, and pawns are counted and marked."""

import re

from tests.browser.room_driver import open_room

ALL_PLACED = ".WW/BBB/W.. b -2,0"  # with three pawns each; all three black ones can move


def test_up_and_down_skip_no_row(page, server):
    open_room(page, server, "onoro")
    page.locator(".game-page .board").focus()

    def row_after(key):
        page.keyboard.press(key)
        label = page.locator("#announcements span").last.inner_text()
        return int(re.search(r"-?\d+,(-?\d+)", label)[1])

    first = row_after("ArrowDown")
    assert [row_after("ArrowUp") for _ in range(2)] == [first - 1, first - 2]
    assert [row_after("ArrowDown") for _ in range(4)] == [first - 1, first, first + 1, first + 2]


def test_pawns_left_are_shown_for_each_player(page, server):
    open_room(page, server, "onoro")
    notes = page.locator(".players .note")
    assert notes.all_inner_texts() == ["6 pawns left", "7 pawns left"]
    page.locator(".overlay .one-click").first.wait_for()
    box = page.locator(".overlay .one-click").first.bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.wait_for_function(
        "() => document.querySelectorAll('.players .note')[1].textContent === '6 pawns left'"
    )


def test_pawns_that_can_move_are_marked(page, server):
    open_room(page, server, "onoro", options={"pawns": 3}, start=ALL_PLACED)
    page.locator(".overlay .ring.movable").first.wait_for()
    assert page.locator(".overlay .ring.movable").count() == 3
    assert page.locator(".players .note").all_inner_texts() == ["no pawns left"] * 2
