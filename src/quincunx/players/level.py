"""Eight opponents for every game, from a beginner to the strongest player.

A game lists its levels in `rules.LEVELS`, weakest first; each was measured against its
neighbours (`benchmarks/levels.py`).
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from quincunx.errors import BadOption
from quincunx.game import Game, State
from quincunx.options import Option, Value, parse_assignments, resolve_options
from quincunx.players import Player, TimeLimited, memory_bytes, player

LEVEL_NAMES = ("newcomer", "learner", "casual", "keen", "skilled", "expert", "master", "champion")
UNNAMED_OPTION = "level"
OPTIONS = (
    Option("level", 4, "from 1, for a first game, to 8, the strongest", 1, len(LEVEL_NAMES)),
)
DESCRIPTION = "eight opponents of increasing strength, level:1 to level:8"


def level_name(text: str) -> str:
    """Returns the name of the level in a player's text, or "" if the text is not a valid level."""
    kind, _, rest = text.partition(":")
    if kind != "level":
        return ""
    try:
        given = parse_assignments(rest.split(",") if rest else (), UNNAMED_OPTION)
        options = resolve_options(kind, OPTIONS, given)
    except BadOption:
        return ""
    return LEVEL_NAMES[int(options["level"]) - 1]


def player_title(text: str) -> str:
    """Returns a player's text for people to read: `learner`, or `mcts, time 1` for mcts:time=1."""
    kind, _, options = text.partition(":")
    parts = [kind, *filter(None, options.split(","))]
    return level_name(text) or ", ".join(part.replace("=", " ") for part in parts)


class LevelPlayer:
    """Plays as another player, but a share of its moves are slips: random legal moves."""

    def __init__(self, inner: Player, slip_percent: int, seed: int) -> None:
        self._inner = inner
        self._slip_percent = slip_percent
        # The inner player uses the seed itself; the slips must not depend on its random numbers.
        self._rng = Random(f"slips of {seed}")

    @property
    def time_limit(self) -> float | None:
        """The time limit of the inner player, in seconds per move; None if it has none."""
        return self._inner.time_limit if isinstance(self._inner, TimeLimited) else None

    @time_limit.setter
    def time_limit(self, seconds: float | None) -> None:
        if isinstance(self._inner, TimeLimited):
            self._inner.time_limit = seconds

    @property
    def memory_bytes(self) -> int:
        """The memory that the inner player uses between moves."""
        return memory_bytes(self._inner)

    def choose(self, state: State, seat: int | None = None) -> int:
        """Returns the action of the inner player, or a random one in a slip."""
        if self._rng.randrange(100) < self._slip_percent:
            return self._rng.choice(state.actions(state.acting_seat(seat)))
        return self._inner.choose(state, seat)


def make(game: Game, options: Mapping[str, Value], seed: int) -> LevelPlayer:
    """Returns a player for any game."""
    slip_percent, text = game.parts.rules.LEVELS[int(options["level"]) - 1]
    return LevelPlayer(player(text, game, seed), slip_percent, seed)
