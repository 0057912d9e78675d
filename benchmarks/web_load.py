"""Many games at once on one server: two clients each, random legal moves as fast as answered.

    python benchmarks/web_load.py --games 200 --seconds 20 [--peer]

The latency of a move is the time from sending it until its player receives the event, when it is
on disk. At the end every game is read from the database and compared with what both of its
clients received. With --peer a boardgame.io server is put under the same load afterwards, once
with its file storage and once with its memory storage.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import sqlite3
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

import peer
from machine import heading
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from serving import LoadResult, Server, raise_open_file_limit
from websockets.asyncio.client import connect

import quincunx as qx

TABLE_WIDTH_CHARS = 96


@dataclass
class ClientLog:
    """What one client received of one game: moves with event numbers, and the last position."""

    moves: list[tuple[int, str]] = field(default_factory=list)
    text: str = ""
    latencies: list[float] = field(default_factory=list)


async def client(
    host: str, room: str, seat: int, secret: str, log: ClientLog, deadline: float
) -> None:
    """Plays random legal moves for a seat until `deadline` or the end of the game."""
    rng = random.Random(f"{room}{seat}")
    sent = 0.0
    async with connect(f"ws://{host}/socket", compression=None, max_queue=None) as socket:
        join = {"type": "join", "room": room, "secrets": {seat: secret}}
        await socket.send(json.dumps(join))
        async for text in socket:
            message = json.loads(text)
            if message["type"] == "here":
                continue
            assert message["type"] in ("room", "event"), message
            if message["type"] == "room":  # the other client may have moved already
                log.moves = [(i, move) for i, (_, move) in enumerate(message["moves"], 1)]
                log.text = message["text"]
            else:
                log.moves.append((message["number"], message["move"]))
                log.text = message["text"]
                if message["seat"] == seat:
                    log.latencies.append(time.perf_counter() - sent)
            if message["over"] or time.perf_counter() > deadline:
                break
            legal = message["legal"].get(str(seat))
            if legal:
                play = {"type": "play", "room": room, "seat": seat, "move": rng.choice(legal)}
                sent = time.perf_counter()
                await socket.send(json.dumps({**play, "number": message["number"]}))


async def play_games(
    server: Server,
    game: str,
    deadline: float,
    logs: dict[str, tuple[ClientLog, ClientLog]],
) -> None:
    """Plays one game after another until `deadline`."""
    while time.perf_counter() < deadline:
        new_room = {"game": game, "players": ["human", "human"]}
        created = await asyncio.to_thread(server.post, "/api/rooms", **new_room)
        logs[created["id"]] = pair = (ClientLog(), ClientLog())
        tasks = {
            asyncio.create_task(
                client(
                    server.host, created["id"], seat, created["secrets"][str(seat)], log, deadline
                )
            )
            for seat, log in enumerate(pair)
        }
        done, pending = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        if pending:  # the other client may be waiting for one that has reached the deadline
            done |= (await asyncio.wait(pending, timeout=1))[0]
        for task in tasks - done:
            task.cancel()
        await asyncio.gather(*done)


async def load(
    server: Server, game: str, games: int, seconds: float
) -> dict[str, tuple[ClientLog, ClientLog]]:
    """Plays `games` games at a time for `seconds`; returns what the clients received by room."""
    logs: dict[str, tuple[ClientLog, ClientLog]] = {}
    deadline = time.perf_counter() + seconds
    await asyncio.gather(*(play_games(server, game, deadline, logs) for _ in range(games)))
    return logs


def check(data: Path, game: str, logs: dict[str, tuple[ClientLog, ClientLog]]) -> tuple[int, int]:
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
    with tempfile.TemporaryDirectory() as directory, Server(Path(directory)) as server:
        server.start((game,))
        started, cpu = time.perf_counter(), server.cpu_seconds()
        logs = asyncio.run(load(server, game, games, seconds))
        elapsed, cpu = time.perf_counter() - started, server.cpu_seconds() - cpu
        moves, wrong = check(Path(directory), game, logs)
    latencies = [latency for pair in logs.values() for log in pair for latency in log.latencies]
    return LoadResult("quincunx", "on disk", moves, len(logs), elapsed, cpu, latencies), wrong


def measure_peers(games: int, seconds: float) -> list[LoadResult]:
    """Returns the results of boardgame.io with each storage; prints why if it is unavailable."""
    results = []
    try:
        peer.install()
        for storage in ("files", "memory"):
            results.append(peer.load(storage, games, seconds))
    except peer.PeerUnavailableError as error:
        print(f"boardgame.io is left out: {error}")
    return results


def comparison_table(quincunx: LoadResult, others: list[LoadResult]) -> Table:
    """Returns a table of all results, with the ratios of our speed and p99 to the others'."""
    table = Table(box=SIMPLE_HEAD)
    titles = ("moves/s", "p50 ms", "p99 ms", "µs a move", "our moves/s", "our p99")
    for title in ("server", "storage", *titles):
        table.add_column(title, justify="right" if title in titles else "left", no_wrap=True)
    for result in (quincunx, *others):
        p50, p99 = result.latency(0.5), result.latency(0.99)
        speed, cost = result.moves_per_second, result.cpu_seconds_per_move
        figures = (speed, p50 * 1000, p99 * 1000, cost * 1e6)
        ratios = (quincunx.moves_per_second / speed, quincunx.latency(0.99) / p99)
        cells = [f"{figure:,.0f}" for figure in figures]
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
    print(f"{wrong} of {2 * result.games:,} clients received something else than is on disk")
    if args.peer and (others := measure_peers(args.games, args.seconds)):
        Console(width=TABLE_WIDTH_CHARS).print(comparison_table(result, others))
    raise SystemExit(wrong > 0)


if __name__ == "__main__":
    main()
