"""The file of a solved game: a header, the shapes and the codes of every number of pawns, checks.

    0        magic, length and checksum of the header, the header (JSON)
    HEADER   for each number n of pawns on the board, from 3 to all:
               cells/n   the cells of each shape
               table/n   the hash table that finds a shape
               codes/n   a row for each shape, a code for each colouring (see `retrograde`)
             checks      a CRC-32 of every block of all that lies between HEADER and here

The file is mapped into memory: opening it reads nothing but the header, and probing only what
it needs. A program that solves writes into the map of a file with sections but no header yet.
"""

from __future__ import annotations

import json
import struct
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from quincunx.errors import BadTable
from quincunx.solve import shape_sets
from quincunx.solve.shape_sets import FEWEST, ShapeSet

MAGIC = b"qxtable1"
START = struct.Struct("<8sII")
HEADER = 1 << 16
BLOCK = 1 << 20
ALIGNED = 64


@dataclass(frozen=True)
class Section:
    """Where in the file an array lies."""

    offset: int
    dtype: str
    shape: tuple[int, ...]

    @property
    def end(self) -> int:
        """Where it ends."""
        length = np.dtype(self.dtype).itemsize
        for along in self.shape:
            length *= along
        return self.offset + length


def laid_out(pawns: int, shapes: Mapping[int, int], width: int) -> dict[str, Section]:
    """The sections of a file with so many shapes of each size, and codes of `width` bytes."""
    found: dict[str, Section] = {}
    at = HEADER

    def add(name: str, dtype: str, *shape: int) -> None:
        nonlocal at
        found[name] = Section(at, dtype, shape)
        at = -(-found[name].end // ALIGNED) * ALIGNED

    for n in range(FEWEST, 2 * pawns + 1):
        add(f"cells/{n}", "|u1", shapes[n], n)
        add(f"table/{n}", "<i4", shape_sets.table_length(shapes[n]))
        add(f"codes/{n}", f"<u{width}" if width > 1 else "|u1", shapes[n], shape_sets.colourings(n))
    add("checks", "<u4", -(-(at - HEADER) // BLOCK))
    return found


class Mapped:
    """The sections of a file in memory, to be written (`r+`) or only read (`c`)."""

    def __init__(self, path: Path, sections: Mapping[str, Section], mode: Any) -> None:
        self.sections = sections
        self._bytes = np.memmap(path, np.uint8, mode)

    def __getitem__(self, name: str) -> Any:
        section = self.sections[name]
        flat = self._bytes[section.offset : section.end].view(np.ndarray)
        return flat.view(section.dtype).reshape(section.shape)

    def size(self, n: int) -> ShapeSet:
        """The shapes of n cells."""
        return ShapeSet(self[f"cells/{n}"], self[f"table/{n}"])

    def codes(self, n: int) -> Any:
        """The codes of positions with n pawns on the board."""
        return self[f"codes/{n}"]

    @property
    def blocks(self) -> int:
        """How many blocks are checked."""
        return self.sections["checks"].shape[0]

    def check_of(self, block: int) -> int:
        """The checksum of a block as it stands."""
        begin = HEADER + block * BLOCK
        end = min(begin + BLOCK, self.sections["checks"].offset)
        return zlib.crc32(self._bytes[begin:end].data)

    def write_header(self, header: Mapping[str, Any]) -> None:
        """Writes the header, last of all."""
        where = {
            name: [section.offset, section.dtype, list(section.shape)]
            for name, section in self.sections.items()
        }
        checks = zlib.crc32(self["checks"])
        body = json.dumps({**header, "checks": checks, "sections": where}).encode()
        head = START.pack(MAGIC, len(body), zlib.crc32(body)) + body
        self._bytes[: len(head)] = np.frombuffer(head, np.uint8)

    def flush(self) -> None:
        """Returns when all that was written is on disk."""
        self._bytes.flush()


class Tablebase:
    """A solved game, opened to be probed."""

    def __init__(self, path: Path, header: Mapping[str, Any], mapped: Mapped) -> None:
        self.path = path
        self.header = header
        self.mapped = mapped

    @classmethod
    def open(cls, path: str | Path) -> Tablebase:
        """The table of a file whose header is sound and whose length is right; BadTable."""
        path = Path(path)
        length = path.stat().st_size
        with open(path, "rb") as file:
            start = file.read(START.size)
            if len(start) < START.size or not start.startswith(MAGIC):
                raise BadTable(str(path), "this is no solved table: it begins otherwise")
            _, size, check = START.unpack(start)
            body = file.read(size)
        if zlib.crc32(body) != check:
            raise BadTable(str(path), "the header is damaged (checksum)")
        header = json.loads(body)
        sections = {
            name: Section(offset, dtype, tuple(shape))
            for name, (offset, dtype, shape) in header.pop("sections").items()
        }
        whole = max(section.end for section in sections.values())
        if length != whole:
            raise BadTable(str(path), f"the file has {length:,} bytes and should have {whole:,}")
        mapped = Mapped(path, sections, "c")
        if zlib.crc32(mapped["checks"]) != header["checks"]:
            raise BadTable(str(path), "the list of checksums is damaged")
        return cls(path, header, mapped)

    @property
    def pawns(self) -> int:
        """Pawns of each side."""
        return int(self.header["pawns"])

    @property
    def counts(self) -> dict[int, dict[str, int]]:
        """How many positions with so many pawns on the board are draws, over, won and lost."""
        return {int(n): counts for n, counts in self.header["counts"].items()}

    @cached_property
    def numbers(self) -> range:
        """How many pawns may be on the board."""
        return range(FEWEST, 2 * self.pawns + 1)

    def check(self) -> Iterator[int]:
        """Compares all blocks with their checksums, giving the number of each; BadTable."""
        for block, check in enumerate(self.mapped["checks"]):
            if self.mapped.check_of(block) != check:
                begin = HEADER + block * BLOCK
                raise BadTable(str(self.path), f"block {block} is damaged (from byte {begin:,} on)")
            yield block
