"""Blocky's options and traits, and the phrases for statuses and illegal moves."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from quincunx.contract import SCORE, SHARED_WIN, Position, Traits
from quincunx.game import Game
from quincunx.games.blocky import kernel
from quincunx.options import Option, Value
from quincunx.phrases import Phrase, join, render, seat_name

NAME = "blocky"
SUMMARY = "Turn, swap, smash and paint a square of squares."
SEAT_NAMES: tuple[str, ...] = ("Player 1", "Player 2", "Player 3", "Player 4")
LETTERS = "1234"
PASS = kernel.PASS
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
        "one kind of goal for all, in different colours, or any goal for each",
        choices=("same", "mixed"),
        choice_labels=("The same for all", "Mixed"),
    ),
)

COLOURS = ("red", "green", "blue", "yellow")
COLOUR_LETTERS = "rgby"
GOAL_KINDS = ("blob", "perimeter")
OPERATION_NAMES = (
    *("cw", "ccw", "hswap", "vswap", "smash", "combine"),
    *(f"paint:{letter}" for letter in COLOUR_LETTERS),
)
TEXTS = {
    # Statuses.
    "move": "{seat} to move (goal: {goal}), {turns}",
    "move.you": "Your turn (goal: {goal}), {turns}",
    "turns": "{count} turns left",
    "last_turn": "the last turn",
    "goal.blob": "the largest {colour} blob",
    "goal.perimeter": "{colour} on the border",
    "ended": "Game over: {points}",
    "wins": "{winners} wins with {points}",
    "shared": "{winners} share the win with {points} each",
    "points": "{count} points",
    "point": "{count} point",
    # Reasons.
    "path_length": "a path has at most {depth} digits, the depth of the board, not {digits}",
    "no_block": "{leaf} is an undivided {colour} leaf, so there is no block {path}",
    "paint_level": "only unit cells (level {depth}) can be painted; {block} is at level {level}",
    "same_colour": "{block} is already {colour}",
    "smash_divided": "only an undivided block can be smashed; {block} is divided",
    "smash_unit": "{block} is a unit cell, at the maximum depth {depth}, and cannot be divided",
    "turn_leaf": "only a divided block can be turned; {block} is an undivided {colour} leaf",
    "swap_leaf": "only a divided block can be swapped; {block} is an undivided {colour} leaf",
    "combine_leaf": "only a divided block can be combined; {block} is an undivided {colour} leaf",
    "combine_level": "only a block of four unit cells (level {required}) can be combined; "
    "{block} is at level {level}",
    "no_majority": "no colour has the majority in {block}: it has {tally}",
    "tally": "{count} {colour}",
    "block": "block {path}",
    "board": "the whole board",
    **{f"colour.{colour}": colour for colour in COLOURS},
}

TOP = "top"  # the name of the whole board as a cell, because its path is empty


@cache
def colour_name(colour: int) -> Phrase:
    """Returns the name of a colour."""
    return Phrase(f"colour.{COLOURS[colour]}")


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


def first_unit(s: Position, path: str) -> int:
    """Returns the index of the first unit cell of the block at a path."""
    return int(path.ljust(int(s.depth), "0"), 4)


def leaf_level(s: Position, path: str) -> int:
    """Returns the level of the leaf that covers the first unit cell of the block at a path."""
    return int(s.units[first_unit(s, path)]) >> 2


def leaf_colour(s: Position, path: str) -> Phrase:
    """Returns the colour of the leaf that covers the first unit cell of the block at a path."""
    return colour_name(int(s.units[first_unit(s, path)]) & 3)


def block(path: str) -> Phrase:
    """Returns how the block at a path is named in a sentence."""
    return Phrase("block", {"path": path}) if path else Phrase("board")


def block_title(path: str) -> str:
    """Returns the name of the block at a path in English, for pictures."""
    return render(block(path), TEXTS)


def goal(s: Position, seat: int) -> Phrase:
    """Returns a seat's goal."""
    return _goal(int(s.goal[seat]), int(s.target[seat]))


@cache
def _goal(kind: int, colour: int) -> Phrase:
    code = "goal.blob" if kind == kernel.BLOB else "goal.perimeter"
    return Phrase(code, {"colour": colour_name(colour)})


def turns_left(s: Position) -> int:
    """Returns the number of turns the seat to move has left, including this one."""
    return -(-(int(s.turns) * int(s.players) - int(s.played)) // int(s.players))


def traits(options: Mapping[str, Value]) -> Traits:
    """Returns the traits: the first board and every smash are random, but nothing is hidden."""
    outcome = SCORE if options["players"] == 1 else SHARED_WIN
    return Traits(random_start=True, chance=True, outcome=outcome)


def actions(options: Mapping[str, Value]) -> int:
    """Returns the size of the action space: ten operations on every block, and the pass."""
    return 1 + kernel.OPERATIONS * int(kernel.FIRST_BLOCK[int(options["depth"]) + 1])


def planes(options: Mapping[str, Value]) -> tuple[int, int, int]:
    """Returns the shape of an observation: planes as wide and high as the board in unit cells."""
    side = 2 ** int(options["depth"])
    return kernel.PLANES[0], side, side


def missing_block(s: Position, path: str) -> Phrase | None:
    """Returns why there is no block at a path, or None if there is one."""
    depth = int(s.depth)
    if len(path) > depth:
        return Phrase("path_length", {"depth": depth, "digits": len(path)})
    level = leaf_level(s, path)
    if level >= len(path):
        return None
    leaf = path[:level]
    return Phrase("no_block", {"leaf": block(leaf), "colour": leaf_colour(s, leaf), "path": path})


def reason(s: Position, seat: int, action: int) -> Phrase:
    """Returns why an action is not legal."""
    if action == kernel.PASS:  # the seat to move may always pass
        turn = int(s.turn)
        other_turn = Phrase("other_turn", {"name": seat_name(turn), "seat": turn})
        return Phrase("over") if s.over else other_turn
    number, operation = divmod(action - 1, kernel.OPERATIONS)
    path = block_path(number)
    missing = missing_block(s, path)
    if missing:
        return missing
    depth, level = int(s.depth), len(path)
    divided, colour = leaf_level(s, path) > level, leaf_colour(s, path)
    if operation >= kernel.PAINT:
        if level < depth:
            return Phrase("paint_level", {"block": block(path), "depth": depth, "level": level})
        return Phrase("same_colour", {"block": block(path), "colour": colour})
    if operation == kernel.SMASH:
        if divided:
            return Phrase("smash_divided", {"block": block(path)})
        return Phrase("smash_unit", {"block": block(path), "depth": depth})
    if not divided:
        codes = {kernel.COMBINE: "combine_leaf", kernel.CW: "turn_leaf", kernel.CCW: "turn_leaf"}
        code = codes.get(operation, "swap_leaf")
        return Phrase(code, {"block": block(path), "colour": colour})
    if level < depth - 1:
        return Phrase(
            "combine_level", {"block": block(path), "required": depth - 1, "level": level}
        )
    colours = [leaf_colour(s, path + digit) for digit in "0123"]
    tally = [
        Phrase("tally", {"count": colours.count(colour), "colour": colour})
        for colour in map(colour_name, range(len(COLOURS)))
        if colour in colours
    ]
    return Phrase("no_majority", {"block": block(path), "tally": join(tally, "comma")})


def cells(before: Position, after: Position, action: int, event: str) -> tuple[str, ...]:
    """Returns the path of the changed block, `top` for the whole board, nothing for a pass."""
    if action == kernel.PASS:
        return ()
    return (block_path((action - 1) // kernel.OPERATIONS) or TOP,)


def status(game: Game, s: Position) -> Phrase:
    """Returns whose turn it is and their goal, or how the game ended."""
    players = int(s.players)
    if not s.over:
        seat, left = int(s.turn), turns_left(s)
        turns = Phrase("last_turn") if left == 1 else Phrase("turns", {"count": left})
        return Phrase("move", {"seat": seat_name(seat), "goal": goal(s, seat), "turns": turns})
    scores = [int(kernel.goal_score(s, i)) - int(s.cost[i]) for i in range(players)]
    best = max(scores)
    points = Phrase("point" if abs(best) == 1 else "points", {"count": best})
    if players == 1:
        return Phrase("ended", {"points": points})
    winners = [seat_name(seat) for seat in range(players) if scores[seat] == best]
    code = "wins" if len(winners) == 1 else "shared"
    return Phrase(code, {"winners": join(winners), "points": points})
