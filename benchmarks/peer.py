"""The peer of the server benchmarks: boardgame.io (boardgame/), installed and run locally."""

from __future__ import annotations

import json
import os
import random
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import msgspec
from load_client import Load, Player
from serving import LoadResult, cpu_seconds, free_port, measure_cpu

SOURCES = Path(__file__).with_name("boardgame")
INSTALLED = Path(__file__).with_name("build") / "boardgame"
GAME, CELLS = "cells", 64  # as in boardgame/game.js
PLAYERS = ("0", "1")
NAMESPACE = f"/{GAME},".encode()
EVENT = b"42" + NAMESPACE
ENVIRONMENT = {**os.environ, "NODE_ENV": "production"}  # without development checks


class PeerUnavailableError(Exception):
    """boardgame.io cannot be measured; the message says why."""


def install() -> None:
    """Installs boardgame.io with npm, in a directory outside version control."""
    for program in ("node", "npm"):
        if shutil.which(program) is None:
            raise PeerUnavailableError(f"{program} is not installed")
    shutil.copytree(SOURCES, INSTALLED, dirs_exist_ok=True)
    command = ("npm", "install", "--no-package-lock", "--no-audit", "--no-fund", "--prefer-offline")
    process = subprocess.run(command, cwd=INSTALLED, capture_output=True, text=True)
    if process.returncode:
        raise PeerUnavailableError(f"npm install failed:\n{process.stderr.strip()}")


class State(msgspec.Struct):
    """What a client reads of a state of boardgame.io."""

    number: int = msgspec.field(name="_stateID")
    G: dict[str, Any]
    ctx: dict[str, Any]


decode_event = msgspec.json.Decoder(list[msgspec.Raw]).decode
decode_state = msgspec.json.Decoder(State).decode
encode = msgspec.json.Encoder().encode


class BoardgamePlayer(Player):
    """A player of a match, who takes a piece from a random cell and puts it on another one.

    The messages are those of boardgame.io's own client (`sync`, `update`), in packets of socket.io.
    """

    path = "/socket.io/?EIO=4&transport=websocket"

    def __init__(self, port: int, load: Load, match: str, number: str, secret: str) -> None:
        self.match, self.number, self.secret = match, number, secret
        self.rng = random.Random(f"{match}{number}")
        self.moves_seen = self.wrong = 0
        self.first_state: State | None = None
        super().__init__(port, load)

    def emit(self, name: str, *arguments: Any) -> bytes:
        """Returns an event as a packet."""
        return EVENT + encode([name, *arguments])

    def handle(self, payload: bytes) -> None:
        """Handles a packet."""
        if payload[:1] == b"0":  # the connection is open: enter the namespace of the game
            self.send(b"40" + NAMESPACE)
        elif payload == b"2":
            self.send(b"3")  # ping, pong
        elif payload.startswith(b"40" + NAMESPACE):
            self.send(self.emit("sync", self.match, self.number, self.secret, 2))
        elif payload.startswith(EVENT):
            name, _, *arguments = decode_event(payload[len(EVENT) :])
            self._handle_event(bytes(name), arguments)

    def _handle_event(self, name: bytes, arguments: Sequence[msgspec.Raw]) -> None:
        if name == b'"sync"':
            fields = msgspec.json.decode(arguments[0], type=dict[str, msgspec.Raw])
            self.first_state = decode_state(fields["state"])
        elif name == b'"matchData"' and self.first_state:
            state, self.first_state = self.first_state, None
            self.load.joined(self)
            self._play(state)
        elif name == b'"update"':
            state = decode_state(arguments[0])
            self.moves_seen += 1
            self.wrong += state.G["moves"] != self.moves_seen
            self.played()
            self._play(state)

    def _play(self, state: State) -> None:
        self.over = "gameover" in state.ctx
        if self.over or state.ctx["currentPlayer"] != self.number:
            return
        cells = [self.rng.randrange(CELLS), self.rng.randrange(CELLS)]
        step = {"type": "step", "args": cells, "playerID": self.number, "credentials": self.secret}
        move = {"type": "MAKE_MOVE", "payload": step}
        self.play(self.emit("update", move, state.number, self.match, self.number))


def load(storage: str, matches: int, seconds: float, per_place: int) -> LoadResult:
    """Measures a number of concurrent matches; `storage` is "files" or "memory"."""
    port = free_port()
    with tempfile.TemporaryDirectory() as directory:
        command = ["node", "server.js", str(port), *([directory] if storage == "files" else [])]
        server = subprocess.Popen(command, cwd=INSTALLED, env=ENVIRONMENT)
        try:
            _wait_for(server, port)
            created = [_create_match(port) for _ in range(per_place * matches)]
            load = Load(created, matches, seconds)
            cpu = measure_cpu(load, lambda: cpu_seconds(server.pid))
        finally:
            server.terminate()
            server.wait()
    players = [player for player in load.all_players if isinstance(player, BoardgamePlayer)]
    if wrong := sum(player.wrong for player in players):
        print(f"boardgame.io, {storage}: {wrong} states did not follow their predecessor")
    moves, started = len(load.latencies), load.matches_started
    figures = moves, started, load.elapsed, cpu, load.latencies, load.client_cpu_seconds
    return LoadResult("boardgame.io", storage, *figures)


def _create_match(port: int) -> Callable[[Load], list[Player]]:
    """Creates a match with both players; returns what connects them to it."""
    match = _post(port, "create", numPlayers=2)["matchID"]
    secrets = [
        _post(port, f"{match}/join", playerID=number, playerName=number)["playerCredentials"]
        for number in PLAYERS
    ]

    def connect(load: Load) -> list[Player]:
        return [
            BoardgamePlayer(port, load, match, number, secret)
            for number, secret in zip(PLAYERS, secrets, strict=True)
        ]

    return connect


def _post(port: int, path: str, **fields: Any) -> dict[str, Any]:
    url = f"http://127.0.0.1:{port}/games/{GAME}/{path}"
    request = Request(url, json.dumps(fields).encode(), {"content-type": "application/json"})
    with urlopen(request) as answer:
        content: dict[str, Any] = json.load(answer)
        return content


def _wait_for(server: subprocess.Popen[bytes], port: int) -> None:
    while server.poll() is None:
        try:
            socket.create_connection(("127.0.0.1", port)).close()
            return
        except OSError:
            time.sleep(0.05)
    raise PeerUnavailableError("the server of boardgame.io did not start")
