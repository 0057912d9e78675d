"""Sphero's texts: `..BG./.BYYR/RAYYY/RYBG.`, in turns with the player to move, and `2,-1`."""

from __future__ import annotations

import re
from typing import Any

from quincunx.errors import BadPosition, IllegalMove, MoveSyntax
from quincunx.game import Game
from quincunx.games.sphero import kernel, rules

MOVE_FORM = "a cell as x,y from the anchor (right and up are positive), such as 2,-1"


def read(game: Game, text: str, s: Any) -> None:
    """Writes the position of a text over a started one."""
    letters = rules.LETTERS[: game.seats]
    fields = text.split()
    if game.options["order"] == "anytime":
        if len(fields) != 1:
            raise BadPosition(text, "write the rows from the top with / between, as in RY/.A")
    else:
        if len(fields) != 2:
            raise BadPosition(
                text, "write the rows, a blank and the letter of the player to move, as in RY/.A B"
            )
        if len(fields[1]) != 1 or fields[1] not in letters:
            raise BadPosition(
                text, f"the player to move is one of {', '.join(letters)}, not {fields[1][:12]!r}"
            )
        s.turn = letters.index(fields[1])
    _read_rows(text, fields[0], letters, s)
    kernel.restore(s)


def _read_rows(text: str, board: str, letters: str, s: Any) -> None:
    """Writes the spheres of the rows, which are counted from the anchor among them."""
    if board.count("A") != 1:
        raise BadPosition(text, f"a board has one anchor A, here are {board.count('A')}")
    rows = board.split("/")
    anchor = board[: board.index("A")].count("/")
    left = rows[anchor].index("A")
    for down, row in enumerate(rows):
        for match in re.finditer(r"[^.A]", row) if row.strip(".") else ():
            x, y = match.start() - left, anchor - down
            if match[0] not in letters:
                raise BadPosition(
                    text,
                    f"row {down + 1} from the top has {match[0]!r} in column {match.start() + 1}: "
                    f"use A for the anchor, . for an empty cell and {', '.join(letters)}",
                )
            if abs(x) + abs(y) > kernel.EDGE:
                raise BadPosition(
                    text,
                    f"the sphere on {x},{y} has valence {abs(x) + abs(y)}, "
                    f"and {kernel.EDGE} is the most there is room for",
                )
            s.sphere[rules.cell_at(x, y)] = 8 * int(s.made) + letters.index(match[0]) + 1
            s.made += 1


def write(game: Game, s: Any) -> str:
    """The position as text."""
    letters = {rules.place(cell): rules.LETTERS[seat] for cell, seat in rules.spheres(s).items()}
    letters[0, 0] = "A"
    across, up = [x for x, _ in letters], [y for _, y in letters]
    rows = "/".join(
        "".join(letters.get((x, y), ".") for x in range(min(across), max(across) + 1))
        for y in range(max(up), min(up) - 1, -1)
    )
    return rows if s.turn < 0 else f"{rows} {rules.LETTERS[s.turn]}"


def parse_move(game: Game, s: Any, text: str) -> int:
    """The action that a move text names."""
    match = re.fullmatch(r"([+-]?)([0-9]+)\s*,\s*([+-]?)([0-9]+)", text.strip())
    if not match:
        raise MoveSyntax(text, MOVE_FORM)
    across, up = match[2].lstrip("0") or "0", match[4].lstrip("0") or "0"
    # The longest numbers are not worth reading: they are out of reach.
    if max(len(across), len(up)) > 2 or max(int(across), int(up)) > kernel.REACH:
        raise IllegalMove(
            text,
            write(game, s),
            f"no liberty lies more than {kernel.REACH} steps from the anchor",
        )
    x, y = int(match[1] + across), int(match[3] + up)
    return (y + kernel.REACH) * kernel.WIDTH + x + kernel.REACH


def format_move(game: Game, s: Any, action: int) -> str:
    """The move text of an action."""
    return rules.name(rules.placed(action))
