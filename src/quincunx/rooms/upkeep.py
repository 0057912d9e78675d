"""What a lobby does all the time: it checks clocks, stores heartbeats and unloads idle rooms."""

from __future__ import annotations

import asyncio
import logging
from collections import ChainMap
from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any

from quincunx.rooms.clocks import uptime as uptime_between
from quincunx.rooms.deadlines import Deadlines
from quincunx.rooms.room import GameRoom

if TYPE_CHECKING:
    from quincunx.rooms.lobby import Lobby
    from quincunx.rooms.session import RoomSession

CLOCK_CHECK_SECONDS = 0.1
HEARTBEAT_MS = 5_000  # between two writes of the time at which the server was running
MAX_DRIFT_MS = 1_000  # by more, the system's clock was set or the process was stopped
FLAG_RETRY_MS = 1_000  # after a flag that could not be stored
MAX_FLAG_TASKS = 100  # rooms that are loaded at the same time because their clocks have expired
MAX_DUE = 1000  # expired clocks that are looked at in one check
IDLE_MS = 60_000  # a room that is unused for longer is unloaded
GRACE_MS = 1_000  # a room that was used since then is about to be used again
MAX_SESSIONS = 20_000  # with more in memory, all rooms that are not in use are unloaded
MEMORY_BUDGET = 512 << 20  # bytes of all rooms in memory, as estimated
DELETION_MS = 3_600_000  # between two searches for old rooms
DAY_MS = 86_400_000
UNPLAYED_DAYS = 7  # after which a room in which nobody ever moved is deleted
EVICTED_SHARE = 0.1  # of the budget is freed at once, so that not every new room evicts another

log = logging.getLogger("quincunx.rooms")


class Upkeep:
    """The clocks, the heartbeat and the memory of a lobby's rooms."""

    def __init__(self, lobby: Lobby, memory_budget: int = MEMORY_BUDGET) -> None:
        self.memory_budget = memory_budget
        self.keep_days: int | None = None  # after which any room is deleted; None for never
        self.deadlines = Deadlines()
        self._lobby = lobby
        self._clock = lobby.clock
        self._tasks: dict[str, asyncio.Task[None]] = {}  # by what they do
        self._ticking: asyncio.Task[None] | None = None
        # Before this server was started: intervals without one, and the last sign of the last one.
        self._absences: list[tuple[int, int]] = []
        self._stopped = 0
        self._last_heartbeat = 0  # the time of the latest one, by the system's clock
        self._was_absent = False  # since the last heartbeat, by a jump of the system's clock
        self._memory = 0  # an upper estimate, exact at every heartbeat
        self._evict_above = memory_budget

    async def start(self) -> None:
        """Stores that the server has started, and begins."""
        self._last_heartbeat = self._clock.now()
        absences = await self._lobby.store.record_start(self._last_heartbeat)
        if absences:
            self._stopped = absences.pop()[0]
        self._absences = absences
        self._ticking = asyncio.create_task(self._tick())

    async def stop(self) -> None:
        """Ends the upkeep; waits for the writes that it has begun."""
        if self._ticking is not None:
            self._ticking.cancel()
            await asyncio.gather(self._ticking, return_exceptions=True)
        while self._tasks:
            await asyncio.gather(*self._tasks.values(), return_exceptions=True)

    def run(self, what: str, work: Coroutine[Any, Any, None]) -> None:
        """Runs work that nobody waits for, unless the same is being done; logs its failure."""
        if what in self._tasks:
            work.close()
            return

        async def run() -> None:
            try:
                await work
            except Exception:
                log.exception("%s failed", what)
            finally:
                self._tasks.pop(what, None)

        self._tasks[what] = asyncio.create_task(run())

    async def _tick(self) -> None:
        """Checks the clocks, stores heartbeats and unloads idle rooms, until it is cancelled.

        It never waits for the store: the uptime must be read often.
        """
        now, uptime = self._clock.now(), self._clock.uptime()
        last_heartbeat = last_deletion = uptime
        while True:
            drift = uptime - now
            await self._clock.sleep(CLOCK_CHECK_SECONDS)
            now, uptime = self._clock.now(), self._clock.uptime()
            self._was_absent |= abs(uptime - now - drift) > MAX_DRIFT_MS
            is_heartbeat = uptime - last_heartbeat >= HEARTBEAT_MS
            if is_heartbeat:
                last_heartbeat = uptime
                self.run("storing a heartbeat", self._store_heartbeat(now))
            try:
                self._flag_expired(uptime)
                if is_heartbeat:
                    self._unload_idle(uptime)
                    self._evict()
            except Exception:  # one room must not stop the clocks of all
                log.exception("looking after the rooms failed")
            if uptime - last_deletion >= DELETION_MS:
                last_deletion = uptime
                self.run("deleting old rooms", self._delete_old(now))

    async def _delete_old(self, now: int) -> None:
        """Deletes rooms that are to be kept no longer, some at a time; their results stay."""
        lobby, before = self._lobby, None
        if self.keep_days is not None:
            before = now - self.keep_days * DAY_MS
        in_memory = ChainMap[str, Any](lobby.sessions, lobby.loading)
        while await lobby.store.delete_old(now - UNPLAYED_DAYS * DAY_MS, before, in_memory):
            pass

    async def _store_heartbeat(self, now: int) -> None:
        """Stores that the server is running; if it was stopped, or its clock was set, also that.

        The rooms of this server do not need to know: their clocks use the uptime. The next server
        must not count the time since the last heartbeat.
        """
        if not self._was_absent:
            self._last_heartbeat = max(self._last_heartbeat, now)
            return await self._lobby.store.record_heartbeat(now)
        self._was_absent = False
        try:
            await self._lobby.store.record_start(now)
            self._last_heartbeat = now
        except BaseException:
            self._was_absent = True
            raise

    def event_time(self) -> int:
        """Returns the time with which an event is stored: not before the last heartbeat.

        If the system's clock was set back, the next server would count the time from the event to
        the heartbeat, which never passed.
        """
        return max(self._clock.now(), self._last_heartbeat)

    # Clocks

    def watch_clock(self, room: GameRoom) -> None:
        """Adds the deadline of a room's running clock, if there is one."""
        deadline = room.clocks.deadline if room.clocks and not room.over else None
        if deadline is not None:
            self.deadlines.add(room.settings.id, deadline)

    def restart_clock(self, room: GameRoom, is_new: bool = False) -> None:
        """Sets since when the running clock of a room runs that was read from what is stored.

        If this server has unloaded it, that is known. Otherwise the time counts from its last
        event to the last heartbeat of the server before: nobody could move since then. Both times
        are of the system's clock, and if that was set back nothing counts.
        """
        known = self.deadlines.recall(room.settings.id)
        if room.clocks is None or room.clocks.running is None:
            return
        since = uptime = self._clock.uptime()
        if known is not None:
            since = known.get(room.number, uptime)
        elif not is_new:
            since -= uptime_between(room.last_event_time, self._stopped, self._absences)
        room.clocks = room.clocks.restart(room.clocks.left, room.clocks.running, since)
        self.watch_clock(room)

    def remember_clock(self, session: RoomSession) -> None:
        """Stores since when the clock of a room runs that is about to be unloaded."""
        room = session.room
        if room.clocks is None:
            return
        number, clocks = session.stored_clocks
        is_stopped = room.over or clocks is None or clocks.running is None
        if room.number > number or not is_stopped:
            known = {room.number: room.clocks.since}
            if clocks is not None:
                known[number] = clocks.since
            self.deadlines.remember(room.settings.id, known)

    def _flag_expired(self, uptime: int) -> None:
        """Flags the seats whose time is up.

        Rooms in memory come first: someone may be waiting there, and loading the others takes as
        long as their owner has made it.
        """
        for room_id in self.deadlines.pop_due(uptime, MAX_DUE):
            # Of a room that was unloaded with no clock running, only the deadline was left.
            is_loaded = room_id in self._lobby.sessions
            if not is_loaded and not self.deadlines.remembers(room_id):
                continue
            if is_loaded or len(self._tasks) < MAX_FLAG_TASKS:
                self.run(f"checking the clocks of room {room_id}", self._flag(room_id))
            else:
                self.deadlines.add(room_id, uptime + FLAG_RETRY_MS)

    async def _flag(self, room_id: str) -> None:
        """Flags the seat of a room whose time is up; the room is loaded if necessary."""
        try:
            session = await self._lobby.session(room_id)
            await session.flag()
            self.deadlines.discard(room_id)  # it was added again if the room was loaded
            self.watch_clock(session.room)
        except BaseException as error:
            if getattr(error, "code", "") == "room":  # it was deleted, or cannot be read
                self.deadlines.recall(room_id)
            else:
                self.deadlines.add(room_id, self._clock.uptime() + FLAG_RETRY_MS)
            raise

    # Memory

    def count(self, session: RoomSession) -> None:
        """Counts the memory of a room that was just loaded; unloads others if it is too much."""
        self._memory += session.memory_bytes
        if self._memory > self._evict_above:
            self._evict()

    @property
    def memory_bytes(self) -> int:
        """An estimate of the memory of all rooms in memory."""
        return sum(session.memory_bytes for session in self._lobby.sessions.values())

    def _unload_idle(self, uptime: int) -> None:
        sessions = self._lobby.sessions
        idle_ms = GRACE_MS if len(sessions) > MAX_SESSIONS else IDLE_MS
        for session in list(sessions.values()):
            if not session.in_use and uptime - session.last_used > idle_ms:
                self._lobby.unload(session)

    def _evict(self) -> None:
        """Unloads rooms that are not in use, the least recently used first, to fit the budget."""
        self._memory, uptime = self.memory_bytes, self._clock.uptime()
        if self._memory > self.memory_budget:
            goal = self.memory_budget * (1 - EVICTED_SHARE)
            for session in sorted(self._lobby.sessions.values(), key=lambda each: each.last_used):
                if self._memory <= goal:
                    break
                if not session.in_use and uptime - session.last_used > GRACE_MS:
                    self._memory -= session.memory_bytes
                    self._lobby.unload(session)
        self._evict_above = self.memory_budget
        if self._memory > self.memory_budget:
            # All rooms are in use; looking for others at every new one would be in vain.
            self._evict_above = round(self._memory * (1 + EVICTED_SHARE))
