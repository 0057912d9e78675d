"""A scene as lines of text for a terminal, plain or in 24-bit colour.

A board cell is two columns wide and one row high, on the grid that fits the board.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from math import ceil, floor

from quincunx.draw import palette
from quincunx.draw.scene import Disc, Label, Line, Piece, Rect, Scene, Shape
from quincunx.draw.svg import ANCHORS, check_one_of
from quincunx.draw.terminal_cells import Box, ClickAreas, TerminalCell, TerminalPicture, clickable
from quincunx.draw.terminal_grid import (
    TerminalGrid,
    cell_count,
    first_cell,
    fit_grid,
    is_shown,
    middle,
)

COLOUR_MODES = ("none", "truecolor")
HIGHLIGHTED_ROLES = {"target", "last", "picked", "start", "focus"}  # shown in the accent colour
START_MARK = "*"  # without colour, after a piece that can move
SIDE_LABEL_COLUMNS = 3  # columns from the board to a label at its side
MIN_CONTRAST = 2.0  # WCAG contrast ratio of a character and its background
RESET = "\x1b[0m"


def text(scene: Scene, colour: str = "none", theme: str = "dark") -> str:
    """Returns the scene as lines of text; raises BadOption.

    `colour` is none or truecolor. The theme is light, dark or contrast; it also paints the
    background, since the colour of the terminal is unknown.
    """
    check_one_of("colour", colour, COLOUR_MODES)
    check_one_of("theme", theme, palette.THEMES)
    canvas = _draw(scene, theme)
    return _with_escapes(canvas.picture()) if colour == "truecolor" else canvas.plain()


def draw_characters(scene: Scene, theme: str = "dark") -> TerminalPicture:
    """Returns the scene as characters in the colours of a theme; raises BadOption."""
    check_one_of("theme", theme, palette.THEMES)
    return _draw(scene, theme).picture()


def _draw(scene: Scene, theme: str) -> _TextCanvas:
    """Returns a canvas on which the scene is drawn."""
    canvas = _TextCanvas(fit_grid(scene), theme)
    shown = [shape for shape in scene.shapes if is_shown(shape)]
    for kind in (Rect, Disc, Piece):
        for shape in shown:
            if isinstance(shape, kind):
                canvas.write(shape)
    for label in scene.shapes:
        # The glyph of a piece stands for the text on it, which may be wider than a cell.
        if isinstance(label, Label) and label.role != "piece":
            canvas.write_label(label)
    for marker in scene.shapes:
        if isinstance(marker, Rect | Disc | Piece) and HIGHLIGHTED_ROLES & set(marker.role.split()):
            canvas.highlight(marker)
    for named_shape in clickable(scene):
        canvas.areas.add(named_shape.cell, canvas.box(named_shape))
    return canvas


@dataclass
class _Char:
    """A character, the colours it may have in order of preference, and its background."""

    char: str
    colours: tuple[str, ...]
    background: str
    solid: bool = False  # a piece or a label: no label is written over it
    filler: bool = False  # repeats a block's glyph; in colour, a space takes its place

    @property
    def foreground(self) -> str:
        """The first colour with enough contrast, else the one with most.

        It depends on the current background, which highlights change.
        """
        readable = [
            colour
            for colour in self.colours
            if palette.contrast(colour, self.background) > MIN_CONTRAST
        ]
        best = max(self.colours, key=lambda colour: palette.contrast(colour, self.background))
        return readable[0] if readable else best


@dataclass
class _TextCanvas:
    """Characters by row and column."""

    grid: TerminalGrid
    theme: str
    chars: dict[tuple[int, int], _Char] = field(default_factory=dict)
    highlighted: set[tuple[int, int]] = field(default_factory=set)
    starts: set[tuple[int, int]] = field(default_factory=set)  # the pieces that can move
    areas: ClickAreas = field(default_factory=ClickAreas)

    def write(self, shape: Rect | Disc | Piece) -> None:
        """Writes the character of a shape over what is at its position."""
        match shape:
            case Rect():
                self._fill(shape)
            case Disc():
                self._put(shape, shape.glyph or "o", *self._colours(shape.fill or shape.stroke))
            case Piece():
                paint = palette.paint(shape.colour, self.theme)
                self._put(shape, shape.glyph or "●", paint.fill, paint.rim)

    def write_label(self, label: Label) -> None:
        """Writes a label.

        Where it would touch a piece or another label it is moved away from the board, or left
        out if it is on the board.
        """
        check_one_of("anchor", label.anchor, ANCHORS)
        chars = _printable(label.text)
        if not chars.strip():
            return
        x, length = self.grid.exact_column(label.x), len(chars)
        first = {
            "start": floor(x + 1),
            "middle": floor(x - (length - 1) / 2 + 0.5),
            "end": ceil(x - 1) - length + 1,
        }[label.anchor]
        row = self.grid.row(label.y)
        top, bottom = self.grid.rows
        left, right = self.grid.row_columns.get(row, self.grid.columns)
        on_board = top <= row <= bottom and left <= x <= right
        step = 1
        if top <= row <= bottom and x < left:
            first, step = min(first, left - SIDE_LABEL_COLUMNS - length + 1), -1
        elif top <= row <= bottom and x > right:
            first = max(first, right + SIDE_LABEL_COLUMNS)
        while self._is_taken(row, first, length):
            if on_board:
                return
            first += step
        for column, char in enumerate(chars, first):
            cell = self.chars.setdefault((row, column), self._empty())
            cell.char, cell.colours, cell.solid = char, self._colours(label.fill), True
            cell.filler = False

    def highlight(self, shape: Rect | Disc | Piece) -> None:
        """Shows the accent colour in the middle of a shape, or everywhere if its role is focus."""
        accent = palette.colour("accent", self.theme)
        if "focus" in shape.role.split():
            left, top, right, bottom = map(int, self.box(shape))
            for position in ((r, c) for r in range(top, bottom) for c in range(left, right)):
                cell = self.chars.setdefault(position, self._empty())
                cell.background = palette.mix(cell.background, accent, 0.5)
            return
        x, y = middle(shape)
        position = self.grid.row(y), self.grid.column(x)
        if position not in self.chars or position in self.highlighted:
            return
        self.highlighted.add(position)
        if "start" in shape.role.split():
            self.starts.add(position)
        cell = self.chars[position]
        if cell.solid:
            cell.background = palette.mix(cell.background, accent, 0.35)
        else:
            cell.colours = self._colours("accent")

    def box(self, shape: Shape) -> Box:
        """Returns the box of the columns and rows that a shape covers."""
        assert not isinstance(shape, Line | Label)
        x, y = first_cell(shape)
        height, width = 1, 1
        if isinstance(shape, Rect):
            height, width = cell_count(shape.h), cell_count(shape.w)
        row, column = self.grid.row(y), self.grid.column(x)
        return Box(column, row, column + 2 * width, row + height)

    def plain(self) -> str:
        """Returns the characters without colour; pieces that can move have a mark after them."""
        for row, column in self.starts:
            after = self.chars.setdefault((row, column + 1), self._empty())
            after.char = START_MARK if after.char == " " else after.char
        rows, columns = self._extent(lambda cell: cell.char != " ")
        empty = self._empty()
        lines = ("".join(self.chars.get((r, c), empty).char for c in columns) for r in rows)
        return "\n".join(line.rstrip() for line in lines)

    def picture(self) -> TerminalPicture:
        """Returns the characters in colour, with a margin of one column on both sides."""
        paper = palette.colour("paper", self.theme)
        rows, inner = self._extent(lambda cell: cell.char != " " or cell.background != paper)
        columns = range(inner.start - 1, inner.stop + 1) if inner else inner
        return TerminalPicture(
            tuple(tuple(self._coloured(r, c) for c in columns) for r in rows),
            {name: box.cropped(columns, rows) for name, box in self.areas.boxes.items()},
            self.areas.nested_names,
        )

    def _coloured(self, row: int, column: int) -> TerminalCell:
        """Returns the cell at a position; a filler is a space, since the colour shows the block."""
        cell = self.chars.get((row, column)) or self._empty()
        char = " " if cell.filler else cell.char
        return TerminalCell(char, cell.foreground, cell.background, self.areas.names(column, row))

    def _extent(self, is_used: Callable[[_Char], bool]) -> tuple[range, range]:
        """Returns the rows and the columns from the first to the last used character."""
        used = [position for position, cell in self.chars.items() if is_used(cell)]
        if not used:
            return range(0), range(0)
        rows, columns = zip(*used, strict=True)
        return range(min(rows), max(rows) + 1), range(min(columns), max(columns) + 1)

    def _empty(self) -> _Char:
        return _Char(" ", self._colours("ink"), palette.colour("paper", self.theme))

    def _colours(self, name: str) -> tuple[str, ...]:
        """Returns the named colour and those that replace it where its contrast is too low."""
        names = (name or "quiet", "ink", "paper")
        return tuple(palette.colour(name, self.theme) for name in names)

    def _put(self, shape: Disc | Piece, glyph: str, *colours: str) -> None:
        """Writes a glyph; a piece outside the board goes to the next free column."""
        row, column = self.grid.row(shape.y), self.grid.column(shape.x)
        solid = isinstance(shape, Piece)
        if solid and shape.y in self.grid.outside_rows:
            column = round(self.grid.exact_column(shape.x))
            while self._is_taken(row, column, 1):
                column += 1
        cell = self.chars.setdefault((row, column), self._empty())
        cell.char, cell.colours = _printable(glyph)[0], colours
        cell.solid, cell.filler = solid, False

    def _fill(self, rect: Rect) -> None:
        """Fills the cells of a rectangle with its colour and its glyph."""
        x, y = first_cell(rect)
        row, column = self.grid.row(y), self.grid.column(x)
        height, width = cell_count(rect.h), 2 * cell_count(rect.w)
        paint = palette.PIECES.get(rect.fill)
        colours = (paint.on,) if paint else self._colours("quiet")
        background = palette.colour(rect.fill or "paper", self.theme)
        glyph_position = (row + (height - 1) // 2, column + width // 2 - 1)
        for r in range(row, row + height):
            for c in range(column, column + width):
                # The last column stays empty, to separate adjacent blocks.
                char = _printable(rect.glyph)[0] if c < column + width - 1 else " "
                filler = (r, c) != glyph_position
                self.chars[r, c] = _Char(char, colours, background, filler=filler)

    def _is_taken(self, row: int, first: int, length: int) -> bool:
        """Returns True if a label here would touch another label or a piece."""
        columns = range(first - 1, first + length + 1)
        return any((cell := self.chars.get((row, c))) and cell.solid for c in columns)


def _printable(value: str) -> str:
    """Returns the text with control characters replaced by question marks."""
    return "".join(char if char.isprintable() else "?" for char in value)


def _with_escapes(picture: TerminalPicture) -> str:
    """Returns the picture as text with ANSI escape sequences for its colours."""
    lines = []
    for row in picture.rows:
        line = foreground = background = ""
        for cell in row:
            if cell.background != background:
                background = cell.background
                line += _escape(48, background)
            if cell.char != " " and cell.foreground != foreground:
                foreground = cell.foreground
                line += _escape(38, foreground)
            line += cell.char
        lines.append(line + RESET)
    return "\n".join(lines)


def _escape(code: int, value: str) -> str:
    """Returns the sequence that sets the foreground (code 38) or the background (code 48)."""
    return "\x1b[{};2;{};{};{}m".format(code, *palette.rgb(value))
