"""Wzlz's scene: the board with its balls, and the score and the next balls above it."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache
from math import ceil

from quincunx.contract import Position
from quincunx.draw.scene import (
    ClickSequence,
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
    starts_and_targets,
)
from quincunx.game import State, Step
from quincunx.games.wzlz import kernel, rules

CONTROLS = Controls()

# The y of the score and the next balls above the board, and the font size of the score.
HEADER_Y = -0.78
SCORE_SIZE = 0.6

# Maps the number of a cell to its centre.
Projection = Callable[[int], tuple[float, float]]


def clicks(move: str) -> ClickSequence:
    """Returns the cells to click: the ball and its target."""
    return tuple(move.split(">"))


def paths(before: State, step: Step, flip: bool) -> list[Path]:
    """Returns the path of the ball for a move, and none for other events."""
    if step.event != "move":
        return []
    s, cells = step.position, step.cells
    centre = _projection(int(s.rows), int(s.cols), flip)
    path = tuple(centre(_number(s, name)) for name in cells)
    return [Path(cells[0], cells[-1], path)]


def scene(state: State, view: ViewOptions) -> Scene:
    """Returns the board with row 0 at the top, or at the bottom if flipped."""
    s = state.position
    rows, cols = int(s.rows), int(s.cols)
    centre = _projection(rows, cols, view.flip)
    header, header_width = _header(s)
    shapes = [
        *_board(rows, cols, view.flip),
        *(_last_move(state, centre) if view.last else ()),
        *(_announced_balls(s, centre) if s.shown else ()),
        *(
            _ball(colour - 1, rules.cell_name(number, cols), *centre(number))
            for number, colour in enumerate(rules.ball_colours(s))
            if colour
        ),
        *_choices(state, view, centre),
        *(_coordinates(rows, cols, view.flip) if view.coordinates else ()),
        *header,
    ]
    margin = 0.8 if view.coordinates else 0.35
    return Scene(
        -margin,
        HEADER_Y - 0.6,
        margin + max(cols, header_width) + 0.35,
        0.6 - HEADER_Y + rows + margin,
        tuple(shapes),
        state.game.title,
        state.status,
    )


@cache
def _projection(rows: int, cols: int, flip: bool) -> Projection:
    """Returns the function that maps cells to their centres."""

    def centre(number: int) -> tuple[float, float]:
        row, col = divmod(number, cols)
        return (cols - col - 0.5, rows - row - 0.5) if flip else (col + 0.5, row + 0.5)

    return centre


@cache
def _board(rows: int, cols: int, flip: bool) -> tuple[Shape, ...]:
    """Returns the board with its empty cells."""
    centre = _projection(rows, cols, flip)
    return (
        Rect(-0.1, -0.1, cols + 0.2, rows + 0.2, "board", "line", 0.025, radius=0.22),
        *(_cell(rules.cell_name(number, cols), *centre(number)) for number in range(rows * cols)),
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
        rules.COLOUR_NAMES[colour],
        0.38,
        "glossy",
        cell=name,
        id=name,
        glyph=rules.BALL_LETTERS[colour],
        title=f"{rules.COLOUR_NAMES[colour]} on {name}",
    )


def _announced_balls(s: Position, centre: Projection) -> list[Shape]:
    """Returns small dots on the announced cells of the next balls that are still empty."""
    dots: list[Shape] = []
    balls = rules.ball_colours(s)
    for i in range(int(s.coming)):
        number, colour = int(s.coming_cell[i]), int(s.coming_colour[i]) - 1
        if number == kernel.NO_CELL or balls[number]:
            continue
        name = rules.cell_name(number, int(s.cols))
        dots.append(
            Disc(
                *centre(number),
                0.13,
                rules.COLOUR_NAMES[colour],
                role="announced",
                cell=name,
                glyph=rules.BALL_LETTERS[colour].lower(),
                title=f"{rules.COLOUR_NAMES[colour]} comes next on {name}",
            )
        )
    return dots


def _last_move(state: State, centre: Projection) -> list[Shape]:
    """Returns marks on the origin and the target of the last move, and its path."""
    s = state.position
    if state.last is None or s.origin == kernel.NO_CELL:
        return []
    path = rules.path(s, s.was, int(s.origin), int(s.target))
    points = tuple(centre(number) for number in path)
    marks: list[Shape] = [
        Rect(x - 0.47, y - 0.47, 0.94, 0.94, "accent", radius=0.14, opacity=0.16, role="last")
        for x, y in (points[0], points[-1])
    ]
    return [*marks, Line(points, "accent", 0.09, opacity=0.3, role="last")]


def _choices(state: State, view: ViewOptions, centre: Projection) -> list[Shape]:
    """Returns marks on the balls that can move, or on the picked ball and its targets."""
    starts, targets = starts_and_targets(lambda: map(clicks, state.moves()), view)
    shapes: list[Shape] = []
    for name in starts:
        x, y = centre(_number(state.position, name))
        shapes.append(Disc(x, y, 0.43, "", "accent", 0.05, role="start", cell=name))
    for name in targets:
        x, y = centre(_number(state.position, name))
        shapes.append(Disc(x, y, 0.1, "accent", role="target", cell=name, glyph="o"))
    return shapes


@cache
def _coordinates(rows: int, cols: int, flip: bool) -> list[Shape]:
    centre = _projection(rows, cols, flip)
    return [
        *(Label(-0.45, centre(r * cols)[1], str(r), role="coordinate") for r in range(rows)),
        *(Label(centre(c)[0], rows + 0.45, str(c), role="coordinate") for c in range(cols)),
    ]


def _header(s: Position) -> tuple[list[Shape], int]:
    """Returns the score and the next balls, or question marks for hidden ones, and their width."""
    score, count = str(s.score), int(s.coming)
    # Aligned with the last column, or after the score if the board is too narrow.
    first = max(int(s.cols) - count, ceil(0.6 * SCORE_SIZE * len(score) + 1.2))
    shapes: list[Shape] = [
        Label(0.05, HEADER_Y, score, SCORE_SIZE, "ink", "start", bold=True, role="score")
    ]
    if count:
        shapes.append(Label(first, HEADER_Y, "next", anchor="end"))
    for i in range(count):
        x, colour = first + i + 0.5, int(s.coming_colour[i]) - 1
        if s.shown:
            name, glyph = rules.COLOUR_NAMES[colour], rules.BALL_LETTERS[colour]
            title = f"{name} comes next"
            shapes.append(
                Piece(x, HEADER_Y, name, 0.3, "glossy", role="next", glyph=glyph, title=title)
            )
        else:
            shapes.append(Disc(x, HEADER_Y, 0.28, "board", "line", role="next"))
            shapes.append(Label(x, HEADER_Y, "?", 0.34, role="next"))
    return shapes, first + count


def _number(s: Position, name: str) -> int:
    row, _, col = name.partition(",")
    return int(row) * int(s.cols) + int(col)
