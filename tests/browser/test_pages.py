"""Learning, lists, analysis, settings, and what is pasted, shared and downloaded."""

import random

import pytest

from tests.browser.table import begin, board, move, moves, seen, until_moves

GAMES = ("sphero", "onoro", "blocky", "wzlz", "quorum")


def test_the_front_page_plays_by_itself_and_rests_when_asked(person):
    page = person(reduced_motion="no-preference")
    page.goto("/")
    page.wait_for_selector(".card:nth-child(5) .shapes > *")
    words = "() => [...document.querySelectorAll('.card .shapes')].map((e) => e.innerHTML).join()"
    before = page.evaluate(words)
    page.wait_for_function(f"before => ({words})() !== before", arg=before)
    still = person()
    still.goto("/")
    still.wait_for_selector(".card:nth-child(5) .shapes > *")
    before = still.evaluate(words)
    still.wait_for_timeout(2500)
    assert still.evaluate(words) == before


@pytest.mark.parametrize("name", GAMES)
def test_rules_are_learnt_by_examples(page, name):
    page.goto(f"/learn/{name}")
    page.wait_for_selector(".learn h2")
    example = page.locator(".example").first
    example.scroll_into_view_if_needed()
    example.locator(".shapes > *").first.wait_for(state="attached")
    page.get_by_role("button", name="Show").first.click()
    again = page.get_by_role("button", name="Again")
    again.wait_for()
    assert not page.locator(".error:not([hidden])").count()
    page.locator(".example", has=again).get_by_role("link", name="Try it").click()
    page.wait_for_selector(".table.analysis .shapes > *", state="attached")


def test_analysis_thinks_and_keeps_variations(page):
    page.goto("/analysis?game=quorum")
    page.wait_for_selector(".opinions li")
    page.wait_for_selector(".overlay .move.best")
    for place in (0, 1):
        page.mouse.click(*seen(page)["picks"][0])
        page.mouse.click(*seen(page)["targets"][place])
        page.wait_for_selector(".tree [aria-current]")
        page.keyboard.press("ArrowLeft")
        page.wait_for_function("() => !document.querySelector('.tree [aria-current]')")
        page.wait_for_selector(".shapes .grab")
    page.wait_for_selector(".tree .variation")
    page.keyboard.press("ArrowRight")
    page.wait_for_url("**moves=**")
    address = page.url
    page.reload()
    page.wait_for_selector(".tree button[aria-current]")
    assert page.url == address


def test_an_exact_verdict_is_told_in_moves(page):
    page.goto("/analysis?game=onoro&start=..W./.WWB/BBB./W... b -2,-1")
    best = page.locator(".opinions li").first
    best.wait_for()
    page.wait_for_function(
        "() => document.querySelector('.opinions').textContent.includes('wins in 1')"
    )
    assert "1,1" in best.inner_text()
    assert page.locator(".value-bar .words").inner_text() == "wins in 1"


def test_a_finished_game_is_looked_through_analysed_and_shared(page):
    begin(page, "Quorum", ["me", "me"])
    dice = random.Random(10)
    for _ in range(4):
        move(page, dice)
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("button", name="Yes").click()
    page.get_by_role("button", name="Find mistakes").click()
    page.wait_for_selector(".found h2, .found p")
    page.get_by_role("button", name="To the start").click()
    page.wait_for_function("() => document.querySelector('.status').textContent.includes('Move 0')")
    page.get_by_role("button", name="Replay").click()
    page.wait_for_function("() => document.querySelector('.status').textContent.includes('Move 1')")
    page.get_by_role("button", name="To the end").click()

    page.get_by_role("button", name="Share").click()
    ended = board(page)
    for words, head in (
        ("Game (.qx)", b"[Game"),
        ("SVG", b"<svg"),
        ("PNG", b"\x89PNG"),
        ("GIF", b"GIF8"),
    ):
        with page.expect_download() as download:
            page.get_by_role("link", name=words, exact=True).click()
        content = download.value.path().read_bytes()
        assert content.startswith(head), (words, content[:40])
        if head == b"[Game":
            record = content.decode()
    position = page.get_by_label("Link to the position").input_value()
    page.get_by_role("button", name="Analyse").click()
    page.wait_for_selector(".tree button[aria-current]")
    assert page.locator(".tree button").count() == 4

    page.goto("/")
    page.get_by_label("Position, game or link").fill(record)
    page.get_by_role("button", name="Open").click()
    page.wait_for_selector(".tree button[aria-current]")
    assert page.locator(".tree button").count() == 4
    page.wait_for_selector(".analysis .shapes > *", state="attached")
    assert board(page) == ended
    assert not page.locator(".analysis .error").is_visible()
    page.goto(position)
    page.wait_for_selector(".analysis .shapes > *", state="attached")


def test_nonsense_is_told_at_the_box(page):
    page.goto("/")
    page.get_by_label("Position, game or link").fill("this is no position")
    page.get_by_role("button", name="Open").click()
    page.wait_for_selector(".paste .error:not([hidden])")


def test_a_game_goes_on_from_any_position(page):
    page.goto("/analysis?game=onoro&moves=-1%2C0")
    page.get_by_role("link", name="Play from here").click()
    page.locator(".setup").get_by_role("button", name="Start").click()
    page.wait_for_selector(".table[data-number]")
    assert len(moves(page)) <= 1


def test_an_analysis_is_drawn_with_its_options(page):
    page.goto("/analysis?game=wzlz&options=rows%3D5%2Ccols%3D4&seed=3")
    page.wait_for_selector(".table.analysis .shapes > *", state="attached")
    assert page.locator(".shapes .cell").count() == 20
    with page.expect_download() as download:
        page.get_by_role("link", name="SVG").click()
    assert download.value.path().read_text().count('class="cell"') == 20


def test_lists_show_games_scores_and_ratings(page):
    begin(page, "Wzlz", options={"Seed": "99"})
    move(page, random.Random(1))
    page.get_by_role("button", name="End", exact=True).click()
    page.get_by_role("button", name="Yes").click()
    page.get_by_role("link", name="Best scores with this seed").click()
    page.wait_for_selector(".list table")
    assert "99" in page.inner_text(".list table")
    page.goto("/games")
    for name in ("Running", "Finished", "Best scores", "Ratings"):
        page.get_by_role("button", name=name).click()
        page.wait_for_selector(f'.tab[aria-pressed="true"]:has-text("{name}")')
        page.wait_for_selector(".rows > *")
        assert not page.locator(".error:not([hidden])").count()


def test_settings_are_kept(page):
    page.goto("/")
    page.get_by_role("button", name="Settings").click()
    page.get_by_label("Dark").check(force=True)
    page.get_by_label("Strong").check(force=True)
    paper = "() => getComputedStyle(document.body).backgroundColor"
    dark = page.evaluate(paper)
    page.reload()
    assert page.evaluate(paper) == dark == "rgb(22, 24, 29)"
    assert page.evaluate("() => document.documentElement.dataset.marks") == "strong"


def test_clocks_run_and_a_game_can_be_paused(page):
    begin(page, "Quorum", ["me", "me"], options={"Clock": "3+2"})
    dice = random.Random(2)
    for count in range(1, 4):
        move(page, dice)
        until_moves(page, count)
    page.wait_for_function(
        "() => document.querySelector('.clock.running')?.textContent.startsWith('2:')"
    )
    page.get_by_role("button", name="Pause").click()
    page.wait_for_function("() => document.querySelector('.status').textContent.includes('paused')")
    assert page.locator(".clock.running").count() == 0
    page.get_by_role("button", name="Go on").click()
    page.wait_for_selector(".clock.running")
