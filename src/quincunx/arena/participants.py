"""Players of the arena: those of the house by their texts, and one's own as `module:Class`.

A class of one's own is called with the game and a seed and has a method
`choose(state, seat) -> int`, as every player of the house has.
"""

from __future__ import annotations

import re
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from quincunx.errors import BadOption
from quincunx.game import Game
from quincunx.players import PLAYERS, Player, parse_player, player

OWN = re.compile(r"(?P<module>[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*):(?P<name>[A-Za-z_]\w*)")


def make(text: str, game: Game, seed: int) -> Player:
    """The player that a text names, ready to play one game."""
    own = _own(text)
    if own is None:
        return player(text, game, seed)
    made: Player = _class(text, *own)(game, seed)
    return made


def check(text: str, game: Game) -> None:
    """Raises BadOption for a text that names no player of the game; nobody is made."""
    own = _own(text)
    if own is None:
        parse_player(text, game)
    elif not callable(getattr(_class(text, *own), "choose", None)):
        raise BadOption("player", text, "the class needs a method choose(state, seat)")


def source(text: str) -> Path | None:
    """The file that a player of one's own is written in; None for players of the house."""
    own = _own(text)
    spec = find_spec(own[0]) if own else None
    return Path(spec.origin) if spec and spec.origin else None


def _own(text: str) -> tuple[str, str] | None:
    """Module and class of a player of one's own; None if the house has a player of that name."""
    found = OWN.fullmatch(text)
    if not found or found["module"] in PLAYERS:
        return None
    return found["module"], found["name"]


def _class(text: str, module: str, name: str) -> Any:
    try:
        found = getattr(import_module(module), name, None)
    except ImportError as error:
        raise BadOption(
            "player",
            text,
            f"{error}; a player is one of {', '.join(PLAYERS)}, or your own as module:Class",
        ) from error
    if not isinstance(found, type):
        raise BadOption("player", text, f"the module {module} has no class {name}")
    return found
