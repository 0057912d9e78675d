"""Square and hexagonal boards: names, neighbours, rays, lines, symmetries, pictures."""

from itertools import pairwise

import pytest

from quincunx.boards import HexBoard, SquareBoard
from quincunx.boards.hexagonal import centre

BOARDS = {
    "chess": SquareBoard(8, 8),
    "othello": SquareBoard(8, 8, top_row_first=True),
    "connect four": SquareBoard(7, 6),
    "wide": SquareBoard(5, 3, naming="row,column"),
    "single": SquareBoard(1, 1),
    "hex": HexBoard.rhombus(11, 11),
    "wide hex": HexBoard.rhombus(4, 3, naming="q,r"),
    "hexagon": HexBoard.hexagon(4),
    "q,r hexagon": HexBoard.hexagon(2, naming="q,r"),
    "triangle": HexBoard((q, r) for r in range(4) for q in range(4 - r)),
}
every_board = pytest.mark.parametrize("board", BOARDS.values(), ids=BOARDS)


def names(board, cells):
    return " ".join(board.names[cell] for cell in cells)


@every_board
def test_names_and_coordinates_are_unique_and_lead_back_to_the_cell(board):
    assert len(set(board.names)) == len(set(board.coordinates)) == len(board)
    for cell, name in enumerate(board.names):
        assert name in board
        assert board.index(name) == cell
        assert board.cell_at(*board.coordinates[cell]) == cell
    assert board.cell_at(-99, 0) is None


def test_cells_are_numbered_row_by_row_from_the_first_row():
    chess, othello = BOARDS["chess"], BOARDS["othello"]
    for board in (chess, othello):
        assert board.names[:3] == ("a1", "b1", "c1")
        assert (board.names[8], board.names[63]) == ("a2", "h8")
        assert names(board, board.row(1)) == "a2 b2 c2 d2 e2 f2 g2 h2"
        assert names(board, board.column(2)) == "c1 c2 c3 c4 c5 c6 c7 c8"
    assert (chess.centre(0), othello.centre(0)) == ((0.5, 7.5), (0.5, 0.5))
    assert (chess.centre(0, flip=True), othello.centre(0, flip=True)) == ((7.5, 0.5), (7.5, 7.5))
    assert names(chess, chess.picture_rows[0]) == "a8 b8 c8 d8 e8 f8 g8 h8"
    assert names(othello, othello.picture_rows[0]) == "a1 b1 c1 d1 e1 f1 g1 h1"


def test_other_ways_to_name_cells():
    assert BOARDS["wide"].names[:6] == ("0,0", "0,1", "0,2", "0,3", "0,4", "1,0")
    assert BOARDS["wide hex"].names[:5] == ("0,0", "1,0", "2,0", "3,0", "0,1")
    assert BOARDS["q,r hexagon"].names[:4] == ("0,-2", "1,-2", "2,-2", "-1,-1")
    assert " ".join(HexBoard.hexagon(1).names) == "b1 c1 a2 b2 c2 a3 b3"
    assert SquareBoard(26, 2).names[-1] == "z2"
    assert SquareBoard(99, 2, naming="row,column").names[-1] == "1,98"


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: SquareBoard(27, 8), "a board of 27 columns: only 26 columns have letters"),
        (lambda: SquareBoard(0, 8), "a board of 0 x 8 cells: both must be at least 1"),
        (lambda: SquareBoard(8, 8, naming="q,r"), "naming='q,r': expected 'a1' or 'row,column'"),
        (lambda: HexBoard.rhombus(3, -1), "a board of 3 x -1 cells: both must be at least 1"),
        (lambda: HexBoard.rhombus(3, 3, naming="x"), "naming='x': expected 'a1' or 'q,r'"),
        (lambda: HexBoard.hexagon(-1), "a hexagon of radius -1: expected 0 or more"),
        (lambda: HexBoard.hexagon(13), "a board of 27 columns"),
        (lambda: HexBoard([]), "a board without cells"),
        (lambda: SquareBoard(8, 8).index("i1"), "invalid cell 'i1': expected a1 to h8"),
        (
            lambda: SquareBoard(8, 8, cell_word="square").index("a9"),
            "invalid square 'a9': expected a1 to h8",
        ),
    ],
)
def test_impossible_boards_and_cells_are_refused(make, message):
    with pytest.raises(ValueError, match="^" + message.replace("(", r"\(")):
        make()


def test_masks_have_one_bit_for_each_cell():
    board = BOARDS["othello"]
    assert board.mask(["a1", "h8", 1]) == 1 << 63 | 0b11
    assert names(board, board.cells(board.mask(["d4", "e5"]))) == "d4 e5"
    assert board.mask(board.row(0)) == 0xFF
    assert BOARDS["hex"].mask(["k11"]) == 1 << 120
    with pytest.raises(IndexError):
        board.mask([64])


def test_neighbours():
    board = BOARDS["chess"]

    def around(name, **options):
        return {board.names[cell] for cell in board.neighbours(**options)[board.index(name)]}

    assert around("a1") == {"a2", "b1"}
    assert around("a1", diagonals=True) == {"a2", "b1", "b2"}
    assert around("d4") == {"d3", "d5", "c4", "e4"}
    assert len(around("d4", diagonals=True)) == 8
    hexes = BOARDS["hex"]
    touching = [names(hexes, hexes.neighbours()[hexes.index(name)]) for name in ("a1", "k1", "b2")]
    assert touching == ["b1 a2", "k2 j2 j1", "c2 b3 a3 a2 b1 c1"]
    assert {len(cells) for cells in BOARDS["hexagon"].neighbours()} == {3, 4, 6}


@every_board
def test_neighbours_are_mutual_and_next_to_each_other(board):
    tables = [board.neighbours()]
    if isinstance(board, SquareBoard):
        tables.append(board.neighbours(diagonals=True))
    for table in tables:
        for cell, neighbours in enumerate(table):
            assert cell not in neighbours
            assert len(set(neighbours)) == len(neighbours)
            for other in neighbours:
                assert cell in table[other]
                (x, y), (x1, y1) = board.centre(cell), board.centre(other)
                assert (x - x1) ** 2 + (y - y1) ** 2 <= 2.000001


def test_rays():
    board = BOARDS["chess"]
    # The 1456 moves of a queen on an empty board, of which 896 are those of a rook.
    assert sum(len(ray) for rays in board.rays() for ray in rays) == 1456
    assert sum(len(ray) for rays in board.rays(diagonals=False) for ray in rays) == 896
    assert [names(board, ray) for ray in board.rays()[board.index("b2")]] == [
        "c2 d2 e2 f2 g2 h2",
        "c3 d4 e5 f6 g7 h8",
        "b3 b4 b5 b6 b7 b8",
        "a3",
        "a2",
        "a1",
        "b1",
        "c1",
    ]
    hexes = BOARDS["hexagon"]
    assert [len(ray) for ray in hexes.rays()[hexes.index("e5")]] == [4] * 6


@pytest.mark.parametrize(
    ("board", "length", "count"),
    [
        (SquareBoard(7, 6), 4, 69),
        (SquareBoard(3, 3), 3, 8),
        (SquareBoard(15, 15), 5, 572),
        (SquareBoard(8, 8), 9, 0),
        (SquareBoard(3, 3), 1, 9),
        (HexBoard.hexagon(1), 3, 3),
        (HexBoard.hexagon(4), 5, 75),
        (HexBoard.rhombus(3, 3), 3, 7),
    ],
)
def test_numbers_of_straight_lines(board, length, count):
    lines = board.lines(length)
    assert len(lines) == len({frozenset(line) for line in lines}) == count
    if length > 1:
        neighbours = (
            board.neighbours(diagonals=True)
            if isinstance(board, SquareBoard)
            else board.neighbours()
        )
        for line in lines:
            assert all(b in neighbours[a] for a, b in pairwise(line))


def test_lines_without_diagonals():
    assert len(SquareBoard(7, 6).lines(4, diagonals=False)) == 6 * 4 + 7 * 3


@pytest.mark.parametrize(
    ("board", "count", "rotations"),
    [
        (SquareBoard(8, 8), 8, 4),
        (SquareBoard(7, 6), 4, 2),
        (SquareBoard(8, 8, top_row_first=True), 8, 4),
        (HexBoard.hexagon(3), 12, 6),
        (HexBoard.rhombus(4, 3), 2, 2),
        # The reflections of a rhombus exchange the pairs of edges, and so the players of Hex.
        (HexBoard.rhombus(11, 11), 4, 2),
        (BOARDS["triangle"], 6, 3),
    ],
)
def test_symmetries_are_groups_that_preserve_neighbours(board, count, rotations):
    symmetries = board.symmetries()
    assert len(set(symmetries)) == count
    assert set(board.symmetries(reflections=False)) < set(symmetries) or count == rotations
    assert len(board.symmetries(reflections=False)) == rotations
    assert symmetries[0] == tuple(range(len(board)))
    neighbours = board.neighbours()
    for first in symmetries:
        assert sorted(first) == list(range(len(board)))
        for second in symmetries:
            assert tuple(first[cell] for cell in second) in symmetries
        for cell, around in enumerate(neighbours):
            assert {first[other] for other in around} == set(neighbours[first[cell]])


@every_board
def test_a_flipped_board_covers_the_same_area(board):
    left, top, right, bottom = board.bounds
    for cell in range(len(board)):
        (x, y), (x1, y1) = board.centre(cell), board.centre(cell, flip=True)
        assert (x + x1, y + y1) == pytest.approx((left + right, top + bottom))
        assert left - 1e-9 <= x1 <= right + 1e-9
        assert top - 1e-9 <= y1 <= bottom + 1e-9


def test_hexagons_are_one_apart():
    (x, y), (x1, y1) = centre(3, 4), centre(2, 5)
    assert (x - x1) ** 2 + (y - y1) ** 2 == pytest.approx(1)
    assert BOARDS["q,r hexagon"].centre(BOARDS["q,r hexagon"].index("0,0")) == (0, 0)


def test_boards_describe_themselves():
    assert repr(SquareBoard(8, 6, top_row_first=True)) == "SquareBoard(8, 6, top_row_first=True)"
    assert repr(HexBoard.hexagon(2)) == "<HexBoard of 19 cells, c1 to c5>"
