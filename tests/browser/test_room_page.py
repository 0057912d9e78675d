"""A room: each game played with the mouse, hints, takebacks, clocks, replay and sharing."""

import random

import pytest

from quincunx.contract import WIN_OR_DRAW
from tests.browser.room_driver import (
    board_rows,
    listed_moves,
    open_room,
    play_random_move,
    start_game,
    visible_choices,
    wait_for_moves,
)


def test_a_game_is_played_by_clicking(page, any_game):
    start_game(page, any_game.title)
    rng = random.Random(5)
    while len(listed_moves(page)) < 20 and play_random_move(page, rng):
        pass
    assert len(listed_moves(page)) >= 20 or visible_choices(page)["over"]
    assert page.locator(".players > .player").count() == any_game.seats
    in_picture = any_game.parts.layout.CONTROLS.scoreboard  # each score is shown once
    no_scores = in_picture or any_game.traits.outcome == WIN_OR_DRAW
    assert page.locator(".players .value").count() == (0 if no_scores else any_game.seats)
    assert not page.locator(".error").first.is_visible()


@pytest.mark.parametrize("title", ["Quorum", "Wzlz"])
def test_a_piece_can_be_dragged(page, title):
    start_game(page, title)
    rng = random.Random(1)
    for count in range(1, 3):
        page.wait_for_selector(".shapes .draggable")
        x, y = rng.choice(visible_choices(page)["pieces"])
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x + 15, y + 15, steps=3)
        destination = rng.choice(visible_choices(page)["destinations"])
        page.mouse.move(*destination, steps=3)
        page.mouse.up()
        page.wait_for_function(
            "count => document.querySelectorAll('.move-list li').length >= count", arg=count
        )
        page.wait_for_function("() => document.querySelector('.game-page').dataset.number")


def test_the_wheel_selects_larger_blocks(page):
    start_game(page, "Blocky", options={"Seed": "7"})
    x, y = visible_choices(page)["blocks"][0]  # the smallest
    page.mouse.move(x, y)
    page.mouse.click(x, y)
    selected = [page.get_attribute(".controls", "data-selected")]
    assert len(selected[0]) > 1
    while selected[-1] != "top":
        # Of several wheel events in a short time, as some wheels send them, only the first counts.
        page.mouse.wheel(0, -100)
        current = page.get_attribute(".controls", "data-selected")
        if current != selected[-1]:
            selected.append(current)
    depth = len(selected[0])
    assert selected == [*(selected[0][:length] for length in range(depth, 0, -1)), "top"]
    page.mouse.click(x, y, button="right")
    assert page.get_attribute(".controls", "data-selected") == ""


def test_the_same_seed_gives_the_same_solo_game(new_page):
    boards = []
    for _ in range(2):
        page = new_page()
        start_game(page, "Wzlz", options={"Seed": "12345"})
        boards.append(board_rows(page))
    assert boards[0] == boards[1]


def test_a_hint_is_shown_and_a_move_is_taken_back(page):
    start_game(page, "Onoro")
    play_random_move(page, random.Random(2))
    page.wait_for_function("() => document.querySelectorAll('.move-list li').length >= 2")
    count = len(listed_moves(page))
    page.get_by_role("button", name="Hint").click()
    page.wait_for_selector(".overlay .hint")
    page.get_by_role("button", name="Take back").click()
    page.wait_for_function(
        "count => document.querySelectorAll('.move-list li').length < count", arg=count
    )


def test_animations_end_with_the_same_shapes_as_a_reload(new_page):
    page = new_page(reduced_motion="no-preference")
    start_game(page, "Wzlz", options={"Seed": "7"})
    rng = random.Random(7)
    for _ in range(3):
        play_random_move(page, rng)
    shape_count = page.locator(".shapes > *").count()
    page.reload()
    page.wait_for_selector(".game-page[data-number]")
    assert page.locator(".shapes > *").count() == shape_count


# Collects the texts that rise from the board, and counts the shapes that fade out.
RECORD_ANIMATIONS = """
window.popups = [];
window.fadeOuts = 0;
const { animate } = Element.prototype;
Element.prototype.animate = function (keyframes, options) {
  if (this.classList.contains("score-popup")) popups.push(this.textContent);
  if (keyframes[0].opacity === 0 && keyframes[0].offset === 1) fadeOuts += 1;
  return animate.call(this, keyframes, options);
};
"""


def test_removed_pieces_fade_out_and_show_their_points(new_page, server):
    page = new_page(reduced_motion="no-preference")
    page.add_init_script(RECORD_ANIMATIONS)
    two_lines = "R......../..Y...Y../...Y.Y.../........./...Y.Y.../..Y...Y../G......../....Y...B/"
    open_room(page, server, "wzlz", start=f"{two_lines}......... RGB 10")
    page.keyboard.press("/")
    page.get_by_label("Move", exact=True).fill("7,4>3,4")
    page.keyboard.press("Enter")
    wait_for_moves(page, 1)
    assert page.evaluate("() => [fadeOuts, popups]") == [9, ["+18"]]
    assert page.locator(".shapes > g[data-cell]").count() == 3


def test_an_illegal_typed_move_shows_an_error_until_the_next_move(page):
    start_game(page, "Quorum")
    page.keyboard.press("/")
    page.get_by_label("Move", exact=True).fill("a1h8")
    page.keyboard.press("Enter")
    page.wait_for_selector(".sidebar .error:not([hidden])")
    assert "a1h8" in page.locator(".sidebar .error").inner_text()
    page.get_by_label("Move", exact=True).fill("a1c5")
    page.keyboard.press("Enter")
    page.wait_for_function("() => document.querySelectorAll('.move-list li').length >= 1")
    assert not page.locator(".sidebar .error").is_visible()


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
