"""The games of a server: what is offered when a game does not compile."""

import asyncio
import logging

import pytest

from quincunx.errors import BadOption
from quincunx.registry import BUILT_IN
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
