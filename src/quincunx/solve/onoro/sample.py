"""An estimate of the time to solve: every kernel measured on a random sample of the real shapes.

The rounds cannot be run on a sample, since most moves lead out of it. Instead, the shapes that
moves lead to get random bits: half of their positions are solved, and a few of these are in the
frontier, as few as in one of a hundred rounds. This measures the cost of a backward step, from a
solved position over one move. Every position is solved at most once, so every backward step is
made at most once.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from quincunx.solve.onoro import retrograde, shape_sets
from quincunx.solve.onoro.arrays import Counts, Words
from quincunx.solve.onoro.retrograde import LOST_NOW, RetrogradeRows, ShapeMoves
from quincunx.solve.onoro.rounds import words_per_row
from quincunx.solve.onoro.shape_sets import SHAPE_COUNTS, START_PAWNS, ShapeSet
from quincunx.solve.onoro.solver import (
    load_or_find_shapes,
    open_workspace,
    required_bytes,
)
from quincunx.solve.onoro.threads import ThreadTeam
from quincunx.solve.protocol import ProgressCallback, Report

MEASURED_BATCH_SHAPES = 64  # shapes measured together
LANDING_SHAPES = 1000  # shapes on which the number of landings is counted
FRONTIER_HALVINGS = 6  # one of 2**6 solved positions, so one of 2**7 in total, is in the frontier
WON_SHARE = 0.75  # of the solved positions; roughly so with six pawns a side


@dataclass
class SolveEstimate:
    """Measured times, in seconds of one core."""

    pawns: int
    shapes: int = 0  # in the sample
    moves: int = 0
    landings: float = 0.0  # the mean number of landings of the last pawn to be placed
    seconds: dict[str, float] = field(default_factory=dict)
    steps: dict[str, int] = field(default_factory=dict)

    def add(self, kernel: str, seconds: float, steps: int) -> None:
        """Adds the time that a kernel took for a number of steps."""
        self.seconds[kernel] = self.seconds.get(kernel, 0.0) + seconds
        self.steps[kernel] = self.steps.get(kernel, 0) + steps

    def cost(self, kernel: str) -> float:
        """Returns the seconds per step of a kernel."""
        return self.seconds[kernel] / max(1, self.steps[kernel])

    @property
    def hours(self) -> dict[str, float]:
        """The estimated core-hours of each step of the solver."""
        n = 2 * self.pawns
        count = shape_sets.colouring_count
        all_moves = self.moves / self.shapes * SHAPE_COUNTS[n]
        # In half of the colourings, the moved cell belongs to the side to move.
        backward_steps = all_moves * count(n) / 2
        placing_positions = sum(SHAPE_COUNTS[k] * count(k) for k in range(START_PAWNS, n))
        placings = placing_positions * self.landings
        return {
            "moves": SHAPE_COUNTS[n] * self.cost("moves") / 3600,
            "rounds, at most": backward_steps
            * (WON_SHARE * self.cost("losses") + (1 - WON_SHARE) * self.cost("wins"))
            / 3600,
            "placing": placings * self.cost("judge") / 3600,
            "verifying": all_moves * count(n) * self.cost("judge") / 3600,
        }

    def report(self) -> Report:
        """Returns the measurements and the estimate."""
        facts = {
            "pawns": self.pawns,
            "shapes": self.shapes,
            "moves": self.moves,
            "seconds": {kernel: self.cost(kernel) for kernel in self.seconds},
            "hours": self.hours,
            "needs": required_bytes(self.pawns),
        }
        return Report(facts, tuple(self._lines()))

    def _lines(self) -> Iterator[str]:
        """Yields the estimate as lines of text."""
        n = 2 * self.pawns
        positions = SHAPE_COUNTS[n] * shape_sets.colouring_count(n)
        yield (
            f"Onoro, {self.pawns} pawns a side: {SHAPE_COUNTS[n]:,} shapes of {n} pawns, "
            f"{positions:,} positions."
        )
        yield f"Measured on {self.shapes:,} shapes, with {self.moves / self.shapes:.1f} moves each:"
        yield f"  finding the moves of a shape    {1e6 * self.cost('moves'):8.1f} µs"
        yield f"  backward step that finds wins   {1e9 * self.cost('wins'):8.2f} ns"
        yield f"  backward step that finds losses {1e9 * self.cost('losses'):8.2f} ns"
        yield f"  forward step (placing, verify)  {1e9 * self.cost('judge'):8.2f} ns"
        yield "Estimated core-hours:"
        for step, hours in self.hours.items():
            yield f"  {step:16} {hours:10,.4g}"
        yield f"  {'total':16} {sum(self.hours.values()):10,.4g}"


def measure(
    pawns: int,
    count: int,
    path: Path,
    team: ThreadTeam,
    progress: ProgressCallback,
    seed: int = 0,
) -> SolveEstimate:
    """Measures on `count` shapes; saves the shapes it finds for a later run of the solver."""
    n = 2 * pawns
    workspace = open_workspace(path, pawns)
    try:
        cells, smaller = (load_or_find_shapes(k, workspace, team, progress) for k in (n, n - 1))
    finally:
        workspace.close()
    all_shapes = ShapeSet(cells, np.empty(shape_sets.hash_table_length(len(cells)), np.int32))
    shape_sets.fill_hash_table(all_shapes)
    rng = np.random.default_rng(seed)
    sample = rng.choice(len(cells), min(count, len(cells)), replace=False)
    landing_count = min(count, len(smaller), LANDING_SHAPES)
    landing_shapes = ShapeSet(rng.choice(smaller, landing_count, replace=False), all_shapes.table)
    moves = shape_sets.find_moves(landing_shapes, all_shapes, 0, landing_count)
    estimate = SolveEstimate(pawns, landings=len(moves.target) / landing_count)
    _measure_batch(SolveEstimate(pawns), all_shapes, sample[:2], rng)  # compiles the kernels
    for low in range(0, len(sample), MEASURED_BATCH_SHAPES):
        _measure_batch(estimate, all_shapes, sample[low : low + MEASURED_BATCH_SHAPES], rng)
        progress("sample", min(len(sample), low + MEASURED_BATCH_SHAPES), len(sample))
    return estimate


def _measure_batch(
    estimate: SolveEstimate, all_shapes: ShapeSet, batch: Counts, rng: np.random.Generator
) -> None:
    """Measures every kernel on some shapes and adds the times to the estimate."""
    n, count = all_shapes.n, len(batch)
    colourings = shape_sets.colourings_of(n)
    shapes = ShapeSet(all_shapes.cells[batch], all_shapes.table)
    start = time.thread_time()
    moves = shape_sets.find_moves(shapes, all_shapes, 0, count)
    lines = shape_sets.find_lines(shapes, 0, count)
    # The shapes that moves lead to are renumbered, after the shapes of the batch.
    targets, numbers = np.unique(moves.target, return_inverse=True)
    local = ShapeMoves(
        moves.starts, (count + numbers).astype(np.int32), moves.perm, moves.moved_cell
    )
    codes = np.zeros((count + len(targets), len(colourings.masks)), np.uint8)
    retrograde.write_terminal_codes(local, colourings, *lines, codes[:count])
    estimate.add("moves", time.thread_time() - start, count)
    estimate.shapes += count
    estimate.moves += len(moves.target)

    shape = len(codes), words_per_row(n)
    solved = rng.integers(0, 1 << 64, shape, np.uint64)
    frontier = solved.copy()
    for _ in range(FRONTIER_HALVINGS):
        frontier &= rng.integers(0, 1 << 64, shape, np.uint64)
    _clear_unused_bits(solved, len(colourings.masks))
    frontier &= solved
    solved[:count] = frontier[:count] = 0
    frontier_sizes = np.unpackbits(frontier.view(np.uint8), axis=1).sum(1, dtype=np.int64)
    steps = int(frontier_sizes[local.target].sum()) // 2
    active, next_active = np.ones(len(codes), np.uint8), np.zeros(len(codes), np.uint8)
    for kernel, find, code in (
        ("wins", retrograde.find_wins, LOST_NOW + 1),
        ("losses", retrograde.find_losses, LOST_NOW + 2),
    ):
        none = np.zeros(shape, np.uint64)
        won, lost = (none, solved.copy()) if kernel == "wins" else (solved.copy(), none)
        rows = RetrogradeRows(won, lost, frontier.copy(), codes.copy())
        start = time.thread_time()
        find(0, count, code, local, colourings, rows, active, next_active)
        estimate.add(kernel, time.thread_time() - start, steps)

    start = time.thread_time()
    retrograde.codes_from_successors(
        local, colourings, *lines, colourings, codes, codes[:count].copy()
    )
    steps = len(local.target) * len(colourings.masks)
    estimate.add("judge", time.thread_time() - start, steps)


def _clear_unused_bits(bits: Words, count: int) -> None:
    """Clears the bits after the last colouring."""
    if count % 64:
        bits[:, -1] &= np.uint64((1 << count % 64) - 1)
