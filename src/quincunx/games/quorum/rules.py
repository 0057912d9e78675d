"""Quorum's options and traits, and the phrases for statuses and illegal moves."""

from __future__ import annotations

from quincunx.boards import SquareBoard
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

BOARD = SquareBoard(8, 8, cell_word="square", row_word="rank")


def squares(bits: int) -> tuple[str, ...]:
    """Returns the names of the squares of a bitboard."""
    return tuple(BOARD.names[square] for square in BOARD.cells(bits))


def movement(action: int) -> tuple[int, int, int] | None:
    """Returns the active, centre and target squares, or None if the target is off the board."""
    direction, active = divmod(action, 64)
    file_step, rank_step = kernel.STEP_FILE[direction], kernel.STEP_RANK[direction]
    file, rank = BOARD.coordinates[active]
    target = BOARD.cell_at(file + 2 * file_step, rank + 2 * rank_step)
    return None if target is None else (active, (active + target) // 2, target)


def reason(s: Position, seat: int, action: int) -> Phrase:
    """Returns why an action is not legal."""
    if action == kernel.PLACE:
        return Phrase("home_full")
    if problem := no_own_stone(s, seat, action % 64):
        return problem
    if (squares_of_movement := movement(action)) is None:
        return Phrase("distance")
    _, centre, target = squares_of_movement
    if not int(s.stones[seat]) >> centre & 1:
        return Phrase("centre", {"square": BOARD.names[centre]})
    return Phrase("target", {"square": BOARD.names[target]})


def no_own_stone(s: Position, seat: int, square: int) -> Phrase | None:
    """Returns why a seat has no stone to move on a square, or None if it has one."""
    if int(s.stones[seat]) >> square & 1:
        return None
    code = "opponent" if int(s.stones[1 - seat]) >> square & 1 else "no_stone"
    return Phrase(code, {"square": BOARD.names[square]})


def cells(before: Position, after: Position, action: int, event: str) -> tuple[str, ...]:
    """Returns the active, centre and target squares of a movement, else the changed squares."""
    if event == "move":
        return tuple(BOARD.names[square] for square in movement(action) or ())
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
