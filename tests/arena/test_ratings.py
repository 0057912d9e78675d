from math import log10

import numpy as np
import pytest

from quincunx.arena.ratings import bootstrap, elo, is_connected, openskill, wilson_interval


def test_wilson_interval_of_known_examples():
    share = wilson_interval(15, 20)
    assert (share.value, share.low, share.high) == pytest.approx((0.75, 0.5313, 0.8881), abs=1e-4)
    assert wilson_interval(0, 10).low == 0
    assert wilson_interval(10, 10).high == 1
    assert wilson_interval(0, 0).high == 1


def test_elo_difference_of_two_is_the_logit_of_their_score():
    points, games = np.array([[0, 75.0], [25, 0]]), np.array([[0, 100.0], [100, 0]])
    ratings = elo(points, games)
    assert not ratings.draws_added
    difference = ratings.difference(0, 1)
    assert difference.value == pytest.approx(400 * log10(3))
    # d Elo / d share = 400 / ln 10 / (p (1 - p)), and the variance of the share is p (1 - p) / n.
    half = 1.959964 * 400 / np.log(10) / np.sqrt(100 * 0.75 * 0.25)
    assert difference.high - difference.value == pytest.approx(half)
    assert ratings.ratings.mean() == pytest.approx(0)
    assert ratings.rating(0).value == pytest.approx(difference.value / 2)


def test_elo_recovers_the_strengths_of_simulated_games():
    strengths = np.array([-300, -100, 0, 150, 250.0])
    games = np.full((5, 5), 4000.0) - 4000 * np.eye(5)
    share = 1 / (1 + 10 ** ((strengths[None, :] - strengths[:, None]) / 400))
    rng = np.random.default_rng(1)
    points = np.zeros((5, 5))
    for i in range(5):
        for j in range(i):
            points[i, j] = rng.binomial(4000, share[i, j])
            points[j, i] = 4000 - points[i, j]
    ratings = elo(points, games)
    for player, strength in enumerate(strengths):
        rating = ratings.rating(player)
        assert rating.low < strength < rating.high
        assert rating.high - rating.low < 20


def test_elo_intervals_have_95_percent_coverage():
    rng, share, covered = np.random.default_rng(2), 0.7, 0
    for _ in range(400):
        won = rng.binomial(100, share)
        games = np.array([[0, 100.0], [100, 0]])
        difference = elo(np.array([[0, won], [100.0 - won, 0]]), games).difference(0, 1)
        covered += difference.low <= 400 * log10(share / (1 - share)) <= difference.high
    assert 0.92 < covered / 400 < 0.98


def test_elo_adds_a_draw_if_a_player_won_every_game():
    ratings = elo(np.array([[0, 10.0], [0, 0]]), np.array([[0, 10.0], [10, 0]]))
    assert ratings.draws_added
    assert ratings.difference(0, 1).value == pytest.approx(400 * log10(10.5 / 0.5))


def test_players_without_common_opponents_are_not_connected():
    games = np.array([[0, 1, 0], [1, 0, 0], [0, 0, 0.0]])
    assert not is_connected(games)
    games[1, 2] = games[2, 1] = 1
    assert is_connected(games)


def test_openskill_rates_the_winner_highest_and_uncertainty_shrinks():
    pytest.importorskip("openskill", reason="needs openskill: pip install 'quincunx[arena]'")
    few = openskill(3, [((0, 1, 2), (0, 1, 2))] * 3)
    many = openskill(3, [((0, 1, 2), (0, 1, 2)), ((2, 0, 1), (2, 0, 0))] * 20)
    assert few[0].value > few[1].value > few[2].value
    assert many[0].value > many[1].value > many[2].value
    assert many[0].high - many[0].low < few[0].high - few[0].low


def test_bootstrap_is_deterministic():
    values = np.random.default_rng(0).normal(10, 2, 400)
    mean = bootstrap(values, np.mean)
    assert mean == bootstrap(values, np.mean)
    assert mean.value == pytest.approx(values.mean())
    assert mean.high - mean.low == pytest.approx(2 * 1.96 * 2 / 20, rel=0.15)
