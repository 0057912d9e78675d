"""Learning from play: it gets better, it can be stopped, and the same seed gives the same."""

import numpy as np
import pytest
from typer.testing import CliRunner

import quincunx as qx
from quincunx.cli import app
from quincunx.errors import BadOption
from quincunx.tune import CHECKPOINT, CURVE, WEIGHTS, Tuner, Tuning

TAUGHT = 500  # games


@pytest.fixture(scope="module")
def game():
    # Four colours only, so that lines come soon.
    return qx.game("wzlz", variant="lines98", colors_count=4)


def test_play_gets_better(game):
    tuner = Tuner(game, seed=1, tuning=Tuning(rate=1.0))
    first = tuner.play(100).mean()
    tuner.play(TAUGHT)
    assert tuner.play(100).mean() > 2 * first
    assert tuner.games == len(tuner.results) == TAUGHT + 200


def test_the_same_seed_gives_the_same_also_when_stopped_between(game, tmp_path):
    whole, begun = Tuner(game, seed=3), Tuner(game, seed=3)
    whole.play(12)
    begun.play(5)
    begun.save(tmp_path)
    resumed = Tuner(game, seed=99)
    assert resumed.resume(tmp_path)
    resumed.play(7)
    assert (resumed.weights == whole.weights).all()
    assert (resumed.results == whole.results).all()


def test_only_the_weights_of_what_is_played_change(game):
    tuner = Tuner(game, seed=2)
    tuner.play(5)
    half = len(tuner.weights) // 2
    assert tuner.weights[:half].any()
    assert not tuner.weights[half:].any()


def test_weights_to_begin_with_must_fit(game):
    tuner = Tuner(game, seed=2)
    with pytest.raises(BadOption, match="start"):
        tuner.start_from(np.zeros(3))
    tuner.start_from(game.kernel.WEIGHTS)
    assert (tuner.weights == game.kernel.WEIGHTS).all()


def test_a_game_without_weights_says_so():
    with pytest.raises(BadOption, match="no weights to tune"):
        Tuner(qx.game("quorum"), seed=0)


def test_the_command_keeps_weights_and_curve_and_goes_on(tmp_path):
    where = tmp_path / "run"
    words = ["tune", "wzlz", "-O", "variant=lines98", "--out", str(where), "--games"]
    done = CliRunner().invoke(app, [*words, "4"])
    assert done.exit_code == 0, done.output
    assert {file.name for file in where.iterdir()} == {CHECKPOINT, WEIGHTS, CURVE}
    assert (where / CURVE).read_text().startswith("<svg")
    again = CliRunner().invoke(app, [*words, "6"])
    assert "4 games were played before" in again.output
    with np.load(where / CHECKPOINT) as kept:
        assert len(kept["results"]) == 6
    other = CliRunner().invoke(app, ["tune", "wzlz", "--out", str(where)])
    assert other.exit_code != 0
    assert "holds a run of" in str(other.exception or other.output)
