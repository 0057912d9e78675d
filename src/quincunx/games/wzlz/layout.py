"""Wzlz's picture: shallow cells, glossy balls; above them the score and the next balls."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache
from math import ceil
from typing import Any

from quincunx.draw.scene import (
    Controls,
    Disc,
    Label,
    Line,
    Path,
    Piece,
    Rect,
    Scene,
    Shape,
    ViewOptions,
    choices,
)
from quincunx.game import State, Step
from quincunx.games.wzlz import kernel, rules

CONTROLS = Controls()

# The middle of the line above the board, and the size of the score there.
HEAD = -0.78
SCORE = 0.6

# The centre of a cell, given by its number.
Centre = Callable[[int], tuple[float, float]]


def clicks(move: str) -> tuple[str, ...]:
    """The cell of the ball and the one it goes to."""
    return tuple(move.split(">"))


def paths(before: State, step: Step, flip: bool) -> list[Path]:
    """A ball goes from cell to cell; others come, fade and are cleared where they are."""
    if step.event != "move":
        return []
    s, cells = step._s, step.cells
    centre = _centres(int(s.rows), int(s.cols), flip)
    path = tuple(centre(_number(s, name)) for name in cells)
    return [Path(cells[0], cells[-1], path)]


def scene(state: State, view: ViewOptions) -> Scene:
    """The board with row 0 at the top, or at the bottom when flipped."""
    s = state._s
    rows, cols = int(s.rows), int(s.cols)
    centre = _centres(rows, cols, view.flip)
    head, width = _head(s)
    shapes = [
        *_board(rows, cols, view.flip),
        *(_last_move(state, centre) if view.last else ()),
        *(_announced(s, centre) if s.shown else ()),
        *(
            _ball(colour - 1, rules.cell(number, cols), *centre(number))
            for number, colour in enumerate(rules.balls(s))
            if colour
        ),
        *_choices(state, view, centre),
        *(_coordinates(rows, cols, view.flip) if view.coordinates else ()),
        *head,
    ]
    margin = 0.8 if view.coordinates else 0.35
    return Scene(
        -margin,
        HEAD - 0.6,
        margin + max(cols, width) + 0.35,
        0.6 - HEAD + rows + margin,
        tuple(shapes),
        rules.TITLE,
        state.status,
    )


@cache
def _centres(rows: int, cols: int, flip: bool) -> Centre:
    """Where the centres of cells are."""

    def centre(number: int) -> tuple[float, float]:
        row, col = divmod(number, cols)
        return (cols - col - 0.5, rows - row - 0.5) if flip else (col + 0.5, row + 0.5)

    return centre


@cache
def _board(rows: int, cols: int, flip: bool) -> tuple[Shape, ...]:
    """The board with its cells, empty."""
    centre = _centres(rows, cols, flip)
    return (
        Rect(-0.1, -0.1, cols + 0.2, rows + 0.2, "board", "line", 0.025, radius=0.22),
        *(_cell(rules.cell(number, cols), *centre(number)) for number in range(rows * cols)),
    )


def _cell(name: str, x: float, y: float) -> Rect:
    return Rect(
        x - 0.47,
        y - 0.47,
        0.94,
        0.94,
        "shade",
        "line",
        0.015,
        radius=0.14,
        role="cell",
        cell=name,
        glyph="·",
        title=name,
    )


@lru_cache(maxsize=2**13)
def _ball(colour: int, name: str, x: float, y: float) -> Piece:
    return Piece(
        x,
        y,
        rules.COLOURS[colour],
        0.38,
        "glossy",
        cell=name,
        id=name,
        glyph=rules.BALLS[colour],
        title=f"{rules.COLOURS[colour]} on {name}",
    )


def _announced(s: Any, centre: Centre) -> list[Shape]:
    """Small dots on the empty cells where balls will come."""
    dots: list[Shape] = []
    balls = rules.balls(s)
    for i in range(int(s.coming)):
        number, colour = int(s.coming_cell[i]), int(s.coming_colour[i]) - 1
        if number == kernel.NOWHERE or balls[number]:
            continue
        name = rules.cell(number, int(s.cols))
        dots.append(
            Disc(
                *centre(number),
                0.13,
                rules.COLOURS[colour],
                role="announced",
                cell=name,
                glyph=rules.BALLS[colour].lower(),
                title=f"{rules.COLOURS[colour]} comes next on {name}",
            )
        )
    return dots


def _last_move(state: State, centre: Centre) -> list[Shape]:
    """Where the last ball began and arrived, and its way between."""
    s = state._s
    if state.last is None or s.origin == kernel.NOWHERE:
        return []
    way = rules.path(s, s.was, int(s.origin), int(s.target))
    points = tuple(centre(number) for number in way)
    marks: list[Shape] = [
        Rect(x - 0.47, y - 0.47, 0.94, 0.94, "accent", radius=0.14, opacity=0.16, role="last")
        for x, y in (points[0], points[-1])
    ]
    return [*marks, Line(points, "accent", 0.09, opacity=0.3, role="last")]


def _choices(state: State, view: ViewOptions, centre: Centre) -> list[Shape]:
    """The balls that can move, or the picked one and the cells it reaches."""
    starts, targets = choices(lambda: map(clicks, state.moves()), view)
    shapes: list[Shape] = []
    for name in starts:
        x, y = centre(_number(state._s, name))
        shapes.append(Disc(x, y, 0.43, "", "accent", 0.05, role="start", cell=name))
    for name in targets:
        x, y = centre(_number(state._s, name))
        shapes.append(Disc(x, y, 0.1, "accent", role="target", cell=name, glyph="o"))
    return shapes


@cache
def _coordinates(rows: int, cols: int, flip: bool) -> list[Shape]:
    centre = _centres(rows, cols, flip)
    return [
        *(Label(-0.45, centre(r * cols)[1], str(r), role="coordinate") for r in range(rows)),
        *(Label(centre(c)[0], rows + 0.45, str(c), role="coordinate") for c in range(cols)),
    ]


def _head(s: Any) -> tuple[list[Shape], int]:
    """The score and the next balls, question marks if they are hidden; and how wide that is."""
    score, count = str(s.score), int(s.coming)
    # The balls end with the board's last column, if there is room for them.
    first = max(int(s.cols) - count, ceil(0.6 * SCORE * len(score) + 1.2))
    shapes: list[Shape] = [Label(0.05, HEAD, score, SCORE, "ink", "start", bold=True, role="score")]
    if count:
        shapes.append(Label(first, HEAD, "next", anchor="end"))
    for i in range(count):
        x, colour = first + i + 0.5, int(s.coming_colour[i]) - 1
        if s.shown:
            name, glyph = rules.COLOURS[colour], rules.BALLS[colour]
            title = f"{name} comes next"
            shapes.append(
                Piece(x, HEAD, name, 0.3, "glossy", role="next", glyph=glyph, title=title)
            )
        else:
            shapes.append(Disc(x, HEAD, 0.28, "board", "line", role="next"))
            shapes.append(Label(x, HEAD, "?", 0.34, role="next"))
    return shapes, first + count


def _number(s: Any, name: str) -> int:
    row, _, col = name.partition(",")
    return int(row) * int(s.cols) + int(col)
