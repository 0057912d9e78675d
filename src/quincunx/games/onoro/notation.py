"""Onoro's position and move texts.

For example, `.W/BB w -1,0` is a position, `1,-1` places a pawn and `0,1>2,-1` moves one.
"""

from __future__ import annotations

import re

from quincunx.contract import Position
from quincunx.errors import BadPosition, MoveSyntax, shorten
from quincunx.game import Game
from quincunx.games.onoro import kernel, rules
from quincunx.games.onoro.rules import WindowCell
from quincunx.phrases import Phrase

MOVE_FORM = "the cell of a new pawn, such as 1,-1, or the two cells of a move, such as 0,1>2,-1"
COORDINATE_RANGE = "coordinates from -10^15 to 10^15"
PAWN_LETTERS = "BW"

SIDE_TO_MOVE = re.compile(r"(?:^|\s)([bw])(?=\s|$)")
CELL = r"\s*(-?[0-9]+)\s*,\s*(-?[0-9]+)\s*"
MOVE = re.compile(f"{CELL}(?:>{CELL})?")


def read(game: Game, text: str, s: Position) -> None:
    """Writes the position that a text describes into a started position; raises BadPosition."""
    # Pawns are upper case, so a lower-case letter on its own can only be the side to move.
    side = SIDE_TO_MOVE.search(text)
    if side is None:
        raise BadPosition(
            text,
            "expected rows separated by /, a space and the side to move, such as .W/BB w -1,0",
        )
    turn = rules.LETTERS.index(side[1])
    left, top = _read_corner(text, text[side.end() :])
    group = _read_group(game, text, text[: side.start()])
    _check_counts(game, text, group, turn)
    _check_group(text, group, (left, top))
    _check_lines(text, group, turn)
    x0, y0 = min(x for x, _ in group) - 1, min(y for _, y in group) - 1
    bits = [0, 0]
    for (x, y), seat in group.items():
        bits[seat] |= 1 << (y - y0) * kernel.WINDOW_WIDTH + x - x0
    for seat in range(kernel.SEATS):
        for w in range(4):
            s.pawns[seat][w] = bits[seat] >> 64 * w & 0xFFFFFFFFFFFFFFFF
    s.origin[0], s.origin[1] = rules.wrap_coordinate(left + x0), rules.wrap_coordinate(top + y0)
    s.turn = turn
    kernel.restore(s)


def _read_corner(text: str, corner: str) -> tuple[int, int]:
    """Returns the coordinates of the top left cell of the text, 0,0 if none are given."""
    if not corner.strip():
        return 0, 0
    match = re.fullmatch(CELL, corner)
    if match is None:
        raise BadPosition(
            text,
            "expected the coordinates of the top left cell, such as -1,0, "
            f"or nothing after the side to move, not {shorten(corner.strip(), 24)}",
        )
    q, r = (_read_coordinate(digits) for digits in match.groups())
    if q is None or r is None:
        raise BadPosition(text, f"expected {COORDINATE_RANGE}")
    return q, r


def _read_coordinate(text: str) -> int | None:
    """Returns the coordinate, or None if it is out of range; huge numbers are not converted."""
    digits = text.lstrip("-0") or "0"
    limit = rules.MAX_COORDINATE
    if len(digits) > len(str(limit)) or int(digits) > limit:
        return None
    return -int(digits) if text.startswith("-") else int(digits)


def _read_group(game: Game, text: str, board: str) -> dict[WindowCell, int]:
    """Returns the seat of each pawn by column and row; the top left cell of the text is 0, 0."""
    invalid = re.search(r"[^BW./\s]", board)
    if invalid:
        row = 1 + len(re.findall(r"[/\n]", board[: invalid.start()].lstrip()))
        raise BadPosition(
            text, f"row {row} contains {invalid[0]!r}; only B, W and . (an empty cell) are allowed"
        )
    each = int(game.options["pawns"])
    for seat, letter in enumerate(PAWN_LETTERS):
        if (count := board.count(letter)) > each:
            raise BadPosition(
                text, f"{rules.SEAT_NAMES[seat]} has {count} pawns, but each side has only {each}"
            )
    compact = re.sub(r"[^\S\n]+", "", board).strip("\n")
    rows = re.split(r"\n*/\n*|\n+", compact)
    return {
        (x, y): PAWN_LETTERS.index(letter)
        for y, row in enumerate(rows)
        for x, letter in enumerate(row)
        if letter != "."
    }


def _check_counts(game: Game, text: str, group: dict[WindowCell, int], turn: int) -> None:
    """Raises BadPosition if the numbers of pawns cannot occur with this side to move.

    Black begins with two pawns and White with one, and White places first.
    """
    black, white = (list(group.values()).count(seat) for seat in range(kernel.SEATS))
    each = game.options["pawns"]
    if black == white == each:
        return
    expected = "one more pawn than" if turn == kernel.WHITE else "as many pawns as"
    if black != white + (turn == kernel.WHITE) or black < 2:
        raise BadPosition(
            text,
            f"Black has {black} and White {white}, but with {rules.SEAT_NAMES[turn]} to move Black "
            f"must have {expected} White and at least two, or both must have all {each}",
        )


def _check_group(text: str, group: dict[WindowCell, int], corner: tuple[int, int]) -> None:
    """Raises BadPosition if a pawn touches fewer than two others, or there are several groups."""

    def name(cell: WindowCell) -> str:
        q, r = (rules.wrap_coordinate(a + b) for a, b in zip(corner, cell, strict=True))
        return f"{q},{r}"

    for cell in group:
        if (count := rules.count_neighbours(cell, group)) < 2:
            touched = "no other pawn" if count == 0 else "only one other pawn"
            raise BadPosition(
                text, f"the pawn on {name(cell)} touches {touched}; it must touch at least two"
            )
    if (groups := rules.count_groups(group)) > 1:
        raise BadPosition(text, f"the pawns form {groups} groups; they must form one")


def _check_lines(text: str, group: dict[WindowCell, int], turn: int) -> None:
    """Raises BadPosition if the side to move has four in a row: the game would have ended."""
    sides = [[cell for cell in group if group[cell] == seat] for seat in range(kernel.SEATS)]
    if rules.rows_of_four(sides[turn]):
        both = rules.rows_of_four(sides[1 - turn])
        who = "both sides have" if both else f"{rules.SEAT_NAMES[turn]}, to move, has"
        raise BadPosition(
            text, f"{who} four in a row, but only the side that moved last can have won"
        )


def write(game: Game, s: Position) -> str:
    """Returns the text of a position."""
    group = rules.pawns(s)
    columns, rows = [x for x, _ in group], [y for _, y in group]
    left, top = min(columns), min(rows)
    board = "/".join(
        "".join(
            PAWN_LETTERS[group[x, y]] if (x, y) in group else "."
            for x in range(left, max(columns) + 1)
        )
        for y in range(top, max(rows) + 1)
    )
    corner = rules.cell_name(s, (left, top))
    return f"{board} {rules.LETTERS[s.turn]}" + (f" {corner}" if corner != "0,0" else "")


def parse_move(game: Game, s: Position, text: str) -> int:
    """Returns the action of a move text; raises MoveSyntax, or IllegalMove if it has no action."""
    match = MOVE.fullmatch(text)
    if match is None:
        raise MoveSyntax(text, MOVE_FORM)
    numbers = []
    for digits in match.groups():
        if digits is not None:
            number = _read_coordinate(digits)
            if number is None:
                raise MoveSyntax(text, COORDINATE_RANGE)
            numbers.append(number)
    cells = [rules.window_cell(s, q, r) for q, r in zip(numbers[::2], numbers[1::2], strict=True)]
    action = 0
    for cell in cells:
        index = rules.cell_index(cell)
        if index is None:
            # The cell is so far from the group that it has no number.
            raise game.illegal_move(
                text,
                s,
                Phrase("over") if s.over else rules.reason_for_cells(s, int(s.turn), tuple(cells)),
            )
        action = action * kernel.WINDOW_CELLS + index
    return action if len(cells) == 1 else kernel.WINDOW_CELLS + action


def format_move(game: Game, s: Position, action: int) -> str:
    """Returns the move text of an action."""
    return ">".join(rules.cell_name(s, cell) for cell in rules.action_cells(action))
