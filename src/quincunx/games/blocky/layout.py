"""Blocky's picture: the nested geometry of the board, and a panel with goals and scores.

One cell of the picture is one unit cell of the board; boards of depth 1 and 2 are drawn as
large as one of depth 3. The panel consists of text lines whose height is a sixteenth of the
board, but at least one cell, so that a terminal can show them.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache
from math import cos, pi, sin

from quincunx.buffers import bitset_buffer
from quincunx.contract import Position
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

MIN_DRAWN_DEPTH = 3

UNIT_GAP = 0.1  # between two unit cells of a block, in cells of the picture
GAP_GROWTH = 1.5  # the factor by which gaps widen from one level to the next larger one

# The new positions of quadrants 0 to 3 after a quarter turn.
ROTATED_QUADRANTS = {"cw": "1302", "ccw": "2031"}
ARC_SEGMENTS = 4  # straight lines that approximate a quarter of a circle


def _cost(action: str) -> int:
    """Returns the cost of an action in points."""
    names = rules.OPERATION_NAMES
    return int(kernel.OPERATION_COST[names.index(action)]) if action in names else 0


CONTROLS = Controls(
    (
        *(
            Button(
                action,
                label,
                key,
                panel.ACTION_CHIPS[action][0],
                action != "pass",
                colour,
                _cost(action),
            )
            for action, label, key, colour in (
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
    scoreboard=True,
)


def clicks(move: str) -> ClickSequence:
    """Returns the clicks on a block and on an action; a pass is one click."""
    if move == "pass":
        return (move,)
    action, _, path = move.partition("@")
    return path or rules.TOP, action


def paths(before: State, step: Step, flip: bool) -> list[Path]:
    """Returns the paths of all blocks inside a block that was rotated or swapped."""
    if step.event not in ("rotate", "swap") or step.last is None:
        return []
    action, _, path = step.last[1].partition("@")
    geometry = _geometry(int(step.position.depth), flip, False)
    pivot = geometry.centre(path)
    leaves = dict(_leaves(before.position))
    inside = {p[:k] for p in leaves for k in range(len(path) + 1, len(p) + 1) if p.startswith(path)}
    moved: list[Path] = []
    for old in sorted(inside):
        new = path + _moved_path(action, old[len(path) :])
        kind, start, end = "leaf" if old in leaves else "block", *map(geometry.centre, (old, new))
        points = (start, end) if step.event == "swap" else _quarter_turn(pivot, start, action)
        moved.append(Path(f"{kind}-{old}", f"{kind}-{new}", points))
    return moved


def _moved_path(action: str, path: str) -> str:
    """Returns a path within a block after the block was rotated or its halves were swapped."""
    if action in ROTATED_QUADRANTS:
        return "".join(ROTATED_QUADRANTS[action][int(digit)] for digit in path)
    return str(int(path[0]) ^ (1 if action == "hswap" else 2)) + path[1:]


def _quarter_turn(
    pivot: tuple[float, float], start: tuple[float, float], action: str
) -> tuple[tuple[float, float], ...]:
    """Returns the points of a quarter circle around the pivot, clockwise for the action `cw`."""
    dx, dy = start[0] - pivot[0], start[1] - pivot[1]
    angles = [
        (pi if action == "cw" else -pi) / 2 * i / ARC_SEGMENTS for i in range(ARC_SEGMENTS + 1)
    ]
    return tuple(
        (pivot[0] + dx * cos(a) - dy * sin(a), pivot[1] + dx * sin(a) + dy * cos(a)) for a in angles
    )


def scene(state: State, view: ViewOptions) -> Scene:
    """Returns the board with the panel to its right, or with goals and scores above it."""
    s = state.position
    geometry = _geometry(int(s.depth), view.flip, view.side_panel)
    side, line_height = geometry.side, geometry.line_height
    leaves = dict(_leaves(s))
    divided = sorted({p[:k] for p in leaves for k in range(len(p))}, key=lambda p: (len(p), p))
    picked = {path or rules.TOP: path for path in (*divided, *leaves)}.get(view.picked)

    def draw(paths: list[str]) -> list[Shape]:
        return [
            _leaf(geometry, path, leaves[path]) if path in leaves else _background(geometry, path)
            for path in paths
        ]

    shapes: list[Shape] = []
    if not s.over and s.goal[s.turn] == kernel.PERIMETER:
        shapes += _goal_border(s, geometry)
    shapes.append(_background(geometry, ""))
    drawn = [path for path in (*divided, *leaves) if path or path in leaves]
    if picked is None:
        shapes += draw(drawn)
    else:
        shapes += draw([path for path in drawn if not path.startswith(picked)])
        shapes += _picked_shadow(geometry, picked)
        shapes += draw([path for path in drawn if path.startswith(picked)])
    if view.last and state.last and state.last[1] != "pass":
        last_path = "".join(digit for digit in state.last[1].partition("@")[2] if digit in "0123")
        shapes.append(_outline(geometry, last_path, "ink", 0.6, "last"))
    if view.targets:
        shapes += [_outline(geometry, path, "accent", 0.4, "target") for path in divided]
    if not s.over and s.goal[s.turn] == kernel.BLOB:
        shapes += _blob_outline(s, geometry)
    if picked is not None:
        shapes.append(_outline(geometry, picked, "ink", 1.0, "picked"))
    if view.coordinates:
        shapes += _quadrant_labels(geometry)
    margin = geometry.border + (0.9 * line_height if view.coordinates else 0.3 * geometry.scale)
    top = geometry.border + 0.3 * geometry.scale
    if view.side_panel:
        lines = panel.add_side_panel(state, view, picked, side, line_height, shapes)
        box = (-margin, -top, margin + side + (2.5 + panel.PANEL_WIDTH_LINES) * line_height)
        height = top + max(side + top, lines * line_height + top)
    else:
        above = panel.add_player_fields(state, side, -top, shapes)
        box = (-margin, -top - above, 2 * margin + side)
        height = above + 2 * top + side
    return Scene(*box, height, tuple(shapes), state.game.title, state.status)


class _BlockGeometry:
    """The positions of all blocks in the picture; gaps are wider between larger blocks."""

    def __init__(self, depth: int, flip: bool, side_panel: bool) -> None:
        drawn_depth = max(depth, MIN_DRAWN_DEPTH)
        self.flip = flip
        self.side = 2**drawn_depth
        self.scale = self.side / 16
        self.line_height = max(1.0, self.scale) if side_panel else self.scale
        self.sizes = [float(self.side)]
        self.starts = [[0.0]]  # the left edges of the columns of each level; rows are the same
        self.gaps = [UNIT_GAP * GAP_GROWTH ** (drawn_depth - 1 - level) for level in range(depth)]
        for gap in self.gaps:
            size = (self.sizes[-1] - gap) / 2
            self.starts.append(
                [x for start in self.starts[-1] for x in (start, start + size + gap)]
            )
            self.sizes.append(size)
        self.gaps.append(self.gaps[-1])
        self.border = self.gaps[0] + 0.3 * max(self.scale, 0.75)

    def square(self, path: str) -> tuple[float, float, float]:
        """Returns left, top and size of the block at a path."""
        level, row, column = len(path), 0, 0
        for digit in path:
            row, column = 2 * row + int(digit) // 2, 2 * column + int(digit) % 2
        starts = self.starts[level]
        if self.flip:
            row, column = len(starts) - 1 - row, len(starts) - 1 - column
        return starts[column], starts[row], self.sizes[level]

    def centre(self, path: str) -> tuple[float, float]:
        """Returns the centre of the block at a path."""
        x, y, size = self.square(path)
        return x + size / 2, y + size / 2

    def grid_line(self, line: int) -> float:
        """Returns where grid line 0, 1, ... is: in the middle of the gap before a row or column."""
        starts, size = self.starts[-1], self.sizes[-1]
        line = len(starts) - line if self.flip else line
        if line in (0, len(starts)):
            return -self.gaps[0] / 2 if line == 0 else self.side + self.gaps[0] / 2
        return (starts[line - 1] + size + starts[line]) / 2


# The cache is small: one entry for each depth, orientation and panel position.
_geometry = cache(_BlockGeometry)


def _leaves(s: Position) -> Iterator[tuple[str, int]]:
    """Yields the path and colour of every leaf, in the order of their cells."""
    depth, units = int(s.depth), s.units.tobytes()
    i = 0
    while i < 4**depth:
        level, colour = divmod(units[i], 4)
        yield _path(i, level, depth), colour
        i += 4 ** (depth - level)


@lru_cache(maxsize=2**13)
def _path(unit: int, level: int, depth: int) -> str:
    """Returns the path of the block of a level whose first unit cell has the index `unit`."""
    return "".join(str(unit >> 2 * (depth - k) & 3) for k in range(1, level + 1))


def _nested_names(path: str) -> str:
    """Returns the names of a block and of all blocks that contain it, innermost first."""
    return " ".join(path[:k] or rules.TOP for k in range(len(path), -1, -1))


@lru_cache(maxsize=2**15)
def _leaf(geometry: _BlockGeometry, path: str, colour: int) -> Rect:
    name = rules.COLOURS[colour]
    x, y, size = geometry.square(path)
    return Rect(
        *(x, y, size, size, name),
        radius=min(0.08 + 0.02 * size, 0.08 * size),
        role="cell",
        cell=_nested_names(path),
        id=f"leaf-{path}",
        glyph=rules.COLOUR_LETTERS[colour],
        title=f"{rules.block_title(path)}, {name}, level {len(path)}",
        mark=name,
    )


@lru_cache(maxsize=2**14)
def _background(geometry: _BlockGeometry, path: str) -> Rect:
    """Returns the clickable background of a divided block, visible between its parts."""
    x, y, size = geometry.square(path)
    margin = 0.0 if path else geometry.gaps[0]
    return Rect(
        *(x - margin, y - margin, size + 2 * margin, size + 2 * margin, "board"),
        radius=0.1 + margin,
        role="block",
        cell=_nested_names(path),
        id=f"block-{path}",
        title=f"{rules.block_title(path)}, level {len(path)}",
    )


def _picked_shadow(geometry: _BlockGeometry, path: str) -> list[Shape]:
    """Returns the shadow and the background of the picked block."""
    x, y, size = geometry.square(path)
    margin, offset = geometry.gaps[len(path)] * 0.9, 0.12 * geometry.scale + 0.04
    box = (x - margin, y - margin, size + 2 * margin, size + 2 * margin)
    shadows: list[Shape] = [
        Rect(
            *(box[0] - blur + offset / 2, box[1] - blur + offset),
            *(box[2] + 2 * blur, box[3] + 2 * blur),
            *("black", ""),
            radius=0.2 + blur,
            opacity=0.16,
            role="shadow",
        )
        for blur in (0.0, 0.5 * offset, offset)
    ]
    return [*shadows, Rect(*box, "paper", radius=0.12, role="lifted")]


def _outline(geometry: _BlockGeometry, path: str, stroke: str, opacity: float, role: str) -> Rect:
    """Returns a frame around a block, inside the gap between it and its neighbours."""
    x, y, size = geometry.square(path)
    gap = geometry.gaps[max(0, len(path) - 1)]
    margin, width = gap / 2, min(0.4 * gap, 0.05 * geometry.scale + 0.03)
    if role == "picked":
        margin, width = gap * 0.55, 0.1 * geometry.scale**0.5
    box = (x - margin, y - margin, size + 2 * margin, size + 2 * margin)
    cell = (path or rules.TOP) if role == "target" else ""
    return Rect(*box, "", stroke, width, 0.12, opacity, role=role, cell=cell)


def _goal_border(s: Position, geometry: _BlockGeometry) -> list[Shape]:
    """Returns the border in the target colour of the seat to move, brighter where cells score."""
    units, side, border, gap = 2 ** int(s.depth), geometry.side, geometry.border, geometry.gaps[0]
    colour = rules.COLOURS[int(s.target[s.turn])]
    box = (-border, -border, side + 2 * border, side + 2 * border)
    shapes: list[Shape] = [
        Rect(*box, colour, radius=border, opacity=0.28, role="border"),
    ]
    rows = bitset_buffer(units)
    kernel.colour_rows(s, s.target[s.turn], rows)
    cells = [[row >> x & 1 for x in range(units)] for row in rows.tolist()]
    middle = (border + gap) / 2
    before, after = (side + middle, -middle) if geometry.flip else (-middle, side + middle)
    for edge, position, vertical in (
        (cells[0], before, False),
        (cells[-1], after, False),
        ([row[0] for row in cells], before, True),
        ([row[-1] for row in cells], after, True),
    ):
        for run in _runs(edge):
            along = [geometry.grid_line(line) for line in run]
            points = tuple((position, t) if vertical else (t, position) for t in along)
            shapes.append(Line(points, colour, 0.62 * (border - gap), role="border"))
    return shapes


def _runs(cells: list[int]) -> Iterator[tuple[int, int]]:
    """Yields the start and the end (exclusive) of each run of ones."""
    first = 0
    for i, cell in enumerate([*cells, 0]):
        if not cell:
            if first < i:
                yield first, i
            first = i + 1


def _blob_outline(s: Position, geometry: _BlockGeometry) -> list[Shape]:
    """Returns the outline of the largest blob of the seat to move."""
    side = 2 ** int(s.depth)
    rows = bitset_buffer(side)
    kernel.largest_blob(s, s.target[s.turn], rows)
    inside = {(x, y) for y, row in enumerate(rows.tolist()) for x in range(side) if row >> x & 1}
    return [
        Line(
            tuple((geometry.grid_line(x), geometry.grid_line(y)) for x, y in loop),
            "ink",
            0.1 * geometry.scale**0.5,
            closed=True,
            opacity=0.9,
            role="blob",
        )
        for loop in _loops(inside)
    ]


def _loops(inside: set[tuple[int, int]]) -> Iterator[list[tuple[int, int]]]:
    """Yields the corners of each closed outline of a region, with the region to the right."""
    # The directions of the edges that start at each corner.
    edges: dict[tuple[int, int], set[tuple[int, int]]] = {}
    for x, y in inside:
        corners = ((x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1))
        for k, (dx, dy) in enumerate(((0, -1), (1, 0), (0, 1), (-1, 0))):
            if (x + dx, y + dy) not in inside:
                a, b = corners[k], corners[(k + 1) % 4]
                edges.setdefault(a, set()).add((b[0] - a[0], b[1] - a[1]))
    while edges:
        x, y = first = min(edges)
        dx, dy = 0, 0
        loop: list[tuple[int, int]] = []
        while (x, y) != first or not loop:
            # Where two parts of the region touch only at a corner, the outline turns right.
            right_turn = (-dy, dx)
            direction = right_turn if right_turn in edges[x, y] else min(edges[x, y])
            edges[x, y].remove(direction)
            if not edges[x, y]:
                del edges[x, y]
            if direction != (dx, dy):
                loop.append((x, y))
            dx, dy = direction
            x, y = x + dx, y + dy
        yield loop


def _quadrant_labels(geometry: _BlockGeometry) -> list[Shape]:
    """Returns the path digits 0 to 3 as labels next to the quadrants of the board."""
    distance = geometry.border + 0.4 * geometry.line_height
    shapes: list[Shape] = []
    for digit in "0123":
        x, y, size = geometry.square(digit)
        label_x = -distance if x == 0 else geometry.side + distance
        shapes.append(
            Label(label_x, y + size / 2, digit, 0.45 * geometry.line_height, role="coordinate")
        )
    return shapes
