"""Blocky's options, and the English texts for statuses and illegal moves."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from quincunx.game import Game
from quincunx.games.blocky import kernel
from quincunx.options import Option, Value

NAME = "blocky"
TITLE = "Blocky"
SEAT_NAMES: tuple[str, ...] = ("Player 1", "Player 2", "Player 3", "Player 4")
LETTERS = "1234"
DRAWS = False
SEARCH = {"explore": 0.1, "horizon": 0, "trust": 1.0}
LEVELS = (
    (97, "greedy"),
    (90, "greedy"),
    (71, "greedy"),
    (51, "greedy"),
    (33, "greedy"),
    (15, "greedy"),
    (0, "greedy"),
    (0, "mcts:time=0.4"),
)

OPTIONS: tuple[Option, ...] = (
    Option("depth", 4, "number of division levels", low=1, high=kernel.MAX_BOARD_DEPTH),
    Option("players", 2, "number of players; 1 is a solo game", low=1, high=kernel.SEATS),
    Option("turns", 20, "number of turns per player", low=1, high=10000),
    Option(
        "goals",
        "same",
        "same = one kind of goal for all, in different colours; mixed = any goal for each",
        choices=("same", "mixed"),
    ),
)

COLOURS = ("red", "green", "blue", "yellow")
COLOUR_LETTERS = "rgby"
GOAL_KINDS = ("blob", "perimeter")
OPERATION_NAMES = (
    *("cw", "ccw", "hswap", "vswap", "smash", "combine"),
    *(f"paint:{letter}" for letter in COLOUR_LETTERS),
)
TOP = "top"  # the name of the whole board as a cell, because its path is empty


def block_number(path: str) -> int:
    """Returns the number of the block at a path."""
    return int(kernel.FIRST_BLOCK[len(path)]) + int(path or "0", 4)


def block_path(number: int) -> str:
    """Returns the path of the block with this number."""
    path = ""
    while number:
        path = str((number - 1) % 4) + path
        number = (number - 1) // 4
    return path


def first_unit(s: Any, path: str) -> int:
    """Returns the index of the first unit cell of the block at a path."""
    return int(path.ljust(int(s.depth), "0"), 4)


def leaf_level(s: Any, path: str) -> int:
    """Returns the level of the leaf that covers the first unit cell of the block at a path."""
    return int(s.units[first_unit(s, path)]) >> 2


def leaf_colour(s: Any, path: str) -> str:
    """Returns the colour of the leaf that covers the first unit cell of the block at a path."""
    return COLOURS[int(s.units[first_unit(s, path)]) & 3]


def block_title(path: str) -> str:
    """Returns how the block at a path is named in a sentence."""
    return f"block {path}" if path else "the whole board"


def goal_text(s: Any, seat: int) -> str:
    """Returns a seat's goal in words."""
    colour = COLOURS[int(s.target[seat])]
    return (
        f"the largest {colour} blob" if s.goal[seat] == kernel.BLOB else f"{colour} on the border"
    )


def turns_left(s: Any) -> int:
    """Returns the number of turns the seat to move has left, including this one."""
    return -(-(int(s.turns * s.players) - int(s.played)) // int(s.players))


def check(options: Mapping[str, Value]) -> None:
    """Accepts every combination of options."""


def seats(options: Mapping[str, Value]) -> int:
    """Returns the number of players."""
    return int(options["players"])


def actions(options: Mapping[str, Value]) -> int:
    """Returns the size of the action space: ten operations on every block, and the pass."""
    return 1 + kernel.OPERATIONS * int(kernel.FIRST_BLOCK[int(options["depth"]) + 1])


def planes(options: Mapping[str, Value]) -> tuple[int, int, int]:
    """Returns the shape of an observation: planes as wide and high as the board in unit cells."""
    side = 2 ** int(options["depth"])
    return kernel.PLANES[0], side, side


def missing_block_reason(s: Any, path: str) -> str:
    """Returns why there is no block at a path, or an empty string if there is one."""
    depth = int(s.depth)
    if len(path) > depth:
        return f"a path has at most {depth} digits, the depth of the board, not {len(path)}"
    level = leaf_level(s, path)
    if level >= len(path):
        return ""
    leaf = path[:level]
    colour = leaf_colour(s, leaf)
    return f"{block_title(leaf)} is an undivided {colour} leaf, so there is no block {path}"


def reason(s: Any, seat: int, action: int) -> str:
    """Returns why an action is not legal."""
    number, operation = divmod(action - 1, kernel.OPERATIONS)
    path = block_path(number)
    missing = missing_block_reason(s, path)
    if missing:
        return missing
    depth, level, title = int(s.depth), len(path), block_title(path)
    divided, colour = leaf_level(s, path) > level, leaf_colour(s, path)
    if operation >= kernel.PAINT:
        if level < depth:
            return f"only unit cells (level {depth}) can be painted; {title} is at level {level}"
        return f"{title} is already {colour}"
    if operation == kernel.SMASH:
        if divided:
            return f"only an undivided block can be smashed; {title} is divided"
        return f"{title} is a unit cell, at the maximum depth {depth}, and cannot be divided"
    if not divided:
        participles = {kernel.COMBINE: "combined", kernel.CW: "turned", kernel.CCW: "turned"}
        participle = participles.get(operation, "swapped")
        return f"only a divided block can be {participle}; {title} is an undivided {colour} leaf"
    if level < depth - 1:
        return (
            f"only a block of four unit cells (level {depth - 1}) can be combined; "
            f"{title} is at level {level}"
        )
    colours = [leaf_colour(s, path + digit) for digit in "0123"]
    tally = ", ".join(f"{colours.count(c)} {c}" for c in COLOURS if c in colours)
    return f"no colour has the majority in {title}: it has {tally}"


def cells(before: Any, after: Any, action: int, event: str) -> tuple[str, ...]:
    """Returns the path of the changed block, `top` for the whole board, nothing for a pass."""
    if action == kernel.PASS:
        return ()
    return (block_path((action - 1) // kernel.OPERATIONS) or TOP,)


def status(game: Game, s: Any) -> str:
    """Returns whose turn it is and their goal, or how the game ended."""
    players, seat = int(s.players), int(s.turn)
    if not s.over:
        left = turns_left(s)
        turns = "the last turn" if left == 1 else f"{left} turns left"
        return f"{SEAT_NAMES[seat]} to move (goal: {goal_text(s, seat)}), {turns}"
    points = [int(kernel.goal_score(s, i)) - int(s.cost[i]) for i in range(players)]
    best = max(points)
    if players == 1:
        return f"Game over: {_points(best)}"
    winners = [SEAT_NAMES[i] for i in range(players) if points[i] == best]
    if len(winners) == 1:
        return f"{winners[0]} wins with {_points(best)}"
    names = f"{', '.join(winners[:-1])} and {winners[-1]}"
    return f"{names} share the win with {_points(best)} each"


def _points(count: int) -> str:
    return f"{count} point{'' if abs(count) == 1 else 's'}"
