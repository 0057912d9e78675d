"""Eight opponents for every game, from one for a first game to the best there is.

A game lists its own in `rules.LEVELS`, weakest first; each was measured against its
neighbours (`benchmarks/levels.py`).
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from quincunx.errors import BadOption
from quincunx.game import Game, State
from quincunx.options import Option, Value, parse_assignments, resolve_options
from quincunx.players import Player, player

LEVEL_NAMES = ("newcomer", "learner", "casual", "keen", "skilled", "expert", "master", "champion")
BARE = "level"
OPTIONS = (Option(BARE, 4, "from 1, a first game, to 8, the best there is", 1, len(LEVEL_NAMES)),)
DESCRIPTION = "eight opponents of rising strength, as level:1 to level:8"


def level_name(text: str) -> str:
    """The name of the level that a player's text names; empty if it names none."""
    kind, _, rest = text.partition(":")
    if kind != "level":
        return ""
    try:
        options = resolve_options(
            kind, OPTIONS, parse_assignments(rest.split(",") if rest else (), BARE)
        )
    except BadOption:
        return ""
    return LEVEL_NAMES[int(options[BARE]) - 1]


class LevelPlayer:
    """A player of the house that sometimes slips and plays any move."""

    def __init__(self, inner: Player, slip: int, seed: int) -> None:
        self._inner = inner
        self._slip = slip
        # Not the seed itself: the player within may have begun its dice with it.
        self._dice = Random(f"slips of {seed}")

    def choose(self, state: State, seat: int | None = None) -> int:
        """What the player of this level plays."""
        if self._dice.randrange(100) < self._slip:
            return self._dice.choice(state.actions(state.acting_seat(seat)))
        return self._inner.choose(state, seat)


def make(game: Game, options: Mapping[str, Value], seed: int) -> LevelPlayer:
    """Plays every game."""
    slip, text = game.parts.rules.LEVELS[int(options[BARE]) - 1]
    return LevelPlayer(player(text, game, seed), slip, seed)
