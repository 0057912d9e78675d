"""How long one waits: importing, --help, the first move of each game, compiling from nothing.

    .venv/bin/python benchmarks/startup.py [--cold]

Prints the median of several fresh processes beside the budget. `--cold` also measures
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


def seconds(code, *words, cache=None, times=5):
    """The median time of a fresh process that runs this code."""
    environment = {**os.environ, **({"NUMBA_CACHE_DIR": cache} if cache else {})}
    taken = []
    for _ in range(times):
        begin = time.perf_counter()
        subprocess.run(
            [sys.executable, "-c", code, *words],
            env=environment,
            check=True,
            stdout=subprocess.DEVNULL,
        )
        taken.append(time.perf_counter() - begin)
    return statistics.median(taken)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cold", action="store_true", help="also compile into an empty cache")
    cold = parser.parse_args().cold
    table = Table("what", "seconds", "budget", title="Waiting")
    for column in table.columns[1:]:
        column.justify = "right"
    empty = seconds("pass")
    table.add_row("python itself", f"{empty:.2f}", "")
    table.add_row("import quincunx", f"{seconds('import quincunx') - empty:.2f}", "0.15")
    table.add_row("quincunx --help", f"{seconds(MAIN, '--help'):.2f}", "0.4")
    for name in qx.games():
        code = FIRST_MOVE.format(name=name)
        seconds(code, times=1)  # fills the cache
        table.add_row(f"first move of {name}, warm", f"{seconds(code):.2f}", "1.5")
    if cold:
        with tempfile.TemporaryDirectory() as cache:
            for name in qx.games():
                taken = seconds(FIRST_MOVE.format(name=name), cache=cache, times=1)
                table.add_row(f"rules of {name}, cold", f"{taken:.1f}", "10")
        with tempfile.TemporaryDirectory() as cache:
            taken = seconds(MAIN, "warm", cache=cache, times=1)
            table.add_row("quincunx warm, cold", f"{taken:.0f}", "120")
    Console().print(table)


if __name__ == "__main__":
    main()
