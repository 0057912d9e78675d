"""Databases of former versions: they are upgraded, and what they hold stays."""

import asyncio
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from quincunx.web import migrations
from quincunx.web.database import Database, sqlite_url
from quincunx.web.migrations import VERSION, NewerDatabase

OLD_SERVER = Path(__file__).parents[1] / "compatibility" / "b6f0123" / "server"


def open_and_close(directory):
    async def run():
        database = Database(sqlite_url(directory))
        try:
            await database.open()
        finally:
            await database.close()

    asyncio.run(run())


def query(directory, sql):
    with closing(sqlite3.connect(directory / "rooms.sqlite")) as database:
        return database.execute(sql).fetchall()


def tables(directory):
    """Returns the columns of every table: name, type, whether it is required, default, key."""
    names = query(directory, "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
    return {
        name: sorted(row[1:] for row in query(directory, f"PRAGMA table_info({name})"))
        for (name,) in names
    }


@pytest.fixture
def old(tmp_path):
    """A directory with the database of a server of before versions were recorded."""
    directory = tmp_path / "old"
    directory.mkdir()
    shutil.copy(OLD_SERVER / "rooms.sqlite", directory)
    with closing(sqlite3.connect(directory / "rooms.sqlite")) as database:
        database.executescript((OLD_SERVER / "listed_rooms.sql").read_text())
    return directory


def test_an_upgraded_database_has_the_tables_of_a_new_one(old, tmp_path):
    new = tmp_path / "new"
    for directory in (old, new):
        open_and_close(directory)
        assert query(directory, "SELECT version FROM schema_version") == [(VERSION,)]
    assert tables(old) == tables(new)
    indices = "SELECT name FROM sqlite_master WHERE type = 'index' ORDER BY name"
    assert query(old, indices) == query(new, indices)


@pytest.mark.parametrize("table", ["absences", "pulse"])
def test_a_table_that_the_first_servers_did_not_have_is_added(old, tmp_path, table):
    with closing(sqlite3.connect(old / "rooms.sqlite")) as database:
        database.execute(f"DROP TABLE IF EXISTS {table}")
    for directory in (old, tmp_path / "new"):
        open_and_close(directory)
    assert tables(old) == tables(tmp_path / "new")


def test_an_upgrade_changes_no_stored_value(old):
    names = {name: [column[0] for column in columns] for name, columns in tables(old).items()}
    quoted = {name: ", ".join(f'"{column}"' for column in names[name]) for name in names}
    selects = [f"SELECT {columns} FROM {name}" for name, columns in quoted.items()]
    before = [query(old, select) for select in selects]
    assert any(before)
    open_and_close(old)
    assert [query(old, select) for select in selects] == before
    assert set(query(old, "SELECT rules, fair, owner, summary, quarantine FROM rooms")) == {
        (1, 1, "", "", "")
    }
    assert set(query(old, "SELECT position, checksum FROM events")) == {("", None)}


def test_an_upgrade_that_fails_leaves_the_database_as_it_was(old, monkeypatch):
    steps = (*migrations.MIGRATIONS[2], "ALTER TABLE nowhere ADD COLUMN x TEXT")
    before = tables(old)
    with monkeypatch.context() as patch:
        patch.setitem(migrations.MIGRATIONS, 2, steps)
        with pytest.raises(Exception, match="no such table: nowhere"):
            open_and_close(old)
    assert tables(old) == before
    open_and_close(old)
    assert query(old, "SELECT version FROM schema_version") == [(VERSION,)]


def test_a_database_of_a_later_version_is_refused(tmp_path):
    open_and_close(tmp_path)
    with closing(sqlite3.connect(tmp_path / "rooms.sqlite")) as database:
        database.execute("UPDATE schema_version SET version = 99")
        database.commit()
    with pytest.raises(NewerDatabase, match=r"have version 99.*install a newer Quincunx"):
        open_and_close(tmp_path)
