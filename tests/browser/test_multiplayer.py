"""Several people in one room, each in a browser of their own."""

import json
import random
import re

import pytest

from tests.browser.conftest import PHONE
from tests.browser.room_driver import (
    board_rows,
    listed_moves,
    play_random_move,
    start_game,
    wait_for_moves,
    wait_for_number,
    wait_for_turn,
)


def open_invitation(host, new_page, index=0, link=None):
    """Returns a new page that opened one of the invitation links shown to the host."""
    link = link or host.locator(".prompt input").nth(index).input_value()
    guest = new_page()
    guest.goto(link)
    guest.wait_for_selector(".game-page[data-number]")
    return guest


def test_two_players_and_a_spectator_see_moves_takeback_resignation_and_rematch(new_page):
    host = new_page()
    start_game(host, "Onoro", ["me", "friend"])
    guest = open_invitation(host, new_page)
    assert "secret" not in guest.url
    host.wait_for_selector(".prompt", state="hidden")
    spectator = new_page()
    spectator.goto(host.url)
    spectator.wait_for_selector(".game-page[data-number]")
    assert "You are watching" in spectator.inner_text(".status")
    assert spectator.locator("[data-action=resign]").count() == 0

    rng = random.Random(4)
    first, second = (guest, host) if "Your turn" in guest.inner_text(".status") else (host, guest)
    for count in range(1, 7):
        assert play_random_move(first if count % 2 else second, rng)
        for page in (host, guest, spectator):
            wait_for_moves(page, count)
    assert board_rows(host) == board_rows(guest) == board_rows(spectator)
    # Only the player to move has anything to click on the board.
    assert second.locator(".overlay .one-click, .shapes .draggable").count() == 0
    assert spectator.locator(".overlay .one-click, .shapes .draggable").count() == 0

    second.get_by_role("button", name="Take back").click()
    first.get_by_role("button", name="Allow").click()
    for page in (host, guest, spectator):
        page.wait_for_function("() => document.querySelectorAll('.move-list li').length === 5")

    second.get_by_role("button", name="Resign").click()
    second.get_by_role("button", name="Yes").click()
    for page in (first, second):
        page.get_by_role("button", name="Rematch").wait_for()
    assert "resigned" in spectator.inner_text(".status")

    old_url = host.url
    first.get_by_role("button", name="Rematch").click()
    second.get_by_role("button", name="Rematch").click()
    for page in (first, second):
        page.wait_for_function("oldUrl => location.href !== oldUrl", arg=old_url)
        page.wait_for_selector(".game-page[data-number]")
    assert host.url == guest.url
    to_move = [page for page in (first, second) if "Your turn" in page.inner_text(".status")]
    assert len(to_move) == 1
    assert play_random_move(to_move[0], rng)


def test_an_invitation_can_be_used_once(new_page):
    host = new_page()
    start_game(host, "Quorum", ["me", "friend"])
    link = host.locator(".prompt input").input_value()
    guest = open_invitation(host, new_page)
    assert "Black\nyou" in guest.inner_text(".players")
    host.wait_for_function("() => document.querySelector('.prompt').hidden")
    stranger = new_page()
    stranger.goto(link)
    stranger.wait_for_selector(".game-page[data-number]")
    assert "This invitation has been used" in stranger.inner_text("#notice")
    assert "You are watching" in stranger.inner_text(".status")
    # The guest's browser has the seat, also when it opens the link again.
    for address in (guest.url, link):
        guest.goto("about:blank")
        guest.goto(address)
        guest.wait_for_selector(".game-page[data-number]")
        assert "Black\nyou" in guest.inner_text(".players")
        assert not guest.is_visible("#notice")
    # The host is not shown the dead link, even while the guest is away.
    guest.goto("about:blank")
    host.wait_for_function("() => document.querySelector('.players').innerText.includes('offline')")
    assert not host.is_visible(".prompt")
    host.get_by_role("button", name="Share").click()
    assert host.get_by_label("Invitation to play Black").count() == 0


def test_a_seat_is_continued_on_another_device(new_page):
    page = new_page()
    start_game(page, "Quorum", ["me", "level:1"])
    page.get_by_role("button", name="Share").click()
    link = page.get_by_label("Your own link, for another device").input_value()
    phone = new_page(viewport=PHONE)
    phone.goto(link)
    phone.wait_for_selector(".game-page[data-number]")
    assert "White\nyou" in phone.inner_text(".players")
    play_random_move(phone, random.Random(2))
    wait_for_moves(page, 1)
    assert "White\nyou" in page.inner_text(".players")


def hold_confirmations(tabs, order):
    """Makes the tabs send their first `confirm` when each has one to send, in that order."""
    held = {}

    def connect(tab, route):
        server = route.connect_to_server()

        def forward(message):
            if tab in held or json.loads(message)["type"] != "confirm":
                server.send(message)
                return
            held[tab] = (server, message)
            if len(held) == len(tabs):
                for server_of_tab, confirmation in list(held.values())[::order]:
                    server_of_tab.send(confirmation)

        route.on_message(forward)

    for tab in tabs:
        tab.route_web_socket(re.compile("/socket$"), lambda route, tab=tab: connect(tab, route))


def wait_for_seat(page, seat_name):
    page.wait_for_function(
        "name => document.querySelector('.players')?.innerText.includes(`${name}\\nyou`)",
        arg=seat_name,
    )


def check_shared_seat(tabs):
    """All tabs play Black, and go on to do so when they are loaded again."""
    for tab in tabs:
        wait_for_seat(tab, "Black")
        assert "secret" not in tab.url
    for tab in tabs:
        tab.reload()
        tab.wait_for_selector(".game-page[data-number]")
        assert "Black\nyou" in tab.inner_text(".players")
        assert not tab.is_visible("#notice")


@pytest.mark.parametrize("order", [1, -1])
def test_two_tabs_that_were_issued_a_secret_each_share_the_seat(new_page, order):
    host = new_page()
    start_game(host, "Quorum", ["me", "friend"])
    link = host.locator(".prompt input").input_value()
    first = new_page()
    tabs = [first, first.context.new_page()]
    hold_confirmations(tabs, order)
    for tab in tabs:
        tab.goto(link, wait_until="commit")
    check_shared_seat(tabs)
    stranger = new_page()
    stranger.goto(link)
    stranger.wait_for_selector(".game-page[data-number]")
    assert "You are watching" in stranger.inner_text(".status")


def test_six_tabs_that_open_an_invitation_at_once_share_the_seat(new_page):
    """More than the server keeps secrets for one invitation."""
    host = new_page()
    start_game(host, "Quorum", ["me", "friend"])
    link = host.locator(".prompt input").input_value()
    first = new_page()
    tabs = [first, *(first.context.new_page() for _ in range(5))]
    for tab in tabs:
        tab.goto(link, wait_until="commit")
    check_shared_seat(tabs)


# Storage that cannot be written, as in some private windows, or that cannot even be read.
UNUSABLE_STORAGE = {
    "full": "Storage.prototype.setItem = () => { throw new Error('full'); };",
    "blocked": """
        Object.defineProperty(window, 'localStorage', {
            get() { throw new DOMException('blocked', 'SecurityError'); },
        });
    """,
}


def without_storage(page, kind="full"):
    page.add_init_script(UNUSABLE_STORAGE[kind])
    return page


@pytest.mark.parametrize("kind", UNUSABLE_STORAGE)
def test_people_without_storage_play_on_in_their_tabs(new_page, kind):
    host = without_storage(new_page(), kind)
    start_game(host, "Quorum", ["me", "friend"])
    link = host.locator(".prompt input").input_value()
    guest = without_storage(new_page(), kind)
    guest.goto(link)
    wait_for_seat(guest, "Black")  # who sees the board flipped
    corner_y = "() => document.querySelector('.shapes [data-cell=a1]').getBoundingClientRect().y"
    assert guest.evaluate(corner_y) < host.evaluate(corner_y)
    guest.get_by_role("button", name="Flip").click()
    rng = random.Random(7)
    for count, page in enumerate((host, guest, host, guest), 1):
        assert play_random_move(page, rng)
        for each in (host, guest):
            wait_for_moves(each, count)
    # Nothing was confirmed that is lost with the tab, so the link gives the seat again.
    guest.goto("about:blank")
    guest.goto(link)
    wait_for_seat(guest, "Black")
    assert play_random_move(host, rng)
    wait_for_moves(guest, 5)
    assert play_random_move(guest, rng)


def test_a_browser_that_loses_its_seat_goes_on_watching(new_page):
    """A browser that stores nothing plays with the invitation, until another one confirms it."""
    host = new_page()
    start_game(host, "Quorum", ["friend", "me"])
    link = host.locator(".prompt input").input_value()
    private = without_storage(new_page())
    private.goto(link)
    private.wait_for_selector(".game-page[data-number]")
    assert "White\nyou" in private.inner_text(".players")
    open_invitation(host, new_page, link=link)
    private.wait_for_function(
        "() => document.querySelector('.status').innerText.includes('You are watching')"
    )
    assert "another browser" in private.inner_text("#notice")


def test_a_pause_between_people_needs_consent(new_page):
    host = new_page()
    start_game(host, "Quorum", ["me", "friend"])
    guest = open_invitation(host, new_page)
    host.get_by_role("button", name="Pause").click()
    host.get_by_text("You asked to pause the game. Waiting for an answer…").wait_for()
    prompt = guest.locator(".prompt:visible")
    prompt.get_by_text("asks to pause the game").wait_for()
    # The prompt can be answered with the keyboard, and keeps the focus while others play on.
    prompt.get_by_role("button", name="Decline").focus()
    guest.keyboard.press("Enter")
    host.wait_for_function(
        "() => document.querySelector('#notice').innerText.includes('declined the pause')"
    )
    host.get_by_role("button", name="Pause").click()
    guest.get_by_role("button", name="Allow").click()
    for page in (host, guest):
        page.wait_for_function(
            "() => document.querySelector('.status').innerText.includes('The game is paused')"
        )
    guest.get_by_role("button", name="Resume").click()
    host.wait_for_function("() => !document.querySelector('.status').innerText.includes('paused')")
    # A move declines the request.
    guest.get_by_role("button", name="Pause").click()
    host.locator(".prompt:visible").get_by_text("asks to pause the game").wait_for()
    play_random_move(host, random.Random(5))
    host.wait_for_function(
        "() => ![...document.querySelectorAll('.prompt')].some((e) => !e.hidden)"
    )
    wait_for_moves(guest, 1)
    assert "paused" not in guest.inner_text(".status")


def test_the_second_seat_sees_the_board_flipped_in_earlier_positions_too(new_page):
    host = new_page()
    start_game(host, "Quorum", ["me", "friend"])
    guest = open_invitation(host, new_page)
    corner_y = "() => document.querySelector('.shapes [data-cell=a1]').getBoundingClientRect().y"
    assert guest.evaluate(corner_y) < host.evaluate(corner_y)
    play_random_move(host, random.Random(3))
    wait_for_moves(guest, 1)
    before = guest.evaluate(corner_y)
    guest.get_by_role("button", name="Go to start").click()
    guest.wait_for_function("() => document.querySelector('.status').innerText.includes('Move 0')")
    assert guest.evaluate(corner_y) == before


def test_undo_with_two_players_on_one_page_removes_the_last_move(page):
    start_game(page, "Quorum", ["me", "me"])
    rng = random.Random(6)
    for count in (1, 2, 3):
        play_random_move(page, rng)
        wait_for_moves(page, count)
    page.get_by_role("button", name="Take back").click()
    page.wait_for_function("() => document.querySelectorAll('.move-list li').length === 2")


def test_an_invalid_invitation_does_not_replace_stored_seats(new_page):
    host = new_page()
    start_game(host, "Onoro", ["me", "me"])
    url = host.url
    host.goto("about:blank")  # a change of the hash alone would not load the page again
    host.goto(f"{url}#seat=0&secret=nonsense")
    host.wait_for_selector(".game-page[data-number]")
    assert "invalid" in host.inner_text("#notice")
    assert "nonsense" not in host.url
    assert play_random_move(host, random.Random(1))


def test_two_players_move_at_the_same_time(new_page, server):
    host = new_page()
    start_game(host, "Sphero", ["me", "friend"], options={"Players": "2"})
    guest = open_invitation(host, new_page)
    assert "including you" in host.inner_text(".status")
    rng = random.Random(6)
    points = [rng.choice(wait_for_turn(page)["one_click_moves"]) for page in (host, guest)]
    for page, point in zip((host, guest), points, strict=True):
        page.mouse.click(*point)
    for page in (host, guest):
        wait_for_moves(page, 2 if points[0] != points[1] else 1)
    for _ in range(4):
        play_random_move(host, rng)
        play_random_move(guest, rng)
    count = len(listed_moves(host))
    assert count >= 9
    room = server.request(f"/api/rooms/{host.url.rpartition('/')[2]}")
    assert len(room["moves"]) == count
    for page in (host, guest):
        wait_for_number(page, room["number"])
    assert board_rows(host) == board_rows(guest)


def test_markup_in_names_is_shown_as_text(new_page):
    host = new_page()
    host.goto("/")
    host.get_by_role("button", name="Settings").click()
    host.get_by_label("Your name").fill("<img src=x onerror=alert(1)>")
    host.keyboard.press("Tab")
    host.keyboard.press("Escape")
    start_game(host, "Quorum", ["me", "friend"])
    guest = open_invitation(host, new_page)
    assert "<img src=x" in guest.inner_text(".players")
    assert guest.locator(".players img").count() == 0


def test_an_unknown_room_shows_an_error_and_a_link_to_the_front_page(page):
    page.goto("/room/unknownroom")
    page.wait_for_selector(".error:not([hidden])")
    assert page.get_by_role("link", name="Go to the front page").is_visible()
