"""A server that is killed at any moment loses no move that it has sent to a client."""

import json
import random
import signal
import socket
import subprocess
import sys
import threading
import time

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from quincunx.client import Client

SERVER = """
import sys, uvicorn
from pathlib import Path
from quincunx.web.app import create_app
from quincunx.web.database import sqlite_url
app = create_app(sqlite_url(Path(sys.argv[1])), compile_first=False)
uvicorn.run(app, port=int(sys.argv[2]), log_level="error")
"""


class ServerProcess:
    """A server in another process."""

    def __init__(self, data):
        self.data = data
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.host = f"127.0.0.1:{self.port}"

    def start(self):
        command = [sys.executable, "-c", SERVER, str(self.data), str(self.port)]
        self.process = subprocess.Popen(command)
        while True:
            try:
                return socket.create_connection(("127.0.0.1", self.port), 1).close()
            except OSError:
                assert self.process.poll() is None
                time.sleep(0.02)

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()


@pytest.fixture
def server(tmp_path):
    process = ServerProcess(tmp_path)
    process.start()
    yield process
    process.kill()


def play(host, made, received, max_events):
    """Plays both seats at random and collects the events, until the server is killed."""
    rng, room = random.Random(made["id"]), made["id"]
    try:
        with connect(f"ws://{host}/socket") as page:
            page.send(json.dumps({"type": "join", "room": room, "secrets": made["secrets"]}))
            while True:
                message = json.loads(page.recv(30))
                if message["type"] == "event":
                    received.append((message["number"], message["move"], message["text"]))
                    if len(received) >= max_events:
                        return
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
        threads = [
            threading.Thread(target=play, args=(server.host, made, received[made["id"]], 1000))
            for made in rooms
        ]
        for thread in threads:
            thread.start()
        target = 5 * (round_ + 1)
        while thread.is_alive() and max(map(len, received.values())) < target:
            time.sleep(0.005)
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
