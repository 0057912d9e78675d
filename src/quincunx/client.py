"""A server's rooms from Python: make one, sit down, play. `docs/protocol.md` has the messages.

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
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

from quincunx.errors import MissingExtra
from quincunx.game import Game, State
from quincunx.registry import game as game_named
from quincunx.web.wire import Refused

LARGEST = 16 << 20  # bytes of an answer: pictures are larger than moves
PATIENCE = 60.0  # seconds to wait for an answer


class Client:
    """A connection to a server: requests, and one socket with any number of rooms up to eight."""

    def __init__(self, address: str = "http://127.0.0.1:8200") -> None:
        try:
            from websockets.sync.client import connect
        except ImportError as error:
            raise MissingExtra("web", "a connection to a server") from error
        parts = urlsplit(address if "//" in address else f"http://{address}")
        self.address = f"{parts.scheme}://{parts.netloc}"
        self._stack = ExitStack()
        secure = "wss" if parts.scheme == "https" else "ws"
        self._socket = self._stack.enter_context(
            connect(f"{secure}://{parts.netloc}/socket", max_size=LARGEST, compression=None)
        )
        self._rooms: dict[str, Room] = {}
        self._asked = 0
        self._heard: deque[dict[str, Any]] = deque()

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Hangs up."""
        self._stack.close()

    def request(self, path: str, body: Mapping[str, Any] | None = None) -> Any:
        """What a GET, or with a body a POST, gives; Refused with the server's reason."""
        data = None if body is None else json.dumps(body).encode()
        asked = Request(self.address + path, data, {"content-type": "application/json"})
        try:
            with urlopen(asked, timeout=PATIENCE) as answer:
                content = answer.read()
                return json.loads(content) if "json" in answer.headers["content-type"] else content
        except HTTPError as error:
            with error:
                told = json.load(error)
            raise Refused(told["error"], told["text"], told["where"]) from None

    def create(self, game: str, players: Sequence[str], **more: Any) -> dict[str, Any]:
        """Makes a room: its `id`, and the `secrets` of its human seats."""
        made: dict[str, Any] = self.request(
            "/api/rooms", {"game": game, "players": list(players), **more}
        )
        return made

    def join(
        self, room: str, secrets: Mapping[Any, str] | None = None, view: str = "moves"
    ) -> Room:
        """Looks at a room, with the secrets of the seats that are one's own."""
        given = {str(seat): secret for seat, secret in (secrets or {}).items()}
        answer = self.ask("join", room=room, secrets=given, view=view)
        found = self._rooms[room] = Room(self, room)
        found.hear(answer)
        return found

    def ask(self, kind: str, **fields: Any) -> dict[str, Any]:
        """Sends a message and waits for its answer; Refused if that is an error.

        Events that come before the answer are applied to their rooms.
        """
        self._asked += 1
        self.send(kind, ref=self._asked, **fields)
        while True:
            message = self._receive(PATIENCE)
            if message.get("ref") != self._asked:
                self._heard.append(message)
            elif message["type"] == "error":
                raise Refused(message["error"], message["text"], message["where"])
            else:
                return message

    def send(self, kind: str, **fields: Any) -> None:
        """Sends a message and waits for nothing."""
        self._socket.send(json.dumps({"type": kind, **fields}))

    def hear(self, seconds: float | None = None) -> dict[str, Any]:
        """The next message that answers no question asked here; TimeoutError if none comes."""
        return self._heard.popleft() if self._heard else self._receive(seconds)

    def _receive(self, seconds: float | None) -> dict[str, Any]:
        message: dict[str, Any] = json.loads(self._socket.recv(timeout=seconds))
        if message["type"] in ("event", "here") and message["room"] in self._rooms:
            self._rooms[message["room"]].hear(message)
        return message


class Room:
    """A room as it was last heard of: the fields of the message `room`, and what came since."""

    number: int
    moves: list[Any]
    players: list[dict[str, Any]]
    over: bool
    turn: int | None
    text: str
    status: str
    scores: list[float]

    def __init__(self, client: Client, room: str) -> None:
        self.client = client
        self.id = room
        self.legal: dict[int, list[Any]] = {}
        self.fields: dict[str, Any] = {}

    def hear(self, message: Mapping[str, Any]) -> None:
        """Takes over what a message says."""
        if message["type"] == "here":
            self._come_or_gone(message["seat"], message["here"])
            return
        if message["type"] == "event":
            self._happened(message)
        self.fields.update(message)
        self.legal = {int(seat): moves for seat, moves in message.get("legal", {}).items()}

    def _happened(self, event: Mapping[str, Any]) -> None:
        """Applies what an event changes in fields that it does not carry itself."""
        kind, seat = event["kind"], event["seat"]
        if kind == "play":
            self.moves.append([seat, event["move"]])
        elif kind == "undo":
            del self.moves[event["plies"] :]
        elif kind == "name":
            self.players[seat]["name"] = event["name"]
        elif kind == "rematch":
            self.fields["wishes"] = sorted({*self.fields["wishes"], seat})
            self.fields["rematch"] = event["to"]

    def _come_or_gone(self, seat: int, here: bool) -> None:
        self.players[seat]["here"] = here
        others = set(self.fields["seats_here"]) - {seat}
        self.fields["seats_here"] = sorted({*others, seat} if here else others)

    def __getattr__(self, name: str) -> Any:
        fields: dict[str, Any] = self.__dict__.get("fields", {})
        if name in fields:
            return fields[name]
        raise AttributeError(f"a room has no {name}; it has {', '.join(fields)}")

    @property
    def state(self) -> State:
        """The position, to be searched: what led to it is not known, only how it stands."""
        return self.configured.read(self.text)

    @property
    def configured(self) -> Game:
        """The game with the room's options."""
        return game_named(self.fields["game"], **self.fields["options"])

    def play(self, move: str, seat: int) -> None:
        """Plays a move in the position as it was last heard of; Refused if that cannot be."""
        self.client.ask("play", room=self.id, seat=seat, move=move, number=self.number)

    def wait(self, seconds: float | None = None) -> dict[str, Any]:
        """Waits for the next event of this room, unless one has come since it was asked last."""
        while True:
            message = self.client.hear(seconds)
            if message["type"] == "event" and message["room"] == self.id:
                return message
