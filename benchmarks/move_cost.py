"""The processor time of a move on the server, by its parts, without a network.

    python benchmarks/move_cost.py [--rooms 200] [--plies 60] [--runs 5] [--profile]

The real server (`create_app`) with a real SQLite database plays prepared games. Its sockets are
fake: each gives the next prepared message as soon as its player has received the event before it.
So the figure contains everything but the WebSocket frames and the operating system's network, and
neither a client nor other programs of the machine. All times are processor time, of all threads.

The parts are measured one by one on the same games, and are parts of the first figure; `rest` is
what remains: locks, tasks, and the event loop.
"""

from __future__ import annotations

import argparse
import asyncio
import cProfile
import gc
import json
import pstats
import random
import statistics
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from machine import heading

import quincunx as qx
from quincunx.rooms.events import Event, RoomSettings
from quincunx.rooms.room import GameRoom
from quincunx.rooms.session import RoomSession
from quincunx.rooms.views import Subscription
from quincunx.web import codec
from quincunx.web.app import create_app
from quincunx.web.database import Database, sqlite_url
from quincunx.web.limits import Limits

SCOPE = {"type": "websocket", "path": "/socket", "client": ("127.0.0.1", 1), "headers": []}
HEADERS = [(b"host", b"127.0.0.1")]
UNLIMITED = Limits(messages_per_second=1e9, max_sockets=10**6)


class FakeSocket:
    """One end of a WebSocket: what the server receives is put, what it sends is counted."""

    def __init__(self, game: PreparedGame) -> None:
        self.game = game
        self.received: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.joined = asyncio.Event()
        self.events = 0
        self.receive = self.received.get

    def put(self, text: str) -> None:
        """Gives the server a message."""
        self.received.put_nowait({"type": "websocket.receive", "text": text})

    async def send(self, message: dict[str, Any]) -> None:
        """Takes a message of the server; an event may be followed by the player's next move."""
        text = message.get("text", "")
        if text.startswith('{"type":"event"'):
            self.events += 1
            self.game.continue_after_event(self)
        elif text.startswith('{"type":"room"'):
            self.joined.set()
        elif text.startswith('{"type":"error"'):
            raise AssertionError(text)


@dataclass
class PreparedGame:
    """A game whose moves are known before it is played: seats, texts, and their messages."""

    moves: list[tuple[int, str]]
    room: str = ""
    messages: list[str] = None  # type: ignore[assignment]
    sockets: tuple[FakeSocket, ...] = ()
    played: int = 0
    done: asyncio.Event = None  # type: ignore[assignment]

    def play_next(self) -> None:
        """Sends the next move, or ends the game."""
        if self.played < len(self.moves):
            seat, _ = self.moves[self.played]
            self.played += 1
            self.sockets[seat].put(self.messages[self.played - 1])
        else:
            self.done.set()

    def continue_after_event(self, socket: FakeSocket) -> None:
        """Sends the next move when its own player, or the last one, has received the event."""
        seat, _ = self.moves[min(self.played, len(self.moves) - 1)]
        if socket is self.sockets[seat] and socket.events == self.played:
            self.play_next()


def prepare(game: str, seed: int, plies: int) -> PreparedGame:
    """Returns a game of random legal moves."""
    rng, state, moves = random.Random(seed), qx.game(game).start(seed), []
    while len(moves) < plies and not state.over:
        seat = state.turn or 0
        moves.append((seat, rng.choice(state.moves(seat))))
        state = state.play(moves[-1][1], seat)
    return PreparedGame(moves)


async def connect(app: Any, prepared: PreparedGame, game: str, seed: int, ref: bool) -> None:
    """Creates the room of a game and joins both of its seats."""
    session, secrets = await app.state.lobby.create(game, {}, ["human", "human"], seed=seed)
    prepared.room, prepared.done = session.room.settings.id, asyncio.Event()
    prepared.sockets = tuple(FakeSocket(prepared) for _ in secrets)
    prepared.messages = [
        play_message(prepared.room, number, seat, move, ref)
        for number, (seat, move) in enumerate(prepared.moves)
    ]
    for seat, socket in enumerate(prepared.sockets):
        scope = {**SCOPE, "headers": HEADERS}
        asyncio.create_task(app(scope, socket.receive, socket.send))  # noqa: RUF006
        socket.received.put_nowait({"type": "websocket.connect"})
        join = {"type": "join", "room": prepared.room, "secrets": {seat: secrets[seat]}}
        socket.put(json.dumps(join))
        await socket.joined.wait()


def play_message(room: str, number: int, seat: int, move: str, ref: bool) -> str:
    """Returns the message of a move, with a ref if it is to be acknowledged."""
    play = {"type": "play", "room": room, "seat": seat, "move": move, "number": number}
    return json.dumps({**play, "ref": number + 1} if ref else play)


async def play_all(
    game: str, rooms: int, plies: int, ref: bool, profile: cProfile.Profile | None = None
) -> float:
    """Returns the processor time of a move, in seconds, when all games are played at once."""
    games = [prepare(game, seed, plies) for seed in range(rooms)]
    with tempfile.TemporaryDirectory() as directory:
        app = create_app(sqlite_url(Path(directory)), UNLIMITED, compile_first=False)
        async with app.router.lifespan_context(app):
            for seed, prepared in enumerate(games):
                await connect(app, prepared, game, seed, ref)
            gc.collect()
            gc.freeze()
            started = time.process_time()
            if profile:
                profile.enable()
            for prepared in games:
                prepared.play_next()
            for prepared in games:
                await prepared.done.wait()
            if profile:
                profile.disable()
            seconds = time.process_time() - started
            for prepared in games:
                for socket in prepared.sockets:
                    socket.received.put_nowait({"type": "websocket.disconnect"})
            await asyncio.sleep(0)
    return seconds / sum(len(prepared.moves) for prepared in games)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", default="quorum")
    parser.add_argument("--rooms", type=int, default=200)
    parser.add_argument("--plies", type=int, default=60)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--ref", action="store_true", help="acknowledge every move as well")
    parser.add_argument("--profile", action="store_true", help="print a profile instead")
    args = parser.parse_args()
    import uvloop

    def run(coro):
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as r: return r.run(coro)
    print(heading(f"A move of {args.game}, {args.rooms} rooms at once"))
    if args.profile:
        profile = cProfile.Profile()
        run(play_all(args.game, args.rooms, args.plies, args.ref, profile))
        pstats.Stats(profile).sort_stats("tottime").print_stats(45)
        return
    totals = [
        run(play_all(args.game, args.rooms, args.plies, args.ref)) * 1e6
        for _ in range(args.runs)
    ]
    print(" ".join(f"{t:.1f}" for t in totals))


if __name__ == "__main__":
    main()
