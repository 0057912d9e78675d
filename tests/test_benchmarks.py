"""What ours is measured by: the C++ program plays the very same games; a server may be missing."""

import importlib.util
import sys
from pathlib import Path

import numpy as np
import pytest

from quincunx import search
from quincunx.bench import MAX_GAME_MOVES
from quincunx.registry import game

FOLDER = Path(__file__).parent.parent / "benchmarks"


def _module(name):
    spec = importlib.util.spec_from_file_location(f"benchmarks_{name}", FOLDER / f"{name}.py")
    module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


twin = _module("twin")


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    if not twin.can_compile():
        pytest.skip(f"there is no {twin.COMPILER} to compile benchmarks/quorum.cpp with")
    return twin.compile_into(tmp_path_factory.mktemp("twin"))


def test_the_twin_plays_the_kernels_games(program):
    games = 200
    quorum = game("quorum")
    kernel, code = quorum.kernel, search.compiled(quorum.kernel)
    s, room = quorum.empty_positions()[0], np.empty(kernel.MAX_LEGAL, np.int32)
    moves = checksum = 0
    for number in range(games):
        seed = 1 << 32 | number
        kernel.start(s, quorum.codes, seed)
        moves += code.playout(s, quorum.seats, room, MAX_GAME_MOVES, seed)
        checksum += int(kernel.key(s))

    played = twin.play_games(program, games)

    assert (played.games, played.moves) == (games, moves)
    assert played.checksum == f"{checksum % 2**64:016x}"


def test_the_twin_stops_in_time(program):
    played = twin.play_seconds(program, 0.05)
    assert played.games >= 1
    assert 0 < played.seconds < 5


@pytest.fixture
def peer(monkeypatch, tmp_path):
    monkeypatch.syspath_prepend(FOLDER)
    module = _module("peer")
    monkeypatch.setattr(module, "INSTALLED", tmp_path / "installed")
    return module


def _programs(folder, **scripts):
    folder.mkdir()
    for name, script in scripts.items():
        (folder / name).write_text(f"#!/bin/sh\n{script}\n")
        (folder / name).chmod(0o755)
    return str(folder)


@pytest.mark.parametrize(("there", "missing"), [({}, "node"), ({"node": ""}, "npm")])
def test_without_node_or_npm_the_peer_says_so(peer, monkeypatch, tmp_path, there, missing):
    monkeypatch.setenv("PATH", _programs(tmp_path / "bin", **there))
    with pytest.raises(peer.NoPeerError, match=f"there is no {missing} here"):
        peer.install()


def test_an_install_that_fails_says_what_npm_said(peer, monkeypatch, tmp_path):
    npm = "echo no network >&2; exit 1"
    monkeypatch.setenv("PATH", _programs(tmp_path / "bin", node="", npm=npm))
    with pytest.raises(peer.NoPeerError, match="npm could not install it:\nno network"):
        peer.install()


def test_a_load_has_its_speed_its_cost_and_its_slowest_answers(peer):
    times = [number / 100 for number in range(100)]
    load = peer.Load("ours", "on disk", 100, 2, 4.0, 0.5, times)
    assert (load.speed, load.cost) == (25, 0.005)
    assert (load.within(0.5), load.within(0.99)) == (0.5, 0.99)
