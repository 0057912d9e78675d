"""More games than the package has: registered copies of its games under other names.

The copies share compiled code and guides with the originals. Every third one has a title and a
summary longer than those of any real game. `python -m tests.more_games 9 serve` runs the command
line with that number of games.
"""

from __future__ import annotations

import sys
from itertools import cycle
from types import ModuleType

from quincunx.game import Game, Parts
from quincunx.registry import game, games, register

LONG_TITLE = "Thirteen Hundred Wandering Elephants"
LONG_SUMMARY = (
    "Cross the mountains with all of your elephants before the snow falls, or else build a "
    "winter camp that is large enough for everybody."
)


def add_games(total: int) -> list[str]:
    """Registers copies of the games until there are `total`; returns the names of the copies."""
    originals = cycle(games())
    return [add_copy(next(originals), len(games()) + 1) for _ in range(total - len(games()))]


def add_copy(original: str, number: int) -> str:
    """Registers a copy of a game under a name with this number, and returns the name."""
    parts, is_long = game(original).parts, number % 3 == 0
    rules = ModuleType(f"{__name__}.copy{number}")
    vars(rules).update(
        {
            **vars(parts.rules),
            "NAME": f"copy{number}",
            "TITLE": LONG_TITLE if is_long else f"{parts.rules.TITLE} {number}",
            "SUMMARY": LONG_SUMMARY if is_long else parts.rules.SUMMARY,
        }
    )
    return register(Game(Parts(parts.kernel, rules, parts.notation, parts.layout))).name


if __name__ == "__main__":
    add_games(int(sys.argv.pop(1)))
    from quincunx.cli import main

    main()
