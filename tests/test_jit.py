import os
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import numba
import numpy as np
import pytest

from quincunx import jit
from quincunx.registry import game


@pytest.mark.modes
def test_popcount_and_lowest_bit():
    assert jit.popcount(np.uint64(0xF0F0)) == 8
    assert jit.popcount(np.int64(-1)) == 64
    assert jit.lowest_bit(np.uint64(1 << 63)) == 63
    assert jit.lowest_bit(np.uint64(0b1000)) == 3


def test_threads_do_not_change_the_cache_directory(monkeypatch):
    """One thread at a time changes numba's setting, which is global to the process."""
    seen, inside = [], threading.Semaphore(1)

    def njit(**_):
        assert inside.acquire(blocking=False), "two threads at once"
        assert jit._CACHE_DIR_LOCK.locked()
        seen.append(numba.config.CACHE_DIR)
        inside.release()
        return lambda function: function

    monkeypatch.setattr(numba, "njit", njit)
    before = numba.config.CACHE_DIR
    with ThreadPoolExecutor(4) as threads:
        list(threads.map(jit.jit, [len] * 8))
    assert seen == [str(jit.cache_directory())] * 8
    assert before == numba.config.CACHE_DIR


def test_games_do_not_share_compiled_code():
    """One template compiled for two games in one cache: the qualified names must differ."""
    code = (
        "import quincunx as qx\n"
        "from quincunx.search import count_leaves as c\n"
        "print(c(qx.game('quorum').start(), 2), c(qx.game('onoro').start(), 1))\n"
    )
    for _ in range(2):
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
        assert done.stdout.split() == ["361", "3"], done.stderr


def test_an_unwritable_cache_falls_back_to_a_temporary_one(tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("")
    code = "import quincunx as qx; print(len(qx.game('quorum').start().moves()))"
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        env={**os.environ, "NUMBA_CACHE_DIR": str(blocked)},
    )
    assert done.stdout.strip() == "19", done.stderr


def test_warm_yields_its_parts_and_writes_a_marker():
    quorum = game("quorum")
    assert list(jit.warm(quorum)) == ["rules", "steps and texts", "search", "players", "batches"]
    assert jit.is_warm("quorum")
    assert jit.is_warm("chess") == jit.UNCOMPILED
