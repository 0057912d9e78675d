"""Many games at once on one server: two clients each, random legal moves as fast as answered.

    python benchmarks/web_load.py --games 200 --seconds 20

A move's time runs from the moment it is sent until the player has heard of it, and by then it
is on disk. At the end every game is read back from the database and compared with what both of
its clients saw.
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

from machine import heading
from serving import Server, allow_many_sockets, percentile
from websockets.asyncio.client import connect

import quincunx as qx


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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--game", default="quorum")
    chosen = parser.parse_args()
    allow_many_sockets()
    print(heading(f"{chosen.games} games of {chosen.game} at once, two clients each"))
    with tempfile.TemporaryDirectory() as folder, Server(Path(folder)) as server:
        server.start((chosen.game,))
        began, cpu = time.perf_counter(), server.cpu()
        seen = asyncio.run(load(server, chosen.game, chosen.games, chosen.seconds))
        took, cpu = time.perf_counter() - began, server.cpu() - cpu
        moves, wrong = check(Path(folder), chosen.game, seen)
    times = [one for pair in seen.values() for client in pair for one in client.times]
    print(f"{moves:,} moves in {len(seen):,} games, {moves / took:,.0f} moves/s")
    print(
        f"p50 {percentile(times, 0.5) * 1000:.0f} ms, p99 {percentile(times, 0.99) * 1000:.0f} ms"
    )
    print(f"{cpu / max(1, moves) * 1e6:,.0f} µs of the server's processor time for a move")
    print(f"{wrong} of {2 * len(seen):,} clients saw something else than is on disk")
    raise SystemExit(wrong > 0)


if __name__ == "__main__":
    main()
