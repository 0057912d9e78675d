"""The time and the randomness of the operating system, for the rooms of a server."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Callable

from quincunx.rooms.messages import MAX_SAFE_INTEGER


def wall_clock() -> int:
    """Returns the milliseconds since 1970."""
    return time.time_ns() // 1_000_000


class SystemClock:
    """The time of the system, or of another function that returns milliseconds since 1970."""

    def __init__(self, now: Callable[[], int] = wall_clock) -> None:
        self.now = now

    async def sleep(self, seconds: float) -> None:
        """Returns after this time."""
        await asyncio.sleep(seconds)


class SystemRandomness:
    """Random values that cannot be predicted."""

    def room_id(self) -> str:
        """Returns the id of a new room, of 72 random bits."""
        return secrets.token_urlsafe(9)

    def secret(self) -> str:
        """Returns the secret of a seat, of 128 random bits."""
        return secrets.token_urlsafe(16)

    def seed(self) -> int:
        """Returns the seed of a game."""
        return secrets.randbelow(MAX_SAFE_INTEGER)
