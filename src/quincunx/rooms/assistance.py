"""Help during a game: who may get hints and analyses, and for which seat.

A seat that gets help, or takes back a move, is assisted, and the result of its game does not count.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from quincunx.rooms.errors import RequestError
from quincunx.rooms.room import GameRoom

if TYPE_CHECKING:
    from quincunx.rooms.session import RoomSession

HINT = "hint"
ANALYSIS = "analysis"


def check_hint(room: GameRoom, seat: int, own_seats: Sequence[int]) -> None:
    """Raises RequestError unless the seat may move, and all people in the game are one person."""
    if not room.may_move(seat) or room.is_bot(seat):
        raise RequestError("turn", "a hint is possible only on your turn", "seat")
    if not _plays_alone(room, own_seats):
        text = "hints are not allowed in a game with other people"
        raise RequestError("refused", text, "room")


def check_analysis(room: GameRoom, own_seats: Sequence[int]) -> None:
    """Raises RequestError for a running game in which others play than who asks."""
    if room.over or _plays_alone(room, own_seats):
        return
    text = "analysis of a running game with other people is not allowed"
    if not own_seats:
        text = "a running game can be analysed only by the person who plays it"
    raise RequestError("refused", text, "room")


def analysing_seat(room: GameRoom, own_seats: Sequence[int]) -> int | None:
    """Returns the seat for which a person with these seats analyses; None for a spectator."""
    seats = [seat for seat in room.human_seats if seat in own_seats]
    if room.over or not seats:
        return None
    return room.turn if room.turn in seats else seats[0]


async def mark_analysis(session: RoomSession, room: GameRoom, own_seats: Sequence[int]) -> None:
    """Marks the seat for which a player of a running game analyses it; of a spectator, none."""
    seat = analysing_seat(room, own_seats)
    if seat is not None:
        await session.assist(seat, ANALYSIS)


def _plays_alone(room: GameRoom, own_seats: Sequence[int]) -> bool:
    """True when every seat of a person is one of these."""
    return set(room.human_seats).issubset(own_seats)
