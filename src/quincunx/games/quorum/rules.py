"""Quorum's options, and the English texts for statuses and illegal moves."""

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
        "number of times a position must occur within 64 plies for a draw; 0 = off",
        low=2,
        high=33,  # now and at most 32 times before: the same side is to move every second ply
        extra_values=(0,),
    ),
)

FILES = "abcdefgh"


def square(index: int) -> str:
    """Returns the name of a square, such as e3."""
    return f"{FILES[index % 8]}{index // 8 + 1}"


def index(name: str) -> int:
    """Returns the bit index of a square."""
    return FILES.index(name[0]) + 8 * (int(name[1]) - 1)


def squares(bits: int) -> tuple[str, ...]:
    """Returns the names of the squares of a bitboard."""
    return tuple(square(q) for q in range(64) if bits >> q & 1)


def target(action: int) -> int:
    """Returns the square on which a movement lands."""
    return action % 64 + 2 * _step(action)


def centre(action: int) -> int:
    """Returns the square of the stone that a movement leaps over."""
    return action % 64 + _step(action)


def _step(action: int) -> int:
    """Returns the difference of bit indices from the active stone to the centre."""
    d = action // 64
    return int(kernel.STEP_RANK[d] * 8 + kernel.STEP_FILE[d])


def check(options: Mapping[str, Value]) -> None:
    """Accepts every combination of options."""


def seats(options: Mapping[str, Value]) -> int:
    """Returns the number of players, always two."""
    return kernel.SEATS


def actions(options: Mapping[str, Value]) -> int:
    """Returns the size of the action space: 24 directions from 64 squares, and the placement."""
    return kernel.ACTIONS


def planes(options: Mapping[str, Value]) -> tuple[int, int, int]:
    """Returns the shape of an observation: four planes of the board."""
    return kernel.PLANES


def reason(s: Any, seat: int, action: int) -> str:
    """Returns why an action is not legal."""
    if action == kernel.PLACE:
        return "a placement needs an empty home square, but all four are occupied"
    active_square, centre_square, target_square = action % 64, centre(action), target(action)
    own, other = int(s.stones[seat]), int(s.stones[1 - seat])
    if not own >> active_square & 1:
        occupant = "an opponent's stone" if other >> active_square & 1 else "no stone"
        return f"there is {occupant} on {square(active_square)}; you can move only your own stones"
    if not own >> centre_square & 1:
        return f"the centre {square(centre_square)} must hold one of your own stones"
    return f"the target square {square(target_square)} is not empty"


def cells(before: Any, after: Any, action: int, event: str) -> tuple[str, ...]:
    """Returns the active, centre and target squares of a movement, else the changed squares."""
    if event == "move":
        return square(action % 64), square(centre(action)), square(target(action))
    changed = (before.stones[0] ^ after.stones[0]) | (before.stones[1] ^ after.stones[1])
    return squares(int(changed))


def status(game: Game, s: Any) -> str:
    """Returns whose turn it is, or how the game ended."""
    if not s.over:
        return f"{SEAT_NAMES[s.turn]} to play: leap over one of your stones, or fill your home"
    if s.winner == NOBODY:
        return f"Draw: the same position has occurred {s.repetition} times"
    winner, loser = SEAT_NAMES[s.winner], SEAT_NAMES[1 - s.winner]
    if int(s.stones[s.winner]) & int(kernel.OBJECTIVE) == int(kernel.OBJECTIVE):
        return f"{winner} wins: {winner} holds all four objective squares"
    return f"{winner} wins: {loser} has no legal play"
