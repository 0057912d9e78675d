"""Where rooms are stored: what a store must do, and a store in memory for tests and pages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from quincunx.rooms.errors import RequestError
from quincunx.rooms.events import Event, RoomResult, RoomSettings


class Store(Protocol):
    """Keeps rooms, their events and results, and when a server was running.

    A write returns when it is durable: whatever a client was sent survives a crash. A write that
    fails raises RequestError `busy` and stores nothing.
    """

    async def open(self) -> None:
        """Prepares the store for use."""

    async def close(self) -> None:
        """Completes pending writes and releases the store."""

    async def add(self, settings: RoomSettings, events: Sequence[Event] = ()) -> None:
        """Stores a new room with its first events."""

    async def append(self, room_id: str, event: Event, result: RoomResult | None = None) -> None:
        """Stores an event, and the result if it ended the game."""

    async def load(self, room_id: str) -> tuple[RoomSettings, list[Event]] | None:
        """Returns a room and all its events in order; None if there is no such room."""

    async def listed_rooms(
        self, finished: bool | None, game: str, before: int | None, count: int
    ) -> list[tuple[str, str]]:
        """Returns the ids and games of listed rooms created before a time, the newest first.

        `finished` None and `game` "" mean all.
        """

    async def best_scores(
        self, game: str, seed: int | None, options: dict[str, Any], count: int
    ) -> list[RoomResult]:
        """Returns the best fair results of listed solo games with these options."""

    async def recent_results(self, game: str, count: int) -> list[RoomResult]:
        """Returns the latest fair results of a game."""

    async def record_heartbeat(self, time: int) -> None:
        """Stores that the server is running at this time."""

    async def record_start(self, time: int) -> list[tuple[int, int]]:
        """Stores that a server has started; returns all intervals without one, in order."""


class MemoryStore:
    """A store that lasts as long as the object: closing and opening it again loses nothing."""

    def __init__(self) -> None:
        self._rooms: dict[str, RoomSettings] = {}
        self._events: dict[str, dict[int, Event]] = {}  # by room and number
        self._results: dict[str, RoomResult] = {}
        self._heartbeat = 0
        self._absences: list[tuple[int, int]] = []

    async def open(self) -> None:
        """Does nothing: the store is always ready."""

    async def close(self) -> None:
        """Does nothing: nothing is pending."""

    async def add(self, settings: RoomSettings, events: Sequence[Event] = ()) -> None:
        """Stores a new room with its first events."""
        if settings.id in self._rooms:
            raise _not_stored()
        self._rooms[settings.id] = settings
        self._events[settings.id] = {event.number: event for event in events}

    async def append(self, room_id: str, event: Event, result: RoomResult | None = None) -> None:
        """Stores an event, and the result if it ended the game."""
        events = self._events.setdefault(room_id, {})
        if event.number in events:
            raise _not_stored()
        events[event.number] = event
        if result:
            self._results[room_id] = result

    async def load(self, room_id: str) -> tuple[RoomSettings, list[Event]] | None:
        """Returns a room and all its events in order; None if there is no such room."""
        settings = self._rooms.get(room_id)
        if settings is None:
            return None
        return settings, [event for _, event in sorted(self._events[room_id].items())]

    async def listed_rooms(
        self, finished: bool | None, game: str, before: int | None, count: int
    ) -> list[tuple[str, str]]:
        """Returns the ids and games of listed rooms, the newest first."""
        rooms = [
            settings
            for settings in self._rooms.values()
            if settings.listed
            and (finished is None or finished == (settings.id in self._results))
            and (not game or settings.game == game)
            and (before is None or settings.created < before)
        ]
        rooms.sort(key=lambda settings: -settings.created)
        return [(settings.id, settings.game) for settings in rooms[:count]]

    async def best_scores(
        self, game: str, seed: int | None, options: dict[str, Any], count: int
    ) -> list[RoomResult]:
        """Returns the best fair results of listed solo games with these options."""
        results = [
            result
            for result in self._fair_results(game)
            if result.listed and result.options == options and (seed is None or result.seed == seed)
        ]
        return sorted(results, key=lambda result: (-result.best, result.time))[:count]

    async def recent_results(self, game: str, count: int) -> list[RoomResult]:
        """Returns the latest fair results of a game."""
        return sorted(self._fair_results(game), key=lambda result: -result.time)[:count]

    def _fair_results(self, game: str) -> list[RoomResult]:
        return [result for result in self._results.values() if result.fair and result.game == game]

    async def record_heartbeat(self, time: int) -> None:
        """Stores that the server is running at this time."""
        self._heartbeat = time

    async def record_start(self, time: int) -> list[tuple[int, int]]:
        """Stores that a server has started; returns all intervals without one, in order."""
        if self._heartbeat:
            self._absences.append((self._heartbeat, time))
        self._heartbeat = time
        return list(self._absences)


def _not_stored() -> RequestError:
    return RequestError("busy", "the change could not be stored; try again")
