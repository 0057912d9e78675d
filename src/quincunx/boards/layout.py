"""The picture of a game on a board: cells, pieces, marks, coordinates, clicks and paths."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from types import MappingProxyType

from quincunx.boards import ground
from quincunx.boards.board import Cells
from quincunx.boards.edges import check_edges, draw_edges
from quincunx.boards.hexagonal import HexBoard
from quincunx.boards.looks import Place
from quincunx.boards.moves import WordMoves
from quincunx.boards.notation import BoardNotation
from quincunx.draw.scene import (
    ClickSequence,
    Controls,
    Disc,
    Label,
    Line,
    Path,
    Rect,
    Scene,
    Shape,
    ViewOptions,
    starts_and_targets,
)
from quincunx.game import State, Step

MARGIN, COORDINATE_MARGIN = 0.25, 0.8
CELL_GLYPH = "·"
MANY_TARGETS = 16  # more of them are marked by small dots, if most of the empty cells are targets
HEADER_HEIGHT, HEADER_SIZE = 1.0, 0.5
CHARACTER_WIDTH = 0.66  # of a bold character, in font sizes

ShapesOf = Callable[[State, ViewOptions], Iterable[Shape]]


class BoardLayout:
    """The layout of a game on a board: give it to `Parts`.

    `style` is one of `ground.styles`: chequered, lines, tiles, holes or points for squares,
    hexagons for hexagons. `facing` is true if the seats sit at opposite edges, so that the board
    is turned for one of them. `header` returns a line of text above the board, such as the score.
    `under` and `over` return further shapes, drawn before and after the pieces. `win` is the number
    of equal pieces in a line that are struck through, or a function of the state that returns the
    lines of cells to strike through. `paths` replaces the paths of pieces that move from cell to
    cell. `glyphs` are the characters of special cells in a terminal. `edges` are the colours of the
    top, bottom, left and right edges of a rhombus of hexagons.
    """

    def __init__(
        self,
        notation: BoardNotation,
        *,
        style: str = "",
        facing: bool = False,
        header: Callable[[State], str] | None = None,
        under: ShapesOf | None = None,
        over: ShapesOf | None = None,
        win: int | Callable[[State], Iterable[Sequence[int]]] | None = None,
        paths: Callable[[State, Step, bool], list[Path]] | None = None,
        glyphs: Mapping[int, str] = MappingProxyType({}),
        edges: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        self.notation, self.board, self.moves = notation, notation.board, notation.moves
        styles = ground.styles(self.board)
        self.style = style or next(iter(styles))
        if self.style not in styles:
            raise ValueError(f"style={style!r}: expected one of {', '.join(styles)}")
        self.header, self.under, self.over = header, under, over
        self._winning_lines = self._equal_lines(win) if isinstance(win, int) else win
        self._own_paths, self._glyphs, self._edges = paths, glyphs, edges
        check_edges(self.board, edges)
        self.CONTROLS = Controls(self.moves.buttons, facing=facing)
        self._click_names = tuple(
            self.moves.click_name(cell) or name for cell, name in enumerate(self.board.names)
        )
        self._shares_clicks = len(set(self._click_names)) < len(self._click_names)
        self._stones = lru_cache(maxsize=2**13)(self._piece)
        self._ground = lru_cache(maxsize=2**7)(self._draw_ground)
        self._labels = lru_cache(maxsize=2)(lambda flip: ground.coordinates(self.board, flip))

    def clicks(self, move: str) -> ClickSequence:
        """Returns the names to click, in order, to make a move."""
        return self.moves.clicks(move) or (move,)

    def scene(self, state: State, view: ViewOptions) -> Scene:
        """Returns the picture of a position, turned by 180 degrees if flipped."""
        pieces = self.notation.pieces(state.position)
        # Where all moves are words, nobody needs the names of cells.
        coordinates = view.coordinates and not isinstance(self.moves, WordMoves)
        last = self._last_cells(state, pieces) if view.last else ()
        shapes = [
            *self._ground(view.flip, self._first_cells(pieces)),
            *(self.under(state, view) if self.under else ()),
            *self._last_move(last, view.flip),
            *self._pieces(pieces, view.flip),
            *self._last_piece(last, view.flip),
            *(self.over(state, view) if self.over else ()),
            *self._choices(state, view, pieces),
            *self._strikes(state, view.flip),
            *(self._labels(view.flip) if coordinates else ()),
            *self._header(state),
        ]
        title, box = state.game.title, self._box(coordinates)
        return Scene(*box, tuple(shapes), title, state.status)

    def paths(self, before: State, step: Step, flip: bool) -> list[Path]:
        """Returns the path of a piece that moved from cell to cell."""
        if self._own_paths is not None:
            return self._own_paths(before, step, flip)
        old, new = (self.notation.pieces(state.position) for state in (before, step))
        cells = self.moves.cells(step.last[1], new) if step.last else ()
        if len(cells) != 2:
            return []
        origin, target = cells
        if new[origin] or not old[origin] or not new[target]:
            return []
        points = self.board.centre(origin, flip), self.board.centre(target, flip)
        return [Path(self.board.names[origin], self.board.names[target], points)]

    def _box(self, has_coordinates: bool) -> tuple[float, float, float, float]:
        """Returns x, y, width and height of the picture."""
        left, top, right, bottom = self.board.bounds
        hexagonal = isinstance(self.board, HexBoard)
        side, end = 0.5 + MARGIN, 0.58 + MARGIN if hexagonal else 0.5 + MARGIN
        start = 0.5 + (COORDINATE_MARGIN if has_coordinates else MARGIN)
        # The last column of hexagons has its label to the right of its last cell.
        x, w = left - start, right - left + start + side + (0.25 if hexagonal else 0)
        below = max(start, end)
        above = end + (HEADER_HEIGHT if self.header else 0)
        return x, top - above, w, bottom - top + above + below

    def _draw_ground(self, flip: bool, first: Cells) -> list[Shape]:
        """Returns the board and its cells, some of them first."""
        board, draw = self.board, ground.styles(self.board)[self.style]
        shapes = ground.background(board)
        for cell in dict.fromkeys((*first, *range(len(board)))):
            glyph = self._glyphs.get(cell, CELL_GLYPH)
            shapes += draw(self._place(cell, glyph, flip), sum(board.coordinates[cell]) % 2 == 0)
        shapes += ground.point_lines(board, flip) if self.style == "points" else []
        return shapes + draw_edges(board, self._edges, flip)

    def _first_cells(self, pieces: bytes) -> Cells:
        """Returns the cells that a click would fill, where several cells have the same click.

        They are drawn first: a page marks the first shape with the name of a click.
        """
        if not self._shares_clicks:
            return ()
        names = dict.fromkeys(self._click_names)
        cells = (self.moves.marked_cell(name, pieces) for name in names)
        return tuple(cell for cell in cells if cell is not None)

    def _place(self, cell: int, glyph: str, flip: bool) -> Place:
        x, y = self.board.centre(cell, flip)
        return Place(x, y, self.board.names[cell], self._click_names[cell], glyph)

    def _pieces(self, pieces: bytes, flip: bool) -> Iterable[Shape]:
        for piece, cell in sorted((piece, cell) for cell, piece in enumerate(pieces) if piece):
            yield from self._stones(piece, cell, flip)

    def _piece(self, piece: int, cell: int, flip: bool) -> tuple[Shape, ...]:
        letter = self.notation.piece_letters[piece - 1]
        return self.notation.looks[letter].shapes(self._place(cell, letter, flip))

    def _last_cells(self, state: State, pieces: bytes) -> Cells:
        return () if state.last is None else self.moves.cells(state.last[1], pieces)

    def _last_move(self, cells: Cells, flip: bool) -> Iterable[Shape]:
        """Yields marks on the cells of the last move, and a line from its origin to its target."""
        points = tuple(self.board.centre(cell, flip) for cell in cells)
        for x, y in points:
            if isinstance(self.board, HexBoard):
                corners = ground.hexagon_corners(x, y, 0.47)
                yield Line(corners, "", 0, "accent", closed=True, opacity=0.18, role="last")
            else:
                yield Rect(x - 0.5, y - 0.5, 1, 1, "accent", opacity=0.18, role="last")
        if len(points) > 1:
            yield Line(points, "accent", 0.06, opacity=0.45, dashed=True, role="last")
            yield Disc(*points[0], 0.09, "accent", opacity=0.6, role="last")

    def _last_piece(self, cells: Cells, flip: bool) -> Iterable[Shape]:
        """Yields a ring around the piece of a move that is a single cell.

        It is beside the piece, so that it does not hide its mark, and has the colour of text, which
        stands out from the board in every theme.
        """
        if len(cells) == 1:
            yield Disc(*self.board.centre(cells[0], flip), 0.45, "", "ink", 0.045, role="last")

    def _choices(self, state: State, view: ViewOptions, pieces: bytes) -> Iterable[Shape]:
        """Yields rings on the pieces that can move, and dots on the cells of moves or targets.

        Where most of many empty cells are targets, the dots are small, so as not to hide the board.
        """
        starts, targets = starts_and_targets(lambda: map(self.clicks, state.moves()), view)
        small = len(targets) > max(MANY_TARGETS, pieces.count(0) / 2)
        radius, opacity = (0.06, 0.45) if small else (0.14, 1.0)
        for role, names in (("start", starts), ("target", targets)):
            for name in names:
                cell = self.moves.marked_cell(name, pieces)
                if cell is None:
                    yield from () if view.picked else self.word_marks(state, name, view.flip)
                    continue
                x, y = self.board.centre(cell, view.flip)
                if role == "start" or pieces[cell]:
                    yield Disc(x, y, 0.44, "", "accent", 0.05, role=role, cell=name)
                else:
                    dot = Disc(x, y, radius, "accent", opacity=opacity, glyph="o")
                    yield replace(dot, role=role, cell=name)

    def word_marks(self, state: State, word: str, flip: bool) -> Iterable[Shape]:
        """Returns marks on the board whose click is a word, too; a game with such overrides it."""
        return ()

    def _strikes(self, state: State, flip: bool) -> Iterable[Shape]:
        for cells in self._winning_lines(state) if self._winning_lines else ():
            points = tuple(self.board.centre(cell, flip) for cell in cells)
            # Stones have any colour: one of the two lines stands out from each of them.
            yield Line(points, "paper", 0.15, role="win")
            yield Line(points, "ink", 0.07, role="win")

    def _equal_lines(self, length: int) -> Callable[[State], Iterable[Sequence[int]]]:
        """Returns the function that finds the lines of `length` equal pieces."""
        lines = self.board.lines(length)

        def equal_lines(state: State) -> Iterator[Cells]:
            pieces = self.notation.pieces(state.position)
            for line in lines:
                if pieces[line[0]] and len({pieces[cell] for cell in line}) == 1:
                    yield line

        return equal_lines

    def _header(self, state: State) -> Iterable[Shape]:
        if self.header and (text := self.header(state)):
            left, top, right, _ = self.board.bounds
            y = top - 0.5 - MARGIN - HEADER_HEIGHT / 2
            # A long text is written smaller, so that it is not wider than the board.
            size = min(HEADER_SIZE, (right - left + 1) / (CHARACTER_WIDTH * len(text)))
            yield Label(left - 0.45, y, text, size, "ink", "start", True, role="header")
