"""Players of the arena: built-in ones by their texts, and custom ones as `module:Class`.

A custom class is called with the game and a seed, and has a method `choose(state, seat) -> int`,
like every built-in player.
"""

from __future__ import annotations

import re
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from quincunx.errors import BadOption
from quincunx.game import Game
from quincunx.players import PLAYERS, Player, parse_player, player

CUSTOM_PLAYER = re.compile(r"(?P<module>[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*):(?P<name>[A-Za-z_]\w*)")


def make(text: str, game: Game, seed: int) -> Player:
    """Returns the player that a text names, ready to play one game."""
    custom = _module_and_class(text)
    if custom is None:
        return player(text, game, seed)
    made: Player = _load_class(text, *custom)(game, seed)
    return made


def check(text: str, game: Game) -> None:
    """Raises BadOption if the text does not name a player of the game; creates no player."""
    custom = _module_and_class(text)
    if custom is None:
        parse_player(text, game)
    elif not callable(getattr(_load_class(text, *custom), "choose", None)):
        raise BadOption("player", text, "the class needs a method choose(state, seat)")


def source_file(text: str) -> Path | None:
    """Returns the source file of a custom player; None for a built-in one."""
    custom = _module_and_class(text)
    spec = find_spec(custom[0]) if custom else None
    return Path(spec.origin) if spec and spec.origin else None


def _module_and_class(text: str) -> tuple[str, str] | None:
    """Returns the module and class of a custom player; None if the text names a built-in one."""
    match = CUSTOM_PLAYER.fullmatch(text)
    if not match or match["module"] in PLAYERS:
        return None
    return match["module"], match["name"]


def _load_class(text: str, module: str, name: str) -> type:
    try:
        loaded = getattr(import_module(module), name, None)
    except ImportError as error:
        raise BadOption(
            "player",
            text,
            f"{error}; expected one of {', '.join(PLAYERS)}, or your own player as module:Class",
        ) from error
    if not isinstance(loaded, type):
        raise BadOption("player", text, f"the module {module} has no class {name}")
    return loaded
