"""How the game of a room ends otherwise than by its rules: a seat gives up, or it is closed."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from quincunx.phrases import Phrase, join, seat_name

ENDING_TEXTS = {
    "resigned": "{seat} resigned",
    "out_of_time": "{seat} ran out of time",
    "resigned_solo": "Given up",
    "out_of_time_solo": "Out of time",
    "default_win": "{winners} wins: {reason}",
    "default_shared": "{winners} share the win: {reason}",
    "closed_by_operator": "Closed by the operator of the server",
    "other_rules": "This game was played by other rules (version {version}) "
    "and cannot be continued",
}
CODES = {"resign": "resigned", "flag": "out_of_time"}  # by the kind of the event


@dataclass(frozen=True)
class Ending:
    """The result of a game that did not end by its rules."""

    scores: tuple[float, ...]
    winners: tuple[int, ...]
    phrase: Phrase
    is_result: bool = True  # False when the game was closed: the scores are those up to then


def closed(scores: Sequence[float], version: int) -> Ending:
    """Returns the ending of a game that the present rules cannot replay; nobody has won it."""
    return Ending(tuple(scores), (), Phrase("other_rules", {"version": version}), False)


def closed_by_operator(scores: Sequence[float]) -> Ending:
    """Returns the ending of a game that the operator has closed: without winners or a result."""
    return Ending(tuple(scores), (), Phrase("closed_by_operator"), False)


def forfeit(scores: Sequence[float], given_up: Collection[int], last: tuple[str, int]) -> Ending:
    """Returns the ending of a game that no person continues.

    `scores` are the current ones, `given_up` all seats that gave up, and `last` is the kind of the
    event by which the last of them did, and its seat. Of two seats the other one wins; of more,
    the best of those that have not given up.
    """
    kind, seat = last
    seats = range(len(scores))
    if len(seats) == 2:
        scores = [float(other != seat) for other in seats]
    others = [other for other in seats if other not in given_up]
    best = max((scores[other] for other in others), default=0.0)
    winners = tuple(other for other in others if scores[other] == best)
    if len(seats) == 1:
        phrase = Phrase(f"{CODES[kind]}_solo")
    else:
        phrase = Phrase(CODES[kind], {"seat": seat_name(seat)})
    if winners:
        code = "default_win" if len(winners) == 1 else "default_shared"
        names = join([seat_name(winner) for winner in winners])
        phrase = Phrase(code, {"winners": names, "reason": phrase})
    return Ending(tuple(scores), winners, phrase)
