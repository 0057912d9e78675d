"""A server process that is stopped for a while, as by a debugger or a laptop that sleeps."""

import os
import signal
import time

import pytest

from quincunx.client import Client
from tests.web.test_kill import ServerProcess

CLOCK_SECONDS = 6
STOPPED_SECONDS = CLOCK_SECONDS + 2
GAP_MS = 1100  # that may be counted: the longest gap between two readings of the clock

pytestmark = pytest.mark.heavy


def test_a_stopped_process_charges_nobody(tmp_path):
    """A player lost on time who could not have moved."""
    server = ServerProcess(tmp_path)
    server.start()
    try:
        with Client(server.host) as client:
            clock = {"minutes": CLOCK_SECONDS / 60, "increment": 0}
            made = client.create("blocky", ["human", "human"], clock=clock)
            room = client.join(made["id"], made["secrets"])
            began = time.monotonic()
            room.play("pass", 0)
            room.play("pass", 1)  # the clock of seat 0 runs
            stopped = time.monotonic()
            server.process.send_signal(signal.SIGSTOP)
            os.waitpid(server.process.pid, os.WUNTRACED)
            time.sleep(STOPPED_SECONDS)
            server.process.send_signal(signal.SIGCONT)
            continued = time.monotonic()
            room.play("pass", 0)
            ran = time.monotonic() - continued + stopped - began
            left, _ = room.clocks["left"]
            assert not room.over
            assert CLOCK_SECONDS * 1000 - left <= ran * 1000 + GAP_MS
    finally:
        server.close()
