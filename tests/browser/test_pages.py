"""The front page, rules, lists, analysis and settings; pasting, sharing and downloading."""

import random

import pytest

from tests.browser.room_driver import (
    board_rows,
    listed_moves,
    play_random_move,
    start_game,
    visible_choices,
    wait_for_moves,
)

GAMES = ("sphero", "onoro", "blocky", "wzlz", "quorum")


# Collects the messages of a page, and lets a test play its timers.
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


@pytest.mark.parametrize("name", GAMES)
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


def test_the_analysis_lists_best_moves_and_keeps_variations(page):
    page.goto("/analysis?game=quorum")
    page.wait_for_selector(".best-moves li")
    page.wait_for_selector(".overlay .move.best")
    for index in (0, 1):
        page.mouse.click(*visible_choices(page)["pieces"][0])
        page.mouse.click(*visible_choices(page)["destinations"][index])
        page.wait_for_selector(".variation-tree [aria-current]")
        page.keyboard.press("ArrowLeft")
        page.wait_for_function("() => !document.querySelector('.variation-tree [aria-current]')")
        page.wait_for_selector(".shapes .draggable")
    page.wait_for_selector(".variation-tree .variation")
    page.keyboard.press("ArrowRight")
    page.wait_for_url("**moves=**")
    address = page.url
    page.reload()
    page.wait_for_selector(".variation-tree button[aria-current]")
    assert page.url == address


def test_a_solved_position_shows_the_number_of_moves_to_the_win(page):
    page.goto("/analysis?game=onoro&start=..W./.WWB/BBB./W... b -2,-1")
    best = page.locator(".best-moves li").first
    best.wait_for()
    page.wait_for_function(
        "() => document.querySelector('.best-moves').textContent.includes('wins in 1')"
    )
    assert "1,1" in best.inner_text()
    assert page.locator(".value-bar .caption").inner_text() == "wins in 1"


def test_a_finished_game_is_replayed_shared_and_pasted(page):
    start_game(page, "Quorum", ["me", "me"])
    rng = random.Random(10)
    for _ in range(4):
        play_random_move(page, rng)
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("button", name="Yes").click()
    page.get_by_role("button", name="Find mistakes").click()
    page.wait_for_selector(".mistake-results h2, .mistake-results p")
    page.get_by_role("button", name="Go to start").click()
    page.wait_for_function("() => document.querySelector('.status').textContent.includes('Move 0')")
    page.get_by_role("button", name="Replay").click()
    page.wait_for_function("() => document.querySelector('.status').textContent.includes('Move 1')")
    page.get_by_role("button", name="Go to end").click()

    page.get_by_role("button", name="Share").click()
    final_rows = board_rows(page)
    for label, magic in (
        ("Game (.qx)", b"[Game"),
        ("SVG", b"<svg"),
        ("PNG", b"\x89PNG"),
        ("GIF", b"GIF8"),
    ):
        with page.expect_download() as download:
            page.get_by_role("link", name=label, exact=True).click()
        content = download.value.path().read_bytes()
        assert content.startswith(magic), (label, content[:40])
        if magic == b"[Game":
            record = content.decode()
    position_link = page.get_by_label("Link to this position").input_value()
    page.get_by_role("button", name="Analyse").click()
    page.wait_for_selector(".variation-tree button[aria-current]")
    assert page.locator(".variation-tree button").count() == 4

    page.goto("/")
    page.get_by_label("Position, game or link").fill(record)
    page.get_by_role("button", name="Open").click()
    page.wait_for_selector(".variation-tree button[aria-current]")
    assert page.locator(".variation-tree button").count() == 4
    page.wait_for_selector(".analysis .shapes > *", state="attached")
    assert board_rows(page) == final_rows
    assert not page.locator(".analysis .error").is_visible()
    page.goto(position_link)
    page.wait_for_selector(".analysis .shapes > *", state="attached")


def test_an_invalid_paste_shows_an_error_below_the_box(page):
    page.goto("/")
    page.get_by_label("Position, game or link").fill("neither position nor game")
    page.get_by_role("button", name="Open").click()
    page.wait_for_selector(".paste-box .error:not([hidden])")


def test_a_game_can_start_from_an_analysed_position(page):
    page.goto("/analysis?game=onoro&moves=-1%2C0")
    page.get_by_role("link", name="Play from here").click()
    page.locator(".setup").get_by_role("button", name="Start").click()
    page.wait_for_selector(".game-page[data-number]")
    assert len(listed_moves(page)) <= 1


def test_the_analysis_uses_the_options_of_the_address(page):
    page.goto("/analysis?game=wzlz&options=rows%3D5%2Ccols%3D4&seed=3")
    page.wait_for_selector(".game-page.analysis .shapes > *", state="attached")
    assert page.locator(".shapes .cell").count() == 20
    with page.expect_download() as download:
        page.get_by_role("link", name="SVG").click()
    assert download.value.path().read_text().count('class="cell"') == 20


def test_the_lists_show_games_scores_and_ratings(page):
    start_game(page, "Wzlz", options={"Seed": "99"})
    play_random_move(page, random.Random(1))
    page.get_by_role("button", name="End", exact=True).click()
    page.get_by_role("button", name="Yes").click()
    page.get_by_role("link", name="Best scores with this seed").click()
    page.wait_for_selector(".list-page table")
    assert "99" in page.inner_text(".list-page table")
    page.goto("/games")
    for label in ("Running", "Finished", "Best scores", "Ratings"):
        page.get_by_role("button", name=label).click()
        page.wait_for_selector(f'.tab[aria-pressed="true"]:has-text("{label}")')
        page.wait_for_selector(".results > *")
        assert not page.locator(".error:not([hidden])").count()


def test_settings_survive_a_reload(page):
    page.goto("/")
    page.get_by_role("button", name="Settings").click()
    page.get_by_label("Dark").check(force=True)
    page.get_by_label("Strong").check(force=True)
    background = "() => getComputedStyle(document.body).backgroundColor"
    dark = page.evaluate(background)
    page.reload()
    assert page.evaluate(background) == dark == "rgb(22, 24, 29)"
    assert page.evaluate("() => document.documentElement.dataset.marks") == "strong"


def test_a_pause_stops_the_clock(page):
    start_game(page, "Quorum", ["me", "me"], options={"Clock": "3+2"})
    rng = random.Random(2)
    for count in range(1, 4):
        play_random_move(page, rng)
        wait_for_moves(page, count)
    page.wait_for_function(
        "() => document.querySelector('.clock.running')?.textContent.startsWith('2:')"
    )
    # Only colour and weight mark the running clock: its place and size stay.
    display = (
        "() => [...document.querySelectorAll('.clock')].map((e) => getComputedStyle(e).display)"
    )
    assert len(set(page.evaluate(display))) == 1
    page.get_by_role("button", name="Pause").click()
    page.wait_for_function("() => document.querySelector('.status').textContent.includes('paused')")
    assert page.locator(".clock.running").count() == 0
    page.get_by_role("button", name="Resume").click()
    page.wait_for_selector(".clock.running")
