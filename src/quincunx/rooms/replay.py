"""Rooms from what is stored of them: the same for new rooms and for those that are loaded."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from quincunx.errors import BadPosition
from quincunx.game import Game
from quincunx.rooms.checksum import position_checksum
from quincunx.rooms.events import Event, RoomSettings
from quincunx.rooms.room import GameRoom


class Divergence(Exception):
    """Replaying the events of a room does not give the game that was played."""


def replay(settings: RoomSettings, events: Sequence[Event], game: Game) -> GameRoom:
    """Returns a room after its events, by the rules by which it was played.

    If `game` cannot be played by them, by its newest. Raises Divergence, or what the game raises
    for a move.
    """
    room = GameRoom(settings, game.as_played(settings.rules))
    for event in events:
        if event.number != room.number + 1:
            raise Divergence(f"event {room.number + 1} is missing")
        room.apply(event)
        if event.checksum is not None and event.checksum != position_checksum(room.state):
            raise Divergence(
                f"event {event.number} leads to {room.state.text}, which is not the position of "
                f"the game as it was played, {event.position}"
            )
    return room


def new_room(
    settings: RoomSettings, moves: Sequence[str], game: Game, stored_game: Game
) -> tuple[GameRoom, list[Event]]:
    """Returns a room after its first moves, read back from what is to be stored, and its events.

    `stored_game` has the options as they are stored. The start is stored in the game's own
    notation if that is the same position, otherwise as it was typed.
    """
    typed = GameRoom(settings, game)
    events = [typed.play_recorded(move, settings.created) for move in moves]
    room = replay(replace(settings, start=typed.match.record.start), events, stored_game)
    if room.state.pack() != typed.state.pack():
        raise BadPosition(settings.start, "the room would not be the same when it is read back")
    return room, events


def last_position(settings: RoomSettings, events: Sequence[Event], game: Game) -> GameRoom | None:
    """Returns a room that cannot be replayed, closed at its last stored position.

    Returns None if there is no such position, or if not even that can be read.
    """
    text = next((event.position for event in reversed(events) if event.position), "")
    if not text:
        return None
    try:
        stored = replace(settings, start=text, clock=None)
        room = GameRoom(stored, game.as_played(settings.rules))
    except Exception:  # whatever a changed game raises
        return None
    room.settings = settings
    for event in events:
        if event.kind in ("name", "rematch"):
            room.apply(event)
    room.number, room.last_event_time = events[-1].number, events[-1].time
    room.close()
    return room
