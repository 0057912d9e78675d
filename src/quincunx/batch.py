"""Many games at once: an array of positions, stepped on all cores.

The functions at the top are templates that `jit.specialise` compiles per game. Each works on
a slice of the positions and releases the GIL, so that threads can run in parallel.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import pairwise
from operator import index
from types import SimpleNamespace
from typing import Any, SupportsIndex, cast

import numpy as np
from numpy.typing import ArrayLike

from quincunx import jit
from quincunx.contract import Kernel, apply, is_legal, legal, observe, scores, start
from quincunx.errors import BadOption
from quincunx.game import Game, State
from quincunx.machine import cores
from quincunx.phrases import Phrase
from quincunx.position import mix
from quincunx.search.playout import sample

# With fewer games, starting threads costs more than it saves.
MIN_GAMES_FOR_THREADS = 64


def _start(states, options, seeds):
    """Starts every game from its seed."""
    for i in range(len(states)):
        start(states[i], options, np.int64(seeds[i]))


def _first_illegal(states, seats, actions):
    """Returns the index of the first unfinished game whose action is illegal, or -1."""
    for i in range(len(states)):
        if not states[i].over and not is_legal(states[i], seats[i], actions[i]):
            return i
    return -1


def _step(states, seats, actions):
    """Plays an action in every unfinished game."""
    for i in range(len(states)):
        if not states[i].over:
            apply(states[i], seats[i], actions[i])


def _sample(states, seats, seeds, moves, out):
    """Writes a random legal action for every unfinished game, -1 for finished ones."""
    for i in range(len(states)):
        out[i] = -1
        if not states[i].over:
            out[i] = sample(states[i], seats[i], moves, mix(seeds[i]) >> np.uint64(32))


def _mask(states, seats, moves, out):
    """Writes a mask of the legal actions of every game; all False for finished ones."""
    for i in range(len(states)):
        out[i, :] = False
        if not states[i].over:
            for k in range(legal(states[i], seats[i], moves)):
                out[i, moves[k]] = True


def _scores(states, out):
    """Writes the scores of every game."""
    for i in range(len(states)):
        scores(states[i], out[i])


def _observe(states, seats, out):
    """Writes the observation of one seat of every game."""
    for i in range(len(states)):
        observe(states[i], seats[i], out[i])


@cache
def compiled(kernel: Kernel) -> SimpleNamespace:
    """Returns the templates above, compiled for one game."""
    return jit.specialise(
        kernel, sample, _start, _first_illegal, _step, _sample, _mask, _scores, _observe
    )


@cache
def _threads() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(cores(), thread_name_prefix="quincunx-batch")


if hasattr(os, "register_at_fork"):
    # Only the forking thread survives in a forked process.
    os.register_at_fork(after_in_child=_threads.cache_clear)


class Batch:
    """Many games with the same rules and options; a finished game stays until it is restarted."""

    def __init__(self, game: Game, count: int, seed: int) -> None:
        if isinstance(count, bool) or not isinstance(count, SupportsIndex) or index(count) < 1:
            raise BadOption("count", count, "must be an integer of 1 or more")
        self.game = game
        self.states = game.empty_positions(count)
        self._code = compiled(cast(Any, game.kernel))
        self._seed = np.uint64(seed)
        self._move_buffers = np.empty((cores(), game.kernel.MAX_LEGAL), np.int32)
        self.restart(np.ones(count, bool))

    def __repr__(self) -> str:
        return f"<Batch of {len(self)} games of {self.game!r}, {int(self.over.sum())} over>"

    def __len__(self) -> int:
        return len(self.states)

    def __getitem__(self, index: int) -> State:
        """Returns a copy of one game as a State."""
        s = self.game.empty_positions()
        s[0] = self.states[index]
        return State(self.game, s[0])

    @property
    def over(self) -> np.ndarray[Any, Any]:
        """A boolean per game: True if it has ended."""
        return np.asarray(self.states.over, bool)

    @property
    def turn(self) -> np.ndarray[Any, Any]:
        """The seat to move in each game; where anyone may move, the seats alternate."""
        turn, ply = np.asarray(self.states.turn, np.int64), np.asarray(self.states.ply, np.int64)
        return np.where(turn >= 0, turn, ply % self.game.seats)

    @property
    def scores(self) -> np.ndarray[Any, Any]:
        """The scores: one row per game, one column per seat."""
        out = np.zeros((len(self), self.game.seats))
        self._run_parallel(lambda part, _: self._code._scores(self.states[part], out[part]))
        return out

    def step(self, actions: ArrayLike, seats: ArrayLike | None = None, check: bool = True) -> None:
        """Plays an action in every unfinished game; the actions of finished ones are ignored.

        Illegal actions raise IllegalMove before any game is changed. With `check=False` the
        actions are not checked, and an illegal one has undefined results.
        """
        chosen = self._per_game(actions, "actions")
        acting = self._seats(seats)
        if check:
            self._check_legal(chosen, acting)
        self._run_parallel(
            lambda part, _: self._code._step(self.states[part], acting[part], chosen[part])
        )

    def sample(self) -> np.ndarray[Any, Any]:
        """Returns a random legal action for every unfinished game, -1 for finished ones."""
        seeds, out = self._next_seeds(len(self)), np.empty(len(self), np.int64)
        acting = self.turn
        self._run_parallel(
            lambda part, moves: self._code._sample(
                self.states[part], acting[part], seeds[part], moves, out[part]
            )
        )
        return out

    def masks(self) -> np.ndarray[Any, Any]:
        """Returns a mask of the legal actions: one row per game."""
        out, acting = np.empty((len(self), self.game.actions), bool), self.turn
        self._run_parallel(
            lambda part, moves: self._code._mask(self.states[part], acting[part], moves, out[part])
        )
        return out

    def observe(self, seats: ArrayLike | None = None) -> np.ndarray[Any, Any]:
        """Returns an observation per game as planes, by default that of the seat to move."""
        acting = self._seats(seats)
        out = np.zeros((len(self), *self.game.planes), np.float32)
        self._run_parallel(
            lambda part, _: self._code._observe(self.states[part], acting[part], out[part])
        )
        return out

    def restart(self, which: ArrayLike | None = None) -> None:
        """Restarts the games selected by a boolean per game, by default the finished ones."""
        mask = self.over if which is None else np.asarray(which)
        if mask.shape != (len(self),) or mask.dtype != bool:
            raise BadOption(
                "which", _type_and_shape(mask), f"must be {len(self)} booleans, one per game"
            )
        selected = np.flatnonzero(mask)
        fresh = self.game.empty_positions(len(selected))
        self._code._start(fresh, self.game.kernel_options, self._next_seeds(len(selected)))
        self.states[selected] = fresh

    def _next_seeds(self, count: int) -> np.ndarray[Any, Any]:
        """Returns the next seeds: consecutive integers, because every use of a seed hashes it."""
        first = self._seed
        self._seed = first + np.uint64(count)
        return first + np.arange(count, dtype=np.uint64)

    def _per_game(self, values: ArrayLike, name: str) -> np.ndarray[Any, Any]:
        """Returns the values as an array; raises BadOption unless they are an integer per game."""
        array = np.asarray(values)
        if array.shape != (len(self),) or array.dtype.kind not in "iu":
            raise BadOption(
                name, _type_and_shape(array), f"must be {len(self)} integers, one per game"
            )
        return array.astype(np.int64)

    def _seats(self, seats: ArrayLike | None) -> np.ndarray[Any, Any]:
        """Returns the acting seats: the given ones, validated, or those to move."""
        if seats is None:
            return self.turn
        acting = self._per_game(seats, "seats")
        wrong = np.flatnonzero((acting < 0) | (acting >= self.game.seats))
        if len(wrong):
            game = int(wrong[0])
            raise BadOption(
                "seats", int(acting[game]), f"game {game} has seats 0 to {self.game.seats - 1}"
            )
        return acting

    def _check_legal(self, actions: np.ndarray[Any, Any], seats: np.ndarray[Any, Any]) -> None:
        """Raises IllegalMove for the first game whose action is illegal."""
        illegal: list[int] = []

        def check(part: slice, _: np.ndarray[Any, Any]) -> None:
            first = self._code._first_illegal(self.states[part], seats[part], actions[part])
            if first >= 0:
                illegal.append(part.start + int(first))

        self._run_parallel(check)
        if illegal:
            game = min(illegal)
            reason = Phrase("not_legal_in", {"seat": int(seats[game]), "game": game})
            raise self.game.illegal_move(str(int(actions[game])), self.states[game], reason)

    def _run_parallel(self, work: Callable[[slice, Any], None]) -> None:
        """Runs `work` on slices of the games, one per core, each with its own move buffer."""
        count = len(self._move_buffers) if len(self) >= MIN_GAMES_FOR_THREADS else 1
        edges = np.linspace(0, len(self), count + 1).astype(int).tolist()
        parts = [slice(first, end) for first, end in pairwise(edges)]
        if count == 1:
            work(parts[0], self._move_buffers[0])
        else:
            list(_threads().map(work, parts, self._move_buffers))


def _type_and_shape(array: np.ndarray[Any, Any]) -> str:
    """Returns the type and shape of an array, for error messages."""
    return f"{array.dtype} array of shape {array.shape}"
