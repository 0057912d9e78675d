"""Quorum's texts: `4BBBB/5BBB/6BB/7B/W7/WW6/WWW5/WWWW4 w`, `a1e3`, `place`."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import numpy as np

from quincunx.errors import BadPosition, IllegalMove, MoveSyntax
from quincunx.game import Game
from quincunx.games.quorum import kernel, rules

MOVE_FORM = "an active and a target square, such as a1e3, or the word place"

STONES = "WB"


def read(game: Game, text: str, s: Any) -> None:
    """Writes the position of a text over a started one."""
    fields = text.split()
    if len(fields) != 2:
        raise BadPosition(
            text, "write the eight ranks, a blank and the side to move, as in 8/8/.../W7 w"
        )
    board, turn = fields
    if turn not in rules.LETTERS or len(turn) != 1:
        raise BadPosition(text, f"the side to move is w or b, not {turn[:12]!r}")
    ranks = board.split("/")
    if len(ranks) != 8:
        raise BadPosition(text, f"a board has 8 ranks with / between, here are {len(ranks)}")
    stones = [0, 0]
    for rank, row in zip(range(8, 0, -1), ranks, strict=True):
        file = 0
        for letter in row:
            if letter in STONES:
                if file < 8:
                    stones[STONES.index(letter)] |= 1 << (rank - 1) * 8 + file
                file += 1
            elif letter in "12345678":
                file += int(letter)
            else:
                raise BadPosition(text, f"rank {rank} has {letter!r}: use W, B and the digits 1-8")
        if file != 8:
            raise BadPosition(text, f"rank {rank} has {file} squares instead of 8")
    s.stones[0], s.stones[1] = np.uint64(stones[0]), np.uint64(stones[1])
    s.turn = rules.LETTERS.index(turn)
    kernel.restore(s)


def write(game: Game, s: Any) -> str:
    """The position as text."""
    white, black = s["stones"].tolist()
    ranks = (_rank(white >> 8 * rank & 255, black >> 8 * rank & 255) for rank in range(7, -1, -1))
    return f"{'/'.join(ranks)} {rules.LETTERS[s['turn']]}"


@cache
def _rank(white: int, black: int) -> str:
    """The stones of a rank, and how many squares are empty between them."""
    row = "".join("W" if white >> q & 1 else "B" if black >> q & 1 else "." for q in range(8))
    return re.sub(r"\.+", lambda gap: str(len(gap[0])), row)


def parse_move(game: Game, s: Any, text: str) -> int:
    """The action that a move text names."""
    word = text.strip().lower()
    if word == "place":
        return kernel.PLACE
    if not re.fullmatch(r"[a-h][1-8][a-h][1-8]", word):
        raise MoveSyntax(text, MOVE_FORM)
    files = [rules.FILES.index(word[i]) for i in (0, 2)]
    ranks = [int(word[i]) - 1 for i in (1, 3)]
    across, up = files[1] - files[0], ranks[1] - ranks[0]
    if across % 2 or up % 2 or max(abs(across), abs(up)) > 4 or across == up == 0:
        raise IllegalMove(
            text,
            write(game, s),
            "a stone lands as far behind its centre as it stood before it, "
            "so it goes 0, 2 or 4 files and 0, 2 or 4 ranks",
        )
    d = (up // 2 + 2) * 5 + across // 2 + 2
    return (d - (d > 12)) * 64 + ranks[0] * 8 + files[0]


def format_move(game: Game, s: Any, action: int) -> str:
    """The move text of an action."""
    return _spelled(action)


@cache
def _spelled(action: int) -> str:
    """The same in every position."""
    if action == kernel.PLACE:
        return "place"
    return rules.square(action % 64) + rules.square(rules.target(action))
