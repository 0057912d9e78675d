"""Ratings of players from their scores, with 95 % confidence intervals."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import log, sqrt
from typing import Any

import numpy as np

from quincunx.errors import MissingExtra

Z_95 = 1.959964  # 95 % of a normal distribution are within this many standard deviations
ELO_PER_LOGIT = 400 / log(10)
BOOTSTRAP_RESAMPLES = 1000

Matrix = np.ndarray[Any, Any]


@dataclass(frozen=True)
class IntervalEstimate:
    """An estimated value and its 95 % confidence interval."""

    value: float
    low: float
    high: float

    def as_dict(self) -> dict[str, float]:
        """Returns the three numbers by name."""
        return {"value": self.value, "low": self.low, "high": self.high}


@dataclass(frozen=True)
class Elo:
    """Elo ratings, with mean 0, and their covariance."""

    ratings: Matrix
    covariance: Matrix
    draws_added: bool  # to every pairing, since the likelihood had no maximum

    def rating(self, player: int) -> IntervalEstimate:
        """Returns the rating of a player."""
        return _normal_interval(float(self.ratings[player]), float(self.covariance[player, player]))

    def difference(self, player: int, other: int) -> IntervalEstimate:
        """Returns the rating of a player minus that of another."""
        c = self.covariance
        variance = float(c[player, player] + c[other, other] - 2 * c[player, other])
        return _normal_interval(float(self.ratings[player] - self.ratings[other]), variance)


def wilson_interval(points: float, games: float) -> IntervalEstimate:
    """Returns the share of points with Wilson's interval; a draw is half a win and half a loss."""
    if games <= 0:
        return IntervalEstimate(0.0, 0.0, 1.0)
    share, z = points / games, Z_95 * Z_95 / games
    middle = (share + z / 2) / (1 + z)
    half = sqrt(max(0.0, z * share * (1 - share) + z * z / 4)) / (1 + z)
    # Rounding must not exclude the share itself.
    low, high = max(0.0, min(share, middle - half)), min(1.0, max(share, middle + half))
    return IntervalEstimate(share, low, high)


def elo(points: Matrix, games: Matrix) -> Elo:
    """Returns Bradley-Terry ratings by maximum likelihood; a draw counts as half a win.

    `points[i, j]` is what i scored against j in `games[i, j]` games. The intervals come from the
    Fisher information. If no maximum exists, because some players won every game against the
    others, one draw is added to every pairing that played.
    """
    add_draws = not is_connected(points)
    if add_draws:
        played = games > 0
        points, games = points + played / 2, games + played
    strengths = np.zeros(len(points))
    for _ in range(100):
        expected = 1 / (1 + np.exp(strengths[None, :] - strengths[:, None]))
        information = _fisher_information(games, expected)
        gradient = (points - games * expected).sum(axis=1)
        # Strengths are determined up to a constant; the pseudo-inverse keeps their mean.
        step = np.linalg.pinv(information) @ gradient
        strengths = strengths + step / max(1.0, float(np.abs(step).max()))
        if np.abs(step).max() < 1e-10:
            break
    expected = 1 / (1 + np.exp(strengths[None, :] - strengths[:, None]))
    covariance = np.linalg.pinv(_fisher_information(games, expected)) * ELO_PER_LOGIT**2
    return Elo((strengths - strengths.mean()) * ELO_PER_LOGIT, covariance, add_draws)


def openskill(
    players: int, games: Sequence[tuple[Sequence[int], Sequence[int]]]
) -> list[IntervalEstimate]:
    """Returns ratings by openskill's Plackett-Luce model, for any number of seats; MissingExtra.

    Each game is a pair of the players and their ranks. The games are in the order of play.
    """
    try:
        from openskill.models import PlackettLuce
    except ImportError as error:
        raise MissingExtra("arena", "a rating of games with more than two seats") from error
    # Bots do not change between games: without tau, the uncertainty only decreases.
    model = PlackettLuce(tau=0.0)
    ratings = [model.rating() for _ in range(players)]
    for seated, ranks in games:
        teams = [[ratings[player]] for player in seated]
        rated = model.rate(teams, ranks=[float(rank) for rank in ranks])
        for player, (rating,) in zip(seated, rated, strict=True):
            ratings[player] = rating
    return [_normal_interval(float(rating.mu), float(rating.sigma) ** 2) for rating in ratings]


def bootstrap(
    values: Sequence[float], statistic: Callable[..., Any], seed: int = 0
) -> IntervalEstimate:
    """Returns a statistic of the values with its bootstrap interval."""
    sample = np.asarray(values, np.float64)
    resampled = np.random.default_rng(seed).integers(
        0, len(sample), (BOOTSTRAP_RESAMPLES, len(sample))
    )
    low, high = np.percentile(statistic(sample[resampled], axis=1), (2.5, 97.5))
    return IntervalEstimate(float(statistic(sample, axis=0)), float(low), float(high))


def _fisher_information(games: Matrix, expected: Matrix) -> Matrix:
    """Returns the Fisher information about the strengths."""
    weights = games * expected * (1 - expected)
    information: Matrix = np.diag(weights.sum(axis=1)) - weights
    return information


def is_connected(links: Matrix) -> bool:
    """Returns whether every player is linked to every other one, directly or through others.

    With games as links, all players can be compared. With points as links, no group lost every
    game against the rest, so the likelihood of ratings has a maximum (Ford 1957).
    """
    reachable = (links > 0) | np.eye(len(links), dtype=bool)
    for _ in range(len(links).bit_length()):
        reachable = reachable @ reachable
    return bool(reachable.all())


def _normal_interval(value: float, variance: float) -> IntervalEstimate:
    half = Z_95 * sqrt(max(0.0, variance))
    return IntervalEstimate(value, value - half, value + half)
