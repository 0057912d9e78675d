"""Quincunx: abstract games, one engine.

>>> import quincunx as qx
>>> state = qx.game("quorum").start()
>>> state.play("a1e3").turn
1
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

# `game` and `games` are also the names of a module and of a package. Importing these first
# lets the functions of the same names, imported below, replace them.
import quincunx.game
import quincunx.games  # noqa: F401
from quincunx import errors
from quincunx.registry import game, games, register

if TYPE_CHECKING:
    from quincunx.game import Game, State
    from quincunx.match import Match
    from quincunx.players import player
    from quincunx.record import Record

__version__ = "0.1.0"

__all__ = ["Game", "Match", "Record", "State", "errors", "game", "games", "player", "register"]

# Imported on first use: importing the package stays fast and does not import numpy.
_LAZY = {
    "Game": "quincunx.game",
    "State": "quincunx.game",
    "Match": "quincunx.match",
    "Record": "quincunx.record",
    "player": "quincunx.players",
}


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


def __getattr__(name: str) -> object:
    if name in _LAZY:
        return getattr(import_module(_LAZY[name]), name)
    raise AttributeError(f"module 'quincunx' has no attribute {name!r}")
