"""Quorum's options, and its rules in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from quincunx.game import Game
from quincunx.games.quorum import kernel
from quincunx.options import Option, Value
from quincunx.position import NOBODY

NAME = "quorum"
TITLE = "Quorum"
SEAT_NAMES = ("White", "Black")
LETTERS = "wb"
DRAWS = True
SEARCH = {"explore": 0.03, "horizon": 0}
LEVELS = (
    (21, "alphabeta:nodes=280"),
    (14, "alphabeta:nodes=650"),
    (9, "alphabeta:nodes=1500"),
    (6, "alphabeta:nodes=4000"),
    (4, "alphabeta:nodes=9500"),
    (2, "alphabeta:nodes=28000"),
    (1, "alphabeta:nodes=90000"),
    (0, "alphabeta:time=0.4"),
)

OPTIONS = (
    Option(
        "repetition",
        3,
        "how often a position may stand within 64 plies before the game is drawn; 0 = off",
        low=2,
        high=33,  # every second ply: a position cannot stand more often
        extra_values=(0,),
    ),
)

FILES = "abcdefgh"


def square(index: int) -> str:
    """The name of a square."""
    return f"{FILES[index % 8]}{index // 8 + 1}"


def index(name: str) -> int:
    """The number of a square."""
    return FILES.index(name[0]) + 8 * (int(name[1]) - 1)


def squares(bits: int) -> tuple[str, ...]:
    """The names of the squares of a set."""
    return tuple(square(q) for q in range(64) if bits >> q & 1)


def target(action: int) -> int:
    """The square on which a movement lands."""
    return action % 64 + 2 * _step(action)


def centre(action: int) -> int:
    """The square of the stone that a movement leaps over."""
    return action % 64 + _step(action)


def _step(action: int) -> int:
    d = action // 64
    return int(kernel.STEP_RANK[d] * 8 + kernel.STEP_FILE[d])


def check(options: Mapping[str, Value]) -> None:
    """Any options go together."""


def seats(options: Mapping[str, Value]) -> int:
    """Always two."""
    return kernel.SEATS


def actions(options: Mapping[str, Value]) -> int:
    """24 directions from 64 squares, and the placement."""
    return kernel.ACTIONS


def planes(options: Mapping[str, Value]) -> tuple[int, int, int]:
    """Four planes of the board."""
    return kernel.PLANES


def reason(s: Any, seat: int, action: int) -> str:
    """Why a play is not legal."""
    if action == kernel.PLACE:
        return "a placement needs an empty home square, and all four are taken"
    active, middle, landing = action % 64, centre(action), target(action)
    own, other = int(s.stones[seat]), int(s.stones[1 - seat])
    if not own >> active & 1:
        what = "an opponent's stone" if other >> active & 1 else "no stone"
        return f"there is {what} on {square(active)}, and you move your own"
    if not own >> middle & 1:
        return f"the centre, {square(middle)}, must be your own stone"
    return f"the target square {square(landing)} is not empty"


def cells(before: Any, after: Any, action: int, event: str) -> tuple[str, ...]:
    """Active, centre and target square of a movement; otherwise the squares that changed."""
    if event == "move":
        return square(action % 64), square(centre(action)), square(target(action))
    changed = (before.stones[0] ^ after.stones[0]) | (before.stones[1] ^ after.stones[1])
    return squares(int(changed))


def status(game: Game, s: Any) -> str:
    """Whose turn it is, or how the game ended."""
    if not s.over:
        return f"{SEAT_NAMES[s.turn]} to play: leap over a stone of yours, or fill your home"
    if s.winner == NOBODY:
        return f"Draw: the same position has stood {s.repetition} times"
    winner, loser = SEAT_NAMES[s.winner], SEAT_NAMES[1 - s.winner]
    if int(s.stones[s.winner]) & int(kernel.OBJECTIVE) == int(kernel.OBJECTIVE):
        return f"{winner} wins: all four objective squares are {winner}'s"
    return f"{winner} wins: {loser} has no legal play"
