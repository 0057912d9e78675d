"""Many games at once on one server: two clients each, random legal moves as fast as answered.

    python benchmarks/web_load.py --games 200 --seconds 20 [--peer]

A move's time runs from the moment it is sent until the player has heard of it, and by then it
is on disk. At the end every game is read back from the database and compared with what both of
its clients saw. With --peer a boardgame.io server bears the same afterwards, once keeping its
matches in files and once in memory.
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
from serving import Load, Server, allow_many_sockets
from websockets.asyncio.client import connect

import quincunx as qx

WIDTH = 96


@dataclass
class Seen:
    """What one client saw of one game: the moves by their number, and the last position."""

    moves: list[tuple[int, str]] = field(default_factory=list)
    text: str = ""
    times: list[float] = field(default_factory=list)


async def client(host: str, room: str, seat: int, secret: str, seen: Seen, until: float) -> None:
    """Plays random legal moves for a seat until the time is up or the game is over."""
    dice = random.Random(f"{room}{seat}")
    sent = 0.0
    async with connect(f"ws://{host}/socket", compression=None, max_queue=None) as socket:
        join = {"type": "join", "room": room, "secrets": {seat: secret}}
        await socket.send(json.dumps(join))
        async for text in socket:
            message = json.loads(text)
            if message["type"] == "here":
                continue
            assert message["type"] in ("room", "event"), message
            if message["type"] == "room":  # the other one may have begun already
                seen.moves = [(i, move) for i, (_, move) in enumerate(message["moves"], 1)]
                seen.text = message["text"]
            else:
                seen.moves.append((message["number"], message["move"]))
                seen.text = message["text"]
                if message["seat"] == seat:
                    seen.times.append(time.perf_counter() - sent)
            if message["over"] or time.perf_counter() > until:
                break
            legal = message["legal"].get(str(seat))
            if legal:
                play = {"type": "play", "room": room, "seat": seat, "move": dice.choice(legal)}
                sent = time.perf_counter()
                await socket.send(json.dumps({**play, "number": message["number"]}))


async def one_after_another(
    server: Server, game: str, until: float, seen: dict[str, tuple[Seen, Seen]]
) -> None:
    """Plays game after game until the time is up."""
    while time.perf_counter() < until:
        asked = {"game": game, "players": ["human", "human"]}
        made = await asyncio.to_thread(server.post, "/api/rooms", **asked)
        seen[made["id"]] = pair = (Seen(), Seen())
        work = {
            asyncio.create_task(
                client(server.host, made["id"], seat, made["secrets"][str(seat)], one, until)
            )
            for seat, one in enumerate(pair)
        }
        done, left = await asyncio.wait(work, return_when=asyncio.FIRST_COMPLETED)
        if left:  # time may be up for one that the other waits for
            done |= (await asyncio.wait(left, timeout=1))[0]
        for task in work - done:
            task.cancel()
        await asyncio.gather(*done)


async def load(
    server: Server, game: str, games: int, seconds: float
) -> dict[str, tuple[Seen, Seen]]:
    """So many games at a time, for so long."""
    seen: dict[str, tuple[Seen, Seen]] = {}
    until = time.perf_counter() + seconds
    await asyncio.gather(*(one_after_another(server, game, until, seen) for _ in range(games)))
    return seen


def check(data: Path, game: str, seen: dict[str, tuple[Seen, Seen]]) -> tuple[int, int]:
    """Compares each game in the database with what its clients saw; moves kept, and games wrong."""
    database = sqlite3.connect(data / "rooms.sqlite")
    moves = wrong = 0
    for room, clients in seen.items():
        wanted = "select number, text, seat from events where room = ? order by number"
        kept = database.execute(wanted, (room,)).fetchall()
        (seed,) = database.execute("select seed from rooms where id = ?", (room,)).fetchone()
        moves += len(kept)
        texts = {}
        state = qx.game(game).start(seed)
        for number, move, seat in kept:
            state = state.play(move, seat)
            texts[number] = state.text
        for one in clients:
            last = one.moves[-1][0] if one.moves else 0
            same = one.moves == [(number, move) for number, move, _ in kept[:last]]
            wrong += not (same and (not last or texts[last] == one.text))
    return moves, wrong


def ours(game: str, games: int, seconds: float) -> tuple[Load, int]:
    """Our server under load, and how many clients saw something else than is on disk."""
    with tempfile.TemporaryDirectory() as folder, Server(Path(folder)) as server:
        server.start((game,))
        began, cpu = time.perf_counter(), server.cpu()
        seen = asyncio.run(load(server, game, games, seconds))
        took, cpu = time.perf_counter() - began, server.cpu() - cpu
        moves, wrong = check(Path(folder), game, seen)
    times = [one for pair in seen.values() for client in pair for one in client.times]
    return Load("quincunx", "on disk", moves, len(seen), took, cpu, times), wrong


def peers(games: int, seconds: float) -> list[Load]:
    """boardgame.io under the same load, with each of its storages; says so where it cannot be."""
    found = []
    try:
        peer.install()
        for kept in ("files", "memory"):
            found.append(peer.load(kept, games, seconds))
    except peer.PeerUnavailableError as error:
        print(f"boardgame.io is left out: {error}")
    return found


def compare(mine: Load, others: list[Load]) -> Table:
    """Our server and others, and how many times their speed and their p99 ours are."""
    table = Table(box=SIMPLE_HEAD)
    titles = ("moves/s", "p50 ms", "p99 ms", "µs a move", "our moves/s", "our p99")
    for title in ("server", "kept", *titles):
        table.add_column(title, justify="right" if title in titles else "left", no_wrap=True)
    for one in (mine, *others):
        p50, p99 = one.within(0.5), one.within(0.99)
        figures = (one.speed, p50 * 1000, p99 * 1000, one.cost * 1e6)
        ratios = (mine.speed / one.speed, mine.within(0.99) / p99)
        cells = [f"{figure:,.0f}" for figure in figures]
        cells += [f"{ratio:.2f}x" if one is not mine else "" for ratio in ratios]
        table.add_row(one.server, one.kept, *cells)
    return table


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--game", default="quorum")
    parser.add_argument("--peer", action="store_true", help="measure boardgame.io as well")
    chosen = parser.parse_args()
    allow_many_sockets()
    print(heading(f"{chosen.games} games of {chosen.game} at once, two clients each"))
    mine, wrong = ours(chosen.game, chosen.games, chosen.seconds)
    print(f"{mine.moves:,} moves in {mine.games:,} games, {mine.speed:,.0f} moves/s")
    print(f"p50 {mine.within(0.5) * 1000:.0f} ms, p99 {mine.within(0.99) * 1000:.0f} ms")
    print(f"{mine.cost * 1e6:,.0f} µs of the server's processor time for a move")
    print(f"{wrong} of {2 * mine.games:,} clients saw something else than is on disk")
    if chosen.peer and (others := peers(chosen.games, chosen.seconds)):
        Console(width=WIDTH).print(compare(mine, others))
    raise SystemExit(wrong > 0)


if __name__ == "__main__":
    main()
