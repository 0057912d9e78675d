"""The rules, with examples that can be played."""

import pytest

from quincunx.registry import BUILT_IN


@pytest.mark.parametrize("name", BUILT_IN)
def test_an_example_of_the_rules_plays_and_opens_in_the_analysis(page, name):
    page.goto(f"/learn/{name}")
    page.wait_for_selector(".learn-page h2")
    example = page.locator(".example").first
    example.scroll_into_view_if_needed()
    example.locator(".shapes > *").first.wait_for(state="attached")
    page.get_by_role("button", name="Show").first.click()
    show_again = page.get_by_role("button", name="Show again")
    show_again.wait_for()
    assert not page.locator(".error:not([hidden])").count()
    page.locator(".example", has=show_again).get_by_role("link", name="Try it").click()
    page.wait_for_selector(".game-page.analysis .shapes > *", state="attached")
