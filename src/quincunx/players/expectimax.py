"""Two-ply search: the best moves by static evaluation are tried in sampled futures."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from random import Random

from quincunx import search
from quincunx.buffers import records, seed_of_bits
from quincunx.game import Game, State
from quincunx.options import Option, Value
from quincunx.players import MoveValue, clamp_unproven
from quincunx.position import SPLITMIX_INCREMENT
from quincunx.search.expectimax import workspace_type

OPTIONS = (
    Option("width", 8, "moves to search, the best by static evaluation", 1, 1000),
    Option("samples", 2, "sampled futures per move and round", 1, 100_000),
    Option("trust", 4.0, "weight of the static evaluation, in samples", 0, 100_000),
    Option("time", 0.0, "seconds per move, repeating rounds; 0 = a single pass", 0, 3600),
)
NO_TIME_LIMIT = float("inf")
DESCRIPTION = "looks two moves ahead, in sampled futures"


@dataclass
class Candidate:
    """A move that is searched, with the sum of its values over the samples."""

    action: int
    prior_value: float  # the static evaluation
    prior_visits: float  # its weight in samples, since the mean of few samples is mostly luck
    value_sum: float = 0.0
    samples: int = 0

    @property
    def mean(self) -> float:
        """The mean value, with the static evaluation as a prior."""
        total = self.value_sum + self.prior_visits * self.prior_value
        weight = self.samples + self.prior_visits
        return total / weight if weight else self.prior_value


class ExpectimaxPlayer:
    """Searches the best moves in the same futures; the better half continues after each round.

    After a choice, `nodes` is the number of positions evaluated.
    """

    def __init__(self, game: Game, options: Mapping[str, Value], seed: int) -> None:
        self._rng = Random(seed)
        self._width, self._samples = int(options["width"]), int(options["samples"])
        self._prior_visits, self._max_seconds = float(options["trust"]), float(options["time"])
        self._seats = game.seats
        self._code = search.compiled(game.kernel)
        self._scratch = game.empty_positions(4)
        self._workspace = records(workspace_type(game.kernel.MAX_LEGAL), 1)[0]
        self._moves, self._values = self._workspace.moves, self._workspace.values
        self._candidates = self._workspace.candidates
        self._value_sums = self._workspace.value_sums
        self.time_limit: float | None = None
        self.nodes = 0

    def choose(self, state: State, seat: int | None = None) -> int:
        """Returns the best action found within the limit."""
        seat = state.acting_seat(seat)
        actions = state.actions(seat)
        return actions[0] if len(actions) == 1 else self._search(state, seat)[0][0].action

    def analyse_moves(self, state: State, seat: int | None = None) -> list[MoveValue]:
        """Returns a value for every legal move, the best first; unsearched ones by evaluation."""
        seat = state.acting_seat(seat)
        candidates, unsearched = self._search(state, seat)
        known = state.hidden(seat, 0)
        move_values = []
        for candidate in candidates:
            ends = known.act(candidate.action, seat).over and abs(candidate.mean) == 1.0
            value = candidate.mean if ends else clamp_unproven(candidate.mean)
            line, plies = (candidate.action,), 1 if ends else None
            move_values.append(MoveValue(candidate.action, value, line, candidate.samples, plies))
        for action, value in unsearched:
            move_values.append(MoveValue(action, clamp_unproven(value), (action,), 0))
        return move_values

    def _search(self, state: State, seat: int) -> tuple[list[Candidate], list[tuple[int, float]]]:
        """Returns the searched moves, the best first, and the others with their evaluations."""
        start = time.perf_counter()
        seed = self._rng.getrandbits(63)
        self._scratch[0] = state.hidden(seat, seed).position
        n = int(self._code.one_ply_values(self._scratch[:2], seat, self._moves, self._values))
        self.nodes = n
        pairs = list(zip(self._moves[:n].tolist(), self._values[:n].tolist(), strict=True))
        pairs.sort(key=lambda pair: -pair[1])
        candidates = [
            Candidate(action, value, self._prior_visits) for action, value in pairs[: self._width]
        ]
        # Sequential halving: each round gets an equal share of the time.
        remaining, rounds = len(candidates), max(1, (len(candidates) - 1).bit_length())
        last_deadline = start + (self.time_limit or NO_TIME_LIMIT)
        for round_number in range(1, rounds + 1):
            deadline = start + self._max_seconds * round_number / rounds
            in_time = True
            while in_time:
                seed = (seed + 1) % 2**63
                if self.time_limit is None:
                    self._sample(seat, candidates[:remaining], seed)
                elif not self._sample_until(seat, candidates[:remaining], seed, last_deadline):
                    return sorted(candidates, key=lambda c: -c.mean), pairs[self._width :]
                in_time = time.perf_counter() < deadline
            candidates[:remaining] = sorted(candidates[:remaining], key=lambda c: -c.mean)
            remaining = (remaining + 1) // 2
        return candidates, pairs[self._width :]

    def _sample(self, seat: int, candidates: list[Candidate], seed: int) -> None:
        """Adds the values of one round of samples to the candidates."""
        count = len(candidates)
        for i, candidate in enumerate(candidates):
            self._candidates[i] = candidate.action
        self.nodes += int(
            self._code.expectimax(
                self._scratch, seat, self._seats, self._workspace, count, self._samples, seed
            )
        )
        for candidate, value_sum in zip(candidates, self._value_sums[:count].tolist(), strict=True):
            candidate.value_sum += value_sum
            candidate.samples += self._samples

    def _sample_until(
        self, seat: int, candidates: list[Candidate], seed: int, deadline: float
    ) -> bool:
        """Adds the same as `_sample`, one sample at a time; returns False when the time is up.

        Then every candidate has the same number of samples: those that all of them could have.
        """
        sums, slowest, done = [0.0] * len(candidates), 0.0, 0
        while done < self._samples:
            values = []
            for candidate in candidates:
                started = time.perf_counter()
                if started + slowest >= deadline:
                    break
                # The compiled search adds the increment to its seed before each sample.
                seed_of_sample = (seed + done * int(SPLITMIX_INCREMENT)) % 2**64
                values.append(self._sample_once(seat, candidate, seed_of_sample))
                slowest = max(slowest, time.perf_counter() - started)
            if len(values) < len(candidates):
                break
            sums = [total + value for total, value in zip(sums, values, strict=True)]
            done += 1
        for candidate, value_sum in zip(candidates, sums, strict=True):
            candidate.value_sum += value_sum
            candidate.samples += done
        return done == self._samples

    def _sample_once(self, seat: int, candidate: Candidate, bits: int) -> float:
        """Returns the value of a candidate in one future."""
        self._candidates[0] = candidate.action
        workspace, seed = self._workspace, seed_of_bits(bits)
        self.nodes += int(
            self._code.expectimax(self._scratch, seat, self._seats, workspace, 1, 1, seed)
        )
        return float(self._value_sums[0])


def make(game: Game, options: Mapping[str, Value], seed: int) -> ExpectimaxPlayer:
    """Returns a player for any game."""
    return ExpectimaxPlayer(game, options, seed)
