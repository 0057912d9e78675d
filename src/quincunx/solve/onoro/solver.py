"""Solves Onoro for a number of pawns, from the shapes to a finished table, in these steps:

    shapes    all shapes of every size
    moves     the moves of the shapes with all pawns on the board, and the terminal positions
    rounds    phase 2: retrograde analysis from the terminal positions
    placing   phase 1, from the last pawn to be placed back to the first
    checks    the numbers of positions by result, and checksums

The codes are written into the table itself, whose name ends in `.part` until it is complete. A
run can be killed at any moment: the next one continues from the last checkpoint, which is at most
a minute older.
"""

from __future__ import annotations

import os
import time
from contextlib import closing, nullcontext
from functools import partial
from pathlib import Path
from types import ModuleType

import numpy as np

from quincunx.errors import BadOption, BadTable
from quincunx.machine import ray_cluster
from quincunx.solve.onoro import retrograde, shape_sets
from quincunx.solve.onoro.arrays import Bytes, Codes, Counts
from quincunx.solve.onoro.cluster import ClusterRounds
from quincunx.solve.onoro.retrograde import DRAW, LOST_NOW, UNREACHABLE
from quincunx.solve.onoro.rounds import PROGRAM_BYTES, LocalRounds, bit_bytes
from quincunx.solve.onoro.shape_sets import BATCH_SHAPES, SHAPE_COUNTS, START_PAWNS
from quincunx.solve.onoro.tablebase import MappedTable, Tablebase, TableSection, section_layout
from quincunx.solve.onoro.threads import ThreadTeam
from quincunx.solve.onoro.workspace import Checkpoint, MoveFiles, Workspace
from quincunx.solve.protocol import ProgressCallback

PAWNS_PER_SIDE = range(3, 9)  # the numbers that the solver supports
CHECKPOINT_SECONDS = 60.0  # between two checkpoints

# The mean number of moves of a shape of phase 2, rounded up, by pawns a side.
MEAN_MOVES = {3: 9, 4: 16, 5: 24, 6: 35, 7: 48, 8: 63}


def required_bytes(pawns: int) -> dict[str, int]:
    """Returns the bytes that a run needs: memory, working files (`work`) and the table."""
    n = 2 * pawns
    return {
        "memory": bit_bytes(n, SHAPE_COUNTS[n]) + PROGRAM_BYTES,
        # In the move files (see `workspace`), 8 bytes for each shape and 4 + 8 + 1 for each move.
        "work": SHAPE_COUNTS[n] * (8 + 13 * MEAN_MOVES[pawns]),
        "table": section_layout(pawns, SHAPE_COUNTS, 1)["checks"].end,
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
    """Opens the table in a file; if there is no file, builds it or continues an earlier run.

    If the bits of the rounds do not fit into `memory` bytes, they are mapped to files, as all other
    large arrays are. If another run is building the same table, `solve` waits for that run (`wait`)
    or raises BadOption. With `on="ray"`, all nodes of a cluster share the rounds, which take most
    of the time.
    """
    if pawns not in PAWNS_PER_SIDE:
        low, high = PAWNS_PER_SIDE[0], PAWNS_PER_SIDE[-1]
        raise BadOption("pawns", pawns, f"must be from {low} to {high}")
    path = Path(path)
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        progress = progress or (lambda *_: None)
        with (
            closing(ThreadTeam(threads)) as team,
            ray_cluster("solving on Ray") if on == "ray" else nullcontext() as ray,
        ):
            Solver(pawns, path, team, ray, memory, progress, checkpoint_seconds).run(wait)
    table = Tablebase.open(path)
    if table.pawns != pawns:
        raise BadTable(str(path), f"the table is for {table.pawns} pawns a side, not for {pawns}")
    return table


class Solver:
    """One run of the solver."""

    def __init__(
        self,
        pawns: int,
        path: Path,
        team: ThreadTeam,
        ray: ModuleType | None,
        memory: int | None,
        progress: ProgressCallback,
        checkpoint_seconds: float,
    ) -> None:
        self.pawns, self.all_pawns = pawns, 2 * pawns  # of one side, of both sides
        self.path = path
        self._team, self._ray, self._memory = team, ray, memory
        self._progress, self._checkpoint_seconds = progress, checkpoint_seconds
        self._last_checkpoint = time.monotonic()

    def run(self, wait: bool) -> None:
        """Runs all steps that are left."""
        self._workspace = open_workspace(self.path, self.pawns, wait)
        try:
            if self.path.exists():
                self._workspace.remove()
                return
            shape_counts = self._find_shapes()
            self._checkpoint = self._workspace.load_checkpoint() or self._create_table(shape_counts)
            self._open_table(shape_counts)
            steps = {
                "moves": self._find_moves,
                "rounds": self._run_rounds,
                "placing": self._solve_placing,
                "checks": self._write_checks,
            }
            while self._checkpoint.step in steps:
                steps[self._checkpoint.step]()
            os.replace(self._part_file(self._checkpoint.width), self.path)
            self._workspace.remove()
        finally:
            self._workspace.close()

    def _find_shapes(self) -> dict[int, int]:
        """Finds and saves the shapes of every size; returns their number by size."""
        return {
            n: len(load_or_find_shapes(n, self._workspace, self._team, self._progress))
            for n in range(START_PAWNS, self.all_pawns + 1)
        }

    def _create_table(self, shape_counts: dict[int, int]) -> Checkpoint:
        """Creates the unfinished table with the shapes in it; returns the first checkpoint."""
        checkpoint = Checkpoint("moves", self.all_pawns)
        sections = section_layout(self.pawns, shape_counts, checkpoint.width)
        table = _create_file(self._part_file(checkpoint.width), sections)
        for n in shape_counts:
            shapes = table.shapes(n)
            shapes.cells[:] = load_or_find_shapes(n, self._workspace, self._team, self._progress)
            shape_sets.fill_hash_table(shapes)
        table.flush()
        self._workspace.save_checkpoint(checkpoint)
        return checkpoint

    def _open_table(self, shape_counts: dict[int, int]) -> None:
        """Opens the unfinished table of the checkpoint."""
        self._shape_counts, width = shape_counts, self._checkpoint.width
        sections = section_layout(self.pawns, shape_counts, width)
        self._table = MappedTable(self._part_file(width), sections, "r+")

    def _part_file(self, width: int) -> Path:
        """Returns the path of the unfinished table with codes of `width` bytes."""
        return self.path.with_name(f"{self.path.name}.{8 * width}.part")

    def _save_checkpoint(self, step: str, at: int = 0, done: int = 0, width: int = 0) -> None:
        """Flushes the table to disk, then writes a checkpoint."""
        self._table.flush()
        self._checkpoint = Checkpoint(step, at, done, width or self._checkpoint.width)
        self._workspace.save_checkpoint(self._checkpoint)
        self._last_checkpoint = time.monotonic()

    @property
    def _is_checkpoint_due(self) -> bool:
        return time.monotonic() - self._last_checkpoint > self._checkpoint_seconds

    def _find_moves(self) -> None:
        """Writes the moves of all shapes of phase 2, and the codes of all terminal positions."""
        n, done = self.all_pawns, self._checkpoint.done
        shapes, codes = self._table.shapes(n), self._table.codes(n)
        colourings = shape_sets.colourings_of(n)

        def task(low: int, high: int) -> retrograde.ShapeMoves:
            moves = shape_sets.find_moves(shapes, shapes, low, high)
            lines = shape_sets.find_lines(shapes, low, high)
            retrograde.write_terminal_codes(moves, colourings, *lines, codes[low:high])
            return moves

        files = MoveFiles(self._workspace, done)
        try:
            for stop, moves in self._team.map_range(done, len(shapes), task, BATCH_SHAPES):
                files.append(moves)
                self._progress("moves", stop, len(shapes))
                if self._is_checkpoint_due:
                    files.flush()
                    self._save_checkpoint("moves", n, stop)
            files.flush()
        finally:
            files.close()
        self._save_checkpoint("rounds", LOST_NOW + 1)

    def _run_rounds(self) -> None:
        """Runs rounds until one solves nothing, or until the codes need another byte."""
        code, done = self._checkpoint.at, self._checkpoint.done
        rounds = self._make_rounds()
        for stop in rounds.restore(code):
            self._progress("restoring", stop, rounds.count)
        while code <= self._max_round_code:
            for stop in rounds.run(code, done, rounds.count):
                self._progress(f"round {code - LOST_NOW}", stop, rounds.count)
                if self._is_checkpoint_due:
                    self._save_checkpoint("rounds", code, stop)
            if not rounds.finish(code):
                self._save_checkpoint("placing", self.all_pawns - 1)
                return
            code, done = code + 1, 0
            if self._is_checkpoint_due:
                self._save_checkpoint("rounds", code)
        self._widen_codes(code)

    def _make_rounds(self) -> LocalRounds | ClusterRounds:
        """Returns the rounds on this machine, or on the cluster if there is one."""
        n, codes = self.all_pawns, self._table.codes(self.all_pawns)
        if self._ray is not None:
            return ClusterRounds(self._ray, self._table.shapes(n), codes)
        return LocalRounds(self._team, n, codes, self._workspace, self._memory)

    @property
    def _max_round_code(self) -> int:
        """The greatest code of a round; phase 1 adds at most `all_pawns` plies to it."""
        return (1 << 8 * self._checkpoint.width) - 1 - self.all_pawns

    def _widen_codes(self, code: int) -> None:
        """Copies the table to one with a byte more per code, for longer distances."""
        width, new_width = self._checkpoint.width, self._checkpoint.width + 1
        sections = section_layout(self.pawns, self._shape_counts, new_width)
        new_table = _create_file(self._part_file(new_width), sections)
        for n in self._shape_counts:
            new_table.shapes(n).cells[:] = self._table.shapes(n).cells
            new_table.shapes(n).table[:] = self._table.shapes(n).table
        codes, new_codes = self._table.codes(self.all_pawns), new_table.codes(self.all_pawns)
        for low in range(0, len(codes), BATCH_SHAPES):
            new_codes[low : low + BATCH_SHAPES] = codes[low : low + BATCH_SHAPES]
            self._progress("widening codes", low, len(codes))
        new_table.flush()
        self._save_checkpoint("rounds", code, width=new_width)
        self._open_table(self._shape_counts)
        self._part_file(width).unlink()

    def _solve_placing(self) -> None:
        """Solves phase 1, from positions with one pawn missing back to the start."""
        for n in range(self._checkpoint.at, START_PAWNS - 1, -1):
            done = self._checkpoint.done if n == self._checkpoint.at else 0
            codes, task = self._table.codes(n), partial(self._solve_placing_range, n)
            for stop, _ in self._team.map_range(done, len(codes), task, BATCH_SHAPES):
                self._progress(f"placing pawn {n + 1}", stop, len(codes))
                if self._is_checkpoint_due:
                    self._save_checkpoint("placing", n, stop)
        self._save_checkpoint("checks")

    def _solve_placing_range(self, n: int, low: int, high: int) -> None:
        """Writes the codes of a range of shapes of n cells."""
        codes_from_successors(self._table, n, n + 1, low, high, self._table.codes(n)[low:high])

    def _write_checks(self) -> None:
        """Counts the positions by result; writes the checksums, then the header."""
        table = self._table
        counts = {n: self._count_positions(n) for n in self._shape_counts}
        checks = table.checks

        def task(low: int, high: int) -> None:
            for block in range(low, high):
                checks[block] = table.checksum(block)

        for done, _ in self._team.map_range(0, table.block_count, task):
            self._progress("checksums", done, table.block_count)
        table.write_header(
            {
                "game": "onoro",
                "pawns": self.pawns,
                "start": int(table.codes(START_PAWNS)[0, 0]),
                "counts": counts,
            }
        )
        table.flush()
        self._checkpoint = Checkpoint("done", width=self._checkpoint.width)

    def _count_positions(self, n: int) -> dict[str, int]:
        """Returns the numbers of positions with n pawns by result, and the longest win in plies.

        The keys are stored in the header; "over" counts the unreachable positions.
        """
        codes = self._table.codes(n)
        counts = np.zeros(1 << 8 * codes.itemsize, np.int64)

        def task(low: int, high: int) -> Counts:
            chunk_counts = np.zeros_like(counts)
            retrograde.count_codes(codes[low:high], chunk_counts)
            return chunk_counts

        for done, chunk_counts in self._team.map_range(0, len(codes), task):
            counts += chunk_counts
            self._progress(f"counts, {n} pawns", done, len(codes))
        won, lost = counts[LOST_NOW + 1 :: 2], counts[LOST_NOW::2]
        return {
            "draw": int(counts[DRAW]),
            "over": int(counts[UNREACHABLE]),
            "won": int(won.sum()),
            "lost": int(lost.sum()),
            "longest": 1 + 2 * int(won.nonzero()[0].max(initial=-1)) if won.any() else 0,
        }


def open_workspace(path: Path, pawns: int, wait: bool = False) -> Workspace:
    """Opens the working directory for a table."""
    return Workspace(path.with_name(f"{path.name}.{pawns}.work"), wait)


def load_or_find_shapes(
    n: int, workspace: Workspace, team: ThreadTeam, progress: ProgressCallback
) -> Bytes:
    """Returns all shapes of n cells; finds and saves them if they are not saved yet."""
    cells = workspace.load_shapes(n)
    if cells is None:
        parts = []
        for done, total, part in shape_sets.enumerate_parts(n, team):
            parts.append(part)
            progress(f"shapes of {n} pawns", done, total)
        cells = np.concatenate(parts)
        workspace.save_shapes(cells)
    return cells


def codes_from_successors(
    table: MappedTable, n: int, target_n: int, low: int, high: int, codes: Codes
) -> None:
    """Writes the codes of a range of shapes of n pawns, computed from those of target_n pawns."""
    shapes = table.shapes(n)
    retrograde.codes_from_successors(
        shape_sets.find_moves(shapes, table.shapes(target_n), low, high),
        shape_sets.colourings_of(n),
        *shape_sets.find_lines(shapes, low, high),
        shape_sets.colourings_of(target_n),
        table.codes(target_n),
        codes,
    )


def _create_file(path: Path, sections: dict[str, TableSection]) -> MappedTable:
    """Creates a file of zeros with these sections."""
    with open(path, "wb") as file:
        file.truncate(max(section.end for section in sections.values()))
    return MappedTable(path, sections, "r+")
