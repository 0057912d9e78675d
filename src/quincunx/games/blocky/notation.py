"""Blocky's texts: `(r(gbby)yb) blob:r-0,blob:b-1 7 1`, `cw@0`, `paint:r@0312`, `pass`."""

from __future__ import annotations

import re
from difflib import get_close_matches
from typing import Any

import numpy as np

from quincunx.errors import BadPosition, IllegalMove, MoveSyntax
from quincunx.game import Game
from quincunx.games.blocky import kernel, rules

MOVE_FORM = (
    "pass, or an action, @ and the path of a block, such as cw@0, ccw@ (the whole board), "
    "hswap@03, vswap@1, smash@2, combine@01 or paint:r@0312"
)
FORM = (
    "write the board, the goals with their costs, the turns played and the seat to move, "
    "as in (rgby) blob:r-0,blob:b-1 7 1"
)

# No cost of a position, now or later, is above this.
HIGHEST_COST = 1_000_000

ACTION_WORDS = ("pass", "cw", "ccw", "hswap", "vswap", "smash", "combine", "paint")


def read(game: Game, text: str, s: Any) -> None:
    """Writes the position of a text over a started one."""
    fields = text.split()
    if len(fields) != 4:
        raise BadPosition(text, f"it has {len(fields)} fields instead of 4: {FORM}")
    board, goals, played, seat = fields
    units = _read_board(text, board, int(s.depth))
    turns = int(s.turns * s.players)
    s.played = _read_number(text, played, "the number of turns played", turns)
    s.turn = _read_number(text, seat, "the seat to move", int(s.players) - 1)
    _read_goals(text, goals, s, HIGHEST_COST - 3 * (turns - int(s.played)))
    s.units[:] = np.frombuffer(units.ljust(kernel.UNITS, b"\0"), np.uint8)
    kernel.restore(s)


def _read_board(text: str, board: str, depth: int) -> bytes:
    """The unit cells of a board, as the kernel has them."""
    end = 4**depth
    units = bytearray()
    i = level = 0  # where and how deep the next block is
    full = False  # the block around has its four, and must end
    for n, letter in enumerate(board, 1):
        if i == end and not full:
            raise BadPosition(text, f"the board is complete before its character {n}, {letter!r}")
        if full:
            if letter != ")":
                where = f"character {n} of the board is {letter!r}"
                raise BadPosition(text, f"{where}, but after four blocks comes )")
            level -= 1
        elif letter == "(":
            level += 1
            if level > depth:
                raise BadPosition(
                    text,
                    f"character {n} of the board divides a block of level {depth}, "
                    f"the maximum depth",
                )
            continue
        elif letter in rules.COLOUR_LETTERS:
            colour = rules.COLOUR_LETTERS.index(letter)
            units += bytes([level * 4 + colour]) * 4 ** (depth - level)
            i = len(units)
        else:
            raise BadPosition(
                text,
                f"character {n} of the board is {letter!r}, "
                f"but here a block begins: one of r, g, b, y or (",
            )
        full = level > 0 and i % 4 ** (depth - level + 1) == 0
    if i < end or full:
        raise BadPosition(
            text, "the board ends too early: its blocks have four parts and end with ), as (rgby)"
        )
    return bytes(units)


def _read_number(text: str, word: str, what: str, most: int) -> int:
    """An integer from 0 to the most."""
    if not re.fullmatch(r"[0-9]{1,9}", word) or int(word) > most:
        raise BadPosition(text, f"{what} is an integer from 0 to {most}, not {word[:12]!r}")
    return int(word)


def _read_goals(text: str, goals: str, s: Any, highest: int) -> None:
    """Writes goals and costs."""
    count = goals.count(",") + 1
    if count != s.players:
        raise BadPosition(
            text, f"there is a goal for each of the {s.players} players, and here are {count}"
        )
    for seat, goal in enumerate(goals.split(",")):
        found = re.fullmatch(r"(blob|perimeter):([rgby])-([0-9]+)", goal)
        if not found:
            raise BadPosition(
                text,
                f"goal {seat + 1} is blob or perimeter, :, one of r, g, b, y, - and the cost, "
                f"as in blob:r-0, not {goal[:20]!r}",
            )
        s.goal[seat] = rules.GOALS.index(found[1])
        s.target[seat] = rules.COLOUR_LETTERS.index(found[2])
        s.cost[seat] = _read_number(text, found[3], f"the cost of goal {seat + 1}", highest)


def write(game: Game, s: Any) -> str:
    """The position as text."""
    depth, units = int(s.depth), s.units.tobytes()
    board = []
    i = level = 0
    while i < 4**depth:
        deeper = (units[i] >> 2) - level
        level += deeper
        board.append("(" * deeper + rules.COLOUR_LETTERS[units[i] & 3])
        i += 4 ** (depth - level)
        while level and i % 4 ** (depth - level + 1) == 0:
            board.append(")")
            level -= 1
    goals = ",".join(
        f"{rules.GOALS[s.goal[i]]}:{rules.COLOUR_LETTERS[s.target[i]]}-{s.cost[i]}"
        for i in range(s.players)
    )
    return f"{''.join(board)} {goals} {s.played} {s.turn}"


def parse_move(game: Game, s: Any, text: str) -> int:
    """The action that a move text names."""
    head, at, path = (part.strip() for part in text.lower().partition("@"))
    word, colon, colour = (part.strip() for part in head.partition(":"))
    if word not in ACTION_WORDS:
        near = get_close_matches(word, ACTION_WORDS, n=1) if 0 < len(word) < 20 else []
        raise MoveSyntax(text, (f"did you mean {near[0]}? " if near else "") + MOVE_FORM)
    if word == "pass":
        if at or colon:
            raise MoveSyntax(text, "a pass is the word alone: pass")
        return kernel.PASS
    if word == "paint":
        if colour not in tuple(rules.COLOUR_LETTERS):
            raise MoveSyntax(text, "say the colour, one of r, g, b, y, as in paint:r@0312")
        word = f"paint:{colour}"
    elif colon:
        raise MoveSyntax(text, f"only paint takes a colour; write {word}@ and a path")
    if not at:
        raise MoveSyntax(
            text, f"say which block: {word}@ is the whole board, {word}@03 one inside it"
        )
    if not re.fullmatch(r"[0-3]*", path):
        raise MoveSyntax(text, f"a path has the digits 0 to 3 only, as in {word}@03")
    missing = rules.no_block(s, path)
    if missing:
        raise IllegalMove(text, write(game, s), missing)
    return 1 + rules.block(path) * kernel.OPERATIONS + rules.WORDS.index(word)


def format_move(game: Game, s: Any, action: int) -> str:
    """The move text of an action."""
    if action == kernel.PASS:
        return "pass"
    number, operation = divmod(action - 1, kernel.OPERATIONS)
    return f"{rules.WORDS[operation]}@{rules.block_path(number)}"
