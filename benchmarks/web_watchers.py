"""Many watchers of one live game: how long a placement takes to reach each of them.

    python benchmarks/web_watchers.py --watchers 1000 --placements 50

One player places a sphere every 200 ms. A latency is the time from sending the placement until a
watcher has received it, after it was written to disk. The watchers run in another process.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import multiprocessing
import random
import tempfile
import time
from pathlib import Path
from typing import Any

from machine import heading
from serving import Server, percentile, raise_open_file_limit
from websockets.asyncio.client import connect

PLACEMENT_INTERVAL_S = 0.2


async def watch(host: str, room: str, view: str, placements: int) -> list[float]:
    """Returns the monotonic time at which one watcher received each placement."""
    received = []
    async with connect(f"ws://{host}/socket", compression=None, max_size=None) as socket:
        await socket.send(json.dumps({"type": "join", "room": room, "view": view}))
        async for text in socket:
            now = time.monotonic()
            if text.startswith('{"type":"event"'):
                received.append(now)
                if len(received) == placements:
                    break
    return received


def run_watchers(
    host: str, room: str, view: str, placements: int, watchers: int, results: Any
) -> None:
    """Runs all watchers in one process; puts their times into the queue `results`."""
    raise_open_file_limit()

    async def watch_all() -> list[list[float]]:
        watching = (watch(host, room, view, placements) for _ in range(watchers))
        return await asyncio.gather(*watching)

    results.put(asyncio.run(watch_all()))


async def place(
    server: Server, created: dict[str, Any], placements: int, watchers: int
) -> list[float]:
    """Places a sphere every 200 ms, once all watchers have joined; returns the times of sending."""
    sent: list[float] = []
    rng = random.Random(3)
    async with connect(f"ws://{server.host}/socket", compression=None) as socket:
        join = {"type": "join", "room": created["id"], "secrets": created["secrets"]}
        await socket.send(json.dumps(join))
        message = json.loads(await socket.recv())
        while (await asyncio.to_thread(server.get, "/api/rooms?count=1"))[0][
            "watchers"
        ] <= watchers:
            await asyncio.sleep(0.2)
        cpu = server.cpu_seconds()
        for i in range(placements):
            seat = i % 2
            move = {"seat": seat, "move": rng.choice(message["legal"][str(seat)])}
            play = {"type": "play", "room": created["id"], "number": message["number"], **move}
            sent.append(time.monotonic())
            await socket.send(json.dumps(play))
            message = json.loads(await socket.recv())
            assert message["type"] == "event", message
            await asyncio.sleep(max(0.0, sent[-1] + PLACEMENT_INTERVAL_S - time.monotonic()))
        cpu = (server.cpu_seconds() - cpu) / placements
    print(f"{cpu * 1000:.0f} ms of the server's processor time for a placement")
    return sent


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--watchers", type=int, default=1000)
    parser.add_argument("--placements", type=int, default=50)
    parser.add_argument("--view", default="moves", choices=("moves", "page", "none"))
    args = parser.parse_args()
    print(heading(f"{args.watchers} watchers (view {args.view}) of one game of Sphero"))
    with tempfile.TemporaryDirectory() as directory, Server(Path(directory)) as server:
        server.start(("sphero",))
        players = {"players": ["human", "human"], "options": {"players": 2}, "listed": True}
        created = server.post("/api/rooms", game="sphero", **players)
        results: Any = multiprocessing.Queue()
        arguments = (server.host, created["id"], args.view, args.placements, args.watchers, results)
        process = multiprocessing.Process(target=run_watchers, args=arguments)
        process.start()
        sent = asyncio.run(place(server, created, args.placements, args.watchers))
        received = results.get(timeout=60)
        process.join()
    latencies = [at - sent[i] for times in received for i, at in enumerate(times)]
    print(f"{len(latencies):,} of {args.watchers * args.placements:,} messages received")
    p50, p99 = percentile(latencies, 0.5), percentile(latencies, 0.99)
    print(f"p50 {p50 * 1000:.0f} ms, p99 {p99 * 1000:.0f} ms")


if __name__ == "__main__":
    main()
