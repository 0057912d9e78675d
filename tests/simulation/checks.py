"""What must hold in every run, checked while it runs and at its end.

`Log` is what the disk has of one room, with the true time of every event. Everything that the
server sends is compared with it at the moment at which it is sent, and everything that a client
gets with what it got before.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from quincunx.match import is_human
from quincunx.rooms.events import Event, RoomSettings
from quincunx.rooms.seat_secrets import hash_secret, is_taken
from tests.simulation.storage import Write

ACKNOWLEDGED = "acknowledged means stored"
SENT = "sent means stored"
GAPS = "event numbers have no gaps"
PREFIX = "what a client saw is a prefix of the log"
CLOCKS = "clocks charge nobody for absence"
SEATS = "no seat is moved by another"
LOCKED_OUT = "nobody is locked out of a seat"
READ_BACK = "a room read back equals the room in memory"
MEMORY = "memory is bounded"
ERRORS = "no unexpected error is logged"
ANSWERS = "every request is answered"
PROGRESS = "the game goes on"

# The kinds of events after which another clock may run.
TURN_KINDS = ("play", "undo", "pause", "resume", "resign", "flag")

CLOCK_TOLERANCE_MS = 150  # one check of the clocks, and rounding


class Violation(AssertionError):
    """An invariant that does not hold, and what was seen."""

    def __init__(self, invariant: str, text: str) -> None:
        super().__init__(f"{invariant}: {text}")
        self.invariant = invariant


@dataclass
class Sent:
    """A request of a client for a seat, as it was sent."""

    client: int
    kind: str
    seat: int
    number: int | None
    text: str  # the move or the name
    arrived: float | None = None  # true time at which the server read it


@dataclass
class Log:
    """What is durable of a room, and what its clients have sent."""

    settings: RoomSettings
    live: bool  # anyone may move
    events: list[Event] = field(default_factory=list)
    called: list[float] = field(default_factory=list)  # true time at which the write was called
    received: list[float] = field(default_factory=list)  # true time at which its request came
    moves: list[tuple[tuple[int, str], ...]] = field(default_factory=lambda: [()])  # by number
    owners: dict[int, set[int]] = field(default_factory=dict)  # the clients that may move a seat
    taken: set[int] = field(default_factory=set)  # the seats whose invitation has been used
    sent: list[Sent] = field(default_factory=list)

    @property
    def number(self) -> int:
        return len(self.events)

    def last_change(self, number: int, seat: int) -> int:
        """Returns the last event up to `number` after which an older move of a seat is late."""
        for event in reversed(self.events[:number]):
            own = event.kind == "play" and (not self.live or event.seat == seat)
            if event.kind == "undo" or own:
                return event.number
        return 0


class Checks:
    """The logs of all rooms, the periods in which the server was running, and the checks."""

    def __init__(self) -> None:
        self.violation: Violation | None = None
        self.logs: dict[str, Log] = {}
        self.up: list[list[float]] = []  # true start and end of each period; the last may be open
        self.issued: dict[str, int] = {}  # the client to which a secret was issued, by its hash
        self.counts: dict[str, int] = {}  # what has been checked, to see that runs reach it

    def fail(self, invariant: str, text: str) -> None:
        if self.violation is None:
            self.violation = Violation(invariant, text)

    def count(self, name: str) -> None:
        self.counts[name] = self.counts.get(name, 0) + 1

    # The disk

    def on_durable(self, write: Write, live: bool) -> None:
        """Follows what has become durable."""
        if write.name == "add":
            settings, *rest = write.args
            self.logs[settings.id] = Log(settings, live)
            for event in rest[0] if rest else ():
                self._add(settings.id, event, write)
        elif write.name == "append":
            self._add(write.args[0], write.args[1], write)
        elif write.name == "set_hashes":
            for seat, text in enumerate(write.args[1]):
                if is_taken(text):  # from now on by its owner only
                    owner = self.issued[text.partition(":")[2].partition(",")[0]]
                    self.on_taken(write.args[0], seat, owner)

    def _add(self, room: str, event: Event, write: Write) -> None:
        log = self.logs[room]
        self.count(event.kind)
        if event.number != log.number + 1:
            text = f"room {room}: event {event.number} ({event.kind}) follows {log.number}"
            return self.fail(GAPS, text)
        causes = self._check_cause(room, log, event)
        log.events.append(event)
        log.called.append(write.submitted)
        log.received.append(min([write.submitted, *causes]))
        moves = log.moves[-1]
        if event.kind == "play":
            moves = (*moves, (event.seat or 0, event.text))
        elif event.kind == "undo":
            moves = moves[: int(event.text)]
        log.moves.append(moves)
        if log.settings.clock:
            self._check_clocks(room, log)

    # No seat is moved by another

    def _check_cause(self, room: str, log: Log, event: Event) -> list[float]:
        """Checks that somebody with the seat's secret has requested the event; returns when."""
        seat = event.seat or 0
        given_up = any(e.kind in ("resign", "flag") and e.seat == seat for e in log.events)
        is_bot = not is_human(log.settings.players[seat]) or given_up
        if event.kind == "flag" or (event.kind == "play" and is_bot):
            return []
        if (event.kind, event.text) == ("assisted", "analysis"):  # the request names no seat
            return []
        owners = log.owners.get(seat, set())
        causes = [
            sent.arrived
            for sent in log.sent
            if sent.arrived is not None
            and (sent.client in owners and sent.seat == seat and _may_cause(log, sent, event))
        ]
        if causes:
            return causes
        what = f"{event.kind} {event.text}".strip()
        text = f"room {room}: event {event.number} ({what}) of seat {seat}: nobody with its secret"
        self.fail(SEATS, f"{text} has requested it")
        return []

    # Clocks

    def uptime(self, since: float, until: float) -> float:
        """Returns how long the server was really running between two true times."""
        return sum(max(0.0, min(until, end) - max(since, start)) for start, end in self.up)

    def _check_clocks(self, room: str, log: Log) -> None:
        """Checks that the last event took no more time than the server was running for.

        It counts from the event that has started the clock which was running.
        """
        event, initial = log.events[-1], log.settings.clock
        assert initial is not None
        if event.left is None:
            return
        seats = range(len(log.settings.players))
        before: Sequence[int] = [initial[0] for _ in seats]
        since = log.received[-1]
        for i in range(log.number - 2, -1, -1):
            if log.events[i].kind in TURN_KINDS:
                before, since = log.events[i].left or before, log.received[i]
                break
        allowed = self.uptime(since, log.called[-1]) * 1000 + CLOCK_TOLERANCE_MS
        for seat in seats:
            charged = before[seat] - event.left[seat]
            name = f"room {room}: event {event.number} ({event.kind})"
            if event.left[seat] < 0:
                self.fail(CLOCKS, f"{name}: seat {seat} has {event.left[seat]} ms left")
            if charged > allowed:
                ran = f"of which the server was running for {allowed - CLOCK_TOLERANCE_MS:.0f} ms"
                self.fail(CLOCKS, f"{name}: seat {seat} is charged {charged} ms, {ran}")
            if -charged > (initial[1] if event.kind == "play" else 0):
                self.fail(CLOCKS, f"{name}: seat {seat} gains {-charged} ms")

    # What the server sends

    def on_issued(self, room: str, client: int, message: dict[str, Any]) -> None:
        """Follows who has got which seats and secrets, from a snapshot that is sent to a client."""
        for secret in (message.get("secrets") or {}).values():
            self.issued[hash_secret(secret)] = client
        owners = self.logs[room].owners
        for seat in message["you"]:
            # With an invitation that nobody has used yet, anyone may have come first.
            if seat not in self.logs[room].taken:
                owners.setdefault(seat, set()).add(client)

    def on_taken(self, room: str, seat: int, client: int) -> None:
        """Makes a client the only one that may move a seat."""
        self.logs[room].owners[seat] = {client}
        self.logs[room].taken.add(seat)

    def on_sent(self, text: str) -> dict[str, Any]:
        """Checks that a message has only what is durable; returns it decoded."""
        message: dict[str, Any] = json.loads(text)
        kind = message["type"]
        if kind == "event":
            self._check_event(message)
        elif kind == "room":
            self._check_snapshot(message)
        return message

    def _check_event(self, message: dict[str, Any]) -> None:
        log, number = self.logs[message["room"]], message["number"]
        name = f"room {message['room']}: event {number} ({message['kind']})"
        if number > log.number:
            return self.fail(SENT, f"{name} is sent, but the log ends with {log.number}")
        event = log.events[number - 1]
        moves = log.moves[number]
        stored = event.kind, event.seat, len(moves)
        text = message.get("move") or message.get("name") or message.get("to") or ""
        is_same_text = event.kind not in ("play", "name", "rematch") or text == event.text
        if (message["kind"], message["seat"], message["plies"]) != stored or not is_same_text:
            self.fail(SENT, f"{name} {text!r} is sent, but the log has {event}")

    def _check_snapshot(self, message: dict[str, Any]) -> None:
        log, number = self.logs.get(message["room"]), message["number"]
        name = f"room {message['room']}: a snapshot of {number} events"
        if log is None or number > log.number:
            return self.fail(SENT, f"{name}, but the log has {log.number if log else 'no room'}")
        if tuple((seat, move) for seat, move in message["moves"]) != log.moves[number]:
            self.fail(SENT, f"{name} has {message['moves']}, but the log {log.moves[number]}")

    def on_acknowledged(self, room: str, kind: str, seat: int | None, number: int) -> None:
        """Checks that the event of an acknowledged request is durable."""
        log = self.logs[room]
        what = f"room {room}: {kind} of seat {seat} is acknowledged as event {number}"
        if number > log.number:
            return self.fail(ACKNOWLEDGED, f"{what}, but the log ends with {log.number}")
        event = log.events[number - 1]
        if event.kind not in CAUSED.get(kind, (kind,)):
            self.fail(ACKNOWLEDGED, f"{what}, but the log has {event}")


# The kinds of events that a request makes, where they are not that of the request.
CAUSED = {
    "undo": ("undo", "asked"),
    "hint": ("assisted",),
    "answer": ("answer", "undo", "pause_answer", "pause", "rematch_answer", "rematch"),
    "pause": ("pause", "pause_asked"),
}


def _may_cause(log: Log, sent: Sent, event: Event) -> bool:
    """Returns whether an event may be what was made of a request."""
    if event.kind == "play":
        return (
            sent.kind == "play"
            and sent.text == event.text
            and sent.number is not None
            and log.last_change(log.number, sent.seat) <= sent.number < event.number
        )
    if event.kind == "name":
        return sent.kind == "name" and sent.text == event.text
    return event.kind in CAUSED.get(sent.kind, (sent.kind,))
