"""The front page: demo boards and the box to paste into."""

import pytest

# Collects the messages that a page sends.
RECORD_MESSAGES = """
const { send } = WebSocket.prototype;
window.sentMessages = [];
WebSocket.prototype.send = function (text) {
  window.sentMessages.push(JSON.parse(text));
  send.call(this, text);
};
"""


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_demo_boards_move_unless_motion_is_reduced(new_page, motion):
    page = new_page(reduced_motion=motion)
    page.clock.install()
    page.add_init_script(RECORD_MESSAGES)
    page.goto("/")
    page.wait_for_selector(".card:nth-child(5) .shapes > *")
    page.clock.fast_forward(10_000)  # five times the interval between moves
    moved = page.evaluate("() => sentMessages.some(({ moves }) => moves?.length)")
    assert moved == (motion == "no-preference")


def test_an_invalid_paste_shows_an_error_below_the_box(page):
    page.goto("/")
    page.get_by_label("Position, game or link").fill("neither position nor game")
    page.get_by_role("button", name="Open").click()
    page.wait_for_selector(".paste-box .error:not([hidden])")


@pytest.mark.parametrize(("game", "offered"), [("wzlz", True), ("sphero", False)])
def test_a_seed_is_offered_where_something_is_random(page, game, offered):
    page.goto(f"/?play={game}")
    page.locator(".setup summary").click()
    page.get_by_label("Show this game in the public list").wait_for()
    assert page.get_by_label("Seed").count() == offered


def test_an_address_can_open_the_setup_form(page):
    page.goto("/new/onoro")
    page.get_by_role("heading", name="Play Onoro").wait_for()


def test_an_unknown_address_shows_a_page_with_a_link_to_the_front_page(page):
    page.goto("/nowhere")
    page.get_by_role("heading", name="Page not found").wait_for()
    assert page.locator("code").inner_text() == "/nowhere"
    page.get_by_role("link", name="Go to the front page").click()
    page.wait_for_selector(".card:nth-child(5)")
