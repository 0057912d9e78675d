"""The ways in which positions store their cells."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quincunx.boards import Bitboards, CellArray, OwnCells, PackedCells, SquareBoard
from quincunx.errors import SeveralPieces

CONNECT_FOUR_BITS = [7 * column + row for column, row in SquareBoard(7, 6).coordinates]


def record(*fields):
    return np.zeros(1, np.dtype(list(fields))).view(np.recarray)[0]


def write_digits(s, pieces):
    s.cells = int("1" + "".join(map(str, pieces)))


STORES = {
    "bitboards": (Bitboards("cells"), ("cells", "u8", (2,)), 64, 2),
    "small bitboards": (Bitboards("cells"), ("cells", "u2", (3,)), 9, 3),
    "signed bitboards": (Bitboards("cells"), ("cells", "i8", (2,)), 42, 2),
    "wide bitboards": (Bitboards("cells"), ("cells", "u8", (2, 3)), 169, 2),
    "bitboards with gaps": (Bitboards("cells", CONNECT_FOUR_BITS), ("cells", "u8", (2,)), 42, 2),
    "array": (CellArray("cells"), ("cells", "u1", (30,)), 25, 12),
    "array with a border": (
        CellArray("cells", [5 * row + column + 6 for row in range(3) for column in range(3)]),
        *(("cells", "i4", (25,)), 9, 200),
    ),
    "packed": (PackedCells("cells"), ("cells", "u8"), 16, 15),
    "packed in two bits": (PackedCells("cells", bits=2), ("cells", "u8"), 32, 3),
    "own": (
        OwnCells(lambda s: map(int, str(s["cells"])[1:]), write_digits),
        *(("cells", "i8"), 9, 9),
    ),
}


@pytest.mark.parametrize(("store", "field", "count", "kinds"), STORES.values(), ids=STORES)
@settings(max_examples=30)
@given(data=st.data())
def test_what_is_written_is_read(store, field, count, kinds, data):
    pieces = bytes(data.draw(st.lists(st.integers(0, kinds), min_size=count, max_size=count)))
    s = record(field)
    store.write(s, bytes([kinds] * count))  # is overwritten
    store.write(s, pieces)
    assert store.read(s, count) == pieces


def test_a_bitboard_has_a_bit_for_each_cell():
    s = record(("stones", "u8", (2,)))
    Bitboards("stones").write(s, bytes([1, 2, 0, 1]))
    assert s.stones.tolist() == [0b1001, 0b0010]


def test_bits_and_indices_place_cells():
    s = record(("stones", "u8", (1,)), ("board", "u1", (25,)))
    Bitboards("stones", CONNECT_FOUR_BITS).write(s, bytes([0, 1] + [0] * 40))
    assert s.stones.tolist() == [1 << 7]
    CellArray("board", [6, 7, 11]).write(s, bytes([3, 0, 4]))
    assert [i for i in range(25) if s.board[i]] == [6, 11]


def test_packed_cells_begin_at_the_lowest_bits():
    s = record(("board", "u8"))
    PackedCells("board").write(s, bytes([1, 0, 11] + [0] * 13))
    assert s.board == 0xB01


@pytest.mark.parametrize("shape", [(2,), (2, 3)])
def test_two_pieces_on_a_cell_are_an_error(shape):
    s = record(("cells", "u8", shape))
    s.cells[:] = [[5], [6]] if len(shape) == 2 else [5, 6]
    with pytest.raises(SeveralPieces, match=r"^cell 2 has pieces of several kinds$"):
        Bitboards("cells").read(s, 9)
    assert Bitboards("cells").read(s, 2) == bytes([1, 2])  # beyond the cells, bits are not pieces
