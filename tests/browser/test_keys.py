"""Everything without a mouse, and for those who listen."""

import random

from tests.browser.table import seen, until_moves


def tab_to(page, name):
    """Presses Tab until something of that name has the focus."""
    for _ in range(60):
        page.keyboard.press("Tab")
        said = page.evaluate(
            "() => { const e = document.activeElement;"
            " return e.getAttribute('aria-label') || e.textContent; }"
        )
        if said.strip() == name:
            return
    raise AssertionError(f"Tab never comes to {name}")


def test_a_game_by_keyboard_alone(page):
    page.goto("/")
    page.get_by_role("button", name="Play Onoro").wait_for()
    tab_to(page, "Play Onoro")
    page.keyboard.press("Enter")
    page.wait_for_selector(".setup")
    tab_to(page, "Start")
    page.keyboard.press("Enter")
    page.wait_for_selector(".table[data-number]")
    tab_to(page, "Onoro board")
    dice = random.Random(1)
    for count in (1, 3, 5):
        page.wait_for_selector(".overlay .single, [data-action=rematch]")
        if seen(page)["over"]:  # walking by chance, one may well lose
            break
        for _ in range(200):
            page.keyboard.press(f"Arrow{dice.choice(('Up', 'Down', 'Left', 'Right'))}")
            page.wait_for_selector(".overlay .outline.focus")
            if "can be played" in page.locator("#say span").last.inner_text():
                break
        page.keyboard.press("Enter")
        page.wait_for_function(
            "count => document.querySelectorAll('.moves li').length >= count"
            " || document.querySelector('[data-action=rematch]')",
            arg=count + 1,
        )
    assert " plays " in page.inner_text("#say")


def test_blocks_are_chosen_and_turned_by_keys(page):
    page.goto("/?play=blocky")
    page.locator(".setup").get_by_role("button", name="Start").click()
    page.wait_for_selector(".table[data-number]")
    page.locator(".table .board").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_selector(".outline.picked")
    inner = page.get_attribute(".controls", "data-picked")
    page.keyboard.press("-")
    outer = page.get_attribute(".controls", "data-picked")
    assert inner != outer
    page.keyboard.press("+")
    assert page.get_attribute(".controls", "data-picked") == inner
    for _ in range(6):
        page.keyboard.press("-")
    page.keyboard.press("]")  # the whole board turns to the right
    until_moves(page, 2)


def test_the_keys_of_a_game(page):
    page.goto("/?play=quorum")
    page.locator(".setup").get_by_role("button", name="Start").click()
    page.wait_for_selector(".table[data-number]")
    page.keyboard.press("/")
    page.keyboard.type("a1c5")
    page.keyboard.press("Enter")
    until_moves(page, 2)
    page.keyboard.press("Escape")
    page.locator("body").click(position={"x": 5, "y": 400})
    page.keyboard.press("Home")
    page.wait_for_function("() => document.querySelector('.status').textContent.includes('Move 0')")
    page.keyboard.press("ArrowRight")
    page.wait_for_function("() => document.querySelector('.status').textContent.includes('Move 1')")
    page.keyboard.press("End")
    page.wait_for_selector(".status.yours")
    coordinates = page.locator(".shapes .coordinate").first.text_content()
    page.keyboard.press("f")
    page.wait_for_function(
        "was => document.querySelector('.shapes .coordinate')?.getAttribute('x') !== was",
        arg=coordinates,
    )
    page.keyboard.press("?")
    page.wait_for_selector(".sheet.keys")
    assert "take back" in page.inner_text(".sheet.keys")
    page.keyboard.press("Escape")
    page.wait_for_selector(".sheet.keys", state="detached")
    page.keyboard.press("u")
    page.wait_for_function("() => document.querySelectorAll('.moves li').length === 0")


def test_what_has_the_focus_can_be_seen(page):
    page.goto("/")
    page.get_by_role("button", name="Play Onoro").wait_for()
    for _ in range(12):
        page.keyboard.press("Tab")
        width = page.evaluate("() => getComputedStyle(document.activeElement).outlineWidth")
        assert float(width.removesuffix("px")) >= 2


def test_everything_one_can_press_has_a_name(page):
    page.goto("/?play=blocky")
    page.locator(".setup").get_by_role("button", name="Start").click()
    page.wait_for_selector(".table[data-number]")
    nameless = page.evaluate(
        "() => [...document.querySelectorAll('button, a, input, select, textarea')]"
        ".filter((e) => !(e.getAttribute('aria-label') || e.textContent.trim()"
        " || e.labels?.length || e.title)).map((e) => e.outerHTML)"
    )
    assert nameless == []
