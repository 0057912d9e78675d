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


def test_a_copy_of_the_former_version_is_kept(old):
    open_and_close(old)
    copy = old / "rooms.sqlite.before-2"
    first = copy.read_bytes()
    with closing(sqlite3.connect(copy)) as database:
        names = {row[1] for row in database.execute("PRAGMA table_info(rooms)")}
        rooms = database.execute("SELECT count(*) FROM rooms").fetchall()
    assert "rules" not in names
    assert rooms == query(old, "SELECT count(*) FROM rooms")
    open_and_close(old)  # nothing is left to upgrade
    assert copy.read_bytes() == first
    assert sorted(path.name for path in old.iterdir()) == ["rooms.sqlite", "rooms.sqlite.before-2"]


def test_a_new_database_is_not_copied(tmp_path):
    open_and_close(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["rooms.sqlite"]


def test_servers_that_start_at_once_upgrade_a_database_once(old):
    async def run():
        databases = [Database(sqlite_url(old)) for _ in range(4)]
        await asyncio.gather(*(database.open() for database in databases))
        for database in databases:
            await database.close()

    asyncio.run(run())
    assert query(old, "SELECT version FROM schema_version") == [(VERSION,)]
    with closing(sqlite3.connect(old / "rooms.sqlite.before-2")) as database:
        assert "rules" not in {row[1] for row in database.execute("PRAGMA table_info(rooms)")}


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
