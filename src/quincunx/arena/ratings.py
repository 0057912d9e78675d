"""How strong players are, by what they scored, and how sure that is: always with 95 % intervals."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import log, sqrt
from typing import Any

import numpy as np

from quincunx.errors import MissingExtra

Z = 1.959964  # 95 % of a normal distribution lie within so many standard deviations
ELO = 400 / log(10)  # Elo points to one unit of the logistic curve
RESAMPLES = 1000

Matrix = np.ndarray[Any, Any]


@dataclass(frozen=True)
class IntervalEstimate:
    """A number and the interval in which it lies with 95 % confidence."""

    value: float
    low: float
    high: float

    def as_dict(self) -> dict[str, float]:
        """The three numbers by name."""
        return {"value": self.value, "low": self.low, "high": self.high}


@dataclass(frozen=True)
class Elo:
    """Elo ratings with their mean at 0, and how they vary together."""

    ratings: Matrix
    covariance: Matrix
    added: bool  # a draw was added to every pairing, for want of a maximum

    def rating(self, player: int) -> IntervalEstimate:
        """The rating of a player."""
        return _around(float(self.ratings[player]), float(self.covariance[player, player]))

    def difference(self, one: int, other: int) -> IntervalEstimate:
        """By how much one player is stronger than another."""
        c = self.covariance
        variance = float(c[one, one] + c[other, other] - 2 * c[one, other])
        return _around(float(self.ratings[one] - self.ratings[other]), variance)


def wilson_interval(points: float, games: float) -> IntervalEstimate:
    """The share of points with Wilson's interval; draws count as half a win and half a loss."""
    if games <= 0:
        return IntervalEstimate(0.0, 0.0, 1.0)
    share, z = points / games, Z * Z / games
    middle = (share + z / 2) / (1 + z)
    half = sqrt(max(0.0, z * share * (1 - share) + z * z / 4)) / (1 + z)
    # Rounding must not push the ends past the share itself.
    return IntervalEstimate(
        share, max(0.0, min(share, middle - half)), min(1.0, max(share, middle + half))
    )


def elo(points: Matrix, games: Matrix) -> Elo:
    """Bradley-Terry ratings by maximum likelihood, draws counted as half a win.

    `points[i, j]` is what i scored against j in `games[i, j]` games. The intervals come from
    the Fisher information. If no maximum exists, because some won everything against the
    others, one draw is added to every pairing that played.
    """
    added = not comparable(points)
    if added:
        played = games > 0
        points, games = points + played / 2, games + played
    strengths = np.zeros(len(points))
    for _ in range(100):
        expected = 1 / (1 + np.exp(strengths[None, :] - strengths[:, None]))
        information = _information(games, expected)
        slope = (points - games * expected).sum(axis=1)
        # Strengths are known up to a constant only; the pseudo-inverse keeps their mean.
        step = np.linalg.pinv(information) @ slope
        strengths = strengths + step / max(1.0, float(np.abs(step).max()))
        if np.abs(step).max() < 1e-10:
            break
    expected = 1 / (1 + np.exp(strengths[None, :] - strengths[:, None]))
    covariance = np.linalg.pinv(_information(games, expected)) * ELO**2
    return Elo((strengths - strengths.mean()) * ELO, covariance, added)


def openskill(
    players: int, games: Sequence[tuple[Sequence[int], Sequence[int]]]
) -> list[IntervalEstimate]:
    """Ratings by openskill's Plackett-Luce, for games of any number of seats; MissingExtra.

    Each game is who played and on which place they ended, in the order they were played.
    """
    try:
        from openskill.models import PlackettLuce
    except ImportError as error:
        raise MissingExtra("arena", "a rating of games with more than two seats") from error
    # Bots do not change between games: without tau, certainty only grows.
    model = PlackettLuce(tau=0.0)
    ratings = [model.rating() for _ in range(players)]
    for who, places in games:
        rated = model.rate([[ratings[player]] for player in who], ranks=[float(p) for p in places])
        for player, (rating,) in zip(who, rated, strict=True):
            ratings[player] = rating
    return [_around(float(rating.mu), float(rating.sigma) ** 2) for rating in ratings]


def bootstrap(
    values: Sequence[float], statistic: Callable[..., Any], seed: int = 0
) -> IntervalEstimate:
    """A statistic of the values, with the interval in which it falls when they are redrawn."""
    given = np.asarray(values, np.float64)
    drawn = np.random.default_rng(seed).integers(0, len(given), (RESAMPLES, len(given)))
    low, high = np.percentile(statistic(given[drawn], axis=1), (2.5, 97.5))
    return IntervalEstimate(float(statistic(given, axis=0)), float(low), float(high))


def _information(games: Matrix, expected: Matrix) -> Matrix:
    """The Fisher information about the strengths."""
    weights = games * expected * (1 - expected)
    information: Matrix = np.diag(weights.sum(axis=1)) - weights
    return information


def comparable(links: Matrix) -> bool:
    """True when every player is linked to every other one, directly or through others.

    For games, this says that there are ratings; for points, that no group lost everything to
    the rest, so that their likelihood has a maximum (Ford 1957).
    """
    reach = (links > 0) | np.eye(len(links), dtype=bool)
    for _ in range(len(links).bit_length()):
        reach = reach @ reach
    return bool(reach.all())


def _around(value: float, variance: float) -> IntervalEstimate:
    half = Z * sqrt(max(0.0, variance))
    return IntervalEstimate(value, value - half, value + half)
