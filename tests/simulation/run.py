"""Runs the simulation for many seeds: `make simulate N=100000`, or

    python -m tests.simulation.run --runs 100000 --seed 5     # the seeds from 5 on
    python -m tests.simulation.run --replay failures.txt      # the scripts of a file again

Uses all cores. Failing runs are shrunk and appended to a file, each as a report for people and as
one line of JSON that can be replayed.
"""

from __future__ import annotations

import argparse
import secrets
import sys
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from quincunx.machine import cores
from tests.simulation.script import Script, make_script
from tests.simulation.shrink import report, shrink
from tests.simulation.world import run_script

CHUNK = 20  # seeds that a worker runs at once
SCRIPT_PREFIX = "script: "


def run_chunk(seeds: range) -> tuple[int, Counter[str], list[tuple[int, str, str]]]:
    """Runs seeds; returns their number, what was checked, and the reports of failures."""
    counts: Counter[str] = Counter()
    failures = []
    for seed in seeds:
        outcome = run_script(make_script(seed))
        counts.update(outcome.counts)
        if outcome.violation is not None:
            shrunk = shrink(outcome)
            text = f"{report(shrunk)}{SCRIPT_PREFIX}{shrunk.script.as_json()}\n\n"
            failures.append((seed, str(outcome.violation), text))
    return len(seeds), counts, failures


def chunks(first: int, runs: int) -> Iterator[range]:
    """Yields the seeds in chunks."""
    for start in range(first, first + runs, CHUNK):
        yield range(start, min(start + CHUNK, first + runs))


def simulate(first: int, runs: int, jobs: int, output: Path) -> int:
    """Runs seeds in several processes; returns the number of failures."""
    done, failed, started = 0, 0, time.monotonic()
    counts: Counter[str] = Counter()
    with ProcessPoolExecutor(jobs) as pool:
        try:
            for number, counted, failures in pool.map(run_chunk, chunks(first, runs)):
                done += number
                counts.update(counted)
                for seed, violation, text in failures:
                    failed += 1
                    with output.open("a", encoding="utf-8") as file:
                        file.write(text)
                    print(f"\nseed {seed}: {violation}")
                speed = done / (time.monotonic() - started)
                line = f"{done:,} of {runs:,} runs, {failed} failed, {speed:.0f} runs/s"
                print(f"\r{line}", end="", flush=True)
        except KeyboardInterrupt:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    print()
    print("stored events:", ", ".join(f"{name} {n:,}" for name, n in counts.most_common()))
    return failed


def replay(path: Path) -> int:
    """Runs the scripts of a file of failures again; returns the number of failures."""
    failed = 0
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith(SCRIPT_PREFIX):
            outcome = run_script(Script.from_json(line.removeprefix(SCRIPT_PREFIX)))
            print(report(outcome))
            failed += outcome.violation is not None
    return failed


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="tests.simulation.run", description=__doc__)
    parser.add_argument("--runs", type=int, default=1000)
    parser.add_argument("--seed", type=int, help="the first seed; by default a random one")
    parser.add_argument("--jobs", type=int, default=cores())
    parser.add_argument("--output", type=Path, default=Path("simulation-failures.txt"))
    parser.add_argument("--replay", type=Path, help="runs the scripts of such a file")
    given = parser.parse_args(arguments)
    if given.replay:
        return 1 if replay(given.replay) else 0
    first = secrets.randbelow(2**40) if given.seed is None else given.seed
    print(f"{given.runs:,} runs with the seeds from {first} on, {given.jobs} processes")
    try:
        failed = simulate(first, given.runs, given.jobs, given.output)
    except KeyboardInterrupt:
        print()
        return 130
    if failed:
        print(f"{failed} of them failed: see {given.output}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
