"""The setup screen: games, players, options, unfinished games, files."""

import pytest
from textual.widgets import Input, Markdown, Select, Static

import quincunx as qx
from quincunx import registry
from quincunx.options import Option
from quincunx.registry import BUILT_IN
from quincunx.terminal.game_screen import GameScreen
from quincunx.terminal.setup_screen import (
    OTHER_PLAYER,
    GameForm,
    OptionRow,
    PlayerRow,
    SetupScreen,
)
from tests.more_games import LONG_TITLE
from tests.terminal.driver import new_game, run_app
from tests.toy_game import make_game


def selected_players(driver):
    return [row.player for row in driver.screen.query(PlayerRow)]


def option_row(driver, name):
    return next(row for row in driver.screen.query(OptionRow) if row.option.name == name)


@pytest.mark.parametrize("name", BUILT_IN)
def test_every_game_can_be_started(name):
    async def scenario(driver):
        await driver.press(*["down"] * list(BUILT_IN).index(name))
        assert driver.screen.query_one(GameForm).game.name == name
        await driver.press("enter")
        assert isinstance(driver.screen, GameScreen)
        assert driver.match.game == qx.game(name)
        seat = driver.screen.local_game.active_seat()
        assert driver.match.players[seat] == "human"
        assert set(driver.match.players) <= {"human", "random"}
        await driver.play_by_keys(driver.simple_move())
        assert driver.move_count >= driver.match.game.seats
        await driver.press("n")
        assert isinstance(driver.screen, SetupScreen)
        assert driver.screen.game_name == name

    run_app(scenario, opponent="random")


def test_a_long_list_of_games_scrolls(twelve_games):
    async def scenario(driver):
        games = driver.screen.query_one("#games")
        assert games.size.height < 12 == games.option_count
        await driver.press(*["down"] * 11)
        assert driver.screen.game_name == twelve_games[-1]
        assert driver.screen.query_one(GameForm).game.title == LONG_TITLE
        assert games.scroll_offset.y == 12 - games.size.height
        assert games.size.width <= 18  # a long title is cut off and does not wrap

    run_app(scenario, size=(80, 12))


def test_the_texts_of_a_game_are_shown_as_they_are(monkeypatch):
    texts = {
        "TITLE": "Stones [/b]",
        "SUMMARY": "Take [red]one[/b].",
        "SEAT_NAMES": ("[/w]", "[/b]"),
        "OPTIONS": (Option("rule", "last", "who [/wins]", choices=("last", "first")),),
    }
    monkeypatch.setitem(registry._registered, "stones", make_game(rules=texts))

    async def scenario(driver):
        await driver.press("end")
        assert str(driver.screen.query_one("#games").highlighted_option.prompt) == "Stones [/b]"
        shown = {
            str(static.render()) for static in driver.screen.query(GameForm).first().query(Static)
        }
        assert {"Stones [/b]", "Take [red]one[/b].", "[/w]", "[/b]", "who [/wins]"} <= shown

    run_app(scenario)


def test_a_game_without_a_guide_has_rules(game_without_guide):
    async def scenario(driver):
        await driver.press(*["down"] * 5, "r")
        text = driver.screen.query_one(Markdown).source
        assert "This game has no guide." in text

    run_app(scenario)


def test_players_are_selected_from_the_list_or_typed():
    async def scenario(driver):
        await driver.press(*["down"] * 4)
        black = list(driver.screen.query(PlayerRow))[1]
        black.query_one(Select).value = "level:1"
        await driver.settle()
        assert selected_players(driver) == ["human", "level:1"]
        black.query_one(Select).value = OTHER_PLAYER
        await driver.settle()
        black.query_one(Input).value = "deepblue"
        await driver.click_widget("#play")
        assert "the players are" in driver.text_of("#form-error")
        black.query_one(Input).value = "random"
        await driver.click_widget("#play")
        assert driver.match.players == ("human", "random")

    run_app(scenario, size=(100, 30))


def test_options_are_checked_and_change_the_number_of_seats():
    async def scenario(driver):
        assert driver.screen.query_one(GameForm).game.name == "sphero"
        players = option_row(driver, "players")
        players.query_one(Input).focus()
        await driver.settle()
        assert "number of players" in driver.status
        players.query_one(Input).value = "2"
        await driver.settle()
        assert len(selected_players(driver)) == 2
        players.query_one(Input).value = "9"
        await driver.settle()
        assert "from 2 to 6" in driver.text_of("#form-error")
        players.query_one(Input).value = "3"
        option_row(driver, "order").query_one(Select).value = "turns"
        await driver.settle()
        assert driver.text_of("#form-error") == ""
        await driver.click_widget("#play")
        assert driver.match.game == qx.game("sphero", players=3, order="turns")

    run_app(scenario, opponent="random", size=(100, 30))


def test_unchanged_options_follow_the_variant():
    async def scenario(driver):
        await driver.press(*["down"] * 3)
        option_row(driver, "variant").query_one(Select).value = "lines98"
        await driver.settle()
        game = driver.screen.query_one(GameForm).configured_game()
        assert game == qx.game("wzlz", variant="lines98")

    run_app(scenario)


def test_an_unfinished_game_is_resumed():
    states = []

    async def play(driver):
        await driver.play_by_keys(driver.simple_move())
        states.append(driver.match.state)
        await driver.press("q")

    async def resume(driver):
        assert driver.screen.game_name == "onoro"  # the game saved last
        await driver.press("up", "g")
        assert "no unfinished game of Sphero" in driver.status
        await driver.press("down", "g")
        assert driver.match.state == states[0]
        assert driver.match.players == ("random", "human")
        await driver.play_by_keys(driver.simple_move())

    run_app(play, new_game("onoro"))
    run_app(resume)


def test_a_new_game_mentions_the_unfinished_one():
    async def play(driver):
        await driver.play_by_keys(driver.simple_move())

    async def play_again(driver):
        assert "Unfinished game saved" in driver.status

    run_app(play, new_game("onoro"))
    run_app(play_again, new_game("onoro"))


def test_a_damaged_autosave_is_reported(tmp_path):
    path = tmp_path / "data" / "unfinished" / "sphero.qx"
    path.parent.mkdir(parents=True)
    path.write_text("[Game")

    async def scenario(driver):
        await driver.press("g")
        assert "cannot be read" in driver.status
        assert isinstance(driver.screen, SetupScreen)

    run_app(scenario)


def test_a_game_is_loaded_from_a_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    match = qx.Match(qx.game("quorum"), ["human:ada", "random"], seed=1)
    match.play("a1e3")
    match.record.save("g.qx")

    async def scenario(driver):
        await driver.press("o", *"no.qx", "enter")
        assert "No such file" in driver.status
        await driver.press("escape", "o", *"g.qx", "enter")
        assert driver.match.players == ("human:ada", "random")
        assert driver.match.moves[0] == "a1e3"

    run_app(scenario)


def test_compiling_a_game_shows_its_progress(monkeypatch):
    messages = []

    async def scenario(driver):
        show_status = driver.screen.show_status

        def record_message(text, kind=""):
            messages.append(text)
            show_status(text, kind)

        monkeypatch.setattr(driver.screen, "show_status", record_message)
        await driver.press("enter")
        assert isinstance(driver.screen, GameScreen)

    monkeypatch.setattr("quincunx.terminal.app.is_warm", lambda name: False)
    monkeypatch.setattr("quincunx.terminal.app.warm", lambda game: iter(["rules", "search"]))
    run_app(scenario, opponent="random")
    assert messages[0].startswith("Compiling Sphero (first run only")
    assert messages[-1].endswith("rules, search …")
