"""The lock of a database in SQLite: only one server at a time keeps its rooms in memory."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from sqlalchemy.engine import make_url

from quincunx.web.writer import UnusableDatabase

SUFFIX = "-server"  # of the file that is locked, beside the database
WAIT_SECONDS = 3  # for a server that is being stopped


@contextmanager
def server_lock(url: str) -> Iterator[None]:
    """Holds the lock of a database; raises UnusableDatabase if another process holds it.

    It is an exclusive transaction of an empty database, which every system ends with the process,
    however that ends. PostgreSQL has no such lock.
    """
    address = make_url(url)
    if address.get_backend_name() != "sqlite" or not address.database:
        yield
        return
    path = Path(address.database)
    connection = sqlite3.connect(
        path.with_name(path.name + SUFFIX), timeout=WAIT_SECONDS, isolation_level=None
    )
    with closing(connection):
        try:
            connection.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            if "locked" not in str(error):
                raise
            raise UnusableDatabase("another server is using this database") from error
        yield
