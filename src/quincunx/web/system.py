"""The time and the randomness of the operating system, for the rooms of a server."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Callable

from quincunx.rooms.messages import MAX_SAFE_INTEGER

MAX_GAP_MS = 1000  # a longer gap between two readings of the uptime does not count


def wall_clock() -> int:
    """Returns the milliseconds since 1970."""
    return time.time_ns() // 1_000_000


def monotonic_clock() -> int:
    """Returns milliseconds that never go back, also while the process is stopped."""
    return time.monotonic_ns() // 1_000_000


class SystemClock:
    """The time of the system, or of other functions that return milliseconds.

    The lobby reads the uptime ten times a second. If it was not read for longer than MAX_GAP_MS,
    then the process was stopped, the machine was asleep or the event loop was blocked: nobody
    could move, and nobody is charged for that time.
    """

    def __init__(
        self,
        now: Callable[[], int] = wall_clock,
        monotonic: Callable[[], int] = monotonic_clock,
    ) -> None:
        self.now = now
        self._monotonic = monotonic
        self._last_reading = monotonic()
        self._uptime = 0

    def uptime(self) -> int:
        """Returns the milliseconds in which the server was running."""
        reading = self._monotonic()
        gap = reading - self._last_reading
        self._last_reading = reading
        if gap <= MAX_GAP_MS:
            self._uptime += gap
        return self._uptime

    async def sleep(self, seconds: float) -> None:
        """Returns after this time."""
        await asyncio.sleep(seconds)


class SystemRandomness:
    """Random values that cannot be predicted."""

    def room_id(self) -> str:
        """Returns the id of a new room, of 72 random bits."""
        while (room_id := secrets.token_urlsafe(9)).startswith("-"):
            pass  # a command would take it for an option
        return room_id

    def secret(self) -> str:
        """Returns the secret of a seat, of 128 random bits."""
        return secrets.token_urlsafe(16)

    def seed(self) -> int:
        """Returns the seed of a game."""
        return secrets.randbelow(MAX_SAFE_INTEGER)
