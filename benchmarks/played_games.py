"""Games of Quorum that are played at random against a server that fails, and compared with it.

A game knows every move that its client was sent. Whenever the client joins its room again, these
moves must be there.
"""

from __future__ import annotations

import asyncio
import json
import random
import time
from dataclasses import dataclass, field
from typing import Any

from serving import Server
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

RETRY_SECONDS = 0.05
ANSWER_SECONDS = 20.0  # the server answers everything within 5


class Lost(Exception):
    """A move that was sent to a client is not stored."""


@dataclass
class ReceivedGame:
    """What one client has received of one game."""

    room: str
    secrets: dict[str, str]
    moves: list[str] = field(default_factory=list)
    text: str = ""
    over: bool = False
    busy: int = 0  # requests that the server could not fulfil
    last_move: float = 0.0  # when the last move was received

    def receive(self, message: dict[str, Any]) -> None:
        """Stores the event of a move."""
        self.moves.append(message["move"])
        self.text, self.over = message["text"], message["over"]
        self.last_move = time.perf_counter()

    def compare(self, room: dict[str, Any]) -> None:
        """Raises Lost if a move is missing; continues from what is stored otherwise."""
        moves = [move for _, move in room["moves"]]
        received = len(self.moves)
        if moves[:received] != self.moves:
            raise Lost(f"{self.room}: {received} moves were sent, {len(moves)} are stored")
        if len(moves) == received and received and room["text"] != self.text:
            raise Lost(f"{self.room}: the moves are stored, but the position differs")
        self.moves, self.text, self.over = moves, room["text"], room["over"]


def new_game(server: Server) -> ReceivedGame:
    """Creates a room."""
    created = server.post("/api/rooms", game="quorum", players=["human", "human"])
    return ReceivedGame(created["id"], created["secrets"])


async def _receive(socket: ClientConnection, kind: str) -> dict[str, Any]:
    """Returns the next message of a kind; raises ConnectionError if it is an error."""
    while True:
        message: dict[str, Any] = json.loads(await asyncio.wait_for(socket.recv(), ANSWER_SECONDS))
        if message["type"] == "error":
            raise ConnectionError(message["text"])
        if message["type"] == kind:
            return message


async def _join(socket: ClientConnection, game: ReceivedGame) -> dict[str, Any]:
    await socket.send(json.dumps({"type": "join", "room": game.room, "secrets": game.secrets}))
    room = await _receive(socket, "room")
    game.compare(room)
    return room


async def rejoin(host: str, game: ReceivedGame) -> None:
    """Joins a room as soon as the server lets it; raises Lost."""
    while True:
        try:
            async with connect(f"ws://{host}/socket", compression=None, max_queue=None) as socket:
                await _join(socket, game)
                return
        except (WebSocketException, OSError, asyncio.TimeoutError):
            await asyncio.sleep(RETRY_SECONDS)


async def play(host: str, game: ReceivedGame, rng: random.Random) -> None:
    """Plays random moves for both seats until the game or the connection ends; raises Lost."""
    try:
        async with connect(f"ws://{host}/socket", compression=None, max_queue=None) as socket:
            message = await _join(socket, game)
            while not message["over"]:
                ((seat, moves),) = message["legal"].items()
                move = {"seat": int(seat), "move": rng.choice(moves), "number": message["number"]}
                await socket.send(json.dumps({"type": "play", "room": game.room, **move}))
                message = await _receive(socket, "event")
                game.receive(message)
    except (WebSocketException, OSError, asyncio.TimeoutError):
        game.busy += 1


async def play_on(host: str, game: ReceivedGame, rng: random.Random) -> None:
    """Plays random moves for both seats until the game ends, however often that fails."""
    while not game.over:
        await play(host, game, rng)
        await asyncio.sleep(RETRY_SECONDS)
