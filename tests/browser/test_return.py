"""Coming back: after a reload, and after the server was killed and started again."""

import random

from tests.browser.table import begin, board, move, moves, until_moves


def test_a_reload_shows_the_same_board_and_seat(page):
    begin(page, "Quorum")
    dice = random.Random(8)
    for _ in range(3):
        move(page, dice)
    page.wait_for_function("() => document.querySelector('.status.yours')")
    before, listed = board(page), moves(page)
    page.reload()
    until_moves(page, len(listed))
    assert (board(page), moves(page)) == (before, listed)
    assert move(page, dice)


def test_a_killed_server_comes_back_with_every_move(server, person):
    page, watcher = person(), person()
    begin(page, "Onoro", ["me", "me"])
    watcher.goto(page.url)
    watcher.wait_for_selector(".table[data-number]")
    dice = random.Random(9)
    for _ in range(4):
        move(page, dice)
    until_moves(watcher, 4)
    before = board(page)
    server.kill()
    page.wait_for_selector("#notice:not([hidden])")
    assert "connection" in page.inner_text("#notice")
    server.start()
    page.wait_for_selector("#notice", state="hidden")
    until_moves(page, 4)
    assert board(page) == before
    for _ in range(3):
        move(page, dice)
    until_moves(watcher, 7)
    assert board(watcher) == board(page)
