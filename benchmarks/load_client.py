"""A client that leaves the machine to the server: hundreds of players in one loop over raw sockets.

Both servers of `web_load.py` are put under load by the same loop. Frames are masked with zeros,
which is allowed and takes no time, and of the answers only the needed fields are decoded.
"""

from __future__ import annotations

import select
import socket
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

HANDSHAKE = (
    "GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\n"
    "Connection: Upgrade\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
    "Sec-WebSocket-Version: 13\r\n\r\n"
)
TEXT, CLOSE, PING = 1, 8, 9
NO_MASK = bytes(4)
DRAIN_SECONDS = 2.0  # for the answers to the last moves


class Player:
    """One player of a match on a WebSocket; subclasses know the messages of a server."""

    path = "/"

    def __init__(self, port: int, load: Load) -> None:
        self.load = load
        self.latencies: list[float] = []
        self.over = False
        self._sent_at = 0.0
        self._first_move: Callable[[], None] | None = None
        self._buffer = b""
        self._upgraded = False
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.socket.sendall(HANDSHAKE.format(path=self.path, port=port).encode())
        self.socket.setblocking(False)
        load.add(self)

    @property
    def is_waiting(self) -> bool:
        """True while the last move has not been answered."""
        return self._sent_at > 0

    def receive(self) -> None:
        """Reads what has arrived, and handles all complete messages."""
        data = self.socket.recv(1 << 18)
        if not data:
            raise ConnectionError("the server has closed a connection")
        data = self._buffer + data
        if not self._upgraded:
            head, end, data = data.partition(b"\r\n\r\n")
            if not end:
                self._buffer = head
                return
            if b" 101 " not in head:
                raise ConnectionError(head.decode())
            self._upgraded = True
            self.opened()
        start = 0
        while (frame := _frame(data, start)) is not None:
            opcode, first, start = frame
            if opcode == TEXT:
                self.handle(data[first:start])
            elif opcode == CLOSE:
                raise ConnectionError(f"closed by the server: {data[first:start]!r}")
            elif opcode == PING:
                self.send(data[first:start], opcode=10)
        self._buffer = data[start:]

    def send(self, payload: bytes, opcode: int = TEXT) -> None:
        """Sends a message."""
        size = len(payload)
        length = bytes((0x80 | size,)) if size < 126 else b"\xfe" + size.to_bytes(2, "big")
        frame = bytes((0x80 | opcode,)) + length + NO_MASK + payload
        if self.socket.send(frame) != len(frame):
            raise ConnectionError("the server does not read")

    def play(self, payload: bytes) -> None:
        """Sends a move, or keeps it until all players of the first matches are connected."""
        if not self.load.started:
            self._first_move = lambda: self.play(payload)
        elif time.perf_counter() < self.load.deadline:
            self._sent_at = time.perf_counter()
            self.send(payload)

    def played(self) -> None:
        """Takes the time of a move that has been answered."""
        if self._sent_at:
            self.latencies.append(time.perf_counter() - self._sent_at)
            self._sent_at = 0.0

    def start(self) -> None:
        """Plays the first move, if it is this player's."""
        if self._first_move is not None:
            self._first_move()

    def opened(self) -> None:
        """Sends the first message of a connection."""

    def handle(self, payload: bytes) -> None:
        """Handles a message: calls `load.joined`, `played` and `play`, and sets `over`."""


def _frame(data: bytes, start: int) -> tuple[int, int, int] | None:
    """Returns opcode, first byte and end of the frame at `start`; None if it is incomplete."""
    if len(data) < start + 2:
        return None
    size, first = data[start + 1], start + 2
    if size >= 126:
        first += 2 if size == 126 else 8
        size = int.from_bytes(data[start + 2 : first], "big")
    end = first + size
    return (data[start] & 15, first, end) if len(data) >= end else None


@dataclass
class Load:
    """Matches that are played at once; one that has ended is replaced by the next."""

    # Each connects the players of a match that has been created.
    matches: list[Callable[[Load], Sequence[Player]]]
    at_once: int
    seconds: float
    started: bool = False
    deadline: float = 0.0
    matches_started: int = 0
    elapsed: float = 0.0
    client_cpu_seconds: float = 0.0
    all_players: list[Player] = field(default_factory=list)
    _epoll: select.epoll = field(default_factory=select.epoll)
    _by_socket: dict[int, Player] = field(default_factory=dict)
    _joined: int = 0
    _match_of: dict[Player, Sequence[Player]] = field(default_factory=dict)

    def add(self, player: Player) -> None:
        """Waits for what a new player receives."""
        self.all_players.append(player)
        self._by_socket[player.socket.fileno()] = player
        self._epoll.register(player.socket, select.EPOLLIN)

    def joined(self, player: Player) -> None:
        """Counts a player that can play."""
        self._joined += 1

    def run(self, on_start: Callable[[], None]) -> None:
        """Connects the first matches, calls `on_start`, and plays until the time is over."""
        for _ in range(self.at_once):
            self._start_match()
        self.wait_for_players()
        on_start()
        self.started, began, cpu = True, time.perf_counter(), time.process_time()
        self.deadline = began + self.seconds
        for player in list(self._by_socket.values()):
            player.start()
        while time.perf_counter() < self.deadline:
            self._receive(0.1)
        while self._is_waiting() and time.perf_counter() < self.deadline + DRAIN_SECONDS:
            self._receive(0.1)
        self.elapsed = time.perf_counter() - began
        self.client_cpu_seconds = time.process_time() - cpu

    def wait_for_players(self) -> None:
        """Returns when all players have joined their matches."""
        while self._joined < len(self.all_players):
            self._receive(1.0)

    def receive_until(self, end: float) -> None:
        """Handles what arrives until a time."""
        while (rest := end - time.perf_counter()) > 0:
            self._receive(rest)

    def close(self) -> None:
        """Closes all connections."""
        for player in self._by_socket.values():
            player.socket.close()
        self._epoll.close()

    @property
    def latencies(self) -> list[float]:
        """The time of every move from sending it until its player received it, in seconds."""
        return [latency for player in self.all_players for latency in player.latencies]

    def _is_waiting(self) -> bool:
        return any(player.is_waiting for player in self._by_socket.values())

    def _start_match(self) -> None:
        if self.matches:
            players = self.matches.pop()(self)
            self.matches_started += 1
            self._match_of |= dict.fromkeys(players, players)

    def _receive(self, seconds: float) -> None:
        for number, _ in self._epoll.poll(seconds):
            player = self._by_socket.get(number)
            if player is None:
                continue
            player.receive()
            if player.over:
                self._end(player)

    def _end(self, player: Player) -> None:
        """Closes a player's connection; starts another match when both have left."""
        self._epoll.unregister(player.socket)
        del self._by_socket[player.socket.fileno()]
        player.socket.close()
        if all(each.over for each in self._match_of[player]):
            self._start_match()
