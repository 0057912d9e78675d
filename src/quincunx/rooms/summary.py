"""The entry of a room in lists: live from its session, stored when the room is not in memory."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from quincunx.rooms.views import game_fields, player_fields

if TYPE_CHECKING:
    from quincunx.rooms.host import Encode
    from quincunx.rooms.session import RoomSession


def summary(session: RoomSession, encode: Encode) -> dict[str, Any]:
    """Returns the entry of a room as it stands, as plain JSON values."""
    room, settings = session.room, session.room.settings
    entry = {
        "id": settings.id,
        "game": settings.game,
        "title": room.game.title,
        "players": [asdict(player) for player in player_fields(room, session.connected_seats)],
        "plies": room.plies,
        **game_fields(room),
        "winners": room.winners,
        "watchers": len(session.subscriptions),
        "created": settings.created,
        "changed": room.last_event_time,
    }
    plain: dict[str, Any] = json.loads(encode(entry))
    return plain


def unloaded(entry: dict[str, Any]) -> dict[str, Any]:
    """Returns the entry of a room to which nobody is connected."""
    players = [{**player, "here": player["kind"] == "bot"} for player in entry["players"]]
    return {**entry, "players": players, "watchers": 0}
