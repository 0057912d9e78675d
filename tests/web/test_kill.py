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
                events = received[made["id"]]
                moves = [move for _, move in room.moves]
                assert [move for _, move, _ in events] == moves[: len(events)]
                assert room.number == len(moves)  # no event is missing in between
                answer = client.ask("explore", room=made["id"], plies=len(events), moves=[])
                # The text of a move that was found on disk in an earlier round is not known.
                assert not events or events[-1][2] in ("", answer["text"])
                # A move may be on disk although it could not be sent in time.
                events += [(n, m, "") for n, m in enumerate(moves[len(events) :], len(events) + 1)]
                client.ask("leave", room=made["id"])
