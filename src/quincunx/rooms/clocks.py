"""The clocks of a room: the time left to each seat, and which clock is running.

All times are milliseconds, of the host's uptime: time in which nobody could move does not count.
Nothing here reads the time; the methods take it as `time`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from quincunx.rooms.answers import ClockFields


@dataclass(frozen=True)
class Clocks:
    """The time that was left to each seat at `since`, and the seat whose clock runs from then."""

    left: tuple[int, ...]
    increment: int = 0
    running: int | None = None
    since: int = 0

    def left_at(self, time: int) -> tuple[int, ...]:
        """Returns the time left to each seat at `time`, never below 0."""
        return tuple(
            max(0, left - self._elapsed(time)) if seat == self.running else left
            for seat, left in enumerate(self.left)
        )

    def _elapsed(self, time: int) -> int:
        """Returns how long a clock has been running; 0 for a time before it was started."""
        return max(0, time - self.since)

    def expired_seat(self, time: int) -> int | None:
        """Returns the seat whose time is up, or None."""
        if self.running is None or self.left[self.running] > self._elapsed(time):
            return None
        return self.running

    @property
    def deadline(self) -> int | None:
        """The time at which the running clock expires; None if no clock is running."""
        return None if self.running is None else self.since + self.left[self.running]

    def restart(self, left: tuple[int, ...], running: int | None, time: int) -> Clocks:
        """Returns clocks with these times, of which `running` runs from `time` on."""
        return replace(self, left=left, running=running, since=time)

    def left_after_move(self, seat: int, time: int) -> tuple[int, ...]:
        """Returns the time left after a move; the increment is added only to a running clock."""
        left = list(self.left_at(time))
        if seat == self.running:
            left[seat] += self.increment
        return tuple(left)

    def fields(self, time: int) -> ClockFields:
        """Returns the clocks as messages have them."""
        return ClockFields(left=self.left_at(time), running=self.running, increment=self.increment)


def uptime(since: int, until: int, absences: Iterable[tuple[int, int]]) -> int:
    """Returns how long a server was running between two times of the system's clock.

    `absences` are the intervals (start, end) in which none was.
    """
    downtime = sum(max(0, min(until, end) - max(since, start)) for start, end in absences)
    return max(0, until - since - downtime)
