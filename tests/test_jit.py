import os
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import numba
import numpy as np
import pytest

from quincunx import code_cache, jit
from quincunx.buffers import records
from quincunx.registry import game
from quincunx.warm import declared_functions, is_warm, warm


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
        list(threads.map(jit.jit, [test_popcount_and_lowest_bit] * 8))
    assert seen == [str(code_cache.function_cache(test_popcount_and_lowest_bit))] * 8
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


STATE = np.dtype([("turn", "i1"), ("board", "u8", (4,))])
NODE = np.dtype([("visits", "i4"), ("value", "f8")], align=True)
RECORDS = {"state": STATE, "node": NODE}


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("(s: state) -> i64", [records(STATE, 1)[0]]),
        ("(states: state[:], tree: node[:]) -> i64", [records(STATE, 2), records(NODE, 2)]),
        ("(out: i32[:], seat: i64) -> i64", [np.zeros(3, np.int32), 1]),
        ("(planes: f32[:,:,:], rows: u16[:], x: f64) -> i64",
         [np.zeros((1, 2, 3), np.float32), np.zeros(2, np.uint16), 0.5]),
        ("(yes: bool, bits: u64) -> i64", [True, np.uint64(1)]),
    ],
)  # fmt: skip
def test_a_signature_has_the_types_that_numba_sees(text, values):
    signature = jit.signature(text, RECORDS)
    assert signature.args == tuple(numba.typeof(value) for value in values)
    assert signature.return_type == numba.types.int64


@pytest.mark.parametrize(
    "text",
    [
        "(state, i64, i32[:]) -> void",
        "(node[:], u8[:,:]) -> (i64, f64)",
        "() -> bool",
    ],
)
def test_signatures_survive_numba(text):
    assert jit.signature_text(jit.signature(text, RECORDS), RECORDS) == text


def test_a_signature_with_an_unknown_type_is_rejected():
    with pytest.raises(
        ValueError, match=r"unknown type 'frame\[:\]' in '\(x: frame\[:\]\) -> i64'"
    ):
        jit.signature("(x: frame[:]) -> i64", RECORDS)
    with pytest.raises(ValueError, match="unknown type 'void"):
        jit.signature("(x: void[:]) -> i64", RECORDS)


LENGTH = 10


@jit.jit
def _sum_of_squares(n):
    total = 0
    for _ in range(n):
        squares = jit.stack_array(LENGTH, np.int64)
        node = jit.stack_array(1, NODE)[0]
        for i in range(LENGTH):
            squares[i] = i * i
        node.value = 0.5
        for i in range(LENGTH):
            total += squares[i]
        total += np.int64(2 * node.value)
    return total


@pytest.mark.modes
def test_a_stack_array_in_a_loop_does_not_fill_the_stack():
    assert _sum_of_squares(10**4 if jit.UNCOMPILED else 10**7) % 286 == 0
    assert not jit.forbidden_names(_sum_of_squares)


LARGE = np.zeros(125_001)


@jit.jit
def _allocates(n):
    return np.zeros(n).sum()


@jit.jit
def _takes_a_logarithm(x):
    return np.log(x)


@jit.jit
def _takes_a_power(x):
    return x**0.3


@jit.jit
def _reads_a_large_array(n):
    return LARGE[n]


@pytest.mark.filterwarnings("ignore:Cannot cache compiled function")
@pytest.mark.skipif(jit.UNCOMPILED, reason="nothing is compiled")
@pytest.mark.parametrize(
    ("function", "argument", "name"),
    [
        (_allocates, 3, "NRT_MemInfo_alloc_aligned"),
        (_takes_a_logarithm, 3.0, "log"),
        (_takes_a_power, 3.0, "pow"),
        (_reads_a_large_array, 3, "numba.dynamic.globals"),
    ],
)
def test_forbidden_names_are_found(function, argument, name):
    function(argument)
    assert [
        found.removeprefix("llvm.").removesuffix(".f64") for found in jit.forbidden_names(function)
    ] == [name]


def test_warm_yields_its_parts_and_writes_a_marker():
    quorum = game("quorum")
    assert list(warm(quorum)) == ["rules", "search", "players", "batches"]
    assert is_warm("quorum")
    assert is_warm("chess") == jit.UNCOMPILED


@pytest.mark.skipif(jit.UNCOMPILED, reason="nothing is compiled")
def test_what_warm_compiles_is_found_by_calls():
    """A call looks for the types of its arguments; warm stored code for whole signatures."""
    quorum = game("quorum")
    list(warm(quorum))
    for name, (function, _) in declared_functions(quorum.kernel).items():
        stored = {*function.stats.cache_hits, *function.stats.cache_misses}
        assert stored, name
        assert {type(key) for key in stored} == {tuple}, name
