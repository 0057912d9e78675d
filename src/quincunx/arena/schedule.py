"""The schedule: who plays whom, from which seat and with which seed, derived from a Plan.

A line-up is a set of players, one for each seat of the game. The games of a round share one seed,
so they have the same opening and the same random events. In a round, the players of every line-up
rotate through the seats: for two seats A B, then B A; for three seats A B C, then B C A, then
C A B. The next round uses another order of the players around the board, until all orders were
used. In solo games, every player plays once with the seed of the round.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, permutations
from math import comb, isfinite
from typing import TypedDict

from quincunx.arena import participants
from quincunx.errors import BadOption
from quincunx.game import Game, checked_seed
from quincunx.module_sources import digest
from quincunx.options import Value
from quincunx.phrases import quantity
from quincunx.registry import game as game_named
from quincunx.sources import play_sources

# Random plies of each seat before the players begin, in games with a fixed start.
OPENING_PLIES_PER_SEAT = 2

DEFAULT_PLY_LIMIT = 2000  # in games with more than one seat; solo games have no limit
DEFAULT_MOVE_SECONDS = 60.0


class PlanFields(TypedDict):
    """A plan as it is stored and sent to workers."""

    game: str
    options: dict[str, Value]
    players: list[str]
    games: int
    seed: int
    opening_plies: int
    ply_limit: int
    move_seconds: float
    code: str


@dataclass(frozen=True)
class Plan:
    """Everything that the games of a match or tournament depend on."""

    game: str
    options: Mapping[str, Value]
    players: tuple[str, ...]
    games: int  # of every line-up; a multiple of the number of seats
    seed: int
    opening_plies: int  # random plies at the start, of all seats together
    ply_limit: int  # 0 = none
    move_seconds: float  # the time limit of a player for one move
    code: str  # what `code_digest` returned

    @property
    def configured_game(self) -> Game:
        """The game with its options."""
        return _configured_game(self.game, tuple(self.options.items()))

    @property
    def seats(self) -> int:
        """The number of seats of a game."""
        return self.configured_game.seats

    @property
    def names(self) -> tuple[str, ...]:
        """The texts of the players; the second player with the text `random` is `random #2`."""
        earlier = [self.players[:i].count(text) for i, text in enumerate(self.players)]
        return tuple(
            f"{text} #{count + 1}" if count else text
            for text, count in zip(self.players, earlier, strict=True)
        )

    @property
    def total(self) -> int:
        """The number of games of all line-ups."""
        return self.games * comb(len(self.players), self.seats)

    def as_dict(self) -> PlanFields:
        """Returns the plan for JSON; `from_dict` reads it."""
        return {
            "game": self.game,
            "options": dict(self.options),
            "players": list(self.players),
            "games": self.games,
            "seed": self.seed,
            "opening_plies": self.opening_plies,
            "ply_limit": self.ply_limit,
            "move_seconds": self.move_seconds,
            "code": self.code,
        }

    @classmethod
    def from_dict(cls, values: PlanFields) -> Plan:
        """Returns the plan that `as_dict` wrote."""
        return cls(
            values["game"],
            values["options"],
            tuple(values["players"]),
            values["games"],
            values["seed"],
            values["opening_plies"],
            values["ply_limit"],
            values["move_seconds"],
            values["code"],
        )


@dataclass(frozen=True)
class Pairing:
    """One game of the schedule: who plays on which seat, and the seed."""

    number: int  # of the game, from 0
    round: int  # from 0
    players: tuple[int, ...]  # for each seat, an index into `Plan.players`
    seed: int  # of the round

    def player_seed(self, seat: int) -> int:
        """Returns the seed for the player on a seat, different in every game."""
        return derive_seed(self.seed, "player", self.number, seat)


def make_plan(
    game: Game | str,
    players: Sequence[str],
    games: int = 100,
    seed: int = 0,
    opening_plies: int | None = None,
    ply_limit: int | None = None,
    move_seconds: float = DEFAULT_MOVE_SECONDS,
) -> Plan:
    """Returns a plan with defaults that suit the game; raises BadOption for invalid values.

    `games` is the number of games of every line-up. It is rounded up so that each player has every
    seat equally often. With fewer players than seats, the game is played with fewer seats if its
    options allow that.
    """
    if isinstance(players, str):
        raise BadOption("players", players, "must be a list of texts")
    texts = tuple(str(text).strip() for text in players)
    configured = _with_arena_defaults(
        game_named(game) if isinstance(game, str) else game, len(texts)
    )
    seats = configured.seats
    if len(texts) < seats:
        raise BadOption(
            "players",
            "; ".join(texts),
            f"this game has {quantity(seats, 'seat')}: expected {seats} or more players "
            "(a player may be repeated)",
        )
    for text in texts:
        participants.check(text, configured)
    _check_at_least("games", games, 1)
    if opening_plies is None:
        opening_plies = 0 if configured.traits.random_start else OPENING_PLIES_PER_SEAT * seats
    if ply_limit is None:
        ply_limit = DEFAULT_PLY_LIMIT if seats > 1 else 0
    _check_at_least("opening_plies", opening_plies, 0)
    _check_at_least("ply_limit", ply_limit, 0)
    if 0 < ply_limit <= opening_plies:
        raise BadOption(
            "ply_limit",
            ply_limit,
            f"must be more than the {quantity(opening_plies, 'ply', 'plies')} of the opening",
        )
    if not (isfinite(move_seconds) and move_seconds > 0):
        raise BadOption("move_seconds", move_seconds, "must be a number above 0")
    return Plan(
        configured.name,
        dict(configured.options),
        texts,
        -(-games // seats) * seats,  # rounded up
        checked_seed(seed),
        opening_plies,
        ply_limit,
        float(move_seconds),
        code_digest(configured.name, texts),
    )


def pairing_at(plan: Plan, number: int) -> Pairing:
    """Returns the pairing of the game with this number, counted from 0."""
    seats = plan.seats
    lineups = _lineups(len(plan.players), seats)
    round_, index = divmod(number, len(lineups) * seats)
    lineup = lineups[index // seats]
    orders = _orders(seats)
    ordered = tuple(lineup[i] for i in orders[round_ % len(orders)])
    shift = index % seats
    return Pairing(
        number, round_, ordered[shift:] + ordered[:shift], derive_seed(plan.seed, "round", round_)
    )


def derive_seed(seed: int, *labels: object) -> int:
    """Returns a 63-bit seed that is a hash of another seed and some labels."""
    text = "/".join(map(str, (seed, *labels)))
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big") >> 1


def code_digest(game: str, players: Sequence[str]) -> str:
    """Returns a hash of all sources that determine how these players play this game."""
    custom = [path for path in map(participants.source_file, players) if path]
    return digest([*play_sources(game), *custom])


def _with_arena_defaults(game: Game, players: int) -> Game:
    """Returns the game with the options for unattended play, where they were not given.

    If there are fewer players than seats, the default of the option `players` is their number.
    """
    known = {option.name: option for option in game.parts.rules.OPTIONS}
    defaults = dict(game.traits.unattended)
    if "players" in known and known["players"].low <= players < game.seats:
        defaults["players"] = players
    not_given = {name: value for name, value in defaults.items() if name not in game.given_options}
    return game.configured(**not_given)


def _check_at_least(name: str, value: object, minimum: int) -> None:
    if not isinstance(value, int) or isinstance(value, bool) or value < minimum:
        raise BadOption(name, value, f"must be an integer of at least {minimum}")


@lru_cache(maxsize=16)
def _configured_game(name: str, options: tuple[tuple[str, Value], ...]) -> Game:
    return game_named(name, **dict(options))


@lru_cache(maxsize=16)
def _lineups(players: int, seats: int) -> tuple[tuple[int, ...], ...]:
    """Returns all line-ups, as indices of players."""
    return tuple(combinations(range(players), seats))


@lru_cache(maxsize=16)
def _orders(seats: int) -> tuple[tuple[int, ...], ...]:
    """Returns all orders of a line-up around a board, each followed by its reverse.

    All of them start with index 0, since `pairing_at` rotates them.
    """
    orders = permutations(range(1, seats))
    with_reverses = dict.fromkeys(either for order in orders for either in (order, order[::-1]))
    return tuple((0, *order) for order in with_reverses)
