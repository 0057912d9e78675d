"""Blocky's options, and its rules in words."""

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
    Option("depth", 4, "how many levels a block can be divided down", low=1, high=kernel.DEEPEST),
    Option("players", 2, "how many play; one plays alone", low=1, high=kernel.SEATS),
    Option("turns", 20, "how many turns each player has", low=1, high=10000),
    Option(
        "goals",
        "same",
        "same = one type for all and a different colour for each; mixed = any for each",
        choices=("same", "mixed"),
    ),
)

COLOURS = ("red", "green", "blue", "yellow")
COLOUR_LETTERS = "rgby"
GOALS = ("blob", "perimeter")
WORDS = (
    *("cw", "ccw", "hswap", "vswap", "smash", "combine"),
    *(f"paint:{letter}" for letter in COLOUR_LETTERS),
)
TOP = "top"  # what the whole board is called where its path, which is empty, cannot be seen


def block(path: str) -> int:
    """The number of the block at a path."""
    return int(kernel.FIRST[len(path)]) + int(path or "0", 4)


def block_path(number: int) -> str:
    """The path of the block with that number."""
    path = ""
    while number:
        path = str((number - 1) % 4) + path
        number = (number - 1) // 4
    return path


def first_unit(s: Any, path: str) -> int:
    """The index of the first unit cell of the block at a path."""
    return int(path.ljust(int(s.depth), "0"), 4)


def level_at(s: Any, path: str) -> int:
    """The level of the leaf that covers the first unit cell of the block at a path."""
    return int(s.units[first_unit(s, path)]) >> 2


def colour_at(s: Any, path: str) -> str:
    """The colour of the first unit cell of the block at a path."""
    return COLOURS[int(s.units[first_unit(s, path)]) & 3]


def called(path: str) -> str:
    """What the block at a path is called in a sentence."""
    return f"block {path}" if path else "the whole board"


def goal(s: Any, seat: int) -> str:
    """A seat's goal in words."""
    colour = COLOURS[int(s.target[seat])]
    return (
        f"the largest {colour} blob" if s.goal[seat] == kernel.BLOB else f"{colour} on the border"
    )


def turns_left(s: Any) -> int:
    """How many turns the seat to move has left, this one included."""
    return -(-(int(s.turns * s.players) - int(s.played)) // int(s.players))


def check(options: Mapping[str, Value]) -> None:
    """Any options go together."""


def seats(options: Mapping[str, Value]) -> int:
    """As many as there are players."""
    return int(options["players"])


def actions(options: Mapping[str, Value]) -> int:
    """Ten operations on every block down to the depth, and the pass."""
    return 1 + kernel.OPERATIONS * int(kernel.FIRST[int(options["depth"]) + 1])


def planes(options: Mapping[str, Value]) -> tuple[int, int, int]:
    """The kernel's planes, as wide and high as the board in unit cells."""
    side = 2 ** int(options["depth"])
    return kernel.PLANES[0], side, side


def no_block(s: Any, path: str) -> str:
    """Why there is no block at a path; empty if there is one."""
    depth = int(s.depth)
    if len(path) > depth:
        return (
            f"a path has at most {depth} digits, the depth of the board, and this has {len(path)}"
        )
    level = level_at(s, path)
    if level >= len(path):
        return ""
    leaf = path[:level]
    return f"{called(leaf)} is an undivided {colour_at(s, leaf)} leaf, with no block {path} inside"


def reason(s: Any, seat: int, action: int) -> str:
    """Why a play is not legal."""
    number, operation = divmod(action - 1, kernel.OPERATIONS)
    path = block_path(number)
    missing = no_block(s, path)
    if missing:
        return missing
    depth, level, name = int(s.depth), len(path), called(path)
    divided, colour = level_at(s, path) > level, colour_at(s, path)
    if operation >= kernel.PAINT:
        if level < depth:
            return f"only unit cells, at level {depth}, are painted, and {name} is at level {level}"
        return f"{name} is {colour} already"
    if operation == kernel.SMASH:
        if divided:
            return f"only an undivided block is smashed, and {name} is divided"
        return f"{name} is a unit cell, at the maximum depth {depth}, and cannot be divided"
    if not divided:
        verb = {kernel.COMBINE: "combined", kernel.CW: "turned", kernel.CCW: "turned"}
        done = verb.get(operation, "swapped")
        return f"only a divided block is {done}, and {name} is an undivided {colour} leaf"
    if level < depth - 1:
        return (
            f"only a block of unit cells, at level {depth - 1}, is combined, "
            f"and {name} is at level {level}"
        )
    colours = [colour_at(s, path + digit) for digit in "0123"]
    tally = ", ".join(f"{colours.count(c)} {c}" for c in COLOURS if c in colours)
    return f"no colour has the majority in {name}: it has {tally}"


def cells(before: Any, after: Any, action: int, event: str) -> tuple[str, ...]:
    """The path of the block that was touched, `top` for the whole board; none for a pass."""
    if action == kernel.PASS:
        return ()
    return (block_path((action - 1) // kernel.OPERATIONS) or TOP,)


def status(game: Game, s: Any) -> str:
    """Whose turn it is and what for, or how the game ended."""
    players, seat = int(s.players), int(s.turn)
    if not s.over:
        left = turns_left(s)
        turns = "the last turn" if left == 1 else f"{left} turns left"
        return f"{SEAT_NAMES[seat]} to move, for {goal(s, seat)}: {turns}"
    points = [int(kernel.reached(s, i)) - int(s.cost[i]) for i in range(players)]
    best = max(points)
    if players == 1:
        return f"The game is over: {_points(best)}"
    winners = [SEAT_NAMES[i] for i in range(players) if points[i] == best]
    if len(winners) == 1:
        return f"{winners[0]} wins with {_points(best)}"
    names = f"{', '.join(winners[:-1])} and {winners[-1]}"
    return f"{names} share the win with {_points(best)} each"


def _points(count: int) -> str:
    return f"{count} point{'' if abs(count) == 1 else 's'}"
