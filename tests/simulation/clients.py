"""People and programs at the other end of the network: they join, play, and come back.

A client follows its script. By itself it only connects again and joins its rooms again after its
connection has ended, sends again a move that was not answered, joins a rematch, and checks what
it gets.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from random import Random
from typing import TYPE_CHECKING, Any

from tests.simulation import checks
from tests.simulation.checks import Sent
from tests.simulation.network import Socket

if TYPE_CHECKING:
    from tests.simulation.world import World

SEAT_REQUESTS = ("play", "undo", "answer", "resign", "pause", "resume", "rematch", "name", "hint")
SUPERSEDED = ("hint", "analyse", "mistakes")  # one at a time; a new one or `stop` ends it silently
RECONNECT_SECONDS = (0.05, 0.3, 1.0)
MAX_ANSWER_SECONDS = 3.0  # when nothing goes wrong any more


@dataclass
class Membership:
    """What a client wants of a room: its secrets, by seat, and how it looks at the room."""

    secrets: dict[int, str]
    view: str = "moves"
    flip: bool = False

    def texts(self) -> dict[str, str]:
        """Returns the secrets as messages have them."""
        return {str(seat): secret for seat, secret in self.secrets.items()}


@dataclass
class Seen:
    """What a client has seen of a room since it joined it on this connection."""

    number: int
    seats: tuple[int, ...]
    message: dict[str, Any]  # the last one


@dataclass
class Pending:
    """A request without an answer."""

    kind: str
    fields: dict[str, Any]
    time: float


@dataclass
class Client:
    """One client and its connections, one after the other."""

    world: World
    index: int
    random: Random
    socket: Socket | None = None
    away_until: float = 0.0
    wanted: dict[str, Membership] = field(default_factory=dict)  # by room
    seen: dict[str, Seen] = field(default_factory=dict)
    pending: dict[int, Pending] = field(default_factory=dict)  # by ref
    unanswered: list[Pending] = field(default_factory=list)  # moves, when the connection ended
    moves_left: int = 0
    choices: Random = field(default_factory=lambda: Random(0))  # of the moves
    is_ready: bool = False  # the server has accepted the connection

    def __post_init__(self) -> None:
        self._refs = count(1)

    def log(self, text: str) -> None:
        self.world.log(f"client {self.index}", text)

    # The connection

    def connect(self) -> None:
        """Connects, unless the client is connected or away."""
        world = self.world
        if self.socket is not None or world.leaving:
            return
        if world.loop.time() < self.away_until:
            world.later(self.away_until - world.loop.time(), self.connect)
            return
        socket = Socket(world.loop, self.random, self, self._on_server_sent)
        if world.server.accept(socket, self.index):
            self.socket = socket
            self.log("connects")
        else:
            world.later(self.random.choice(RECONNECT_SECONDS), self.connect)

    def on_open(self) -> None:
        self.is_ready = True
        for room in list(self.wanted):
            self.join(room)

    def on_close(self) -> None:
        self.log("is disconnected")
        self.forget_connection()
        self.world.later(self.random.choice(RECONNECT_SECONDS), self.connect)

    def forget_connection(self) -> None:
        """Forgets what belonged to a connection that has ended."""
        self.unanswered += [each for each in self.pending.values() if each.kind == "play"]
        self.pending.clear()
        self.seen.clear()
        self.socket, self.is_ready = None, False

    def leave_network(self, seconds: float, vanish: bool, lost: bool) -> None:
        """Ends the connection from this side, and stays away for a time."""
        if self.socket is None:
            return
        if vanish:
            self.socket.vanish()
        else:
            self.socket.close(lost)
        self.forget_connection()
        self.away_until = self.world.loop.time() + seconds
        self.world.later(seconds, self.connect)

    # Requests

    def request(self, kind: str, **fields: Any) -> None:
        """Sends a request, if the client is connected."""
        if self.socket is None or not self.is_ready or not self.socket.is_open:
            return
        if kind in SUPERSEDED or kind == "stop":
            ended = SUPERSEDED if kind == "stop" else (kind,)
            self.pending = {r: each for r, each in self.pending.items() if each.kind not in ended}
        ref = next(self._refs)
        self.pending[ref] = Pending(kind, fields, self.world.loop.time())
        sent, log = None, self.world.checks.logs.get(fields.get("room", ""))
        if log is not None and kind in SEAT_REQUESTS:
            text = fields.get("move", fields.get("name", ""))
            sent = Sent(self.index, kind, fields["seat"], fields.get("number"), text)
            log.sent.append(sent)
        text = json.dumps({"type": kind, "ref": ref, **fields})
        self.log(f"sends {text}")
        self.socket.write(text, partial(self._on_arrived, sent))

    def _on_arrived(self, sent: Sent | None) -> None:
        if sent is not None:
            sent.arrived = self.world.loop.time()

    def join(self, room: str) -> None:
        member = self.wanted[room]
        self.request("join", room=room, secrets=member.texts(), view=member.view, flip=member.flip)

    def play(self, room: str) -> None:
        """Plays a legal move, if it is the turn of one of the client's seats."""
        seen = self.seen.get(room)
        if seen is None or self.moves_left <= 0 or seen.message["over"] or seen.message["paused"]:
            return
        if any(each.kind == "play" and each.fields["room"] == room
               for each in self.pending.values()):  # fmt: skip
            return
        turn = seen.message["turn"]
        seats = [seat for seat in seen.seats if turn in (None, seat)]
        if not seats:
            return
        seat = self.choices.choice(seats)
        moves = self._legal_moves(room, seen, seat)
        if moves:
            self.moves_left -= 1
            move = self.choices.choice(moves)
            self.request("play", room=room, seat=seat, move=move, number=seen.number)

    def _legal_moves(self, room: str, seen: Seen, seat: int) -> list[str]:
        moves = (seen.message.get("legal") or {}).get(str(seat))
        if isinstance(moves, list):
            return moves
        return self.world.legal_moves(room, seen.message["text"], seat)  # for other views

    # Messages of the server

    def _on_server_sent(self, socket: Socket, text: str) -> dict[str, Any]:
        """Checks a message as it leaves the server; returns it decoded."""
        message = self.world.checks.on_sent(text)
        if message["type"] == "room":
            self.world.checks.on_issued(message["room"], self.index, message)
        if message["type"] == "ok" and socket is self.socket and message["ref"] in self.pending:
            self._on_acknowledged(self.pending[message["ref"]], message.get("number"))
        self.world.stop_on_violation()
        return message

    def _on_acknowledged(self, pending: Pending, number: int | None) -> None:
        room, fields = pending.fields.get("room", ""), pending.fields
        if pending.kind == "confirm":
            for seat in fields["secrets"]:
                self.world.checks.on_taken(room, int(seat), self.index)
        if number is not None:
            self.world.checks.on_acknowledged(room, pending.kind, fields.get("seat"), number)

    def on_message(self, message: dict[str, Any]) -> None:
        kind = message["type"]
        self.log(f"gets {describe(message)}")
        self._settle(message)
        if kind == "room":
            self._on_room(message)
        elif kind == "event":
            self._on_event(message)
        elif kind == "unseated":
            self._lose_seat(message)
        elif kind == "rematched":
            self.wanted[message["to"]] = Membership(
                {int(seat): secret for seat, secret in message["secrets"].items()}
            )
            self.join(message["to"])

    def _lose_seat(self, message: dict[str, Any]) -> None:
        room, seat = message["room"], message["seat"]
        seen = self.seen.get(room)
        if seen is not None:
            seen.seats = tuple(own for own in seen.seats if own != seat)
        if seat in self.wanted.get(room, Membership({})).secrets:
            self.world.checks.fail(checks.LOCKED_OUT, f"client {self.index} loses seat {seat}")

    def _settle(self, message: dict[str, Any]) -> None:
        """Ends the request that a message answers."""
        ref = message.get("ref")
        if ref in self.pending:
            pending = self.pending[ref]
            if message["type"] != "error" and message.get("done") is False:
                pending.time = self.world.loop.time()  # more of it will follow
                return
            del self.pending[ref]
            if pending.kind == "leave":
                self.seen.pop(pending.fields["room"], None)
            if message["type"] == "error" and pending.kind == "join":
                self._join_failed(pending, message)
            elif message["type"] == "room" and pending.kind == "join":
                self._keep_secrets(pending, message)

    def _join_failed(self, pending: Pending, message: dict[str, Any]) -> None:
        room = pending.fields["room"]
        if message["error"] == "busy":
            self._join_again(room)
        elif message["error"] == "secret" and self._has_used_own_secrets(pending):
            text = f"client {self.index} cannot join room {room}: {message['text']}"
            self.world.checks.fail(checks.LOCKED_OUT, text)

    def _join_again(self, room: str) -> None:
        again = self.random.choice(RECONNECT_SECONDS)
        self.world.later(again, lambda: room in self.wanted and self.join(room))

    def _has_used_own_secrets(self, pending: Pending) -> bool:
        member = self.wanted.get(pending.fields["room"])
        return member is not None and pending.fields["secrets"] == member.texts()

    def _keep_secrets(self, pending: Pending, message: dict[str, Any]) -> None:
        """Stores secrets that were issued for invitations, and confirms that."""
        room, issued = pending.fields["room"], message.get("secrets") or {}
        if not self._has_used_own_secrets(pending):
            self._join_again(room)  # it has tried the invitation of another seat
        elif issued:
            self.wanted[room].secrets |= {int(seat): secret for seat, secret in issued.items()}
            self.request("confirm", room=room, secrets=issued)

    def _on_room(self, message: dict[str, Any]) -> None:
        room, number = message["room"], message["number"]
        before = self.seen.get(room)
        if before is not None and number < before.number:
            text = f"client {self.index}: room {room} goes back from {before.number} to {number}"
            self.world.checks.fail(checks.PREFIX, text)
        self.seen[room] = Seen(number, tuple(message["you"]), message)
        self._resend(room)
        self._think(room)

    def _resend(self, room: str) -> None:
        """Sends the moves again of which the answer was lost with the last connection."""
        again = [each for each in self.unanswered if each.fields["room"] == room]
        self.unanswered = [each for each in self.unanswered if each.fields["room"] != room]
        for each in again:
            self.request("play", **each.fields)

    def _on_event(self, message: dict[str, Any]) -> None:
        room, number = message["room"], message["number"]
        seen = self.seen.get(room)
        if seen is None:
            if room not in self.wanted:  # an event that was on its way when it left
                return
            text = f"client {self.index}: event {number} of room {room} comes before the room"
            return self.world.checks.fail(checks.PREFIX, text)
        if number != seen.number + 1:
            text = f"client {self.index}: event {number} of room {room} follows {seen.number}"
            return self.world.checks.fail(checks.PREFIX, text)
        seen.number, seen.message = number, message
        self._react(room, seen)
        self._think(room)

    def _react(self, room: str, seen: Seen) -> None:
        """Answers the requests of others, or does not."""
        message = seen.message
        others = [seat for seat in seen.seats if seat != message["seat"]]
        if not others or self.world.leaving or self.choices.random() < 0.3:
            return
        fields = {"room": room, "seat": others[0]}
        if message["kind"] in ("asked", "pause_asked"):
            yes = self.choices.random() < 0.5
            self.request("answer", yes=yes, number=seen.number, **fields)
        elif message["kind"] == "pause":
            self.world.later(0.5, lambda: room in self.seen and self.request("resume", **fields))
        elif message["kind"] == "rematch" and not message.get("to"):
            self.request("rematch", **fields)

    def _think(self, room: str) -> None:
        if self.moves_left > 0:
            seconds = self.choices.choice((0.0, 0.01, 0.05, 0.2, 0.6))
            self.world.later(seconds, lambda: self.play(room))

    # The end

    def check_answers(self) -> None:
        """Fails if a request has had no answer for too long on a connection that still works."""
        if self.socket is None or not self.socket.is_open:
            return
        for each in self.pending.values():
            waiting = self.world.loop.time() - each.time
            if waiting > MAX_ANSWER_SECONDS:
                text = f"client {self.index} has waited {waiting:.1f} s for {each.kind}"
                self.world.checks.fail(checks.ANSWERS, f"{text} {each.fields}")

    def check_has_seen(self, numbers: dict[str, int]) -> None:
        """Fails if the client is in a room and has not got an event of a moment ago."""
        for room in self.wanted:
            if room not in self.seen:
                text = f"client {self.index} cannot join room {room}"
                self.world.checks.fail(checks.PROGRESS, text)
        for room, seen in self.seen.items():
            number = numbers[room]
            if seen.number < number:
                text = f"client {self.index} has got event {seen.number} of room {room}"
                self.world.checks.fail(checks.PREFIX, f"{text} at the end, but not {number}")


def describe(message: dict[str, Any]) -> str:
    """Returns the fields of a message that say what it is about."""
    names = ("ref", "room", "number", "kind", "seat", "move", "to", "error", "where", "here")
    fields = [f"{name}={message[name]}" for name in names if message.get(name) not in (None, "")]
    return " ".join([message["type"], *fields])
