"""Who plays whom, from which seat and with which seed: all of it follows from a Plan.

A round is one seed, hence one opening and one run of luck. In it every line-up plays from
every seat: two seats A B, then B A; three seats A B C, then B C A, then C A B. The next round
takes the players in another order around the table, until all orders have had their turn.
Alone at the board, every player plays the seed of the round once.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from functools import lru_cache
from itertools import combinations, permutations
from math import comb, isfinite
from pathlib import Path
from typing import Any

from quincunx.arena import participants
from quincunx.errors import BadOption
from quincunx.game import Game, checked_seed
from quincunx.options import Value
from quincunx.registry import game as game_named

# Options of games that were made for people at one table, where nothing else is said.
HEADLESS: dict[str, dict[str, Value]] = {"sphero": {"order": "turns", "limit": 1000}}

# Random plies of each seat before the players begin, where every game starts alike.
OPENING_TURNS = 2

# No game of several players goes on for longer, if nothing else is said.
PLY_LIMIT = 2000
MOVE_SECONDS = 60.0

# What the games can depend on, apart from the directory of the game.
CODE = (
    "game.py",
    "options.py",
    "position.py",
    "jit.py",
    "players/*.py",
    "search/*.py",
    "arena/openings.py",
)


@dataclass(frozen=True)
class Plan:
    """Everything that the games of a match or tournament depend on."""

    game: str
    options: Mapping[str, Value]
    players: tuple[str, ...]
    games: int  # of every line-up; a multiple of the seats
    seed: int
    opening_plies: int
    ply_limit: int  # 0 = none
    move_seconds: float
    code: str  # a hash over the sources that play

    @property
    def rules(self) -> Game:
        """The game that is played."""
        return _rules(self.game, tuple(self.options.items()))

    @property
    def seats(self) -> int:
        """How many sit at one board."""
        return self.rules.seats

    @property
    def names(self) -> tuple[str, ...]:
        """The players by their texts, numbered where a text stands twice."""
        seen = [self.players[:i].count(text) for i, text in enumerate(self.players)]
        return tuple(
            f"{text} #{before + 1}" if before else text
            for text, before in zip(self.players, seen, strict=True)
        )

    @property
    def total(self) -> int:
        """How many games there are in all."""
        return self.games * comb(len(self.players), self.seats)

    def as_dict(self) -> dict[str, Any]:
        """The plan as JSON can write it; `from_dict` reads it."""
        return {**asdict(self), "options": dict(self.options), "players": list(self.players)}

    @classmethod
    def from_dict(cls, given: Mapping[str, Any]) -> Plan:
        """The plan that `as_dict` wrote."""
        known = {field.name: given[field.name] for field in fields(cls)}
        return cls(**{**known, "players": tuple(known["players"])})


@dataclass(frozen=True)
class Pairing:
    """One game of the schedule: who sits where (players by their number), and the seed."""

    number: int
    round: int
    seats: tuple[int, ...]
    seed: int

    def player_seed(self, seat: int) -> int:
        """The seed of the player on a seat, different in every game."""
        return derived(self.seed, "player", self.number, seat)


def make_plan(
    game: Game | str,
    players: Sequence[str],
    games: int = 100,
    seed: int = 0,
    opening_plies: int | None = None,
    ply_limit: int | None = None,
    move_seconds: float = MOVE_SECONDS,
) -> Plan:
    """The plan for these players, checked, with defaults by game; BadOption.

    `games` counts those of every line-up and is rounded up so that each player has every
    seat equally often. Where players are fewer than seats and the game can be played by
    fewer, it is.
    """
    if isinstance(players, str):
        raise BadOption("players", players, "must be a list of texts")
    texts = tuple(str(text).strip() for text in players)
    rules = _headless(game_named(game) if isinstance(game, str) else game, len(texts))
    if len(texts) < rules.seats:
        raise BadOption(
            "players",
            "; ".join(texts),
            f"this game has {rules.seats} seats; name that many players, the same one again if "
            "need be",
        )
    for text in texts:
        participants.check(text, rules)
    _at_least("games", games, 1)
    if opening_plies is None:
        alike = rules.start(0).text == rules.start(1).text
        opening_plies = OPENING_TURNS * rules.seats if alike else 0
    if ply_limit is None:
        ply_limit = PLY_LIMIT if rules.seats > 1 else 0
    _at_least("opening_plies", opening_plies, 0)
    _at_least("ply_limit", ply_limit, 0)
    if 0 < ply_limit <= opening_plies:
        raise BadOption("ply_limit", ply_limit, f"the opening alone has {opening_plies} plies")
    if not (isfinite(move_seconds) and move_seconds > 0):
        raise BadOption("move_seconds", move_seconds, "must be a number above 0")
    return Plan(
        rules.name,
        dict(rules.options),
        texts,
        -(-games // rules.seats) * rules.seats,
        checked_seed(seed),
        opening_plies,
        ply_limit,
        float(move_seconds),
        code_digest(rules.name, texts),
    )


def pairing(plan: Plan, number: int) -> Pairing:
    """The game of that number, from 0."""
    seats = plan.seats
    lineups = _lineups(len(plan.players), seats)
    round_, place = divmod(number, len(lineups) * seats)
    lineup = lineups[place // seats]
    orders = _orders(seats)
    around = tuple(lineup[i] for i in orders[round_ % len(orders)])
    turned = place % seats
    return Pairing(
        number, round_, around[turned:] + around[:turned], derived(plan.seed, "round", round_)
    )


def derived(seed: int, *words: object) -> int:
    """A seed of 63 bits that follows from another and some words, and is like none other."""
    text = "/".join(map(str, (seed, *words)))
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big") >> 1


def code_digest(game: str, players: Sequence[str]) -> str:
    """A hash over all sources that decide how these players play this game."""
    package = Path(__file__).parent.parent
    patterns = (*CODE, *(f"games/{game}/{part}.py" for part in ("kernel", "rules", "notation")))
    files = [path for pattern in patterns for path in sorted(package.glob(pattern))]
    files += [path for path in map(participants.source, players) if path]
    digest = hashlib.sha256()
    for path in files:
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def _headless(game: Game, players: int) -> Game:
    """The game with what bots need, as far as nothing else was said."""
    known = {option.name: option for option in game.parts.rules.OPTIONS}
    wanted = dict(HEADLESS.get(game.name, {}))
    if "players" in known and known["players"].low <= players < game.seats:
        wanted["players"] = players
    return game.configured(**{n: v for n, v in wanted.items() if n not in game._given})


def _at_least(name: str, value: object, least: int) -> None:
    if not isinstance(value, int) or isinstance(value, bool) or value < least:
        raise BadOption(name, value, f"must be an integer of at least {least}")


@lru_cache(maxsize=16)
def _rules(name: str, options: tuple[tuple[str, Value], ...]) -> Game:
    return game_named(name, **dict(options))


@lru_cache(maxsize=16)
def _lineups(players: int, seats: int) -> tuple[tuple[int, ...], ...]:
    return tuple(combinations(range(players), seats))


@lru_cache(maxsize=16)
def _orders(seats: int) -> tuple[tuple[int, ...], ...]:
    """All orders around a table, each followed by its reverse."""
    rest = permutations(range(1, seats))
    both = dict.fromkeys(order for one in rest for order in (one, one[::-1]))
    return tuple((0, *order) for order in both)
