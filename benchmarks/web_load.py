"""Many games at once on one server: two clients each, random legal moves as fast as answered.

    python benchmarks/web_load.py --games 200 --seconds 20 [--peer]

The latency of a move is the time from sending it until its player receives the event, when it is
on disk. The measurement starts when all first games exist and their clients are connected; a game
that ends is replaced by another one that exists. At the end every game is read from the database
and compared with what both of its clients received. With --peer a boardgame.io server is put under
the same load by the same client (`load_client.py`) afterwards, once with its file storage and once
with its memory storage.
"""

from __future__ import annotations

import argparse
import random
import sqlite3
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import msgspec
import peer
from load_client import Load, Player
from machine import heading
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from serving import LoadResult, Server, measure_cpu, raise_open_file_limit

import quincunx as qx

TABLE_WIDTH_CHARS = 130
GAMES_PER_PLACE = 4  # are created before the measurement, to replace games that have ended


class Message(msgspec.Struct):
    """What a client reads of the messages `room` and `event`."""

    type: str
    number: int = 0
    seat: int | None = None
    move: str = ""
    text: str = ""
    over: bool = False
    legal: dict[str, list[str]] = {}
    moves: list[tuple[int, str]] = []
    error: str = ""


decode = msgspec.json.Decoder(Message).decode
encode = msgspec.json.Encoder().encode


@dataclass
class ClientLog:
    """What one client received of one game: moves with event numbers, and the last position."""

    moves: list[tuple[int, str]] = field(default_factory=list)
    text: str = ""


class QuincunxPlayer(Player):
    """A seat of a room, for which random legal moves are played."""

    path = "/socket"

    def __init__(
        self, port: int, load: Load, room: str, seat: int, secret: str, log: ClientLog
    ) -> None:
        self.room, self.seat, self.secret, self.log = room, seat, secret, log
        self.rng = random.Random(f"{room}{seat}")
        super().__init__(port, load)

    def opened(self) -> None:
        """Joins the room."""
        join = {"type": "join", "room": self.room, "secrets": {str(self.seat): self.secret}}
        self.send(encode(join))

    def handle(self, payload: bytes) -> None:
        """Logs an event, and answers with a move if it is the seat's turn."""
        message = decode(payload)
        assert not message.error, payload
        if message.type == "room":  # the other client may have moved already
            self.log.moves = [(i, move) for i, (_, move) in enumerate(message.moves, 1)]
            self.load.joined(self)
        elif message.type == "event":
            self.log.moves.append((message.number, message.move))
            if message.seat == self.seat:
                self.played()
        else:
            return
        self.log.text, self.over = message.text, message.over
        legal = message.legal.get(str(self.seat))
        if legal:
            play = {"type": "play", "room": self.room, "seat": self.seat, "number": message.number}
            self.play(encode({**play, "move": self.rng.choice(legal)}))


Logs = dict[str, tuple[ClientLog, ClientLog]]  # by room


def create_room(server: Server, game: str, logs: Logs) -> Callable[[Load], list[Player]]:
    """Creates a room; returns what connects its players to it."""
    created = server.post("/api/rooms", game=game, players=["human", "human"])

    def connect(load: Load) -> list[Player]:
        pair = logs[created["id"]] = (ClientLog(), ClientLog())
        return [
            QuincunxPlayer(
                server.port, load, created["id"], seat, created["secrets"][str(seat)], log
            )
            for seat, log in enumerate(pair)
        ]

    return connect


def check(data: Path, game: str, logs: Logs) -> tuple[int, int]:
    """Compares each stored game with what its clients received.

    Returns the number of stored moves, and of clients that received something else.
    """
    database = sqlite3.connect(data / "rooms.sqlite")
    moves = wrong = 0
    for room, clients in logs.items():
        query = "select number, text, seat from events where room = ? order by number"
        stored = database.execute(query, (room,)).fetchall()
        (seed,) = database.execute("select seed from rooms where id = ?", (room,)).fetchone()
        moves += len(stored)
        texts = {}
        state = qx.game(game).start(seed)
        for number, move, seat in stored:
            state = state.play(move, seat)
            texts[number] = state.text
        for log in clients:
            last = log.moves[-1][0] if log.moves else 0
            same = log.moves == [(number, move) for number, move, _ in stored[:last]]
            wrong += not (same and (not last or texts[last] == log.text))
    return moves, wrong


def measure_quincunx(game: str, games: int, seconds: float) -> tuple[LoadResult, int]:
    """Returns the result of our server, and the number of clients that differ from the disk."""
    logs: Logs = {}
    with tempfile.TemporaryDirectory() as directory:
        with Server(Path(directory), "--rooms", "1000") as server:
            server.start((game,))
            rooms = [create_room(server, game, logs) for _ in range(GAMES_PER_PLACE * games)]
            load = Load(rooms, games, seconds)
            cpu = measure_cpu(load, server.cpu_seconds)
        moves, wrong = check(Path(directory), game, logs)
    figures = moves, load.matches_started, load.elapsed, cpu, load.latencies
    return LoadResult("quincunx", "on disk", *figures, load.client_cpu_seconds), wrong


def measure_peers(games: int, seconds: float) -> list[LoadResult]:
    """Returns the results of boardgame.io with each storage; prints why if it is unavailable."""
    results = []
    try:
        peer.install()
        for storage in ("files", "memory"):
            results.append(peer.load(storage, games, seconds, GAMES_PER_PLACE))
    except peer.PeerUnavailableError as error:
        print(f"boardgame.io is left out: {error}")
    return results


def comparison_table(quincunx: LoadResult, others: list[LoadResult]) -> Table:
    """Returns a table of all results, with the ratios of our figures to the others'."""
    table = Table(box=SIMPLE_HEAD)
    titles = (
        *("moves/s", "p50 ms", "p99 ms", "µs a move", "client's share"),
        *("our moves/s", "our p99", "our µs"),
    )
    for title in ("server", "storage", *titles):
        table.add_column(title, justify="right" if title in titles else "left", no_wrap=True)
    for result in (quincunx, *others):
        p50, p99 = result.latency(0.5), result.latency(0.99)
        speed, cost = result.moves_per_second, result.cpu_seconds_per_move
        figures = (speed, p50 * 1000, p99 * 1000, cost * 1e6)
        ratios = (
            quincunx.moves_per_second / speed,
            quincunx.latency(0.99) / p99,
            quincunx.cpu_seconds_per_move / cost,
        )
        cells = [f"{figure:,.0f}" for figure in figures]
        cells.append(f"{result.client_share:.0%}")
        cells += [f"{ratio:.2f}x" if result is not quincunx else "" for ratio in ratios]
        table.add_row(result.server, result.storage, *cells)
    return table


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--game", default="quorum")
    parser.add_argument("--peer", action="store_true", help="measure boardgame.io as well")
    args = parser.parse_args()
    raise_open_file_limit()
    print(heading(f"{args.games} games of {args.game} at once, two clients each"))
    result, wrong = measure_quincunx(args.game, args.games, args.seconds)
    print(
        f"{result.moves:,} moves in {result.games:,} games, {result.moves_per_second:,.0f} moves/s"
    )
    print(f"p50 {result.latency(0.5) * 1000:.0f} ms, p99 {result.latency(0.99) * 1000:.0f} ms")
    print(f"{result.cpu_seconds_per_move * 1e6:,.0f} µs of the server's processor time for a move")
    print(f"{result.client_share:.0%} of all processor time was the client's")
    print(f"{wrong} of {2 * result.games:,} clients received something else than is on disk")
    if args.peer and (others := measure_peers(args.games, args.seconds)):
        Console(width=TABLE_WIDTH_CHARS).print(comparison_table(result, others))
    raise SystemExit(wrong > 0)


if __name__ == "__main__":
    main()
