"""Wzlz's texts: `........./....R..../... RGB 10`, in lines98 `RGB@3,4;0,1;8,8`, and `3,4>4,4`."""

from __future__ import annotations

import re
from typing import Any

from quincunx.errors import BadPosition, IllegalMove, MoveSyntax
from quincunx.game import Game
from quincunx.games.wzlz import kernel, rules

MOVE_FORM = "row,column of the ball > row,column of its target, counted from 0, such as 3,4>4,4"

EMPTY = "."
UNKNOWN = "-"
# From the colours on the board to their letters.
LETTERS = bytes.maketrans(bytes(range(8)), (EMPTY + rules.BALLS).encode())
CELL = re.compile("([0-9]{1,4}),([0-9]{1,4})")
MOVE = re.compile("([0-9]+) *, *([0-9]+) *> *([0-9]+) *, *([0-9]+)")


def read(game: Game, text: str, s: Any) -> None:
    """Writes the position of a text over a started one."""
    fields = text.split()
    if len(fields) != 3:
        raise BadPosition(
            text,
            "write the rows with / between, a blank, the next colours or -, a blank and the score, "
            "as in ...R/.... RGB 10",
        )
    board, coming, score = fields
    _read_board(text, board, s)
    _read_coming(text, coming, s)
    _read_score(text, score, s)
    kernel.restore(s)


def _read_board(text: str, board: str, s: Any) -> None:
    rows, cols = int(s.rows), int(s.cols)
    lines = board.split("/")
    if len(lines) != rows:
        raise BadPosition(text, f"a board has {rows} rows with / between, here are {len(lines)}")
    letters = EMPTY + rules.BALLS[: s.colours]
    number = 0
    for row, line in enumerate(lines):
        if len(line) != cols:
            raise BadPosition(text, f"row {row} has {len(line)} cells instead of {cols}")
        for letter in line:
            if letter not in letters:
                raise BadPosition(
                    text, f"row {row} has {letter!r}: use . and the balls {' '.join(letters[1:])}"
                )
            s.board[number + row + cols + 2] = letters.index(letter)
            number += 1
    if set(board) <= {EMPTY, "/"}:
        raise BadPosition(text, "a board has at least one ball, or nobody could move")


def _read_coming(text: str, coming: str, s: Any) -> None:
    """The next balls; none for -, which leaves them to chance."""
    s.coming = 0
    if coming == UNKNOWN:
        return
    letters, at, cells = coming.partition("@")
    allowed = rules.BALLS[: s.colours]
    for letter in letters[: kernel.MOST_COMING]:
        if letter not in allowed:
            raise BadPosition(
                text, f"the next balls have {letter!r}: use {' '.join(allowed)}, or - if not known"
            )
    count, most = len(letters), int(s.per_turn)
    if s.lines98:
        if not 1 <= count <= most:
            raise BadPosition(text, f"1 to {most} balls come next, here are {count}")
        if not at and count > sum(ball == EMPTY for ball in text.split()[0]):
            raise BadPosition(text, f"there are not {count} empty cells for the next balls")
    elif count != most:
        raise BadPosition(text, f"{most} balls come next, here are {count}")
    elif at:
        raise BadPosition(text, "only in the variant lines98 the next balls have cells")
    numbers = _read_cells(text, cells, count, s) if at else [kernel.NOWHERE] * count
    for i, number in enumerate(numbers):
        s.coming_colour[i] = 1 + allowed.index(letters[i])
        s.coming_cell[i] = number
    s.coming = count


def _read_cells(text: str, cells: str, count: int, s: Any) -> list[int]:
    """The numbers of the announced cells."""
    names = cells.split(";")
    if len(names) != count:
        raise BadPosition(text, f"{count} next balls have {len(names)} cells, with ; between")
    numbers = []
    for name in names:
        found = CELL.fullmatch(name)
        if not found or int(found[1]) >= s.rows or int(found[2]) >= s.cols:
            raise BadPosition(
                text,
                f"a next ball has the cell {name[:12]!r}: write row and column, "
                f"from 0,0 to {s.rows - 1},{s.cols - 1}",
            )
        numbers.append(int(found[1]) * int(s.cols) + int(found[2]))
    if len(set(numbers)) != count:
        raise BadPosition(text, "two next balls have the same cell")
    return numbers


def _read_score(text: str, score: str, s: Any) -> None:
    most = kernel.MOST_POINTS
    # Only lines of three cost points, and only in lines98.
    least = -most if s.lines98 and s.match == 3 else 0
    if not re.fullmatch("-?[0-9]{1,12}", score) or not least <= int(score) <= most:
        raise BadPosition(text, f"the score is {score[:12]!r}: write an integer, {least} to {most}")
    s.score = int(score)


def write(game: Game, s: Any) -> str:
    """The position as text."""
    cols = int(s.cols)
    letters = rules.balls(s).translate(LETTERS).decode()
    board = "/".join(letters[first : first + cols] for first in range(0, len(letters), cols))
    return f"{board} {_write_coming(s) if s.shown else UNKNOWN} {s.score}"


def _write_coming(s: Any) -> str:
    count, cols = int(s.coming), int(s.cols)
    letters = s.coming_colour[:count].tobytes().translate(LETTERS).decode()
    if not s.lines98 or not count:
        return letters or UNKNOWN
    return f"{letters}@{';'.join(rules.cell(n, cols) for n in s.coming_cell[:count].tolist())}"


def parse_move(game: Game, s: Any, text: str) -> int:
    """The action that a move text names."""
    found = MOVE.fullmatch(text.strip())
    if not found:
        raise MoveSyntax(text, MOVE_FORM)
    rows, cols = int(s.rows), int(s.cols)
    numbers = []
    for row, col in (found.group(1, 2), found.group(3, 4)):
        for name, digits, most in (("row", row, rows - 1), ("column", col, cols - 1)):
            if len(digits) > 4 or int(digits) > most:
                raise IllegalMove(
                    text, write(game, s), f"there is no {name} {digits[:12]}, only 0 to {most}"
                )
        numbers.append(int(row) * cols + int(col))
    return numbers[0] * rows * cols + numbers[1]


def format_move(game: Game, s: Any, action: int) -> str:
    """The move text of an action."""
    cols = int(game.options["cols"])
    origin, target = divmod(action, cols * int(game.options["rows"]))
    return f"{rules.cell(origin, cols)}>{rules.cell(target, cols)}"
