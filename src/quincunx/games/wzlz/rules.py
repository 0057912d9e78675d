"""Wzlz's options, and its rules in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from quincunx.errors import BadOption
from quincunx.game import Game
from quincunx.games.wzlz import kernel
from quincunx.options import Option, Value

NAME = "wzlz"
TITLE = "Wzlz"
SEAT_NAMES = ("Player",)
LETTERS = "1"
DRAWS = False
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
    Option("rows", 9, "how many rows the board has", low=1, high=kernel.SIDE),
    Option("cols", 9, "how many columns the board has", low=1, high=kernel.SIDE),
    Option("colors_count", 7, "how many colours there are", low=3, high=kernel.COLOURS),
    Option("match_length", 5, "how many balls make a line", low=3, high=kernel.SIDE),
    Option(
        "balls_per_turn",
        3,
        "how many balls come after a move that cleared nothing",
        low=1,
        high=kernel.MOST_COMING,
    ),
    Option(
        "initial_balls",
        5,
        "how many balls there are at the beginning, 3 in lines98",
        low=1,
        high=kernel.CELLS - 1,
        conditional_default=("variant", "lines98", 3),
    ),
    Option("show_next_balls", True, "whether the balls that come next can be seen"),
    Option(
        "variant",
        "wzlz",
        "lines98 shows where balls will come, and scores n * (n - 4) for every n balls cleared",
        choices=("wzlz", "lines98"),
    ),
)

# The colour numbered i + 1 on the board has the i-th letter and name.
BALLS = "RGBNMYC"
COLOURS = ("red", "green", "blue", "brown", "magenta", "yellow", "cyan")


def check(options: Mapping[str, Value]) -> None:
    """Raises BadOption unless the first balls leave a cell empty."""
    rows, cols = options["rows"], options["cols"]
    room = int(rows) * int(cols) - 1
    if room == 0:
        raise BadOption("rows", rows, "a board of one cell has no room to move; make it larger")
    if int(options["initial_balls"]) > room:
        raise BadOption(
            "initial_balls",
            options["initial_balls"],
            f"must be an integer from 1 to {room} on a board of {rows} x {cols}, "
            "to leave a cell empty",
        )


def seats(options: Mapping[str, Value]) -> int:
    """Always one."""
    return kernel.SEATS


def actions(options: Mapping[str, Value]) -> int:
    """From every cell to every cell."""
    return (int(options["rows"]) * int(options["cols"])) ** 2


def planes(options: Mapping[str, Value]) -> tuple[int, int, int]:
    """A plane of balls and one of next balls to each colour."""
    return kernel.PLANES[0], int(options["rows"]), int(options["cols"])


def cell(number: int, cols: int) -> str:
    """The name of a cell on a board with so many columns."""
    return f"{number // cols},{number % cols}"


def balls(s: Any) -> bytes:
    """The colour of each cell's ball, 0 where there is none."""
    board, rows, stride = s.board.tobytes(), int(s.rows), int(s.cols) + 1
    return b"".join(board[row * stride + 1 : (row + 1) * stride] for row in range(1, rows + 1))


def path(s: Any, empty: Any, origin: int, target: int) -> list[int]:
    """The cells on a shortest way through empty cells, both ends too."""
    out = np.empty(kernel.CELLS, np.int64)
    return [int(number) for number in out[: kernel.path(s, empty, origin, target, out)]]


def reason(s: Any, seat: int, action: int) -> str:
    """Why a move is not legal."""
    colours, cols = balls(s), int(s.cols)
    origin, target = divmod(action, len(colours))
    start, end = cell(origin, cols), cell(target, cols)
    if not colours[origin]:
        return f"there is no ball on {start}"
    if origin == target:
        return f"the ball is on {start} already, and has to move to another cell"
    if colours[target]:
        return f"there is a ball on {end} already, and a ball moves to an empty cell"
    return f"there is no way from {start} to {end} through empty cells, side by side"


def cells(before: Any, after: Any, action: int, event: str) -> tuple[str, ...]:
    """The whole way of a ball that moves; the cells of new balls in their order; those cleared."""
    then, now = balls(before), balls(after)
    if event == "move":
        numbers = path(after, after.was, *divmod(action, len(now)))
    elif event == "come":
        numbers = after.came_cell[: after.came].tolist()
    else:
        numbers = [number for number in range(len(now)) if then[number] > now[number]]
    return tuple(cell(number, int(after.cols)) for number in numbers)


def status(game: Game, s: Any) -> str:
    """What there is to do, or how the game ended."""
    points = "1 point" if s.score == 1 else f"{s.score} points"
    if s.over:
        return f"Game over: the board is full, with {points}"
    return f"Move a ball to make a line of {s.match}: {points} so far"
