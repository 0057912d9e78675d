"""Training of evaluation weights: play improves, a run can be resumed, seeds are reproducible."""

import numpy as np
import pytest
from typer.testing import CliRunner

import quincunx as qx
from quincunx.cli import app
from quincunx.errors import BadOption
from quincunx.train.evaluation_weights import (
    CHECKPOINT_FILE,
    CURVE_FILE,
    WEIGHTS_FILE,
    Tuner,
    TuningSettings,
)

TRAINING_GAMES = 500

# All in one pytest-xdist worker, so that the training is compiled once.
pytestmark = pytest.mark.xdist_group("train")


@pytest.fixture(scope="module")
def game():
    # With four colours only, lines are frequent and learning is fast.
    return qx.game("wzlz", variant="lines98", colors_count=4)


@pytest.mark.heavy
def test_play_improves(game):
    tuner = Tuner(game, seed=1, settings=TuningSettings(rate=1.0))
    first_mean = tuner.play(100).mean()
    tuner.play(TRAINING_GAMES)
    assert tuner.play(100).mean() > 2 * first_mean
    assert tuner.games == len(tuner.results) == TRAINING_GAMES + 200


@pytest.mark.heavy
def test_a_resumed_run_learns_the_same_as_an_uninterrupted_one(game, tmp_path):
    uninterrupted, stopped = Tuner(game, seed=3), Tuner(game, seed=3)
    uninterrupted.play(12)
    stopped.play(5)
    stopped.save(tmp_path)
    resumed = Tuner(game, seed=99)
    assert resumed.resume(tmp_path)
    resumed.play(7)
    assert (resumed.weights == uninterrupted.weights).all()
    assert (resumed.results == uninterrupted.results).all()


def test_the_checkpoint_format_is_unchanged(game, tmp_path):
    tuner = Tuner(game, seed=3)
    tuner.play(1)
    tuner.save(tmp_path)
    with np.load(tmp_path / "checkpoint.npz") as checkpoint:
        assert set(checkpoint) == {"weights", "drift", "sway", "results", "seed", "game"}


def test_only_the_weights_of_the_played_variant_change(game):
    tuner = Tuner(game, seed=2)
    tuner.play(5)
    half = len(tuner.weights) // 2
    assert tuner.weights[:half].any()
    assert not tuner.weights[half:].any()


def test_initial_weights_must_have_the_right_shape(game):
    tuner = Tuner(game, seed=2)
    with pytest.raises(BadOption, match="wrong shape of the weights, expected"):
        tuner.start_from(np.zeros(3))
    tuner.start_from(game.kernel.WEIGHTS)
    assert (tuner.weights == game.kernel.WEIGHTS).all()


def test_a_game_without_weights_is_rejected():
    with pytest.raises(BadOption, match="no weights to tune"):
        Tuner(qx.game("quorum"), seed=0)


def test_the_command_writes_its_files_and_resumes(tmp_path):
    directory = tmp_path / "run"
    arguments = ["tune", "wzlz", "-O", "variant=lines98", "--out", str(directory), "--games"]
    first = CliRunner().invoke(app, [*arguments, "4"])
    assert first.exit_code == 0, first.output
    files = {file.name for file in directory.iterdir()}
    assert files == {CHECKPOINT_FILE, WEIGHTS_FILE, CURVE_FILE}
    assert (directory / CURVE_FILE).read_text().startswith("<svg")
    resumed = CliRunner().invoke(app, [*arguments, "6"])
    assert "4 games played before" in resumed.output
    with np.load(directory / CHECKPOINT_FILE) as checkpoint:
        assert len(checkpoint["results"]) == 6
    other_options = CliRunner().invoke(app, ["tune", "wzlz", "--out", str(directory)])
    assert other_options.exit_code != 0
    assert "holds a run of" in str(other_options.exception or other_options.output)
