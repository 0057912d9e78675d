"""What came out of a tournament so far: standings, cross table, ratings, records."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

import numpy as np

from quincunx.arena.outcome import Outcome
from quincunx.arena.ratings import (
    Elo,
    IntervalEstimate,
    Matrix,
    bootstrap,
    comparable,
    elo,
    openskill,
    wilson_interval,
)
from quincunx.arena.schedule import Pairing, Plan, pairing
from quincunx.errors import MissingExtra
from quincunx.record import Record


@dataclass(frozen=True)
class Row:
    """What one player did."""

    name: str
    games: int
    points: float
    wins: int
    draws: int  # shared wins too
    losses: int
    share: IntervalEstimate  # of the points there were to win
    seconds: float  # a move
    forfeits: dict[str, int]  # by kind


@dataclass(frozen=True)
class Spread:
    """The middle and the lower end of numbers that vary from seed to seed."""

    mean: IntervalEstimate
    median: IntervalEstimate
    p10: IntervalEstimate  # a tenth is below


class Results:
    """The games that are over, in the order of their numbers, and what follows from them."""

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
        """Every game with who sat where."""
        for outcome in self.outcomes:
            yield pairing(self.plan, outcome.number), outcome

    @cached_property
    def rows(self) -> tuple[Row, ...]:
        """The players in the order they were named."""
        return tuple(self._row(player) for player in range(len(self.plan.players)))

    def _row(self, player: int) -> Row:
        points: list[float] = []
        forfeits: Counter[str] = Counter()
        turns, seconds = 0, 0.0
        for game, outcome in self.games():
            if player not in game.seats:
                continue
            seat = game.seats.index(player)
            points.append(outcome.points[seat])
            turns, seconds = turns + outcome.turns[seat], seconds + outcome.seconds[seat]
            if outcome.forfeit and outcome.forfeit[0] == seat:
                forfeits[outcome.forfeit[1].partition(":")[0]] += 1
        wins, losses = points.count(1.0), points.count(0.0)
        return Row(
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
    def cross(self) -> tuple[Matrix, Matrix]:
        """Points of each player against each other one, and how often they met.

        Who ends on a better place scores a point, equals share it. Those who play alone
        meet on the same seed.
        """
        count = len(self.plan.players)
        points, games = np.zeros((count, count)), np.zeros((count, count))
        for meeting in self._meetings():
            for one, (forfeits, score) in meeting.items():
                for other, worth in meeting.items():
                    if one != other:
                        own = (forfeits, score)
                        points[one, other] += (own > worth) + (own == worth) / 2
                        games[one, other] += 1
        return points, games

    def _meetings(self) -> Iterator[dict[int, tuple[bool, float]]]:
        """Players who can be compared, with what counts: not to forfeit, then the score."""
        alone: dict[int, dict[int, tuple[bool, float]]] = {}
        for game, outcome in self.games():
            out = outcome.forfeit[0] if outcome.forfeit else -1
            worth = {
                player: (seat != out, outcome.result[seat])
                for seat, player in enumerate(game.seats)
            }
            if self.plan.seats > 1:
                yield worth
            else:
                alone.setdefault(game.round, {}).update(worth)
        yield from alone.values()

    @cached_property
    def by_seat(self) -> tuple[IntervalEstimate, ...]:
        """The share of the points that each seat won, whoever sat there."""
        totals = np.sum([outcome.points for outcome in self.outcomes], axis=0)
        count = len(self.outcomes)
        return (
            tuple(wilson_interval(float(total), count) for total in np.atleast_1d(totals))
            if count
            else ()
        )

    @cached_property
    def elo(self) -> Elo | None:
        """Elo by maximum likelihood; None unless two play at a board and all can be compared."""
        if self.plan.seats != 2 or not comparable(self.cross[1]):
            return None
        return elo(*self.cross)

    @cached_property
    def rating_kind(self) -> str:
        """What `ratings` are: Elo, openskill, mean score, or nothing if they cannot be had."""
        kinds = {"Elo": self.elo, "openskill": self._openskill, "mean score": self.solo_scores}
        return next((kind for kind, found in kinds.items() if found), "")

    @cached_property
    def ratings(self) -> tuple[IntervalEstimate | None, ...]:
        """A rating for each player in the order they were named; None where there is none."""
        players = range(len(self.plan.players))
        if self.elo:
            return tuple(self.elo.rating(player) for player in players)
        if self._openskill:
            return tuple(self._openskill)
        if self.solo_scores:
            return tuple(
                self.solo_scores[p][0].mean if p in self.solo_scores else None for p in players
            )
        return (None,) * len(players)

    @cached_property
    def _openskill(self) -> list[IntervalEstimate] | None:
        """Ratings of games with more than two seats, if openskill is installed."""
        if self.plan.seats < 3 or not self.outcomes:
            return None
        games = [(game.seats, outcome.ranks) for game, outcome in self.games()]
        try:
            return openskill(len(self.plan.players), games)
        except MissingExtra:
            return None

    @cached_property
    def solo_scores(self) -> dict[int, tuple[Spread, Spread]]:
        """Scores and moves of those who play alone, by player."""
        if self.plan.seats > 1:
            return {}
        scores: dict[int, list[float]] = {}
        moves: dict[int, list[float]] = {}
        for game, outcome in self.games():
            scores.setdefault(game.seats[0], []).append(outcome.result[0])
            moves.setdefault(game.seats[0], []).append(len(outcome.moves))
        return {player: (_spread(scores[player]), _spread(moves[player])) for player in scores}

    @property
    def notes(self) -> list[str]:
        """What a reader must know to read the figures right."""
        notes = []
        if self.elo and self.elo.added:
            notes.append(
                "Somebody won or lost everything, so the likelihood has no maximum: "
                "the Elo figures are with one draw added to every pairing."
            )
        if self.plan.seats > 2 and self.outcomes and not self._openskill:
            notes.append("For ratings: pip install 'quincunx[arena]' (openskill).")
        stopped = sum(bool(outcome.ended) for outcome in self.outcomes)
        if stopped:
            notes.append(
                f"{stopped} games were stopped at the limit of {self.plan.ply_limit} plies."
            )
        return notes

    def as_dict(self) -> dict[str, Any]:
        """Everything but the moves, as JSON can write it."""
        points, games = self.cross
        return {
            "plan": self.plan.as_dict(),
            "complete": self.complete,
            "games": len(self.outcomes),
            "rating_kind": self.rating_kind,
            "players": [
                {
                    **asdict(row),
                    "rating": rating.as_dict() if rating else None,
                    **self._solo(player),
                }
                for player, (row, rating) in enumerate(zip(self.rows, self.ratings, strict=True))
            ],
            "cross": {"points": points.tolist(), "games": games.astype(int).tolist()},
            "by_seat": [share.as_dict() for share in self.by_seat],
            "forfeits": [
                {
                    "game": outcome.number,
                    "player": self.plan.names[game.seats[outcome.forfeit[0]]],
                    "reason": outcome.forfeit[1],
                }
                for game, outcome in self.games()
                if outcome.forfeit
            ],
            "notes": self.notes,
        }

    def _solo(self, player: int) -> dict[str, Any]:
        if player not in self.solo_scores:
            return {}
        score, moves = self.solo_scores[player]
        return {"score": asdict(score), "moves": asdict(moves)}

    def svg(self, theme: str = "light") -> str:
        """The ratings with their intervals, as a picture."""
        from quincunx.arena.picture import svg

        return svg(self, theme)

    def _repr_svg_(self) -> str:
        return self.svg()

    def __str__(self) -> str:
        from quincunx.arena.report import text

        return text(self)


def _spread(values: list[float]) -> Spread:
    return Spread(
        bootstrap(values, np.mean),
        bootstrap(values, np.median),
        bootstrap(values, lambda x, axis: np.percentile(x, 10, axis=axis)),
    )
