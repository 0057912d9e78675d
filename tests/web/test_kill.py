"""A server that is killed at any moment loses no move that it has sent to a client."""

import json
import random
import signal
import socket
import subprocess
import sys
import threading
from urllib.request import urlopen

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from quincunx.client import Client
from quincunx.registry import game

SERVER = """
import socket, sys, uvicorn
from pathlib import Path
from quincunx.web.app import create_app
from quincunx.web.database import sqlite_url
app = create_app(sqlite_url(Path(sys.argv[1])), compile_first=False)
listener = socket.socket(fileno=int(sys.argv[2]))
uvicorn.Server(uvicorn.Config(app, log_level="error")).run([listener])
"""


class ServerProcess:
    """A server in another process.

    The socket belongs to this process: clients that connect while the server starts are queued.
    """

    def __init__(self, data):
        self.data = data
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.host = f"127.0.0.1:{self.listener.getsockname()[1]}"

    def start(self):
        number = self.listener.fileno()
        command = [sys.executable, "-c", SERVER, str(self.data), str(number)]
        self.process = subprocess.Popen(command, pass_fds=[number])
        urlopen(f"http://{self.host}/api/games", timeout=300).close()

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def close(self):
        self.kill()
        self.listener.close()


@pytest.fixture
def server(tmp_path):
    process = ServerProcess(tmp_path)
    process.start()
    yield process
    process.close()


def play(host, made, received, target, reached):
    """Plays both seats at random and collects the events, until the server is killed.

    Sets `reached` when there are `target` events, and when the game is over.
    """
    rng, room = random.Random(made["id"]), made["id"]
    try:
        with connect(f"ws://{host}/socket") as page:
            page.send(json.dumps({"type": "join", "room": room, "secrets": made["secrets"]}))
            while True:
                message = json.loads(page.recv(30))
                if message["type"] == "event":
                    received.append((message["number"], message["move"], message["text"]))
                if message["over"] or len(received) >= target:
                    reached.set()
                if message["over"]:
                    return
                ((seat, moves),) = message["legal"].items()
                move = {"type": "play", "room": room, "seat": int(seat), "move": rng.choice(moves)}
                page.send(json.dumps({**move, "number": message["number"]}))
    except (ConnectionClosed, OSError):
        pass


def events_of(room):
    """Returns the events of a room in which only moves were made, as `play` collects them."""
    state, events = game("quorum").start(seed=0), []
    for number, (seat, move) in enumerate(room.moves, 1):
        state = state.play(move, seat)
        events.append((number, move, state.text))
    assert (room.number, room.text) == (len(events), state.text)  # no event is missing in between
    return events


@pytest.mark.heavy
def test_every_move_that_was_sent_is_on_disk(server):
    with Client(server.host) as client:
        rooms = [client.create("quorum", ["human", "human"]) for _ in range(4)]
    received = {made["id"]: [] for made in rooms}
    for round_ in range(3):
        reached = threading.Event()
        target = 5 * (round_ + 1)
        threads = [
            threading.Thread(
                target=play, args=(server.host, made, received[made["id"]], target, reached)
            )
            for made in rooms
        ]
        for thread in threads:
            thread.start()
        assert reached.wait(120), "the games do not proceed"
        server.kill()
        for thread in threads:
            thread.join()
        server.start()
        with Client(server.host) as client:
            for made in rooms:
                room = client.join(made["id"], made["secrets"])
                made["secrets"] = room.secrets
                stored, events = events_of(room), received[made["id"]]
                assert events == stored[: len(events)]
                events[:] = stored  # a move may be on disk although it could not be sent in time
                client.ask("leave", room=made["id"])
