"""Startup times: import, --help, the first move of each game, compiling into an empty cache.

    .venv/bin/python benchmarks/startup.py [--cold]

Prints the median over several new processes, next to the budget. `--cold` also measures
compiling every game into an empty cache, which takes minutes.
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time

from rich.console import Console
from rich.table import Table

import quincunx as qx

FIRST_MOVE = """
import quincunx as qx
state = qx.game({name!r}).start(seed=1)
seat = 0 if state.turn is None else None
state.play(state.moves(seat)[0], seat)
"""
MAIN = "from quincunx.cli import main; main()"


def process_seconds(code, *arguments, cache=None, repeats=5):
    """Returns the median time of a new process that runs the code."""
    environment = {**os.environ, **({"NUMBA_CACHE_DIR": cache} if cache else {})}
    durations = []
    for _ in range(repeats):
        start = time.perf_counter()
        subprocess.run(
            [sys.executable, "-c", code, *arguments],
            env=environment,
            check=True,
            stdout=subprocess.DEVNULL,
        )
        durations.append(time.perf_counter() - start)
    return statistics.median(durations)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cold", action="store_true", help="also compile into an empty cache")
    cold = parser.parse_args().cold
    table = Table("what", "seconds", "budget", title="Startup")
    for column in table.columns[1:]:
        column.justify = "right"
    python_seconds = process_seconds("pass")
    table.add_row("python alone", f"{python_seconds:.2f}", "")
    table.add_row(
        "import quincunx", f"{process_seconds('import quincunx') - python_seconds:.2f}", "0.15"
    )
    table.add_row("quincunx --help", f"{process_seconds(MAIN, '--help'):.2f}", "0.4")
    for name in qx.games():
        code = FIRST_MOVE.format(name=name)
        process_seconds(code, repeats=1)  # fills the cache
        table.add_row(f"first move of {name}, warm", f"{process_seconds(code):.2f}", "1.5")
    if cold:
        with tempfile.TemporaryDirectory() as cache:
            for name in qx.games():
                duration = process_seconds(FIRST_MOVE.format(name=name), cache=cache, repeats=1)
                table.add_row(f"rules of {name}, cold", f"{duration:.1f}", "10")
        with tempfile.TemporaryDirectory() as cache:
            duration = process_seconds(MAIN, "warm", cache=cache, repeats=1)
            table.add_row("quincunx warm, cold", f"{duration:.0f}", "120")
    Console().print(table)


if __name__ == "__main__":
    main()
