"""Players choose moves. A player is named by a text, such as `random` or `smart:difficulty=50`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Protocol, cast, runtime_checkable

from quincunx.errors import BadOption, did_you_mean
from quincunx.game import Game, State, checked_seed
from quincunx.options import Option, Value, parse_assignments, resolve_options

PLAYERS = {
    "random": "quincunx.players.random",
    "smart": "quincunx.players.smart",
    "greedy": "quincunx.players.greedy",
    "mcts": "quincunx.players.mcts",
    "alphabeta": "quincunx.players.alphabeta",
    "expectimax": "quincunx.players.expectimax",
    "perfect": "quincunx.players.perfect",
    "level": "quincunx.players.level",
}

MAX_UNPROVEN_VALUE = 0.999  # values of 1 and -1 are reserved for proven results


@dataclass(frozen=True)
class MoveValue:
    """The value of one move, as a search found it, for the seat that would play it."""

    action: int
    value: float  # -1..1; exactly 1 or -1 only where `plies` is known
    line: tuple[int, ...]  # the principal variation, this action first
    visits: int  # simulations or nodes spent on it
    plies: int | None = None  # to the end of the game, where the result is proven


def clamp_unproven(value: float) -> float:
    """Returns an estimated value, kept apart from the proven values 1 and -1."""
    return min(max(value, -MAX_UNPROVEN_VALUE), MAX_UNPROVEN_VALUE)


class Player(Protocol):
    """Chooses moves in the positions of one game."""

    def choose(self, state: State, seat: int | None = None) -> int:
        """Returns the action to play in an unfinished game, by default for the seat to move."""


@runtime_checkable
class AnalysingPlayer(Player, Protocol):
    """A player that can value every move of a position."""

    def analyse_moves(self, state: State, seat: int | None = None) -> list[MoveValue]:
        """Returns a value for every legal move, the best first, within the player's limit."""


@runtime_checkable
class TimeLimited(Protocol):
    """A player that can be given a time limit besides its own options.

    Within the limit it chooses the same moves as without one; when the time is up, the best move
    found so far. None means no limit.
    """

    time_limit: float | None  # seconds per move


def memory_bytes(player: Player) -> int:
    """Returns the memory that a player uses between moves, if it says so, else 0."""
    return int(getattr(player, "memory_bytes", 0))


class PlayerModule(Protocol):
    """The names that every player module defines.

    A player that does not play every game also defines `unsupported(game)`, which returns the
    reason, or "" for a game it plays. A module may define UNNAMED_OPTION: the option that a value
    without a name sets, as in `level:3`.
    """

    OPTIONS: tuple[Option, ...]
    DESCRIPTION: str

    def make(self, game: Game, options: Mapping[str, Value], seed: int) -> Player:
        """Returns a player for a game that it supports."""


def player(
    text: str, game: Game, seed: int | None = None, time_limit: float | None = None
) -> Player:
    """Returns the player that a text names; the same seed gives the same choices.

    `time_limit` is in seconds per move. Players without a search do not know it.
    """
    module, options = parse_player(text, game)
    made = module.make(game, options, checked_seed(seed))
    if isinstance(made, TimeLimited):
        made.time_limit = time_limit
    return made


def analysing_player(text: str, game: Game, seed: int | None = None) -> AnalysingPlayer:
    """Returns the player that a text names; raises BadOption if it cannot value moves."""
    analyser = player(text, game, seed)
    if not isinstance(analyser, AnalysingPlayer):
        raise BadOption("player", text, "must be a player that values every move, such as mcts")
    return analyser


def parse_player(text: str, game: Game) -> tuple[PlayerModule, dict[str, Value]]:
    """Returns a player's module and options from its text; BadOption says what is allowed."""
    kind, _, rest = str(text).partition(":")
    module = player_module(kind)
    given = parse_assignments(
        rest.split(",") if rest else (), getattr(module, "UNNAMED_OPTION", "")
    )
    options = resolve_options(kind, module.OPTIONS, given)
    if reason := unsupported_reason(kind, game):
        raise BadOption("player", kind, reason)
    return module, options


def player_module(kind: str) -> PlayerModule:
    """Returns the module of a kind of player; BadOption suggests the nearest name."""
    if kind not in PLAYERS:
        kinds = ", ".join(PLAYERS)
        raise BadOption("player", kind, f"{did_you_mean(kind, PLAYERS)}the players are {kinds}")
    return cast(PlayerModule, import_module(PLAYERS[kind]))


def players_of(game: Game) -> tuple[str, ...]:
    """Returns the kinds of players that can play a game."""
    return tuple(kind for kind in PLAYERS if not unsupported_reason(kind, game))


def unsupported_reason(kind: str, game: Game) -> str:
    """Returns why a kind of player cannot play a game; empty if it can."""
    unsupported = getattr(player_module(kind), "unsupported", None)
    return str(unsupported(game)) if unsupported else ""
