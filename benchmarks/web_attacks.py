"""Attacks from one address while others play: how long do the others' moves take?

    python benchmarks/web_attacks.py [--rooms 20] [--seconds 15] [--only png gif] [--addresses 1]

In every room two programs play with clocks, each from an address of its own: a move is answered
after a short pause. The latency of a move is the time from sending it until its player receives
the event. A person also plays against a bot of level 1. Meanwhile the attackers, in another
process and from one address (or several), do one of these as fast as the server lets them:

png          pictures of full boards in 2,000 pixels, 30 at a time
gif          animations of long games, 30 at a time
explore      variations with frames on a full board of Sphero, where a move has 15,000 events
read         pasted records of 200,000 characters
bots         two rooms of the slowest bots that the server allows
analyses     64 analyses at a time
connections  connections that send a header a byte at a time
rooms        new rooms with thousands of moves

The server believes the addresses in X-Forwarded-For, so that loopback has no special limits.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import multiprocessing
import random
import tempfile
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import quote
from urllib.request import Request, urlopen

from machine import heading
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from serving import Server, percentile, raise_open_file_limit
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

import quincunx as qx

GAMES = ("quorum", "sphero", "wzlz", "blocky", "onoro")
PAUSE_S = 0.1  # before a program answers a move
CLOCK = {"minutes": 0.1, "increment": 0.1}
SLOWEST_BOT = "mcts:sims=20000,horizon=200"
WARM_UP_S = 1.0  # of the players, before their moves count


# How the server has answered the attackers since the beginning of an attack.
ANSWERS: Counter[str] = Counter()


@dataclass
class Figures:
    """What the players saw while one attack ran."""

    latencies: list[float] = field(default_factory=list)  # seconds, of moves
    bot_latencies: list[float] = field(default_factory=list)  # until the bot of level 1 has moved
    lost_on_time: int = 0
    errors: Counter[str] = field(default_factory=Counter)


def request(host: str, address: str, path: str, body: Any = None) -> tuple[int, bytes]:
    """Returns status and body of a response to a client with this address."""
    data = None if body is None else json.dumps(body).encode()
    headers = {"x-forwarded-for": address, "content-type": "application/json"}
    try:
        with urlopen(Request(f"http://{host}{path}", data, headers), timeout=60) as answer:
            return answer.status, answer.read()
    except HTTPError as error:
        with error:
            return error.code, error.read()


def socket(host: str, address: str) -> connect:
    """Returns a new WebSocket of a client with this address."""
    headers = {"x-forwarded-for": address}
    return connect(
        f"ws://{host}/socket", additional_headers=headers, compression=None, max_size=None
    )


# The players


async def create(host: str, address: str, **room: Any) -> dict[str, Any]:
    """Returns the id and the secrets of a new room."""
    while True:
        status, body = await asyncio.to_thread(request, host, address, "/api/rooms", room)
        if status == 201:
            created: dict[str, Any] = json.loads(body)
            return created
        await asyncio.sleep(0.5)


async def play_seat(
    host: str, address: str, room: dict[str, Any], seat: int, until: float, figures: Figures
) -> None:
    """Plays random legal moves for a seat until the game is over or the time is up."""
    rng, sent = random.Random(f"{room['id']}{seat}"), 0.0
    async with socket(host, address) as connection:
        secrets = {str(seat): room["secrets"][str(seat)]}
        join = {"type": "join", "room": room["id"], "secrets": secrets}
        await connection.send(json.dumps(join))
        async for text in connection:
            message = json.loads(text)
            if message["type"] == "error":
                figures.errors[message["error"]] += 1
            if message["type"] not in ("room", "event"):
                continue
            now = time.perf_counter()
            if sent and message.get("seat") == seat:
                figures.latencies.append(now - sent)
                sent = 0.0
            if message.get("kind") == "flag" and seat == 0:
                figures.lost_on_time += 1
            if message["over"] or now > until:
                return
            legal = message["legal"].get(str(seat))
            if legal:
                await asyncio.sleep(PAUSE_S * rng.uniform(0.5, 1.5))
                play = {"type": "play", "room": room["id"], "seat": seat, "move": rng.choice(legal)}
                sent = time.perf_counter()
                await connection.send(json.dumps({**play, "number": message["number"]}))


async def play_games(host: str, number: int, until: float, figures: Figures) -> None:
    """Plays one game with clocks after another."""
    address = f"198.51.100.{number}"
    while time.perf_counter() < until:
        room = await create(
            host, address, game="quorum", players=["human", "human"], clock=CLOCK, listed=True
        )
        players = [
            asyncio.create_task(play_seat(host, address, room, seat, until, figures))
            for seat in range(2)
        ]
        await asyncio.wait(players, timeout=until - time.perf_counter() + 5)
        for player in players:
            player.cancel()


async def play_against_bot(host: str, until: float, figures: Figures) -> None:
    """Plays against a bot of level 1, and measures how long its moves take."""
    address = "198.51.100.250"
    while time.perf_counter() < until:
        room = await create(host, address, game="quorum", players=["human", "level:1"])
        async with socket(host, address) as connection:
            join = {"type": "join", "room": room["id"], "secrets": room["secrets"]}
            await connection.send(json.dumps(join))
            sent = 0.0
            async for text in connection:
                message = json.loads(text)
                if message["type"] not in ("room", "event"):
                    continue
                if sent and message.get("seat") == 1:
                    figures.bot_latencies.append(time.perf_counter() - sent)
                if message["over"] or time.perf_counter() > until:
                    break
                legal = message["legal"].get("0")
                if legal:
                    await asyncio.sleep(PAUSE_S)
                    play = {"type": "play", "room": room["id"], "seat": 0, "move": legal[0]}
                    sent = time.perf_counter()
                    await connection.send(json.dumps({**play, "number": message["number"]}))


def run_players(host: str, rooms: int, seconds: float, results: Any) -> None:
    """Runs all players in one process; puts their figures into a queue."""
    raise_open_file_limit()

    async def play() -> Figures:
        warming_up, figures = Figures(), Figures()
        until = time.perf_counter() + WARM_UP_S
        await asyncio.gather(*(play_games(host, i + 1, until, warming_up) for i in range(rooms)))
        results.put(None)  # now the attack begins
        until = time.perf_counter() + seconds
        await asyncio.gather(
            *(play_games(host, i + 1, until, figures) for i in range(rooms)),
            play_against_bot(host, until, figures),
        )
        return figures

    results.put(asyncio.run(play()))


# The attacks: each is one attacker's loop, until it is cancelled


def full_sphero(valence: int = 19) -> str:
    """Returns a board of Sphero on which a move has thousands of events."""
    return "/".join(
        "".join(
            "A"
            if x == y == 0
            else "RYB"[(x * x + 3 * y) % 3]
            if abs(x) + abs(y) <= valence
            else "."
            for x in range(-valence, valence + 1)
        )
        for y in range(valence, -valence - 1, -1)
    )


def full_wzlz(rng: random.Random) -> str:
    """Returns a full board of Wzlz, but for one cell."""
    state = qx.game("wzlz").start(0)
    letters = sorted(set(state.text.split()[0]) - set("./"))
    rows = ["".join(rng.choice(letters) for _ in range(9)) for _ in range(9)]
    rows[0] = "." + rows[0][1:]
    return " ".join(["/".join(rows), *state.text.split()[1:]])


async def repeat(host: str, address: str, make: Callable[[], tuple[str, Any]]) -> None:
    """Sends one request after another; waits a moment when it is rejected at once."""
    while True:
        path, body = make()
        with suppress(URLError, OSError):
            status, _ = await asyncio.to_thread(request, host, address, path, body)
            ANSWERS["done" if status < 300 else "refused"] += 1
            if status >= 300:
                await asyncio.sleep(0.2)


async def attack_png(host: str, address: str) -> None:
    rng = random.Random(address)

    def make() -> tuple[str, Any]:
        position = quote(full_wzlz(rng))
        return f"/api/picture.png?game=wzlz&size=2000&position={position}", None

    await asyncio.gather(*(repeat(host, address, make) for _ in range(30)))


async def attack_gif(host: str, address: str) -> None:
    moves, state, rng = [], qx.game("quorum").start(0), random.Random(5)
    while len(moves) < 150 and not state.over:
        moves.append(rng.choice(state.moves()))
        state = state.play(moves[-1])
    players = ["human", "human"]
    rooms = [
        await create(host, address, game="quorum", players=players, moves=moves[: len(moves) - i])
        for i in range(3)
    ]

    def make() -> tuple[str, Any]:
        look = f"theme={rng.choice(('light', 'dark', 'contrast'))}&flip={rng.random() < 0.5}"
        return f"/api/rooms/{rng.choice(rooms)['id']}/animation.gif?{look}", None

    await asyncio.gather(*(repeat(host, address, make) for _ in range(30)))


async def ask_for_ever(host: str, address: str, message: dict[str, Any]) -> None:
    """Sends a message whenever the one before is answered."""
    while True:
        with suppress(WebSocketException, OSError):
            async with socket(host, address) as connection:
                while True:
                    await connection.send(json.dumps({**message, "ref": 1}))
                    while (answer := json.loads(await connection.recv())).get("ref") != 1:
                        pass
                    ANSWERS["refused" if answer["type"] == "error" else "done"] += 1
        await asyncio.sleep(0.2)


async def attack_explore(host: str, address: str) -> None:
    state = qx.game("sphero", players=3).read(full_sphero())
    message = {
        "type": "explore",
        "game": "sphero",
        "options": {"players": 3},
        "start": state.text,
        "moves": [f"R:{state.moves(0)[0]}"],
        "frames": True,
    }
    await asyncio.gather(*(ask_for_ever(host, address, message) for _ in range(16)))


async def attack_read(host: str, address: str) -> None:
    moves = " ".join(["pass"] * 19_000)
    record = f'[Game "blocky"]\n[Options "turns=10000"]\n[Seed "0"]\n\n{moves}\n'
    pasted = "/api/read", {"text": record}
    await asyncio.gather(*(repeat(host, address, lambda: pasted) for _ in range(10)))


async def attack_bots(host: str, address: str) -> None:
    async def watch(room: str) -> None:
        async with socket(host, address) as connection:
            await connection.send(json.dumps({"type": "join", "room": room}))
            async for text in connection:
                ANSWERS["done"] += '"type":"event"' in text

    rooms = [
        await create(
            host,
            address,
            game="blocky",
            options={"depth": 6, "players": 2},
            players=[SLOWEST_BOT] * 2,
            pace=0.2,
        )
        for _ in range(2)
    ]
    await asyncio.gather(*(watch(room["id"]) for room in rooms))


async def attack_analyses(host: str, address: str) -> None:
    async def analyse(connection: ClientConnection) -> None:
        for i in range(2):
            fields = {"type": "analyse", "game": "quorum", "seconds": 10, "ref": i}
            await connection.send(json.dumps(fields))
        async for text in connection:
            message = json.loads(text)
            if message["type"] == "error" or message.get("done"):
                ANSWERS["refused" if message["type"] == "error" else "done"] += 1
                await asyncio.sleep(0.5)
                fields = {"type": "analyse", "game": "quorum", "seconds": 10}
                await connection.send(json.dumps(fields))

    async def attack() -> None:
        while True:
            with suppress(WebSocketException, OSError):
                async with socket(host, address) as connection:
                    await analyse(connection)
            await asyncio.sleep(0.2)

    await asyncio.gather(*(attack() for _ in range(32)))


async def attack_connections(host: str, address: str) -> None:
    name, port = host.split(":")

    async def hold() -> None:
        while True:
            with suppress(OSError):
                _, writer = await asyncio.open_connection(name, int(port))
                for byte in f"GET / HTTP/1.1\r\nx-forwarded-for: {address}\r\nx: ".encode():
                    writer.write(bytes([byte]))
                    await writer.drain()
                    await asyncio.sleep(0.2)
                writer.close()
            ANSWERS["refused"] += 1
            await asyncio.sleep(0.1)

    await asyncio.gather(*(hold() for _ in range(300)))


async def attack_rooms(host: str, address: str) -> None:
    body = {
        "game": "blocky",
        "options": {"turns": 10_000},
        "players": ["human", "human"],
        "moves": ["pass"] * 5000,
        "listed": True,
    }
    await asyncio.gather(*(repeat(host, address, lambda: ("/api/rooms", body)) for _ in range(10)))


Attack = Callable[[str, str], Awaitable[None]]
ATTACKS: dict[str, Attack] = {
    "png": attack_png,
    "gif": attack_gif,
    "explore": attack_explore,
    "read": attack_read,
    "bots": attack_bots,
    "analyses": attack_analyses,
    "connections": attack_connections,
    "rooms": attack_rooms,
}


async def attack_until(name: str, host: str, addresses: int, stopped: Callable[[], bool]) -> None:
    """Attacks from a number of addresses, until the players have finished."""
    tasks = [
        asyncio.create_task(_checked(ATTACKS[name](host, f"203.0.113.{i + 1}")))
        for i in range(addresses)
    ]
    while not stopped():
        await asyncio.sleep(0.1)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


async def _checked(attack: Awaitable[None]) -> None:
    """Reports an attack that fails instead of going on."""
    try:
        await attack
    except Exception as error:
        print(f"the attack failed: {type(error).__name__}: {error}")


def measure(name: str, rooms: int, seconds: float, addresses: int) -> tuple[Figures, float]:
    """Returns what the players saw during an attack, and the server's memory in bytes."""
    with (
        tempfile.TemporaryDirectory() as directory,
        Server(Path(directory), "--proxy", "127.0.0.1") as server,
    ):
        server.start(GAMES)
        spawning = multiprocessing.get_context("spawn")
        results = spawning.Queue()
        arguments = server.host, rooms, seconds, results
        players = spawning.Process(target=run_players, args=arguments)
        players.start()
        assert results.get() is None
        ANSWERS.clear()
        if name in ATTACKS:
            asyncio.run(attack_until(name, server.host, addresses, lambda: not results.empty()))
        figures: Figures = results.get()
        players.join()
        return figures, server.memory_bytes()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rooms", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=15.0)
    parser.add_argument("--addresses", type=int, default=1, help="of attackers")
    parser.add_argument("--only", nargs="*", choices=["none", *ATTACKS], default=["none", *ATTACKS])
    arguments = parser.parse_args()
    raise_open_file_limit()
    subject = f"{arguments.rooms} rooms while attackers are busy"
    table = Table(title=heading(subject), box=SIMPLE_HEAD)
    columns = ("moves", "p50 ms", "p99 ms", "max ms", "lost on time", "bot p99 ms", "memory MB")
    columns += ("attackers: done", "refused")
    table.add_column("attack")
    for column in columns:
        table.add_column(column, justify="right")
    for name in arguments.only:
        figures, memory = measure(name, arguments.rooms, arguments.seconds, arguments.addresses)
        times = [
            f"{1000 * value:.0f}"
            for value in (
                percentile(figures.latencies, 0.5),
                percentile(figures.latencies, 0.99),
                max(figures.latencies, default=float("nan")),
            )
        ]
        bot = f"{1000 * percentile(figures.bot_latencies, 0.99):.0f}"
        lost = str(figures.lost_on_time)
        answers = str(ANSWERS["done"]), str(ANSWERS["refused"])
        moves, megabytes = str(len(figures.latencies)), f"{memory / 1e6:.0f}"
        table.add_row(name, moves, *times, lost, bot, megabytes, *answers)
        if figures.errors:
            print(name, dict(figures.errors))
    Console(width=120).print(table)


if __name__ == "__main__":
    main()
