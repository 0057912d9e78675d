"""The results of a tournament so far: standings, crosstable, ratings and records."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from functools import cached_property

import numpy as np

from quincunx.arena.outcome import Outcome
from quincunx.arena.ratings import (
    Elo,
    IntervalEstimate,
    Matrix,
    bootstrap,
    elo,
    is_connected,
    openskill,
    wilson_interval,
)
from quincunx.arena.schedule import Pairing, Plan, pairing_at
from quincunx.errors import MissingExtra
from quincunx.record import Record


@dataclass(frozen=True)
class StandingsRow:
    """The totals of one player. The fields are keys of results.json."""

    name: str
    games: int
    points: float
    wins: int
    draws: int  # and shared wins
    losses: int
    share: IntervalEstimate  # points per game
    seconds: float  # the mean thinking time per move
    forfeits: dict[str, int]  # the number of forfeits by kind


@dataclass(frozen=True)
class Distribution:
    """Statistics of a value that varies from seed to seed. The fields are keys of results.json."""

    mean: IntervalEstimate
    median: IntervalEstimate
    p10: IntervalEstimate  # the 10th percentile


class Results:
    """The finished games, in the order of their numbers, and statistics of them."""

    def __init__(self, plan: Plan, outcomes: Iterable[Outcome]) -> None:
        self.plan = plan
        self.outcomes = tuple(sorted(outcomes, key=lambda outcome: outcome.number))

    @property
    def complete(self) -> bool:
        """True when every game of the plan is over."""
        return len(self.outcomes) == self.plan.total

    @property
    def records(self) -> list[Record]:
        """The games as records."""
        return [outcome.record(self.plan) for outcome in self.outcomes]

    def games(self) -> Iterator[tuple[Pairing, Outcome]]:
        """Yields the pairing and the outcome of every game."""
        for outcome in self.outcomes:
            yield pairing_at(self.plan, outcome.number), outcome

    @cached_property
    def rows(self) -> tuple[StandingsRow, ...]:
        """The totals of the players, in the order of the plan."""
        return tuple(self._row(player) for player in range(len(self.plan.players)))

    def _row(self, player: int) -> StandingsRow:
        points: list[float] = []
        forfeits: Counter[str] = Counter()
        turns, seconds = 0, 0.0
        for pairing, outcome in self.games():
            if player not in pairing.players:
                continue
            seat = pairing.players.index(player)
            points.append(outcome.points[seat])
            turns, seconds = turns + outcome.turns[seat], seconds + outcome.seconds[seat]
            if outcome.forfeit and outcome.forfeit[0] == seat:
                forfeits[outcome.forfeit[1].partition(":")[0]] += 1
        wins, losses = points.count(1.0), points.count(0.0)
        return StandingsRow(
            self.plan.names[player],
            len(points),
            sum(points),
            wins,
            len(points) - wins - losses,
            losses,
            wilson_interval(sum(points), len(points)),
            seconds / max(turns, 1),
            dict(forfeits),
        )

    @cached_property
    def crosstable(self) -> tuple[Matrix, Matrix]:
        """The points of each player (row) against each other player (column), and their games.

        In a game, the player with the better rank scores a point against the other; players with
        equal ranks share it. Players of solo games are compared on the same seed.
        """
        count = len(self.plan.players)
        points, games = np.zeros((count, count)), np.zeros((count, count))
        for keys in self._comparisons():
            for player, own in keys.items():
                for opponent, other in keys.items():
                    if player != opponent:
                        points[player, opponent] += (own > other) + (own == other) / 2
                        games[player, opponent] += 1
        return points, games

    def _comparisons(self) -> Iterator[dict[int, tuple[bool, float]]]:
        """Yields sort keys by player, for each game or, of solo games, for each round.

        A player who forfeited has the lowest key; the others are sorted by score.
        """
        solo: dict[int, dict[int, tuple[bool, float]]] = {}
        for pairing, outcome in self.games():
            forfeiter = outcome.forfeit[0] if outcome.forfeit else -1
            keys = {
                player: (seat != forfeiter, outcome.result[seat])
                for seat, player in enumerate(pairing.players)
            }
            if self.plan.seats > 1:
                yield keys
            else:
                solo.setdefault(pairing.round, {}).update(keys)
        yield from solo.values()

    @cached_property
    def by_seat(self) -> tuple[IntervalEstimate, ...]:
        """The points per game on each seat, over all players."""
        if not self.outcomes:
            return ()
        totals = np.sum([outcome.points for outcome in self.outcomes], axis=0)
        count = len(self.outcomes)
        return tuple(wilson_interval(float(total), count) for total in np.atleast_1d(totals))

    @cached_property
    def elo(self) -> Elo | None:
        """Elo ratings; None unless games have two seats and connect all players."""
        if self.plan.seats != 2 or not is_connected(self.crosstable[1]):
            return None
        return elo(*self.crosstable)

    @cached_property
    def rating_kind(self) -> str:
        """The kind of `ratings`: "Elo", "openskill", "mean score", or "" if there are none."""
        kinds = {
            "Elo": self.elo,
            "openskill": self._openskill,
            "mean score": self.solo_distributions,
        }
        return next((kind for kind, ratings in kinds.items() if ratings), "")

    @cached_property
    def ratings(self) -> tuple[IntervalEstimate | None, ...]:
        """The rating of each player, in the order of the plan; None if unknown."""
        players = range(len(self.plan.players))
        if self.elo:
            return tuple(self.elo.rating(player) for player in players)
        if self._openskill:
            return tuple(self._openskill)
        solo = self.solo_distributions
        return tuple(solo[player][0].mean if player in solo else None for player in players)

    @cached_property
    def _openskill(self) -> list[IntervalEstimate] | None:
        """Ratings of games with more than two seats; None if openskill is not installed."""
        if self.plan.seats < 3 or not self.outcomes:
            return None
        games = [(pairing.players, outcome.ranks) for pairing, outcome in self.games()]
        try:
            return openskill(len(self.plan.players), games)
        except MissingExtra:
            return None

    @cached_property
    def solo_distributions(self) -> dict[int, tuple[Distribution, Distribution]]:
        """The distributions of the score and of the number of moves in solo games, by player."""
        if self.plan.seats > 1:
            return {}
        scores: dict[int, list[float]] = {}
        moves: dict[int, list[float]] = {}
        for pairing, outcome in self.games():
            (player,) = pairing.players
            scores.setdefault(player, []).append(outcome.result[0])
            moves.setdefault(player, []).append(len(outcome.moves))
        return {
            player: (_distribution(scores[player]), _distribution(moves[player]))
            for player in scores
        }

    @property
    def notes(self) -> list[str]:
        """Remarks that a reader needs to interpret the figures."""
        notes = []
        if self.elo and self.elo.draws_added:
            notes.append(
                "Some players won every game against the others, so the likelihood has no maximum: "
                "the Elo ratings include one added draw for every pair of players."
            )
        if self.plan.seats > 2 and self.outcomes and not self._openskill:
            notes.append("For ratings: pip install 'quincunx[arena]' (openskill).")
        stopped = sum(bool(outcome.ended) for outcome in self.outcomes)
        if stopped:
            notes.append(f"Games stopped at the limit of {self.plan.ply_limit} plies: {stopped}.")
        return notes

    def as_dict(self) -> dict[str, object]:
        """Returns everything but the moves, for JSON."""
        points, games = self.crosstable
        return {
            "plan": self.plan.as_dict(),
            "complete": self.complete,
            "games": len(self.outcomes),
            "rating_kind": self.rating_kind,
            "players": [
                {
                    **asdict(row),
                    "rating": rating.as_dict() if rating else None,
                    **self._solo_fields(player),
                }
                for player, (row, rating) in enumerate(zip(self.rows, self.ratings, strict=True))
            ],
            "cross": {"points": points.tolist(), "games": games.astype(int).tolist()},
            "by_seat": [share.as_dict() for share in self.by_seat],
            "forfeits": [
                {
                    "game": outcome.number,
                    "player": self.plan.names[pairing.players[outcome.forfeit[0]]],
                    "reason": outcome.forfeit[1],
                }
                for pairing, outcome in self.games()
                if outcome.forfeit
            ],
            "notes": self.notes,
        }

    def _solo_fields(self, player: int) -> dict[str, object]:
        if player not in self.solo_distributions:
            return {}
        score, moves = self.solo_distributions[player]
        return {"score": asdict(score), "moves": asdict(moves)}

    def svg(self, theme: str = "light") -> str:
        """Returns a chart of the ratings and their intervals."""
        from quincunx.arena.report import headline, rating_text
        from quincunx.draw.charts import IntervalRow, interval_chart

        kind = self.rating_kind or "no ratings"
        rows = [
            IntervalRow(name, rating.value, rating.low, rating.high, rating_text(rating, kind))
            for name, rating in zip(self.plan.names, self.ratings, strict=True)
            if rating
        ]
        rows.sort(key=lambda row: -row.value)
        return interval_chart(headline(self), f"{kind}, with 95 % intervals", rows, theme)

    def _repr_svg_(self) -> str:
        return self.svg()

    def __str__(self) -> str:
        from quincunx.arena.report import text

        return text(self)


def _distribution(values: list[float]) -> Distribution:
    return Distribution(
        bootstrap(values, np.mean),
        bootstrap(values, np.median),
        bootstrap(values, lambda x, axis: np.percentile(x, 10, axis=axis)),
    )
