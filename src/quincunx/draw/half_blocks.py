"""A scene drawn with block elements, which show two colours in one character.

A character is about twice as high as wide, so half of it is a square pixel: at scale 4 a board
cell is 4 x 4 pixels, which is four columns and two rows. Each pixel has a left and a right half;
how much of a half a shape covers follows from the distance between the centre of the half and the
edge of the shape (antialiasing). Targets, the last move, the focus and similar highlights are never
thinner than a pixel. Labels and the marks of the colours are written as characters.
"""

from __future__ import annotations

from itertools import pairwise
from math import floor, sqrt
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from quincunx.draw import palette
from quincunx.draw.scene import Disc, Label, Line, Piece, Rect, Scene, Shape
from quincunx.draw.svg import check_one_of
from quincunx.draw.terminal_cells import (
    Box,
    CellNames,
    ClickAreas,
    TerminalCell,
    TerminalPicture,
    clickable,
)
from quincunx.draw.terminal_grid import fit_grid

Floats: TypeAlias = NDArray[np.float64]

SCALES = (12, 10, 8, 6, 4, 2, 1)  # columns per board cell
MIN_ROUND_SCALE = 4  # the smallest scale at which a disc looks round
# Strokes of shapes with these roles are at least one pixel wide.
BOLD_ROLES = {"target", "last", "picked", "start", "focus", "win", "blob", "centre"}
MIN_DOT_RADIUS_PX = 1.0  # a smaller dot would be too faint
MIN_PIECE_RADIUS_PX = 1.65  # a smaller piece would not look round
PIECE_MARGIN_PX = 0.25  # added to the radius of a piece, and kept free around it
EDGE_SHARPNESS = 2.0  # change of coverage per pixel at an edge
PIECE_SHARPNESS = 2.0  # factor by which the edge of a piece is sharper than other edges
MIN_RIMLESS_CONTRAST = 1.6  # a small piece with less contrast to the board gets its rim
# The share of the mark's colour, the rest being the colour of the fill.
MARK_STRENGTHS = {"strong": 0.95, "faint": 0.6, "none": 0.0}

# The character for each set of quadrants in the foreground colour. Bit 0 is the upper left one,
# then upper right, lower left, lower right. The lower right quadrant is always background.
QUADRANT_CHARS = " ▘▝▀▖▌▞▛"

# The marks as two rows of two characters, for a piece whose middle is where four characters meet,
# and as one row of two, for a piece whose middle is between two characters of a row.
MARKS_2X2 = {
    "disc": "▗▖▝▘",
    "triangle": "╱╲▔▔",
    "square": "┌┐└┘",
    "diamond": "╱╲╲╱",
    "star": "▟▙▜▛",
    "cross": "╲╱╱╲",
    "ring": "╭╮╰╯",
    "bar": "▁▁▔▔",
}
MARKS_1X2 = {
    "disc": "◖◗",
    "triangle": "◢◣",
    "square": "▐▌",
    "diamond": "◀▶",
    "star": "**",
    "cross": "><",
    "ring": "()",
    "bar": "━━",
}


def draw_half_blocks(
    scene: Scene, scale: int, theme: str = "dark", marks: str = "faint"
) -> TerminalPicture:
    """Returns the scene drawn with `scale` columns per board cell; raises BadOption."""
    check_one_of("theme", theme, palette.THEMES)
    check_one_of("marks", marks, MARK_STRENGTHS)
    canvas = _Canvas(scene, scale, theme, MARK_STRENGTHS[marks])
    for shape in scene.shapes:
        canvas.draw(shape)
    for shape in clickable(scene):
        canvas.areas.add(shape.cell, canvas.box(shape), 2)
    return canvas.picture()


def min_scale(scene: Scene) -> int:
    """Returns the smallest scale at which the board is recognizable: pieces must look round."""
    has_pieces = any(isinstance(s, Piece) and s.cell for s in scene.shapes)
    return MIN_ROUND_SCALE if has_pieces else SCALES[-1]


class _Canvas:
    """Coloured pixels, characters over them, and the names that can be clicked."""

    def __init__(self, scene: Scene, scale: int, theme: str, mark_strength: float) -> None:
        grid = fit_grid(scene)
        self.scale, self.theme, self.mark_strength = scale, theme, mark_strength
        # Every row of the grid is `scale` pixels high, so rows of hexagons are spread a little.
        self.y_scale = scale / grid.row_pitch
        # The scene coordinates of the upper left pixel: a whole number of cells from the grid,
        # vertically an even number, so that cells begin where characters begin.
        self.left = grid.x - 0.5 - np.ceil(grid.x - 0.5 - scene.x)
        self.top = grid.y - grid.row_pitch / 2
        self.top -= 2 * np.ceil((self.top - scene.y) / 2 / grid.row_pitch) * grid.row_pitch
        width = int(np.ceil((scene.x + scene.w - self.left) * scale)) + 1
        height = int(np.ceil((scene.y + scene.h - self.top) * self.y_scale / 2)) * 2
        self.paper = np.array(palette.rgb(palette.colour("paper", theme)), float)
        # The left and the right half of each pixel.
        self.half_pixels: Floats = np.broadcast_to(self.paper, (height, 2 * width, 3)).copy()
        self.chars: dict[tuple[int, int], tuple[str, str]] = {}  # with colours
        self.backgrounds: dict[tuple[int, int], str] = {}  # of characters that have their own
        self.areas = ClickAreas()

    def to_pixels(self, x: float, y: float) -> tuple[float, float]:
        """Returns scene coordinates as pixel coordinates."""
        return (x - self.left) * self.scale, (y - self.top) * self.y_scale

    def box(self, shape: Shape) -> Box:
        """Returns the box in which a shape can be clicked: a rectangle's own, else a whole cell."""
        assert not isinstance(shape, Line | Label)
        if isinstance(shape, Rect):
            (left, top) = self.to_pixels(shape.x, shape.y)
            (right, bottom) = self.to_pixels(shape.x + shape.w, shape.y + shape.h)
            if shape.w > 0.9:
                # Gaps belong to the blocks, which are a whole number of columns wide.
                left, right = round(left), round(right)
        else:
            x, y = self.to_pixels(shape.x, shape.y)
            half = self.scale / 2
            left, top, right, bottom = x - half, y - half, x + half, y + half
        return Box(left, top / 2, right, bottom / 2)

    def draw(self, shape: Shape) -> None:
        """Draws a shape over what is already on the canvas."""
        bold = bool(BOLD_ROLES & set(shape.role.split()))
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
        left, top = self.to_pixels(rect.x, rect.y)
        right, bottom = self.to_pixels(rect.x + rect.w, rect.y + rect.h)
        half = (right - left) / 2, (bottom - top) / 2
        x, y, radius = (left + right) / 2, (top + bottom) / 2, rect.radius * self.scale
        width = max(rect.stroke_width * self.scale, float(bold))
        if bold and rect.stroke:  # draw the frame inside, where it hides no neighbour
            half = max(0.5, half[0] - width / 2), max(0.5, half[1] - width / 2)
        radius = min(radius, *half)
        region, (columns, rows) = self._region(
            left - width, top - width, right + width, bottom + width
        )
        dx, dy = abs(columns - x) - half[0] + radius, abs(rows - y) - half[1] + radius
        distance = np.hypot(np.maximum(dx, 0), np.maximum(dy, 0)) - radius
        distance = distance + np.minimum(np.maximum(dx, dy), 0)
        self._paint(region, distance, rect.fill, rect.opacity)
        self._paint(region, abs(distance) - width / 2, rect.stroke, rect.opacity)

    def _disc(self, disc: Disc, bold: bool) -> None:
        x, y = self.to_pixels(disc.x, disc.y)
        radius, width, opacity = disc.r * self.scale, disc.stroke_width * self.scale, disc.opacity
        if bold and not disc.fill:
            if "target" in disc.role.split() and self.scale >= MIN_ROUND_SCALE:
                self._write_mark("ring", x, y, palette.colour(disc.stroke, self.theme))
                return
            width = max(width, 1.0)
            radius -= width / 2
        elif radius < MIN_DOT_RADIUS_PX:  # draw it larger, and fainter in return
            opacity, radius = opacity * sqrt(radius / MIN_DOT_RADIUS_PX), MIN_DOT_RADIUS_PX
        outer = radius + width
        region, (columns, rows) = self._region(x - outer, y - outer, x + outer, y + outer)
        distance = np.hypot(columns - x, rows - y) - radius
        self._paint(region, distance, disc.fill, opacity)
        self._paint(region, abs(distance) - width / 2, disc.stroke, opacity)

    def _piece(self, piece: Piece) -> None:
        x, y = (float(round(value)) for value in self.to_pixels(piece.x, piece.y))
        paint = palette.paint(piece.colour, self.theme)
        # A little larger where there are few rows, but never so large that pieces touch.
        radius = max(piece.r * self.scale + PIECE_MARGIN_PX, MIN_PIECE_RADIUS_PX)
        radius = min(radius, max(piece.r, 0.5) * self.scale - PIECE_MARGIN_PX)
        region, (columns, rows) = self._region(x - radius, y - radius, x + radius, y + radius)
        distance = np.hypot(columns - x, rows - y) - radius
        self._paint(region, PIECE_SHARPNESS * distance, piece.colour)
        board = palette.colour("board", self.theme)
        contrast = palette.contrast(paint.fill, board)
        if self.scale > MIN_ROUND_SCALE or contrast < MIN_RIMLESS_CONTRAST:
            rim = max(0.06 * self.scale, 0.5)
            self._paint(region, PIECE_SHARPNESS * (abs(distance + rim / 2) - rim / 2), paint.rim)
        if piece.finish != "flat" and self.scale > MIN_ROUND_SCALE:
            shine = np.hypot(columns - x + 0.35 * radius, rows - y + 0.35 * radius) - 0.3 * radius
            self._paint(region, shine, "white", 0.35)
        self._mark(piece.colour, piece.colour, piece.x, piece.y)

    def _line(self, line: Line, bold: bool) -> None:
        points = [self.to_pixels(*point) for point in line.points]
        if line.closed:
            points.append(points[0])
        width = max(line.stroke_width * self.scale, 0.9 * bold)
        (xs, ys) = zip(*points, strict=True)
        region, (columns, rows) = self._region(min(xs), min(ys), max(xs), max(ys), width + 1)
        distance = np.full(np.broadcast_shapes(columns.shape, rows.shape), np.inf)
        for (x0, y0), (x1, y1) in pairwise(points):
            dx, dy = x1 - x0, y1 - y0
            squared_length = dx * dx + dy * dy or 1.0
            along = np.clip(((columns - x0) * dx + (rows - y0) * dy) / squared_length, 0, 1)
            to_segment = np.hypot(columns - x0 - along * dx, rows - y0 - along * dy)
            distance = np.minimum(distance, to_segment)
        self._paint(region, distance - width / 2, line.stroke, line.opacity)

    def _label(self, label: Label) -> None:
        x, y = self.to_pixels(label.x, label.y)
        length = len(label.text)
        first = {"start": x, "middle": x - length / 2 + 0.01, "end": x - length}[label.anchor]
        row = floor((y - 0.01) / 2)
        for column, char in enumerate(label.text, floor(first + 0.49)):
            printable = char if char.isprintable() else "?"
            self.chars[row, column] = printable, palette.colour(label.fill, self.theme)
            self.backgrounds.pop((row, column), None)

    def _mark(self, colour: str, fill: str, x: float, y: float) -> None:
        """Writes the mark of a colour in the middle of a piece or block that is large enough."""
        if colour not in palette.PIECES or not self.mark_strength or self.scale < MIN_ROUND_SCALE:
            return
        paint = palette.paint(colour, self.theme)
        background = palette.colour(fill, self.theme)
        foreground = palette.mix(background, paint.on, self.mark_strength)
        self._write_mark(paint.mark, *self.to_pixels(x, y), foreground, background)

    def _write_mark(
        self, mark: str, x: float, y: float, foreground: str, background: str = ""
    ) -> None:
        """Writes a mark as four characters, or as two if its middle is within a row."""
        column, row = round(x) - 1, floor((round(y) - 0.01) / 2)
        chars = (MARKS_1X2 if round(y) % 2 else MARKS_2X2).get(mark, "")
        for i, char in enumerate(chars):
            position = row + i // 2, column + i % 2
            self.chars[position] = char, foreground
            if background:
                self.backgrounds[position] = background

    def _region(
        self, left: float, top: float, right: float, bottom: float, margin: float = 1
    ) -> tuple[tuple[slice, slice], tuple[Floats, Floats]]:
        """Returns the slices of the half pixels in a box, and the coordinates of their centres."""
        height, width = self.half_pixels.shape[:2]
        rows = range(height)[max(0, floor(top - margin)) : floor(bottom + margin) + 1]
        columns = range(width)[max(0, 2 * floor(left - margin)) : 2 * floor(right + margin) + 2]
        xs, ys = np.array(columns) / 2 + 0.25, np.array(rows) + 0.5
        region = slice(rows.start, rows.stop), slice(columns.start, columns.stop)
        return region, (xs[None, :], ys[:, None])

    def _paint(
        self, region: tuple[slice, slice], distance: Floats, colour: str, opacity: float = 1.0
    ) -> None:
        """Blends a colour into the region by the signed distance of its pixels from an edge.

        Pixels inside (negative distance) are covered wholly, those on the edge by half.
        """
        if not colour:
            return
        value = colour if colour.startswith("#") else palette.colour(colour, self.theme)
        if colour == "shade" and value == palette.colour("board", self.theme):
            # This theme separates cells by lines, which are too thin to be visible here.
            value = palette.mix(value, palette.colour("ink", self.theme), 0.14)
        coverage = (np.clip(0.5 - EDGE_SHARPNESS * distance, 0, 1) * opacity)[..., None]
        pixels = self.half_pixels[region]
        pixels += (np.array(palette.rgb(value), float) - pixels) * coverage

    def picture(self) -> TerminalPicture:
        """Returns the canvas as characters, without the empty paper around it."""
        height, width = self.half_pixels.shape[0] // 2, self.half_pixels.shape[1] // 2
        quadrants = self.half_pixels.reshape(height, 2, width, 2, 3).swapaxes(1, 2)
        quadrants = quadrants.reshape(height, width, 4, 3)
        painted = (abs(quadrants - self.paper) > 2).any(axis=(2, 3))
        used = {*zip(*(axis.tolist() for axis in painted.nonzero()), strict=True), *self.chars}
        if not used:
            return TerminalPicture()
        quantized = _quantized(quadrants)
        patterns: list[list[int]] = quantized[0].tolist()
        foregrounds, backgrounds = _packed(quantized[1]), _packed(quantized[2])
        means, paper = _packed(quadrants.mean(axis=2)), palette.colour("paper", self.theme)

        def cell(row: int, column: int) -> TerminalCell:
            if not (0 <= row < height and 0 <= column < width):
                return TerminalCell(*self.chars.get((row, column), (" ", paper)), paper)
            names: CellNames = self.areas.names(column, 2 * row)
            names = names or self.areas.names(column, 2 * row + 1)
            if (row, column) in self.chars:
                char, foreground = self.chars[row, column]
                background = self.backgrounds.get((row, column), f"#{means[row][column]:06x}")
                return TerminalCell(char, foreground, background, names)
            foreground = f"#{foregrounds[row][column]:06x}"
            background = f"#{backgrounds[row][column]:06x}"
            pattern = patterns[row][column]
            char = QUADRANT_CHARS[pattern] if foreground != background else " "
            return TerminalCell(char, foreground, background, names)

        rows = range(min(row for row, _ in used), max(row for row, _ in used) + 1)
        columns = range(min(column for _, column in used) - 1, max(c for _, c in used) + 2)
        return TerminalPicture(
            tuple(tuple(cell(row, column) for column in columns) for row in rows),
            {name: box.cropped(columns, rows) for name, box in self.areas.boxes.items()},
            self.areas.nested_names,
        )


def _quantized(quadrants: Floats) -> tuple[NDArray[np.intp], Floats, Floats]:
    """Returns the pattern, foreground and background closest to the four colours of each character.

    A pattern is an index into QUADRANT_CHARS.
    """
    candidates = []
    for pattern in range(len(QUADRANT_CHARS)):
        mask = np.array([pattern >> bit & 1 for bit in range(4)], bool)
        background = quadrants[:, :, ~mask].mean(axis=2)
        foreground = quadrants[:, :, mask].mean(axis=2) if pattern else background
        shown = np.where(mask[:, None], foreground[:, :, None], background[:, :, None])
        # The plain background wins where a pattern would hardly be visible.
        error = ((quadrants - shown) ** 2).sum(axis=(2, 3)) + 0.1 * (pattern > 0)
        candidates.append((error, foreground, background))
    errors, foregrounds, backgrounds = (
        np.stack(values) for values in zip(*candidates, strict=True)
    )
    best = errors.argmin(axis=0)
    index = best[None, ..., None]
    return (
        best,
        np.take_along_axis(foregrounds, index, 0)[0],
        np.take_along_axis(backgrounds, index, 0)[0],
    )


def _packed(colours: Floats) -> list[list[int]]:
    """Returns colours as integers 0xrrggbb."""
    red, green, blue = np.moveaxis(np.rint(colours).astype(int), -1, 0)
    packed: list[list[int]] = (red << 16 | green << 8 | blue).tolist()
    return packed
