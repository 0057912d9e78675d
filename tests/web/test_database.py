"""The database: what it stores, in how many commits, and what happens when it fails."""

import asyncio
import os
import shutil
import subprocess
import tempfile
from dataclasses import replace
from glob import glob
from pathlib import Path

import pytest
from sqlalchemy import event as sqlalchemy_events
from websockets.exceptions import ConnectionClosed

from quincunx.rooms.errors import RequestError
from quincunx.rooms.events import Event, RoomSettings
from quincunx.web.database import Database, sqlite_url
from tests.web.conftest import running_server

SETTINGS = RoomSettings("a", "quorum", {"repetition": 0}, 7, "", ("human:ada", "random"), ("x", ""),
            (60_000, 0), 2.0, True, 1000)  # fmt: skip


def move(number):
    return Event(number, "play", number % 2, f"move {number}", 1000 + number, (5, number))


def run_in_database(url, work):
    """Returns the result of `work(database)` with an open database."""

    async def run():
        database = Database(url)
        await database.open()
        try:
            return await work(database)
        finally:
            await database.close()

    return asyncio.run(run())


def test_one_commit_writes_everything_that_is_waiting(tmp_path):
    async def write(database):
        commits = []
        sqlalchemy_events.listen(database.engine.sync_engine, "commit", lambda _: commits.append(1))
        all_settings = [replace(SETTINGS, id=str(i)) for i in range(50)]
        await asyncio.gather(*(database.add(settings) for settings in all_settings))
        await asyncio.gather(*(database.append(settings.id, move(1)) for settings in all_settings))
        return len(commits)

    assert run_in_database(sqlite_url(tmp_path), write) <= 10


def test_closing_waits_for_the_writer(tmp_path):
    """A writer that is cancelled while it connects leaves a thread of aiosqlite behind."""

    async def writer(database):
        return database._writer

    assert not run_in_database(sqlite_url(tmp_path), writer).cancelled()


def test_a_failed_write_is_reported_and_the_next_one_succeeds(tmp_path, caplog):
    async def write(database):
        await database.add(SETTINGS, [move(1)])
        with pytest.raises(RequestError) as error:
            await database.append("a", move(1))  # this number exists already
        await database.append("a", move(2))
        return error.value.code, (await database.load("a"))[1]

    assert run_in_database(sqlite_url(tmp_path), write) == ("busy", [move(1), move(2)])


def test_a_room_that_cannot_be_stored_is_unloaded(tmp_path, monkeypatch):
    """Its clients are disconnected, connect again, and see what is on disk."""
    with running_server(tmp_path) as server:
        with server.client() as client:
            made = client.create("quorum", ["human", "human"])
            room = client.join(made["id"], made["secrets"])
            room.play("a1e3", 0)
            database = server.app.state.lobby.store

            async def fail(*args):
                raise RequestError("busy", "the disk is full")

            with monkeypatch.context() as patch:
                patch.setattr(database, "append", fail)
                with pytest.raises(ConnectionClosed):
                    room.play(room.legal[1][0], 1)
        with server.client() as client:
            reloaded = client.join(made["id"], room.secrets)
            assert (reloaded.number, reloaded.plies) == (1, 1)
            reloaded.play(reloaded.legal[1][0], 1)


@pytest.fixture
def postgres():
    """A temporary PostgreSQL server on loopback."""
    pytest.importorskip("asyncpg", reason="asyncpg is not installed")
    programs = sorted(glob("/usr/lib/postgresql/*/bin/initdb"))
    if not programs or os.geteuid() or shutil.which("runuser") is None:
        pytest.skip("PostgreSQL is not installed, or this user may not start it")
    directory = Path(tempfile.mkdtemp(prefix="quincunx-postgres-"))
    shutil.chown(directory, "postgres")
    port = "54329"
    bin_directory = Path(programs[-1]).parent

    def run(program, *arguments):
        command = ["runuser", "-u", "postgres", "--", str(bin_directory / program), *arguments]
        subprocess.run(command, check=True, cwd=directory, stdout=subprocess.DEVNULL)

    data = str(directory / "data")
    run("initdb", "-D", data, "-A", "trust")
    options = f"-c listen_addresses=127.0.0.1 -c port={port} -c unix_socket_directories={directory}"
    run("pg_ctl", "-D", data, "-w", "-l", str(directory / "log"), "-o", options, "start")
    try:
        yield f"postgresql+asyncpg://postgres@127.0.0.1:{port}/postgres"
    finally:
        run("pg_ctl", "-D", data, "-w", "-m", "immediate", "stop")
        shutil.rmtree(directory)


@pytest.mark.heavy
def test_rooms_are_stored_in_postgresql(tmp_path, postgres):
    with running_server(tmp_path, url=postgres) as server, server.client() as client:
        made = client.create("quorum", ["human", "random"], listed=True)
        room = client.join(made["id"], made["secrets"])
        while not room.over:
            if 0 in room.legal:
                room.play(room.legal[0][0], 0)
            room.wait(30)
        text = room.text
    with running_server(tmp_path, url=postgres) as server, server.client() as client:
        assert client.join(made["id"]).text == text
        assert [row["id"] for row in client.request("/api/rooms?state=finished")] == [made["id"]]
        assert client.request("/api/ratings?game=quorum")
