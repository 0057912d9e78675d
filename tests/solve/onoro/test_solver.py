"""The solver: tables agree with a naive solver, and killed runs write the same bytes."""

import filecmp
import os
import signal
import subprocess
import sys

import pytest

from quincunx.errors import BadOption, BadTable
from quincunx.solve.onoro import shape_sets, solver
from quincunx.solve.onoro.reader import verdict_from_code
from quincunx.solve.onoro.retrograde import UNREACHABLE
from quincunx.solve.onoro.solver import solve
from quincunx.solve.onoro.tablebase import Tablebase
from quincunx.solve.onoro.verification import verify
from quincunx.solve.onoro.workspace import Workspace
from tests.naive import onoro_solver
from tests.solve.tables import small_table

# All in one pytest-xdist worker, so that the solver is compiled once.
pytestmark = pytest.mark.xdist_group("solver")


@pytest.mark.modes
@pytest.mark.parametrize("pawns", [3, 4])
def test_all_positions_agree_with_the_naive_solver(pawns):
    table = small_table(pawns)
    expected = {**onoro_solver.solve(pawns), **onoro_solver.solve_placing(pawns)}
    keys = set()
    for n in table.pawn_counts:
        codes, masks = table.mapped.codes(n), shape_sets.colourings_of(n).masks
        for shape, row in enumerate(table.mapped.shapes(n).cells):
            cells = [(int(bit) & 15, int(bit) >> 4) for bit in row]
            for k, own in enumerate(masks):
                own_cells = frozenset(cell for i, cell in enumerate(cells) if int(own) >> i & 1)
                key = onoro_solver.key((own_cells, frozenset(cells) - own_cells))
                code = int(codes[shape, k])
                if code == UNREACHABLE:
                    assert key not in expected
                else:
                    keys.add(key)
                    verdict = verdict_from_code(code)
                    assert (verdict.value, verdict.distance) == expected[key], key
    assert keys == set(expected)


@pytest.mark.parametrize(
    ("pawns", "drawn", "unreachable", "won", "lost", "longest"),
    [(3, 125, 0, 11, 4, 5), (4, 3437, 47, 244, 52, 3), (5, 128767, 5886, 38418, 9377, 45)],
)
def test_known_counts(pawns, drawn, unreachable, won, lost, longest):
    table = small_table(pawns)
    assert list(table.counts[2 * pawns].values()) == [drawn, unreachable, won, lost, longest]
    assert verdict_from_code(table.header["start"]).value == "draw"


def test_every_entry_follows_from_its_successors(table, team):
    verified = verify(table, team, lambda *_: None, positions=40)
    assert verified.entries == sum(table.mapped.codes(n).size for n in table.pawn_counts)
    assert verified.searched == 40
    assert verified.ended >= 20


def test_verify_finds_a_wrong_entry(tmp_path, team):
    table = solve(4, tmp_path / "table")
    table.mapped.codes(8)[17, 30] += 1  # in memory only
    with pytest.raises(BadTable, match="block 0 is damaged"):
        verify(table, team, lambda *_: None)
    table.mapped.checks[0] = table.mapped.checksum(0)
    with pytest.raises(BadTable, match="contradicts its successors"):
        verify(table, team, lambda *_: None)


def test_the_independent_search_finds_a_wrong_entry(tmp_path, team, monkeypatch):
    table = solve(4, tmp_path / "table")
    codes = table.mapped.codes(8)
    codes[codes == 3] = 5
    table.mapped.checks[0] = table.mapped.checksum(0)
    monkeypatch.setattr("quincunx.solve.onoro.verification._verify_entries", lambda *_: None)
    with pytest.raises(BadTable, match=r"table says .*, but an independent search disagrees"):
        verify(table, team, lambda *_: None)


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("memory", [None, 0])
def test_threads_and_memory_do_not_change_the_bytes(tmp_path, threads, memory):
    solve(5, tmp_path / "table", threads, memory)
    assert filecmp.cmp(tmp_path / "table", small_table(5).path, shallow=False)
    assert [path.name for path in tmp_path.iterdir()] == ["table"]


def test_codes_are_widened_when_wins_take_long(tmp_path, monkeypatch):
    def max_round_code(self):
        return 20 if self._checkpoint.width == 1 else 999

    monkeypatch.setattr(solver.Solver, "_max_round_code", property(max_round_code))
    wide, table = solve(5, tmp_path / "table"), small_table(5)
    for n in table.pawn_counts:
        assert wide.mapped.codes(n).itemsize == 2
        assert (wide.mapped.codes(n) == table.mapped.codes(n)).all()
    assert [path.name for path in tmp_path.iterdir()] == ["table"]


# Kills itself after a number of reports of progress, or not at all.
KILLED_RUN = """
import os, signal, sys
from quincunx.solve.onoro.solver import solve
path, reports_left = sys.argv[1], int(sys.argv[2])
def progress(*_):
    global reports_left
    reports_left -= 1
    if not reports_left:
        os.kill(os.getpid(), signal.SIGKILL)
solve(5, path, threads=2, progress=progress, checkpoint_seconds=0.005)
"""


@pytest.mark.heavy
@pytest.mark.skipif(sys.platform == "win32", reason="needs SIGKILL")
def test_a_run_killed_many_times_writes_the_same_bytes(tmp_path):
    path = tmp_path / "table"
    for reports in (5, 60, 150, 0):
        command = [sys.executable, "-c", KILLED_RUN, str(path), str(reports)]
        run = subprocess.run(command, capture_output=True, text=True)
        assert run.returncode == (-signal.SIGKILL if reports else 0), run.stderr
        assert path.exists() == (not reports)
    assert filecmp.cmp(path, small_table(5).path, shallow=False)
    assert os.listdir(tmp_path) == ["table"]


def test_a_second_run_is_refused(tmp_path):
    workspace = Workspace(tmp_path / "table.3.work", wait=False)
    try:
        with pytest.raises(BadOption, match="another run"):
            solve(3, tmp_path / "table")
    finally:
        workspace.close()
    assert solve(3, tmp_path / "table").pawns == 3


def test_the_number_of_pawns_is_checked(tmp_path):
    with pytest.raises(BadOption, match="from 3 to 8"):
        solve(2, tmp_path / "table")


def test_a_table_for_another_number_of_pawns_is_refused(tmp_path):
    solve(3, tmp_path / "table")
    with pytest.raises(BadTable, match="for 3 pawns a side, not for 4"):
        solve(4, tmp_path / "table")


def test_a_table_can_be_opened_again(table):
    again = Tablebase.open(table.path)
    assert again.pawns == table.pawns
    assert list(again.verify_checksums()) == list(range(again.mapped.block_count))
