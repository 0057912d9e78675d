"""Compiled code of games that are packages of their own: when it is compiled again, when not.

Two packages hold a game of the same name each, in a folder of the same name: players take stones
from a heap. The number of stones is in a data file, the number one may take in another module.
"""

import json
import os
import subprocess
import sys

import pytest

from quincunx import jit

pytestmark = [
    pytest.mark.skipif(jit.UNCOMPILED, reason="nothing is compiled"),
    pytest.mark.xdist_group("code_cache"),  # one worker compiles for all these tests
]

KERNEL = """
from pathlib import Path

import numpy as np

from quincunx.jit import jit
from quincunx.position import HEADER, init_header

from .limits import MOST

STONES = int(Path(__file__).with_name("stones.txt").read_text())
STATE = np.dtype([*HEADER, ("stones", "i8")])
ACTIONS = MAX_LEGAL = 9
SEATS, PLANES, EVENTS = 2, (1, 1, 1), ("", "take")


@jit
def start(s, options, seed):
    init_header(s, seed)
    s.stones = STONES


@jit
def legal(s, seat, out):
    n = min(s.stones, MOST)
    for i in range(n):
        out[i] = i
    return n


@jit
def apply(s, seat, action):
    s.stones -= action + 1
    s.turn = 1 - s.turn
    s.over = s.stones == 0


@jit
def unused(s):
    return 0


restore = is_legal = begin = advance = scores = hide = evaluate = key = observe = unused
"""

# Counts the ways to play two moves in each game; prints them and how they were compiled.
COUNT = """
import json, sys
from importlib import import_module

from quincunx.buffers import action_buffer, records
from quincunx.search import compiled, playout

found = {}
for name in sys.argv[1:]:
    kernel = import_module(f"{name}.kernel")
    code = compiled(kernel, playout)
    states = records(kernel.STATE, 2)
    kernel.start(states[0], None, 0)
    frames, moves = records(playout.PERFT_FRAME, 2), action_buffer(2, 9)
    count = code.perft(states, frames, moves, 2, 2)
    statistics = code.perft.stats
    found[name] = {
        "count": int(count),
        "loaded": sum(statistics.cache_hits.values()),
        "compiled": sum(statistics.cache_misses.values()),
    }
print(json.dumps(found))
"""


class Packages:
    """Packages in a directory, and a cache of their own."""

    def __init__(self, directory):
        self.directory, self.cache = directory / "packages", directory / "cache"

    def write(self, name, **files):
        """Writes a package with the game, and these files instead of its own."""
        folder = self.directory.joinpath(*name.split("."))
        folder.mkdir(parents=True)
        for parent in folder.relative_to(self.directory).parents[:-1]:
            (self.directory / parent / "__init__.py").touch()
        defaults = {
            "__init__.py": "",
            "kernel.py": KERNEL,
            "layout.py": "",
            "limits.py": "MOST = 2",
        }
        for file, text in {**defaults, "stones.txt": "9", **files}.items():
            (folder / file).write_text(text)

    def run(self, *names):
        """Returns what a new process counts for each game, and how it was compiled."""
        done = subprocess.run(
            [sys.executable, "-c", COUNT, *names],
            capture_output=True,
            text=True,
            cwd=self.directory,
            env={**os.environ, "NUMBA_CACHE_DIR": str(self.cache)},
        )
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    def compiled_files(self, package):
        """Returns the files of compiled code of a package, with their times of modification."""
        return {
            path: path.stat().st_mtime_ns
            for path in (self.cache / package).rglob("*")
            if path.is_file()
        }


@pytest.fixture(scope="module")
def compiled_packages(tmp_path_factory):
    """Two compiled packages whose games have the same folder name."""
    packages = Packages(tmp_path_factory.mktemp("code"))
    packages.write("first.heap")
    packages.write("second.heap", **{"limits.py": "MOST = 3"})
    assert packages.run("first.heap", "second.heap") == {
        "first.heap": {"count": 4, "loaded": 0, "compiled": 1},
        "second.heap": {"count": 9, "loaded": 0, "compiled": 1},
    }
    return packages


@pytest.fixture
def packages(compiled_packages):
    """The two packages; changed files get their former content back."""
    files = [path for path in compiled_packages.directory.rglob("*.*") if path.suffix != ".pyc"]
    before = {path: (path.read_bytes(), path.stat()) for path in files}
    yield compiled_packages
    for path, (content, status) in before.items():
        path.write_bytes(content)
        os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))


def test_games_with_the_same_folder_name_do_not_share_code(packages):
    assert packages.run("second.heap", "first.heap") == {
        "first.heap": {"count": 4, "loaded": 1, "compiled": 0},
        "second.heap": {"count": 9, "loaded": 1, "compiled": 0},
    }
    assert packages.compiled_files("first.heap")
    assert packages.compiled_files("second.heap")


@pytest.mark.parametrize(
    ("file", "text", "count"),
    [
        ("kernel.py", KERNEL.replace("min(s.stones, MOST)", "min(s.stones, MOST + 2)"), 16),
        ("limits.py", "MOST = 5", 24),
        ("stones.txt", "2", 1),
    ],
)
def test_a_change_compiles_the_search_of_that_game_again(packages, file, text, count):
    others = packages.compiled_files("second.heap")
    (packages.directory / "first" / "heap" / file).write_text(text)
    assert packages.run("first.heap", "second.heap") == {
        "first.heap": {"count": count, "loaded": 0, "compiled": 1},
        "second.heap": {"count": 9, "loaded": 1, "compiled": 0},
    }
    assert packages.compiled_files("second.heap") == others


def test_a_file_that_the_kernel_does_not_import_compiles_nothing(packages):
    folder = packages.directory / "first" / "heap"
    (folder / "layout.py").write_text("WIDTH = 2")
    (folder / "guide.md").write_text("# Heap")
    (folder / "__init__.py").write_text("from first.heap import layout")
    assert packages.run("first.heap")["first.heap"] == {"count": 4, "loaded": 1, "compiled": 0}


@pytest.mark.parametrize("file", ["<string>", "<ipython-input-1>", "/tmp/ipykernel_1/2.py"])
def test_a_function_without_a_file_is_compiled_without_cache(file):
    names = {"jit": jit.jit, "__name__": "notebook"}
    exec(compile("@jit\ndef double(x):\n    return 2 * x", file, "exec"), names)
    assert names["double"](21) == 42
    assert names["double"].stats.cache_path is None


def test_templates_for_a_kernel_without_a_file_are_compiled_without_cache(packages):
    code = f"""
from types import ModuleType
import numpy as np
from quincunx.search import compiled, playout

names = {{"__name__": "notebook", "__file__": {str(packages.directory / "first/heap/kernel.py")!r}}}
exec({KERNEL.replace(".limits", "first.heap.limits")!r}, names)
kernel = ModuleType("notebook")
vars(kernel).update(names)
code = compiled(kernel, playout)
s = np.zeros(1, names["STATE"])[0]
print(code.seat_to_move(s, 0, 0, 2), code.seat_to_move.stats.cache_path)
"""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=packages.directory
    )
    assert done.stdout.split() == ["0", "None"], done.stderr
