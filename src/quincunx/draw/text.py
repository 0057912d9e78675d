"""A scene as lines of text for a terminal, in plain letters or in 24-bit colour.

A cell is two columns wide and one row high, on the lattice that fits the board.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from math import ceil, floor

from quincunx.draw import palette
from quincunx.draw.scene import Disc, Label, Line, Piece, Rect, Scene, Shape
from quincunx.draw.svg import ANCHORS, check_one_of
from quincunx.draw.terminal_cells import Areas, Box, Picture, Spot, clickable
from quincunx.draw.terminal_grid import Lattice, cells, first_cell, is_shown, lattice, middle

COLOURS = ("none", "truecolor")
# Roles that are shown by the accent; a focus is where the hand is.
HIGHLIGHTS = {"target", "last", "picked", "start", "focus"}
BESIDE = 3  # columns from the board to a label at its side
SEEN = 2.0  # the contrast from which a letter is seen well enough on its ground
RESET = "\x1b[0m"


def text(scene: Scene, colour: str = "none", theme: str = "dark") -> str:
    """The scene as lines of text, without colour or in those of a theme; BadOption.

    Colour is none or truecolor; the theme is light, dark or contrast, and paints its own
    paper, since nobody knows the colour of a terminal.
    """
    check_one_of("colour", colour, COLOURS)
    check_one_of("theme", theme, palette.THEMES)
    grid = _written(scene, theme)
    return _painted(grid.picture()) if colour == "truecolor" else grid.plain()


def letters(scene: Scene, theme: str = "dark") -> Picture:
    """The scene in letters, with the colours of a theme; BadOption."""
    check_one_of("theme", theme, palette.THEMES)
    return _written(scene, theme).picture()


def _written(scene: Scene, theme: str) -> _Grid:
    """The letters of a scene, each at its place."""
    grid = _Grid(lattice(scene), theme)
    shown = [shape for shape in scene.shapes if is_shown(shape)]
    for kind in (Rect, Disc, Piece):
        for one in shown:
            if isinstance(one, kind):
                grid.write(one)
    for shape in scene.shapes:
        if isinstance(shape, Label):
            grid.write_label(shape)
    for shape in scene.shapes:
        if isinstance(shape, Rect | Disc | Piece) and HIGHLIGHTS & set(shape.role.split()):
            grid.highlight(shape)
    for shape in clickable(scene):
        grid.areas.add(shape.cell, grid.box(shape))
    return grid


@dataclass
class _Spot:
    """A letter, the colours it may have, best first, and its ground."""

    letter: str
    inks: tuple[str, ...]
    ground: str
    solid: bool = False  # a piece or a label: no label is written over it
    filling: bool = False  # a letter repeated where no colour fills

    @property
    def ink(self) -> str:
        """The first colour that is seen on the ground, since accents and blocks change it."""
        seen = [ink for ink in self.inks if palette.contrast(ink, self.ground) > SEEN]
        best = max(self.inks, key=lambda ink: palette.contrast(ink, self.ground))
        return seen[0] if seen else best


@dataclass
class _Grid:
    """Letters by row and column, written shape by shape."""

    lattice: Lattice
    theme: str
    spots: dict[tuple[int, int], _Spot] = field(default_factory=dict)
    lit: set[tuple[int, int]] = field(default_factory=set)
    areas: Areas = field(default_factory=Areas)

    def write(self, shape: Rect | Disc | Piece) -> None:
        """Writes the letter of a shape over what stands there."""
        match shape:
            case Rect():
                self._fill(shape)
            case Disc():
                self._put(shape, shape.glyph or "o", *self._inks(shape.fill or shape.stroke))
            case Piece():
                paint = palette.paint(shape.colour, self.theme)
                self._put(shape, shape.glyph or "●", paint.fill, paint.rim)

    def write_label(self, label: Label) -> None:
        """A label at its place; beside the board it makes room, over a piece it is left out."""
        check_one_of("anchor", label.anchor, ANCHORS)
        letters = _letters(label.text)
        if not letters.strip():
            return
        at, long = self.lattice.beside(label.x), len(letters)
        first = {
            "start": floor(at + 1),
            "middle": floor(at - (long - 1) / 2 + 0.5),
            "end": ceil(at - 1) - long + 1,
        }[label.anchor]
        row = self.lattice.row(label.y)
        (left, right), (top, bottom) = self.lattice.columns, self.lattice.rows
        inside = top <= row <= bottom and left <= at <= right
        step = 1
        if top <= row <= bottom and at < left:
            first, step = min(first, left - BESIDE - long + 1), -1
        elif top <= row <= bottom and at > right:
            first = max(first, right + BESIDE)
        while self._taken(row, first, long):
            if inside:
                return
            first += step
        for column, letter in enumerate(letters, first):
            spot = self.spots.setdefault((row, column), self._blank())
            spot.letter, spot.inks, spot.solid = letter, self._inks(label.fill), True
            spot.filling = False

    def highlight(self, shape: Rect | Disc | Piece) -> None:
        """Lets the accent shine on what stands in the middle of a shape; on all of a focus."""
        accent = palette.colour("accent", self.theme)
        if "focus" in shape.role.split():
            left, top, right, bottom = map(int, self.box(shape))
            for at in ((r, c) for r in range(top, bottom) for c in range(left, right)):
                spot = self.spots.setdefault(at, self._blank())
                spot.ground = palette.mix(spot.ground, accent, 0.5)
            return
        x, y = middle(shape)
        at = self.lattice.row(y), self.lattice.column(x)
        if at not in self.spots or at in self.lit:
            return
        self.lit.add(at)
        spot = self.spots[at]
        if spot.solid:
            spot.ground = palette.mix(spot.ground, accent, 0.35)
        else:
            spot.inks = self._inks("accent")

    def box(self, shape: Shape) -> Box:
        """The cells that a shape covers."""
        assert not isinstance(shape, Line | Label)
        x, y = first_cell(shape)
        deep, wide = (cells(shape.h), cells(shape.w)) if isinstance(shape, Rect) else (1, 1)
        row, column = self.lattice.row(y), self.lattice.column(x)
        return Box(column, row, column + 2 * wide, row + deep)

    def plain(self) -> str:
        """The letters alone."""
        rows, columns = self._extent(lambda spot: spot.letter != " ")
        blank = self._blank()
        lines = ("".join(self.spots.get((r, c), blank).letter for c in columns) for r in rows)
        return "\n".join(line.rstrip() for line in lines)

    def picture(self) -> Picture:
        """The letters in colour, on paper with a margin at both sides."""
        paper = palette.colour("paper", self.theme)
        rows, inner = self._extent(lambda spot: spot.letter != " " or spot.ground != paper)
        columns = range(inner.start - 1, inner.stop + 1) if inner else inner
        return Picture(
            tuple(tuple(self._coloured(r, c) for c in columns) for r in rows),
            {name: box.within(columns, rows) for name, box in self.areas.places.items()},
            self.areas.stacks,
        )

    def _coloured(self, row: int, column: int) -> Spot:
        """What is seen at a place: where a colour fills, no letter does."""
        spot = self.spots.get((row, column)) or self._blank()
        letter = " " if spot.filling else spot.letter
        return Spot(letter, spot.ink, spot.ground, self.areas.names(column, row))

    def _extent(self, counts: Callable[[_Spot], bool]) -> tuple[range, range]:
        """The rows and the columns from the first to the last where a spot counts."""
        written = [at for at, spot in self.spots.items() if counts(spot)]
        if not written:
            return range(0), range(0)
        rows, columns = zip(*written, strict=True)
        return range(min(rows), max(rows) + 1), range(min(columns), max(columns) + 1)

    def _blank(self) -> _Spot:
        return _Spot(" ", self._inks("ink"), palette.colour("paper", self.theme))

    def _inks(self, name: str) -> tuple[str, ...]:
        return tuple(palette.colour(one, self.theme) for one in (name or "quiet", "ink", "paper"))

    def _put(self, shape: Disc | Piece, glyph: str, *inks: str) -> None:
        """A glyph at its place; a piece outside the board, where none fits, next to others."""
        row, column = self.lattice.row(shape.y), self.lattice.column(shape.x)
        solid = isinstance(shape, Piece)
        if solid and shape.y in self.lattice.outside:
            column = round(self.lattice.beside(shape.x))
            while self._taken(row, column, 1):
                column += 1
        spot = self.spots.setdefault((row, column), self._blank())
        spot.letter, spot.inks, spot.solid, spot.filling = _letters(glyph)[0], inks, solid, False

    def _fill(self, rect: Rect) -> None:
        """A cell as its glyph; a block of several cells filled with it, or with its colour."""
        x, y = first_cell(rect)
        row, column = self.lattice.row(y), self.lattice.column(x)
        deep, wide = cells(rect.h), 2 * cells(rect.w)
        block = palette.PIECES.get(rect.fill)
        inks = (block.on,) if block else self._inks("quiet")
        ground = palette.colour(rect.fill or "paper", self.theme)
        middle = (row + (deep - 1) // 2, column + wide // 2 - 1)
        for r in range(row, row + deep):
            for c in range(column, column + wide):
                # The last column stays free, so that blocks side by side are told apart.
                letter = _letters(rect.glyph)[0] if c < column + wide - 1 else " "
                self.spots[r, c] = _Spot(letter, inks, ground, filling=(r, c) != middle)

    def _taken(self, row: int, first: int, long: int) -> bool:
        """True if a label here would touch another label or a piece."""
        around = range(first - 1, first + long + 1)
        return any((spot := self.spots.get((row, c))) and spot.solid for c in around)


def _letters(value: str) -> str:
    """The text without what would disturb a terminal."""
    return "".join(letter if letter.isprintable() else "?" for letter in value)


def _painted(picture: Picture) -> str:
    """The picture with escapes for its colours."""
    lines = []
    for row in picture.rows:
        line = ink = ground = ""
        for spot in row:
            if spot.ground != ground:
                ground = spot.ground
                line += _escape(48, ground)
            if spot.letter != " " and spot.ink != ink:
                ink = spot.ink
                line += _escape(38, ink)
            line += spot.letter
        lines.append(line + RESET)
    return "\n".join(lines)


def _escape(code: int, value: str) -> str:
    return "\x1b[{};2;{};{};{}m".format(code, *palette.rgb(value))
