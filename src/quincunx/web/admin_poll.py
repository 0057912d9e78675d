"""What a running server does for `quincunx admin`: it reads bans and commands every few seconds."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from sqlalchemy.exc import SQLAlchemyError

from quincunx.rooms.errors import RequestError
from quincunx.rooms.lobby import Lobby
from quincunx.web import admin
from quincunx.web.bans import Bans
from quincunx.web.database import Database

POLL_SECONDS = 2.0

log = logging.getLogger("quincunx.web")


@asynccontextmanager
async def admin_polling(database: Database, lobby: Lobby, bans: Bans) -> AsyncIterator[None]:
    """Reads bans and commands within this context, the bans once before it starts."""
    await bans.update(await admin.banned_networks(database))
    task = asyncio.create_task(_poll(database, lobby, bans))
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def _poll(database: Database, lobby: Lobby, bans: Bans) -> None:
    reachable = True
    while True:
        await asyncio.sleep(POLL_SECONDS)
        try:
            await bans.update(await admin.banned_networks(database))
            for command, action, room_id in await admin.pending_commands(database):
                answer = await _perform(database, lobby, action, room_id)
                await admin.answer_command(database, command, answer)
            reachable = True
        except (SQLAlchemyError, OSError):
            if reachable:  # once, not every few seconds
                log.exception("reading bans and commands failed")
            reachable = False
        except Exception:
            log.exception("reading bans and commands failed")


async def _perform(database: Database, lobby: Lobby, action: str, room_id: str) -> str:
    """Performs a command; returns its answer."""
    if action not in admin.ACTIONS:
        return f"unknown command {action!r}: the server has another version"
    change = admin.ACTIONS[action]
    try:
        try:
            session = await lobby.session(room_id)
        except (RequestError, ValueError):  # it cannot be read, so it is not in memory
            await change(database, room_id)
            return "done"
        # While its lock is held nobody changes the room, and while it is in memory nobody loads
        # it: whoever comes next finds what is stored now.
        async with session.lock:
            await change(database, room_id)
            session.summarised = session.room.number  # its entry in lists has changed
            lobby.unload(session)
    except RequestError as error:
        return error.text
    except (SQLAlchemyError, OSError):
        raise  # the database does not answer; the command is performed when it does
    except Exception:  # it must not keep the other commands waiting for ever
        log.exception("room %s: %s by the operator failed", room_id, action)
        return "the command failed; the log of the server says why"
    log.warning("room %s: %sd by the operator", room_id, action)
    return "done"
