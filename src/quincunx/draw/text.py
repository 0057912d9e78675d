"""A scene as lines of text for a terminal, in plain letters or in 24-bit colour.

A cell is two columns wide and one row high. Squares have their centres one apart, hexagons
half a cell aside in every other row, and rows of hexagons may lie closer together; gaps may
push cells a little out of place. So the board is put on the lattice that fits it best. What
stands above and below it (labels, next balls) need not fit: it gets rows of its own.
"""

from __future__ import annotations

from cmath import phase, rect
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from math import ceil, floor, sqrt, tau
from typing import TypeGuard

from quincunx.draw import palette
from quincunx.draw.scene import Disc, Label, Piece, Rect, Scene, Shape
from quincunx.draw.svg import ANCHORS, check_one_of

COLOURS = ("none", "truecolor")
ACROSS = (1.0, 0.5)  # from centre to centre on a lattice of squares, of hexagons
DOWN = (1.0, sqrt(3) / 2)
TOGETHER = 0.3  # heights outside the board that are this near to each other share a row
HIGHLIGHTS = {"target", "last", "picked", "start"}  # roles that are shown by the accent
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
    grid = _Grid(_lattice(scene), theme)
    shown = [shape for shape in scene.shapes if _is_shown(shape)]
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
    return grid.painted() if colour == "truecolor" else grid.plain()


@dataclass(frozen=True)
class _Lattice:
    """Which column and row a point falls on, where the board ends, and the rows outside it."""

    x: float
    across: float
    y: float
    down: float
    columns: tuple[int, int] = (0, 0)
    rows: tuple[int, int] = (0, 0)
    outside: dict[float, int] = field(default_factory=dict)

    def column(self, x: float) -> int:
        """The column of the cell at a place on the board."""
        return round(2 * self.across * round((x - self.x) / self.across))

    def row(self, y: float) -> int:
        """The row of a height, on the board or outside it."""
        return self.outside.get(y, round((y - self.y) / self.down))

    def beside(self, x: float) -> float:
        """The column of a place where no cells are, as a fraction."""
        return 2 * (x - self.x)


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

    lattice: _Lattice
    theme: str
    spots: dict[tuple[int, int], _Spot] = field(default_factory=dict)
    lit: set[tuple[int, int]] = field(default_factory=set)

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
        """Lets the accent shine on what stands in the middle of a shape."""
        x, y = _middle(shape)
        at = self.lattice.row(y), self.lattice.column(x)
        if at not in self.spots or at in self.lit:
            return
        self.lit.add(at)
        spot = self.spots[at]
        if spot.solid:
            accent = palette.colour("accent", self.theme)
            spot.ground = palette.mix(spot.ground, accent, 0.35)
        else:
            spot.inks = self._inks("accent")

    def plain(self) -> str:
        """The letters alone."""
        rows = self._lines(lambda spot: spot.letter != " ")
        return "\n".join("".join(spot.letter for spot in row).rstrip() for row in rows)

    def painted(self) -> str:
        """The letters with escapes for their colours, on paper with a margin at both sides."""
        paper = palette.colour("paper", self.theme)
        lines = []
        for row in self._lines(lambda spot: spot.letter != " " or spot.ground != paper):
            line = ink = ground = ""
            for spot in (self._blank(), *row, self._blank()):
                letter = " " if spot.filling else spot.letter
                if spot.ground != ground:
                    ground = spot.ground
                    line += _escape(48, ground)
                if letter != " " and spot.ink != ink:
                    ink = spot.ink
                    line += _escape(38, ink)
                line += letter
            lines.append(line + RESET)
        return "\n".join(lines)

    def _lines(self, counts: Callable[[_Spot], bool]) -> Iterator[list[_Spot]]:
        """The spots row by row, from the first to the last column and row where one counts."""
        written = [at for at, spot in self.spots.items() if counts(spot)]
        rows, columns = {row for row, _ in written}, {column for _, column in written}
        for row in range(min(rows), max(rows) + 1) if rows else ():
            places = range(min(columns), max(columns) + 1)
            yield [self.spots.get((row, column)) or self._blank() for column in places]

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
        x, y = _first_cell(rect)
        row, column = self.lattice.row(y), self.lattice.column(x)
        deep, wide = _cells(rect.h), 2 * _cells(rect.w)
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


def _lattice(scene: Scene) -> _Lattice:
    """The lattice that fits the scene's board best: what can be clicked, or all there is."""
    shown = [shape for shape in scene.shapes if _is_shown(shape)]
    board = [shape for shape in shown if shape.cell] or shown
    centres = [_first_cell(shape) for shape in board] or [(0.5, 0.5)]
    fitted = _Lattice(*_fit([x for x, _ in centres], ACROSS), *_fit([y for _, y in centres], DOWN))
    ends = centres + [_last_cell(shape) for shape in board]
    columns = [fitted.column(x) for x, _ in ends]
    rows = [fitted.row(y) for _, y in ends]
    heights = {_first_cell(shape)[1] for shape in shown}
    heights |= {shape.y for shape in scene.shapes if isinstance(shape, Label)}
    outside: dict[float, int] = {}
    for step, edge in ((-1, min(rows)), (1, max(rows))):
        row, begun = edge, float("inf")
        for y in sorted(heights, reverse=step < 0):
            place = (y - fitted.y) / fitted.down
            if (place - edge) * step <= 0.5:
                continue
            if abs(y - begun) > TOGETHER:
                row, begun = step * max(step * (row + step), step * round(place)), y
            outside[y] = row
    span = (min(columns), max(columns))
    return replace(fitted, columns=span, rows=(min(rows), max(rows)), outside=outside)


def _fit(values: list[float], pitches: tuple[float, float]) -> tuple[float, float]:
    """Origin and pitch of the lattice that fits the values best, the first one when in doubt.

    Each value is a hand on a clock that goes around once every pitch: the more they agree,
    the longer is their sum, and it points to the origin.
    """

    def hands(pitch: float) -> complex:
        return sum((rect(1, tau * value / pitch) for value in values), 0j)

    first, second = pitches
    pitch = first if abs(hands(first)) > 0.99 * abs(hands(second)) else second
    return phase(hands(pitch)) / tau * pitch, pitch


def _is_shown(shape: Shape) -> TypeGuard[Rect | Disc | Piece]:
    """True if a letter stands for the shape."""
    if isinstance(shape, Rect | Disc) and shape.glyph:
        return True
    return isinstance(shape, Piece) or (isinstance(shape, Disc) and "target" in shape.role.split())


def _middle(shape: Rect | Disc | Piece) -> tuple[float, float]:
    if isinstance(shape, Rect):
        return shape.x + shape.w / 2, shape.y + shape.h / 2
    return shape.x, shape.y


def _cells(length: float) -> int:
    """How many cells a side covers; blocks are drawn smaller than they are, with gaps around."""
    return max(1, ceil(length - 0.25))


def _first_cell(shape: Rect | Disc | Piece) -> tuple[float, float]:
    """The centre of the upper left cell that a shape covers."""
    x, y = _middle(shape)
    if isinstance(shape, Rect):
        return x - (_cells(shape.w) - 1) / 2, y - (_cells(shape.h) - 1) / 2
    return x, y


def _last_cell(shape: Rect | Disc | Piece) -> tuple[float, float]:
    """The centre of the lower right cell that a shape covers."""
    (x, y), (mx, my) = _first_cell(shape), _middle(shape)
    return 2 * mx - x, 2 * my - y


def _letters(value: str) -> str:
    """The text without what would disturb a terminal."""
    return "".join(letter if letter.isprintable() else "?" for letter in value)


def _escape(code: int, value: str) -> str:
    return "\x1b[{};2;{};{};{}m".format(code, *palette.rgb(value))
