"""Wzlz's scene: the board with its balls, and the score and the next balls above it."""

from __future__ import annotations

from functools import cache, lru_cache
from math import ceil

from quincunx.boards import Place, SquareBoard
from quincunx.boards.ground import SQUARE_STYLES
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


def clicks(move: str) -> ClickSequence:
    """Returns the cells to click: the ball and its target."""
    return tuple(move.split(">"))


def paths(before: State, step: Step, flip: bool) -> list[Path]:
    """Returns the path of the ball for a move, and none for other events."""
    if step.event != "move":
        return []
    board, cells = rules.board_of(step.position), step.cells
    path = tuple(board.centre(board.index(name), flip) for name in cells)
    return [Path(cells[0], cells[-1], path)]


def scene(state: State, view: ViewOptions) -> Scene:
    """Returns the board with row 0 at the top, or at the bottom if flipped."""
    s = state.position
    board, flip = rules.board_of(s), view.flip
    header, header_width = _header(s)
    shapes = [
        *_cells(board, flip),
        *(_last_move(state, board, flip) if view.last else ()),
        *(_announced_balls(s, board, flip) if s.shown else ()),
        *(
            _ball(colour - 1, board.names[cell], *board.centre(cell, flip))
            for cell, colour in enumerate(rules.ball_colours(s))
            if colour
        ),
        *_choices(state, view, board),
        *(_coordinates(board, flip) if view.coordinates else ()),
        *header,
    ]
    margin = 0.8 if view.coordinates else 0.35
    return Scene(
        -margin,
        HEADER_Y - 0.6,
        margin + max(board.columns, header_width) + 0.35,
        0.6 - HEADER_Y + board.rows + margin,
        tuple(shapes),
        state.game.title,
        state.status,
    )


@cache
def _cells(board: SquareBoard, flip: bool) -> tuple[Shape, ...]:
    """Returns the board with its empty cells."""
    w, h, draw_cell = board.columns + 0.2, board.rows + 0.2, SQUARE_STYLES["tiles"]
    places = (
        Place(*board.centre(cell, flip), name, name, "·") for cell, name in enumerate(board.names)
    )
    return (
        Rect(-0.1, -0.1, w, h, "board", "line", 0.025, radius=0.22),
        *(shape for place in places for shape in draw_cell(place, False)),
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


def _announced_balls(s: Position, board: SquareBoard, flip: bool) -> list[Shape]:
    """Returns small dots on the announced cells of the next balls that are still empty."""
    dots: list[Shape] = []
    balls = rules.ball_colours(s)
    for i in range(int(s.coming)):
        cell, colour = int(s.coming_cell[i]), int(s.coming_colour[i]) - 1
        if cell == kernel.NO_CELL or balls[cell]:
            continue
        name = board.names[cell]
        dots.append(
            Disc(
                *board.centre(cell, flip),
                0.13,
                rules.COLOUR_NAMES[colour],
                role="announced",
                cell=name,
                glyph=rules.BALL_LETTERS[colour].lower(),
                title=f"{rules.COLOUR_NAMES[colour]} comes next on {name}",
            )
        )
    return dots


def _last_move(state: State, board: SquareBoard, flip: bool) -> list[Shape]:
    """Returns marks on the origin and the target of the last move, and its path."""
    s = state.position
    if state.last is None or s.origin == kernel.NO_CELL:
        return []
    path = rules.path(s, s.was, int(s.origin), int(s.target))
    points = tuple(board.centre(cell, flip) for cell in path)
    marks: list[Shape] = [
        Rect(x - 0.47, y - 0.47, 0.94, 0.94, "accent", radius=0.14, opacity=0.16, role="last")
        for x, y in (points[0], points[-1])
    ]
    return [*marks, Line(points, "accent", 0.09, opacity=0.3, role="last")]


def _choices(state: State, view: ViewOptions, board: SquareBoard) -> list[Shape]:
    """Returns marks on the balls that can move, or on the picked ball and its targets."""
    starts, targets = starts_and_targets(lambda: map(clicks, state.moves()), view)
    shapes: list[Shape] = []
    for name in starts:
        x, y = board.centre(board.index(name), view.flip)
        shapes.append(Disc(x, y, 0.43, "", "accent", 0.05, role="start", cell=name))
    for name in targets:
        x, y = board.centre(board.index(name), view.flip)
        shapes.append(Disc(x, y, 0.1, "accent", role="target", cell=name, glyph="o"))
    return shapes


@cache
def _coordinates(board: SquareBoard, flip: bool) -> list[Shape]:
    rows, columns = board.column(0), board.row(0)
    return [
        *(
            Label(-0.45, board.centre(cell, flip)[1], str(row), role="coordinate")
            for row, cell in enumerate(rows)
        ),
        *(
            Label(board.centre(cell, flip)[0], len(rows) + 0.45, str(column), role="coordinate")
            for column, cell in enumerate(columns)
        ),
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
