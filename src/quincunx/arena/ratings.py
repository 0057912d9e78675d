"""Ratings of players from their scores, with 95 % confidence intervals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log, sqrt
from typing import Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from quincunx.errors import MissingExtra

Z_95 = 1.959964  # standard deviations around the mean of a normal distribution that contain 95 %
ELO_PER_LOGIT = 400 / log(10)
BOOTSTRAP_RESAMPLES = 1000

Matrix: TypeAlias = NDArray[np.floating]


class Statistic(Protocol):
    """A function of samples along an axis, such as np.mean."""

    def __call__(self, samples: Matrix, /, *, axis: int) -> Matrix:
        """Returns the statistic of each sample."""


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
    draws_added: bool  # one for every pair of players, since the likelihood had no maximum

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
    share, z2_n = points / games, Z_95 * Z_95 / games  # z2_n: z squared, divided by n
    middle = (share + z2_n / 2) / (1 + z2_n)
    margin = sqrt(max(0.0, z2_n * share * (1 - share) + z2_n * z2_n / 4)) / (1 + z2_n)
    # Rounding must not exclude the share itself.
    low, high = max(0.0, min(share, middle - margin)), min(1.0, max(share, middle + margin))
    return IntervalEstimate(share, low, high)


def elo(points: Matrix, games: Matrix) -> Elo:
    """Returns Bradley-Terry ratings by maximum likelihood; a draw counts as half a win.

    `points[i, j]` is what i scored against j in `games[i, j]` games. The intervals come from the
    Fisher information. If no maximum exists, because some players won every game against the
    others, one draw is added for every pair of players with games.
    """
    add_draws = not is_connected(points)
    if add_draws:
        played = games > 0
        points, games = points + played / 2, games + played
    # Newton's method; no step changes a strength, in logits, by more than 1.
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
    player_count: int, games: Sequence[tuple[Sequence[int], Sequence[int]]]
) -> list[IntervalEstimate]:
    """Returns ratings by openskill's Plackett-Luce model, for any number of seats.

    Each game is a pair: its players and their ranks, 0 for the best. Raises MissingExtra if
    openskill is not installed.
    """
    try:
        from openskill.models import PlackettLuce
    except ImportError as error:
        raise MissingExtra("arena", "a rating of games with more than two seats") from error
    # Bots do not change between games: without tau, the uncertainty only decreases.
    model = PlackettLuce(tau=0.0)
    ratings = [model.rating() for _ in range(player_count)]
    for players, ranks in games:
        teams = [[ratings[player]] for player in players]
        new_teams = model.rate(teams, ranks=[float(rank) for rank in ranks])
        for player, (rating,) in zip(players, new_teams, strict=True):
            ratings[player] = rating
    return [_normal_interval(float(rating.mu), float(rating.sigma) ** 2) for rating in ratings]


def bootstrap(values: Sequence[float], statistic: Statistic, seed: int = 0) -> IntervalEstimate:
    """Returns a statistic, such as np.mean, of the values with its bootstrap interval."""
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
    margin = Z_95 * sqrt(max(0.0, variance))
    return IntervalEstimate(value, value - margin, value + margin)
