"""Sphero's position texts, such as `..BG./.BYYR/RAYYY/RYBG.`, and move texts, such as `2,-1`.

With order=turns a position ends with the player to move: `RY/.A B`.
"""

from __future__ import annotations

import re

from quincunx.contract import Position
from quincunx.errors import BadPosition, MoveSyntax
from quincunx.game import Game
from quincunx.games.sphero import kernel, rules
from quincunx.phrases import Phrase

MOVE_FORM = "a cell as x,y from the anchor (right and up are positive), such as 2,-1"


def read(game: Game, text: str, s: Position) -> None:
    """Reads a position text into a position that `start` has initialised."""
    letters = rules.LETTERS[: game.seats]
    fields = text.split()
    if game.options["order"] == "anytime":
        if len(fields) != 1:
            raise BadPosition(text, "expected the rows from the top, separated by /, such as RY/.A")
    else:
        if len(fields) != 2:
            raise BadPosition(
                text,
                "expected the rows, a space and the letter of the player to move, such as RY/.A B",
            )
        if len(fields[1]) != 1 or fields[1] not in letters:
            raise BadPosition(
                text,
                f"invalid player to move {fields[1][:12]!r}: expected one of {', '.join(letters)}",
            )
        s.turn = letters.index(fields[1])
    _read_rows(text, fields[0], letters, s)
    kernel.restore(s)


def _read_rows(text: str, board: str, letters: str, s: Position) -> None:
    """Reads the rows; coordinates are relative to the anchor in them."""
    if board.count("A") != 1:
        raise BadPosition(text, f"expected one anchor A, found {board.count('A')}")
    rows = board.split("/")
    anchor_row = board[: board.index("A")].count("/")
    anchor_column = rows[anchor_row].index("A")
    for number, row in enumerate(rows):
        for match in re.finditer(r"[^.A]", row) if row.strip(".") else ():
            x, y = match.start() - anchor_column, anchor_row - number
            if match[0] not in letters:
                raise BadPosition(
                    text,
                    f"invalid character {match[0]!r} in row {number + 1} from the top, "
                    f"column {match.start() + 1}: expected A for the anchor, . for an empty cell, "
                    f"or a sphere ({', '.join(letters)})",
                )
            if abs(x) + abs(y) > kernel.MAX_VALENCE:
                raise BadPosition(
                    text,
                    f"the sphere on {x},{y} has valence {abs(x) + abs(y)}, "
                    f"but the maximum is {kernel.MAX_VALENCE}",
                )
            s.sphere[rules.cell_at(x, y)] = 8 * int(s.made) + letters.index(match[0]) + 1
            s.made += 1


def write(game: Game, s: Position) -> str:
    """Returns the position text."""
    letters = {
        rules.coordinates(cell): rules.LETTERS[seat] for cell, seat in rules.sphere_seats(s).items()
    }
    letters[0, 0] = "A"
    xs, ys = [x for x, _ in letters], [y for _, y in letters]
    rows = "/".join(
        "".join(letters.get((x, y), ".") for x in range(min(xs), max(xs) + 1))
        for y in range(max(ys), min(ys) - 1, -1)
    )
    return rows if s.turn < 0 else f"{rows} {rules.LETTERS[s.turn]}"


def parse_move(game: Game, s: Position, text: str) -> int:
    """Returns the action of a move text."""
    match = re.fullmatch(r"([+-]?)([0-9]+)\s*,\s*([+-]?)([0-9]+)", text.strip())
    if not match:
        raise MoveSyntax(text, MOVE_FORM)
    x_digits, y_digits = match[2].lstrip("0") or "0", match[4].lstrip("0") or "0"
    limit = kernel.MAX_PLACEMENT_VALENCE
    # Check the lengths first, because int() rejects very long numbers.
    if max(len(x_digits), len(y_digits)) > 2 or max(int(x_digits), int(y_digits)) > limit:
        raise game.illegal_move(text, s, Phrase("too_far", {"steps": limit}))
    x, y = int(match[1] + x_digits), int(match[3] + y_digits)
    return (y + limit) * kernel.ACTION_GRID_SIDE + x + limit


def format_move(game: Game, s: Position, action: int) -> str:
    """Returns the move text of an action."""
    return rules.cell_name(rules.action_cell(action))
