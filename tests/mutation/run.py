"""Mutation testing of the kernels: which small changes does no test notice?

    python -m tests.mutation.run                          # the kernels of all games
    python -m tests.mutation.run quorum --sample 200      # one game, more mutants
    python -m tests.mutation.run wzlz=quincunx.games.wzlz.kernel

A mutant is run uncompiled, in a forked process that imports the changed source instead of the
file; no file is modified. The tests are those of the game, the cheapest first, up to a budget of
processor time. The sample is the same for the same seed and source.
"""

from __future__ import annotations

import argparse
import os
import random
import resource
import signal
import sys
import time
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from importlib.util import find_spec
from pathlib import Path

os.environ["NUMBA_DISABLE_JIT"] = "1"

import hypothesis
import numba  # noqa: F401  imported once, before the processes are forked
import numpy as np  # noqa: F401
import pytest

from quincunx.registry import BUILT_IN
from tests.mutation.mutants import Mutant, count_mutants, mutant

TIMED_OUT = "timed out"
KILLED = "killed"
SURVIVED = "survived"


def main() -> None:
    arguments = parse_arguments()
    os.nice(arguments.nice)
    hypothesis.settings.register_profile(
        "mutation", deadline=None, derandomize=True, database=None,
        phases=[hypothesis.Phase.explicit, hypothesis.Phase.generate],
    )  # fmt: skip
    rows = []
    for target in arguments.targets:
        game, _, names = target.partition("=")
        modules = names.split(",") if names else compiled_modules(game)
        rows.append(run_game(game, modules, arguments))
    print("\n| game | mutants | killed | timed out | survived | kill rate |")
    print("|---|---|---|---|---|---|")
    for game, verdicts in rows:
        killed, late, alive = map(verdicts.count, (KILLED, TIMED_OUT, SURVIVED))
        rate = (killed + late) / len(verdicts)
        print(f"| {game} | {len(verdicts)} | {killed} | {late} | {alive} | {rate:.0%} |")


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument(
        "targets", nargs="*", default=BUILT_IN, metavar="game[=module,module]",
        help="a game, with its compiled modules or those named",
    )  # fmt: skip
    parser.add_argument("--sample", type=int, default=60, help="mutants per game")
    parser.add_argument("--seed", type=int, default=1, help="of the sample")
    parser.add_argument("--budget", type=float, default=6.0, help="CPU seconds of tests per mutant")
    parser.add_argument("--nice", type=int, default=19, help="of the processes")
    parser.add_argument("--tests", nargs="*", help="test files instead of those of the game")
    return parser.parse_args()


def path_of(name: str) -> Path:
    """Returns the file of a module or the directory of a package, without importing it."""
    package, *parts = name.split(".")
    path = Path(find_spec(package).submodule_search_locations[0], *parts)
    return path if path.is_dir() else path.with_suffix(".py")


def compiled_modules(game: str) -> list[str]:
    """Returns the modules of a game that hold compiled functions."""
    package = f"quincunx.games.{game}"
    return [
        f"{package}.{path.stem}"
        for path in sorted(path_of(package).glob("*.py"))
        if "\n@jit" in path.read_text()
    ]


def run_game(game: str, modules: list[str], arguments: argparse.Namespace) -> tuple[str, list[str]]:
    """Runs a sample of the mutants of a game; returns the game and the verdicts."""
    tests = quick_tests(game, arguments)
    sources = {module: path_of(module).read_text() for module in modules}
    found = [
        (module, index)
        for module, source in sources.items()
        for index in range(count_mutants(source))
    ]
    sample = random.Random(arguments.seed).sample(found, min(arguments.sample, len(found)))
    print(f"\n{game}: {len(sample)} of {len(found)} mutants, {len(tests)} tests", flush=True)
    verdicts = []
    for module, index in sample:
        made = mutant(sources[module], index)
        verdicts.append(run_mutant(module, made, tests, arguments.budget))
        if verdicts[-1] == SURVIVED:
            print(f"\n{module}:{made.line}, mutant {index}, survived\n{made.diff}", flush=True)
    return game, verdicts


def quick_tests(game: str, arguments: argparse.Namespace) -> list[str]:
    """Returns the tests of a game that pass on the original, cheapest first, within the budget."""
    files = arguments.tests or [
        "tests/golden",
        "tests/perft",
        "tests/test_all_games.py::test_check_game_passes_in_every_mode",
        *map(str, sorted(Path("tests/games").glob(f"test_{game}*.py"))),
    ]
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        costs = Costs(arguments.budget / 2)
        run_pytest([*files, "-k", game], costs)
        with os.fdopen(writer, "w") as pipe:
            pipe.write("".join(f"{cost} {name}\n" for name, cost in costs.passed.items()))
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as pipe:
        lines = [line.rstrip("\n").split(" ", 1) for line in pipe]
    os.waitpid(child, 0)
    chosen, spent = [], 0.0
    for cost, name in sorted((float(cost), name) for cost, name in lines):
        spent += cost
        if spent > arguments.budget:
            break
        chosen.append(name)
    assert chosen, f"no test of {game} passes within the budget"
    return chosen


class TooSlow(Exception):
    """A test takes more than its share of the budget."""


class Costs:
    """A pytest plugin that measures the processor time of the tests that pass within a limit."""

    def __init__(self, limit: float) -> None:
        self.limit = limit
        self.passed: dict[str, float] = {}
        signal.signal(signal.SIGVTALRM, self.stop)

    def stop(self, *_: object) -> None:
        raise TooSlow

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item):
        before = time.process_time()
        # Repeated, because a test may catch the first exception and continue.
        signal.setitimer(signal.ITIMER_VIRTUAL, self.limit, 0.2)
        try:
            result = yield  # raises if the test fails
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        self.passed[item.nodeid] = time.process_time() - before
        return result


def run_mutant(module: str, made: Mutant, tests: list[str], budget: float) -> str:
    """Runs the tests on a mutant; returns KILLED, TIMED_OUT or SURVIVED."""
    child = os.fork()
    if child == 0:
        assert module not in sys.modules, f"{module} was imported before it was changed"
        sys.meta_path.insert(0, Finder(module, made.source))
        limit_cpu(10 + 3 * budget)
        os._exit(1 if run_pytest(tests) else 0)
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        return TIMED_OUT if os.WTERMSIG(status) == signal.SIGPROF else KILLED
    return KILLED if os.WEXITSTATUS(status) else SURVIVED


def limit_cpu(seconds: float) -> None:
    """Ends this process with SIGPROF after some processor time: a mutant may loop forever."""
    signal.setitimer(signal.ITIMER_PROF, seconds)
    resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))


def run_pytest(tests: list[str], *plugins: object) -> int:
    """Runs tests in this process up to the first failure, without output."""
    silence = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silence, 1)
    os.dup2(silence, 2)
    stop = [] if plugins else ["-x"]
    quiet = ["-q", "--tb=no", "--assert=plain", "-p", "no:cacheprovider", "-p", "no:xdist"]
    return pytest.main(
        [*stop, *quiet, "--hypothesis-profile=mutation", *tests], plugins=list(plugins)
    )


class Finder(MetaPathFinder):
    """Imports one module from a given source instead of its file."""

    def __init__(self, name: str, source: str) -> None:
        self.name = name
        self.source = source

    def find_spec(self, name: str, path=None, target=None) -> ModuleSpec | None:
        if name != self.name:
            return None
        spec = PathFinder.find_spec(name, path, target)
        spec.loader = Loader(spec.name, spec.origin, self.source)
        return spec


class Loader(SourceFileLoader):
    """Loads a module from a given source."""

    def __init__(self, name: str, path: str, source: str) -> None:
        super().__init__(name, path)
        self.source = source

    def get_code(self, name: str):
        return compile(self.source, self.path, "exec")


if __name__ == "__main__":
    main()
