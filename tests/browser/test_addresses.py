"""Addresses that people type: the setup of a game, and what does not exist."""

import pytest

from tests.browser.conftest import PHONE

TABLET = {"width": 820, "height": 1180}

# The bottom of the chosen card and of its row, the top of the setup form, and the window's height.
SETUP_PLACE = """() => {
  const box = (selector) => document.querySelector(selector).getBoundingClientRect();
  return { card: box(".card.chosen").bottom, setup: box(".setup").top, window: innerHeight };
}"""


def test_an_address_opens_the_setup_of_its_game(page):
    page.goto("/new/quorum")
    page.get_by_role("heading", name="Play Quorum").wait_for()


@pytest.mark.parametrize("path", ["/nowhere", "/new/nothing"])
def test_an_unknown_address_is_a_page(page, path):
    response = page.goto(path)
    assert response.status == 404
    page.get_by_role("heading", name="Page not found").wait_for()


@pytest.mark.parametrize("viewport", [PHONE, TABLET], ids=["phone", "tablet"])
def test_play_opens_the_setup_under_the_row_of_the_chosen_card(new_page, viewport):
    page = new_page(viewport)
    page.goto("/")
    first = page.locator(".card").first
    first.get_by_role("button", name="Play").click()
    page.wait_for_selector(".setup")
    place = page.evaluate(SETUP_PLACE)
    assert 0 < place["setup"] - place["card"] < 40
    assert 0 <= place["setup"] < place["window"]
    heights = page.evaluate(
        "() => [...document.querySelectorAll('.card')].map(e => e.offsetHeight)"
    )
    assert max(heights) - min(heights) <= 1
