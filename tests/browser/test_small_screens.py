"""What fits on a phone: results, best scores, targets for fingers and who made a move."""

import pytest

from tests.browser.conftest import PHONE
from tests.browser.room_driver import open_room

# The labels of visible controls that are smaller than a fingertip. The label of a checkbox or
# radio button is pressed too; links within a sentence are text.
SMALL_TARGETS = """() => {
  const pressed = "button, .button, select, input, summary, nav a, td a";
  const controls = [...document.querySelectorAll(pressed)];
  const target = (e) => (e.matches("[type=checkbox], [type=radio]") ? e.closest("label") : e);
  const isSmall = (e) => {
    const { width, height } = e.getBoundingClientRect();
    const visible = width && e.checkVisibility() && !e.closest(".visually-hidden");
    return visible && (height < 43.5 || width < 43.5);
  };
  return controls.map(target).filter(isSmall).map((e) => e.outerHTML.slice(0, 90));
}"""
SCORES = [
    {
        "room": "abcdefghijkl", "name": "someone with a rather long name", "player": "human",
        "score": 12345, "seed": 1234567890123456, "options": {}, "date": "2026-11-17",
    }
]  # fmt: skip


@pytest.fixture
def phone(new_page):
    return new_page(PHONE, has_touch=True, is_mobile=True, device_scale_factor=2)


def play_typed(page, *moves):
    page.locator("[data-action=type]").click()
    for number, move in enumerate(moves, 1):
        page.locator(".move-input input").fill(move)
        page.locator(".move-input button").click()
        page.wait_for_function(
            "count => document.querySelectorAll('.move-list li').length >= count", arg=number
        )


def test_best_scores_fit_a_phone(phone):
    phone.route("**/api/scores?*", lambda route: route.fulfill(json=SCORES))
    phone.goto("/games?view=scores&game=wzlz")
    phone.wait_for_selector("tbody tr")
    table = phone.locator(".table-scroll")
    assert table.evaluate("e => e.scrollWidth - e.clientWidth") == 0
    assert phone.evaluate("() => document.documentElement.scrollWidth - innerWidth") <= 0
    assert phone.evaluate(SMALL_TARGETS) == []


def test_the_winner_is_named_beside_a_long_name(phone, server):
    open_room(phone, server, "quorum")
    phone.locator("[data-action=resign]").click()
    phone.get_by_role("button", name="Yes").click()
    result = phone.locator(".player.won .result")
    result.wait_for()
    phone.evaluate(
        "() => { document.querySelector('.won .name').textContent = 'a very long name, sir' }"
    )
    box, row = result.bounding_box(), phone.locator(".player.won").bounding_box()
    assert result.inner_text() == "won"
    assert box["x"] + box["width"] <= row["x"] + row["width"]


def test_a_move_list_shows_who_moved_and_its_targets_are_large(phone, server):
    open_room(phone, server, "blocky", seats=3, options={"players": 3})
    play_typed(phone, "pass", "pass", "pass")
    discs = phone.locator(".move-list li .seat-disc")
    assert discs.all_inner_texts() == ["1", "2", "3"]
    assert float(discs.first.evaluate("e => parseFloat(getComputedStyle(e).fontSize)")) >= 9
    assert phone.evaluate(SMALL_TARGETS) == []


def test_targets_of_the_analysis_are_large(phone):
    phone.goto("/analysis?game=quorum")
    phone.wait_for_selector(".best-moves button")
    assert phone.evaluate(SMALL_TARGETS) == []


# The space in pixels between the lowest part of a letter and the edge at which it is cut.
SPACE_BELOW = """selector => [...document.querySelectorAll(selector)].map((element) => {
  const range = document.createRange();
  range.selectNodeContents(element);
  return element.getBoundingClientRect().bottom - range.getBoundingClientRect().bottom;
})"""


def test_descenders_of_names_are_not_cut(phone, server):
    open_room(phone, server, "quorum")
    spaces = phone.evaluate(SPACE_BELOW, ".player-info .name")
    assert len(spaces) == 2
    assert min(spaces) >= 1.5
