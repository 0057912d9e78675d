"""A copied position can be pasted, whatever the options of its game are."""

import pytest

from tests.browser.room_driver import open_room


@pytest.mark.parametrize(
    ("name", "options"),
    [("blocky", {"players": 3, "depth": 2}), ("wzlz", {"rows": 7, "cols": 7})],
    ids=("players", "size"),
)
def test_a_position_with_other_options_is_copied_and_pasted(page, server, name, options):
    seats = options.get("players", 1)
    room = server.request("/api/rooms", game=name, options=options, players=["human"] * seats)
    page.goto(f"/room/{room['id']}")
    page.wait_for_selector(".game-page[data-number]")
    cells = page.locator(".shapes .cell").count()
    page.get_by_role("button", name="Share").click()
    copied = page.get_by_label("Position", exact=True).input_value()
    page.goto("/analysis")
    page.get_by_label("Position, game or link").fill(copied)
    page.get_by_role("button", name="Open").click()
    page.wait_for_selector(".game-page.analysis .shapes > *", state="attached")
    assert page.locator(".shapes .cell").count() == cells
    for option, value in options.items():
        assert f"{option}%3D{value}" in page.url


def test_a_position_with_the_usual_options_is_copied_as_it_is(page, server):
    open_room(page, server, "quorum")
    page.get_by_role("button", name="Share").click()
    copied = page.get_by_label("Position", exact=True).input_value()
    assert copied == "4BBBB/5BBB/6BB/7B/W7/WW6/WWW5/WWWW4 w"
