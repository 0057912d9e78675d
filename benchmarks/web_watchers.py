"""Many watchers of live games: how long a placement takes to reach them, and their memory.

    python benchmarks/web_watchers.py --watchers 1000 --rooms 1 --placements 50
    python benchmarks/web_watchers.py --watchers 5000 --rooms 500 --placements 4 --interval 5

In every room of Sphero, one player places spheres at intervals, by default of 200 ms; in several
rooms they are evenly distributed over the time. A latency is the time from sending the placement
until a watcher has received it, after it was written to disk. Players and watchers are one loop
over raw sockets (`load_client.py`), in this process. The memory of a socket is the growth of the
server's resident memory while the watchers join, divided by their number.
"""

from __future__ import annotations

import argparse
import random
import tempfile
import time
from pathlib import Path
from typing import Any

import msgspec
from load_client import Load, Player
from machine import heading
from serving import Server, percentile, raise_open_file_limit

SETTLING_SECONDS = 2.0  # after the last placement
EVENT, ROOM = b'{"type":"event"', b'{"type":"room"'


class Message(msgspec.Struct):
    """What a player reads of the messages `room` and `event`."""

    number: int
    legal: dict[str, list[str]] = {}


decode = msgspec.json.Decoder(Message).decode
encode = msgspec.json.Encoder().encode


class Watcher(Player):
    """A watcher of a room: notes when it received each event."""

    path = "/socket"

    def __init__(self, port: int, load: Load, room: str, view: str) -> None:
        self.join = {"type": "join", "room": room, "view": view}
        self.received: list[float] = []
        super().__init__(port, load)

    def opened(self) -> None:
        """Joins the room."""
        self.send(encode(self.join))

    def handle(self, payload: bytes) -> None:
        """Notes the time of an event."""
        if payload.startswith(EVENT):
            self.received.append(time.perf_counter())
        elif payload.startswith(ROOM):
            self.load.joined(self)


class Placer(Watcher):
    """A player who has both seats of a room, and notes when it has sent each placement."""

    def __init__(self, port: int, load: Load, created: dict[str, Any]) -> None:
        self.room, self.sent = created["id"], list[float]()
        self.rng = random.Random(self.room)
        self.last: Message | None = None
        super().__init__(port, load, created["id"], "moves")
        self.join["secrets"] = created["secrets"]

    def handle(self, payload: bytes) -> None:
        """Notes the legal moves."""
        if payload.startswith((EVENT, ROOM)):
            self.last = decode(payload)
        super().handle(payload)

    def place(self) -> None:
        """Places a sphere, for the seats in turn."""
        assert self.last is not None
        seat = len(self.sent) % 2
        move = {"seat": seat, "move": self.rng.choice(self.last.legal[str(seat)])}
        play = {"type": "play", "room": self.room, "number": self.last.number, **move}
        self.sent.append(time.perf_counter())
        self.send(encode(play))


class Audience:
    """The players and the watchers of all rooms."""

    def __init__(self, server: Server, rooms: int) -> None:
        self.server = server
        self.load = Load([], 0, 0)
        two_players = {"players": ["human", "human"], "options": {"players": 2}}
        self.placers = []
        for _ in range(rooms):
            created = server.post("/api/rooms", game="sphero", **two_players)
            self.placers.append(Placer(server.port, self.load, created))
            self.load.wait_for_players()
        self.watchers: dict[str, list[Watcher]] = {placer.room: [] for placer in self.placers}

    def admit(self, count: int, view: str) -> int:
        """Lets watchers join, evenly over all rooms; returns by how many bytes memory grew."""
        before = self.server.memory_bytes()
        for i in range(count):
            placer = self.placers[i % len(self.placers)]
            watcher = Watcher(self.server.port, self.load, placer.room, view)
            self.watchers[placer.room].append(watcher)
            if i % 100 == 99:
                self.load.wait_for_players()
        self.load.wait_for_players()
        return self.server.memory_bytes() - before

    def run(self, placements: int, seconds: float) -> None:
        """Plays all placements, which are `seconds` apart in each room."""
        began = time.perf_counter()
        for i in range(placements * len(self.placers)):
            self.load.receive_until(began + i * seconds / len(self.placers))
            self.placers[i % len(self.placers)].place()
        self.load.receive_until(time.perf_counter() + SETTLING_SECONDS)

    def latencies(self) -> list[float]:
        """Returns the time of each placement to each watcher."""
        return [
            at - placer.sent[i]
            for placer in self.placers
            for watcher in self.watchers[placer.room]
            for i, at in enumerate(watcher.received)
        ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--watchers", type=int, default=1000)
    parser.add_argument("--rooms", type=int, default=1)
    parser.add_argument("--placements", type=int, default=50, help="in each room")
    parser.add_argument("--interval", type=float, default=0.2, help="seconds between them")
    parser.add_argument("--view", default="moves", choices=("moves", "page", "none"))
    args = parser.parse_args()
    raise_open_file_limit()
    subject = f"{args.watchers:,} watchers (view {args.view}) of {args.rooms} games of Sphero"
    print(heading(subject))
    with (
        tempfile.TemporaryDirectory() as directory,
        Server(Path(directory), "--rooms", "1000", "--sockets", "1000") as server,
    ):
        server.start(("sphero",))
        audience = Audience(server, args.rooms)
        growth = audience.admit(args.watchers, args.view)
        cpu = server.cpu_seconds()
        audience.run(args.placements, args.interval)
        cpu = server.cpu_seconds() - cpu
        audience.load.close()
    latencies, placed = audience.latencies(), args.rooms * args.placements
    expected = args.watchers * args.placements
    print(f"{growth / args.watchers / 1024:.1f} KB of the server's memory for a watcher")
    print(f"{cpu / placed * 1e3:.2f} ms of the server's processor time for a placement")
    print(f"{len(latencies):,} of {expected:,} messages received")
    p50, p99 = percentile(latencies, 0.5), percentile(latencies, 0.99)
    print(f"p50 {p50 * 1000:.0f} ms, p99 {p99 * 1000:.0f} ms")


if __name__ == "__main__":
    main()
