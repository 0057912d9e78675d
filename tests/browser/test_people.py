"""Several people at one table, each in a browser of their own."""

import random

from tests.browser.table import begin, board, move, moves, ready, until_moves


def invited(host, person, seat=0):
    """The one who opens the invitation that the host sees."""
    link = host.locator(".invite input").nth(seat).input_value()
    guest = person()
    guest.goto(link)
    guest.wait_for_selector(".table[data-number]")
    return guest


def test_two_people_play_one_watches_and_they_play_again(person):
    host = person()
    begin(host, "Onoro", ["me", "friend"])
    guest = invited(host, person)
    assert "secret" not in guest.url
    host.wait_for_selector(".invite", state="hidden")
    watcher = person()
    watcher.goto(host.url)
    watcher.wait_for_selector(".table[data-number]")
    assert "You are watching" in watcher.inner_text(".status")
    assert watcher.locator("[data-action=resign]").count() == 0

    dice = random.Random(4)
    first, second = (guest, host) if "Your turn" in guest.inner_text(".status") else (host, guest)
    for count in range(1, 7):
        assert move(first if count % 2 else second, dice)
        for page in (host, guest, watcher):
            until_moves(page, count)
    assert board(host) == board(guest) == board(watcher)
    # Nothing can be played by those whose turn it is not.
    assert second.locator(".overlay .single, .shapes .grab").count() == 0
    assert watcher.locator(".overlay .single, .shapes .grab").count() == 0

    second.get_by_role("button", name="Take back").click()
    first.get_by_role("button", name="Let them").click()
    for page in (host, guest, watcher):
        page.wait_for_function("() => document.querySelectorAll('.moves li').length === 5")

    second.get_by_role("button", name="Resign").click()
    second.get_by_role("button", name="Yes").click()
    for page in (first, second):
        page.get_by_role("button", name="Rematch").wait_for()
    assert "resigned" in watcher.inner_text(".status")

    room = host.url
    first.get_by_role("button", name="Rematch").click()
    second.get_by_role("button", name="Rematch").click()
    for page in (first, second):
        page.wait_for_function("room => location.href !== room", arg=room)
        page.wait_for_selector(".table[data-number]")
    assert host.url == guest.url
    # The seats are turned: each has the colour of the other.
    playing = [page for page in (first, second) if "Your turn" in page.inner_text(".status")]
    assert len(playing) == 1
    assert move(playing[0], dice)


def test_the_far_side_sees_the_board_from_there_also_when_looking_back(person):
    host = person()
    begin(host, "Quorum", ["me", "friend"])
    guest = invited(host, person)
    corner = "() => document.querySelector('.shapes [data-cell=a1]').getBoundingClientRect().y"
    assert guest.evaluate(corner) < host.evaluate(corner)
    move(host, random.Random(3))
    until_moves(guest, 1)
    above = guest.evaluate(corner)
    guest.get_by_role("button", name="To the start").click()
    guest.wait_for_function("() => document.querySelector('.status').innerText.includes('Move 0')")
    assert guest.evaluate(corner) == above


def test_two_at_one_machine_take_back_the_last_move(page):
    begin(page, "Quorum", ["me", "me"])
    dice = random.Random(6)
    for count in (1, 2, 3):
        move(page, dice)
        until_moves(page, count)
    page.get_by_role("button", name="Take back").click()
    page.wait_for_function("() => document.querySelectorAll('.moves li').length === 2")


def test_a_wrong_invitation_takes_nothing_away(person):
    host = person()
    begin(host, "Onoro", ["me", "me"])
    room = host.url
    host.goto("about:blank")
    host.goto(f"{room}#seat=0&secret=nonsense")
    host.wait_for_selector(".table[data-number]")
    assert "not valid" in host.inner_text("#notice")
    assert "nonsense" not in host.url
    assert move(host, random.Random(1))


def test_everyone_places_at_any_time(person):
    host = person()
    begin(host, "Sphero", ["me", "friend"], options={"Players": "2"})
    guest = invited(host, person)
    dice = random.Random(6)
    spots = [dice.choice(ready(page)["plays"]) for page in (host, guest)]
    for page, spot in zip((host, guest), spots, strict=True):
        page.mouse.click(*spot)
    for page in (host, guest):
        until_moves(page, 2 if spots[0] != spots[1] else 1)
    for _ in range(4):
        move(host, dice)
        move(guest, dice)
    count = len(moves(host))
    assert count >= 9
    until_moves(guest, count)
    host.wait_for_timeout(300)
    assert board(host) == board(guest)


def test_names_are_only_text(person):
    host = person()
    host.goto("/")
    host.get_by_role("button", name="Settings").click()
    host.get_by_label("Your name").fill("<img src=x onerror=alert(1)>")
    host.keyboard.press("Tab")
    host.keyboard.press("Escape")
    begin(host, "Quorum", ["me", "friend"])
    guest = invited(host, person)
    assert "<img src=x" in guest.inner_text(".players")
    assert guest.locator(".players img").count() == 0


def test_a_room_that_is_not_there_is_told_in_a_sentence(page):
    page.goto("/room/nobodyknows")
    page.wait_for_selector(".error:not([hidden])")
    assert page.get_by_role("link", name="To the front page").is_visible()
