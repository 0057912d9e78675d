"""The statements of the writer, in SQL that SQLite and PostgreSQL share.

Their parameters are question marks. Each statement of a commit is executed once for all its rows,
in the order of ORDER, so that a room precedes its events.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import count
from typing import Any, TypeAlias

from sqlalchemy import Table

from quincunx.web.tables import EVENTS, RESULTS, ROOMS

Row: TypeAlias = tuple[Any, ...]
Change: TypeAlias = tuple[str, Row]  # a statement and the values of its parameters


def _insert(table: Table) -> str:
    columns = ", ".join(f'"{column.name}"' for column in table.columns)
    return f"INSERT INTO {table.name} ({columns}) VALUES ({', '.join('?' * len(table.columns))})"


INSERT_ROOM = _insert(ROOMS)
# An event of a room that another process has deleted has no room, which the table refuses.
INSERT_EVENT = _insert(EVENTS).replace("(?", "((SELECT id FROM rooms WHERE id = ?)", 1)
INSERT_RESULT = _insert(RESULTS)
SET_FINISHED = "UPDATE rooms SET finished = ? WHERE id = ?"
SET_HASHES = "UPDATE rooms SET hashes = ? WHERE id = ?"
SET_SUMMARY = "UPDATE rooms SET summary = ? WHERE id = ?"
SET_QUARANTINE = "UPDATE rooms SET quarantine = ? WHERE id = ?"
DELETE_RESULT = "DELETE FROM results WHERE room = ?"
DELETE_EVENTS = "DELETE FROM events WHERE room = ?"
DELETE_ROOM = "DELETE FROM rooms WHERE id = ?"
SET_HEARTBEAT = (
    "INSERT INTO pulse (id, time) VALUES (1, ?) ON CONFLICT (id) DO UPDATE SET time = excluded.time"
)
ADD_SECRET = "INSERT INTO server_secret (id, secret) VALUES (1, ?) ON CONFLICT (id) DO NOTHING"

ORDER = (
    INSERT_ROOM,
    INSERT_EVENT,
    INSERT_RESULT,
    SET_FINISHED,
    SET_HASHES,
    SET_SUMMARY,
    SET_QUARANTINE,
    DELETE_RESULT,
    DELETE_EVENTS,
    DELETE_ROOM,
    SET_HEARTBEAT,
    ADD_SECRET,
)


def grouped(changes: Iterable[Sequence[Change]]) -> list[tuple[str, list[Row]]]:
    """Returns the statements of all changes in the order of ORDER, each with its rows."""
    rows: dict[str, list[Row]] = {}
    for together in changes:
        for statement, row in together:
            if statement in rows:
                rows[statement].append(row)
            else:
                rows[statement] = [row]
    if len(rows) == 1:
        return list(rows.items())
    return [(statement, rows[statement]) for statement in ORDER if statement in rows]


@cache
def for_rows(insert: str, rows: int) -> str:
    """Returns an INSERT of one row as an INSERT of several."""
    start, values = insert.split(" VALUES ")
    return f"{start} VALUES {', '.join([values] * rows)}"


def numbered(statement: str) -> str:
    """Returns a statement with the parameters $1, $2, ... of PostgreSQL."""
    numbers = count(1)
    return re.sub(r"\?", lambda _: f"${next(numbers)}", statement)
