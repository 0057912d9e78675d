"""The games there are; the only place that names them. A game is loaded when it is asked for."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple

from quincunx.errors import BadOption, did_you_mean

if TYPE_CHECKING:
    from quincunx.game import Game


class Entry(NamedTuple):
    """Where a game is, and what can be said of it without loading it."""

    path: str
    sentence: str


GAMES = {
    "sphero": Entry("quincunx.games.sphero:GAME", "Build around an anchor that rights itself."),
    "onoro": Entry(
        "quincunx.games.onoro:GAME", "Place pawns, then move them, to get four in a row."
    ),
    "blocky": Entry(
        "quincunx.games.blocky:GAME", "Turn, swap, smash and paint a square of squares."
    ),
    "wzlz": Entry("quincunx.games.wzlz:GAME", "Line up five balls before the board is full."),
    "quorum": Entry("quincunx.games.quorum:GAME", "Leap over your own stones to hold the middle."),
}


def games() -> tuple[str, ...]:
    """The names of all games."""
    return tuple(GAMES)


def game(name: str, /, **options: object) -> Game:
    """The game of that name with these options; BadOption if there is no such game or option."""
    if name not in GAMES:
        known = ", ".join(GAMES)
        raise BadOption("game", name, f"{did_you_mean(name, GAMES)}the games are {known}")
    module, attribute = GAMES[name].path.split(":")
    found: Game = getattr(import_module(module), attribute)
    return found.configured(**options) if options else found
