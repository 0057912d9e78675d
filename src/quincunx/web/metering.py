"""The database of a server with counters, so that rooms need not know of them."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from time import perf_counter

from quincunx.rooms.errors import RequestError
from quincunx.rooms.events import Event, RoomResult, RoomSettings
from quincunx.web.database import Database
from quincunx.web.metrics import Metrics


class MeteredDatabase(Database):
    """A database that counts events and failures, and measures how long a write takes."""

    def __init__(self, url: str, metrics: Metrics) -> None:
        super().__init__(url)
        self._metrics = metrics

    async def add(self, settings: RoomSettings, events: Sequence[Event] = ()) -> None:
        """Stores a new room with its first events; returns when they are on disk."""
        try:
            await super().add(settings, events)
        except RequestError:
            self._metrics.database_failures += 1
            raise
        self._metrics.rooms_created += 1

    async def append(self, room_id: str, event: Event, result: RoomResult | None = None) -> None:
        """Stores an event, and the result if it ended the game; returns when it is on disk."""
        started = perf_counter()
        try:
            await super().append(room_id, event, result)
        except RequestError:
            self._metrics.database_failures += 1
            raise
        if self._metrics.event_stored(event.kind, started, perf_counter()):
            # Rooms send an event to their sockets before they wait for anything, so this is
            # called when all events of the same commit have been sent.
            asyncio.get_running_loop().call_soon(self._metrics.events_sent)
