"""Rooms after a reload of the page and after a crash of the server."""

import random
import sqlite3
from contextlib import closing

from tests.browser.room_driver import (
    board_rows,
    listed_moves,
    play_random_move,
    start_game,
    wait_for_moves,
)


def test_a_reload_shows_the_same_board_and_seat(page):
    start_game(page, "Quorum")
    rng = random.Random(8)
    for _ in range(3):
        play_random_move(page, rng)
    page.wait_for_function("() => document.querySelector('.status.your-turn')")
    rows, moves = board_rows(page), listed_moves(page)
    page.reload()
    wait_for_moves(page, len(moves))
    assert (board_rows(page), listed_moves(page)) == (rows, moves)
    assert play_random_move(page, rng)


def test_a_killed_and_restarted_server_has_lost_no_move(server, new_page):
    page, watcher = new_page(), new_page()
    start_game(page, "Onoro", ["me", "me"])
    watcher.goto(page.url)
    watcher.wait_for_selector(".game-page[data-number]")
    rng = random.Random(9)
    for _ in range(4):
        play_random_move(page, rng)
    wait_for_moves(watcher, 4)
    rows = board_rows(page)
    server.kill()
    page.wait_for_selector("#notice:not([hidden])")
    assert "Connection lost" in page.inner_text("#notice")
    server.start()
    page.wait_for_selector("#notice", state="hidden")
    wait_for_moves(page, 4)
    assert board_rows(page) == rows
    for _ in range(3):
        play_random_move(page, rng)
    wait_for_moves(watcher, 7)
    assert board_rows(watcher) == board_rows(page)


def test_a_game_of_other_rules_is_shown_but_cannot_be_continued(server, page):
    players = ["human", "human"]
    made = server.request(
        "/api/rooms", game="blocky", options={"turns": 50}, players=players, moves=["pass"] * 70
    )
    server.kill()
    with closing(sqlite3.connect(server.data / "rooms.sqlite")) as database:
        database.execute("update events set checksum = 1 where room = ?", [made["id"]])
        database.execute("update rooms set rules = 9 where id = ?", [made["id"]])
        database.commit()
    server.start()
    page.goto(f"/room/{made['id']}")
    page.wait_for_selector(".game-page[data-number]")
    sentence = "This game was played by other rules (version 9) and cannot be continued"
    assert sentence in page.inner_text(".status")
    assert board_rows(page)
    assert listed_moves(page) == []
