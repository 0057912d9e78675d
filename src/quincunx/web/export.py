"""Stored rooms as files: records of games, and JSON lines with all that is stored but secrets."""

from __future__ import annotations

import json

from quincunx.registry import game as game_named
from quincunx.rooms.room import GameRoom
from quincunx.web import admin
from quincunx.web.database import Database


async def record_text(database: Database, room_id: str) -> str:
    """Returns the game of a room as a record; raises LookupError or ValueError."""
    stored = await database.load(room_id)
    if stored is None:
        raise LookupError("unknown room")
    settings, events = stored
    room = GameRoom(settings, game_named(settings.game, **settings.options))
    for event in events:
        room.apply(event)
    return room.record.text


async def json_line(database: Database, room_id: str) -> str:
    """Returns a room as a line of JSON; raises LookupError."""
    if await database.load(room_id) is None:
        raise LookupError("unknown room")
    return json.dumps(await admin.show_room(database, room_id))
