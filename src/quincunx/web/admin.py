"""What an operator does to the database, while a server may be using it.

A room in the server's memory must not change behind its back. So `close` and `delete` are given to
a running server through the table `commands`, which it reads every few seconds; without a server
they are performed at once. A table works for every database and from every machine that reaches
it, and needs neither a port nor a password.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any

from sqlalchemy import delete, func, select, update

from quincunx.rooms.errors import RequestError
from quincunx.rooms.upkeep import DAY_MS, HEARTBEAT_MS
from quincunx.web.addresses import Network, parse_network
from quincunx.web.database import Database
from quincunx.web.system import wall_clock
from quincunx.web.tables import BANS, COMMANDS, EVENTS, HEARTBEAT, RESULTS, ROOMS

ABSENT_MS = 3 * HEARTBEAT_MS  # without a heartbeat, after which no server is running
ANSWER_POLL_SECONDS = 0.2


# Rooms


async def list_rooms(
    database: Database,
    game: str = "",
    finished: bool | None = None,
    owner: str = "",
    count: int = 50,
) -> list[dict[str, Any]]:
    """Returns the newest rooms, listed or not, without secrets and seeds."""
    events = select(func.count()).where(EVENTS.c.room == ROOMS.c.id).scalar_subquery()
    columns = [ROOMS.c[name] for name in ("id", "game", "created", "finished", "listed", "owner")]
    query = select(*columns, ROOMS.c.quarantine, events.label("events"))
    query = query.order_by(ROOMS.c.created.desc()).limit(count)
    if game:
        query = query.where(ROOMS.c.game == game)
    if finished is not None:
        query = query.where(ROOMS.c.finished > 0 if finished else ROOMS.c.finished == 0)
    if owner:
        query = query.where(ROOMS.c.owner == owner)
    async with database.engine.connect() as connection:
        return [dict(row._mapping) for row in await connection.execute(query)]


async def room_ids(database: Database) -> list[str]:
    """Returns the ids of all rooms, the oldest first."""
    async with database.engine.connect() as connection:
        return list(
            (await connection.execute(select(ROOMS.c.id).order_by(ROOMS.c.created))).scalars()
        )


async def show_room(database: Database, room_id: str) -> dict[str, Any]:
    """Returns all that is stored of a room but its secrets; raises RequestError if unknown."""
    stored = await database.load(room_id)
    if stored is None:
        raise unknown_room(room_id)
    settings, events = stored
    fields = {name: value for name, value in vars(settings).items() if name != "hashes"}
    async with database.engine.connect() as connection:
        query = select(ROOMS.c.finished, ROOMS.c.quarantine).where(ROOMS.c.id == room_id)
        row = (await connection.execute(query)).one()
        result = select(RESULTS.c.scores, RESULTS.c.winners).where(RESULTS.c.room == room_id)
        results = (await connection.execute(result)).first()
    return {
        **fields,
        **row._mapping,
        "result": results and {name: json.loads(text) for name, text in results._mapping.items()},
        "events": [vars(event) for event in events],
    }


async def close_room(database: Database, room_id: str) -> None:
    """Ends a running game without a result; raises RequestError if there is none."""
    now = wall_clock()
    async with database.engine.begin() as connection:
        query = select(ROOMS.c.finished).where(ROOMS.c.id == room_id)
        finished = (await connection.execute(query)).scalar()
        if finished is None:
            raise unknown_room(room_id)
        if finished:
            raise RequestError("over", f"the game in room {room_id} is over", "room")
        last = select(EVENTS.c.number, EVENTS.c.left).where(EVENTS.c.room == room_id)
        row = (await connection.execute(last.order_by(EVENTS.c.number.desc()).limit(1))).first()
        number, left = (row.number + 1, row.left) if row else (1, "")
        event = {"room": room_id, "number": number, "kind": "close", "text": "", "time": now}
        await connection.execute(EVENTS.insert().values(**event, left=left, position=""))
        # Its entry in lists is made again from the room.
        change = update(ROOMS).where(ROOMS.c.id == room_id).values(finished=now, summary="")
        await connection.execute(change)


async def delete_room(database: Database, room_id: str) -> None:
    """Deletes a room with its events and its result; raises RequestError if it is unknown."""
    if await database.load(room_id) is None:
        raise unknown_room(room_id)
    await database.delete(room_id)


ACTIONS: dict[str, Callable[[Database, str], Awaitable[None]]] = {
    "close": close_room,
    "delete": delete_room,
}


def unknown_room(room_id: str) -> RequestError:
    """Returns the error for a room that is not stored."""
    return RequestError("room", f"unknown room {room_id!r}: `quincunx admin rooms list` lists them")


# Commands


async def perform(database: Database, action: str, room_id: str) -> None:
    """Closes or deletes a room: through the server if one is running; raises RequestError."""
    async with database.engine.begin() as connection:
        if not await _server_is_running(connection):
            inserted = None
        else:
            values = {"action": action, "room": room_id, "answer": ""}
            inserted = (
                await connection.execute(COMMANDS.insert().values(**values))
            ).inserted_primary_key
    if inserted is None:
        await ACTIONS[action](database, room_id)
        return
    answer = await _answer(database, inserted[0])
    if answer is None:  # the server has stopped
        await ACTIONS[action](database, room_id)
    elif answer != "done":
        raise RequestError("refused", answer)


async def _answer(database: Database, command: int) -> str | None:
    """Returns the server's answer to a command; None, and no command, if no server is running."""
    is_mine = COMMANDS.c.id == command
    while True:
        async with database.engine.begin() as connection:
            query = select(COMMANDS.c.answer).where(is_mine)
            answer = (await connection.execute(query)).scalar_one()
            if answer or not await _server_is_running(connection):
                await connection.execute(delete(COMMANDS).where(is_mine))
                return answer or None
        await asyncio.sleep(ANSWER_POLL_SECONDS)


async def _server_is_running(connection: Any) -> bool:
    last = (await connection.execute(select(HEARTBEAT.c.time))).scalar()
    return last is not None and abs(wall_clock() - last) < ABSENT_MS


async def pending_commands(database: Database) -> list[tuple[int, str, str]]:
    """Returns the id, action and room of the commands without an answer, in order."""
    query = select(COMMANDS).where(COMMANDS.c.answer == "").order_by(COMMANDS.c.id)
    async with database.engine.connect() as connection:
        return [(row.id, row.action, row.room) for row in await connection.execute(query)]


async def answer_command(database: Database, command: int, answer: str) -> None:
    """Stores the answer to a command."""
    async with database.engine.begin() as connection:
        change = update(COMMANDS).where(COMMANDS.c.id == command).values(answer=answer)
        await connection.execute(change)


# Bans


async def ban(database: Database, network: Network, days: float | None = None) -> None:
    """Bans a network, for some days or for ever; replaces an earlier ban of the same network."""
    now = wall_clock()
    until = 0 if days is None else now + round(days * DAY_MS)
    async with database.engine.begin() as connection:
        await connection.execute(delete(BANS).where(BANS.c.network == str(network)))
        values = {"network": str(network), "created": now, "until": until}
        await connection.execute(BANS.insert().values(**values))


async def unban(database: Database, network: Network) -> bool:
    """Ends the ban of a network; returns False if it was not banned."""
    async with database.engine.begin() as connection:
        deleted = await connection.execute(delete(BANS).where(BANS.c.network == str(network)))
    return bool(deleted.rowcount)


async def bans(database: Database) -> list[dict[str, Any]]:
    """Returns the bans in force, the newest first."""
    in_force = (BANS.c.until == 0) | (BANS.c.until > wall_clock())
    query = select(BANS).where(in_force).order_by(BANS.c.created.desc())
    async with database.engine.connect() as connection:
        return [dict(row._mapping) for row in await connection.execute(query)]


async def banned_networks(database: Database) -> list[Network]:
    """Returns the networks of the bans in force."""
    return [parse_network(row["network"], "network") for row in await bans(database)]
