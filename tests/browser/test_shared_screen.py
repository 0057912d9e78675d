"""Several seats on one screen, and a screen without a server."""

from tests.browser.room_driver import open_room, start_game, wait_for_turn


def test_the_seat_to_move_is_named_and_has_hint_and_analysis(page, server):
    open_room(page, server, "quorum")
    wait_for_turn(page)
    assert page.inner_text(".status").startswith("White to play")
    assert page.locator(".status .seat-disc").count() == 1
    page.get_by_role("button", name="Hint").click()
    page.wait_for_function("() => document.querySelector('.status').innerText.includes('Hint:')")
    page.get_by_role("button", name="Type move").click()
    page.get_by_label("Move", exact=True).fill("a1e3")
    page.keyboard.press("Enter")
    page.wait_for_function(
        "() => document.querySelector('.status').innerText.startsWith('Black to play')"
    )
    page.get_by_role("button", name="Analyse").click()
    page.wait_for_selector(".best-moves li")


def test_a_typed_move_is_kept_while_the_server_cannot_be_reached(server, page):
    start_game(page, "Quorum", ["me", "level:1"])
    wait_for_turn(page)
    page.get_by_role("button", name="Type move").click()
    field = page.get_by_label("Move", exact=True)
    server.kill()
    try:
        page.wait_for_function(
            "() => document.querySelector('.status').innerText.includes('cannot be reached')"
        )
        field.fill("a1e3")
        field.press("Enter")
        page.get_by_text("Not sent: the server cannot be reached.").wait_for()
        assert field.input_value() == "a1e3"
    finally:
        server.start()
    page.wait_for_function(
        "() => document.querySelector('.status').innerText.startsWith('Your turn')"
    )
    assert not page.get_by_text("Not sent").is_visible()
    assert field.input_value() == "a1e3"
    field.press("Enter")
    page.wait_for_function("() => document.querySelectorAll('.move-list li').length > 0")
