"""Onoro's texts: `.W/BB w -1,0`, `1,-1`, `0,1>2,-1`."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from quincunx.errors import BadPosition, IllegalMove, MoveSyntax, shorten
from quincunx.game import Game
from quincunx.games.onoro import kernel, rules
from quincunx.games.onoro.rules import Spot

MOVE_FORM = (
    "the cell of a new pawn, such as 1,-1, or the two cells of a moving pawn, such as 0,1>2,-1"
)
FAR = "coordinates reach from -10^15 to 10^15"
PAWNS = "BW"

SIDE = re.compile(r"(?:^|\s)([bw])(?=\s|$)")
CELL = r"\s*(-?[0-9]+)\s*,\s*(-?[0-9]+)\s*"
MOVE = re.compile(f"{CELL}(?:>{CELL})?")


def read(game: Game, text: str, s: Any) -> None:
    """Writes the position of a text over a started one."""
    # Cells are capitals, so a small letter on its own can only be the side to move.
    side = SIDE.search(text)
    if side is None:
        raise BadPosition(
            text, "write the rows with / between, a blank and the side to move, as in .W/BB w -1,0"
        )
    turn = rules.LETTERS.index(side[1])
    left, top = _corner(text, text[side.end() :])
    group = _group(game, text, text[: side.start()])
    _check_counts(game, text, group, turn)
    _check_group(text, group, (left, top))
    _check_lines(text, group, turn)
    x0, y0 = min(x for x, _ in group) - 1, min(y for _, y in group) - 1
    sides = [0, 0]
    for (x, y), seat in group.items():
        sides[seat] |= 1 << (y - y0) * kernel.WIDTH + x - x0
    for seat in range(kernel.SEATS):
        for w in range(4):
            s.pawns[seat, w] = np.uint64(sides[seat] >> 64 * w & 0xFFFFFFFFFFFFFFFF)
    s.origin[0], s.origin[1] = rules.folded(left + x0), rules.folded(top + y0)
    s.turn = turn
    kernel.restore(s)


def _corner(text: str, words: str) -> tuple[int, int]:
    """The coordinates of the top left cell of the text."""
    if not words.strip():
        return 0, 0
    found = re.fullmatch(CELL, words)
    if found is None:
        raise BadPosition(
            text,
            "after the side to move come the coordinates of the top left cell, as in -1,0, "
            f"or nothing, not {shorten(words.strip(), 24)}",
        )
    q, r = (_number(digits) for digits in found.groups())
    if q is None or r is None:
        raise BadPosition(text, FAR)
    return q, r


def _number(text: str) -> int | None:
    """The coordinate, or None past the end of the plane; huge numbers are not even computed."""
    digits = text.lstrip("-0") or "0"
    if len(digits) > len(str(rules.REACH)) or int(digits) > rules.REACH:
        return None
    return -int(digits) if text.startswith("-") else int(digits)


def _group(game: Game, text: str, board: str) -> dict[Spot, int]:
    """The seats of the pawns of a board by column and row, the top left cell being 0, 0."""
    strange = re.search(r"[^BW./\s]", board)
    if strange:
        row = 1 + len(re.findall(r"[/\n]", board[: strange.start()].lstrip()))
        raise BadPosition(text, f"row {row} has {strange[0]!r}: use B, W and . for an empty cell")
    each = int(game.options["pawns"])
    for seat, letter in enumerate(PAWNS):
        if (count := board.count(letter)) > each:
            raise BadPosition(
                text, f"{rules.SEAT_NAMES[seat]} has {count} pawns, and each side has {each}"
            )
    tight = re.sub(r"[^\S\n]+", "", board).strip("\n")
    rows = re.split(r"\n*/\n*|\n+", tight)
    return {
        (x, y): PAWNS.index(letter)
        for y, row in enumerate(rows)
        for x, letter in enumerate(row)
        if letter != "."
    }


def _check_counts(game: Game, text: str, group: dict[Spot, int], turn: int) -> None:
    """Refuses numbers of pawns that never stand on the board with this side to move.

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
            f"has {expected} White, two at least, or all {each} each are placed",
        )


def _check_group(text: str, group: dict[Spot, int], corner: tuple[int, int]) -> None:
    """Refuses pawns that touch fewer than two others, and more than one group."""

    def name(spot: Spot) -> str:
        q, r = (rules.folded(start + along) for start, along in zip(corner, spot, strict=True))
        return f"{q},{r}"

    for spot in group:
        if (touched := rules.touching(spot, group)) < 2:
            which = "no other" if touched == 0 else "only one other"
            raise BadPosition(
                text, f"the pawn on {name(spot)} touches {which}, and it must be two or more"
            )
    if (parts := rules.parts(group)) > 1:
        raise BadPosition(text, f"the pawns are {parts} groups, and they must be one")


def _check_lines(text: str, group: dict[Spot, int], turn: int) -> None:
    """Refuses four in a row of who is to move: it would have ended the game before."""
    sides = [[spot for spot in group if group[spot] == seat] for seat in range(kernel.SEATS)]
    if rules.rows_of_four(sides[turn]):
        both = rules.rows_of_four(sides[1 - turn])
        who = "both sides have" if both else f"{rules.SEAT_NAMES[turn]}, to move, has"
        raise BadPosition(
            text, f"{who} four in a row, and only the side that moved last can have won"
        )


def write(game: Game, s: Any) -> str:
    """The position as text."""
    group = rules.pawns(s)
    columns, rows = [x for x, _ in group], [y for _, y in group]
    left, top = min(columns), min(rows)
    board = "/".join(
        "".join(
            PAWNS[group[x, y]] if (x, y) in group else "." for x in range(left, max(columns) + 1)
        )
        for y in range(top, max(rows) + 1)
    )
    corner = rules.name(s, (left, top))
    return f"{board} {rules.LETTERS[s.turn]}" + (f" {corner}" if corner != "0,0" else "")


def parse_move(game: Game, s: Any, text: str) -> int:
    """The action that a move text names."""
    found = MOVE.fullmatch(text)
    if found is None:
        raise MoveSyntax(text, MOVE_FORM)
    numbers = []
    for digits in found.groups():
        if digits is not None:
            number = _number(digits)
            if number is None:
                raise MoveSyntax(text, FAR)
            numbers.append(number)
    way = [rules.spot_of(s, q, r) for q, r in zip(numbers[::2], numbers[1::2], strict=True)]
    action = 0
    for spot in way:
        cell = rules.cell_of(spot)
        if cell is None:
            # Too far away from the group to have a number.
            against = "the game is over" if s.over else rules.objection(s, int(s.turn), tuple(way))
            raise IllegalMove(text, write(game, s), against)
        action = action * kernel.CELLS + cell
    return action if len(way) == 1 else kernel.CELLS + action


def format_move(game: Game, s: Any, action: int) -> str:
    """The move text of an action."""
    return ">".join(rules.name(s, spot) for spot in rules.spots(action))
