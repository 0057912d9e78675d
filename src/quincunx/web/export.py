"""Stored rooms as files: records of games, and JSON lines with all that is stored but secrets."""

from __future__ import annotations

import json

from quincunx.registry import game as game_named
from quincunx.rooms.replay import Divergence, replay
from quincunx.web import admin
from quincunx.web.database import Database


async def record_text(database: Database, room_id: str) -> str:
    """Returns the game of a room as a record; raises RequestError, LookupError or ValueError."""
    stored = await database.load(room_id)
    if stored is None:
        raise admin.unknown_room(room_id)
    settings, events = stored
    try:
        room = replay(settings, events, game_named(settings.game, **settings.options))
    except Divergence as error:
        raise ValueError(str(error)) from error
    return room.record.text


async def json_line(database: Database, room_id: str) -> str:
    """Returns a room as a line of JSON; raises RequestError if unknown."""
    return json.dumps(await admin.show_room(database, room_id))
