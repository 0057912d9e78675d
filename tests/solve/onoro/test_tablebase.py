"""Damaged table files are detected, and the error says where the damage is."""

import shutil

import pytest

from quincunx.errors import BadTable
from quincunx.solve.onoro.tablebase import HEADER_BYTES, Tablebase
from tests.solve.tables import small_table

# All in one pytest-xdist worker, so that the solver is compiled once.
pytestmark = pytest.mark.xdist_group("solver")


@pytest.fixture
def copy(tmp_path):
    return shutil.copy(small_table(4).path, tmp_path / "table")


def flip_bit(path, offset):
    with open(path, "r+b") as file:
        file.seek(offset)
        byte = file.read(1)[0]
        file.seek(offset)
        file.write(bytes([byte ^ 16]))


@pytest.mark.parametrize(
    ("offset", "message"),
    [
        (0, "bad magic number"),
        (9, "header is damaged"),
        (40, "header is damaged"),
        (-3, "list of checksums is damaged"),
    ],
)
def test_opening_detects_damage_in_header_and_checksums(copy, offset, message):
    flip_bit(copy, offset if offset >= 0 else copy.stat().st_size + offset)
    with pytest.raises(BadTable, match=message):
        Tablebase.open(copy)


def test_verify_checksums_detects_damage_in_a_block(copy):
    flip_bit(copy, HEADER_BYTES + 2000)
    with pytest.raises(BadTable, match=f"block 0 is damaged .from byte {HEADER_BYTES:,}"):
        list(Tablebase.open(copy).verify_checksums())


@pytest.mark.parametrize(
    ("length", "message"),
    [
        (0, "bad magic number"),
        (10, "bad magic number"),
        (HEADER_BYTES, "bytes, expected"),
        (-1, "bytes, expected"),
    ],
)
def test_opening_rejects_a_truncated_file(copy, length, message):
    with open(copy, "r+b") as file:
        file.truncate(length if length >= 0 else copy.stat().st_size + length)
    with pytest.raises(BadTable, match=message):
        Tablebase.open(copy)


def test_opening_rejects_another_kind_of_file(tmp_path):
    (tmp_path / "table").write_bytes(b"[Game onoro]" * 10)
    with pytest.raises(BadTable, match="bad magic number"):
        Tablebase.open(tmp_path / "table")
