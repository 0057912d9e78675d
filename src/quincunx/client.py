"""A client for the rooms of a server: create one, join, play. The messages: `docs/protocol.md`.

with Client("http://127.0.0.1:8200") as client:
    made = client.create("quorum", ["human", "level:2"])
    room = client.join(made["id"], made["secrets"])
    while not room.over:
        if 0 in room.legal:
            room.play(room.legal[0][0], seat=0)
        room.wait()
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from typing import Any, TypeAlias
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

from quincunx.errors import MissingExtra
from quincunx.game import Game, State
from quincunx.registry import game as game_named
from quincunx.rooms.messages import PROTOCOL, RequestError

MAX_ANSWER_BYTES = 16 << 20  # the pictures of a page are large
ANSWER_TIMEOUT_SECONDS = 60.0

# A JSON object; its fields depend on its type (see `docs/protocol.md`).
Message: TypeAlias = dict[str, Any]

Refused = RequestError  # its former name, for programs that import it from here


class Client:
    """A connection to a server: HTTP requests, and one WebSocket with up to eight rooms."""

    def __init__(self, address: str = "http://127.0.0.1:8200") -> None:
        try:
            from websockets.sync.client import connect
        except ImportError as error:
            raise MissingExtra("web", "a connection to a server") from error
        parts = urlsplit(address if "//" in address else f"http://{address}")
        site = parts.netloc + parts.path.rstrip("/")  # with the path under which a proxy serves it
        self.address = f"{parts.scheme}://{site}"
        self._stack = ExitStack()
        scheme = "wss" if parts.scheme == "https" else "ws"
        url = f"{scheme}://{site}/socket"
        self._socket = self._stack.enter_context(
            connect(url, max_size=MAX_ANSWER_BYTES, compression=None)
        )
        self._rooms: dict[str, Room] = {}
        self._last_ref = 0
        self._unread: deque[Message] = deque()  # received while waiting for an answer

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes the connection."""
        self._stack.close()

    def request(self, path: str, body: Mapping[str, object] | None = None) -> Any:
        """Sends a GET, or with a body a POST; returns the content, or raises RequestError."""
        data = None if body is None else json.dumps(body).encode()
        request = Request(self.address + path, data, {"content-type": "application/json"})
        try:
            with urlopen(request, timeout=ANSWER_TIMEOUT_SECONDS) as answer:
                content = answer.read()
                return json.loads(content) if "json" in answer.headers["content-type"] else content
        except HTTPError as error:
            with error:
                fields = json.load(error)
            raise RequestError(fields["error"], fields["text"], fields["where"]) from None

    def create(self, game: str, players: Sequence[str], **more: object) -> Message:
        """Creates a room; returns its `id` and `secrets`, the invitations to its human seats."""
        created: Message = self.request(
            "/api/rooms", {"game": game, "players": list(players), **more}
        )
        return created

    def join(
        self,
        room: str,
        secrets: Mapping[int, str] | Mapping[str, str] | None = None,
        view: str = "moves",
        ack: str = "ok",
    ) -> Room:
        """Joins a room with the secrets of your seats, or without any as a spectator.

        With `ack="event"`, a change is answered by its event instead of `ok`, in one message.

        An invitation can be used once: to join again, use the secrets in the room's `secrets`.
        """
        by_seat = {int(seat): secret for seat, secret in (secrets or {}).items()}
        fields = {"secrets": by_seat, "view": view, "ack": ack, "protocol": PROTOCOL}
        answer = self.ask("join", room=room, **fields)
        joined = self._rooms[room] = Room(self, room)
        issued = {int(seat): secret for seat, secret in answer.pop("secrets", {}).items()}
        joined.secrets = {**by_seat, **issued}
        joined.hear(answer)
        if issued:
            self.ask("confirm", room=room, secrets=issued)
        return joined

    def ask(self, kind: str, **fields: object) -> Message:
        """Sends a message and returns its answer; raises RequestError if that is an error.

        Events that arrive before the answer are applied to their rooms; so is the event that the
        answer acknowledges, which a page gets later, when its picture is drawn.
        """
        self._last_ref += 1
        self.send(kind, ref=self._last_ref, **fields)
        while True:
            message = self._receive(ANSWER_TIMEOUT_SECONDS)
            if message.get("ref") != self._last_ref:
                self._unread.append(message)
            elif message["type"] == "error":
                raise RequestError(message["error"], message["text"], message["where"])
            elif message["type"] == "event":
                self._unread.append(message)
                return message
            else:
                self._wait_for_event(str(fields.get("room")), message)
                return message

    def _wait_for_event(self, room: str, answer: Message) -> None:
        """Receives messages until a room includes the event that an answer acknowledges."""
        joined = self._rooms.get(room)
        number = answer.get("number", 0) if answer["type"] == "ok" else 0
        while joined is not None and joined.number < number:
            self._unread.append(self._receive(ANSWER_TIMEOUT_SECONDS))

    def send(self, kind: str, **fields: object) -> None:
        """Sends a message without waiting for an answer."""
        self._socket.send(json.dumps({"type": kind, **fields}))

    def hear(self, seconds: float | None = None) -> Message:
        """Returns the next message that is not an answer to `ask`; TimeoutError if none arrives."""
        return self._unread.popleft() if self._unread else self._receive(seconds)

    def _receive(self, seconds: float | None) -> Message:
        message: Message = json.loads(self._socket.recv(timeout=seconds))
        kinds = ("event", "here", "unseated")
        if message["type"] in kinds and message["room"] in self._rooms:
            self._rooms[message["room"]].hear(message)
        return message


class Room:
    """The client's view of a room: the fields of the message `room`, updated by later messages."""

    number: int
    moves: list[list[int | str]]
    players: list[Message]
    over: bool
    turn: int | None
    text: str
    status: str
    scores: list[float]

    def __init__(self, client: Client, room: str) -> None:
        self.client = client
        self.id = room
        self.legal: dict[int, list[str]] = {}
        self.secrets: dict[int, str] = {}  # of your own seats, with which to join again
        self.fields: Message = {}

    def hear(self, message: Message) -> None:
        """Updates the fields from a message."""
        if message["type"] == "here":
            self._set_presence(message)
            return
        if message["type"] == "unseated":
            self._lose_seat(message["seat"])
            return
        if message["type"] == "event":
            self._apply_event(message)
        self.fields.update(message)
        self.legal = {int(seat): moves for seat, moves in message.get("legal", {}).items()}

    def _apply_event(self, event: Message) -> None:
        """Updates the fields that an event changes but does not contain."""
        kind, seat = event["kind"], event["seat"]
        if kind == "play":
            self.moves.append([seat, event["move"]])
        elif kind == "undo":
            del self.moves[event["plies"] :]
            self._mark_assisted(seat)
        elif kind == "assisted":
            self._mark_assisted(seat)
        elif kind == "name":
            self.players[seat]["name"] = event["name"]
        elif kind == "rematch":
            self.fields["wishes"] = sorted({*self.fields["wishes"], seat})
            self.fields["rematch"] = event["to"]
        elif kind == "rematch_answer":
            self.fields["wishes"] = []

    def _mark_assisted(self, seat: int) -> None:
        self.fields["fair"] = False
        self.players[seat]["assisted"] = True

    def _set_presence(self, message: Message) -> None:
        seat, here = message["seat"], message["here"]
        self.players[seat]["here"] = here
        self.players[seat]["taken"] |= message.get("taken", False)
        others = set(self.fields["seats_here"]) - {seat}
        self.fields["seats_here"] = sorted({*others, seat} if here else others)

    def _lose_seat(self, seat: int) -> None:
        """Forgets a seat whose invitation another client has used."""
        self.fields["you"] = [own for own in self.fields["you"] if own != seat]
        self.legal.pop(seat, None)
        self.secrets.pop(seat, None)

    def __getattr__(self, name: str) -> Any:
        fields: Message = self.__dict__.get("fields", {})
        if name in fields:
            return fields[name]
        raise AttributeError(f"a room has no field {name!r}; its fields are {', '.join(fields)}")

    @property
    def state(self) -> State:
        """The position, read from its text: its history and its hidden information are unknown."""
        return self.configured.read(self.text)

    @property
    def configured(self) -> Game:
        """The game with the room's options, by the rules by which it is played."""
        game = game_named(self.fields["game"], **self.fields["options"])
        return game.as_played(self.fields.get("rules", 1))  # servers did not always send it

    def play(self, move: str, seat: int) -> None:
        """Plays a move in the last known position; raises RequestError if it is not accepted."""
        self.client.ask("play", room=self.id, seat=seat, move=move, number=self.number)

    def wait(self, seconds: float | None = None) -> Message:
        """Returns the next event of this room, waiting for it unless one is unread."""
        while True:
            message = self.client.hear(seconds)
            if message["type"] == "event" and message["room"] == self.id:
                return message
