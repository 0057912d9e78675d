"""The first screen: games, players, options, unfinished games, files."""

import pytest
from textual.widgets import Input, Select

import quincunx as qx
from quincunx.registry import GAMES
from quincunx.terminal.game_screen import GameScreen
from quincunx.terminal.setup_screen import OTHER, Form, Seat, Setting, SetupScreen
from tests.terminal.driver import at_table, local_game


def seats(table):
    return [seat.player for seat in table.screen.query(Seat)]


def setting(table, name):
    return next(one for one in table.screen.query(Setting) if one.option.name == name)


@pytest.mark.parametrize("name", GAMES)
def test_every_game_begins_from_here(name):
    async def scenario(table):
        await table.press(*["down"] * list(GAMES).index(name))
        assert table.screen.query_one(Form).game.name == name
        await table.press("enter")
        assert isinstance(table.screen, GameScreen)
        assert table.match.game == qx.game(name)
        seat = table.screen.local_game.seat()
        assert table.match.players[seat] == "human"
        assert set(table.match.players) <= {"human", "random"}
        await table.play_by_keys(table.simple_move())
        assert table.screen.local_game.played >= table.match.game.seats
        await table.press("n")
        assert isinstance(table.screen, SetupScreen)
        assert table.screen.game_name == name

    at_table(scenario, against="random")


def test_levels_go_by_their_names_and_others_by_text():
    async def scenario(table):
        await table.press(*["down"] * 4)
        black = list(table.screen.query(Seat))[1]
        black.query_one(Select).value = "level:1"
        await table.settle()
        assert seats(table) == ["human", "level:1"]
        black.query_one(Select).value = OTHER
        await table.settle()
        black.query_one(Input).value = "deepblue"
        await table.click_on("#play")
        assert "the players are" in table.said("#problem")
        black.query_one(Input).value = "random"
        await table.click_on("#play")
        assert table.match.players == ("human", "random")

    at_table(scenario, size=(100, 30))


def test_options_make_seats_and_are_checked_where_they_are_set():
    async def scenario(table):
        assert table.screen.query_one(Form).game.name == "sphero"
        players = setting(table, "players")
        players.query_one(Input).focus()
        await table.settle()
        assert "number of players" in table.status
        players.query_one(Input).value = "2"
        await table.settle()
        assert len(seats(table)) == 2
        players.query_one(Input).value = "9"
        await table.settle()
        assert "from 2 to 6" in table.said("#problem")
        players.query_one(Input).value = "3"
        setting(table, "order").query_one(Select).value = "turns"
        await table.settle()
        assert table.said("#problem") == ""
        await table.click_on("#play")
        assert table.match.game == qx.game("sphero", players=3, order="turns")

    at_table(scenario, against="random", size=(100, 30))


def test_what_follows_from_other_options_is_left_to_the_game():
    async def scenario(table):
        await table.press(*["down"] * 3)
        setting(table, "variant").query_one(Select).value = "lines98"
        await table.settle()
        assert table.screen.query_one(Form).configured() == qx.game("wzlz", variant="lines98")

    at_table(scenario)


def test_an_unfinished_game_goes_on():
    states = []

    async def play(table):
        await table.play_by_keys(table.simple_move())
        states.append(table.match.state)
        await table.press("q")

    async def go_on(table):
        assert table.screen.game_name == "onoro"  # the one that was kept last
        await table.press("up", "g")
        assert "no unfinished game of Sphero" in table.status
        await table.press("down", "g")
        assert table.match.state == states[0]
        assert table.match.players == ("random", "human")
        await table.play_by_keys(table.simple_move())

    at_table(play, local_game("onoro"))
    at_table(go_on)


def test_a_new_game_says_that_one_is_kept():
    async def play(table):
        await table.play_by_keys(table.simple_move())

    async def again(table):
        assert "unfinished game is kept" in table.status

    at_table(play, local_game("onoro"))
    at_table(again, local_game("onoro"))


def test_a_damaged_unfinished_game_is_told(tmp_path):
    path = tmp_path / "data" / "unfinished" / "sphero.qx"
    path.parent.mkdir(parents=True)
    path.write_text("[Game")

    async def scenario(table):
        await table.press("g")
        assert "cannot be read" in table.status
        assert isinstance(table.screen, SetupScreen)

    at_table(scenario)


def test_a_file_is_loaded_from_here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    match = qx.Match(qx.game("quorum"), ["human:ada", "random"], seed=1)
    match.play("a1e3")
    match.record.save("g.qx")

    async def scenario(table):
        await table.press("o", *"no.qx", "enter")
        assert "No such file" in table.status
        await table.press("escape", "o", *"g.qx", "enter")
        assert table.match.players == ("human:ada", "random")
        assert table.match.moves[0] == "a1e3"

    at_table(scenario)


def test_a_game_that_is_not_compiled_is_compiled_with_a_word(monkeypatch):
    said = []

    async def scenario(table):
        say = table.screen.say
        monkeypatch.setattr(
            table.screen, "say", lambda text, tone="": (said.append(text), say(text, tone))
        )
        await table.press("enter")
        assert isinstance(table.screen, GameScreen)

    monkeypatch.setattr("quincunx.terminal.app.is_warm", lambda name: False)
    monkeypatch.setattr("quincunx.terminal.app.warm", lambda game: iter(["rules", "search"]))
    at_table(scenario, against="random")
    assert said[0].startswith("Compiling Sphero, once")
    assert said[-1].endswith("rules, search …")
