"""The versions of the database's tables, and the steps from each version to the next.

Why not Alembic: the steps are a few statements that SQLite and PostgreSQL share, a server needs
no other tool or file to perform them, and there is no dependency more. Each step is performed in
one transaction together with the new version number, so that a crash leaves a database of one
version or the other. A lock lets a second server that starts at the same time wait, and then find
nothing to do.

Before the first step, a database in SQLite is copied: `rooms.sqlite.before-2` is what it was before
it became version 2. Nothing ever changes or deletes such a copy.
"""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import inspect, select
from sqlalchemy.engine import Connection

from quincunx.web.backup import copy_database
from quincunx.web.tables import METADATA, SCHEMA
from quincunx.web.writer import UnusableDatabase

# The statements that make version n of version n - 1. Version 1 is the tables as they were before
# versions were recorded.
MIGRATIONS: dict[int, tuple[str, ...]] = {
    2: (
        # The first servers did not have these tables.
        "CREATE TABLE IF NOT EXISTS pulse (id {serial} NOT NULL PRIMARY KEY, time BIGINT NOT NULL)",
        "CREATE TABLE IF NOT EXISTS absences (id {serial} NOT NULL PRIMARY KEY,"
        " since BIGINT NOT NULL, until BIGINT NOT NULL)",
        "ALTER TABLE rooms ADD COLUMN rules INTEGER DEFAULT '1' NOT NULL",
        "ALTER TABLE rooms ADD COLUMN fair BOOLEAN DEFAULT {true} NOT NULL",
        "ALTER TABLE rooms ADD COLUMN owner VARCHAR(64) DEFAULT '' NOT NULL",
        "ALTER TABLE rooms ADD COLUMN summary TEXT DEFAULT '' NOT NULL",
        "ALTER TABLE rooms ADD COLUMN quarantine TEXT DEFAULT '' NOT NULL",
        "ALTER TABLE events ADD COLUMN position TEXT DEFAULT '' NOT NULL",
        "ALTER TABLE events ADD COLUMN checksum BIGINT",
        "CREATE INDEX rooms_by_owner ON rooms (owner, created)",
        "CREATE TABLE server_secret (id {serial} NOT NULL PRIMARY KEY,"
        " secret VARCHAR(64) NOT NULL)",
        "CREATE TABLE schema_version (id {serial} NOT NULL PRIMARY KEY, version INTEGER NOT NULL)",
    ),
    3: (
        "CREATE TABLE bans (network VARCHAR(64) NOT NULL PRIMARY KEY, created BIGINT NOT NULL,"
        " until BIGINT NOT NULL)",
        "CREATE TABLE commands (id {serial} NOT NULL PRIMARY KEY, action VARCHAR(16) NOT NULL,"
        " room VARCHAR(32) NOT NULL, answer TEXT NOT NULL)",
    ),
}
VERSION = max(MIGRATIONS)
# What the two databases write differently.
SQL_WORDS = {
    "sqlite": {"true": "1", "serial": "INTEGER"},
    "postgresql": {"true": "true", "serial": "SERIAL"},
}
LOCK = 0x7175696E  # the key of PostgreSQL's advisory lock: any number that no one else uses


class NewerDatabase(UnusableDatabase):
    """The database was written by a later version of the package."""

    def __init__(self, version: int) -> None:
        super().__init__(
            f"its tables have version {version}, and this version of Quincunx knows versions up "
            f"to {VERSION}: install a newer Quincunx"
        )


def upgrade(connection: Connection) -> None:
    """Creates the tables, or brings them to the present version; raises NewerDatabase."""
    is_copied = connection.dialect.name != "sqlite"
    while True:
        with connection.begin():
            _lock(connection)
            version = stored_version(connection)
            if version is None:
                METADATA.create_all(connection)
                connection.execute(SCHEMA.insert().values(id=1, version=VERSION))
                return
            if version > VERSION:
                raise NewerDatabase(version)
            if version == VERSION:
                return
            if not is_copied:
                _copy_before(connection, version + 1)
                is_copied = True
            _migrate(connection, version + 1)


def stored_version(connection: Connection) -> int | None:
    """Returns the version of the tables; None for a database without tables."""
    names = inspect(connection).get_table_names()
    if SCHEMA.name in names:
        return int(connection.execute(select(SCHEMA.c.version)).scalar_one())
    return 1 if "rooms" in names else None


def _copy_before(connection: Connection, version: int) -> None:
    """Copies the file of a database, unless there is a copy already.

    The transaction has begun, so nobody can write; it has changed nothing that a reader sees.
    """
    path = Path(str(connection.engine.url.database))
    copy = path.with_name(f"{path.name}.before-{version}")
    if not copy.exists():
        copy_database(path, copy)


def _migrate(connection: Connection, version: int) -> None:
    """Performs one step, and stores the version that the tables have after it."""
    words = SQL_WORDS[connection.dialect.name]
    for statement in MIGRATIONS[version]:
        connection.exec_driver_sql(statement.format(**words))
    connection.execute(SCHEMA.delete())
    connection.execute(SCHEMA.insert().values(id=1, version=version))


def _lock(connection: Connection) -> None:
    """Waits until no other process changes the tables; the lock ends with the transaction."""
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({LOCK})")
    else:
        # Python's driver begins no transaction by itself before a change of a table.
        connection.exec_driver_sql("BEGIN IMMEDIATE")
