"""The pages on a phone: everything fits the screen, and taps hit the intended cells."""

import random

import pytest

from tests.browser.conftest import PHONE
from tests.browser.room_driver import listed_moves, play_random_move, start_game, visible_choices

# Each page with a selector of what it loads last.
PAGES = {
    "/": ".card:nth-child(5) .shapes > *",
    "/?play=blocky": ".setup .seat select",
    "/games": ".results > *",
    "/games?view=ratings": ".results > *",
    "/learn": ".summaries li",
    "/learn/blocky": ".learn-page section:last-of-type",
    "/analysis": ".tabs a",
}

# Visible controls smaller than a fingertip; controls within text and dense lists are exempt.
SMALL_CONTROLS = """() => {
  const controls = [...document.querySelectorAll("button, .button, select, input")];
  const isSmall = (e) => {
    const box = e.getBoundingClientRect();
    const exempt = ".visually-hidden, .move-list, .check, .best-moves, .segments, .inline";
    const visible = box.width && e.checkVisibility() && !e.closest(exempt);
    return visible && (box.height < 43.5 || box.width < 43.5);
  };
  return controls.filter(isSmall)
    .map((e) => `${e.outerHTML.slice(0, 90)} ${e.getBoundingClientRect().height}`);
}"""


@pytest.fixture
def phone(new_page):
    return new_page(PHONE, has_touch=True, is_mobile=True, device_scale_factor=2)


def overflow_pixels(page):
    """Returns the width by which the document exceeds the screen."""
    return page.evaluate("() => document.documentElement.scrollWidth - innerWidth")


@pytest.mark.parametrize("path", PAGES)
def test_a_page_fits_the_screen(phone, path):
    phone.goto(path)
    phone.wait_for_selector(PAGES[path], state="attached")
    assert overflow_pixels(phone) <= 0
    assert phone.evaluate(SMALL_CONTROLS) == []


def test_a_game_is_played_by_tapping(phone, any_game):
    start_game(phone, any_game.title)
    rng = random.Random(3)
    while len(listed_moves(phone)) < 6 and play_random_move(phone, rng, phone.touchscreen.tap):
        pass
    assert len(listed_moves(phone)) >= 6 or visible_choices(phone)["over"]
    assert overflow_pixels(phone) <= 0
    assert phone.evaluate(SMALL_CONTROLS) == []
    board = phone.locator(".game-page .board").bounding_box()
    assert board["width"] > 300


def test_a_tap_next_to_a_cell_plays_the_nearest_one(phone):
    start_game(phone, "Sphero")
    x, y = visible_choices(phone)["one_click_moves"][0]
    radius = phone.evaluate(
        "() => document.querySelector('.overlay .one-click').getBoundingClientRect().width / 2"
    )
    anchor = phone.locator(".shapes .anchor").first.bounding_box()
    away = [x - anchor["x"] - anchor["width"] / 2, y - anchor["y"] - anchor["height"] / 2]
    length = (away[0] ** 2 + away[1] ** 2) ** 0.5
    distance = radius * 1.25 + 12  # outside the cell, but within the tolerance
    phone.touchscreen.tap(x + away[0] / length * distance, y + away[1] / length * distance)
    phone.wait_for_function("() => document.querySelectorAll('.move-list li').length >= 1")
