"""The registered games; the only module that names them. A game is imported on first use."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple

from quincunx.errors import BadOption, did_you_mean

if TYPE_CHECKING:
    from quincunx.game import Game


class GameEntry(NamedTuple):
    """The import path of a game, and a one-line summary available without importing it."""

    path: str
    summary: str


GAMES = {
    "sphero": GameEntry("quincunx.games.sphero:GAME", "Build around an anchor that rights itself."),
    "onoro": GameEntry(
        "quincunx.games.onoro:GAME", "Place pawns, then move them, to get four in a row."
    ),
    "blocky": GameEntry(
        "quincunx.games.blocky:GAME", "Turn, swap, smash and paint a square of squares."
    ),
    "wzlz": GameEntry("quincunx.games.wzlz:GAME", "Line up five balls before the board is full."),
    "quorum": GameEntry(
        "quincunx.games.quorum:GAME", "Leap over your own stones to hold the middle."
    ),
}


def games() -> tuple[str, ...]:
    """Returns the names of all games."""
    return tuple(GAMES)


def game(name: str, /, **options: object) -> Game:
    """Returns the named game with these options; raises BadOption for an unknown name or option."""
    if name not in GAMES:
        known = ", ".join(GAMES)
        raise BadOption("game", name, f"{did_you_mean(name, GAMES)}the games are {known}")
    module, attribute = GAMES[name].path.split(":")
    default: Game = getattr(import_module(module), attribute)
    return default.configured(**options) if options else default
