"""The games there are; the only place that names them. A game is loaded when it is asked for."""

from __future__ import annotations

from difflib import get_close_matches
from importlib import import_module
from typing import TYPE_CHECKING

from quincunx.errors import BadOption

if TYPE_CHECKING:
    from quincunx.game import Game

GAMES = {
    "sphero": "quincunx.games.sphero:GAME",
    "onoro": "quincunx.games.onoro:GAME",
    "blocky": "quincunx.games.blocky:GAME",
    "wzlz": "quincunx.games.wzlz:GAME",
    "quorum": "quincunx.games.quorum:GAME",
}


def games() -> tuple[str, ...]:
    """The names of all games."""
    return tuple(GAMES)


def game(name: str, **options: object) -> Game:
    """The game of that name with these options; BadOption if there is no such game or option."""
    if name not in GAMES:
        near = get_close_matches(str(name).lower(), GAMES, n=1)
        hint = f"did you mean {near[0]}? " if near else ""
        raise BadOption("game", name, f"{hint}the games are {', '.join(GAMES)}")
    module, attribute = GAMES[name].split(":")
    found: Game = getattr(import_module(module), attribute)
    return found.configured(**options) if options else found
