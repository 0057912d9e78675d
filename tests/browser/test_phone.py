"""The page on a phone: everything fits, and fingers hit what they mean."""

import random

import pytest

from tests.browser.conftest import PHONE
from tests.browser.table import begin, move, moves, seen

PAGES = (
    "/",
    "/?play=blocky",
    "/games",
    "/games?view=ratings",
    "/learn",
    "/learn/blocky",
    "/analysis",
)

# Buttons and links that are seen and too small for a finger; links in running text are text.
SMALL = """() => [...document.querySelectorAll("button, .button, select, input")].filter((e) => {
  const box = e.getBoundingClientRect();
  const text = e.closest(".unseen, .moves, .check, .opinions, .segments, .inline");
  const seen = box.width && e.checkVisibility() && !text;
  return seen && (box.height < 43.5 || box.width < 43.5);
}).map((e) => `${e.outerHTML.slice(0, 90)} ${e.getBoundingClientRect().height}`)"""


@pytest.fixture
def phone(person):
    return person(PHONE, has_touch=True, is_mobile=True, device_scale_factor=2)


def overflow(page):
    return page.evaluate("() => document.documentElement.scrollWidth - innerWidth")


@pytest.mark.parametrize("path", PAGES)
def test_a_page_fits(phone, path):
    phone.goto(path)
    phone.wait_for_selector("main h1, main h2")
    phone.wait_for_timeout(300)
    assert overflow(phone) <= 0
    assert phone.evaluate(SMALL) == []


@pytest.mark.parametrize("title", ["Onoro", "Blocky", "Wzlz"])
def test_a_game_is_played_by_tapping(phone, title):
    begin(phone, title)
    dice = random.Random(3)
    while len(moves(phone)) < 6 and move(phone, dice, phone.touchscreen.tap):
        pass
    assert len(moves(phone)) >= 6 or seen(phone)["over"]
    assert overflow(phone) <= 0
    assert phone.evaluate(SMALL) == []
    board = phone.locator(".table .board").bounding_box()
    assert board["width"] > 300


def test_a_tap_beside_a_cell_means_the_nearest_one(phone):
    begin(phone, "Sphero")
    x, y = seen(phone)["plays"][0]
    radius = phone.evaluate(
        "() => document.querySelector('.overlay .single').getBoundingClientRect().width / 2"
    )
    middle = phone.locator(".shapes .anchor").first.bounding_box()
    away = [x - middle["x"] - middle["width"] / 2, y - middle["y"] - middle["height"] / 2]
    length = (away[0] ** 2 + away[1] ** 2) ** 0.5
    reach = radius * 1.25 + 12  # outside of the cell, but not far
    phone.touchscreen.tap(x + away[0] / length * reach, y + away[1] / length * reach)
    phone.wait_for_function("() => document.querySelectorAll('.moves li').length >= 1")
