"""Quorum's position and move texts.

For example, `4BBBB/5BBB/6BB/7B/W7/WW6/WWW5/WWWW4 w` is a position; `a1e3` and `place` are moves.
"""

from __future__ import annotations

import re
from functools import cache

from quincunx.contract import Position
from quincunx.errors import BadPosition, MoveSyntax
from quincunx.game import Game
from quincunx.games.quorum import kernel, rules
from quincunx.phrases import Phrase

MOVE_FORM = "an active and a target square, such as a1e3, or the word place"

STONE_LETTERS = "WB"


def read(game: Game, text: str, s: Position) -> None:
    """Writes the position that a text describes into a started position; raises BadPosition."""
    fields = text.split()
    if len(fields) != 2:
        raise BadPosition(
            text, "expected eight ranks, a space and the side to move, such as 8/8/.../W7 w"
        )
    board, turn = fields
    if turn not in rules.LETTERS or len(turn) != 1:
        raise BadPosition(text, f"the side to move must be w or b, not {turn[:12]!r}")
    ranks = board.split("/")
    if len(ranks) != 8:
        raise BadPosition(text, f"a board has 8 ranks separated by /, not {len(ranks)}")
    stones = [0, 0]
    for rank, row in zip(range(8, 0, -1), ranks, strict=True):
        file = 0
        for char in row:
            if char in STONE_LETTERS:
                if file < 8:
                    stones[STONE_LETTERS.index(char)] |= 1 << (rank - 1) * 8 + file
                file += 1
            elif char in "12345678":
                file += int(char)
            else:
                raise BadPosition(
                    text, f"rank {rank} contains {char!r}; only W, B and the digits 1-8 are allowed"
                )
        if file != 8:
            raise BadPosition(text, f"rank {rank} has {file} squares instead of 8")
    s.stones[0], s.stones[1] = stones
    s.turn = rules.LETTERS.index(turn)
    kernel.restore(s)


def write(game: Game, s: Position) -> str:
    """Returns the text of a position."""
    white, black = s["stones"].tolist()
    ranks = (_rank(white >> 8 * rank & 255, black >> 8 * rank & 255) for rank in range(7, -1, -1))
    return f"{'/'.join(ranks)} {rules.LETTERS[s['turn']]}"


@cache
def _rank(white: int, black: int) -> str:
    """Returns the text of a rank: letters for stones, digits for runs of empty squares."""
    row = "".join("W" if white >> q & 1 else "B" if black >> q & 1 else "." for q in range(8))
    return re.sub(r"\.+", lambda gap: str(len(gap[0])), row)


def parse_move(game: Game, s: Position, text: str) -> int:
    """Returns the action of a move text; raises MoveSyntax, or IllegalMove if no leap fits."""
    move = text.strip().lower()
    if move == "place":
        return kernel.PLACE
    if not re.fullmatch(r"[a-h][1-8][a-h][1-8]", move):
        raise MoveSyntax(text, MOVE_FORM)
    files = [rules.FILES.index(move[i]) for i in (0, 2)]
    ranks = [int(move[i]) - 1 for i in (1, 3)]
    file_change, rank_change = files[1] - files[0], ranks[1] - ranks[0]
    if (
        file_change % 2
        or rank_change % 2
        or max(abs(file_change), abs(rank_change)) > 4
        or file_change == rank_change == 0
    ):
        raise game.illegal_move(text, s, Phrase("distance"))
    grid_index = (rank_change // 2 + 2) * 5 + file_change // 2 + 2
    return (grid_index - (grid_index > 12)) * 64 + ranks[0] * 8 + files[0]


def format_move(game: Game, s: Position, action: int) -> str:
    """Returns the move text of an action."""
    return _move_text(action)


@cache
def _move_text(action: int) -> str:
    """Returns the move text of an action, which does not depend on the position."""
    if action == kernel.PLACE:
        return "place"
    return rules.square(action % 64) + rules.square(rules.target(action))
