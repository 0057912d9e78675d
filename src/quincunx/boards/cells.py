"""How a position stores what is on its cells: ready-made ways, and a game's own.

What is on the cells is passed on as bytes, one for each cell: 0 for an empty cell, k for the k-th
piece of the game, counted from 1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

from quincunx.contract import Position
from quincunx.errors import SeveralPieces

WORD_BITS = 64
# Translates hexadecimal digits to their values.
DIGIT_VALUES = bytes.maketrans(b"0123456789abcdef", bytes(range(16)))


class CellStore(Protocol):
    """Reads and writes what is on the cells of a position."""

    def read(self, s: Position, count: int) -> bytes:
        """Returns the pieces on the first `count` cells.

        Raises SeveralPieces, with the number of the cell, where it has more than one.
        """

    def write(self, s: Position, pieces: bytes) -> None:
        """Writes the pieces of all cells."""


class Bitboards:
    """A field of bitboards, one for each kind of piece: bit i is set where cell i has it.

    The field has one integer per kind, at most 15 in all; for boards of more than 64 cells it has
    as many u8 per kind as needed, lowest first. `bits`, if given, is the bit of each cell.
    """

    def __init__(self, field: str, bits: Sequence[int] | None = None) -> None:
        self.field, self.bits = field, None if bits is None else tuple(bits)

    def read(self, s: Position, count: int) -> bytes:
        """Returns the pieces on the cells."""
        digits = occupied = 0
        for piece, words in enumerate(s[self.field].tolist(), 1):
            mask = words if isinstance(words, int) else _joined(words)
            if self.bits is not None:
                mask = sum((mask >> bit & 1) << cell for cell, bit in enumerate(self.bits))
            mask &= (1 << count) - 1
            if shared := occupied & mask:
                raise SeveralPieces(str((shared & -shared).bit_length() - 1))
            occupied |= mask
            # The bits of a mask, read as hexadecimal digits, have four bits for each cell.
            digits += piece * int(format(mask, "b"), 16)
        return format(digits, f"0{count}x")[::-1].encode().translate(DIGIT_VALUES)

    def write(self, s: Position, pieces: bytes) -> None:
        """Writes the bitboards of all kinds."""
        boards = s[self.field]
        for kind, words in enumerate(boards.tolist()):
            mask = sum(
                1 << (cell if self.bits is None else self.bits[cell])
                for cell, piece in enumerate(pieces)
                if piece == kind + 1
            )
            if not isinstance(words, list):
                boards[kind] = mask
                continue
            for w in range(len(words)):
                boards[kind][w] = mask >> WORD_BITS * w & (1 << WORD_BITS) - 1


def _joined(words: list[int]) -> int:
    return sum(word << WORD_BITS * w for w, word in enumerate(words))


class CellArray:
    """A field with a small integer for each cell: 0 if it is empty, k for the k-th piece.

    `indices`, if given, is the index of each cell in the field, on boards with a border.
    """

    def __init__(self, field: str, indices: Sequence[int] | None = None) -> None:
        self.field, self.indices = field, None if indices is None else tuple(indices)

    def read(self, s: Position, count: int) -> bytes:
        """Returns the pieces on the cells."""
        values = s[self.field].tolist()
        return bytes(values[:count] if self.indices is None else [values[i] for i in self.indices])

    def write(self, s: Position, pieces: bytes) -> None:
        """Writes the pieces of all cells."""
        values = s[self.field]
        for cell, piece in enumerate(pieces):
            values[cell if self.indices is None else self.indices[cell]] = piece


class PackedCells:
    """A field that is one integer, with `bits` bits for each cell, those of cell 0 lowest."""

    def __init__(self, field: str, bits: int = 4) -> None:
        self.field, self.bits = field, bits

    def read(self, s: Position, count: int) -> bytes:
        """Returns the pieces on the cells."""
        value, lowest = int(s[self.field]), (1 << self.bits) - 1
        return bytes(value >> self.bits * cell & lowest for cell in range(count))

    def write(self, s: Position, pieces: bytes) -> None:
        """Writes the pieces of all cells."""
        s[self.field] = sum(piece << self.bits * cell for cell, piece in enumerate(pieces))


class OwnCells:
    """A game's own functions: the pieces of a position, and a position with these pieces."""

    def __init__(
        self,
        read: Callable[[Position], Iterable[int]],
        write: Callable[[Position, bytes], None],
    ) -> None:
        self._read, self._write = read, write

    def read(self, s: Position, count: int) -> bytes:
        """Returns the pieces on the cells."""
        return bytes(self._read(s))

    def write(self, s: Position, pieces: bytes) -> None:
        """Writes the pieces of all cells."""
        self._write(s, pieces)
