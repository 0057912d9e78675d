"""Every game played in the terminal app: by keys, by mouse, by typing, and what one asks for."""

import threading

import pytest
from textual.geometry import Region

import quincunx as qx
from quincunx.registry import GAMES
from quincunx.terminal.autosave import autosave_path
from quincunx.terminal.board import Board
from quincunx.terminal.game_screen import GameScreen
from quincunx.terminal.local_game import LocalGame
from tests.terminal.driver import at_table, local_game

every_game = pytest.mark.parametrize("name", GAMES)


@every_game
def test_played_by_keys(name):
    async def scenario(table):
        for _ in range(2):
            played = table.screen.local_game.played
            move = table.simple_move()
            await table.play_by_keys(move)
            assert table.match.states[played + 1].last == (table.screen.local_game.persons[0], move)
            assert table.screen.local_game.played >= played + table.match.game.seats

    at_table(scenario, local_game(name))


@every_game
def test_played_by_mouse(name):
    async def scenario(table):
        for _ in range(2):
            played = table.screen.local_game.played
            move = table.simple_move()
            await table.play_by_mouse(move)
            assert table.match.states[played + 1].last[1] == move

    at_table(scenario, local_game(name))


@pytest.mark.parametrize("name", ["quorum", "wzlz"])
def test_played_by_dragging(name):
    async def scenario(table):
        for _ in range(2):
            played = table.screen.local_game.played
            move = table.simple_move()
            await table.drag(*table.screen.hand.ways[move])
            assert table.match.states[played + 1].last[1] == move

    at_table(scenario, local_game(name))


@every_game
def test_played_by_typing(name):
    async def scenario(table):
        move = table.match.state.moves(table.screen.local_game.seat())[0]
        await table.type(move)
        assert table.match.states[1].last[1] == move
        assert not table.screen.query_one("#line").has_class("-open")
        assert isinstance(table.app.focused, Board)

    at_table(scenario, local_game(name))


@every_game
def test_what_cannot_be_played_is_told_and_changes_nothing(name):
    async def scenario(table):
        before = table.match.state
        await table.type("xyzzy")
        assert "invalid move" in table.status
        assert table.screen.query_one("#line").has_class("-open")  # to be typed again
        await table.press("escape")
        assert not table.screen.query_one("#line").has_class("-open")
        assert table.match.state is before

    at_table(scenario, local_game(name))


def test_an_illegal_move_is_told_with_its_reason():
    async def scenario(table):
        await table.type("a1b2")
        assert table.status.startswith(" a1b2 is not legal") or "not legal" in table.status
        await table.press("escape")
        await table.click("e5")
        assert "No move begins with e5" in table.status
        await table.click("a1")
        await table.click("h5")
        assert "No move goes from a1 to h5" in table.status
        assert table.screen.hand.picked == ("a1",)
        await table.click("a1", button=3)
        assert table.screen.hand.picked == ()
        assert table.screen.local_game.played == 0

    at_table(scenario, local_game("quorum"))


@every_game
def test_taking_back_and_playing_again(name):
    async def scenario(table):
        await table.press("u")
        assert "nothing to take back" in table.status
        await table.play_by_keys(table.simple_move())
        after = table.match.state
        await table.press("u")
        assert table.screen.local_game.played == 0
        await table.press("U")
        assert table.match.state == after
        await table.press("U")
        assert "nothing to play again" in table.status

    at_table(scenario, local_game(name))


@every_game
def test_a_hint_is_a_legal_move_and_has_the_focus(name):
    async def scenario(table):
        await table.press("h")
        move = table.status.partition("Hint: ")[2].partition(" (")[0].strip()
        seen = [one for one in table.screen.hand.ways[move] if one in table.board.picture.boxes]
        assert table.board.name_focused == (seen[-1] if seen else "")

    at_table(scenario, local_game(name))


def test_a_hint_points_at_the_block_and_says_what_its_button_says():
    async def scenario(table):
        table.screen.local_game.hint = lambda seat: "cw@"
        await table.press("h")
        assert "Hint: cw@ (Turn right)" in table.status
        assert table.board.name_focused == table.screen.hand.ways["cw@"][0]

    at_table(scenario, local_game("blocky"))


@every_game
def test_saving_and_loading(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    async def scenario(table):
        await table.play_by_keys(table.simple_move())
        state = table.match.state
        await table.press("s", *"g.qx", "enter")
        assert "Saved to" in table.status
        await table.play_by_keys(table.simple_move())
        first = table.screen
        await table.press("o", *"g.qx", "enter")
        assert table.screen is not first
        assert table.match.state == state
        assert table.match.players == first.local_game.match.players
        await table.press("s", *"g.qx", "enter")  # its own file is written over
        assert "Saved to" in table.status

    at_table(scenario, local_game(name))


def test_a_file_of_others_is_not_written_over_and_a_missing_one_not_read(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "p.qx"
    path.write_text("precious")

    async def scenario(table):
        await table.press("s", *"p.qx", "enter")
        assert "exists already" in table.status
        assert path.read_text() == "precious"
        await table.press("escape", "o", *"no.qx", "enter")
        assert "No such file" in table.status
        await table.press("escape", "o", *"p.qx", "enter")
        assert "line 1" in table.status
        assert table.screen.local_game.played == 0

    at_table(scenario, local_game("quorum"), size=(200, 24))


@every_game
def test_analysis_comes_and_goes(name):
    async def scenario(table):
        thoughts = table.screen.query_one("#thoughts")
        assert not thoughts.display
        await table.press("a")
        assert thoughts.display
        assert thoughts.size.height > 4
        lines = thoughts.render_lines(Region(0, 0, *thoughts.size))
        assert any(line.text.startswith("by ") for line in lines)
        await table.press("a")
        assert not thoughts.display

    at_table(scenario, local_game(name), size=(120, 40))


@every_game
def test_flipping_turns_the_picture(name):
    async def scenario(table):
        await table.play_by_keys(table.simple_move())
        before = table.board.picture
        await table.press("f")
        assert table.board.picture.rows != before.rows
        assert table.board.picture.nested_names == before.nested_names
        await table.press("f")
        assert table.board.picture == before

    at_table(scenario, local_game(name))


@every_game
def test_every_name_is_reached_by_arrows(name):
    async def scenario(table):
        assert table.innermost() <= set(table.paths())
        await table.press("right", "right")
        assert table.innermost() <= set(table.paths())

    at_table(scenario, local_game(name))


@every_game
@pytest.mark.parametrize("size", [(80, 24), (40, 12)])
def test_the_board_fits_small_terminals(name, size):
    async def scenario(table):
        await table.play_by_keys(table.simple_move())
        picture = table.board.picture
        assert picture.width <= 80
        if size == (80, 24):
            assert picture.width <= 62
            assert picture.height <= 22
        await table.press("right", "f", "a", "a", "question_mark", "escape")

    at_table(scenario, local_game(name), size=size)


def test_a_block_of_any_level_is_chosen_by_keys_and_wheel():
    async def scenario(table):
        deep = max(table.board.picture.nested_names, key=lambda names: (len(names), names))
        await table.go_to(deep[0])
        await table.press("minus")
        assert table.board.name_focused == deep[1]
        await table.press("minus", "minus", "minus", "minus", "minus")
        assert table.board.name_focused == deep[-1]
        await table.press("plus")
        quarters = {stack[-2] for stack in table.board.picture.nested_names if len(stack) > 1}
        assert table.board.name_focused in quarters
        before = table.board.name_focused
        await table.press("up")
        assert table.board.name_focused != before
        assert table.board.name_focused in quarters
        await table.press("enter")
        assert table.screen.hand.picked == (table.board.name_focused,)
        names = table.screen.query_one("#buttons").names
        assert set(names) == table.screen.hand.next
        await table.press("escape")
        assert table.screen.hand.picked == ()
        assert table.screen.query_one("#buttons").names == ("pass",)

    at_table(scenario, local_game("blocky"))


def test_the_past_is_looked_at_and_left():
    async def scenario(table):
        for _ in range(2):
            await table.play_by_keys(table.simple_move())
        await table.press("tab")
        assert table.app.focused.id == "moves"
        await table.press("left")
        assert table.screen.viewed == 3
        await table.press("home")
        assert table.screen.viewed == 0
        assert table.screen.state == table.match.states[0]
        await table.press("right", "right")
        assert table.screen.viewed == 2
        await table.click("a1")
        assert "past" in table.status or "After move" in table.status
        assert table.screen.local_game.played == 4
        await table.press("escape")
        assert table.screen.viewed is None
        await table.press("left_square_bracket")
        assert table.screen.viewed == 3
        await table.press("right_square_bracket")
        assert table.screen.viewed is None

    at_table(scenario, local_game("quorum"))


def test_where_anyone_may_move_bots_follow_each_person():
    async def scenario(table):
        await table.play_by_keys(table.simple_move())
        assert table.screen.local_game.played == 4
        assert [state.last[0] for state in table.match.states[1:]] == [0, 1, 2, 3]

    at_table(scenario, local_game("sphero"))


def test_alone_or_in_turns():
    async def scenario(table):
        for _ in range(2):
            played = table.screen.local_game.played
            await table.play_by_keys(table.simple_move())
            assert table.screen.local_game.played == played + table.match.game.seats

    at_table(scenario, local_game("blocky", players=1, depth=2))
    at_table(scenario, local_game("sphero", players=2, order="turns"))


def test_several_people_place_at_any_time():
    async def scenario(table):
        assert "Red" in table.status
        await table.press("p")
        assert "Brown (bo) places" in table.status
        await table.play_by_keys(table.simple_move())
        assert table.match.states[1].last[0] == 2
        await table.type("R:" + table.match.state.moves(0)[0])
        assert table.match.states[-2].last[0] == 0
        await table.type("Y:" + table.match.state.moves(1)[0])
        assert "Yellow is played by random" in table.status

    at_table(scenario, local_game("sphero", "human", "random", "human:bo", players=3))


def test_bots_alone_play_to_the_end_and_nothing_is_kept(tmp_path):
    async def scenario(table):
        assert table.match.state.over
        await table.click("1,1")
        assert "over" in table.status
        await table.press("h")
        assert "over" in table.status
        assert not list((tmp_path / "data").glob("**/*.qx"))

    at_table(scenario, local_game("wzlz", "random", rows=3, cols=3))


def test_a_late_choice_of_a_bot_is_dropped():
    """A person takes back while the bot thinks: what it chose then is not played."""
    free = threading.Event()

    class Slow:
        def choose(self, state, seat=None):
            free.wait(10)
            return state.actions(seat)[0]

    async def scenario(table):
        await table.type_without_waiting("a1e3")
        assert table.screen.thinking == 1
        await table.pilot.click(table.board, offset=(10, 10))
        await table.pilot.pause()
        assert "Black is thinking" in table.status
        await table.pilot.press("u")
        await table.pilot.pause()
        assert table.screen.local_game.played == 0
        free.set()
        await table.settle()
        assert table.screen.local_game.played == 0
        assert table.screen.thinking is None

    at_table(scenario, LocalGame(qx.Match(qx.game("quorum"), ["human", Slow()], 1)))


def test_looks_can_be_changed():
    async def scenario(table):
        seen = {table.board.picture.rows}
        for key in ("c", "c", "m", "m", "l", "t"):
            await table.press(key)
            seen.add(table.board.picture.rows)
        assert len(seen) >= 5
        assert isinstance(table.screen, GameScreen)

    at_table(scenario, local_game("wzlz"))


def test_keys_and_rules_are_shown():
    async def scenario(table):
        await table.press("question_mark")
        assert not isinstance(table.screen, GameScreen)
        await table.press("escape")
        await table.press("r")
        assert not isinstance(table.screen, GameScreen)
        await table.press("escape")
        assert isinstance(table.screen, GameScreen)

    at_table(scenario, local_game("quorum"))


def test_quitting_keeps_the_game():
    async def scenario(table):
        await table.play_by_keys(table.simple_move())
        await table.press("ctrl+c")

    app = at_table(scenario, local_game("onoro"))
    assert "Onoro is kept" in app.farewell


@pytest.mark.parametrize("over", [False, True])
def test_looking_at_a_file_leaves_the_kept_game_alone(over, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    match = qx.Match(qx.game("wzlz", rows=4, cols=4), ["human"], seed=1)
    match.play(match.state.moves(0)[0])
    while over and not match.state.over:
        match.play(match.state.moves(0)[0])
    assert match.state.over == over
    match.record.save("g.qx")

    async def scenario(table):
        await table.play_by_keys(table.simple_move())
        kept = autosave_path("wzlz").read_text()
        await table.press("o", *"g.qx", "enter")
        assert table.match.moves == match.moves
        await table.press("U")
        assert "nothing to play again" in table.status
        await table.press("left_square_bracket", "q")
        assert autosave_path("wzlz").read_text() == kept

    assert at_table(scenario, local_game("wzlz")).farewell == ""
