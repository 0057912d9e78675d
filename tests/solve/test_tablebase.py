"""Damage to a file is noticed, and said where it is."""

import shutil

import pytest

from quincunx import solve
from quincunx.errors import BadTable
from quincunx.solve.tablebase import HEADER, Tablebase


@pytest.fixture
def copy(tmp_path):
    return shutil.copy(solve.open_table(4).path, tmp_path / "table")


def flip(path, at):
    with open(path, "r+b") as file:
        file.seek(at)
        byte = file.read(1)[0]
        file.seek(at)
        file.write(bytes([byte ^ 16]))


@pytest.mark.parametrize(
    ("at", "said"),
    [
        (0, "no solved table"),
        (9, "header is damaged"),
        (40, "header is damaged"),
        (-3, "list of checksums is damaged"),
    ],
)
def test_damage_at_the_ends_is_seen_when_opening(copy, at, said):
    flip(copy, at if at >= 0 else copy.stat().st_size + at)
    with pytest.raises(BadTable, match=said):
        Tablebase.open(copy)


def test_damage_in_the_middle_is_seen_when_checking(copy):
    flip(copy, HEADER + 2000)
    with pytest.raises(BadTable, match=f"block 0 is damaged .from byte {HEADER:,}"):
        list(Tablebase.open(copy).check())


@pytest.mark.parametrize("length", [0, 10, HEADER, -1])
def test_a_file_cut_off(copy, length):
    with open(copy, "r+b") as file:
        file.truncate(length if length >= 0 else copy.stat().st_size + length)
    with pytest.raises(BadTable, match=r"no solved table|and should have"):
        Tablebase.open(copy)


def test_a_file_that_is_none(tmp_path):
    (tmp_path / "table").write_bytes(b"[Game onoro]" * 10)
    with pytest.raises(BadTable, match="no solved table"):
        Tablebase.open(tmp_path / "table")
