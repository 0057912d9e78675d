"""The lists of games, best scores and ratings."""

import random

from tests.browser.room_driver import play_random_move, start_game


def test_the_lists_show_games_scores_and_ratings(page):
    start_game(page, "Wzlz", options={"Seed": "99"})
    play_random_move(page, random.Random(1))
    page.get_by_role("button", name="End", exact=True).click()
    page.get_by_role("button", name="Yes").click()
    page.get_by_role("link", name="Best scores with this seed").click()
    page.wait_for_selector(".list-page table")
    assert "99" in page.inner_text(".list-page table")
    page.goto("/games")
    for label in ("Running", "Finished", "Best scores", "Ratings"):
        page.get_by_role("button", name=label).click()
        page.wait_for_selector(f'.tab[aria-pressed="true"]:has-text("{label}")')
        page.wait_for_selector(".results > *")
        assert not page.locator(".error:not([hidden])").count()
