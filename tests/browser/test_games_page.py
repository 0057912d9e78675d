"""The lists of games, best scores and ratings."""

import random

from tests.browser.room_driver import board_rows, play_random_move, start_game


def end_game(page):
    """Plays a move and ends the game."""
    play_random_move(page, random.Random(1))
    page.get_by_role("button", name="End", exact=True).click()
    page.get_by_role("button", name="Yes").click()


def test_a_game_with_a_chosen_seed_is_not_in_the_best_scores(page):
    start_game(page, "Wzlz", options={"Seed": "99"})
    end_game(page)
    page.get_by_text("This game is not among them.").wait_for()
    page.get_by_role("link", name="Best scores with this seed").click()
    page.get_by_text("No solo game with seed 99 has been finished yet.").wait_for()


def start_game_of_the_day(page):
    page.goto("/?play=wzlz")
    setup = page.locator(".setup")
    setup.locator("details").evaluate("details => { details.open = true; }")
    setup.get_by_label("Game of the day").check()
    assert setup.get_by_label("Seed").is_disabled()
    setup.get_by_role("button", name="Start").click()
    page.wait_for_selector(".game-page[data-number]")


def test_the_first_game_of_the_day_is_in_its_best_scores(page):
    start_game_of_the_day(page)
    rows = board_rows(page)
    end_game(page)
    page.get_by_role("link", name="Best scores of the day").click()
    page.wait_for_selector(".list-page table")
    assert page.get_by_role("link", name="today's").count() == 1
    assert page.locator("tbody tr").count() == 1
    page.get_by_role("button", name="Today's").click()  # shows all scores again
    page.wait_for_selector('button[aria-pressed="false"]:has-text("Today\'s")')
    start_game_of_the_day(page)
    assert board_rows(page) == rows
    assert "not your first game of the day" in page.inner_text("#notice")
    end_game(page)
    page.get_by_text("This game is not among them.").wait_for()


def test_the_lists_show_games_scores_and_ratings(page):
    start_game(page, "Wzlz")
    end_game(page)
    page.get_by_role("link", name="Best scores with this seed").click()
    page.wait_for_selector(".list-page table")
    assert page.get_by_label("Seed").input_value() in page.inner_text(".list-page table")
    page.goto("/games")
    for label in ("Running", "Finished", "Best scores", "Ratings"):
        page.get_by_role("button", name=label).click()
        page.wait_for_selector(f'.tab[aria-pressed="true"]:has-text("{label}")')
        page.wait_for_selector(".results > *")
        assert not page.locator(".error:not([hidden])").count()
