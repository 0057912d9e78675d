"""How long solving would take: every kernel measured on a random sample of the real shapes.

The rounds of so few shapes cannot be played, since most moves lead out of the sample. Instead the
shapes that moves lead to get made-up bits: half of their positions settled, a few of these just
now, as few as a round among a hundred settles. That gives the cost of a step back, from a settled
position over one move; and at most every position is settled, so that every step back is made once.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from quincunx.solve import retrograde, shape_sets
from quincunx.solve.retrograde import LOST_NOW, Known, Moves
from quincunx.solve.rounds import words
from quincunx.solve.shape_sets import FEWEST, SHAPES, ShapeSet
from quincunx.solve.solver import ProgressCallback, kept_shapes, required_bytes, work_at
from quincunx.solve.threads import ThreadTeam

AT_ONCE = 64  # shapes measured together
FEW = 1000  # that tell how many landings there are
RARE = 6  # one of 2**6 settled positions, and so one of 2**7 in all, is fresh
WON = 0.75  # of the settled positions; so it is, about, with six pawns a side


@dataclass
class SolveEstimate:
    """What was measured, in seconds of one core."""

    pawns: int
    shapes: int = 0  # in the sample
    moves: int = 0
    landings: float = 0.0  # of a new pawn, on average, when it is the last one
    seconds: dict[str, float] = field(default_factory=dict)
    steps: dict[str, int] = field(default_factory=dict)

    def add(self, what: str, seconds: float, steps: int) -> None:
        """Notes that so many steps took so long."""
        self.seconds[what] = self.seconds.get(what, 0.0) + seconds
        self.steps[what] = self.steps.get(what, 0) + steps

    def cost(self, what: str) -> float:
        """Seconds a step."""
        return self.seconds[what] / max(1, self.steps[what])

    @property
    def hours(self) -> dict[str, float]:
        """Core-hours of each part of the whole."""
        n = 2 * self.pawns
        all_moves = self.moves / self.shapes * SHAPES[n]
        # In half of the colourings the cell that is lifted is one's own.
        back = all_moves * shape_sets.colourings(n) / 2
        placings = (
            sum(SHAPES[k] * shape_sets.colourings(k) for k in range(FEWEST, n)) * self.landings
        )
        return {
            "moves": SHAPES[n] * self.cost("moves") / 3600,
            "rounds, at most": back
            * (WON * self.cost("losses") + (1 - WON) * self.cost("wins"))
            / 3600,
            "placing": placings * self.cost("judge") / 3600,
            "verifying": all_moves * shape_sets.colourings(n) * self.cost("judge") / 3600,
        }

    def as_dict(self) -> dict[str, Any]:
        """For programs."""
        return {
            "pawns": self.pawns,
            "shapes": self.shapes,
            "moves": self.moves,
            "seconds": {what: self.cost(what) for what in self.seconds},
            "hours": self.hours,
            "needs": required_bytes(self.pawns),
        }

    def lines(self) -> Iterator[str]:
        """For people."""
        n = 2 * self.pawns
        yield (
            f"Onoro, {self.pawns} pawns a side: {SHAPES[n]:,} shapes of {n} pawns, "
            f"{SHAPES[n] * shape_sets.colourings(n):,} positions."
        )
        yield f"Measured on {self.shapes:,} shapes, with {self.moves / self.shapes:.1f} moves each:"
        yield f"  finding the moves of a shape  {1e6 * self.cost('moves'):8.1f} µs"
        yield f"  a step back that finds wins   {1e9 * self.cost('wins'):8.2f} ns"
        yield f"  a step back that finds losses {1e9 * self.cost('losses'):8.2f} ns"
        yield f"  a step forward, when judging  {1e9 * self.cost('judge'):8.2f} ns"
        yield "Core-hours for the whole:"
        for what, hours in self.hours.items():
            yield f"  {what:16} {hours:10,.4g}"
        yield f"  {'in all':16} {sum(self.hours.values()):10,.4g}"


def measure(
    pawns: int, count: int, path: Path, team: ThreadTeam, progress: ProgressCallback, seed: int = 0
) -> SolveEstimate:
    """Measures on so many shapes; the shapes found are kept for the run that solves."""
    n = 2 * pawns
    work = work_at(path, pawns)
    try:
        cells, smaller = (kept_shapes(k, work, team, progress) for k in (n, n - 1))
    finally:
        work.close()
    whole = ShapeSet(cells, np.empty(shape_sets.table_length(len(cells)), np.int32))
    shape_sets.fill(whole)
    dice = np.random.default_rng(seed)
    chosen = dice.choice(len(cells), min(count, len(cells)), replace=False)
    few = ShapeSet(dice.choice(smaller, min(count, len(smaller), FEW), replace=False), whole.table)
    landings = len(shape_sets.moves(few, whole, 0, len(few)).target) / len(few)
    estimate = SolveEstimate(pawns, landings=landings)
    _measure(SolveEstimate(pawns), whole, chosen[:2], dice)  # compiles
    for low in range(0, len(chosen), AT_ONCE):
        _measure(estimate, whole, chosen[low : low + AT_ONCE], dice)
        progress("sample", min(len(chosen), low + AT_ONCE), len(chosen))
    return estimate


def _measure(estimate: SolveEstimate, whole: ShapeSet, chosen: Any, dice: Any) -> None:
    """Measures every kernel on some shapes."""
    n, count = whole.n, len(chosen)
    colours, some = shape_sets.colours(n), ShapeSet(whole.cells[chosen], whole.table)
    clock = time.thread_time()
    moves = shape_sets.moves(some, whole, 0, count)
    lines = shape_sets.lines(some, 0, count)
    # The shapes that moves lead to are numbered anew, behind the chosen ones.
    targets, numbers = np.unique(moves.target, return_inverse=True)
    local = Moves(moves.starts, (count + numbers).astype(np.int32), moves.perm, moves.laid)
    codes = np.zeros((count + len(targets), len(colours.colourings)), np.uint8)
    retrograde.begin(local, colours, *lines, codes[:count])
    estimate.add("moves", time.thread_time() - clock, count)
    estimate.shapes += count
    estimate.moves += len(moves.target)

    shape = len(codes), words(n)
    settled = dice.integers(0, 1 << 64, shape, np.uint64)
    fresh = settled.copy()
    for _ in range(RARE):
        fresh &= dice.integers(0, 1 << 64, shape, np.uint64)
    _cut(settled, len(colours.colourings))
    fresh &= settled
    settled[:count] = fresh[:count] = 0
    bits = np.unpackbits(fresh.view(np.uint8), axis=1).sum(1, dtype=np.int64)
    steps = int(bits[local.target].sum()) // 2
    live, after = np.ones(len(codes), np.uint8), np.zeros(len(codes), np.uint8)
    for what, find, code in (
        ("wins", retrograde.find_wins, LOST_NOW + 1),
        ("losses", retrograde.find_losses, LOST_NOW + 2),
    ):
        none = np.zeros(shape, np.uint64)
        won, lost = (none, settled.copy()) if what == "wins" else (settled.copy(), none)
        known = Known(won, lost, fresh.copy(), codes.copy())
        clock = time.thread_time()
        find(0, count, code, local, colours, known, live, after)
        estimate.add(what, time.thread_time() - clock, steps)

    clock = time.thread_time()
    retrograde.judge(local, colours, *lines, colours, codes, codes[:count].copy())
    steps = len(local.target) * len(colours.colourings)
    estimate.add("judge", time.thread_time() - clock, steps)


def _cut(bits: Any, count: int) -> None:
    """Drops the bits behind the last colouring."""
    if count % 64:
        bits[:, -1] &= np.uint64((1 << count % 64) - 1)
