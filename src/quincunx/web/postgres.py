"""PostgreSQL: how it is connected to with time-outs, and the writer's connection.

The writer uses the driver, asyncpg, directly. Whatever goes wrong, the connection is aborted and
the next one is new: a connection that is closed in an orderly way waits for the server, which may
never answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy.engine import URL

from quincunx.web.statements import Row, numbered
from quincunx.web.time_limit import within

CONNECT_SECONDS = 4.0
COMMIT_SECONDS = 4.0
# A row that another transaction is writing blocks for this long, and is then refused: a connection
# that was lost before its commit may hold the row until the server notices.
LOCK_MS = 500

# Arguments in a URL that are for SQLAlchemy and not for the driver.
SQLALCHEMY_ARGUMENTS = (
    "async_creator_fn",
    "async_fallback",
    "prepared_statement_cache_size",
    "prepared_statement_name_func",
)


def read_arguments() -> dict[str, Any]:
    """Returns the arguments with which connections for reading are made: their time-outs."""
    return {"timeout": CONNECT_SECONDS, "command_timeout": COMMIT_SECONDS}


class PostgresWriteConnection:
    """The writer's connection to PostgreSQL."""

    def __init__(self, url: URL) -> None:
        arguments: dict[str, Any] = {
            **url.translate_connect_args(username="user"),
            **{name: _number_or_text(value) for name, value in url.query.items()},
        }
        self._arguments = {k: v for k, v in arguments.items() if k not in SQLALCHEMY_ARGUMENTS}
        self._connection: Any = None  # asyncpg has no types
        self._numbered: dict[str, str] = {}

    async def connect(self) -> None:
        """Connects, unless there is a connection that the server has not closed."""
        if self._connection is None or self._connection.is_closed():
            self._connection = await within(self._connect(), CONNECT_SECONDS + 1)

    async def _connect(self) -> Any:
        import asyncpg

        connection = await asyncpg.connect(timeout=CONNECT_SECONDS, **self._arguments)
        try:
            await connection.execute(
                f"SET lock_timeout = {LOCK_MS}; SET statement_timeout = {COMMIT_SECONDS * 1000:.0f}"
            )
            if await connection.fetchval("SHOW synchronous_commit") == "off":
                await connection.execute("SET synchronous_commit = on")
        except BaseException:
            connection.terminate()
            raise
        return connection

    async def commit(self, statements: Sequence[tuple[str, list[Row]]]) -> None:
        """Executes all statements for all their rows in one transaction, and commits it."""
        try:
            await within(self._commit(statements), COMMIT_SECONDS)
        except BaseException as error:
            if not self.is_bad_row(error):
                self._connection.terminate()
                self._connection = None
            raise

    async def _commit(self, statements: Sequence[tuple[str, list[Row]]]) -> None:
        connection = self._connection
        if len(statements) == 1:  # one statement for all its rows is a transaction of its own
            statement, rows = statements[0]
            await connection.executemany(self._sql(statement), rows)
            return
        async with connection.transaction():
            for statement, rows in statements:
                await connection.executemany(self._sql(statement), rows)

    def _sql(self, statement: str) -> str:
        if statement not in self._numbered:
            self._numbered[statement] = numbered(statement)
        return self._numbered[statement]

    def is_bad_row(self, error: BaseException) -> bool:
        """True for an error of one row, which the database has refused."""
        import asyncpg

        kinds = (
            asyncpg.IntegrityConstraintViolationError,
            asyncpg.DataError,  # by the server
            asyncpg.LockNotAvailableError,
            ValueError,  # by the driver, which cannot encode a value
            TypeError,
            OverflowError,
        )
        return isinstance(error, kinds)

    async def close(self) -> None:
        """Disconnects; aborts the connection if the server does not answer."""
        if self._connection is not None:
            connection, self._connection = self._connection, None
            try:
                await within(connection.close(), 1)
            except Exception:
                connection.terminate()


def _number_or_text(value: str | tuple[str, ...]) -> Any:
    return int(value) if isinstance(value, str) and value.isdigit() else value
