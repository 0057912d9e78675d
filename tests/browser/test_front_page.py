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
