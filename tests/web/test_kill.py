"""A server that is killed in the middle of things loses nothing that it told of."""

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
from quincunx.web.store import place
app = create_app(place(Path(sys.argv[1])), compile_first=False)
uvicorn.run(app, port=int(sys.argv[2]), log_level="error")
"""


class Killable:
    """A server in a process of its own."""

    def __init__(self, data):
        self.data = data
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.host = f"127.0.0.1:{self.port}"

    def start(self):
        words = [sys.executable, "-c", SERVER, str(self.data), str(self.port)]
        self.process = subprocess.Popen(words)
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
    found = Killable(tmp_path)
    found.start()
    yield found
    found.kill()


def player(host, made, heard, enough):
    """Plays both seats at random, notes what it is told, until the server is gone."""
    dice, room = random.Random(made["id"]), made["id"]
    try:
        with connect(f"ws://{host}/socket") as page:
            page.send(json.dumps({"type": "join", "room": room, "secrets": made["secrets"]}))
            while True:
                message = json.loads(page.recv(30))
                if message["type"] == "event":
                    heard.append((message["number"], message["move"], message["text"]))
                    if len(heard) >= enough:
                        return
                if message["over"]:
                    return
                ((seat, moves),) = message["legal"].items()
                play = {"type": "play", "room": room, "seat": int(seat), "move": dice.choice(moves)}
                page.send(json.dumps({**play, "number": message["number"]}))
    except (ConnectionClosed, OSError):
        pass


def test_every_move_that_was_told_is_there(server):
    with Client(server.host) as client:
        rooms = [client.create("quorum", ["human", "human"]) for _ in range(4)]
    heard = {made["id"]: [] for made in rooms}
    for round_ in range(3):
        threads = [
            threading.Thread(target=player, args=(server.host, made, heard[made["id"]], 1000))
            for made in rooms
        ]
        for thread in threads:
            thread.start()
        wanted = 5 * (round_ + 1)
        while thread.is_alive() and max(map(len, heard.values())) < wanted:
            time.sleep(0.005)
        server.kill()
        for thread in threads:
            thread.join()
        server.start()
        with Client(server.host) as client:
            for made in rooms:
                room = client.join(made["id"], made["secrets"])
                told = heard[made["id"]]
                moves = [move for _, move in room.moves]
                assert [move for _, move, _ in told] == moves[: len(told)]
                assert room.number == len(moves)  # nothing torn: each event is there whole
                known = client.ask("explore", room=made["id"], plies=len(told), moves=[])
                assert not told or known["text"] == told[-1][2]
                # A move may be on disk that nobody was told of in time.
                told += [(n, m, "") for n, m in enumerate(moves[len(told) :], len(told) + 1)]
                client.ask("leave", room=made["id"])
