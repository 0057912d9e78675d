"""The processor time of a move on the server, by its parts, without a network.

    python benchmarks/move_cost.py [--rooms 200] [--plies 60] [--runs 5] [--profile]

The real server (`create_app`) with a real SQLite database plays prepared games. Its sockets are
fake: each gives the next prepared message as soon as its player has received the event before it.
So the total contains everything but the WebSocket frames and the operating system's network, and
neither a client nor other programs of the machine. All times are processor time, of all threads;
the lowest of several runs is printed. With --profile the server's functions are listed instead.

The parts are measured one by one with the same games, and are contained in the total. What remains
of it are tasks, locks, the event loop, and that caches are cold.
"""

from __future__ import annotations

import argparse
import asyncio
import cProfile
import gc
import json
import pstats
import random
import tempfile
import time
from collections.abc import Awaitable, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import uvloop
from machine import heading

import quincunx as qx
from quincunx.rooms.events import Event, RoomSettings
from quincunx.rooms.room import GameRoom
from quincunx.rooms.views import LegalMoves, event_fields
from quincunx.web import codec
from quincunx.web.app import create_app
from quincunx.web.database import Database, sqlite_url
from quincunx.web.games import relieve_garbage_collector
from quincunx.web.limits import Limits

SCOPE = {
    **{"type": "websocket", "path": "/socket", "raw_path": b"/socket", "scheme": "ws"},
    **{"client": ("127.0.0.1", 1), "headers": [(b"host", b"127.0.0.1")], "state": {}},
}
UNLIMITED = Limits(messages_per_second=1e9, max_sockets=10**6)
EVENT, ROOM, ERROR = '{"type":"event"', '{"type":"room"', '{"type":"error"'


class FakeSocket:
    """One end of a WebSocket: gives the server prepared messages, and counts what it sends."""

    def __init__(self, game: PreparedGame) -> None:
        self.game = game
        self.events = 0
        self.joined = asyncio.Event()
        self._messages: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.receive = self._messages.get
        self.put("connect")

    def put(self, kind: str, **fields: str) -> None:
        """Gives the server a message."""
        self._messages.put_nowait({"type": f"websocket.{kind}", **fields})

    async def send(self, message: dict[str, Any]) -> None:
        """Takes a message of the server; an event may be followed by the player's next move."""
        text = message.get("text", "")
        if text.startswith(EVENT):
            self.events += 1
            self.game.continue_after_event(self)
        elif text.startswith(ROOM):
            self.joined.set()
        assert not text.startswith(ERROR), text


@dataclass
class PreparedGame:
    """A game whose moves are known before it is played."""

    seed: int
    moves: list[tuple[int, str]]  # seat and text
    messages: list[str] = field(default_factory=list)
    sockets: tuple[FakeSocket, ...] = ()
    played: int = 0
    done: asyncio.Event = field(default_factory=asyncio.Event)

    def play_next(self) -> None:
        """Sends the next move, or ends the game."""
        if self.played == len(self.moves):
            self.done.set()
            return
        seat, _ = self.moves[self.played]
        self.played += 1
        self.sockets[seat].put("receive", text=self.messages[self.played - 1])

    def continue_after_event(self, socket: FakeSocket) -> None:
        """Sends the next move when its player has received all moves before it."""
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
    return PreparedGame(seed, moves)


def play_message(room: str, number: int, seat: int, move: str, ref: bool) -> str:
    """Returns the message of a move, with a ref if it is to be acknowledged."""
    play = {"type": "play", "room": room, "seat": seat, "move": move, "number": number}
    return json.dumps({**play, "ref": number + 1} if ref else play)


@asynccontextmanager
async def connected(app: Any, prepared: PreparedGame, game: str, ref: bool) -> Any:
    """Creates the room of a game, and joins its seats."""
    session, secrets = await app.state.lobby.create(
        game, {}, ["human"] * qx.game(game).seats, seed=prepared.seed
    )
    room = session.room.settings.id
    prepared.sockets = tuple(FakeSocket(prepared) for _ in secrets)
    prepared.messages = [
        play_message(room, number, seat, move, ref)
        for number, (seat, move) in enumerate(prepared.moves)
    ]
    tasks = []
    for seat, socket in enumerate(prepared.sockets):
        tasks.append(asyncio.create_task(app(dict(SCOPE), socket.receive, socket.send)))
        join = {"type": "join", "room": room, "secrets": {seat: secrets[seat]}}
        socket.put("receive", text=json.dumps(join))
        await socket.joined.wait()
    yield
    for socket in prepared.sockets:
        socket.put("disconnect")
    await asyncio.gather(*tasks)


async def total(
    game: str, rooms: int, plies: int, ref: bool, profile: cProfile.Profile | None = None
) -> float:
    """Returns the processor time of a move, in µs, when all games are played at once."""
    games = [prepare(game, seed, plies) for seed in range(rooms)]
    with tempfile.TemporaryDirectory() as directory:
        app = create_app(sqlite_url(Path(directory)), UNLIMITED, compile_first=False)
        async with app.router.lifespan_context(app), _all_connected(app, games, game, ref):
            gc.collect()
            relieve_garbage_collector()  # as the server does
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
    return seconds / sum(len(prepared.moves) for prepared in games) * 1e6


@asynccontextmanager
async def _all_connected(app: Any, games: Sequence[PreparedGame], game: str, ref: bool) -> Any:
    contexts = [connected(app, prepared, game, ref) for prepared in games]
    for context in contexts:
        await context.__aenter__()
    yield
    for context in contexts:
        await context.__aexit__(None, None, None)


# Parts


def settings(game: str, seed: int) -> RoomSettings:
    """Returns the settings of a room."""
    seats = qx.game(game).seats
    return RoomSettings(
        f"room{seed:08d}", game, {}, seed, "", ("human",) * seats, ("",) * seats,
        None, 2.0, False, 1,
    )  # fmt: skip


def played(game: str, games: Sequence[PreparedGame]) -> Iterator[tuple[GameRoom, int, str]]:
    """Returns rooms with the seat and the text of their next move, which the caller plays."""
    rooms = [GameRoom(settings(game, prepared.seed), qx.game(game)) for prepared in games]
    return _next_moves(rooms, games)


def _next_moves(
    rooms: Sequence[GameRoom], games: Sequence[PreparedGame]
) -> Iterator[tuple[GameRoom, int, str]]:
    for ply in range(max(len(prepared.moves) for prepared in games)):
        for room, prepared in zip(rooms, games, strict=True):
            if ply < len(prepared.moves):
                yield room, *prepared.moves[ply]


def parse_part(game: str, games: Sequence[PreparedGame]) -> tuple[int, float]:
    """Returns the number and the time of messages that are parsed."""
    texts = [
        play_message("room00000000", number, seat, move, False)
        for prepared in games
        for number, (seat, move) in enumerate(prepared.moves)
    ]
    started = time.process_time()
    for text in texts:
        codec.parse(text)
    return len(texts), time.process_time() - started


ROOM_PARTS = ("play", "event", "legal moves", "encode")


def room_seconds(game: str, games: Sequence[PreparedGame], count: int) -> float:
    """Returns the time of the first parts of what happens to all moves in their rooms."""
    next_moves = played(game, games)
    started = time.process_time()
    for room, seat, move in next_moves:
        event = room.play(seat, move, room.number, 1)
        if count > 1:
            fields = event_fields(room, event, 1)
        if count > 2:
            moves = LegalMoves(room.state).fields("moves", (1 - seat,))
        if count > 3:
            codec.dumps(fields)
            codec.dumps(moves)
    return time.process_time() - started


def room_parts(game: str, games: Sequence[PreparedGame]) -> dict[str, float]:
    """Returns the time of each part of what happens to all moves in their rooms."""
    sums = [0.0, *(room_seconds(game, games, count) for count in range(1, 1 + len(ROOM_PARTS)))]
    return {part: sums[i + 1] - sums[i] for i, part in enumerate(ROOM_PARTS)}


async def store_part(game: str, games: Sequence[PreparedGame]) -> float:
    """Returns the time of storing all moves, those of all rooms at once."""
    with tempfile.TemporaryDirectory() as directory:
        database = Database(sqlite_url(Path(directory)))
        await database.open()
        for prepared in games:
            await database.add(settings(game, prepared.seed))
        started = time.process_time()
        for ply in range(max(len(prepared.moves) for prepared in games)):
            appends: list[Awaitable[None]] = []
            for prepared in games:
                if ply < len(prepared.moves):
                    event = Event(ply + 1, "play", *prepared.moves[ply], 1)
                    appends.append(database.append(f"room{prepared.seed:08d}", event))
            await asyncio.gather(*appends)
        seconds = time.process_time() - started
        await database.close()
    return seconds


def parts(game: str, rooms: int, plies: int) -> dict[str, float]:
    """Returns the time of each part of a move, in µs."""
    games = [prepare(game, seed, plies) for seed in range(rooms)]
    count, parse_seconds = parse_part(game, games)
    seconds = {"parse": parse_seconds, **room_parts(game, games)}
    seconds["store"] = run(store_part(game, games))
    return {part: value / count * 1e6 for part, value in seconds.items()}


def run(work: Any) -> Any:
    """Runs a coroutine in an event loop as the server's."""
    loop = uvloop.new_event_loop()
    try:
        return loop.run_until_complete(work)
    finally:
        loop.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", default="quorum")
    parser.add_argument("--rooms", type=int, default=200)
    parser.add_argument("--plies", type=int, default=60)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--ref", action="store_true", help="acknowledge every move as well")
    parser.add_argument("--profile", action="store_true", help="print a profile instead")
    args = parser.parse_args()
    print(heading(f"A move of {args.game}, {args.rooms} rooms at once, µs"))
    arguments = args.game, args.rooms, args.plies
    if args.profile:
        profile = cProfile.Profile()
        run(total(*arguments, args.ref, profile))
        pstats.Stats(profile).sort_stats("tottime").print_stats(40)
        return
    totals = [run(total(*arguments, args.ref)) for _ in range(args.runs)]
    print(f"{'total':12} {min(totals):6.1f}   median {sorted(totals)[len(totals) // 2]:.1f}")
    all_parts = [parts(*arguments) for _ in range(args.runs)]
    lowest = {part: min(each[part] for each in all_parts) for part in all_parts[0]}
    for part, time_of_part in {**lowest, "rest": min(totals) - sum(lowest.values())}.items():
        print(f"  {part:10} {time_of_part:6.1f}")


if __name__ == "__main__":
    main()
