"""The check of a database: what it reports, and that it changes nothing."""

import asyncio
import shutil
import sqlite3
from contextlib import closing
from dataclasses import replace

import pytest

from quincunx.registry import BUILT_IN, game
from quincunx.rooms.replay import new_room
from quincunx.web.database import UnusableDatabase, sqlite_url
from quincunx.web.database_check import check_database
from tests.web.conftest import compile_rules
from tests.web.test_backup import damage
from tests.web.test_database import SETTINGS, run_in_database
from tests.web.test_migrations import OLD_SERVER


def check(directory):
    return asyncio.run(check_database(sqlite_url(directory), lambda done, total: None))


def execute(directory, *statements):
    with closing(sqlite3.connect(directory / "rooms.sqlite")) as database:
        for statement in statements:
            database.execute(statement)
        database.commit()


@pytest.fixture
def rooms(tmp_path):
    """A directory with a database of three rooms in which two moves were made."""
    quorum = game("quorum")

    async def write(database):
        for name in "abc":
            settings = replace(SETTINGS, id=name, options={})
            room, events = new_room(settings, ("a1e3", "h8d6"), quorum, quorum)
            await database.add(room.settings, events)

    run_in_database(sqlite_url(tmp_path), write)
    return tmp_path


def test_nothing_is_wrong_with_a_sound_database(rooms):
    seen = []
    url = sqlite_url(rooms)
    report = asyncio.run(check_database(url, lambda done, total: seen.append((done, total))))
    assert (report.rooms, report.events, report.problems) == (3, 6, [])
    assert seen == [(1, 3), (2, 3), (3, 3)]


@pytest.mark.parametrize(
    ("statement", "reason"),
    [
        ("UPDATE events SET text = 'a1a1' WHERE room = 'b' AND number = 2", "IllegalMove: "),
        ("DELETE FROM events WHERE room = 'b' AND number = 1", "event 1 is missing"),
        ("UPDATE rooms SET game = 'chess' WHERE id = 'b'", "BadOption: "),
        ("UPDATE rooms SET players = '[' WHERE id = 'b'", "JSONDecodeError: "),
        ("UPDATE rooms SET quarantine = 'x' WHERE id = 'b'", "in quarantine: x"),
        ("UPDATE events SET checksum = 1, position = 'x' WHERE room = 'b'", "Divergence: "),
        ("DELETE FROM rooms WHERE id = 'b'", "2 events of a room that is not stored"),
    ],
)
def test_a_room_that_is_not_sound_is_reported(rooms, statement, reason):
    execute(rooms, statement)
    (problem,) = check(rooms).problems
    assert problem.room == "b"
    assert reason in problem.text


def test_the_versions_of_the_rules_are_named_if_they_differ(rooms):
    execute(rooms, "UPDATE rooms SET rules = 7", "UPDATE events SET text = 'a1a1' WHERE room = 'b'")
    (problem,) = check(rooms).problems
    assert problem.text.endswith("(played by rules 7; 1 are installed)")


def test_a_damaged_file_is_reported(rooms):
    damage(rooms / "rooms.sqlite")
    assert check(rooms).problems[0].room == ""


def test_a_database_of_a_former_version_is_checked_and_stays_as_it_is(tmp_path):
    for name in BUILT_IN:
        compile_rules(name)
    shutil.copy(OLD_SERVER / "rooms.sqlite", tmp_path)
    execute(tmp_path, "PRAGMA journal_mode=DELETE")
    before = (tmp_path / "rooms.sqlite").read_bytes()
    report = check(tmp_path)
    assert report.rooms > 3
    assert report.problems == []
    assert (tmp_path / "rooms.sqlite").read_bytes() == before


def test_a_database_that_is_not_there_is_reported(tmp_path):
    with pytest.raises(UnusableDatabase, match="there is no database"):
        check(tmp_path)


def test_a_database_without_tables_is_reported(tmp_path):
    execute(tmp_path, "PRAGMA user_version = 1")
    with pytest.raises(UnusableDatabase, match="has no tables, and version"):
        check(tmp_path)
