"""The command `serve`: its errors, its start and its end."""

import os
import signal
import socket
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

import quincunx as qx

ENVIRONMENT = {**os.environ, "PYTHONPATH": str(Path(qx.__file__).parents[1])}


def start_server(*arguments):
    return subprocess.Popen(
        [sys.executable, "-m", "quincunx", "serve", *arguments],
        env=ENVIRONMENT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def error_output(*arguments):
    """Returns the error output of a server that cannot start."""
    out, err = start_server(*arguments).communicate(timeout=60)
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
def test_an_invalid_database_is_reported(url, reason):
    assert reason in error_output("--database", url)


def test_a_database_of_a_later_version_is_reported(tmp_path):
    with closing(sqlite3.connect(tmp_path / "rooms.sqlite")) as database:
        database.execute("CREATE TABLE schema_version (id INTEGER, version INTEGER)")
        database.execute("INSERT INTO schema_version VALUES (1, 99)")
        database.commit()
    assert "install a newer Quincunx" in error_output("--data", str(tmp_path))


def test_a_port_in_use_is_reported(tmp_path):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        message = error_output("--port", str(port), "--data", str(tmp_path))
    assert f"--port {port + 1}" in message


def test_it_prints_its_address_and_stops_on_interrupt(tmp_path):
    server = start_server("--port", "0", "--data", str(tmp_path))
    try:
        line = server.stdout.readline()
        assert line.startswith("Quincunx is running at http://localhost:")
        assert (tmp_path / "rooms.sqlite").exists()
    finally:
        server.send_signal(signal.SIGINT)
        _, err = server.communicate(timeout=60)
    assert "Traceback" not in err
