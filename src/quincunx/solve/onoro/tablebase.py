"""The file of a solved game: a header, the shapes and codes by number of pawns, and checksums.

    0              magic number, length and checksum of the header, the header (JSON)
    HEADER_BYTES   for each number n of pawns on the board, from 3 to all:
                     cells/n   the cells of each shape
                     table/n   the hash table that finds a shape
                     codes/n   a row for each shape, a code for each colouring (see `retrograde`)
                   checks      a CRC-32 of every block between HEADER_BYTES and here

The file is mapped into memory: opening it reads only the header and the checksums, and probing
only what it needs. The solver maps a file that has sections but no header yet, and writes into it.
"""

from __future__ import annotations

import json
import struct
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, TypedDict

import numpy as np
from numpy.typing import NDArray

from quincunx.errors import BadTable
from quincunx.solve.onoro import shape_sets
from quincunx.solve.onoro.arrays import Codes
from quincunx.solve.onoro.shape_sets import START_PAWNS, ShapeSet

TABLE_MAGIC = b"qxtable1"
PREFIX = struct.Struct("<8sII")  # magic number, length of the header, its CRC-32
HEADER_BYTES = 1 << 16  # space for prefix and header
BLOCK_BYTES = 1 << 20  # with one checksum
ALIGNMENT_BYTES = 64  # of the start of a section


@dataclass(frozen=True)
class TableSection:
    """The place and type of an array in the file."""

    offset: int  # in bytes
    dtype: str
    shape: tuple[int, ...]

    @property
    def end(self) -> int:
        """The offset after its last byte."""
        length = np.dtype(self.dtype).itemsize
        for size in self.shape:
            length *= size
        return self.offset + length


def section_layout(
    pawns: int, shape_counts: Mapping[int, int], code_bytes: int
) -> dict[str, TableSection]:
    """Returns the sections of a file with these numbers of shapes and bytes per code."""
    sections: dict[str, TableSection] = {}
    offset = HEADER_BYTES

    def add(name: str, dtype: str, *shape: int) -> None:
        nonlocal offset
        sections[name] = TableSection(offset, dtype, shape)
        offset = -(-sections[name].end // ALIGNMENT_BYTES) * ALIGNMENT_BYTES

    code_dtype = f"<u{code_bytes}" if code_bytes > 1 else "|u1"
    for n in range(START_PAWNS, 2 * pawns + 1):
        add(f"cells/{n}", "|u1", shape_counts[n], n)
        add(f"table/{n}", "<i4", shape_sets.hash_table_length(shape_counts[n]))
        add(f"codes/{n}", code_dtype, shape_counts[n], shape_sets.colouring_count(n))
    add("checks", "<u4", -(-(offset - HEADER_BYTES) // BLOCK_BYTES))
    return sections


class TableFacts(TypedDict):
    """The fields of the header that describe the game."""

    game: str
    pawns: int
    start: int  # the code of the start position
    counts: Mapping[int, dict[str, int]]  # by pawns on the board; the keys are strings in the file


class TableHeader(TableFacts):
    """The header of a file."""

    checks: int  # the checksum of the section `checks`


class MappedTable:
    """The sections of a file, mapped into memory.

    Mode `r+` writes changes to the file; with mode `c` they stay in memory.
    """

    def __init__(
        self, path: Path, sections: Mapping[str, TableSection], mode: Literal["r+", "c"]
    ) -> None:
        self.sections = sections
        self._bytes = np.memmap(path, np.uint8, mode)

    def _array(self, name: str) -> NDArray[Any]:
        """Returns the array of a section."""
        section = self.sections[name]
        flat = self._bytes[section.offset : section.end].view(np.ndarray)
        return flat.view(section.dtype).reshape(section.shape)

    def shapes(self, n: int) -> ShapeSet:
        """Returns the shapes of n cells."""
        return ShapeSet(self._array(f"cells/{n}"), self._array(f"table/{n}"))

    def codes(self, n: int) -> Codes:
        """Returns the codes of positions with n pawns on the board."""
        return self._array(f"codes/{n}")

    @property
    def checks(self) -> NDArray[np.uint32]:
        """The stored checksums of the blocks."""
        return self._array("checks")

    @property
    def block_count(self) -> int:
        """The number of blocks that have a checksum."""
        return self.sections["checks"].shape[0]

    def checksum(self, block: int) -> int:
        """Returns the computed checksum of a block; the stored ones are `checks`."""
        start = HEADER_BYTES + block * BLOCK_BYTES
        stop = min(start + BLOCK_BYTES, self.sections["checks"].offset)
        return zlib.crc32(self._bytes[start:stop].data)

    def write_header(self, fields: TableFacts) -> None:
        """Writes the header, which makes the file valid: call it last."""
        sections = {
            name: [section.offset, section.dtype, list(section.shape)]
            for name, section in self.sections.items()
        }
        checks = zlib.crc32(self.checks.data)
        body = json.dumps({**fields, "checks": checks, "sections": sections}).encode()
        start = PREFIX.pack(TABLE_MAGIC, len(body), zlib.crc32(body)) + body
        self._bytes[: len(start)] = np.frombuffer(start, np.uint8)

    def flush(self) -> None:
        """Returns when everything written is on disk."""
        self._bytes.flush()


class Tablebase:
    """A solved game, opened for probing."""

    def __init__(self, path: Path, header: TableHeader, mapped: MappedTable) -> None:
        self.path = path
        self.header = header
        self.mapped = mapped

    @classmethod
    def open(cls, path: str | Path) -> Tablebase:
        """Opens a file; raises BadTable if its header, length or list of checksums is wrong."""
        path = Path(path)
        length = path.stat().st_size
        with open(path, "rb") as file:
            prefix = file.read(PREFIX.size)
            if len(prefix) < PREFIX.size or not prefix.startswith(TABLE_MAGIC):
                raise BadTable(str(path), "not a table file (bad magic number)")
            _, body_length, body_checksum = PREFIX.unpack(prefix)
            body = file.read(body_length)
        if zlib.crc32(body) != body_checksum:
            raise BadTable(str(path), "the header is damaged (wrong checksum)")
        header = json.loads(body)
        sections = {
            name: TableSection(offset, dtype, tuple(shape))
            for name, (offset, dtype, shape) in header.pop("sections").items()
        }
        expected = max(section.end for section in sections.values())
        if length != expected:
            raise BadTable(str(path), f"the file has {length:,} bytes, expected {expected:,}")
        mapped = MappedTable(path, sections, "c")
        if zlib.crc32(mapped.checks.data) != header["checks"]:
            raise BadTable(str(path), "the list of checksums is damaged")
        return cls(path, header, mapped)

    @property
    def game_name(self) -> str:
        """The name of the solved game."""
        return str(self.header["game"])

    @property
    def pawns(self) -> int:
        """The number of pawns of each side."""
        return int(self.header["pawns"])

    @property
    def counts(self) -> dict[int, dict[str, int]]:
        """The numbers of positions that are drawn, won, lost, ..., by pawns on the board."""
        return {int(n): counts for n, counts in self.header["counts"].items()}

    @cached_property
    def pawn_counts(self) -> range:
        """The possible numbers of pawns on the board."""
        return range(START_PAWNS, 2 * self.pawns + 1)

    def verify_checksums(self) -> Iterator[int]:
        """Yields the number of each block with a correct checksum; raises BadTable at another."""
        for block, checksum in enumerate(self.mapped.checks):
            if self.mapped.checksum(block) != checksum:
                start = HEADER_BYTES + block * BLOCK_BYTES
                raise BadTable(str(self.path), f"block {block} is damaged (from byte {start:,} on)")
            yield block
