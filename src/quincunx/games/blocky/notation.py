"""Blocky's position and move texts.

For example, `(r(gbby)yb) blob:r-0,blob:b-1 7 1` is a position; `cw@0`, `paint:r@0312` and `pass`
are moves.
"""

from __future__ import annotations

import re
from difflib import get_close_matches

from quincunx.contract import Position
from quincunx.errors import BadPosition, MoveSyntax
from quincunx.game import Game
from quincunx.games.blocky import kernel, rules

MOVE_FORM = (
    "pass, or an action, @ and the path of a block, such as cw@0, ccw@ (the whole board), "
    "hswap@03, vswap@1, smash@2, combine@01 or paint:r@0312"
)
POSITION_FORM = (
    "the board, the goals with their costs, the turns played and the seat to move, "
    "such as (rgby) blob:r-0,blob:b-1 7 1"
)

# A limit for the cost of a player, including the turns that are still to be played.
MAX_COST = 1_000_000

ACTION_NAMES = ("pass", "cw", "ccw", "hswap", "vswap", "smash", "combine", "paint")


def read(game: Game, text: str, s: Position) -> None:
    """Writes the position that a text describes into a started position; raises BadPosition."""
    fields = text.split()
    if len(fields) != 4:
        raise BadPosition(text, f"expected 4 fields, not {len(fields)}: {POSITION_FORM}")
    board, goals, played, seat = fields
    units = _read_board(text, board, int(s.depth))
    total_turns = int(s.turns) * int(s.players)
    s.played = _read_number(text, played, "the number of turns played", total_turns)
    s.turn = _read_number(text, seat, "the seat to move", int(s.players) - 1)
    _read_goals(text, goals, s, MAX_COST - 3 * (total_turns - int(s.played)))
    s.units[:] = list(units.ljust(kernel.MAX_UNIT_CELLS, b"\0"))
    kernel.restore(s)


def _read_board(text: str, board: str, depth: int) -> bytes:
    """Returns the unit cells of a board, in the format of the kernel's `units`."""
    end = 4**depth
    units = bytearray()
    i = level = 0  # the first unit cell and the level of the next block
    full = False  # the enclosing block has its four parts, so it must end here
    for n, char in enumerate(board, 1):
        if i == end and not full:
            raise BadPosition(text, f"the board is complete before its character {n}, {char!r}")
        if full:
            if char != ")":
                raise BadPosition(
                    text, f"character {n} of the board is {char!r}; expected ) after four blocks"
                )
            level -= 1
        elif char == "(":
            level += 1
            if level > depth:
                raise BadPosition(
                    text,
                    f"character {n} of the board divides a block of level {depth}, "
                    f"the maximum depth",
                )
            continue
        elif char in rules.COLOUR_LETTERS:
            colour = rules.COLOUR_LETTERS.index(char)
            units += bytes([level * 4 + colour]) * 4 ** (depth - level)
            i = len(units)
        else:
            raise BadPosition(
                text,
                f"character {n} of the board is {char!r}; "
                f"expected a block, starting with one of r, g, b, y or (",
            )
        full = level > 0 and i % 4 ** (depth - level + 1) == 0
    if i < end or full:
        raise BadPosition(
            text,
            "the board ends too early: a divided block has four parts and a ), such as (rgby)",
        )
    return bytes(units)


def _read_number(text: str, digits: str, name: str, maximum: int) -> int:
    """Returns an integer from 0 to the maximum; raises BadPosition for anything else."""
    if not re.fullmatch(r"[0-9]{1,9}", digits) or int(digits) > maximum:
        raise BadPosition(
            text, f"{name} must be an integer from 0 to {maximum}, not {digits[:12]!r}"
        )
    return int(digits)


def _read_goals(text: str, goals: str, s: Position, max_cost: int) -> None:
    """Writes the goals and costs of all players into the position; raises BadPosition."""
    count = goals.count(",") + 1
    if count != s.players:
        raise BadPosition(
            text, f"expected one goal for each of the {s.players} players, not {count}"
        )
    for seat, goal in enumerate(goals.split(",")):
        match = re.fullmatch(r"(blob|perimeter):([rgby])-([0-9]+)", goal)
        if not match:
            raise BadPosition(
                text,
                f"goal {seat + 1} must be blob or perimeter, a colon, one of r, g, b, y, a hyphen "
                f"and the cost, such as blob:r-0, not {goal[:20]!r}",
            )
        s.goal[seat] = rules.GOAL_KINDS.index(match[1])
        s.target[seat] = rules.COLOUR_LETTERS.index(match[2])
        s.cost[seat] = _read_number(text, match[3], f"the cost of goal {seat + 1}", max_cost)


def write(game: Game, s: Position) -> str:
    """Returns the text of a position."""
    depth, units = int(s.depth), s.units.tobytes()
    board = []
    i = level = 0
    while i < 4**depth:
        divisions = (units[i] >> 2) - level
        level += divisions
        board.append("(" * divisions + rules.COLOUR_LETTERS[units[i] & 3])
        i += 4 ** (depth - level)
        while level and i % 4 ** (depth - level + 1) == 0:
            board.append(")")
            level -= 1
    goals = ",".join(
        f"{rules.GOAL_KINDS[s.goal[i]]}:{rules.COLOUR_LETTERS[s.target[i]]}-{s.cost[i]}"
        for i in range(s.players)
    )
    return f"{''.join(board)} {goals} {s.played} {s.turn}"


def parse_move(game: Game, s: Position, text: str) -> int:
    """Returns the action of a move text; raises MoveSyntax, or IllegalMove for a missing block."""
    head, at, path = (part.strip() for part in text.lower().partition("@"))
    name, colon, colour = (part.strip() for part in head.partition(":"))
    if name not in ACTION_NAMES:
        similar = get_close_matches(name, ACTION_NAMES, n=1) if 0 < len(name) < 20 else []
        raise MoveSyntax(text, MOVE_FORM + (f"; did you mean {similar[0]}?" if similar else ""))
    if name == "pass":
        if at or colon:
            raise MoveSyntax(text, "pass alone, without a block or a colour")
        return kernel.PASS
    if name == "paint":
        if colour not in tuple(rules.COLOUR_LETTERS):
            raise MoveSyntax(text, "a colour, one of r, g, b, y, such as paint:r@0312")
        name = f"paint:{colour}"
    elif colon:
        raise MoveSyntax(text, f"{name}@ and a path; only paint takes a colour")
    if not at:
        raise MoveSyntax(
            text, f"a block: {name}@ for the whole board, or {name}@03 for a block inside it"
        )
    if not re.fullmatch(r"[0-3]*", path):
        raise MoveSyntax(text, f"a path of the digits 0 to 3, such as {name}@03")
    missing = rules.missing_block(s, path)
    if missing:
        raise game.illegal_move(text, s, missing)
    return 1 + rules.block_number(path) * kernel.OPERATIONS + rules.OPERATION_NAMES.index(name)


def format_move(game: Game, s: Position, action: int) -> str:
    """Returns the move text of an action."""
    if action == kernel.PASS:
        return "pass"
    number, operation = divmod(action - 1, kernel.OPERATIONS)
    return f"{rules.OPERATION_NAMES[operation]}@{rules.block_path(number)}"
