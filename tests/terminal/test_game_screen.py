"""Playing every game in the terminal app by keys, mouse and typing, and the other actions."""

import threading

import pytest
from textual.geometry import Region

import quincunx as qx
from quincunx.registry import BUILT_IN
from quincunx.terminal.autosave import autosave_path
from quincunx.terminal.board import BoardWidget
from quincunx.terminal.game_screen import GameScreen
from quincunx.terminal.local_game import LocalGame
from tests.terminal.driver import new_game, run_app

every_game = pytest.mark.parametrize("name", BUILT_IN)


@every_game
def test_playing_by_keys(name):
    async def scenario(driver):
        for _ in range(2):
            count = driver.move_count
            move = driver.simple_move()
            await driver.play_by_keys(move)
            seat = driver.screen.local_game.human_seats[0]
            assert driver.match.states[count + 1].last == (seat, move)
            assert driver.move_count >= count + driver.match.game.seats

    run_app(scenario, new_game(name))


@every_game
def test_playing_by_mouse(name):
    async def scenario(driver):
        for _ in range(2):
            count = driver.move_count
            move = driver.simple_move()
            await driver.play_by_mouse(move)
            assert driver.match.states[count + 1].last[1] == move

    run_app(scenario, new_game(name))


@pytest.mark.parametrize("name", ["quorum", "wzlz"])
def test_playing_by_dragging(name):
    async def scenario(driver):
        for _ in range(2):
            count = driver.move_count
            move = driver.simple_move()
            await driver.drag(*driver.selection.click_sequences[move])
            assert driver.match.states[count + 1].last[1] == move

    run_app(scenario, new_game(name))


@every_game
def test_playing_by_typing(name):
    async def scenario(driver):
        move = driver.match.state.moves(driver.screen.local_game.active_seat())[0]
        await driver.type_move(move)
        assert driver.match.states[1].last[1] == move
        assert not driver.screen.query_one("#status-input").has_class("-open")
        assert isinstance(driver.app.focused, BoardWidget)

    run_app(scenario, new_game(name))


@every_game
def test_an_invalid_move_is_reported_and_changes_nothing(name):
    async def scenario(driver):
        before = driver.match.state
        await driver.type_move("xyzzy")
        assert "invalid move" in driver.status
        assert driver.screen.query_one("#status-input").has_class("-open")  # to type again
        await driver.press("escape")
        assert not driver.screen.query_one("#status-input").has_class("-open")
        assert driver.match.state is before

    run_app(scenario, new_game(name))


def test_an_illegal_move_is_reported_with_its_reason():
    async def scenario(driver):
        await driver.type_move("a1b2")
        assert "a1b2 is not legal" in driver.status
        await driver.press("escape")
        await driver.click_name("e5")
        assert "No move starts with e5" in driver.status
        await driver.click_name("a1")
        await driver.click_name("h5")
        assert "No move goes from a1 to h5" in driver.status
        assert driver.selection.picked == ("a1",)
        await driver.click_name("a1", button=3)
        assert driver.selection.picked == ()
        assert driver.move_count == 0

    run_app(scenario, new_game("quorum"))


@every_game
def test_undo_and_redo(name):
    async def scenario(driver):
        await driver.press("u")
        assert "Nothing to undo" in driver.status
        await driver.play_by_keys(driver.simple_move())
        after = driver.match.state
        await driver.press("u")
        assert driver.move_count == 0
        await driver.press("U")
        assert driver.match.state == after
        await driver.press("U")
        assert "Nothing to redo" in driver.status

    run_app(scenario, new_game(name))


@every_game
def test_a_hint_is_a_legal_move_and_gets_the_focus(name):
    async def scenario(driver):
        await driver.press("h")
        move = driver.status.partition("Hint: ")[2].partition(" (")[0].strip()
        names = driver.selection.click_sequences[move]
        on_board = [name for name in names if name in driver.board.picture.boxes]
        assert driver.board.focused_name == (on_board[-1] if on_board else "")

    run_app(scenario, new_game(name))


def test_a_hint_focuses_the_block_and_shows_the_label_of_the_button():
    async def scenario(driver):
        driver.screen.local_game.hint = lambda seat: "cw@"
        await driver.press("h")
        assert "Hint: cw@ (Turn right)" in driver.status
        assert driver.board.focused_name == driver.selection.click_sequences["cw@"][0]

    run_app(scenario, new_game("blocky"))


@pytest.mark.heavy
@every_game
def test_saving_and_loading(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    async def scenario(driver):
        await driver.play_by_keys(driver.simple_move())
        state = driver.match.state
        await driver.press("s", *"g.qx", "enter")
        assert "Saved to" in driver.status
        await driver.play_by_keys(driver.simple_move())
        old_screen = driver.screen
        await driver.press("o", *"g.qx", "enter")
        assert driver.screen is not old_screen
        assert driver.match.state == state
        assert driver.match.players == old_screen.local_game.match.players
        await driver.press("s", *"g.qx", "enter")  # a game may overwrite the file it came from
        assert "Saved to" in driver.status

    run_app(scenario, new_game(name))


def test_other_files_are_not_overwritten_and_unreadable_ones_are_reported(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "p.qx"
    path.write_text("precious")

    async def scenario(driver):
        await driver.press("s", *"p.qx", "enter")
        assert "already exists" in driver.status
        assert path.read_text() == "precious"
        await driver.press("escape", "o", *"no.qx", "enter")
        assert "No such file" in driver.status
        await driver.press("escape", "o", *"p.qx", "enter")
        assert "line 1" in driver.status
        assert driver.move_count == 0

    run_app(scenario, new_game("quorum"), size=(200, 24))


@every_game
def test_the_analysis_is_shown_and_hidden(name):
    async def scenario(driver):
        panel = driver.screen.query_one("#analysis")
        assert not panel.display
        await driver.press("a")
        assert panel.display
        assert panel.size.height > 4
        lines = panel.render_lines(Region(0, 0, *panel.size))
        assert any(line.text.startswith("by ") for line in lines)
        await driver.press("a")
        assert not panel.display

    run_app(scenario, new_game(name), size=(120, 40))


@every_game
def test_flip_turns_the_board_around(name):
    async def scenario(driver):
        await driver.play_by_keys(driver.simple_move())
        before = driver.board.picture
        await driver.press("f")
        assert driver.board.picture.rows != before.rows
        assert driver.board.picture.nested_names == before.nested_names
        await driver.press("f")
        assert driver.board.picture == before

    run_app(scenario, new_game(name))


@every_game
def test_arrow_keys_reach_every_name(name):
    async def scenario(driver):
        assert driver.innermost_names() <= set(driver.keys_to_names())
        await driver.press("right", "right")
        assert driver.innermost_names() <= set(driver.keys_to_names())

    run_app(scenario, new_game(name))


@every_game
@pytest.mark.parametrize("size", [(80, 24), (40, 12)])
def test_the_board_fits_small_terminals(name, size):
    async def scenario(driver):
        await driver.play_by_keys(driver.simple_move())
        picture = driver.board.picture
        assert picture.width <= 80
        if size == (80, 24):
            assert picture.width <= 62
            assert picture.height <= 22
        await driver.press("right", "f", "a", "a", "question_mark", "escape")

    run_app(scenario, new_game(name), size=size)


def test_keys_select_blocks_of_any_level():
    async def scenario(driver):
        deepest = max(driver.board.picture.nested_names, key=lambda names: (len(names), names))
        await driver.focus_name(deepest[0])
        await driver.press("minus")
        assert driver.board.focused_name == deepest[1]
        await driver.press("minus", "minus", "minus", "minus", "minus")
        assert driver.board.focused_name == deepest[-1]
        await driver.press("plus")
        nestings = driver.board.picture.nested_names
        quarters = {nesting[-2] for nesting in nestings if len(nesting) > 1}
        assert driver.board.focused_name in quarters
        before = driver.board.focused_name
        await driver.press("up")
        assert driver.board.focused_name != before
        assert driver.board.focused_name in quarters
        await driver.press("enter")
        assert driver.selection.picked == (driver.board.focused_name,)
        assert set(driver.buttons.names) == driver.selection.next_names
        await driver.press("escape")
        assert driver.selection.picked == ()
        assert driver.buttons.names == ("pass",)

    run_app(scenario, new_game("blocky"))


def test_earlier_positions_can_be_viewed_and_not_played_in():
    async def scenario(driver):
        for _ in range(2):
            await driver.play_by_keys(driver.simple_move())
        await driver.press("tab")
        assert driver.app.focused.id == "move-list"
        await driver.press("left")
        assert driver.screen.viewed_index == 3
        await driver.press("home")
        assert driver.screen.viewed_index == 0
        assert driver.screen.viewed_state == driver.match.states[0]
        await driver.press("right", "right")
        assert driver.screen.viewed_index == 2
        await driver.click_name("a1")
        assert "After move" in driver.status
        assert driver.move_count == 4
        await driver.press("escape")
        assert driver.screen.viewed_index is None
        await driver.press("left_square_bracket")
        assert driver.screen.viewed_index == 3
        await driver.press("right_square_bracket")
        assert driver.screen.viewed_index is None

    run_app(scenario, new_game("quorum"))


def test_bots_reply_to_each_person_where_anyone_may_move():
    async def scenario(driver):
        await driver.play_by_keys(driver.simple_move())
        assert driver.move_count == 4
        assert [state.last[0] for state in driver.match.states[1:]] == [0, 1, 2, 3]

    run_app(scenario, new_game("sphero"))


def test_solo_games_and_games_in_turns():
    async def scenario(driver):
        for _ in range(2):
            count = driver.move_count
            await driver.play_by_keys(driver.simple_move())
            assert driver.move_count == count + driver.match.game.seats

    run_app(scenario, new_game("blocky", players=1, depth=2))
    run_app(scenario, new_game("sphero", players=2, order="turns"))


def test_several_people_place_at_any_time():
    async def scenario(driver):
        assert "Red" in driver.status
        await driver.press("p")
        assert "Brown (bo) places" in driver.status
        await driver.play_by_keys(driver.simple_move())
        assert driver.match.states[1].last[0] == 2
        await driver.type_move("R:" + driver.match.state.moves(0)[0])
        assert driver.match.states[-2].last[0] == 0
        await driver.type_move("Y:" + driver.match.state.moves(1)[0])
        assert "Yellow is played by random" in driver.status

    run_app(scenario, new_game("sphero", "human", "random", "human:bo", players=3))


def test_bots_play_to_the_end_without_an_autosave(tmp_path):
    async def scenario(driver):
        assert driver.match.state.over
        await driver.click_name("1,1")
        assert "over" in driver.status
        await driver.press("h")
        assert "over" in driver.status
        assert not list((tmp_path / "data").glob("**/*.qx"))

    run_app(scenario, new_game("wzlz", "random", rows=3, cols=3))


def test_a_bot_move_chosen_before_an_undo_is_not_played():
    released = threading.Event()

    class SlowPlayer:
        def choose(self, state, seat=None):
            released.wait(10)
            return state.actions(seat)[0]

    async def scenario(driver):
        await driver.type_move_without_waiting("a1e3")
        assert driver.screen.thinking_seat == 1
        await driver.pilot.click(driver.board, offset=(10, 10))
        await driver.pilot.pause()
        assert "Black is thinking" in driver.status
        await driver.pilot.press("u")
        await driver.pilot.pause()
        assert driver.move_count == 0
        released.set()
        await driver.settle()
        assert driver.move_count == 0
        assert driver.screen.thinking_seat is None

    run_app(scenario, LocalGame(qx.Match(qx.game("quorum"), ["human", SlowPlayer()], 1)))


def test_keys_change_the_board_style():
    async def scenario(driver):
        pictures = {driver.board.picture.rows}
        for key in ("c", "c", "m", "m", "l", "t"):
            await driver.press(key)
            pictures.add(driver.board.picture.rows)
        assert len(pictures) >= 5
        assert isinstance(driver.screen, GameScreen)

    run_app(scenario, new_game("wzlz"))


def test_keys_and_rules_are_shown():
    async def scenario(driver):
        await driver.press("question_mark")
        assert not isinstance(driver.screen, GameScreen)
        await driver.press("escape")
        await driver.press("r")
        assert not isinstance(driver.screen, GameScreen)
        await driver.press("escape")
        assert isinstance(driver.screen, GameScreen)

    run_app(scenario, new_game("quorum"))


def test_the_exit_message_says_that_the_game_is_saved():
    async def scenario(driver):
        await driver.play_by_keys(driver.simple_move())
        await driver.press("ctrl+c")

    app = run_app(scenario, new_game("onoro"))
    assert "Your game of Onoro is saved" in app.exit_message


@pytest.mark.parametrize("over", [False, True])
def test_viewing_a_file_does_not_change_the_autosave(over, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    match = qx.Match(qx.game("wzlz", rows=4, cols=4), ["human"], seed=1)
    match.play(match.state.moves(0)[0])
    while over and not match.state.over:
        match.play(match.state.moves(0)[0])
    assert match.state.over == over
    match.record.save("g.qx")

    async def scenario(driver):
        await driver.play_by_keys(driver.simple_move())
        autosave = autosave_path("wzlz").read_text()
        await driver.press("o", *"g.qx", "enter")
        assert driver.match.moves == match.moves
        await driver.press("U")
        assert "Nothing to redo" in driver.status
        await driver.press("left_square_bracket", "q")
        assert autosave_path("wzlz").read_text() == autosave

    assert run_app(scenario, new_game("wzlz")).exit_message == ""
