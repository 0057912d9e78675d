"""Training of the weights of a game's evaluation, with checkpoints and a learning curve."""

from __future__ import annotations

from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from quincunx import search
from quincunx.contract import TrainableKernel
from quincunx.draw.charts import curve_chart
from quincunx.errors import BadOption
from quincunx.files import write_atomically
from quincunx.game import Game
from quincunx.registry import game as game_named
from quincunx.registry import games
from quincunx.train import temporal_difference

CHECKPOINT_FILE, WEIGHTS_FILE, CURVE_FILE = "checkpoint.npz", "weights.npy", "curve.svg"
MAX_CURVE_POINTS = 200

Weights: TypeAlias = NDArray[np.float32] | NDArray[np.float16]


@dataclass(frozen=True)
class TuningSettings:
    """Settings of the learning algorithm. A high rate suits new weights, a low one good weights."""

    rate: float = 1.0
    discount: float = 0.985
    trace_decay: float = 0.5  # lambda
    trace_plies: int = 4  # the number of plies over which an error is propagated back
    max_game_plies: int = 100_000


DEFAULT_SETTINGS = TuningSettings()


def _tunable() -> str:
    """Returns the names of the games whose evaluation has weights."""
    tunable = [name for name in games() if hasattr(game_named(name).kernel, "afterstate_values")]
    return ", ".join(tunable)


class Tuner:
    """Plays games with the current weights and improves them after every move."""

    def __init__(self, game: Game, seed: int, settings: TuningSettings = DEFAULT_SETTINGS) -> None:
        if not hasattr(game.kernel, "afterstate_values"):
            raise BadOption("game", game.name, f"has no weights to tune: expected {_tunable()}")
        kernel = cast(TrainableKernel, game.kernel)
        self.game, self.seed = game, seed
        self.games: int = 0
        self.results = np.zeros((0, 2))  # score and plies of each game
        count = len(kernel.WEIGHTS)
        self.weights = np.zeros(count, np.float32)
        self._error_sums = np.zeros(count, np.float32)
        self._absolute_error_sums = np.zeros(count, np.float32)
        self._feature_history = np.zeros((settings.trace_plies + 1, kernel.FEATURES), np.int64)
        self._settings = np.array(  # in the order that `learn` expects
            [settings.rate, settings.discount, settings.trace_decay, settings.max_game_plies]
        )
        self._scratch = game.empty_positions(2)
        self._moves = np.empty(kernel.MAX_LEGAL, np.int32)
        self._values = np.empty(kernel.MAX_LEGAL)
        self._learn = search.compiled(kernel, temporal_difference).learn
        if not kernel.features(game.start(0).position, 0, self._feature_history[0]):
            raise BadOption("game", game.name, "has no weights with these options")

    def start_from(self, weights: Weights) -> None:
        """Sets the initial weights of a new run."""
        if np.shape(weights) != self.weights.shape:
            raise BadOption(
                "start",
                str(np.shape(weights)),
                f"wrong shape of the weights, expected {self.weights.shape}",
            )
        self.weights[:] = weights

    def play(self, games: int) -> NDArray[np.float64]:
        """Plays a number of games, learns from them and returns their scores."""
        results = np.zeros((games, 2))
        self._learn(
            self._scratch,
            self.game.kernel_options,
            self._moves,
            self._values,
            self.weights,
            self._error_sums,
            self._absolute_error_sums,
            self._feature_history,
            self._settings,
            self.seed + self.games,
            results,
        )
        self.games += games
        self.results = np.concatenate([self.results, results])
        return results[:, 0]

    def save(self, directory: Path) -> None:
        """Writes the checkpoint, the weights and the learning curve into a directory."""
        directory.mkdir(parents=True, exist_ok=True)
        checkpoint, weights = BytesIO(), BytesIO()
        np.savez(
            checkpoint,
            weights=self.weights,
            # The names of the checkpoint format for the two error sums.
            drift=self._error_sums,
            sway=self._absolute_error_sums,
            results=self.results,
            seed=self.seed,
            game=repr(self.game),
        )
        np.save(weights, self.weights.astype(np.float16))
        curve = curve_chart(
            repr(self.game),
            "mean score of the games, in their order",
            self._mean_scores(),
            ("0", f"{self.games:,} games"),
        )
        write_atomically(directory / CHECKPOINT_FILE, checkpoint.getvalue())
        write_atomically(directory / WEIGHTS_FILE, weights.getvalue())
        write_atomically(directory / CURVE_FILE, curve.encode())

    def _mean_scores(self) -> list[float]:
        """Returns the mean scores of successive groups of games, the points of the curve."""
        groups = np.array_split(self.results[:, 0], min(MAX_CURVE_POINTS, self.games) or 1)
        return [float(group.mean()) for group in groups if len(group)]

    def resume(self, directory: Path) -> bool:
        """Loads the checkpoint of a directory; returns False if it has none."""
        if not (directory / CHECKPOINT_FILE).exists():
            return False
        with np.load(directory / CHECKPOINT_FILE) as checkpoint:
            if str(checkpoint["game"]) != repr(self.game):
                raise BadOption(
                    "out",
                    str(directory),
                    f"holds a run of {checkpoint['game']}, not of {self.game!r}",
                )
            self.seed = int(checkpoint["seed"])
            self.weights[:], self.results = checkpoint["weights"], checkpoint["results"]
            self._error_sums[:] = checkpoint["drift"]
            self._absolute_error_sums[:] = checkpoint["sway"]
        self.games = len(self.results)
        return True
