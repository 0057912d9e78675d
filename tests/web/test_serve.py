"""The command `serve`: its errors, its start and its end."""

import os
import signal
import socket
import sqlite3
import subprocess
import sys
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

import quincunx as qx
from quincunx.rooms.events import Event
from quincunx.web.database import sqlite_url
from tests.web.test_database import SETTINGS, run_in_database

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


@pytest.mark.parametrize("name", ["https://games.example.org", "games.example.org:443", "*", ""])
def test_a_name_that_no_request_can_have_is_reported(name):
    assert f"--name {name}: expected a host name alone" in error_output("--name", name)


def test_a_database_of_a_later_version_is_reported(tmp_path):
    with closing(sqlite3.connect(tmp_path / "rooms.sqlite")) as database:
        database.execute("CREATE TABLE schema_version (id INTEGER, version INTEGER)")
        database.execute("INSERT INTO schema_version VALUES (1, 99)")
        database.commit()
    assert "install a newer Quincunx" in error_output("--data", str(tmp_path))


def run_serve(*arguments):
    """Returns exit code, output and error output."""
    process = start_server(*arguments)
    out, err = process.communicate(timeout=60)
    assert "Traceback" not in err
    return process.returncode, out, err


@pytest.mark.heavy
def test_a_backup_is_written_and_not_overwritten(tmp_path):
    run_in_database(sqlite_url(tmp_path), lambda database: database.add(SETTINGS))
    copy = tmp_path / "copy"
    arguments = ("--data", str(tmp_path), "--backup", str(copy))
    assert run_serve(*arguments)[:2] == (0, f"Wrote {copy} (0.1 MB).\n")
    copy.write_text("another file")
    code, _, err = run_serve(*arguments)
    assert (code, copy.read_text()) == (1, "another file")
    assert "replace it with --force" in err
    assert run_serve(*arguments, "--force")[0] == 0
    assert copy.read_bytes().startswith(b"SQLite format 3")


@pytest.mark.parametrize(
    ("arguments", "code", "reason"),
    [
        (("--backup", "copy"), 1, "there is no database"),
        (("--check",), 1, "there is no database"),
        (("--backup", "x", "--database", "postgresql+asyncpg://x@y/z"), 2, "pg_dump"),
        (("--backup", "x", "--database", "nonsense"), 1, "Could not parse"),
        (("--check", "--database", "nonsense"), 1, "Could not parse"),
    ],
)
def test_what_cannot_be_copied_or_checked_is_reported(tmp_path, arguments, code, reason):
    found, out, err = run_serve("--data", str(tmp_path), *arguments)
    assert (found, out) == (code, "")
    assert reason in err


@pytest.mark.heavy
def test_a_database_is_checked(tmp_path):
    settings = replace(SETTINGS, options={})
    run_in_database(sqlite_url(tmp_path), lambda database: database.add(settings))
    arguments = ("--data", str(tmp_path), "--check")
    assert run_serve(*arguments)[:2] == (0, "Checked 1 room with 0 events: nothing is wrong.\n")
    bad = Event(1, "play", 0, "a1a1", 5)
    run_in_database(sqlite_url(tmp_path), lambda database: database.append("a", bad))
    code, out, _ = run_serve(*arguments)
    assert code == 1
    assert "IllegalMove" in out


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
