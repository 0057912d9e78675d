"""The layout of rooms and of the analysis page: buttons are in view, and the board is large."""

import pytest

from tests.browser.room_driver import open_room

# The labels of the visible buttons and fields that are not entirely within the window, or that a
# scrolled section hides.
BUTTONS_OUT_OF_VIEW = """selector => {
  const isHidden = (element) => {
    const { left, right, top, bottom } = element.getBoundingClientRect();
    if (left < 0 || top < 0 || right > innerWidth || bottom > innerHeight) return true;
    const atCentre = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    return !element.contains(atCentre);
  };
  const elements = [...document.querySelectorAll(selector)].filter((e) => e.checkVisibility());
  return { count: elements.length, hidden: elements.filter(isHidden).map((e) => e.textContent) };
}"""
PINNED = ".step-buttons button, .step-buttons select, .actions button, .actions .button"

# The height of the picture in relation to that of the window.
BOARD_SHARE = """() => {
  const board = document.querySelector(".game-page .board");
  const [box, view] = [board.getBoundingClientRect(), board.viewBox.baseVal];
  return view.height * Math.min(box.width / view.width, box.height / view.height) / innerHeight;
}"""


def assert_in_view(page, selector, least):
    found = page.evaluate(BUTTONS_OUT_OF_VIEW, selector)
    assert found["hidden"] == []
    assert found["count"] >= least


def test_all_buttons_of_a_room_with_four_players_are_in_view(new_page, server):
    page = new_page({"width": 1280, "height": 720})
    open_room(page, server, "blocky", seats=4, options={"players": 4})
    assert_in_view(page, PINNED, 6 + 6)
    page.locator(".shapes .cell[data-cell]").first.click()
    assert_in_view(page, ".controls button", 3)


def test_all_buttons_of_an_analysis_are_in_view(new_page):
    page = new_page({"width": 1280, "height": 720})
    page.goto("/analysis?game=blocky&options=players=4")
    page.wait_for_selector(".best-moves button")
    assert_in_view(page, PINNED, 4 + 6)


def test_the_share_panel_leaves_the_buttons_in_view(page, server):
    open_room(page, server, "quorum")
    page.locator("[data-action=share]").click()
    page.wait_for_selector(".share-panel")
    assert_in_view(page, PINNED, 6 + 6)


@pytest.mark.parametrize(("width", "height"), [(720, 450), (844, 390)])
def test_a_board_uses_the_height_of_a_low_window(new_page, server, width, height):
    page = new_page({"width": width, "height": height})
    open_room(page, server, "quorum")
    assert page.evaluate(BOARD_SHARE) > 0.84
