"""Tables against the naive solver, against themselves, and against kill -9."""

import filecmp
import os
import random
import signal
import subprocess
import sys

import pytest

from quincunx import solve as room
from quincunx.errors import BadOption, BadTable
from quincunx.solve import shape_sets, solver
from quincunx.solve.retrograde import OVER
from quincunx.solve.solver import solve
from quincunx.solve.tablebase import Tablebase
from quincunx.solve.verdict import verdict_from_code
from quincunx.solve.verify import verify
from quincunx.solve.workspace import Workspace
from tests.naive import onoro_solver


@pytest.mark.modes
@pytest.mark.parametrize("pawns", [3, 4])
def test_all_positions_against_the_naive_solver(pawns):
    table = room.open_table(pawns)
    expected = {**onoro_solver.solve(pawns), **onoro_solver.solve_placing(pawns)}
    seen = set()
    for n in table.numbers:
        codes, colourings = table.mapped.codes(n), shape_sets.colours(n).colourings
        for shape, row in enumerate(table.mapped.size(n).cells):
            cells = [(int(code) & 15, int(code) >> 4) for code in row]
            for k, own in enumerate(colourings):
                mine = frozenset(cell for i, cell in enumerate(cells) if int(own) >> i & 1)
                key = onoro_solver.key((mine, frozenset(cells) - mine))
                code = int(codes[shape, k])
                if code == OVER:
                    assert key not in expected
                else:
                    seen.add(key)
                    verdict = verdict_from_code(code)
                    assert (verdict.value, verdict.distance) == expected[key], key
    assert seen == set(expected)


@pytest.mark.parametrize(
    ("pawns", "drawn", "over", "won", "lost", "longest"),
    [(3, 125, 0, 11, 4, 5), (4, 3437, 47, 244, 52, 3), (5, 128767, 5886, 38418, 9377, 45)],
)
def test_known_counts(pawns, drawn, over, won, lost, longest):
    table = room.open_table(pawns)
    assert list(table.counts[2 * pawns].values()) == [drawn, over, won, lost, longest]
    assert verdict_from_code(table.header["start"]).value == "draw"


def test_every_entry_follows_from_its_successors(table, team):
    seen = verify(table, team, lambda *_: None, positions=40)
    assert seen.entries == sum(table.mapped.codes(n).size for n in table.numbers)
    assert seen.searched == 40
    assert seen.ended >= 20


def test_a_wrong_entry_is_found(tmp_path, team):
    table = solve(4, tmp_path / "table")
    table.mapped.codes(8)[17, 30] += 1  # in memory only
    with pytest.raises(BadTable, match="block 0 is damaged"):
        verify(table, team, lambda *_: None)
    table.mapped["checks"][0] = table.mapped.check_of(0)
    with pytest.raises(BadTable, match="against its successors"):
        verify(table, team, lambda *_: None)


def test_the_search_of_another_kind_finds_a_wrong_entry(tmp_path, team, monkeypatch):
    table = solve(4, tmp_path / "table")
    codes = table.mapped.codes(8)
    codes[codes == 3] = 5
    table.mapped["checks"][0] = table.mapped.check_of(0)
    monkeypatch.setattr("quincunx.solve.verify._compare", lambda *_: None)
    with pytest.raises(BadTable, match="as another search finds"):
        verify(table, team, lambda *_: None)


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("memory", [None, 0])
def test_the_same_bytes_however_it_is_made(tmp_path, threads, memory):
    solve(5, tmp_path / "table", threads, memory)
    assert filecmp.cmp(tmp_path / "table", room.open_table(5).path, shallow=False)
    assert [path.name for path in tmp_path.iterdir()] == ["table"]


def test_codes_get_wider_when_wins_take_long(tmp_path, monkeypatch):
    narrow = 20
    monkeypatch.setattr(
        solver.Solver, "_highest", property(lambda self: narrow if self._mark.width == 1 else 999)
    )
    wide, table = solve(5, tmp_path / "table"), room.open_table(5)
    for n in table.numbers:
        assert wide.mapped.codes(n).itemsize == 2
        assert (wide.mapped.codes(n) == table.mapped.codes(n)).all()
    assert [path.name for path in tmp_path.iterdir()] == ["table"]


KILLED = """
import os, signal, sys
from quincunx.solve.solver import solve
path, calls = sys.argv[1], int(sys.argv[2])
def told(phase, done, total):
    global calls
    calls -= 1
    if not calls:
        os.kill(os.getpid(), signal.SIGKILL)
solve(5, path, threads=2, progress=told, checkpoint_seconds=0.005)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
def test_killed_again_and_again_it_ends_with_the_same_bytes(tmp_path):
    dice, path, killed = random.Random(4), tmp_path / "table", 0
    while True:
        words = [sys.executable, "-c", KILLED, str(path), str(dice.randrange(1, 500))]
        done = subprocess.run(words, capture_output=True, text=True)
        if done.returncode == 0:
            break
        assert done.returncode == -signal.SIGKILL, done.stderr
        assert not path.exists()
        killed += 1
    assert killed >= 3
    assert filecmp.cmp(path, room.open_table(5).path, shallow=False)
    assert os.listdir(tmp_path) == ["table"]


def test_one_run_at_a_time(tmp_path):
    held = Workspace(tmp_path / "table.3.work", wait=False)
    try:
        with pytest.raises(BadOption, match="another run"):
            solve(3, tmp_path / "table")
    finally:
        held.close()
    assert solve(3, tmp_path / "table").pawns == 3


def test_pawns_that_cannot_be_solved(tmp_path):
    with pytest.raises(BadOption, match="from 3 to 8"):
        solve(2, tmp_path / "table")


def test_a_table_of_other_pawns(tmp_path):
    solve(3, tmp_path / "table")
    with pytest.raises(BadTable, match="of 3 pawns a side, not of 4"):
        solve(4, tmp_path / "table")


def test_a_table_says_what_it_is(table):
    again = Tablebase.open(table.path)
    assert again.pawns == table.pawns
    assert list(again.check()) == list(range(again.mapped.blocks))
