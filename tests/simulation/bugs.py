"""Known bugs, put into the server on purpose: the simulation must find each of them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from quincunx.rooms import seat_secrets
from quincunx.rooms.lobby import Lobby
from quincunx.rooms.room import GameRoom
from quincunx.rooms.session import RoomSession
from quincunx.rooms.upkeep import Upkeep
from tests.simulation import checks


@dataclass(frozen=True)
class Bug:
    """A function with a bug, and the invariants of which it violates one."""

    name: str
    owner: type | ModuleType
    method: str
    replacement: Callable[[Any], Any]  # given the method without the bug
    invariants: tuple[str, ...]

    @contextmanager
    def planted(self) -> Iterator[None]:
        """Puts the bug into the server."""
        original = self.owner.__dict__[self.method]
        setattr(self.owner, self.method, self.replacement(original))
        try:
            yield
        finally:
            setattr(self.owner, self.method, original)


def _acknowledge_early(change: Any) -> Any:
    async def change_without_waiting(self: Any, make_event: Any, time: int, *rest: Any) -> Any:
        async with self.locked():
            await self._flag(time)
            event = make_event(self.room, time)
            writing = asyncio.create_task(self._persist(event, *rest))
            writing.add_done_callback(lambda task: task.cancelled() or task.exception())
        return event

    return change_without_waiting


def _skip_a_number(add_event: Any) -> Any:
    def add(self: Any, kind: str, *args: Any, **options: Any) -> Any:
        if kind == "name":
            self.number += 1
        return add_event(self, kind, *args, **options)

    return add


def _broadcast_early(persist: Any) -> Any:
    async def persist_after_sending(self: Any, event: Any, *rest: Any) -> None:
        if not self._broadcaster.is_idle:
            self._broadcaster.publish(self._update(event))
        await persist(self, event, *rest)

    return persist_after_sending


def _stay_ahead_of_the_disk(unload: Any) -> Any:
    def unload_idle_rooms_only(self: Any, session: Any) -> None:
        if not session.lock.locked():  # the room that could not be stored stays as it is
            unload(self, session)

    return unload_idle_rooms_only


def _count_absence(restart_clock: Any) -> Any:
    def restart(self: Any, room: Any, is_new: bool = False) -> None:
        is_read = not is_new and not self.deadlines.remembers(room.settings.id)
        restart_clock(self, room, is_new)
        if is_read and room.clocks and room.clocks.running is not None:
            elapsed = max(0, self._clock.now() - room.last_event_time)
            since = self._clock.uptime() - elapsed
            room.clocks = room.clocks.restart(room.clocks.left, room.clocks.running, since)

    return restart


def _trust_the_seat(seats_of: Any) -> Any:
    return lambda self, subscriber, seat: (seat,)


def _accept_old_invitations(take: Any) -> Any:
    return lambda text, secret: text


def _leave_subscribers_behind(unload: Any) -> Any:
    def unload_without_disconnecting(self: Any, session: Any) -> None:
        subscriptions = dict(session.subscriptions)
        session.subscriptions.clear()
        unload(self, session)
        session.subscriptions.update(subscriptions)

    return unload_without_disconnecting


def _accept_old_numbers(check_not_late: Any) -> Any:
    return lambda self, number, last_change: None


BUGS = (
    Bug("acknowledge before the write", RoomSession, "change", _acknowledge_early,
        (checks.ACKNOWLEDGED,)),
    Bug("skip a number", GameRoom, "_add_event", _skip_a_number, (checks.GAPS,)),
    Bug("broadcast before the commit", RoomSession, "_persist", _broadcast_early, (checks.SENT,)),
    Bug("keep memory ahead of the disk after a failed write", Lobby, "unload",
        _stay_ahead_of_the_disk, (checks.GAPS, checks.READ_BACK, checks.SENT, checks.PREFIX)),
    Bug("charge absence to a clock", Upkeep, "restart_clock", _count_absence, (checks.CLOCKS,)),
    Bug("forget the check of the seat", RoomSession, "seats_of", _trust_the_seat,
        (checks.SEATS,)),
    Bug("accept an invitation that was used", seat_secrets, "take", _accept_old_invitations,
        (checks.SEATS, checks.LOCKED_OUT)),
    Bug("unload a room with clients, and leave them behind", Lobby, "unload",
        _leave_subscribers_behind, (checks.PREFIX, checks.PROGRESS, checks.ANSWERS)),
    Bug("accept a move for an older position", GameRoom, "_check_not_late", _accept_old_numbers,
        (checks.SEATS,)),
)  # fmt: skip
