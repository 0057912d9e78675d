"""Many watchers of one live game: how long a placement takes to reach each of them.

    python benchmarks/web_watchers.py --watchers 1000 --placements 50

One player places a sphere every 200 ms. A time runs from the moment that the placement is sent
until a watcher has heard of it, by way of the disk. The watchers are processes of their own.
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
from serving import Server, allow_many_sockets, percentile
from websockets.asyncio.client import connect

EVERY = 0.2  # seconds


async def watch(host: str, room: str, view: str, last: int) -> list[float]:
    """When one watcher heard of each placement, as seconds since the machine started."""
    heard = []
    async with connect(f"ws://{host}/socket", compression=None, max_size=None) as socket:
        await socket.send(json.dumps({"type": "join", "room": room, "view": view}))
        async for text in socket:
            now = time.monotonic()
            if text.startswith('{"type":"event"'):
                heard.append(now)
                if len(heard) == last:
                    break
    return heard


def crowd(host: str, room: str, view: str, last: int, watchers: int, told: Any) -> None:
    """A process of watchers."""
    allow_many_sockets()

    async def all_of_them() -> list[list[float]]:
        return await asyncio.gather(*(watch(host, room, view, last) for _ in range(watchers)))

    told.put(asyncio.run(all_of_them()))


async def place(
    server: Server, made: dict[str, Any], placements: int, watchers: int
) -> list[float]:
    """Places a sphere every 200 ms, once all watchers are there; when each was sent."""
    sent: list[float] = []
    dice = random.Random(3)
    async with connect(f"ws://{server.host}/socket", compression=None) as socket:
        join = {"type": "join", "room": made["id"], "secrets": made["secrets"]}
        await socket.send(json.dumps(join))
        message = json.loads(await socket.recv())
        while (await asyncio.to_thread(server.get, "/api/rooms?count=1"))[0][
            "watchers"
        ] <= watchers:
            await asyncio.sleep(0.2)
        cpu = server.cpu()
        for i in range(placements):
            seat = i % 2
            move = {"seat": seat, "move": dice.choice(message["legal"][str(seat)])}
            play = {"type": "play", "room": made["id"], "number": message["number"], **move}
            sent.append(time.monotonic())
            await socket.send(json.dumps(play))
            message = json.loads(await socket.recv())
            assert message["type"] == "event", message
            await asyncio.sleep(max(0.0, sent[-1] + EVERY - time.monotonic()))
        cpu = (server.cpu() - cpu) / placements
    print(f"{cpu * 1000:.0f} ms of the server's processor time for a placement")
    return sent


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--watchers", type=int, default=1000)
    parser.add_argument("--placements", type=int, default=50)
    parser.add_argument("--view", default="moves", choices=("moves", "page", "none"))
    chosen = parser.parse_args()
    print(heading(f"{chosen.watchers} watchers (view {chosen.view}) of one game of Sphero"))
    with tempfile.TemporaryDirectory() as folder, Server(Path(folder)) as server:
        server.start(("sphero",))
        players = {"players": ["human", "human"], "options": {"players": 2}, "listed": True}
        made = server.post("/api/rooms", game="sphero", **players)
        told: Any = multiprocessing.Queue()
        watching = (server.host, made["id"], chosen.view, chosen.placements, chosen.watchers, told)
        process = multiprocessing.Process(target=crowd, args=watching)
        process.start()
        sent = asyncio.run(place(server, made, chosen.placements, chosen.watchers))
        heard = told.get(timeout=60)
        process.join()
    times = [at - sent[i] for one in heard for i, at in enumerate(one)]
    print(f"{len(times):,} of {chosen.watchers * chosen.placements:,} messages came")
    print(
        f"p50 {percentile(times, 0.5) * 1000:.0f} ms, p99 {percentile(times, 0.99) * 1000:.0f} ms"
    )


if __name__ == "__main__":
    main()
