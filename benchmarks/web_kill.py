"""kill -9 again and again under load: is every move still there that anybody was told of?

    python benchmarks/web_kill.py --kills 50 --games 60

Each round plays random moves in all games at once, kills the server at a random moment without
any warning, starts it again, and compares each game with what its client was told.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from machine import heading
from serving import Server, allow_many_sockets
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException


@dataclass
class Told:
    """What one client was told of one game."""

    room: str
    secrets: dict[str, str]
    moves: list[str] = field(default_factory=list)
    text: str = ""
    over: bool = False


async def joined(socket: ClientConnection, told: Told) -> dict[str, Any]:
    """The room as it is."""
    await socket.send(json.dumps({"type": "join", "room": told.room, "secrets": told.secrets}))
    while True:
        message: dict[str, Any] = json.loads(await socket.recv())
        if message["type"] == "room":
            return message


async def play(host: str, told: Told, dice: random.Random) -> None:
    """Plays random moves for both seats until the server is gone."""
    try:
        async with connect(f"ws://{host}/socket", compression=None, max_queue=None) as socket:
            message = await joined(socket, told)
            while not message["over"]:
                ((seat, moves),) = message["legal"].items()
                move = {"seat": int(seat), "move": dice.choice(moves), "number": message["number"]}
                await socket.send(json.dumps({"type": "play", "room": told.room, **move}))
                message = json.loads(await socket.recv())
                told.moves.append(message["move"])
                told.text, told.over = message["text"], message["over"]
    except (WebSocketException, OSError):
        pass


async def check(host: str, told: Told) -> str:
    """What is wrong with a game, if something is; it goes on from what is on disk."""
    async with connect(f"ws://{host}/socket", compression=None, max_queue=None) as socket:
        room = await joined(socket, told)
    moves = [move for _, move in room["moves"]]
    known = len(told.moves)
    if moves[:known] != told.moves:
        return f"{told.room}: of {known} moves that were told, {len(moves)} are there"
    if len(moves) == known and known and room["text"] != told.text:
        return f"{told.room}: the moves are there, and another position"
    told.moves, told.text, told.over = moves, room["text"], room["over"]
    return ""


async def one_round(server: Server, games: list[Told], dice: random.Random) -> list[str]:
    """Plays, kills, starts again, compares."""
    playing = [asyncio.create_task(play(server.host, told, dice)) for told in games]
    await asyncio.sleep(dice.uniform(0.2, 1.5))
    server.kill()
    await asyncio.gather(*playing)
    await asyncio.to_thread(server.start, ("quorum",))
    return [wrong for told in games if (wrong := await check(server.host, told))]


def new_game(server: Server) -> Told:
    """A room that has just been made."""
    made = server.post("/api/rooms", game="quorum", players=["human", "human"])
    return Told(made["id"], made["secrets"])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--games", type=int, default=60)
    chosen = parser.parse_args()
    allow_many_sockets()
    print(heading(f"kill -9, {chosen.kills} times under {chosen.games} games"))
    dice, wrong, moves, began = random.Random(1), [], 0, time.perf_counter()
    with tempfile.TemporaryDirectory() as folder, Server(Path(folder)) as server:
        server.start(("quorum",))
        games: list[Told] = []
        for _ in range(chosen.kills):
            over = [told for told in games if told.over]
            moves += sum(len(told.moves) for told in over)
            games = [told for told in games if not told.over]
            games += [new_game(server) for _ in range(chosen.games - len(games))]
            wrong += asyncio.run(one_round(server, games, dice))
        moves += sum(len(told.moves) for told in games)
    print(f"{moves:,} moves, {time.perf_counter() - began:,.0f} s; wrong: {len(wrong)}")
    for line in wrong[:20]:
        print(line)
    raise SystemExit(bool(wrong))


if __name__ == "__main__":
    main()
