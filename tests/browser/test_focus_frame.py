"""The frame around the focused element: for the keyboard, not after a click."""

from tests.browser.room_driver import open_room

OUTLINE = """() => {
  const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement);
  return [document.activeElement.getAttribute("class"), outlineStyle, parseFloat(outlineWidth)];
}"""


def test_a_key_after_a_click_shows_no_frame(page, server):
    open_room(page, server, "quorum")
    page.locator(".game-page .board").click(position={"x": 5, "y": 5})
    page.keyboard.press("z")
    name, style, _ = page.evaluate(OUTLINE)
    assert name.split()[0] == "board"
    assert style == "none"
    page.locator("[data-action=flip]").click()
    page.keyboard.press("z")
    assert page.evaluate(OUTLINE)[1] == "none"
    page.keyboard.press("Tab")
    _, style, width = page.evaluate(OUTLINE)
    assert (style, width) == ("solid", 3)


def test_the_frame_of_the_board_is_subtle(page, server):
    open_room(page, server, "quorum")
    page.evaluate("() => document.querySelector('.game-page .board').focus()")
    page.keyboard.press("Tab")
    page.keyboard.press("Shift+Tab")
    name, style, width = page.evaluate(OUTLINE)
    assert (name.split()[0], style) == ("board", "solid")
    assert width < 2
