"""Wzlz's options and traits, and the phrases for statuses and illegal moves."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from quincunx.boards import SquareBoard
from quincunx.buffers import Buffer, integer_buffer
from quincunx.contract import SCORE, Position, Traits
from quincunx.errors import BadOption
from quincunx.game import Game
from quincunx.games.wzlz import kernel
from quincunx.options import Option, Value
from quincunx.phrases import Phrase

NAME = "wzlz"
SUMMARY = "Line up five balls before the board is full."
SEAT_NAMES = ("Player",)
LETTERS = "1"
SEARCH = {"explore": 0.1, "horizon": 0}
LEVELS = (
    (80, "greedy"),
    (60, "greedy"),
    (45, "greedy"),
    (30, "greedy"),
    (15, "greedy"),
    (5, "greedy"),
    (0, "greedy"),
    (0, "expectimax"),
)

OPTIONS = (
    Option("rows", 9, "the number of rows of the board", low=1, high=kernel.MAX_SIDE),
    Option(
        "cols",
        9,
        "the number of columns of the board",
        low=1,
        high=kernel.MAX_SIDE,
        label="Columns",
    ),
    Option(
        "colors_count",
        7,
        "the number of colours",
        low=3,
        high=kernel.MAX_COLOURS,
        label="Colours",
    ),
    Option(
        "match_length",
        5,
        "the number of balls that make a line",
        low=3,
        high=kernel.MAX_SIDE,
        label="Length of a line",
    ),
    Option(
        "balls_per_turn",
        3,
        "the number of balls that come after a move that cleared nothing",
        low=1,
        high=kernel.MAX_BALLS_PER_TURN,
    ),
    Option(
        "initial_balls",
        5,
        "the number of balls at the start; in Lines 98, 3 unless chosen otherwise",
        low=1,
        high=kernel.MAX_CELLS - 1,
        conditional_default=("variant", "lines98", 3),
    ),
    Option("show_next_balls", True, "whether the next balls are shown"),
    Option(
        "variant",
        "wzlz",
        "Lines 98 shows where the next balls come, and n balls at once score n * (n - 4)",
        choices=("wzlz", "lines98"),
        choice_labels=("Wzlz", "Lines 98"),
    ),
)

TEXTS = {
    # Statuses.
    "move": "Move a ball to make a line of {length}: {points} so far",
    "move.you": "Your turn. Move a ball to make a line of {length}: {points} so far",
    "full": "Game over: the board is full, with {points}",
    "points": "{count} points",
    "point": "{count} point",
    # Reasons.
    "no_ball": "there is no ball on {cell}",
    "same_cell": "the ball is already on {cell}; it must move to another cell",
    "occupied": "there is already a ball on {cell}; a ball must move to an empty cell",
    "no_path": "no path of adjacent empty cells leads from {origin} to {target}",
    "no_row": "there is no row {row}: expected 0 to {maximum}",
    "no_column": "there is no column {column}: expected 0 to {maximum}",
}

# Colour i + 1 on the board has the i-th letter and name.
BALL_LETTERS = "RGBNMYC"
COLOUR_NAMES = ("red", "green", "blue", "brown", "magenta", "yellow", "cyan")


def check(options: Mapping[str, Value]) -> None:
    """Raises BadOption unless the first balls leave a cell empty."""
    rows, cols = options["rows"], options["cols"]
    max_balls = int(rows) * int(cols) - 1
    if max_balls == 0:
        raise BadOption("rows", rows, "a board of one cell has no legal moves; make it larger")
    if int(options["initial_balls"]) > max_balls:
        raise BadOption(
            "initial_balls",
            options["initial_balls"],
            f"must be an integer from 1 to {max_balls} on a board of {rows} x {cols}, "
            "to leave a cell empty",
        )


def traits(options: Mapping[str, Value]) -> Traits:
    """Returns the traits: balls come at random, and the next ones are hidden if not shown."""
    hidden = not options["show_next_balls"]
    return Traits(random_start=True, chance=True, hidden=hidden, outcome=SCORE)


def actions(options: Mapping[str, Value]) -> int:
    """Returns the number of actions: one for each pair of cells."""
    return (int(options["rows"]) * int(options["cols"])) ** 2


def planes(options: Mapping[str, Value]) -> tuple[int, int, int]:
    """Returns the shape: a plane of balls and a plane of next balls for each colour."""
    return kernel.PLANES[0], int(options["rows"]), int(options["cols"])


@cache
def board(rows: int, cols: int) -> SquareBoard:
    """Returns the board of that size, with row 0 at the top and cells named such as `3,4`."""
    return SquareBoard(cols, rows, top_row_first=True, naming="row,column")


def board_of(s: Position) -> SquareBoard:
    """Returns the board of a position."""
    return board(int(s.rows), int(s.cols))


def ball_colours(s: Position) -> bytes:
    """Returns the colour of the ball on each cell, 0 for an empty cell."""
    board, rows, stride = s.board.tobytes(), int(s.rows), int(s.cols) + 1
    return b"".join(board[row * stride + 1 : (row + 1) * stride] for row in range(1, rows + 1))


def points(value: float) -> float | None:
    """Returns the expected score at the end: the inverse of `evaluation.squash`."""
    return 1000.0 * value / (1.0 - abs(value)) if abs(value) < 1 else None


def path(s: Position, empty: Buffer, origin: int, target: int) -> list[int]:
    """Returns a shortest path through empty cells, both ends included."""
    out = integer_buffer(kernel.MAX_CELLS)
    length = kernel.path(s, empty, origin, target, out)
    cells: list[int] = out.tolist()
    return cells[:length]


def reason(s: Position, seat: int, action: int) -> Phrase:
    """Returns why a move is illegal."""
    colours, names = ball_colours(s), board_of(s).names
    origin, target = divmod(action, len(colours))
    start, end = names[origin], names[target]
    if not colours[origin]:
        return Phrase("no_ball", {"cell": start})
    if origin == target:
        return Phrase("same_cell", {"cell": start})
    if colours[target]:
        return Phrase("occupied", {"cell": end})
    return Phrase("no_path", {"origin": start, "target": end})


def cells(before: Position, after: Position, action: int, event: str) -> tuple[str, ...]:
    """Returns the path of a move, the cells of new balls in their order, or the cleared cells."""
    old, new = ball_colours(before), ball_colours(after)
    if event == "move":
        numbers = path(after, after.was, *divmod(action, len(new)))
    elif event == "come":
        numbers = after.came_cell.tolist()[: int(after.came)]
    else:
        numbers = [number for number in range(len(new)) if old[number] > new[number]]
    names = board_of(after).names
    return tuple(names[number] for number in numbers)


def status(game: Game, s: Position) -> Phrase:
    """Returns what to do, or how the game ended."""
    score = int(s.score)
    points = Phrase("point" if score == 1 else "points", {"count": score})
    if s.over:
        return Phrase("full", {"points": points})
    return Phrase("move", {"length": int(s.match), "points": points})
