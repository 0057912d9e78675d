"""The tables of the database, and how rooms, events and results become rows and are read back.

Times are milliseconds since 1970. Options, players, hashes, clock, names, scores, winners and
summaries are JSON; the clocks of an event are numbers separated by commas. A change of a table
needs a migration (`migrations.py`).
"""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Float,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    true,
)

from quincunx.rooms.events import Event, ListedRoom, RoomResult, RoomSettings

METADATA = MetaData()
# One row: the version of the tables. Databases of before it was recorded do not have this table.
SCHEMA = Table(
    "schema_version",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("version", Integer, nullable=False),
)
ROOMS = Table(
    "rooms",
    METADATA,
    Column("id", String(32), primary_key=True),
    Column("game", String(32), nullable=False),
    Column("options", Text, nullable=False),
    Column("seed", BigInteger, nullable=False),
    Column("start", Text, nullable=False),
    Column("players", Text, nullable=False),
    Column("hashes", Text, nullable=False),
    Column("clock", Text, nullable=False),
    Column("pace", Float, nullable=False),
    Column("listed", Boolean, nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("parent", String(32), nullable=False),
    Column("finished", BigInteger, nullable=False),  # when the game ended; 0 if it has not
    Column("rules", Integer, nullable=False, server_default="1"),
    Column("fair", Boolean, nullable=False, server_default=true()),
    Column("owner", String(64), nullable=False, server_default=""),
    Column("summary", Text, nullable=False, server_default=""),  # its entry in lists
    Column("quarantine", Text, nullable=False, server_default=""),  # why it cannot be read
    Index("rooms_by_time", "created"),
    Index("rooms_by_owner", "owner", "created"),
)
EVENTS = Table(
    "events",
    METADATA,
    Column("room", String(32), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("kind", String(16), nullable=False),
    Column("seat", Integer, nullable=True),
    Column("text", Text, nullable=False),
    Column("time", BigInteger, nullable=False),
    Column("left", Text, nullable=False),
    Column("position", Text, nullable=False, server_default=""),
    Column("checksum", BigInteger, nullable=True),
)
RESULTS = Table(
    "results",
    METADATA,
    Column("room", String(32), primary_key=True),
    Column("game", String(32), nullable=False),
    Column("options", Text, nullable=False),
    Column("seed", BigInteger, nullable=False),
    Column("players", Text, nullable=False),
    Column("names", Text, nullable=False),
    Column("scores", Text, nullable=False),
    Column("winners", Text, nullable=False),
    Column("best", Float, nullable=False),  # the score of a solo game
    Column("fair", Boolean, nullable=False),  # from the usual start, and not assisted
    Column("listed", Boolean, nullable=False),
    Column("time", BigInteger, nullable=False),
    Index("results_by_game", "game", "best"),
)
# One row: the time of the last heartbeat, so that clocks do not count the time without a server.
HEARTBEAT = Table(
    "pulse",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("time", BigInteger, nullable=False),
)
# The intervals in which no server was running, in order; one move can span several of them.
ABSENCES = Table(
    "absences",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("since", BigInteger, nullable=False),
    Column("until", BigInteger, nullable=False),
)
# One row: 32 random bytes in hexadecimal digits, from which this server derives its keys.
SECRET = Table(
    "server_secret",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("secret", String(64), nullable=False),
)
# Networks that may not use the server; `until` is 0 for ever.
BANS = Table(
    "bans",
    METADATA,
    Column("network", String(64), primary_key=True),
    Column("created", BigInteger, nullable=False),
    Column("until", BigInteger, nullable=False),
)
# What `quincunx admin` asks the running server to do; `answer` is empty until it is done.
COMMANDS = Table(
    "commands",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("action", String(16), nullable=False),
    Column("room", String(32), nullable=False),
    Column("answer", Text, nullable=False),
)


def options_json(options: dict[str, Any]) -> str:
    """Returns options as JSON, identical for equal options."""
    return json.dumps(options, sort_keys=True)


def room_row(settings: RoomSettings) -> tuple[Any, ...]:
    """Returns the row of a new room, in the order of the columns."""
    fields = {
        **vars(settings),
        "options": options_json(settings.options),
        "players": json.dumps(settings.players),
        "hashes": json.dumps(settings.hashes),
        "clock": json.dumps(settings.clock),
        "finished": 0,
        "summary": "",
        "quarantine": "",
    }
    return tuple(fields[column.name] for column in ROOMS.columns)


def room_settings(row: Any) -> RoomSettings:
    """Returns the settings in the row of a room."""
    clock = json.loads(row.clock)
    return RoomSettings(
        row.id,
        row.game,
        json.loads(row.options),
        row.seed,
        row.start,
        tuple(json.loads(row.players)),
        tuple(json.loads(row.hashes)),
        tuple(clock) if clock else None,
        row.pace,
        row.listed,
        row.created,
        row.parent,
        row.rules,
        row.fair,
        row.owner,
    )


def listed_room(row: Any) -> ListedRoom:
    """Returns the entry of a room in lists; a summary that is not JSON counts as missing."""
    summary = None
    with suppress(ValueError):
        summary = json.loads(row.summary)
    return ListedRoom(row.id, row.game, row.created, summary)


def event_row(room_id: str, event: Event) -> tuple[Any, ...]:
    """Returns the row of an event, in the order of the columns."""
    left = "" if event.left is None else ",".join(map(str, event.left))
    return (
        room_id,
        event.number,
        event.kind,
        event.seat,
        event.text,
        event.time,
        left,
        event.position,
        event.checksum,
    )


def room_event(row: Any) -> Event:
    """Returns the event of a row."""
    left = tuple(int(part) for part in row.left.split(",")) if row.left else None
    return Event(
        row.number, row.kind, row.seat, row.text, row.time, left, row.position, row.checksum
    )


def result_row(result: RoomResult) -> tuple[Any, ...]:
    """Returns the row of a result, in the order of the columns."""
    fields = {
        **vars(result),
        "options": options_json(result.options),
        "players": json.dumps(result.players),
        "names": json.dumps(result.names),
        "scores": json.dumps(result.scores),
        "winners": json.dumps(result.winners),
        "best": result.best,
    }
    return tuple(fields[column.name] for column in RESULTS.columns)


def room_result(row: Any) -> RoomResult:
    """Returns the result of a row."""
    return RoomResult(
        row.room,
        row.game,
        json.loads(row.options),
        row.seed,
        tuple(json.loads(row.players)),
        tuple(json.loads(row.names)),
        tuple(json.loads(row.scores)),
        tuple(json.loads(row.winners)),
        row.fair,
        row.listed,
        row.time,
    )
