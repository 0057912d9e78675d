"""The rules that a game need not write: what is the same in most games."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from quincunx.contract import RULES_NAMES, SCORE, WIN_OR_DRAW, Kernel, Position, Traits
from quincunx.errors import BadGame, shorten
from quincunx.options import Option, Presets, Value
from quincunx.phrases import Phrase, join, seat_name
from quincunx.registry import NAME_FORM, default_title, is_game_name
from quincunx.state import State

if TYPE_CHECKING:
    from quincunx.game import Game

# Levels for a game in which nobody has measured any: the percentage of random moves, and the
# player. With more simulations `mcts` becomes stronger in any game.
UNTUNED_LEVELS = (
    (85, "mcts:sims=20"),
    (60, "mcts:sims=20"),
    (40, "mcts:sims=40"),
    (25, "mcts:sims=80"),
    (12, "mcts:sims=200"),
    (5, "mcts:sims=600"),
    (0, "mcts:sims=2000"),
    (0, "mcts:time=0.4"),
)
# Rollouts to the end of the game, because its evaluation may be worth nothing.
UNTUNED_SEARCH = {"explore": 0.7, "horizon": 400}

SEAT_NAMES = {
    1: ("Player",),
    2: ("White", "Black"),
}


class DefaultRules:
    """A game's rules with everything that it does not define itself.

    An option called `players` is the number of seats; an option called `repetition` is the number
    of times that a position must occur for a draw, 0 for no such rule.
    """

    NAME: str
    SUMMARY: str
    TITLE: str
    VERSION: int = 1
    OLD_VERSIONS: tuple[int, ...] = ()
    LETTERS: str
    SEAT_NAMES: tuple[str, ...]
    PASS: int | None = None
    SOLVER: str | None = None
    SEARCH: Mapping[str, float] = UNTUNED_SEARCH
    LEVELS: tuple[tuple[int, str], ...] = UNTUNED_LEVELS
    OPTIONS: tuple[Option, ...] = ()
    PRESETS: Presets | None = None
    TEXTS: Mapping[str, str] = {}

    def __init__(self, rules: Any, kernel: Kernel) -> None:
        names = {name: getattr(rules, name) for name in RULES_NAMES if hasattr(rules, name)}
        for name in ("NAME", "SUMMARY"):
            if not isinstance(names.get(name), str):
                raise BadGame(kernel.__name__, f"the rules have no {name}, which must be a text")
        for name, value in names.items():
            # In a notebook, where all names are in one place, a variable may have such a name.
            if callable(getattr(DefaultRules, name, None)) and not callable(value):
                reason = f"{name} of the rules must be a function, not {value!r}"
                raise BadGame(kernel.__name__, reason)
        if not isinstance(names.get("TITLE", ""), str):
            raise BadGame(kernel.__name__, f"rules.TITLE is {names['TITLE']!r}, and must be a text")
        if not _is_version(names.get("VERSION", 1)):
            reason = f"rules.VERSION is {names['VERSION']!r}, and must be a number from 1"
            raise BadGame(kernel.__name__, reason)
        old = names.get("OLD_VERSIONS", ())
        if not _are_old_versions(old, names.get("VERSION", 1)):
            reason = f"rules.OLD_VERSIONS is {old!r}, and must be a tuple of ascending numbers"
            raise BadGame(kernel.__name__, f"{reason} from 1 that are below rules.VERSION")
        if not is_game_name(names["NAME"]):
            name = shorten(names["NAME"])
            raise BadGame(kernel.__name__, f"rules.NAME is {name}, and must be {NAME_FORM}")
        self.TITLE = default_title(names["NAME"])
        self.SEAT_NAMES = _seat_names(kernel.SEATS)
        self.kernel = kernel
        vars(self).update(names)
        if "LETTERS" not in names:
            self.LETTERS = "".join(name[0].lower() for name in self.SEAT_NAMES)

    def check(self, options: Mapping[str, Value]) -> None:
        """Accepts every combination of options."""

    def traits(self, options: Mapping[str, Value]) -> Traits:
        """Returns the traits: nothing is left to chance or hidden, and the seats move in turn."""
        outcome = SCORE if self.seats(options) == 1 else WIN_OR_DRAW
        return Traits(outcome=outcome, repetition=bool(options.get("repetition")))

    def seats(self, options: Mapping[str, Value]) -> int:
        """Returns the option `players`, or else the maximum number of seats."""
        return int(options.get("players", self.kernel.SEATS))

    def actions(self, options: Mapping[str, Value]) -> int:
        """Returns the size of the largest action space."""
        return self.kernel.ACTIONS

    def planes(self, options: Mapping[str, Value]) -> tuple[int, int, int]:
        """Returns the shape of the largest observation."""
        return self.kernel.PLANES

    def reason(self, s: Position, seat: int, action: int) -> Phrase:
        """Returns that the action is not legal, without a reason."""
        return Phrase("not_legal")

    def cells(self, before: Position, after: Position, action: int, event: str) -> tuple[str, ...]:
        """Returns no cells."""
        return ()

    def progress(self, game: Game, s: Position) -> Phrase | None:
        """Returns None."""
        return None

    def notes(self, game: Game, s: Position) -> Sequence[Phrase]:
        """Returns no notes."""
        return ()

    def status(self, game: Game, s: Position) -> Phrase:
        """Returns whose turn it is, or how the game ended."""
        state = State(game, s)
        if not state.over:
            return Phrase("anyone") if s.turn < 0 else Phrase("play", {"seat": seat_name(s.turn)})
        if game.traits.outcome == SCORE:
            points = state.scores[0]
            code = "one_point" if abs(points) == 1 else "points"
            return Phrase(code, {"points": f"{points:g}"})
        if not state.winners:
            return Phrase("draw")
        names = join([seat_name(seat) for seat in state.winners])
        return Phrase("wins" if len(state.winners) == 1 else "share_win", {"winner": names})

    def points(self, value: float) -> float | None:
        """Returns that values do not stand for points."""
        return None


def _is_version(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 1 <= value < 1 << 31


def _are_old_versions(value: object, version: int) -> bool:
    if not isinstance(value, tuple) or not all(map(_is_version, value)):
        return False
    return list(value) == sorted({*value}) and all(old < version for old in value)


def _seat_names(seats: int) -> tuple[str, ...]:
    """Returns names for seats that have none."""
    return SEAT_NAMES.get(seats, tuple(f"Player {seat}" for seat in range(1, seats + 1)))
