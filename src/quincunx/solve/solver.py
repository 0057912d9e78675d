"""Solves Onoro for a number of pawns: from the shapes to a finished table.

    shapes    all shapes of every size
    moves     of the shapes with all pawns on the board, and the ends of the game
    rounds    working backward from the ends: phase 2
    placing   phase 1, from the last pawn to be placed back to the first
    checks    counts and checksums

The codes lie in the table itself, which has `.part` behind its name until it is done. A run can
be killed at any moment: the next one goes on after the last mark, at most a minute before.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from quincunx.errors import BadOption, BadTable
from quincunx.machine import ray_cluster
from quincunx.solve import retrograde, shape_sets
from quincunx.solve.cluster import ClusterRounds
from quincunx.solve.retrograde import LOST_NOW, OPEN, OVER
from quincunx.solve.rounds import PROGRAM, Rounds, bytes_of_bits
from quincunx.solve.shape_sets import FEWEST, SHAPES
from quincunx.solve.tablebase import Mapped, Section, Tablebase, laid_out
from quincunx.solve.threads import ThreadTeam
from quincunx.solve.workspace import Mark, MoveFiles, Workspace

PAWNS = range(3, 9)
CHECKPOINT_SECONDS = 60.0  # seconds between marks

# Moves of a shape of phase 2, on average and rounded up, by pawns a side.
MOVES = {3: 9, 4: 16, 5: 24, 6: 35, 7: 48, 8: 63}

# Called while it works: the phase, the amount done and the total amount.
ProgressCallback = Callable[[str, int, int], None]


def required_bytes(pawns: int) -> dict[str, int]:
    """What a run takes, in bytes: `memory` for bits, `work` for moves, `table` for the table."""
    n = 2 * pawns
    return {
        "memory": bytes_of_bits(n, SHAPES[n]) + PROGRAM,
        "work": SHAPES[n] * (8 + 13 * MOVES[pawns]),
        "table": laid_out(pawns, SHAPES, 1)["checks"].end,
    }


def solve(
    pawns: int,
    path: str | Path,
    threads: int | None = None,
    memory: int | None = None,
    progress: ProgressCallback | None = None,
    checkpoint_seconds: float = CHECKPOINT_SECONDS,
    wait: bool = False,
    on: str = "local",
) -> Tablebase:
    """Makes the table in a file, or goes on making it; opens it.

    `memory` is how many bytes it may take: if the bits of the rounds are more, they lie in files,
    like all else that is large, which the system reads and writes as it finds room for them. If
    another run is making the same table, it is BadOption, or waited for. On "ray" the rounds,
    which take longest, are played by all nodes of a cluster.
    """
    if pawns not in PAWNS:
        raise BadOption("pawns", pawns, f"must be from {PAWNS[0]} to {PAWNS[-1]}")
    path = Path(path)
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        progress = progress or (lambda *_: None)
        with (
            ThreadTeam(threads) as team,
            ray_cluster("solving on Ray") if on == "ray" else nullcontext() as ray,
        ):
            Solver(pawns, path, team, ray, memory, progress, checkpoint_seconds).run(wait)
    table = Tablebase.open(path)
    if table.pawns != pawns:
        raise BadTable(str(path), f"it is of {table.pawns} pawns a side, not of {pawns}")
    return table


class Solver:
    """One run."""

    def __init__(
        self,
        pawns: int,
        path: Path,
        team: ThreadTeam,
        ray: Any,
        memory: int | None,
        progress: ProgressCallback,
        checkpoint_seconds: float,
    ) -> None:
        self.pawns, self.all = pawns, 2 * pawns
        self.path = path
        self._team, self._ray, self._memory = team, ray, memory
        self._progress, self._checkpoint_seconds = progress, checkpoint_seconds
        self._marked = time.monotonic()

    def run(self, wait: bool) -> None:
        """Does all that is left to be done."""
        self._work = work_at(self.path, self.pawns, wait)
        try:
            if self.path.exists():
                self._work.remove()
                return
            shapes = self._find_shapes()
            self._mark = self._work.mark or self._lay_out(shapes)
            self._map(shapes)
            steps = {
                "moves": self._find_moves,
                "rounds": self._work_backward,
                "placing": self._place,
                "checks": self._check,
            }
            while self._mark.step in steps:
                steps[self._mark.step]()
            os.replace(self._part(self._mark.width), self.path)
            self._work.remove()
        finally:
            self._work.close()

    def _find_shapes(self) -> dict[int, int]:
        """Finds the shapes of every size; how many there are of each."""
        return {
            n: len(kept_shapes(n, self._work, self._team, self._progress))
            for n in range(FEWEST, self.all + 1)
        }

    def _lay_out(self, shapes: dict[int, int]) -> Mark:
        """Makes the file, with the shapes in it."""
        mark = Mark("moves", self.all)
        table = _made(self._part(mark.width), laid_out(self.pawns, shapes, mark.width))
        for n in shapes:
            size = table.size(n)
            size.cells[:] = self._work.shapes(n)
            shape_sets.fill(size)
        table.flush()
        self._work.put_mark(mark)
        return mark

    def _map(self, shapes: dict[int, int]) -> None:
        self._shapes, width = shapes, self._mark.width
        self._table = Mapped(self._part(width), laid_out(self.pawns, shapes, width), "r+")

    def _part(self, width: int) -> Path:
        """The file that will be the table, with codes of so many bytes."""
        return self.path.with_name(f"{self.path.name}.{8 * width}.part")

    def _go_on(self, step: str, at: int = 0, done: int = 0, width: int = 0) -> None:
        """Puts all on disk, and a mark behind it."""
        self._table.flush()
        self._mark = Mark(step, at, done, width or self._mark.width)
        self._work.put_mark(self._mark)
        self._marked = time.monotonic()

    @property
    def _due(self) -> bool:
        """True when it is time for a mark."""
        return time.monotonic() - self._marked > self._checkpoint_seconds

    def _find_moves(self) -> None:
        """Writes the moves of all shapes of phase 2, and where the game is over."""
        n, done = self.all, self._mark.done
        size, codes, colours = self._table.size(n), self._table.codes(n), shape_sets.colours(n)

        def some(low: int, high: int) -> retrograde.Moves:
            moves = shape_sets.moves(size, size, low, high)
            retrograde.begin(moves, colours, *shape_sets.lines(size, low, high), codes[low:high])
            return moves

        files = MoveFiles(self._work, done)
        try:
            for end, moves in self._team.map_range(done, len(size), some, shape_sets.TOGETHER):
                files.append(moves)
                self._progress("moves", end, len(size))
                if self._due:
                    files.flush()
                    self._go_on("moves", n, end)
            files.flush()
        finally:
            files.close()
        self._go_on("rounds", LOST_NOW + 1)

    def _work_backward(self) -> None:
        """Round after round, until one settles nothing."""
        code, done = self._mark.at, self._mark.done
        rounds = self._rounds()
        for shape in rounds.recall(code):
            self._progress("what is settled", shape, rounds.count)
        while code <= self._highest:
            for shape in rounds.settle(code, done, rounds.count):
                self._progress(f"round {code - LOST_NOW}", shape, rounds.count)
                if self._due:
                    self._go_on("rounds", code, shape)
            if not rounds.finish(code):
                self._go_on("placing", self.all - 1)
                return
            code, done = code + 1, 0
            if self._due:
                self._go_on("rounds", code)
        self._widen(code)

    def _rounds(self) -> Rounds | ClusterRounds:
        """Who plays the rounds."""
        n, codes = self.all, self._table.codes(self.all)
        if self._ray is not None:
            return ClusterRounds(self._ray, self._table.size(n), codes)
        return Rounds(self._team, n, codes, self._work, self._memory)

    @property
    def _highest(self) -> int:
        """The highest code that a round may give, so that phase 1 finds room for its own."""
        return (1 << 8 * self._mark.width) - 1 - self.all

    def _widen(self, code: int) -> None:
        """Gives every code another byte, when a win takes longer than one can hold."""
        narrow, width = self._mark.width, self._mark.width + 1
        after = _made(self._part(width), laid_out(self.pawns, self._shapes, width))
        for n in self._shapes:
            after.size(n).cells[:] = self._table.size(n).cells
            after.size(n).table[:] = self._table.size(n).table
        codes, wider = self._table.codes(self.all), after.codes(self.all)
        step = shape_sets.TOGETHER
        for low in range(0, len(codes), step):
            wider[low : low + step] = codes[low : low + step]
            self._progress("wider codes", low, len(codes))
        after.flush()
        self._go_on("rounds", code, width=width)
        self._map(self._shapes)
        self._part(narrow).unlink()

    def _place(self) -> None:
        """Phase 1, with one pawn less on the board each time."""
        for n in range(self._mark.at, FEWEST - 1, -1):
            done = self._mark.done if n == self._mark.at else 0
            codes, some = self._table.codes(n), partial(self._judge, n)
            for end, _ in self._team.map_range(done, len(codes), some, shape_sets.TOGETHER):
                self._progress(f"placing pawn {n + 1}", end, len(codes))
                if self._due:
                    self._go_on("placing", n, end)
        self._go_on("checks")

    def _judge(self, n: int, low: int, high: int) -> None:
        judge(self._table, n, n + 1, low, high, self._table.codes(n)[low:high])

    def _check(self) -> None:
        """Counts, and writes checksums and header."""
        table = self._table
        counts = {n: self._counted(n) for n in self._shapes}
        checks = table["checks"]

        def some(low: int, high: int) -> None:
            for block in range(low, high):
                checks[block] = table.check_of(block)

        for done, _ in self._team.map_range(0, table.blocks, some):
            self._progress("checksums", done, table.blocks)
        table.write_header(
            {
                "game": "onoro",
                "pawns": self.pawns,
                "start": int(table.codes(FEWEST)[0, 0]),
                "counts": counts,
            }
        )
        table.flush()
        self._mark = Mark("done", width=self._mark.width)

    def _counted(self, n: int) -> dict[str, int]:
        """How many positions with n pawns on the board are what."""
        codes = self._table.codes(n)
        counts = np.zeros(1 << 8 * codes.itemsize, np.int64)

        def some(low: int, high: int) -> Any:
            part = np.zeros_like(counts)
            retrograde.tally(codes[low:high], part)
            return part

        for done, part in self._team.map_range(0, len(codes), some):
            counts += part
            self._progress(f"counts, {n} pawns", done, len(codes))
        won, lost = counts[OVER + 2 :: 2], counts[LOST_NOW::2]
        return {
            "draw": int(counts[OPEN]),
            "over": int(counts[OVER]),
            "won": int(won.sum()),
            "lost": int(lost.sum()),
            "longest": 1 + 2 * int(won.nonzero()[0].max(initial=-1)) if won.any() else 0,
        }


def work_at(path: Path, pawns: int, wait: bool = False) -> Workspace:
    """The working directory for a table."""
    return Workspace(path.with_name(f"{path.name}.{pawns}.work"), wait)


def kept_shapes(n: int, work: Workspace, team: ThreadTeam, progress: ProgressCallback) -> Any:
    """All shapes of n cells, found if they were not kept."""
    cells = work.shapes(n)
    if cells is None:
        parts = []
        for done, total, part in shape_sets.enumerated(n, team):
            parts.append(part)
            progress(f"shapes of {n} pawns", done, total)
        cells = np.concatenate(parts)
        work.keep_shapes(cells)
    return cells


def judge(table: Mapped, n: int, later: int, low: int, high: int, codes: Any) -> None:
    """Writes the codes of some shapes of n pawns as they follow from those of `later` pawns."""
    size = table.size(n)
    retrograde.judge(
        shape_sets.moves(size, table.size(later), low, high),
        shape_sets.colours(n),
        *shape_sets.lines(size, low, high),
        shape_sets.colours(later),
        table.codes(later),
        codes,
    )


def _made(path: Path, sections: dict[str, Section]) -> Mapped:
    """A new file of zeros with these sections."""
    with open(path, "wb") as file:
        file.truncate(max(section.end for section in sections.values()))
    return Mapped(path, sections, "r+")
