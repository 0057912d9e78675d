"""kill -9 under load, many times: is every move that was sent to a client still on disk?

    python benchmarks/web_kill.py --kills 50 --games 60

Each round plays random moves in all games at once, kills the server at a random moment, starts
it again, and compares each game with what its client received.
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
from serving import Server, raise_open_file_limit
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException


@dataclass
class ReceivedGame:
    """What one client has received of one game."""

    room: str
    secrets: dict[str, str]
    moves: list[str] = field(default_factory=list)
    text: str = ""
    over: bool = False


async def join(socket: ClientConnection, game: ReceivedGame) -> dict[str, Any]:
    """Joins the room of a game; returns the message `room`."""
    await socket.send(json.dumps({"type": "join", "room": game.room, "secrets": game.secrets}))
    while True:
        message: dict[str, Any] = json.loads(await socket.recv())
        if message["type"] == "room":
            return message


async def play(host: str, game: ReceivedGame, rng: random.Random) -> None:
    """Plays random moves for both seats until the server is killed."""
    try:
        async with connect(f"ws://{host}/socket", compression=None, max_queue=None) as socket:
            message = await join(socket, game)
            while not message["over"]:
                ((seat, moves),) = message["legal"].items()
                move = {"seat": int(seat), "move": rng.choice(moves), "number": message["number"]}
                await socket.send(json.dumps({"type": "play", "room": game.room, **move}))
                message = json.loads(await socket.recv())
                game.moves.append(message["move"])
                game.text, game.over = message["text"], message["over"]
    except (WebSocketException, OSError):
        pass


async def check(host: str, game: ReceivedGame) -> str:
    """Returns what is wrong with a game, or an empty text; continues from what is on disk."""
    async with connect(f"ws://{host}/socket", compression=None, max_queue=None) as socket:
        room = await join(socket, game)
    moves = [move for _, move in room["moves"]]
    received = len(game.moves)
    if moves[:received] != game.moves:
        return f"{game.room}: {received} moves were sent, {len(moves)} are on disk"
    if len(moves) == received and received and room["text"] != game.text:
        return f"{game.room}: the moves are on disk, but the position differs"
    game.moves, game.text, game.over = moves, room["text"], room["over"]
    return ""


async def kill_round(server: Server, games: list[ReceivedGame], rng: random.Random) -> list[str]:
    """Plays, kills the server, starts it again, compares; returns what is wrong."""
    playing = [asyncio.create_task(play(server.host, game, rng)) for game in games]
    await asyncio.sleep(rng.uniform(0.2, 1.5))
    server.kill()
    await asyncio.gather(*playing)
    await asyncio.to_thread(server.start, ("quorum",))
    return [error for game in games if (error := await check(server.host, game))]


def new_game(server: Server) -> ReceivedGame:
    """Creates a room."""
    created = server.post("/api/rooms", game="quorum", players=["human", "human"])
    return ReceivedGame(created["id"], created["secrets"])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--games", type=int, default=60)
    args = parser.parse_args()
    raise_open_file_limit()
    print(heading(f"kill -9, {args.kills} times under {args.games} games"))
    rng, errors, moves, started = random.Random(1), [], 0, time.perf_counter()
    with tempfile.TemporaryDirectory() as directory, Server(Path(directory)) as server:
        server.start(("quorum",))
        games: list[ReceivedGame] = []
        for _ in range(args.kills):
            finished = [game for game in games if game.over]
            moves += sum(len(game.moves) for game in finished)
            games = [game for game in games if not game.over]
            games += [new_game(server) for _ in range(args.games - len(games))]
            errors += asyncio.run(kill_round(server, games, rng))
        moves += sum(len(game.moves) for game in games)
    print(f"{moves:,} moves, {time.perf_counter() - started:,.0f} s; errors: {len(errors)}")
    for line in errors[:20]:
        print(line)
    raise SystemExit(bool(errors))


if __name__ == "__main__":
    main()
