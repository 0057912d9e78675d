"""The C++ benchmark plays the same games as the kernel; a missing peer is reported."""

import importlib.util
import sys
from pathlib import Path

import numpy as np
import pytest

from quincunx import search
from quincunx.bench import MAX_GAME_MOVES
from quincunx.registry import game

BENCHMARKS = Path(__file__).parent.parent / "benchmarks"


def _load_module(name):
    spec = importlib.util.spec_from_file_location(f"benchmarks_{name}", BENCHMARKS / f"{name}.py")
    module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


twin = _load_module("twin")


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    if not twin.can_compile():
        pytest.skip(f"{twin.COMPILER} is needed to compile benchmarks/quorum.cpp")
    return twin.compile_into(tmp_path_factory.mktemp("twin"))


def test_the_cpp_program_plays_the_same_games_as_the_kernel(program):
    game_count = 200
    quorum = game("quorum")
    kernel, code = quorum.kernel, search.compiled(quorum.kernel)
    s, buffer = quorum.empty_positions()[0], np.empty(kernel.MAX_LEGAL, np.int32)
    moves = checksum = 0
    for number in range(game_count):
        seed = 1 << 32 | number
        kernel.start(s, quorum.kernel_options, seed)
        moves += code.playout(s, quorum.seats, buffer, MAX_GAME_MOVES, seed)
        checksum += int(kernel.key(s))

    played = twin.play_games(program, game_count)

    assert (played.games, played.moves) == (game_count, moves)
    assert played.checksum == f"{checksum % 2**64:016x}"


def test_the_cpp_program_stops_in_time(program):
    played = twin.play_seconds(program, 0.05)
    assert played.games >= 1
    assert 0 < played.seconds < 5


@pytest.fixture
def peer(monkeypatch, tmp_path):
    monkeypatch.syspath_prepend(BENCHMARKS)
    module = _load_module("peer")
    monkeypatch.setattr(module, "INSTALLED", tmp_path / "installed")
    return module


def _write_programs(directory, **scripts):
    """Writes shell scripts as executables; returns the directory as a value of PATH."""
    directory.mkdir()
    for name, script in scripts.items():
        (directory / name).write_text(f"#!/bin/sh\n{script}\n")
        (directory / name).chmod(0o755)
    return str(directory)


@pytest.mark.parametrize(("installed", "missing"), [({}, "node"), ({"node": ""}, "npm")])
def test_missing_node_or_npm_is_reported(peer, monkeypatch, tmp_path, installed, missing):
    monkeypatch.setenv("PATH", _write_programs(tmp_path / "bin", **installed))
    with pytest.raises(peer.PeerUnavailableError, match=f"{missing} is not installed"):
        peer.install()


def test_a_failed_install_reports_the_error_of_npm(peer, monkeypatch, tmp_path):
    npm = "echo no network >&2; exit 1"
    monkeypatch.setenv("PATH", _write_programs(tmp_path / "bin", node="", npm=npm))
    with pytest.raises(peer.PeerUnavailableError, match="npm install failed:\nno network"):
        peer.install()


def test_load_computes_speed_cost_and_percentiles(peer):
    times = [number / 100 for number in range(100)]
    load = peer.LoadResult("ours", "on disk", 100, 2, 4.0, 0.5, times)
    assert (load.moves_per_second, load.cpu_seconds_per_move) == (25, 0.005)
    assert (load.latency(0.5), load.latency(0.99)) == (0.5, 0.99)
