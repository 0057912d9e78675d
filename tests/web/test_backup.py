"""Copies of a database that is in use: complete, or not there at all."""

import asyncio
import sqlite3
from contextlib import closing
from dataclasses import replace

import pytest

from quincunx.web import backup
from quincunx.web.backup import copy_database
from quincunx.web.database import sqlite_url
from tests.web.test_database import SETTINGS, move, run_in_database


def event_count(path):
    with closing(sqlite3.connect(path)) as database:
        return database.execute("SELECT count(*) FROM events").fetchone()[0]


def test_a_copy_holds_what_is_only_in_the_log(tmp_path):
    """The file alone would not have these events."""

    async def write(database):
        await database.add(SETTINGS)
        for number in range(1, 31):
            await database.append("a", move(number))
        copy_database(tmp_path / "rooms.sqlite", tmp_path / "copy")

    run_in_database(sqlite_url(tmp_path), write)
    assert event_count(tmp_path / "copy") == 30
    assert {path.name for path in tmp_path.iterdir()} == {"rooms.sqlite", "copy"}


def test_a_copy_is_consistent_while_others_write(tmp_path):
    """In each commit, every room gets one event."""
    copies = [tmp_path / f"copy{number}" for number in range(5)]

    async def write(database):
        rooms = [str(number) for number in range(10)]
        await asyncio.gather(*(database.add(replace(SETTINGS, id=room)) for room in rooms))
        stop = asyncio.Event()

        async def play():
            number = 1
            while not stop.is_set():
                await asyncio.gather(*(database.append(room, move(number)) for room in rooms))
                number += 1

        playing = asyncio.create_task(play())
        for copy in copies:
            await asyncio.to_thread(copy_database, tmp_path / "rooms.sqlite", copy)
        stop.set()
        await playing

    run_in_database(sqlite_url(tmp_path), write)
    for copy in copies:
        with closing(sqlite3.connect(copy)) as database:
            rows = database.execute("SELECT max(number) FROM events GROUP BY room").fetchall()
            assert len(set(rows)) <= 1


def test_the_copy_can_be_read_by_those_who_can_read_the_database(tmp_path):
    run_in_database(sqlite_url(tmp_path), lambda database: database.add(SETTINGS))
    (tmp_path / "rooms.sqlite").chmod(0o600)
    copy_database(tmp_path / "rooms.sqlite", tmp_path / "copy")
    assert (tmp_path / "copy").stat().st_mode & 0o777 == 0o600


def test_a_copy_that_fails_leaves_the_former_one(tmp_path, monkeypatch):
    run_in_database(sqlite_url(tmp_path), lambda database: database.add(SETTINGS))
    (tmp_path / "copy").write_text("the former copy")

    def fail(path):
        raise OSError("the disk is full")

    monkeypatch.setattr(backup, "_flush", fail)
    with pytest.raises(OSError, match="the disk is full"):
        copy_database(tmp_path / "rooms.sqlite", tmp_path / "copy")
    assert (tmp_path / "copy").read_text() == "the former copy"
    assert {path.name for path in tmp_path.iterdir()} == {"rooms.sqlite", "copy"}


def test_a_damaged_database_is_not_copied(tmp_path):
    run_in_database(sqlite_url(tmp_path), lambda database: database.add(SETTINGS))
    damage(tmp_path / "rooms.sqlite")
    with pytest.raises(sqlite3.DatabaseError):
        copy_database(tmp_path / "rooms.sqlite", tmp_path / "copy")
    assert [path.name for path in tmp_path.iterdir()] == ["rooms.sqlite"]


def damage(path):
    """Overwrites a page of the database, but not the first one."""
    with open(path, "r+b") as file:
        file.seek(4096)
        file.write(b"\xff" * 4096)
