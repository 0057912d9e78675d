"""Matches and tournaments between players: schedules, worker processes, ratings, reports.

>>> from quincunx import arena
>>> results = arena.play("quorum", ["greedy", "random"], games=20)  # doctest: +SKIP
>>> print(results)  # doctest: +SKIP
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from quincunx.arena.results import Results
    from quincunx.arena.run import Tournament, play
    from quincunx.arena.schedule import Plan

__all__ = ["Plan", "Results", "Tournament", "play"]

# Imported on first use, since the command line imports this package for its --help.
_LAZY = {
    "Plan": "quincunx.arena.schedule",
    "Results": "quincunx.arena.results",
    "Tournament": "quincunx.arena.run",
    "play": "quincunx.arena.run",
}


def __getattr__(name: str) -> object:
    if name in _LAZY:
        return getattr(import_module(_LAZY[name]), name)
    raise AttributeError(f"module 'quincunx.arena' has no attribute {name!r}")
