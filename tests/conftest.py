"""Every test run uses its own temporary directory for compiled code and user data.

With QUINCUNX_TEST_CACHE set to a directory, compiled code stays there for the next run, except
code with bounds checking, which numba's cache confuses with other code.
"""

import os
import shutil
import subprocess
import sys
import tempfile

import pytest

if "PYTEST_XDIST_WORKER" not in os.environ:
    THROWAWAY = tempfile.mkdtemp(prefix="quincunx-tests-")
    kept = os.environ.get("NUMBA_BOUNDSCHECK") != "1" and os.environ.get("QUINCUNX_TEST_CACHE")
    os.environ["NUMBA_CACHE_DIR"] = kept or THROWAWAY
    os.environ["QUINCUNX_DATA"] = os.path.join(THROWAWAY, "data")
else:
    THROWAWAY = None

from hypothesis import settings

from quincunx.registry import BUILT_IN, game

settings.register_profile("house", deadline=None, derandomize=True)
settings.load_profile("house")

UNCOMPILED = os.environ.get("NUMBA_DISABLE_JIT") == "1"
BOUNDS_CHECKED = os.environ.get("NUMBA_BOUNDSCHECK") == "1"


@pytest.fixture(params=list(BUILT_IN))
def any_game(request):
    """Each registered game in turn."""
    return game(request.param)


@pytest.fixture
def game_without_guide():
    """The name of a registered game that has no guide."""
    from quincunx import registry
    from quincunx.options import Option
    from tests.toy_game import make_game

    rule = Option("rule", "last", "who wins", choices=("last", "first"))
    yield registry.register(make_game(rules={"OPTIONS": (rule,)})).name
    registry._registered.clear()


@pytest.fixture
def twelve_games():
    """Seven more registered games; returns their names."""
    from quincunx import registry
    from tests.more_games import add_games

    yield add_games(12)
    registry._registered.clear()


def pytest_addoption(parser):
    parser.addoption(
        "--compile-first",
        action="store_true",
        help="compile all games before the first test, so that no two workers compile the same",
    )


def pytest_configure(config):
    if config.option.compile_first and THROWAWAY and not UNCOMPILED:
        # In as many processes as there are cores, into the directory that all workers share.
        done = subprocess.run(
            [sys.executable, "-m", "quincunx", "warm"], capture_output=True, text=True
        )
        if done.returncode:
            raise pytest.UsageError(f"a game cannot be compiled:\n{done.stdout}{done.stderr}")


@pytest.hookimpl(tryfirst=True)  # before xdist reads the groups
def pytest_collection_modifyitems(items):
    """Runs all tests of a game in one worker when it is compiled again, with bounds checking."""
    if BOUNDS_CHECKED:
        for item in items:
            for name in BUILT_IN:
                if name in item.nodeid:
                    item.add_marker(pytest.mark.xdist_group(name))
                    break


def pytest_unconfigure(config):
    if THROWAWAY:
        shutil.rmtree(THROWAWAY, ignore_errors=True)
