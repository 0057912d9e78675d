"""Only one server uses a database in SQLite at a time."""

import pytest
from typer.testing import CliRunner

from quincunx import cli
from quincunx.web import server_lock
from quincunx.web.database import sqlite_url
from quincunx.web.writer import UnusableDatabase


@pytest.fixture(autouse=True)
def no_waiting(monkeypatch):
    monkeypatch.setattr(server_lock, "WAIT_SECONDS", 0)


def test_a_second_server_is_refused_until_the_first_has_ended(tmp_path):
    url = sqlite_url(tmp_path)
    for _ in range(2):
        with server_lock.server_lock(url):
            with pytest.raises(UnusableDatabase, match="another server"):
                server_lock.server_lock(url).__enter__()
            with server_lock.server_lock(sqlite_url(tmp_path / "other")):
                pass


def test_postgresql_has_no_lock():
    url = "postgresql+asyncpg://user@host/games"
    with server_lock.server_lock(url), server_lock.server_lock(url):
        pass


def test_the_command_names_the_folder(tmp_path):
    with server_lock.server_lock(sqlite_url(tmp_path)):
        arguments = ["serve", "--no-open", "--port", "0", "--data", str(tmp_path)]
        result = CliRunner().invoke(cli.app, arguments)
    assert result.exit_code == 1
    output = " ".join(result.output.split())
    assert "another server is using this database" in output
    assert str(tmp_path) in "".join(result.output.split())
