"""Quorum's options and traits, and the phrases for statuses and illegal moves."""

from __future__ import annotations

from quincunx.contract import Position
from quincunx.game import Game
from quincunx.games.quorum import kernel
from quincunx.options import Option
from quincunx.phrases import Phrase, seat_name
from quincunx.position import NOBODY

NAME = "quorum"
SUMMARY = "Leap over your own stones to hold the middle."
SEAT_NAMES = ("White", "Black")
LETTERS = "wb"
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

TEXTS = {
    # Statuses.
    "play": "{seat} to play: leap over one of your stones, or fill your home",
    "play.you": "Your turn: leap over one of your stones, or fill your home",
    "repeated": "Draw: the same position has occurred {times} times",
    "objective": "{winner} wins: {winner} holds all four objective squares",
    "no_play": "{winner} wins: {loser} has no legal play",
    # Reasons.
    "home_full": "a placement needs an empty home square, but all four are occupied",
    "no_stone": "there is no stone on {square}; you can move only your own stones",
    "opponent": "there is an opponent's stone on {square}; you can move only your own stones",
    "centre": "the centre {square} must hold one of your own stones",
    "target": "the target square {square} is not empty",
    "distance": "a stone lands as far beyond its centre as it started before it, "
    "so it moves by 0, 2 or 4 files and 0, 2 or 4 ranks",
}

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


def reason(s: Position, seat: int, action: int) -> Phrase:
    """Returns why an action is not legal."""
    if action == kernel.PLACE:
        return Phrase("home_full")
    active_square, centre_square, target_square = action % 64, centre(action), target(action)
    own, other = int(s.stones[seat]), int(s.stones[1 - seat])
    if not own >> active_square & 1:
        code = "opponent" if other >> active_square & 1 else "no_stone"
        return Phrase(code, {"square": square(active_square)})
    if not own >> centre_square & 1:
        return Phrase("centre", {"square": square(centre_square)})
    return Phrase("target", {"square": square(target_square)})


def cells(before: Position, after: Position, action: int, event: str) -> tuple[str, ...]:
    """Returns the active, centre and target squares of a movement, else the changed squares."""
    if event == "move":
        return square(action % 64), square(centre(action)), square(target(action))
    (white, black), (new_white, new_black) = before.stones.tolist(), after.stones.tolist()
    return squares((white ^ new_white) | (black ^ new_black))


def status(game: Game, s: Position) -> Phrase:
    """Returns whose turn it is, or how the game ended."""
    if not s["over"]:
        return Phrase("play", {"seat": seat_name(int(s["turn"]))})
    if s.winner == NOBODY:
        return Phrase("repeated", {"times": int(s.repetition)})
    winner = int(s.winner)
    if int(s.stones[winner]) & int(kernel.OBJECTIVE) == int(kernel.OBJECTIVE):
        return Phrase("objective", {"winner": seat_name(winner)})
    return Phrase("no_play", {"winner": seat_name(winner), "loser": seat_name(1 - winner)})
