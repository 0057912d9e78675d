"""SQLite: how it is opened, the writer's connection, and the check that its file is in place.

SQLite waits for the disk at every commit (WAL, synchronous=FULL), so an acknowledged move survives
a crash of the process and of the machine. A process that has opened a file goes on using it after
it was deleted or replaced, and what is written then is lost. So the file and its write-ahead log
are looked up by name before and after each commit, and must be the ones that were opened.
"""

from __future__ import annotations

import asyncio
import os
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import Any, TypeVar

from quincunx.web.statements import Row, for_rows
from quincunx.web.writer import UnusableDatabase

T = TypeVar("T")

FILE_NAME = "rooms.sqlite"
LOCK_MS = 4000  # how long a statement waits for another process that is writing
# The log is copied into the database when it has this many pages (64 MB). Commits wait for that,
# and the page of a room in which many moves are made is then copied once.
LOG_PAGES = 16_000
ROWS_AT_ONCE = (256, 16)  # of an INSERT; each number of rows is a statement of its own

# What SQLite or Python's driver raises for a value or a row that cannot be stored.
BAD_ROW_ERRORS = (
    sqlite3.IntegrityError,
    sqlite3.DataError,
    sqlite3.InterfaceError,
    sqlite3.ProgrammingError,
    OverflowError,
    TypeError,
    ValueError,
)


def sqlite_url(directory: Path) -> str:
    """Returns the URL of the SQLite database in a directory, which is created if missing."""
    directory.mkdir(parents=True, exist_ok=True)
    return f"sqlite+aiosqlite:///{directory.absolute() / FILE_NAME}"


def configure(connection: Any) -> None:
    """Makes a new connection wait for locks, and for the disk at every commit."""
    cursor = connection.cursor()
    for pragma in (
        f"busy_timeout={LOCK_MS}",
        "journal_mode=WAL",
        "synchronous=FULL",
        f"wal_autocheckpoint={LOG_PAGES}",
    ):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


class DatabaseFile:
    """The file of a database and its write-ahead log, as they were when it was opened."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._names = [str(path), f"{path}-wal"]
        self._identities = [_identity(name) for name in self._names]

    def check(self) -> None:
        """Raises UnusableDatabase if a file has been deleted or replaced."""
        for name, identity in zip(self._names, self._identities, strict=True):
            if identity is not None and _identity(name) != identity:
                raise DatabaseReplaced(name)

    def reopened(self) -> DatabaseFile:
        """Returns the file after a new connection; raises UnusableDatabase if it is another one.

        The log may be another one: SQLite deletes it when the last connection is closed.
        """
        again = DatabaseFile(self.path)
        if again._identities[0] != self._identities[0]:
            raise DatabaseReplaced(self._names[0])
        return again


class DatabaseReplaced(UnusableDatabase):
    """The database's file is no longer the one that was opened."""

    def __init__(self, name: str) -> None:
        self.name = name
        super().__init__(
            f"nothing can be stored: the file {Path(name).name} of the server's database was "
            "deleted or replaced; the server must be restarted"
        )


def _identity(name: str) -> tuple[int, int] | None:
    """Returns device and inode of a file; None if there is none."""
    try:
        status = os.stat(name)
    except FileNotFoundError:
        return None
    return status.st_dev, status.st_ino


class SqliteWriteConnection:
    """The writer's connection to SQLite, which is used in a thread of its own.

    A commit that the disk does not complete cannot be interrupted, and nothing else can be
    written meanwhile. The thread is a daemon, so that it does not keep the process from ending.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.file: DatabaseFile | None = None  # set when connected
        self._connection: sqlite3.Connection | None = None
        self._thread: DatabaseThread | None = None

    async def connect(self) -> None:
        """Opens the database, unless it is open."""
        if self._connection is None:
            if self._thread is None:
                self._thread = DatabaseThread()
            await self._thread.run(self._connect)

    def _connect(self) -> None:
        if self.file:
            self.file.reopened()  # before a file that was replaced is touched
        connection = sqlite3.connect(
            f"{self.path.absolute().as_uri()}?mode=rw",
            uri=True,
            timeout=LOCK_MS / 1000,
            isolation_level=None,  # transactions begin where `_commit` says so
        )
        try:
            configure(connection)
            connection.execute("SELECT count(*) FROM sqlite_master").fetchone()  # makes the log
            self.file = self.file.reopened() if self.file else DatabaseFile(self.path)
        except BaseException:
            connection.close()
            raise
        self._connection = connection

    async def commit(self, statements: Sequence[tuple[str, list[Row]]]) -> None:
        """Executes all statements for all their rows in one transaction, and commits it."""
        assert self._thread
        await self._thread.run(partial(self._commit, statements))

    def _commit(self, statements: Sequence[tuple[str, list[Row]]]) -> None:
        assert self._connection
        assert self.file
        connection = self._connection
        self.file.check()
        try:
            connection.execute("BEGIN IMMEDIATE")
            for statement, rows in statements:
                _execute(connection, statement, rows)
            connection.execute("COMMIT")
        except BaseException:
            try:
                connection.rollback()
            except sqlite3.Error:
                self._disconnect()
            raise
        self.file.check()

    def is_bad_row(self, error: BaseException) -> bool:
        """True for an error of one row, which the database has refused."""
        return isinstance(error, BAD_ROW_ERRORS)

    async def close(self) -> None:
        """Closes the database and ends the thread."""
        if self._thread:
            await self._thread.run(self._disconnect)
            self._thread.stop()
            self._thread = None

    def _disconnect(self) -> None:
        if self._connection:
            connection, self._connection = self._connection, None
            connection.close()


def _execute(connection: sqlite3.Connection, statement: str, rows: list[Row]) -> None:
    """Executes a statement for all rows, several of an INSERT at a time.

    For each execution the thread gives the interpreter's lock away, and it may have to wait for it.
    """
    done = 0
    if statement.startswith("INSERT") and "ON CONFLICT" not in statement:
        for size in ROWS_AT_ONCE:
            while len(rows) - done >= size:
                values = [value for row in rows[done : done + size] for value in row]
                connection.execute(for_rows(statement, size), values)
                done += size
    connection.executemany(statement, rows[done:])


class DatabaseThread:
    """A daemon thread that calls functions one after the other."""

    def __init__(self) -> None:
        self._calls: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        Thread(target=self._run, name="database writer", daemon=True).start()

    def _run(self) -> None:
        while (call := self._calls.get()) is not None:
            call()

    def run(self, function: Callable[[], T]) -> asyncio.Future[T]:
        """Calls a function in the thread; returns the future of its result."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[T] = loop.create_future()

        def call() -> None:
            result, error = None, None
            try:
                result = function()
            except BaseException as raised:
                error = raised
            # After the end of the event loop, nobody waits for the result any more.
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(_set_result, future, result, error)

        self._calls.put(call)
        return future

    def stop(self) -> None:
        """Ends the thread after the calls that are waiting."""
        self._calls.put(None)


def _set_result(future: asyncio.Future[Any], result: Any, error: BaseException | None) -> None:
    if future.done():  # its caller has been cancelled
        return
    if error is None:
        future.set_result(result)
    else:
        future.set_exception(error)
