"""Work on the analysis board is not lost: reload, delete and undo; moves can be typed."""

import json
from itertools import pairwise

from tests.browser.room_driver import open_room


def type_move(page, move):
    """Types a move on the analysis board, and waits until it is shown."""
    field = page.get_by_label("Move", exact=True)
    if not field.is_visible():
        page.keyboard.press("/")
    field.fill(move)
    field.press("Enter")
    marked(page, move)


def marked(page, move):
    """Waits until a move is the current one, and its position is shown."""
    page.wait_for_function(
        "move => document.querySelector('.variation-tree [aria-current]')"
        "?.textContent.endsWith(move)"
        " && decodeURIComponent(location.search.replaceAll('+', ' ')).includes(move)",
        arg=move,
    )


def tree(page):
    return page.locator(".variation-tree button").all_text_contents()


def test_variations_survive_a_reload_and_a_deletion(page):
    page.goto("/analysis?game=quorum")
    page.wait_for_selector(".best-moves li")
    type_move(page, "a1e3")
    type_move(page, "h8f4")
    page.get_by_role("button", name="Previous move").click()
    marked(page, "a1e3")
    page.wait_for_url(lambda url: "h8f4" not in url)
    type_move(page, "h8d6")
    moves = tree(page)
    assert len(moves) == 3
    page.reload()
    marked(page, "h8d6")
    assert tree(page) == moves
    page.get_by_role("button", name="Previous move").click()
    page.wait_for_url(lambda url: "h8d6" not in url)
    page.get_by_role("button", name="Delete").click()
    page.wait_for_function("() => !document.querySelector('.variation-tree button')")
    page.get_by_role("button", name="Undo delete").click()
    marked(page, "a1e3")
    assert tree(page) == moves
    page.keyboard.press("/")
    page.get_by_label("Move", exact=True).fill("h8h9")
    page.keyboard.press("Enter")
    page.wait_for_selector(".error:not([hidden])")
    assert tree(page) == moves


def test_a_variation_of_a_game_is_in_the_address(page, new_page, server):
    players = ["human", "human"]
    room = server.request("/api/rooms", game="quorum", players=players, moves=["a1e3", "h8f4"])
    page.goto(f"/analysis?room={room['id']}&plies=1")
    page.wait_for_selector(".variation-tree [aria-current]")
    page.wait_for_selector(".shapes .draggable")
    type_move(page, "h8d6")
    moves = tree(page)
    other = new_page()
    other.goto(page.url)
    marked(other, "h8d6")
    assert tree(other) == moves


def test_values_are_for_the_first_seat_and_a_decided_position_has_its_result(page):
    page.goto("/analysis?game=onoro&start=..W./.WWB/BBB./W... b -2,-1")
    page.wait_for_function(
        "() => document.querySelector('.value-bar .caption').innerText === 'Black wins in 1'"
    )
    bar = page.locator(".value-bar")
    assert bar.get_attribute("aria-valuenow") == "1.00"  # Black is the first seat
    assert bar.get_attribute("aria-label") == "Value for Black"
    assert ":" not in page.inner_text(".engine-name").replace("Solved:", "")
    page.locator(".best-moves button").first.click()
    page.wait_for_function(
        "() => document.querySelector('.value-bar .caption').innerText === 'Black has won'"
    )
    assert bar.get_attribute("aria-valuenow") == "1.00"  # Black is the first seat


def test_a_solo_game_is_valued_in_points_and_its_hint_follows_the_path(page, server):
    open_room(page, server, "wzlz")
    page.wait_for_selector(".shapes .draggable")
    page.get_by_role("button", name="Hint").click()
    page.wait_for_selector(".overlay .hints .shaft", state="attached")
    path = page.locator(".overlay .hints .shaft").get_attribute("d")
    turns = [part.split() for part in path[1:].split("L")]
    for (x, y), (next_x, next_y) in pairwise(turns):
        assert abs(float(x) - float(next_x)) < 1 or abs(float(y) - float(next_y)) < 1, path
    page.get_by_role("button", name="Analyse").click()
    page.wait_for_function(
        "() => document.querySelector('.value-bar .caption')?.innerText.endsWith(' points')"
    )
    assert "=" not in page.inner_text(".engine-name")


# What a review finds depends on its time, and a move without a path has no arrow.
MISTAKE = {
    **{"plies": 0, "seat": 0, "move": "a1e3", "path": ["a1", "e3"], "value": 0.1, "points": None},
    **{"best": "a2c4", "best_path": ["a2", "c4"], "best_value": 0.3, "best_points": None},
    "clicks": ["a2", "c4"],
}


def replace_mistakes(socket):
    """Passes on all messages of a page's socket, with this one mistake as the review."""
    server = socket.connect_to_server()

    def send(text):
        message = json.loads(text)
        if message["type"] == "mistakes" and message.get("done"):
            text = json.dumps({**message, "moves": [MISTAKE]})
        socket.send(text)

    server.on_message(send)


def test_a_mistake_shows_the_move_and_the_better_one(page, server):
    moves = ["a1e3", "h8f4", "place", "place", "a2c4", "h7f5"]
    page.route_web_socket("**/socket", replace_mistakes)
    room = server.request("/api/rooms", game="quorum", players=["human"] * 2, moves=moves)
    page.goto("/learn")
    page.evaluate(
        "([id, mine]) => localStorage.setItem('rooms', JSON.stringify({[id]: {mine, others: {}}}))",
        [room["id"], room["secrets"]],
    )
    page.goto(f"/room/{room['id']}")
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("button", name="Yes").click()
    page.get_by_role("button", name="Find mistakes").click()
    page.locator(".mistake-list button").first.click()
    page.wait_for_selector(".overlay .arrows .move.mistake", state="attached")
    assert page.locator(".overlay .arrows .move.best").count() == 1
    page.get_by_role("button", name="Back to the game").click()
    page.wait_for_function("() => !document.querySelector('.overlay .arrows .move')")


def test_options_have_labels_for_people(page):
    page.goto("/")
    page.get_by_role("button", name="Play Wzlz", exact=True).click()
    setup = page.locator(".setup")
    setup.get_by_text("Options", exact=True).click()
    text = setup.inner_text()
    assert "Columns" in text
    assert not any(word in text for word in ("Cols", "lines98", "Colors count"))
    choices = setup.locator(".seat select option").all_inner_texts()
    assert not any("=" in choice or ":" in choice.split(": ")[0] for choice in choices)
