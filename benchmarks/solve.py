"""Measures how fast Onoro is solved, verified and probed.

    .venv/bin/python benchmarks/solve.py [--pawns 6]

Solves into a temporary directory. If the user's data directory has the table already, it is only
verified and probed. Budgets: 6 pawns a side within 60 s and 7 within 45 minutes on two cores; a
million probes a second from the kernel, and less than 1 ms for one from Python. The times for
probing are processor time, on one core.
"""

import argparse
import random
import tempfile
import time
from contextlib import closing
from pathlib import Path

import numpy as np
from machine import heading
from rich.console import Console
from rich.table import Table

import quincunx as qx
from quincunx.machine import cores
from quincunx.solve import onoro
from quincunx.solve.onoro import probing
from quincunx.solve.onoro.reader import TableReader
from quincunx.solve.onoro.solver import solve
from quincunx.solve.onoro.threads import ThreadTeam
from quincunx.solve.onoro.verification import verify

KERNEL_PROBES = 200_000
PYTHON_PROBES = 1000


def timed(work, clock=time.perf_counter):
    """Returns the result of `work` and the seconds it took."""
    start = clock()
    return work(), clock() - start


def random_positions(pawns, count):
    """Returns positions of random games with all pawns on the board."""
    onoro, rng, positions = qx.game("onoro", pawns=pawns, repetition=0), random.Random(0), []
    while len(positions) < count:
        state = onoro.start(seed=0)
        while not state.over and state.ply < 60:
            state = state.act(rng.choice(state.actions()))
            if int(state.position.placed) == 2 * pawns and not state.over:
                positions.append(state)
    return positions[:count]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pawns", type=int, default=6)
    pawns = parser.parse_args().pawns
    rows = Table("what", "figure", title=heading(f"Onoro, {pawns} pawns a side"))
    rows.columns[1].justify = "right"
    with tempfile.TemporaryDirectory() as directory:
        game = qx.game("onoro", pawns=pawns)
        path = onoro.table_path(game)
        solve(3, Path(directory) / "compile")
        if not path.exists():
            path = onoro.table_path(game, directory)
            table, seconds = timed(lambda: solve(pawns, path))
            rows.add_row(f"solved on {cores()} cores", f"{seconds:,.1f} s")
        else:
            table = solve(pawns, path)
        with closing(ThreadTeam()) as team:
            verify(solve(3, Path(directory) / "compile"), team, lambda *_: None)
            verified, seconds = timed(lambda: verify(table, team, lambda *_: None))
        rows.add_row(f"verified {verified.entries:,} entries", f"{seconds:,.1f} s")
        states, reader = random_positions(pawns, PYTHON_PROBES), TableReader(table)
        positions = states[0].game.empty_positions(PYTHON_PROBES)
        for i, state in enumerate(states):
            positions[i] = state.position
        positions = np.tile(positions, KERNEL_PROBES // PYTHON_PROBES).view(np.recarray)
        codes, view = np.empty(len(positions), np.int64), reader.view(2 * pawns)
        scratch = probing.new_scratch()
        probing.codes_of(positions[:PYTHON_PROBES], view, scratch, codes)
        _, seconds = timed(
            lambda: probing.codes_of(positions, view, scratch, codes), time.thread_time
        )
        rows.add_row("probes a second, from the kernel", f"{len(positions) / seconds:,.0f}")
        reader.verdict(states[0])
        _, seconds = timed(lambda: [reader.code(state) for state in states], time.thread_time)
        rows.add_row("a probe from Python", f"{1e3 * seconds / PYTHON_PROBES:.3f} ms")
        _, seconds = timed(lambda: [reader.verdict(state) for state in states], time.thread_time)
        per_probe = f"{1e3 * seconds / PYTHON_PROBES:.3f} ms"
        rows.add_row("a verdict with all moves, from Python", per_probe)
    Console().print(rows)


if __name__ == "__main__":
    main()
