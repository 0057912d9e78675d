"""What players ask each other stays visible until it is answered."""

from tests.browser.room_driver import start_game
from tests.browser.test_multiplayer import open_invitation


def test_a_rematch_is_offered_until_it_is_answered(new_page):
    host = new_page()
    start_game(host, "Quorum", ["me", "friend"])
    guest = open_invitation(host, new_page)
    host.get_by_role("button", name="Resign").click()
    host.get_by_role("button", name="Yes").click()
    for accepted in (False, True):
        host.get_by_role("button", name="Rematch").click()
        host.get_by_text("You would like a rematch. Waiting for an answer…").wait_for()
        assert host.get_by_role("button", name="Rematch").count() == 0
        guest.get_by_text("White would like a rematch.", exact=True).wait_for()
        guest.reload()  # it is not a notice that passes
        guest.get_by_text("White would like a rematch.", exact=True).wait_for()
        guest.get_by_role("button", name="Accept" if accepted else "Decline").click()
        if not accepted:
            host.get_by_role("button", name="Rematch").wait_for()
            assert "declined the rematch" in host.inner_text("#notice")
    old_url = f"/room/{host.url.rsplit('/', 1)[1]}"
    for page in (host, guest):
        page.wait_for_url(lambda url: "/room/" in url and not url.endswith(old_url))
    assert host.url == guest.url


def test_where_anyone_may_move_no_takeback_is_offered(page):
    start_game(page, "Sphero")
    page.wait_for_selector("[data-action=resign]")
    live = page.evaluate("() => !document.querySelector('.player.to-move')")
    assert live == (page.locator("[data-action=undo]").count() == 0)
