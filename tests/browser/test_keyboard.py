"""The pages without a mouse and with a screen reader."""

import random

from tests.browser.room_driver import visible_choices, wait_for_moves


def tab_to(page, name):
    """Presses Tab until the element of that name has the focus."""
    for _ in range(60):
        page.keyboard.press("Tab")
        focused = page.evaluate(
            "() => { const e = document.activeElement;"
            " return e.getAttribute('aria-label') || e.textContent; }"
        )
        if focused.strip() == name:
            return
    raise AssertionError(f"Tab never reaches {name}")


def test_a_game_can_be_played_with_the_keyboard_only(page):
    page.goto("/")
    page.get_by_role("button", name="Play Onoro").wait_for()
    tab_to(page, "Play Onoro")
    page.keyboard.press("Enter")
    page.wait_for_selector(".setup")
    tab_to(page, "Start")
    page.keyboard.press("Enter")
    page.wait_for_selector(".game-page[data-number]")
    tab_to(page, "Onoro board")
    rng = random.Random(1)
    for count in (1, 3, 5):
        page.wait_for_selector(".overlay .one-click, [data-action=rematch]")
        if visible_choices(page)["over"]:  # random moves may lose early
            break
        for _ in range(200):
            page.keyboard.press(f"Arrow{rng.choice(('Up', 'Down', 'Left', 'Right'))}")
            page.wait_for_selector(".overlay .outline.focus")
            if "playable" in page.locator("#announcements span").last.inner_text():
                break
        page.keyboard.press("Enter")
        page.wait_for_function(
            "count => document.querySelectorAll('.move-list li').length >= count"
            " || document.querySelector('[data-action=rematch]')",
            arg=count + 1,
        )
    assert " plays " in page.inner_text("#announcements")


def test_blocks_are_selected_and_rotated_with_keys(page):
    page.goto("/?play=blocky")
    page.locator(".setup").get_by_role("button", name="Start").click()
    page.wait_for_selector(".game-page[data-number]")
    page.locator(".game-page .board").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_selector(".outline.selected")
    inner = page.get_attribute(".controls", "data-selected")
    page.keyboard.press("-")
    outer = page.get_attribute(".controls", "data-selected")
    assert inner != outer
    page.keyboard.press("+")
    assert page.get_attribute(".controls", "data-selected") == inner
    for _ in range(6):
        page.keyboard.press("-")
    page.keyboard.press("]")  # rotates the whole board clockwise
    wait_for_moves(page, 2)


def test_the_shortcuts_of_a_room(page):
    page.goto("/?play=quorum")
    page.locator(".setup").get_by_role("button", name="Start").click()
    page.wait_for_selector(".game-page[data-number]")
    page.keyboard.press("/")
    page.keyboard.type("a1c5")
    page.keyboard.press("Enter")
    wait_for_moves(page, 2)
    page.keyboard.press("Escape")
    page.locator("body").click(position={"x": 5, "y": 400})
    page.keyboard.press("Home")
    page.wait_for_function("() => document.querySelector('.status').textContent.includes('Move 0')")
    page.keyboard.press("ArrowRight")
    page.wait_for_function("() => document.querySelector('.status').textContent.includes('Move 1')")
    page.keyboard.press("End")
    page.wait_for_selector(".status.your-turn")
    coordinates = page.locator(".shapes .coordinate").first.text_content()
    page.keyboard.press("f")
    page.wait_for_function(
        "old => document.querySelector('.shapes .coordinate')?.getAttribute('x') !== old",
        arg=coordinates,
    )
    page.keyboard.press("?")
    page.wait_for_selector(".popover.shortcuts")
    assert "take back" in page.inner_text(".popover.shortcuts")
    page.keyboard.press("Escape")
    page.wait_for_selector(".popover.shortcuts", state="detached")
    page.keyboard.press("u")
    page.wait_for_function("() => document.querySelectorAll('.move-list li').length === 0")


def test_the_focused_element_has_a_visible_outline(page):
    page.goto("/")
    page.get_by_role("button", name="Play Onoro").wait_for()
    for _ in range(12):
        page.keyboard.press("Tab")
        width = page.evaluate("() => getComputedStyle(document.activeElement).outlineWidth")
        assert float(width.removesuffix("px")) >= 2


def test_all_controls_have_an_accessible_name(page):
    page.goto("/?play=blocky")
    page.locator(".setup").get_by_role("button", name="Start").click()
    page.wait_for_selector(".game-page[data-number]")
    unnamed = page.evaluate(
        "() => [...document.querySelectorAll('button, a, input, select, textarea')]"
        ".filter((e) => !(e.getAttribute('aria-label') || e.textContent.trim()"
        " || e.labels?.length || e.title)).map((e) => e.outerHTML)"
    )
    assert unnamed == []
