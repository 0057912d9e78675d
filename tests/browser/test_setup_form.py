"""The form that starts a game: invalid values are explained beside their fields."""

import re

import pytest

from tests.browser.conftest import PHONE


@pytest.mark.parametrize("viewport", [None, PHONE], ids=["desktop", "phone"])
def test_start_explains_an_invalid_option_in_a_closed_section(new_page, viewport):
    page = new_page(viewport)
    page.goto("/?play=sphero")
    setup = page.locator(".setup")
    setup.get_by_text("Options", exact=True).click()
    players = setup.get_by_label("Players")
    players.fill("9")
    players.blur()
    names = setup.locator(".seat .field > span").all_inner_texts()
    assert len(names) == 6
    assert all(names)
    setup.get_by_text("Options", exact=True).click()
    assert not players.is_visible()

    setup.get_by_role("button", name="Start").click()
    error = setup.locator(".field-error")
    error.wait_for()
    assert error.inner_text() == "Players must be a whole number from 2 to 6."
    assert players.evaluate("field => field === document.activeElement")
    assert players.get_attribute("aria-invalid") == "true"

    players.fill("6")
    assert error.count() == 0
    setup.get_by_role("button", name="Start").click()
    page.wait_for_selector(".game-page[data-number]")
    assert len(page.locator(".players .name").all_inner_texts()) == 6


def test_an_error_of_the_server_is_beside_its_field(page):
    page.goto("/?play=wzlz")
    setup = page.locator(".setup")
    setup.get_by_text("Options", exact=True).click()
    for name in ("rows", "cols"):
        setup.locator(f"[name={name}]").fill("2")
    setup.get_by_role("button", name="Start").click()
    error = setup.locator("label:has([name=initial_balls]) .field-error")
    error.wait_for()
    assert error.inner_text().startswith("Initial balls must be an integer from 1 to 3")


def test_a_length_is_offered_and_the_room_shows_the_progress(page, server):
    page.goto("/?play=sphero")
    setup = page.locator(".setup")
    length = setup.get_by_label("Length")
    assert length.input_value() == "normal"
    limit = setup.locator("[name=limit]")
    assert not limit.is_visible()
    length.select_option("other")
    assert limit.is_visible()
    length.select_option("quick")
    setup.get_by_role("button", name="Start").click()
    page.wait_for_selector(".game-page[data-number]")
    room = server.request(f"/api/rooms/{page.url.rpartition('/')[2]}")
    assert room["options"]["limit"] == 4 * 60
    progress = page.locator(".status .progress")
    progress.wait_for()
    assert re.fullmatch(r"Height \d+ of 20, \d+ of 60 placements each", progress.inner_text())
