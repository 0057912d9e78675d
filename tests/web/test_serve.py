"""The command `serve`: what it says where it cannot begin, and how it begins and ends."""

import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

import quincunx as qx

ENVIRONMENT = {**os.environ, "PYTHONPATH": str(Path(qx.__file__).parents[1])}


def started(*words):
    return subprocess.Popen(
        [sys.executable, "-m", "quincunx", "serve", *words],
        env=ENVIRONMENT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def said(*words):
    """The error of a server that cannot begin."""
    out, err = started(*words).communicate(timeout=60)
    assert "Traceback" not in err
    assert out == ""
    return err


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("nonsense", "Could not parse"),
        ("sqlite+aiosqlite:////nowhere/at/all", "unable to open"),
        pytest.param(
            "postgresql+asyncpg://nobody@127.0.0.1:1/x", "--database", marks=pytest.mark.heavy
        ),
    ],
)
def test_a_database_that_is_none(url, reason):
    assert reason in said("--database", url)


def test_a_port_that_is_taken(tmp_path):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        message = said("--port", str(port), "--data", str(tmp_path))
    assert f"--port {port + 1}" in message


def test_it_says_where_it_is_and_ends_when_told(tmp_path):
    server = started("--port", "0", "--data", str(tmp_path))
    try:
        line = server.stdout.readline()
        assert line.startswith("Quincunx is at http://localhost:")
        assert (tmp_path / "rooms.sqlite").exists()
    finally:
        server.send_signal(signal.SIGINT)
        _, err = server.communicate(timeout=60)
    assert "Traceback" not in err
