"""Whatever chooses a move. A player is named by a text: `random`, `smart:difficulty=50`."""

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

NEARLY = 0.999  # the best value of what is not certain


@dataclass(frozen=True)
class MoveValue:
    """What a search thinks of one move, for the seat that would play it."""

    action: int
    value: float  # -1..1; exactly 1 or -1 only where `plies` is known
    line: tuple[int, ...]  # the best play it expects, this action first
    visits: int  # simulations or nodes spent on it
    plies: int | None = None  # to the end of the game, where that is certain


def unproven(value: float) -> float:
    """A value that is no more than a guess: never quite 1 or -1."""
    return min(max(value, -NEARLY), NEARLY)


class Player(Protocol):
    """Chooses moves in the positions of one game."""

    def choose(self, state: State, seat: int | None = None) -> int:
        """The action to play in a position that is not over, for the seat to move by default."""


@runtime_checkable
class AnalysingPlayer(Player, Protocol):
    """A player that can say what it thinks of every move."""

    def analyse_moves(self, state: State, seat: int | None = None) -> list[MoveValue]:
        """An opinion on every legal move, the best first, within the player's limit."""


class PlayerModule(Protocol):
    """What every module of a player gives.

    One that does not play every game has `unsupported(game)` too, which says why not, or "".
    """

    OPTIONS: tuple[Option, ...]
    DESCRIPTION: str

    def make(self, game: Game, options: Mapping[str, Value], seed: int) -> Player:
        """The player for a game that it plays."""


def player(text: str, game: Game, seed: int | None = None) -> Player:
    """The player that a text names; the same choices for the same seed."""
    module, options = parse_player(text, game)
    return module.make(game, options, checked_seed(seed))


def parse_player(text: str, game: Game) -> tuple[PlayerModule, dict[str, Value]]:
    """The kind of player and its options, out of a text; BadOption says what is allowed."""
    kind, _, rest = str(text).partition(":")
    module = player_module(kind)
    given = parse_assignments(rest.split(",") if rest else (), getattr(module, "BARE", ""))
    options = resolve_options(kind, module.OPTIONS, given)
    if why := unsupported_reason(kind, game):
        raise BadOption("player", kind, why)
    return module, options


def player_module(kind: str) -> PlayerModule:
    """The module of a kind of player; BadOption with the nearest name if there is none."""
    if kind not in PLAYERS:
        known = ", ".join(PLAYERS)
        raise BadOption("player", kind, f"{did_you_mean(kind, PLAYERS)}the players are {known}")
    return cast(PlayerModule, import_module(PLAYERS[kind]))


def players_of(game: Game) -> tuple[str, ...]:
    """The kinds of players that play a game."""
    return tuple(kind for kind in PLAYERS if not unsupported_reason(kind, game))


def unsupported_reason(kind: str, game: Game) -> str:
    """Why a kind of player does not play a game; empty if it does."""
    unsupported = getattr(player_module(kind), "unsupported", None)
    return str(unsupported(game)) if unsupported else ""
