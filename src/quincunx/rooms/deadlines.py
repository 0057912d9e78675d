"""When the clocks of rooms expire, also of rooms that are not in memory.

All times are milliseconds of the host's uptime.
"""

from __future__ import annotations

from collections.abc import Mapping
from heapq import heappop, heappush


class Deadlines:
    """The rooms whose clocks are running, by the time at which they expire.

    A room may have several entries in the heap, of which only the earliest counts. When it is due,
    the caller looks at the room's clock, which may have been stopped or changed in the meantime.
    """

    def __init__(self) -> None:
        self._heap: list[tuple[int, str]] = []
        self._earliest: dict[str, int] = {}  # by room
        self._clock_starts: dict[str, Mapping[int, int]] = {}  # of rooms that are not in memory

    def __len__(self) -> int:
        return len(self._earliest)

    def add(self, room_id: str, deadline: int) -> None:
        """Adds a room that is due at a time, unless it is due earlier anyway."""
        earliest = self._earliest.get(room_id)
        if earliest is None or deadline < earliest:
            self._earliest[room_id] = deadline
            heappush(self._heap, (deadline, room_id))

    def discard(self, room_id: str) -> None:
        """Removes a room, if it is there."""
        self._earliest.pop(room_id, None)

    def pop_due(self, uptime: int, count: int) -> list[str]:
        """Removes and returns up to `count` rooms that are due."""
        due: list[str] = []
        while self._heap and self._heap[0][0] <= uptime and len(due) < count:
            deadline, room_id = heappop(self._heap)
            if self._earliest.get(room_id) == deadline:
                del self._earliest[room_id]
                due.append(room_id)
        return due

    def remember(self, room_id: str, clock_starts: Mapping[int, int]) -> None:
        """Stores since when the running clock of an unloaded room runs, by its last event.

        If the last write failed, it is not known which event is the last in the store.
        """
        self._clock_starts[room_id] = clock_starts

    def remembers(self, room_id: str) -> bool:
        """True for a room that was unloaded with its clock running."""
        return room_id in self._clock_starts

    def recall(self, room_id: str) -> Mapping[int, int] | None:
        """Removes and returns what `remember` stored; None if the room was not unloaded."""
        return self._clock_starts.pop(room_id, None)
