"""Blocky's picture: squares in squares, and beside or above them goals and scores.

One cell of the picture is one unit cell of the board; boards of depth 1 and 2 are drawn
as large as one of depth 3. The panel is ruled in lines as high as a sixteenth of the
board, but at least one cell, so that a terminal can write it.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache
from math import cos, pi, sin
from typing import Any

import numpy as np

from quincunx.draw.scene import (
    Button,
    ClickSequence,
    Controls,
    Label,
    Line,
    Path,
    Rect,
    Scene,
    Shape,
    ViewOptions,
)
from quincunx.game import State, Step
from quincunx.games.blocky import kernel, panel, rules

SHALLOWEST = 3

# Between two unit cells of a block, and how much wider the gap is one level further up.
GAP = 0.1
WIDENING = 1.5

# Where a turn takes each quarter of a block.
TURNED = {"cw": "1302", "ccw": "2031"}
ARC = 4  # straight pieces that stand for a quarter of a circle


def _cost(word: str) -> int:
    """The points that an action costs."""
    return int(kernel.COST[rules.WORDS.index(word)]) if word in rules.WORDS else 0


CONTROLS = Controls(
    (
        *(
            Button(word, label, key, panel.ACTIONS[word][0], word != "pass", colour, _cost(word))
            for word, label, key, colour in (
                ("cw", "Turn right", "]", ""),
                ("ccw", "Turn left", "[", ""),
                ("hswap", "Swap left/right", "s", ""),
                ("vswap", "Swap up/down", "v", ""),
                ("smash", "Smash", "x", ""),
                ("combine", "Combine", "c", ""),
                ("paint:r", "Paint red", "1", "red"),
                ("paint:g", "Paint green", "2", "green"),
                ("paint:b", "Paint blue", "3", "blue"),
                ("paint:y", "Paint yellow", "4", "yellow"),
                ("pass", "Pass", "p", ""),
            )
        ),
    ),
    nested=True,
)


def clicks(move: str) -> ClickSequence:
    """The block and what is done to it; the pass is one click."""
    if move == "pass":
        return (move,)
    word, _, path = move.partition("@")
    return path or rules.TOP, word


def paths(before: State, step: Step, flip: bool) -> list[Path]:
    """All that is inside a block turns with it, or goes to the other half."""
    if step.event not in ("rotate", "swap") or step.last is None:
        return []
    word, _, path = step.last[1].partition("@")
    squares = _squares(int(step._s.depth), flip, False)
    middle = squares.middle(path)
    leaves = dict(_leaves(before._s))
    inside = {p[:k] for p in leaves for k in range(len(path) + 1, len(p) + 1) if p.startswith(path)}
    found: list[Path] = []
    for old in sorted(inside):
        new = path + _moved(word, old[len(path) :])
        kind, begin, end = "leaf" if old in leaves else "block", *map(squares.middle, (old, new))
        points = (begin, end) if step.event == "swap" else _quarter_turn(middle, begin, word)
        found.append(Path(f"{kind}-{old}", f"{kind}-{new}", points))
    return found


def _moved(word: str, path: str) -> str:
    """Where a path within a block leads after it was turned or its halves were swapped."""
    if word in TURNED:
        return "".join(TURNED[word][int(digit)] for digit in path)
    return str(int(path[0]) ^ (1 if word == "hswap" else 2)) + path[1:]


def _quarter_turn(
    middle: tuple[float, float], begin: tuple[float, float], word: str
) -> tuple[tuple[float, float], ...]:
    """The points of a quarter of a circle around the middle."""
    dx, dy = begin[0] - middle[0], begin[1] - middle[1]
    turns = [(pi if word == "cw" else -pi) / 2 * i / ARC for i in range(ARC + 1)]
    return tuple(
        (middle[0] + dx * cos(a) - dy * sin(a), middle[1] + dx * sin(a) + dy * cos(a))
        for a in turns
    )


def scene(state: State, view: ViewOptions) -> Scene:
    """The board, and the panel to its right, or goals and scores above it."""
    s = state._s
    squares = _squares(int(s.depth), view.flip, view.side_panel)
    side, line = squares.side, squares.line_height
    leaves = dict(_leaves(s))
    divided = sorted({p[:k] for p in leaves for k in range(len(p))}, key=lambda p: (len(p), p))
    picked = {path or rules.TOP: path for path in (*divided, *leaves)}.get(view.picked)

    def draw(paths: list[str]) -> list[Shape]:
        return [
            _leaf(squares, path, leaves[path]) if path in leaves else _ground(squares, path)
            for path in paths
        ]

    shapes: list[Shape] = []
    if not s.over and s.goal[s.turn] == kernel.PERIMETER:
        shapes += _lit_border(s, squares)
    shapes.append(_ground(squares, ""))
    parts = [path for path in (*divided, *leaves) if path or path in leaves]
    if picked is None:
        shapes += draw(parts)
    else:
        shapes += draw([path for path in parts if not path.startswith(picked)])
        shapes += _lifted(squares, picked)
        shapes += draw([path for path in parts if path.startswith(picked)])
    if view.last and state.last and state.last[1] != "pass":
        touched = "".join(digit for digit in state.last[1].partition("@")[2] if digit in "0123")
        shapes.append(_outline(squares, touched, "ink", 0.6, "last"))
    if view.targets:
        shapes += [_outline(squares, path, "accent", 0.4, "target") for path in divided]
    if not s.over and s.goal[s.turn] == kernel.BLOB:
        shapes += _blob_outline(s, squares)
    if picked is not None:
        shapes.append(_outline(squares, picked, "ink", 1.0, "picked"))
    if view.coordinates:
        shapes += _quadrants(squares)
    margin = squares.border + (0.9 * line if view.coordinates else 0.3 * squares.scale)
    top = squares.border + 0.3 * squares.scale
    if view.side_panel:
        lines = panel.beside(state, view, picked, side, line, shapes)
        box = (-margin, -top, margin + side + (2.5 + panel.PANEL) * line)
        height = top + max(side + top, lines * line + top)
    else:
        above = panel.above(state, side, -top, shapes)
        box = (-margin, -top - above, 2 * margin + side)
        height = above + 2 * top + side
    return Scene(*box, height, tuple(shapes), rules.TITLE, state.status)


class Squares:
    """Where blocks are drawn: true squares, their gaps wider the higher they divide."""

    def __init__(self, depth: int, flip: bool, beside: bool) -> None:
        drawn = max(depth, SHALLOWEST)
        self.flip = flip
        self.side = 2**drawn
        self.scale = self.side / 16
        self.line_height = max(1.0, self.scale) if beside else self.scale
        self.sizes = [float(self.side)]
        self.starts = [[0.0]]  # of the columns of each level; rows are the same
        self.gaps = [GAP * WIDENING ** (drawn - 1 - level) for level in range(depth)]
        for gap in self.gaps:
            size = (self.sizes[-1] - gap) / 2
            self.starts.append(
                [x for start in self.starts[-1] for x in (start, start + size + gap)]
            )
            self.sizes.append(size)
        self.gaps.append(self.gaps[-1])
        self.border = self.gaps[0] + 0.3 * max(self.scale, 0.75)

    def square(self, path: str) -> tuple[float, float, float]:
        """Left, top and size of the block at a path."""
        level, row, column = len(path), 0, 0
        for digit in path:
            row, column = 2 * row + int(digit) // 2, 2 * column + int(digit) % 2
        starts = self.starts[level]
        if self.flip:
            row, column = len(starts) - 1 - row, len(starts) - 1 - column
        return starts[column], starts[row], self.sizes[level]

    def middle(self, path: str) -> tuple[float, float]:
        """The middle of the block at a path."""
        x, y, size = self.square(path)
        return x + size / 2, y + size / 2

    def between(self, line: int) -> float:
        """Where the line before a row or column of unit cells runs, amid the gap."""
        starts, size = self.starts[-1], self.sizes[-1]
        line = len(starts) - line if self.flip else line
        if line in (0, len(starts)):
            return -self.gaps[0] / 2 if line == 0 else self.side + self.gaps[0] / 2
        return (starts[line - 1] + size + starts[line]) / 2


# They never change, and are as many as there are depths and ways to show them.
_squares = cache(Squares)


def _leaves(s: Any) -> Iterator[tuple[str, int]]:
    """The path and colour of every leaf, in the order of their cells."""
    depth, units = int(s.depth), s.units.tobytes()
    i = 0
    while i < 4**depth:
        level, colour = divmod(units[i], 4)
        yield _path(i, level, depth), colour
        i += 4 ** (depth - level)


@lru_cache(maxsize=2**13)
def _path(unit: int, level: int, depth: int) -> str:
    """The path of the block of a level that has this unit cell first."""
    return "".join(str(unit >> 2 * (depth - k) & 3) for k in range(1, level + 1))


def _names(path: str) -> str:
    """A block and all that it lies in, from the inside out."""
    return " ".join(path[:k] or rules.TOP for k in range(len(path), -1, -1))


@lru_cache(maxsize=2**15)
def _leaf(squares: Squares, path: str, colour: int) -> Rect:
    name = rules.COLOURS[colour]
    x, y, size = squares.square(path)
    return Rect(
        *(x, y, size, size, name),
        radius=min(0.08 + 0.02 * size, 0.08 * size),
        role="cell",
        cell=_names(path),
        id=f"leaf-{path}",
        glyph=rules.COLOUR_LETTERS[colour],
        title=f"{rules.called(path)}, {name}, level {len(path)}",
        mark=name,
    )


@lru_cache(maxsize=2**14)
def _ground(squares: Squares, path: str) -> Rect:
    """What is seen, and clicked, between the parts of a divided block, and around the board."""
    x, y, size = squares.square(path)
    rim = 0.0 if path else squares.gaps[0]
    return Rect(
        *(x - rim, y - rim, size + 2 * rim, size + 2 * rim, "board"),
        radius=0.1 + rim,
        role="block",
        cell=_names(path),
        id=f"block-{path}",
        title=f"{rules.called(path)}, level {len(path)}",
    )


def _lifted(squares: Squares, path: str) -> list[Shape]:
    """A shadow under the picked block, and its ground."""
    x, y, size = squares.square(path)
    rim, fall = squares.gaps[len(path)] * 0.9, 0.12 * squares.scale + 0.04
    box = (x - rim, y - rim, size + 2 * rim, size + 2 * rim)
    shadows: list[Shape] = [
        Rect(
            *(box[0] - soft + fall / 2, box[1] - soft + fall, box[2] + 2 * soft, box[3] + 2 * soft),
            *("black", ""),
            radius=0.2 + soft,
            opacity=0.16,
            role="shadow",
        )
        for soft in (0.0, 0.5 * fall, fall)
    ]
    return [*shadows, Rect(*box, "paper", radius=0.12, role="lifted")]


def _outline(squares: Squares, path: str, stroke: str, opacity: float, role: str) -> Rect:
    """A frame around a block, within the gap that it has to its neighbours."""
    x, y, size = squares.square(path)
    gap = squares.gaps[max(0, len(path) - 1)]
    rim, width = gap / 2, min(0.4 * gap, 0.05 * squares.scale + 0.03)
    if role == "picked":
        rim, width = gap * 0.55, 0.1 * squares.scale**0.5
    box = (x - rim, y - rim, size + 2 * rim, size + 2 * rim)
    cell = (path or rules.TOP) if role == "target" else ""
    return Rect(*box, "", stroke, width, 0.12, opacity, role, cell)


def _lit_border(s: Any, squares: Squares) -> list[Shape]:
    """The border in the target colour of the seat to move, bright where it counts."""
    units, side, border, gap = 2 ** int(s.depth), squares.side, squares.border, squares.gaps[0]
    colour = rules.COLOURS[int(s.target[s.turn])]
    box = (-border, -border, side + 2 * border, side + 2 * border)
    shapes: list[Shape] = [
        Rect(*box, colour, radius=border, opacity=0.28, role="border"),
    ]
    rows = np.zeros(units, np.uint64)
    kernel.coloured(s, s.target[s.turn], rows)
    cells = [[int(row) >> x & 1 for x in range(units)] for row in rows]
    middle = (border + gap) / 2
    before, after = (side + middle, -middle) if squares.flip else (-middle, side + middle)
    for edge, at, upright in (
        (cells[0], before, False),
        (cells[-1], after, False),
        ([row[0] for row in cells], before, True),
        ([row[-1] for row in cells], after, True),
    ):
        for run in _runs(edge):
            along = [squares.between(line) for line in run]
            points = tuple((at, t) if upright else (t, at) for t in along)
            shapes.append(Line(points, colour, 0.62 * (border - gap), role="border"))
    return shapes


def _runs(cells: list[int]) -> Iterator[tuple[int, int]]:
    """Where each run of ones begins and ends."""
    first = 0
    for i, cell in enumerate([*cells, 0]):
        if not cell:
            if first < i:
                yield first, i
            first = i + 1


def _blob_outline(s: Any, squares: Squares) -> list[Shape]:
    """The edge of the largest blob of the seat to move."""
    rows = np.zeros(2 ** int(s.depth), np.uint64)
    kernel.blob(s, s.target[s.turn], rows)
    inside = {(x, y) for y, row in enumerate(rows) for x in range(len(rows)) if int(row) >> x & 1}
    return [
        Line(
            tuple((squares.between(x), squares.between(y)) for x, y in loop),
            "ink",
            0.1 * squares.scale**0.5,
            closed=True,
            opacity=0.9,
            role="blob",
        )
        for loop in _loops(inside)
    ]


def _loops(inside: set[tuple[int, int]]) -> Iterator[list[tuple[int, int]]]:
    """The corners of every closed edge of a region, which lies to the right of the way."""
    ways: dict[tuple[int, int], set[tuple[int, int]]] = {}
    for x, y in inside:
        corners = ((x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1))
        for k, (dx, dy) in enumerate(((0, -1), (1, 0), (0, 1), (-1, 0))):
            if (x + dx, y + dy) not in inside:
                a, b = corners[k], corners[(k + 1) % 4]
                ways.setdefault(a, set()).add((b[0] - a[0], b[1] - a[1]))
    while ways:
        x, y = first = min(ways)
        dx, dy = 0, 0
        loop: list[tuple[int, int]] = []
        while (x, y) != first or not loop:
            # Where two parts of the region touch by their corners, the edge turns right.
            turn = (-dy, dx)
            way = turn if turn in ways[x, y] else min(ways[x, y])
            ways[x, y].remove(way)
            if not ways[x, y]:
                del ways[x, y]
            if way != (dx, dy):
                loop.append((x, y))
            dx, dy = way
            x, y = x + dx, y + dy
        yield loop


def _quadrants(squares: Squares) -> list[Shape]:
    """The digits that paths are made of, beside the quarters of the board."""
    away = squares.border + 0.4 * squares.line_height
    shapes: list[Shape] = []
    for digit in "0123":
        x, y, size = squares.square(digit)
        at = -away if x == 0 else squares.side + away
        shapes.append(Label(at, y + size / 2, digit, 0.45 * squares.line_height, role="coordinate"))
    return shapes
