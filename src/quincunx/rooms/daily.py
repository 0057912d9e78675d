"""The game of the day: one seed for everyone, which nobody can know before the day is over.

The seed of a day follows from a secret of the host, so that it cannot be computed outside, and
differs from game to game, so that one game reveals nothing of another. Days are those of UTC.
While a day lasts, its seed is not shown, not even after the end of a game: whoever knows it can
try out all moves elsewhere. Afterwards it is published, so that everyone can check the games.
"""

from __future__ import annotations

import hmac
from collections.abc import Callable
from datetime import date, datetime, timezone

from quincunx.errors import BadOption
from quincunx.rooms.events import RoomSettings

SEED_BITS = 53  # every JSON reader represents such integers exactly


def day_of(time: int) -> str:
    """Returns the day of a time in milliseconds since 1970, such as 2026-11-17."""
    return datetime.fromtimestamp(time / 1000, timezone.utc).date().isoformat()


class DailyGames:
    """The seeds of the days, and which rooms are played with them."""

    def __init__(self, secret: bytes, now: Callable[[], int]) -> None:
        """Needs the secret of the host, and a function for the milliseconds since 1970."""
        self._secret = secret
        self._now = now

    @property
    def today(self) -> str:
        """The present day."""
        return day_of(self._now())

    def seed(self, game: str, day: str) -> int:
        """Returns the seed of a game on a day, from 0 to 2**53 - 1."""
        digest = hmac.digest(self._secret, f"seed of {game} on {day}".encode(), "sha256")
        return int.from_bytes(digest, "big") >> (256 - SEED_BITS)

    def is_secret(self, game: str, seed: int) -> bool:
        """True when a seed is today's, which must not be shown."""
        return seed == self.seed(game, self.today)

    def day_of_room(self, settings: RoomSettings) -> str:
        """Returns the day whose game is played in a room; empty if it has another seed."""
        day = day_of(settings.created)
        return day if settings.seed == self.seed(settings.game, day) else ""

    def ends_in_time(self, settings: RoomSettings, time: int) -> bool:
        """True when a game that ends at a time ends before its seed is published."""
        return self.day_of_room(settings) in ("", day_of(time))

    def checked_day(self, text: str) -> str:
        """Returns a day in its normal form; raises BadOption if it is not one, or has not begun."""
        try:
            day = date.fromisoformat(text).isoformat()
        except ValueError:
            raise BadOption("date", text, f"expected a day such as {self.today}") from None
        if day > self.today:
            raise BadOption("date", text, f"expected {self.today} or a day before it")
        return day
