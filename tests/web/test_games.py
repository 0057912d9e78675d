"""The games of a server: in which order they are loaded, and what is offered if one fails."""

import asyncio
import logging

import pytest

from quincunx.errors import BadOption
from quincunx.registry import BUILT_IN
from quincunx.rooms.errors import RequestError
from quincunx.web import games as web_games
from quincunx.web.games import CompiledGames

BROKEN = BUILT_IN[1]


class InlinePool:
    async def run_long(self, work):
        return work()


def load(name):
    if name == BROKEN:
        raise TypeError("no field called lift\nand many lines of the compiler")


def test_a_game_that_does_not_compile_is_not_offered(monkeypatch, caplog):
    monkeypatch.setattr(web_games, "_load_game", load)
    monkeypatch.setattr("quincunx.warm.is_warm", lambda name: True)
    games = CompiledGames(InlinePool())
    with caplog.at_level(logging.ERROR, "quincunx.web"):
        asyncio.run(games._compile())
    assert games.playable() == tuple(name for name in BUILT_IN if name != BROKEN)
    assert not games.is_compiled(BROKEN)
    with pytest.raises(BadOption, match="cannot be compiled; the log of the server says why"):
        games.game(BROKEN)
    (message,) = caplog.messages
    assert message == (
        f"{BROKEN.title()} cannot be compiled and is not offered: TypeError: no field called lift; "
        f"quincunx check {BROKEN} says more"
    )


class RecordingPool:
    """Loads nothing; calls `on_load` with the number of games loaded so far."""

    def __init__(self, on_load):
        self.loaded = []
        self.on_load = on_load

    async def run_long(self, work):
        (name,) = work.args
        self.on_load(len(self.loaded))
        self.loaded.append(name)


def test_the_games_of_running_rooms_are_loaded_first(monkeypatch):
    monkeypatch.setattr("quincunx.warm.is_warm", lambda name: True)
    monkeypatch.setattr(web_games, "relieve_garbage_collector", lambda: None)
    playable = []
    pool = RecordingPool(lambda count: playable.append(sum(map(games.is_compiled, BUILT_IN))))
    games = CompiledGames(pool)
    asyncio.run(games._compile(["quorum", "uninstalled", "blocky"]))
    others = [name for name in BUILT_IN if name not in ("quorum", "blocky")]
    assert pool.loaded == ["quorum", "blocky", *others]
    assert playable == list(
        range(len(BUILT_IN))
    )  # each can be played before the next one is loaded


def test_a_game_that_someone_wants_is_loaded_next(monkeypatch):
    monkeypatch.setattr("quincunx.warm.is_warm", lambda name: True)
    monkeypatch.setattr(web_games, "relieve_garbage_collector", lambda: None)

    def want(count):
        if count == 0:
            with pytest.raises(RequestError, match="Wzlz is being loaded; please wait"):
                games.game("wzlz")

    pool = RecordingPool(want)
    games = CompiledGames(pool)
    asyncio.run(games._compile(["quorum"]))
    assert pool.loaded[:2] == ["quorum", "wzlz"]
    assert sorted(pool.loaded) == sorted(BUILT_IN)
