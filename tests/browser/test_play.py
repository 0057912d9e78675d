"""Each game, from the front page to its end or for twenty moves, by clicking."""

import random

import pytest

from tests.browser.table import begin, move, moves, seen

TITLES = {"Sphero": 4, "Onoro": 2, "Blocky": 2, "Wzlz": 1, "Quorum": 2}


@pytest.mark.parametrize("title", TITLES)
def test_a_game_is_played_by_clicking(page, title):
    begin(page, title)
    dice = random.Random(5)
    while len(moves(page)) < 20 and move(page, dice):
        pass
    assert len(moves(page)) >= 20 or seen(page)["over"]
    assert page.locator(".players > .player").count() == TITLES[title]
    assert not page.locator(".error").first.is_visible()


@pytest.mark.parametrize("title", ["Quorum", "Wzlz"])
def test_a_piece_can_be_dragged(page, title):
    begin(page, title)
    dice = random.Random(1)
    for count in range(1, 3):
        page.wait_for_selector(".shapes .grab")
        here = seen(page)
        x, y = dice.choice(here["picks"])
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x + 15, y + 15, steps=3)
        to = dice.choice(seen(page)["targets"])
        page.mouse.move(*to, steps=3)
        page.mouse.up()
        page.wait_for_function(
            "count => document.querySelectorAll('.moves li').length >= count", arg=count
        )
        page.wait_for_function("() => document.querySelector('.table').dataset.number")


def test_the_wheel_chooses_how_large_a_block_is_meant(page):
    begin(page, "Blocky", options={"Seed": "7"})
    x, y = seen(page)["blocks"][0]  # the smallest
    page.mouse.move(x, y)
    page.mouse.click(x, y)
    picked = [page.get_attribute(".controls", "data-picked")]
    for _ in range(3):
        page.wait_for_timeout(120)
        page.mouse.wheel(0, -100)
        page.wait_for_timeout(60)
        picked.append(page.get_attribute(".controls", "data-picked"))
    assert len(picked[0]) > 1
    assert picked[-1] in ("0", "top")
    page.mouse.click(x, y, button="right")
    assert page.get_attribute(".controls", "data-picked") == ""


def test_a_game_alone_has_the_same_chance_for_the_same_seed(person):
    boards = []
    for _ in range(2):
        page = person()
        begin(page, "Wzlz", options={"Seed": "12345"})
        boards.append(page.locator(".board-frame ul").inner_text())
    assert boards[0] == boards[1]


def test_an_engine_gives_a_hint_and_a_move_is_taken_back(page):
    begin(page, "Onoro")
    move(page, random.Random(2))
    page.wait_for_function("() => document.querySelectorAll('.moves li').length >= 2")
    length = len(moves(page))
    page.get_by_role("button", name="Hint").click()
    page.wait_for_selector(".overlay .hint")
    page.get_by_role("button", name="Take back").click()
    page.wait_for_function(
        "length => document.querySelectorAll('.moves li').length < length", arg=length
    )


def test_what_happens_in_between_is_shown_and_ends_as_it_should(person):
    page = person(reduced_motion="no-preference")
    begin(page, "Wzlz", options={"Seed": "7"})
    dice = random.Random(7)
    for _ in range(3):
        move(page, dice)
    shown = page.locator(".shapes > *").count()
    page.reload()
    page.wait_for_selector(".table[data-number]")
    assert page.locator(".shapes > *").count() == shown


def test_an_illegal_move_gets_one_calm_sentence(page):
    begin(page, "Quorum")
    page.keyboard.press("/")
    page.get_by_label("Move", exact=True).fill("a1h8")
    page.keyboard.press("Enter")
    page.wait_for_selector(".side > .error:not([hidden])")
    assert "a1h8" in page.locator(".side > .error").inner_text()
    page.get_by_label("Move", exact=True).fill("a1c5")
    page.keyboard.press("Enter")
    page.wait_for_function("() => document.querySelectorAll('.moves li').length >= 1")
    assert not page.locator(".side > .error").is_visible()
