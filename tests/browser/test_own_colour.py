"""A game in which each player has a colour: one's own one, and what a move has caused."""

from tests.browser.room_driver import open_room

OPTIONS = {"players": 2}
UNBALANCED = ("A../RYR", "2,-2")  # a position, and a placement after which the board turns
CHAIN = ("..Y/.RY/RA./RY./RY.", "-1,1")


def open_position(page, server, position):
    """Opens a room in which the page plays both seats, of which the first is chosen."""
    room = server.request(
        "/api/rooms", game="sphero", players=["human"] * 2, options=OPTIONS, start=position
    )
    page.goto("/learn")
    page.evaluate(
        "([id, mine]) => localStorage.setItem('rooms', JSON.stringify({[id]: {mine, others: {}}}))",
        [room["id"], room["secrets"]],
    )
    page.goto(f"/room/{room['id']}")
    page.wait_for_selector(".overlay .dot.one-click")


def place(page, cell):
    box = page.locator(f'.shapes [data-cell="{cell}"]').first.bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


def colour_of(page, selector, name):
    return page.locator(selector).first.evaluate("(e, name) => getComputedStyle(e)[name]", name)


def test_targets_carry_the_own_colour_and_vanish_while_the_board_turns(page, server):
    page.emulate_media(reduced_motion="no-preference")
    open_position(page, server, UNBALANCED[0])
    assert "You are Red." in page.inner_text(".status")
    red = colour_of(page, ".player.own .seat-disc", "backgroundColor")
    assert colour_of(page, ".overlay .dot.one-click", "fill") == red
    place(page, UNBALANCED[1])
    page.wait_for_function(
        "() => { const marks = document.querySelector('.board.animating .destinations');"
        " return marks && getComputedStyle(marks).visibility === 'hidden'; }"
    )
    page.wait_for_selector(".board:not(.animating) .dot.one-click")
    page.get_by_label("play as").nth(1).check()
    page.wait_for_function(
        "() => document.querySelector('.status').textContent.includes('You are Yellow.')"
    )
    yellow = colour_of(page, ".player.own:nth-child(2) .seat-disc", "backgroundColor")
    assert colour_of(page, ".overlay .dot.one-click", "fill") == yellow != red


def test_what_a_move_has_caused_is_shown_and_announced(page, server):
    for (position, cell), text in (
        (UNBALANCED, "Unbalanced: the board turns."),
        (CHAIN, "Five in a chain."),
    ):
        open_position(page, server, position)
        place(page, cell)
        page.wait_for_function(
            "text => document.querySelector('.status .effects')?.textContent.includes(text)",
            arg=text,
        )
        assert text in page.text_content("#announcements")


def test_a_game_in_turns_has_no_second_sentence_for_several_own_seats(page, server):
    open_room(page, server, "quorum")
    assert page.locator(".status .own-colour").count() == 0
