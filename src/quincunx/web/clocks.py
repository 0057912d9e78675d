"""The clocks of a room: what is left to each seat, whose runs, and since when.

All times are milliseconds. A clock knows no time of its own: it is told what time it is.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any


@dataclass(frozen=True)
class Clocks:
    """What was left to each seat at the time `since`, and whose clock runs from then on."""

    left: tuple[int, ...]
    increment: int = 0
    running: int | None = None
    since: int = 0

    def now(self, time: int) -> tuple[int, ...]:
        """What is left to each seat at a time; never below 0."""
        return tuple(
            max(0, left - self._spent(time)) if seat == self.running else left
            for seat, left in enumerate(self.left)
        )

    def _spent(self, time: int) -> int:
        """How long the clock that runs has run; a time before its start counts as its start."""
        return max(0, time - self.since)

    def due(self, time: int) -> int | None:
        """The seat whose time is up."""
        if self.running is None or self.left[self.running] > self._spent(time):
            return None
        return self.running

    def set(self, left: tuple[int, ...], running: int | None, time: int) -> Clocks:
        """The clocks as they go on from a time."""
        return replace(self, left=left, running=running, since=time)

    def moved(self, seat: int, time: int) -> tuple[int, ...]:
        """What is left when a seat has just moved: its increment is added if its clock ran."""
        left = list(self.now(time))
        if seat == self.running:
            left[seat] += self.increment
        return tuple(left)

    def as_dict(self, time: int) -> dict[str, Any]:
        """For the wire."""
        return {
            "left": list(self.now(time)),
            "running": self.running,
            "increment": self.increment,
        }


def present(since: int, until: int, absences: Iterable[tuple[int, int]]) -> int:
    """How long the server was there between two times, without the absences in between."""
    away = sum(max(0, min(until, end) - max(since, start)) for start, end in absences)
    return max(0, until - since - away)
