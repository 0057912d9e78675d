"""Wzlz's position texts, such as `...R/.... RGB 10`, and move texts, such as `3,4>4,4`.

In lines98 the next balls have cells: `RGB@3,4;0,1;8,8`.
"""

from __future__ import annotations

import re

from quincunx.contract import Position
from quincunx.errors import BadPosition, MoveSyntax
from quincunx.game import Game
from quincunx.games.wzlz import kernel, rules
from quincunx.phrases import Phrase, quantity

MOVE_FORM = "row,column of the ball > row,column of its target, counted from 0, such as 3,4>4,4"

EMPTY = "."
UNKNOWN = "-"
# Translates the colours on the board to their letters.
LETTER_TABLE = bytes.maketrans(bytes(range(8)), (EMPTY + rules.BALL_LETTERS).encode())
CELL = re.compile("([0-9]{1,4}),([0-9]{1,4})")
MOVE = re.compile("([0-9]+) *, *([0-9]+) *> *([0-9]+) *, *([0-9]+)")


def read(game: Game, text: str, s: Position) -> None:
    """Reads a position text into a position that `start` has initialised."""
    fields = text.split()
    if len(fields) != 3:
        raise BadPosition(
            text,
            "expected the rows separated by /, the next colours or -, and the score, "
            "such as ...R/.... RGB 10",
        )
    board, coming, score = fields
    _read_board(text, board, s)
    _read_coming(text, coming, s)
    _read_score(text, score, s)
    kernel.restore(s)


def _read_board(text: str, board: str, s: Position) -> None:
    rows, cols = int(s.rows), int(s.cols)
    lines = board.split("/")
    if len(lines) != rows:
        raise BadPosition(
            text, f"expected {quantity(rows, 'row')} separated by /, found {len(lines)}"
        )
    letters = EMPTY + rules.BALL_LETTERS[: s.colours]
    number = 0
    for row, line in enumerate(lines):
        if len(line) != cols:
            raise BadPosition(text, f"row {row} has {quantity(len(line), 'cell')}, expected {cols}")
        for letter in line:
            if letter not in letters:
                raise BadPosition(
                    text,
                    f"invalid character {letter!r} in row {row}: "
                    f"expected . or a ball ({' '.join(letters[1:])})",
                )
            s.board[number + row + cols + 2] = letters.index(letter)
            number += 1
    if set(board) <= {EMPTY, "/"}:
        raise BadPosition(text, "the board is empty, expected at least one ball")


def _read_coming(text: str, coming: str, s: Position) -> None:
    """Reads the next balls; `-` leaves none, and `restore` then draws them."""
    s.coming = 0
    if coming == UNKNOWN:
        return
    letters, separator, cells = coming.partition("@")
    allowed = rules.BALL_LETTERS[: s.colours]
    for letter in letters[: kernel.MAX_BALLS_PER_TURN]:
        if letter not in allowed:
            raise BadPosition(
                text,
                f"invalid next ball {letter!r}: expected {' '.join(allowed)}, or - if unknown",
            )
    count, maximum = len(letters), int(s.per_turn)
    if s.lines98:
        if not 1 <= count <= maximum:
            raise BadPosition(text, f"expected 1 to {maximum} next balls, found {count}")
        if not separator and count > sum(ball == EMPTY for ball in text.split()[0]):
            raise BadPosition(text, f"too few empty cells for {count} next balls")
    elif count != maximum:
        raise BadPosition(text, f"expected {maximum} next balls, found {count}")
    elif separator:
        raise BadPosition(text, "next balls have cells only in the variant lines98")
    numbers = _read_cells(text, cells, count, s) if separator else [kernel.NO_CELL] * count
    for i, number in enumerate(numbers):
        s.coming_colour[i] = 1 + allowed.index(letters[i])
        s.coming_cell[i] = number
    s.coming = count


def _read_cells(text: str, cells: str, count: int, s: Position) -> list[int]:
    """Returns the numbers of the announced cells."""
    names = cells.split(";")
    if len(names) != count:
        raise BadPosition(
            text,
            f"expected {quantity(count, 'cell')} of next balls, separated by ;, found {len(names)}",
        )
    numbers = []
    for name in names:
        match = CELL.fullmatch(name)
        if not match or int(match[1]) >= s.rows or int(match[2]) >= s.cols:
            raise BadPosition(
                text,
                f"invalid cell {name[:12]!r} of a next ball: expected row,column "
                f"from 0,0 to {s.rows - 1},{s.cols - 1}",
            )
        numbers.append(int(match[1]) * int(s.cols) + int(match[2]))
    if len(set(numbers)) != count:
        raise BadPosition(text, "two next balls have the same cell")
    return numbers


def _read_score(text: str, score: str, s: Position) -> None:
    maximum = kernel.MAX_SCORE
    # Only lines of three cost points, and only in lines98.
    minimum = -maximum if s.lines98 and s.match == 3 else 0
    if not re.fullmatch("-?[0-9]{1,12}", score) or not minimum <= int(score) <= maximum:
        raise BadPosition(
            text, f"invalid score {score[:12]!r}: expected an integer from {minimum} to {maximum}"
        )
    s.score = int(score)


def write(game: Game, s: Position) -> str:
    """Returns the position text."""
    cols = int(s.cols)
    letters = rules.ball_colours(s).translate(LETTER_TABLE).decode()
    board = "/".join(letters[first : first + cols] for first in range(0, len(letters), cols))
    return f"{board} {_write_coming(s) if s.shown else UNKNOWN} {s.score}"


def _write_coming(s: Position) -> str:
    count, names = int(s.coming), rules.board_of(s).names
    letters = s.coming_colour.tobytes()[:count].translate(LETTER_TABLE).decode()
    if not s.lines98 or not count:
        return letters or UNKNOWN
    return f"{letters}@{';'.join(names[cell] for cell in s.coming_cell.tolist()[:count])}"


def parse_move(game: Game, s: Position, text: str) -> int:
    """Returns the action of a move text."""
    match = MOVE.fullmatch(text.strip())
    if not match:
        raise MoveSyntax(text, MOVE_FORM)
    rows, cols = int(s.rows), int(s.cols)
    numbers = []
    for row, col in (match.group(1, 2), match.group(3, 4)):
        for name, digits, maximum in (("row", row, rows - 1), ("column", col, cols - 1)):
            if len(digits) > 4 or int(digits) > maximum:
                missing = Phrase(f"no_{name}", {name: digits[:12], "maximum": maximum})
                raise game.illegal_move(text, s, missing)
        numbers.append(int(row) * cols + int(col))
    return numbers[0] * rows * cols + numbers[1]


def format_move(game: Game, s: Position, action: int) -> str:
    """Returns the move text of an action."""
    names = rules.board(int(game.options["rows"]), int(game.options["cols"])).names
    origin, target = divmod(action, len(names))
    return f"{names[origin]}>{names[target]}"
