"""The C++ program that Quorum's speed is measured by plays Quorum, and the very same games."""

import importlib.util
import sys
from pathlib import Path

import numpy as np
import pytest

from quincunx import search
from quincunx.bench import LONGEST
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
    s, room = quorum.blank()[0], np.empty(kernel.MAX_LEGAL, np.int32)
    moves = checksum = 0
    for number in range(games):
        seed = 1 << 32 | number
        kernel.start(s, quorum.codes, seed)
        moves += code.playout(s, quorum.seats, room, LONGEST, seed)
        checksum += int(kernel.key(s))

    played = twin.play_games(program, games)

    assert (played.games, played.moves) == (games, moves)
    assert played.checksum == f"{checksum % 2**64:016x}"


def test_the_twin_stops_in_time(program):
    played = twin.play_seconds(program, 0.05)
    assert played.games >= 1
    assert 0 < played.seconds < 5
