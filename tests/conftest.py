"""Every test run uses its own temporary directory for compiled code and user data."""

import os
import shutil
import tempfile

import pytest

if "PYTEST_XDIST_WORKER" not in os.environ:
    THROWAWAY = tempfile.mkdtemp(prefix="quincunx-tests-")
    os.environ["NUMBA_CACHE_DIR"] = THROWAWAY
    os.environ["QUINCUNX_DATA"] = os.path.join(THROWAWAY, "data")
else:
    THROWAWAY = None

from hypothesis import settings

from quincunx.registry import GAMES, game

settings.register_profile("house", deadline=None, derandomize=True)
settings.load_profile("house")

UNCOMPILED = os.environ.get("NUMBA_DISABLE_JIT") == "1"


@pytest.fixture(params=list(GAMES))
def any_game(request):
    """Each registered game in turn."""
    return game(request.param)


def pytest_unconfigure(config):
    if THROWAWAY:
        shutil.rmtree(THROWAWAY, ignore_errors=True)
