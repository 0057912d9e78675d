"""Tuning: a game's evaluation learns its weights from play, with checkpoints and a curve."""

from __future__ import annotations

from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from types import ModuleType
from typing import Any, cast

import numpy as np

from quincunx import search
from quincunx.errors import BadOption
from quincunx.files import write_atomically
from quincunx.game import Game
from quincunx.search import learning
from quincunx.tune.picture import curve

CHECKPOINT, WEIGHTS, CURVE = "checkpoint.npz", "weights.npy", "curve.svg"


@dataclass(frozen=True)
class Tuning:
    """How to learn. A lower rate makes good weights better; a high one is for the beginning."""

    rate: float = 1.0
    discount: float = 0.985
    decay: float = 0.5
    reach: int = 4  # plies that an error reaches back
    limit: int = 100_000  # plies of a game


USUAL = Tuning()


class Tuner:
    """Plays games with the weights as they are, and makes them better on the way."""

    def __init__(self, game: Game, seed: int, tuning: Tuning = USUAL) -> None:
        kernel = cast(ModuleType, game.kernel)
        if not hasattr(kernel, "afterstate_values"):
            raise BadOption("game", game.name, "has no weights to tune; wzlz has")
        self.game, self.seed = game, seed
        self.games: int = 0
        self.results = np.zeros((0, 2))  # score and plies of each game
        count = len(kernel.WEIGHTS)
        self.weights = np.zeros(count, np.float32)
        self._drift, self._sway = np.zeros(count, np.float32), np.zeros(count, np.float32)
        self._trail = np.zeros((tuning.reach + 1, kernel.FEATURES), np.int64)
        self._tuning = np.array([tuning.rate, tuning.discount, tuning.decay, tuning.limit])
        self._room = game.empty_positions(2)
        self._moves = np.empty(kernel.MAX_LEGAL, np.int32)
        self._values = np.empty(kernel.MAX_LEGAL)
        self._learn = search.compiled(kernel, learning).learn
        if not kernel.features(game.start(0)._s, 0, self._trail[0]):
            raise BadOption("game", game.name, "has no weights with these options")

    def start_from(self, weights: Any) -> None:
        """Takes weights to begin with; how fast they change is found anew."""
        if np.shape(weights) != self.weights.shape:
            raise BadOption("start", str(np.shape(weights)), f"is not {self.weights.shape}")
        self.weights[:] = weights

    def play(self, games: int) -> np.ndarray[Any, Any]:
        """Plays some games and learns from them; their scores."""
        results = np.zeros((games, 2))
        self._learn(
            self._room,
            self.game.kernel_options,
            self._moves,
            self._values,
            self.weights,
            self._drift,
            self._sway,
            self._trail,
            self._tuning,
            self.seed + self.games,
            results,
        )
        self.games += games
        self.results = np.concatenate([self.results, results])
        return results[:, 0]

    def save(self, folder: Path) -> None:
        """Writes the checkpoint, the weights and the curve."""
        folder.mkdir(parents=True, exist_ok=True)
        checkpoint, weights = BytesIO(), BytesIO()
        np.savez(
            checkpoint,
            weights=self.weights,
            drift=self._drift,
            sway=self._sway,
            results=self.results,
            seed=self.seed,
            game=repr(self.game),
        )
        np.save(weights, self.weights.astype(np.float16))
        write_atomically(folder / CHECKPOINT, checkpoint.getvalue())
        write_atomically(folder / WEIGHTS, weights.getvalue())
        write_atomically(folder / CURVE, curve(self.results[:, 0], repr(self.game)).encode())

    def resume(self, folder: Path) -> bool:
        """Goes on where a checkpoint was left; False if there is none."""
        if not (folder / CHECKPOINT).exists():
            return False
        with np.load(folder / CHECKPOINT) as kept:
            if str(kept["game"]) != repr(self.game):
                raise BadOption("out", str(folder), f"holds a run of {kept['game']}")
            self.seed = int(kept["seed"])
            self.weights[:], self.results = kept["weights"], kept["results"]
            self._drift[:], self._sway[:] = kept["drift"], kept["sway"]
        self.games = len(self.results)
        return True
