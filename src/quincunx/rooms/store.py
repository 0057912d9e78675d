"""Where rooms are stored: what a store must do, and a store in memory for tests and pages."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any, Protocol

from quincunx.rooms.errors import RequestError
from quincunx.rooms.events import Event, ListedRoom, RoomResult, RoomSettings


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
    ) -> list[ListedRoom]:
        """Returns the entries of listed rooms created before a time, the newest first.

        `finished` None and `game` "" mean all.
        """

    async def set_hashes(self, room_id: str, hashes: Sequence[str]) -> None:
        """Replaces the hashes of a room's seats."""

    async def set_summary(self, room_id: str, summary: dict[str, Any]) -> None:
        """Stores the entry of a room in lists."""

    async def quarantine(self, room_id: str, reason: str) -> None:
        """Keeps a room that cannot be read out of lists; an empty reason ends that."""

    async def delete(self, room_id: str) -> None:
        """Deletes a room with its events and its result."""

    async def delete_old(
        self, before_unplayed: int, before: int | None, keep: Collection[str] = ()
    ) -> list[str]:
        """Deletes some of the old rooms but not their results; returns their ids, [] at the end.

        Old are rooms created before `before_unplayed` in which nobody moved, and all rooms whose
        last event was before `before`. The rooms `keep` stay.
        """

    async def count_rooms(self, owner: str, since: int) -> int:
        """Returns the number of rooms that an owner has created since a time."""

    async def has_room(self, owner: str, game: str, seed: int) -> bool:
        """True when an owner has created a room with this game and seed."""

    async def secret(self) -> bytes:
        """Returns 32 random bytes, always the same, from which the host derives its keys."""

    async def ping(self) -> None:
        """Returns when the store answers; raises RequestError `busy` if it does not."""

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

    def __init__(self, secret: bytes = bytes(32)) -> None:
        self._secret = secret
        self._rooms: dict[str, RoomSettings] = {}
        self._events: dict[str, dict[int, Event]] = {}  # by room and number
        self._results: dict[str, RoomResult] = {}
        self._summaries: dict[str, dict[str, Any]] = {}
        self._quarantined: dict[str, str] = {}  # the reason, by room
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
        events = self._events.get(room_id)
        if events is None or event.number in events:  # the room was deleted, or it is another event
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
    ) -> list[ListedRoom]:
        """Returns the entries of listed rooms, the newest first."""
        rooms = [
            settings
            for settings in self._rooms.values()
            if settings.listed
            and settings.id not in self._quarantined
            and (finished is None or finished == (settings.id in self._results))
            and (not game or settings.game == game)
            and (before is None or settings.created < before)
        ]
        rooms.sort(key=lambda settings: -settings.created)
        return [
            ListedRoom(room.id, room.game, room.created, self._summaries.get(room.id))
            for room in rooms[:count]
        ]

    async def set_hashes(self, room_id: str, hashes: Sequence[str]) -> None:
        """Replaces the hashes of a room's seats."""
        if room_id in self._rooms:
            self._rooms[room_id] = replace(self._rooms[room_id], hashes=tuple(hashes))

    async def set_summary(self, room_id: str, summary: dict[str, Any]) -> None:
        """Stores the entry of a room in lists."""
        self._summaries[room_id] = summary

    async def quarantine(self, room_id: str, reason: str) -> None:
        """Keeps a room out of lists, with the reason; an empty reason ends that."""
        if reason:
            self._quarantined[room_id] = reason
        else:
            self._quarantined.pop(room_id, None)

    async def delete(self, room_id: str) -> None:
        """Deletes a room with its events and its result."""
        self._delete(room_id)
        self._results.pop(room_id, None)

    def _delete(self, room_id: str) -> None:
        for rows in (self._rooms, self._events, self._summaries, self._quarantined):
            rows.pop(room_id, None)

    async def delete_old(
        self, before_unplayed: int, before: int | None, keep: Collection[str] = ()
    ) -> list[str]:
        """Deletes the old rooms but not their results; returns their ids."""
        old = []
        for room_id, settings in self._rooms.items():
            events = self._events[room_id].values()
            played = any(event.kind == "play" for event in events)
            last_time = max((event.time for event in events), default=settings.created)
            unused = settings.created < before_unplayed and not played
            if (unused or (before is not None and last_time < before)) and room_id not in keep:
                old.append(room_id)
        for room_id in old:
            self._delete(room_id)
        return old

    async def count_rooms(self, owner: str, since: int) -> int:
        """Returns the number of rooms that an owner has created since a time."""
        rooms = self._rooms.values()
        return sum(room.owner == owner and room.created >= since for room in rooms)

    async def has_room(self, owner: str, game: str, seed: int) -> bool:
        """True when an owner has created a room with this game and seed."""
        wanted = owner, game, seed
        return any((room.owner, room.game, room.seed) == wanted for room in self._rooms.values())

    async def secret(self) -> bytes:
        """Returns the secret that the store was made with."""
        return self._secret

    async def ping(self) -> None:
        """Does nothing: the store always answers."""

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
