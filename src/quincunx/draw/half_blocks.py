"""A scene in half and quarter blocks, which make a letter out of two colours.

A letter is about twice as high as wide, and half of it is a point: at scale 4 a cell is four
points wide and high, which is four columns and two rows. Shapes are drawn by their distance to
the middle of each half of a point, which softens their edges; what shows a hand something
(targets, the last move, a focus) is never thinner than a point. Labels, and the marks of the
colours, are written in letters.
"""

from __future__ import annotations

from itertools import pairwise
from math import floor, sqrt
from typing import Any

import numpy as np

from quincunx.draw import palette
from quincunx.draw.scene import Disc, Label, Line, Piece, Rect, Scene, Shape
from quincunx.draw.svg import check_one_of
from quincunx.draw.terminal_cells import Areas, Box, Names, Picture, Spot, clickable
from quincunx.draw.terminal_grid import lattice

SCALES = (12, 10, 8, 6, 4, 2, 1)
ROUND = 4  # the scale from which a disc is seen as one
BOLD = {"target", "last", "picked", "start", "focus", "win", "blob", "centre"}
LEAST = 1.0  # points: the radius below which a dot would fade away
SMALLEST = 1.65  # points: the radius of a piece that is seen as round
SWELL = 0.25  # points that a piece may be larger or smaller than it is
SHARP = 2.0  # how fast colours change at an edge, per point
CRISP = 2.0  # how much faster at the edge of a piece
UNSEEN = 1.6  # the contrast to the board below which a small piece needs its rim
MARKS = {"strong": 0.95, "faint": 0.6, "none": 0.0}  # how far a mark stands out

# A letter for each way to colour its quarters with ink; the first bit is the upper left one,
# then upper right, lower left, lower right. The lower right quarter always has the ground.
QUARTERS = " ▘▝▀▖▌▞▛"

# The mark of a colour where the middle of a piece is the corner of four letters, and where it
# is between two.
SQUARES = {
    "disc": "▗▖▝▘",
    "triangle": "╱╲▔▔",
    "square": "┌┐└┘",
    "diamond": "╱╲╲╱",
    "star": "▟▙▜▛",
    "cross": "╲╱╱╲",
    "ring": "╭╮╰╯",
    "bar": "▁▁▔▔",
}
PAIRS = {
    "disc": "◖◗",
    "triangle": "◢◣",
    "square": "▐▌",
    "diamond": "◀▶",
    "star": "**",
    "cross": "><",
    "ring": "()",
    "bar": "━━",
}


def blocks(scene: Scene, scale: int, theme: str = "dark", marks: str = "faint") -> Picture:
    """The scene with `scale` columns to a cell; BadOption."""
    check_one_of("theme", theme, palette.THEMES)
    check_one_of("marks", marks, MARKS)
    canvas = _Canvas(scene, scale, theme, MARKS[marks])
    for shape in scene.shapes:
        canvas.draw(shape)
    for shape in clickable(scene):
        canvas.areas.add(shape.cell, canvas.box(shape), 2)
    return canvas.picture()


def least_scale(scene: Scene) -> int:
    """The smallest scale at which the scene's board can be told: discs need some points."""
    return ROUND if any(isinstance(s, Piece) and s.cell for s in scene.shapes) else SCALES[-1]


class _Canvas:
    """Points in colour, letters over them, and the names that lie on them."""

    def __init__(self, scene: Scene, scale: int, theme: str, marks: float) -> None:
        fitted = lattice(scene)
        self.scale, self.theme, self.marks = scale, theme, marks
        # Rows of the lattice are rows of letters, so that hexagons lie a little further apart.
        self.steep = scale / fitted.down
        self.left = fitted.x - 0.5 - np.ceil(fitted.x - 0.5 - scene.x)
        self.top = fitted.y - fitted.down / 2
        self.top -= 2 * np.ceil((self.top - scene.y) / 2 / fitted.down) * fitted.down
        width = int(np.ceil((scene.x + scene.w - self.left) * scale)) + 1
        height = int(np.ceil((scene.y + scene.h - self.top) * self.steep / 2)) * 2
        self.paper = np.array(palette.rgb(palette.colour("paper", theme)), float)
        # Two to a point, side by side.
        self.halves: Any = np.broadcast_to(self.paper, (height, 2 * width, 3)).copy()
        self.letters: dict[tuple[int, int], tuple[str, str]] = {}  # with their inks
        self.grounds: dict[tuple[int, int], str] = {}  # of letters that have one of their own
        self.areas = Areas()

    def place(self, x: float, y: float) -> tuple[float, float]:
        """Where a point of the scene is, in points."""
        return (x - self.left) * self.scale, (y - self.top) * self.steep

    def box(self, shape: Shape) -> Box:
        """The part of the picture that a shape stands on; a small one stands on a whole cell."""
        assert not isinstance(shape, Line | Label)
        if isinstance(shape, Rect):
            (left, top) = self.place(shape.x, shape.y)
            (right, bottom) = self.place(shape.x + shape.w, shape.y + shape.h)
            if shape.w > 0.9:
                # Gaps belong to the blocks, which are a whole number of letters wide.
                left, right = round(left), round(right)
        else:
            x, y = self.place(shape.x, shape.y)
            half = self.scale / 2
            left, top, right, bottom = x - half, y - half, x + half, y + half
        return Box(left, top / 2, right, bottom / 2)

    def draw(self, shape: Shape) -> None:
        """Draws a shape over what is there."""
        bold = bool(BOLD & set(shape.role.split()))
        match shape:
            case Rect():
                self._rect(shape, bold)
                self._mark(shape.mark, shape.fill, shape.x + shape.w / 2, shape.y + shape.h / 2)
            case Disc():
                self._disc(shape, bold)
            case Piece():
                self._piece(shape)
            case Line():
                self._line(shape, bold)
            case Label():
                self._label(shape)

    def _rect(self, rect: Rect, bold: bool) -> None:
        left, top = self.place(rect.x, rect.y)
        right, bottom = self.place(rect.x + rect.w, rect.y + rect.h)
        half = (right - left) / 2, (bottom - top) / 2
        x, y, radius = (left + right) / 2, (top + bottom) / 2, rect.radius * self.scale
        width = max(rect.width * self.scale, float(bold))
        if bold and rect.stroke:  # the frame lies inside, where it hides no neighbour
            half = max(0.5, half[0] - width / 2), max(0.5, half[1] - width / 2)
        radius = min(radius, *half)
        part, (columns, rows) = self._part(left - width, top - width, right + width, bottom + width)
        dx, dy = abs(columns - x) - half[0] + radius, abs(rows - y) - half[1] + radius
        distance = np.hypot(np.maximum(dx, 0), np.maximum(dy, 0)) - radius
        distance = distance + np.minimum(np.maximum(dx, dy), 0)
        self._paint(part, distance, rect.fill, rect.opacity)
        self._paint(part, abs(distance) - width / 2, rect.stroke, rect.opacity)

    def _disc(self, disc: Disc, bold: bool) -> None:
        x, y = self.place(disc.x, disc.y)
        radius, width, opacity = disc.r * self.scale, disc.width * self.scale, disc.opacity
        if bold and not disc.fill:
            if "target" in disc.role.split() and self.scale >= ROUND:
                self._write_mark("ring", x, y, palette.colour(disc.stroke, self.theme))
                return
            width = max(width, 1.0)
            radius -= width / 2
        elif radius < LEAST:  # larger, and paler for it
            opacity, radius = opacity * sqrt(radius / LEAST), LEAST
        reach = radius + width
        part, (columns, rows) = self._part(x - reach, y - reach, x + reach, y + reach)
        distance = np.hypot(columns - x, rows - y) - radius
        self._paint(part, distance, disc.fill, opacity)
        self._paint(part, abs(distance) - width / 2, disc.stroke, opacity)

    def _piece(self, piece: Piece) -> None:
        x, y = (float(round(at)) for at in self.place(piece.x, piece.y))
        paint = palette.paint(piece.colour, self.theme)
        # A little larger where there are few rows, but never so large that pieces touch.
        radius = max(piece.r * self.scale + SWELL, SMALLEST)
        radius = min(radius, max(piece.r, 0.5) * self.scale - SWELL)
        part, (columns, rows) = self._part(x - radius, y - radius, x + radius, y + radius, 1)
        distance = np.hypot(columns - x, rows - y) - radius
        self._paint(part, CRISP * distance, piece.colour)
        board = palette.colour("board", self.theme)
        if self.scale > ROUND or palette.contrast(paint.fill, board) < UNSEEN:
            rim = max(0.06 * self.scale, 0.5)
            self._paint(part, CRISP * (abs(distance + rim / 2) - rim / 2), paint.rim)
        if piece.finish != "flat" and self.scale > ROUND:
            shine = np.hypot(columns - x + 0.35 * radius, rows - y + 0.35 * radius) - 0.3 * radius
            self._paint(part, shine, "white", 0.35)
        self._mark(piece.colour, piece.colour, piece.x, piece.y)

    def _line(self, line: Line, bold: bool) -> None:
        points = [self.place(*point) for point in line.points]
        if line.closed:
            points.append(points[0])
        width = max(line.width * self.scale, 0.9 * bold)
        (xs, ys) = zip(*points, strict=True)
        part, (columns, rows) = self._part(min(xs), min(ys), max(xs), max(ys), width + 1)
        distance = np.full(np.broadcast_shapes(columns.shape, rows.shape), np.inf)
        for (x0, y0), (x1, y1) in pairwise(points):
            dx, dy = x1 - x0, y1 - y0
            long = dx * dx + dy * dy or 1.0
            along = np.clip(((columns - x0) * dx + (rows - y0) * dy) / long, 0, 1)
            near = np.hypot(columns - x0 - along * dx, rows - y0 - along * dy)
            distance = np.minimum(distance, near)
        self._paint(part, distance - width / 2, line.stroke, line.opacity)

    def _label(self, label: Label) -> None:
        x, y = self.place(label.x, label.y)
        long = len(label.text)
        first = {"start": x, "middle": x - long / 2 + 0.01, "end": x - long}[label.anchor]
        row = floor((y - 0.01) / 2)
        for column, letter in enumerate(label.text, floor(first + 0.49)):
            shown = letter if letter.isprintable() else "?"
            self.letters[row, column] = shown, palette.colour(label.fill, self.theme)
            self.grounds.pop((row, column), None)

    def _mark(self, colour: str, fill: str, x: float, y: float) -> None:
        """The mark of a colour, in the middle of a piece or block that has room for it."""
        if colour not in palette.PIECES or not self.marks or self.scale < ROUND:
            return
        paint = palette.paint(colour, self.theme)
        ground = palette.colour(fill, self.theme)
        ink = palette.mix(ground, paint.on, self.marks)
        self._write_mark(paint.mark, *self.place(x, y), ink, ground)

    def _write_mark(self, mark: str, x: float, y: float, ink: str, ground: str = "") -> None:
        """A mark in letters: four around a corner, or two where the middle is within a row."""
        column, row = round(x) - 1, floor((round(y) - 0.01) / 2)
        signs = (PAIRS if round(y) % 2 else SQUARES).get(mark, "")
        for i, sign in enumerate(signs):
            at = row + i // 2, column + i % 2
            self.letters[at] = sign, ink
            if ground:
                self.grounds[at] = ground

    def _part(
        self, left: float, top: float, right: float, bottom: float, more: float = 1
    ) -> tuple[tuple[slice, slice], tuple[Any, Any]]:
        """The points within a box, and the places of their middles, across and down."""
        rows = range(self.halves.shape[0])[max(0, floor(top - more)) : floor(bottom + more) + 1]
        columns = range(self.halves.shape[1])[
            max(0, 2 * floor(left - more)) : 2 * floor(right + more) + 2
        ]
        across, down = np.array(columns) / 2 + 0.25, np.array(rows) + 0.5
        part = slice(rows.start, rows.stop), slice(columns.start, columns.stop)
        return part, (across[None, :], down[:, None])

    def _paint(
        self, part: tuple[slice, slice], distance: Any, colour: str, opacity: float = 1.0
    ) -> None:
        """Lays a colour on the points that a shape covers: all of it within, half at its edge."""
        if not colour:
            return
        value = colour if colour.startswith("#") else palette.colour(colour, self.theme)
        if colour == "shade" and value == palette.colour("board", self.theme):
            # Lines tell cells apart in this theme, and are too thin to be seen here.
            value = palette.mix(value, palette.colour("ink", self.theme), 0.14)
        share = (np.clip(0.5 - SHARP * distance, 0, 1) * opacity)[..., None]
        here = self.halves[part]
        here += (np.array(palette.rgb(value), float) - here) * share

    def picture(self) -> Picture:
        """The letters, without the empty paper around them."""
        height, width = self.halves.shape[0] // 2, self.halves.shape[1] // 2
        quarters = self.halves.reshape(height, 2, width, 2, 3).swapaxes(1, 2)
        quarters = quarters.reshape(height, width, 4, 3)
        painted = (abs(quarters - self.paper) > 2).any(axis=(2, 3))
        used = {*zip(*(found.tolist() for found in painted.nonzero()), strict=True), *self.letters}
        if not used:
            return Picture()
        chosen, ink_values, ground_values = _quantised(quarters)
        signs, inks, grounds = chosen.tolist(), _packed(ink_values), _packed(ground_values)
        middles, paper = _packed(quarters.mean(axis=2)), palette.colour("paper", self.theme)

        def spot(row: int, column: int) -> Spot:
            if not (0 <= row < height and 0 <= column < width):
                return Spot(*self.letters.get((row, column), (" ", paper)), paper)
            names: Names = self.areas.names(column, 2 * row)
            names = names or self.areas.names(column, 2 * row + 1)
            if (row, column) in self.letters:
                letter, ink = self.letters[row, column]
                ground = self.grounds.get((row, column), f"#{middles[row][column]:06x}")
                return Spot(letter, ink, ground, names)
            ink, ground = f"#{inks[row][column]:06x}", f"#{grounds[row][column]:06x}"
            letter = QUARTERS[signs[row][column]] if ink != ground else " "
            return Spot(letter, ink, ground, names)

        rows = range(min(row for row, _ in used), max(row for row, _ in used) + 1)
        columns = range(min(column for _, column in used) - 1, max(c for _, c in used) + 2)
        return Picture(
            tuple(tuple(spot(row, column) for column in columns) for row in rows),
            {name: box.within(columns, rows) for name, box in self.areas.places.items()},
            self.areas.stacks,
        )


def _quantised(quarters: Any) -> tuple[Any, Any, Any]:
    """For every letter the sign, ink and ground that come nearest to its four colours."""
    ways = []
    for sign in range(len(QUARTERS)):
        inked = np.array([sign >> bit & 1 for bit in range(4)], bool)
        ground = quarters[:, :, ~inked].mean(axis=2)
        ink = quarters[:, :, inked].mean(axis=2) if sign else ground
        shown = np.where(inked[:, None], ink[:, :, None], ground[:, :, None])
        ways.append((((quarters - shown) ** 2).sum(axis=(2, 3)) + 0.1 * (sign > 0), ink, ground))
    errors, inks, grounds = (np.stack(part) for part in zip(*ways, strict=True))
    best = errors.argmin(axis=0)
    chosen = best[None, ..., None]
    return (
        best,
        np.take_along_axis(inks, chosen, 0)[0],
        np.take_along_axis(grounds, chosen, 0)[0],
    )


def _packed(colours: Any) -> list[list[int]]:
    """Colours as the numbers that their six hexadecimal digits make."""
    red, green, blue = np.moveaxis(np.rint(colours).astype(int), -1, 0)
    packed: list[list[int]] = (red << 16 | green << 8 | blue).tolist()
    return packed
