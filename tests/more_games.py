"""More games than the package has: registered copies of its games under other names.

The copies share compiled code with the originals and have no guides. Every third one has a title
and a summary longer than those of any real game.
"""

from __future__ import annotations

from itertools import cycle
from types import ModuleType

from quincunx.game import Game, Parts
from quincunx.registry import GAMES, GameEntry, game

LONG_TITLE = "Thirteen Hundred Wandering Elephants"
LONG_SUMMARY = (
    "Cross the mountains with all of your elephants before the snow falls, or else build a "
    "winter camp that is large enough for everybody."
)


def add_games(total: int) -> list[str]:
    """Registers copies of the games until there are `total`; returns the names of the copies."""
    originals = cycle(list(GAMES))
    return [add_copy(next(originals), len(GAMES) + 1) for _ in range(total - len(GAMES))]


def add_copy(original: str, number: int) -> str:
    """Registers a copy of a game under a name with this number, and returns the name."""
    parts, name, is_long = game(original).parts, f"copy{number}", number % 3 == 0
    rules = ModuleType(f"{__name__}.{name}")
    rules.__dict__.update(
        {
            **parts.rules.__dict__,
            "NAME": name,
            "TITLE": LONG_TITLE if is_long else f"{parts.rules.TITLE} {number}",
        }
    )
    globals()[name] = Game(Parts(parts.kernel, rules, parts.notation, parts.layout))
    summary = LONG_SUMMARY if is_long else GAMES[original].summary
    GAMES[name] = GameEntry(f"{__name__}:{name}", summary)
    return name
