"""Assisted games: the page says that a game does not count before and after the first help."""

from tests.browser.room_driver import start_game, wait_for_turn


def test_a_hint_marks_the_game_and_it_is_not_among_the_best_scores(page):
    start_game(page, "Wzlz", ["me"])
    wait_for_turn(page)
    hint = page.get_by_role("button", name="Hint")
    assert "not count as a result" in hint.get_attribute("title")
    assert page.locator(".players .assisted").count() == 0
    hint.click()
    page.wait_for_selector(".players .assisted")
    page.wait_for_function("() => document.querySelector('.status').innerText.includes('Hint:')")
    assert "will not count as a result" in page.inner_text("#notice")
    assert "not count" not in hint.get_attribute("title")
    page.reload()
    page.wait_for_selector(".players .assisted")
    page.get_by_role("button", name="End", exact=True).click()
    page.get_by_role("button", name="Yes").click()
    page.get_by_text("This game was assisted and is not among them.").wait_for()


def test_the_analysis_of_a_running_game_marks_it(page):
    start_game(page, "Quorum", ["me", "level:1"])
    wait_for_turn(page)
    page.get_by_role("button", name="Analyse").click()
    page.wait_for_selector(".best-moves li")
    page.get_by_role("link", name="Back to game").click()
    page.wait_for_selector(".players .assisted")
