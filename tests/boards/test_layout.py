"""Pictures: inside their bounds, in every style and theme; clicks, marks and paths."""

from math import hypot

import pytest

from quincunx.boards import BoardLayout, BoardNotation, CellArray, CellMoves, HexBoard, Stone, Tile
from quincunx.boards.ground import HEX_STYLES, SQUARE_STYLES, hexagon_corners
from quincunx.boards.looks import Place
from quincunx.draw import palette
from quincunx.draw.palette import THEMES
from quincunx.draw.scene import Disc, Label, Line, Piece, Rect, ViewOptions
from quincunx.draw.svg import svg
from quincunx.draw.text import text
from tests.boards import games

POSITIONS = {
    **{
        style: games.othello(style).read("8/8/8/3WB3/3BW3/8/8/8 b").play("d3")
        for style in SQUARE_STYLES
    },
    "connect four": games.connect_four().read("7/7/7/7/3Y3/3R2R r").play("d"),
    "breakthrough": games.breakthrough().read("8/8/8/8/8/2B5/WWWWWWWW/8 w").play("b2b3"),
    "hex": games.hex_game().start().play("f6").play("k11"),
    "hexagon": games.hex_game(HexBoard.hexagon(4)).start().play("e5"),
    "one hexagon": games.hex_game(HexBoard.hexagon(0)).start().play("a1"),
    "2048": games.twenty48().read("abcd/efgh/ijkl/mnop 1234567"),
}
every_position = pytest.mark.parametrize("state", POSITIONS.values(), ids=POSITIONS)
VIEWS = [
    ViewOptions(),
    ViewOptions(coordinates=False, last=False),
    ViewOptions(targets=True, flip=True),
]


def extent(shape):
    """Returns left, top, right and bottom of a shape; a character is 0.6 of its size wide."""
    match shape:
        case Rect():
            edge = shape.stroke_width / 2 if shape.stroke else 0
            box = shape.x, shape.y, shape.x + shape.w, shape.y + shape.h
        case Disc() | Piece():
            edge = shape.r + (shape.stroke_width / 2 if getattr(shape, "stroke", "") else 0)
            box = shape.x, shape.y, shape.x, shape.y
        case Line():
            edge = shape.stroke_width / 2
            xs, ys = zip(*shape.points, strict=True)
            box = min(xs), min(ys), max(xs), max(ys)
        case Label():
            edge, width = 0, 0.6 * shape.size * len(shape.text)
            before = {"start": 0, "middle": width / 2, "end": width}[shape.anchor]
            left, half = shape.x - before, 0.35 * shape.size
            box = left, shape.y - half, left + width, shape.y + half
    left, top, right, bottom = box
    return left - edge, top - edge, right + edge, bottom + edge


@pytest.mark.parametrize("view", VIEWS, ids=["plain", "bare", "flipped"])
@every_position
def test_everything_is_inside_the_picture(state, view):
    scene = state.scene(view)
    for shape in scene.shapes:
        left, top, right, bottom = extent(shape)
        assert scene.x <= left, shape
        assert scene.y <= top, shape
        assert right <= scene.x + scene.w, shape
        assert bottom <= scene.y + scene.h, shape
    ids = [shape.id for shape in scene.shapes if shape.id]
    assert len(set(ids)) == len(ids)


@pytest.mark.parametrize("theme", THEMES)
@every_position
def test_every_theme_draws_every_board(state, theme):
    scene = state.scene(ViewOptions(targets=True))
    assert svg(scene, theme=theme).count("<title>") > 1
    assert text(scene, colour="truecolor", theme=theme)


@every_position
def test_every_click_of_every_move_is_on_a_shape_or_a_button(state):
    layout = state.game.parts.layout
    buttons = {button.word for button in layout.CONTROLS.buttons}
    for view in (ViewOptions(side_panel=False), ViewOptions(targets=True)):
        shapes = {shape.cell for shape in state.scene(view).shapes}
        for move in state.moves():
            assert set(layout.clicks(move)) <= shapes | buttons


@every_position
def test_a_flipped_picture_is_turned_by_180_degrees(state):
    board = state.game.parts.notation.board
    left, top, right, bottom = board.bounds
    plain, flipped = (
        {
            s.cell + s.role: s
            for s in state.scene(ViewOptions(flip=flip)).shapes
            if s.role == "piece"
        }
        for flip in (False, True)
    )
    assert plain.keys() == flipped.keys()
    for key, piece in plain.items():
        x, y, x1, y1 = (f(pair) for pair in (piece, flipped[key]) for f in (_x, _y))
        assert (x + x1, y + y1) == pytest.approx((left + right, top + bottom))


def _x(shape):
    return shape.x + (shape.w / 2 if isinstance(shape, Rect) else 0)


def _y(shape):
    return shape.y + (shape.h / 2 if isinstance(shape, Rect) else 0)


def shapes(state, role, **view):
    return [shape for shape in state.scene(ViewOptions(**view)).shapes if shape.role == role]


def labels(state, flip):
    found = shapes(state, "coordinate", flip=flip)
    rows = sorted((s for s in found if s.text.isdigit()), key=lambda s: s.y)
    columns = sorted((s for s in found if not s.text.isdigit()), key=lambda s: s.x)
    return "".join(s.text for s in rows), "".join(s.text for s in columns)


def test_coordinates_are_beside_their_rows_and_columns():
    assert labels(POSITIONS["lines"], False) == ("12345678", "abcdefgh")
    assert labels(POSITIONS["lines"], True) == ("87654321", "hgfedcba")
    assert labels(POSITIONS["breakthrough"], False) == ("87654321", "abcdefgh")
    assert labels(POSITIONS["hexagon"], False) == ("123456789", "abcdefghi")
    assert not shapes(POSITIONS["lines"], "coordinate", coordinates=False)


@pytest.mark.parametrize("flip", [False, True])
@pytest.mark.parametrize("board", [HexBoard.rhombus(4, 3), HexBoard.hexagon(3)])
def test_the_letters_of_hexagons_belong_to_one_cell(board, flip):
    state = games.hex_game(board).start()
    centres = [board.centre(cell, flip) for cell in range(len(board))]
    lowest = max(y for _, y in centres)
    for label in shapes(state, "coordinate", flip=flip):
        if not label.text.isalpha():
            continue
        cells = [cell for cell in range(len(board)) if board.names[cell].startswith(label.text)]
        x, y = max((centres[cell] for cell in cells), key=lambda point: point[1])
        if y == lowest:
            assert label.x == x, label  # right below the last cell
        else:
            assert min(hypot(label.x - cx, label.y - cy) for cx, cy in centres) > 0.8, label


def test_the_last_move_is_marked():
    placed = shapes(POSITIONS["lines"], "last")
    assert [type(shape).__name__ for shape in placed] == ["Rect", "Disc"]
    moved = shapes(POSITIONS["breakthrough"], "last")
    assert [type(shape).__name__ for shape in moved] == ["Rect", "Rect", "Line", "Disc"]
    assert moved[2].points == ((1.5, 6.5), (1.5, 5.5))
    assert shapes(POSITIONS["hex"], "last")[0].closed
    assert not shapes(POSITIONS["lines"], "last", last=False)
    assert not shapes(games.othello().start().play("pass"), "last")


def test_pieces_that_can_move_and_their_targets_are_marked():
    state = games.breakthrough().read("8/8/8/8/8/2B5/WWWWWWWW/8 w")
    assert len(shapes(state, "start", targets=True)) == 8
    (start,) = shapes(state, "start", picked="d2")
    assert (start.x, start.y, start.cell) == (3.5, 6.5, "d2")
    targets = {shape.cell: shape for shape in shapes(state, "target", picked="d2")}
    assert targets.keys() == {"c3", "d3", "e3"}
    assert [targets[name].fill for name in ("c3", "d3")] == ["", "accent"]  # a ring, a dot
    assert len(shapes(games.othello().start(), "target", targets=True)) == 64


def test_marks_of_most_of_the_cells_are_small():
    def radius(state):
        (size,) = {shape.r for shape in shapes(state, "target", targets=True)}
        return size

    small, large = radius(games.hex_game().start()), radius(games.connect_four().start())
    assert 2 * small < large
    assert radius(games.hex_game(HexBoard.rhombus(4, 4)).start()) == large  # only 16 cells
    few = games.othello(legal=range(20))  # of 64 cells
    assert radius(few.start()) == large


def test_cells_of_a_column_share_a_click_and_the_lowest_empty_one_comes_first():
    state = games.connect_four().read("7/7/7/7/3Y3/3R2R r")
    scene = state.scene(ViewOptions(targets=True))
    cells = [shape for shape in scene.shapes if shape.role == "cell" and shape.cell == "d"]
    assert len(cells) == 6
    assert cells[0].title == "d3"
    assert [shape.title for shape in cells[1:]] == ["d1", "d2", "d4", "d5", "d6"]
    (target,) = (shape for shape in scene.shapes if shape.role == "target" and shape.cell == "d")
    assert (target.x, target.y) == (3.5, 3.5)
    pieces = {shape.id: shape.cell for shape in scene.shapes if shape.role == "piece"}
    assert pieces == {"d1": "d", "d2": "d", "g1": "g"}
    (mark,) = (s for s in shapes(state.play("d"), "last") if isinstance(s, Disc))
    assert (mark.x, mark.y) == (3.5, 3.5)


def test_a_piece_moves_along_a_path():
    game = games.breakthrough()
    before = game.read("8/8/8/8/8/2B5/WWWWWWWW/8 w")
    layout = game.parts.layout
    moved, done = before.steps("d2c3")
    (path,) = layout.paths(before, moved, False)
    assert (path.old_id, path.new_id, path.points) == ("d2", "c3", ((3.5, 6.5), (2.5, 5.5)))
    (flipped,) = layout.paths(before, moved, True)
    assert flipped.points == ((4.5, 1.5), (5.5, 2.5))
    assert layout.paths(moved, done, False) == []
    for other, move in ((games.othello(), "d3"), (games.othello(), "pass")):
        first, last = other.start().steps(move)
        assert other.parts.layout.paths(other.start(), first, False) == []
        assert other.parts.layout.paths(first, last, False) == []


def test_a_game_can_replace_the_paths():
    game = games.othello(paths=lambda before, step, flip: [flip])
    (first, _) = game.start().steps("d3")
    assert game.parts.layout.paths(game.start(), first, True) == [True]


def test_further_shapes_are_drawn_under_and_over_the_pieces():
    mark = Disc(1, 1, 0.1, role="under")
    game = games.othello(
        under=lambda state, view: [mark],
        over=lambda state, view: [Disc(1, 1, 0.2, role="over")],
        header=lambda state: "Header",
        win=lambda state: [(0, 1, 2)],
    )
    roles = [shape.role for shape in game.start().play("a1").scene().shapes]
    order = [roles.index(role) for role in ("cell", "under", "piece", "over", "win", "header")]
    assert order == sorted(order)
    lines = shapes(game.start(), "win", flip=True)
    assert [line.points for line in lines] == [((7.5, 7.5), (6.5, 7.5), (5.5, 7.5))] * 2


def test_the_header_needs_space_above_the_board():
    without, with_header = (
        games.othello(header=header).start().scene() for header in (None, lambda state: "0")
    )
    assert with_header.y == pytest.approx(without.y - 1)
    assert with_header.h == pytest.approx(without.h + 1)


def test_styles_belong_to_boards():
    for style in SQUARE_STYLES:
        assert games.othello(style).parts.layout.style == style
    notation = games.hex_game().parts.notation
    assert BoardLayout(notation).style == next(iter(HEX_STYLES)) == "hexagons"
    with pytest.raises(ValueError, match="style='lines': expected one of hexagons"):
        BoardLayout(notation, style="lines")
    with pytest.raises(ValueError, match="expected one of chequered, lines, tiles, holes, points"):
        games.othello("hexagons")


def test_controls():
    assert games.breakthrough().parts.layout.CONTROLS.facing
    assert [button.word for button in games.othello().parts.layout.CONTROLS.buttons] == ["pass"]
    assert not games.othello().parts.layout.CONTROLS.facing


PLACE = Place(0.5, 0.5, "a1", "a", glyph="k")


def test_stones_and_tiles():
    (stone,) = Stone("black").shapes(PLACE)
    assert (stone.cell, stone.id, stone.glyph, stone.title) == ("a", "a1", "●", "Black on a1")
    (king,) = Stone("red", name="King", finish="glossy").shapes(PLACE)
    assert (king.glyph, king.title, king.finish) == ("k", "King on a1", "glossy")
    tile, label = Tile("2048", "yellow").shapes(PLACE)
    assert (tile.cell, tile.id, tile.glyph, tile.title) == ("a", "a1", "k", "2048 on a1")
    assert (label.text, label.fill) == ("2048", "black")
    assert label.size * 0.6 * 4 < tile.w
    assert Tile("2", "blue", glyph="x").shapes(PLACE)[0].glyph == "x"


def test_a_game_can_draw_its_own_pieces():
    class Cross:
        def shapes(self, place):
            x, y = place.x, place.y
            return (Line(((x - 0.3, y), (x + 0.3, y)), role="piece", id=place.name),)

    game = games.hex_game(pieces={"R": Cross(), "B": "blue"})
    (cross, stone) = shapes(game.start().play("a1").play("b1"), "piece")
    assert (cross.id, stone.id) == ("a1", "b1")


def test_plain_text_shows_the_letters_of_tiles():
    assert str(POSITIONS["2048"]).splitlines()[1:3] == ["a b c d", "e f g h"]


def test_four_equal_pieces_in_a_line_are_struck_through():
    game = games.connect_four()
    border, line = shapes(game.read("7/7/7/7/YYY4/RRRR3 y"), "win")
    assert line.points == border.points == ((0.5, 5.5), (1.5, 5.5), (2.5, 5.5), (3.5, 5.5))
    assert line.stroke_width < border.stroke_width
    assert not shapes(game.read("7/7/7/7/YYY4/RRRY3 r"), "win")
    assert len(shapes(game.read("7/7/7/YYYY3/YYYY3/RRRR3 y"), "win")) == 2 * 3


@pytest.mark.parametrize("theme", THEMES)
def test_the_winning_line_and_the_last_move_stand_out_in_every_theme(theme):
    border, line = shapes(games.connect_four().read("7/7/7/7/YYY4/RRRR3 y"), "win")
    for name in palette.PIECES:
        stone = palette.colour(name, theme)
        strokes = [palette.colour(shape.stroke, theme) for shape in (border, line)]
        assert max(palette.contrast(stroke, stone) for stroke in strokes) > 3, name
    (ring,) = (s for s in shapes(POSITIONS["lines"], "last") if isinstance(s, Disc))
    for ground in ("paper", "board", "shade"):
        colours = palette.colour(ring.stroke, theme), palette.colour(ground, theme)
        assert palette.contrast(*colours) > 4.5, ground
    (stone,) = (s for s in shapes(POSITIONS["lines"], "piece") if s.id == "d3")
    assert ring.r - ring.stroke_width / 2 > stone.r  # it does not hide the mark of the stone


@pytest.mark.parametrize("flip", [False, True])
def test_the_edges_of_a_rhombus_are_beside_its_rows_and_columns(flip):
    board = HexBoard.rhombus(4, 3)
    game = games.hex_game(board)
    lines = dict(
        zip(
            ("top", "bottom", "left", "right"), shapes(game.start(), "edge", flip=flip), strict=True
        )
    )
    assert [line.stroke for line in lines.values()] == ["red", "red", "blue", "blue"]
    sides = {
        name: {frozenset(_rounded(line.points[i : i + 2])) for i in range(0, len(line.points), 2)}
        for name, line in lines.items()
    }
    assert [len(sides[name]) for name in lines] == [8, 8, 5, 5]
    # Every side of the outline has one colour: no side is between two cells or has two colours.
    outline = [
        frozenset(_rounded((corners[i - 1], corners[i])))
        for corners in (hexagon_corners(*board.centre(cell, flip)) for cell in range(12))
        for i in range(6)
    ]
    once = {side for side in outline if outline.count(side) == 1}
    assert set().union(*sides.values()) == once
    assert sum(map(len, sides.values())) == len(once)
    # The lines have no jumps.
    for line in lines.values():
        assert _rounded(line.points[1:-1:2]) == _rounded(line.points[2:-1:2])
    assert min(y for _, y in lines["bottom" if flip else "top"].points) < 0


def _rounded(points):
    return [(round(x, 6) + 0.0, round(y, 6) + 0.0) for x, y in points]


@pytest.mark.parametrize(
    ("game", "edges", "message"),
    [
        (games.othello(), {"top": "red"}, "only a rhombus of hexagons has edges with colours"),
        (POSITIONS["hexagon"].game, {"top": "red"}, "only a rhombus of hexagons has edges"),
        (games.hex_game(), {"up": "red"}, "unknown edge 'up': expected top, bottom, left, right"),
    ],
)
def test_other_edges_are_refused(game, edges, message):
    with pytest.raises(ValueError, match=message):
        BoardLayout(game.parts.notation, edges=edges)


@pytest.mark.parametrize("opacity", [0.25, 0.5, 0.75, 1.0])
@pytest.mark.parametrize("fill", palette.PIECES)
def test_texts_on_tiles_can_be_read_in_every_theme(fill, opacity):
    ink = Tile("2", fill, opacity).ink
    for theme in THEMES:
        shade, colour = palette.colour("shade", theme), palette.colour(fill, theme)
        tile = palette.mix(shade, colour, opacity)
        assert palette.contrast(palette.colour(ink, theme), tile) > 3, theme


def test_special_cells_have_their_own_characters():
    game = games.othello(glyphs={0: "+", 63: "#"})
    lines = str(game.start()).splitlines()
    assert (lines[0], lines[7]) == ("1  + · · · · · · ·", "8  · · · · · · · #")


def test_a_click_on_the_board_can_be_a_word():
    class PassByClick(BoardLayout):
        def word_marks(self, state, word, flip):
            yield Disc(*self.board.centre(0, flip), 0.2, "accent", role="target", cell=word)

    notation = games.othello().parts.notation
    game = games.board_game(notation, PassByClick(notation), place=games.put, legal=[64])
    (mark,) = shapes(game.start(), "target", targets=True)
    assert mark.cell == "pass"
    assert not shapes(game.start(), "target")
    assert not shapes(game.start(), "target", picked="a1")


def test_a_kind_of_moves_of_its_own_decides_what_a_click_is():
    class Quadrants(CellMoves):
        """A move is a cell, but a click on any cell of a quarter stands for the first of them."""

        def click_name(self, cell):
            column, row = self.board.coordinates[cell]
            return self.board.names[row // 4 * 32 + column // 4 * 4]

    board = games.othello().parts.notation.board
    notation = BoardNotation(board, pieces="BW", cells=CellArray("cells"), moves=Quadrants(board))
    game = games.board_game(notation, BoardLayout(notation), legal=[0, 4, 32, 36])
    cells = {shape.title: shape.cell for shape in shapes(game.start(), "cell")}
    assert [cells[name] for name in ("a1", "d4", "e1", "h8")] == ["a1", "a1", "e1", "e5"]
