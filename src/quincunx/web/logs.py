"""Logs: plain text or one JSON object per line, with the id of the request that a line is about.

No secret and no seed is written. Requests are logged without their query, and exceptions without
the values that a database reports (rows contain seeds and hashes of secrets).
"""

from __future__ import annotations

import json
import logging
import re
import secrets
import sys
from contextvars import ContextVar
from datetime import datetime, timezone
from typing import Any

# The id of the request or WebSocket that is being handled; empty outside of one.
REQUEST_ID: ContextVar[str] = ContextVar("request_id", default="")

ACCESS = logging.getLogger("quincunx.access")
FORMATS = ("text", "json")
# As trusted proxies generate them; anything else is replaced.
PROXY_REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")
# Lines of an exception in which a database repeats the values of a row or of a statement.
DATABASE_VALUES = re.compile(r"^\s*(\[parameters: |DETAIL: |Failing row contains|\[SQL: ).*$", re.M)


def new_request_id() -> str:
    """Returns the id of a request."""
    return secrets.token_hex(8)


def configure(log_format: str = "text", access_log: bool = False) -> None:
    """Sends the logs of the package and of uvicorn to stderr."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonFormatter() if log_format == "json" else TextFormatter())
    for name in ("quincunx", "uvicorn", "asyncio"):
        logger = logging.getLogger(name)
        logger.handlers[:] = [handler]
        logger.propagate = False
        logger.setLevel(logging.WARNING)
    ACCESS.setLevel(logging.INFO if access_log else logging.CRITICAL)


def log_access(method: str, path: str, status: int, seconds: float, address: str) -> None:
    """Logs a request; its query is left out, since it may contain what is not for others."""
    if ACCESS.isEnabledFor(logging.INFO):
        fields = {"method": method, "path": path, "status": status, "address": address}
        fields["ms"] = round(seconds * 1000, 1)
        text = "%(address)s %(method)s %(path)s %(status)s %(ms)s ms"
        ACCESS.info(text, fields, extra={"fields": fields})


class TextFormatter(logging.Formatter):
    """Formats a line for people: time, level, request id if any, message."""

    def format(self, record: logging.LogRecord) -> str:
        """Returns the text of a record; further lines only for an exception."""
        request_id = REQUEST_ID.get()
        parts = [_time(record), record.levelname, f"[{request_id}]" if request_id else ""]
        text = " ".join(part for part in parts if part)
        text = f"{text} {_one_line(record.getMessage())}"
        exception = _exception_text(record)
        return f"{text}\n{exception}" if exception else text


class JsonFormatter(logging.Formatter):
    """Formats a record as one JSON object in one line."""

    def format(self, record: logging.LogRecord) -> str:
        """Returns the JSON of a record."""
        fields: dict[str, Any] = {
            "time": _time(record),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
            "request": REQUEST_ID.get(),
            **getattr(record, "fields", {}),
            "exception": _exception_text(record),
        }
        return json.dumps({name: value for name, value in fields.items() if value != ""})


def _time(record: logging.LogRecord) -> str:
    time = datetime.fromtimestamp(record.created, timezone.utc)
    return time.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _one_line(text: str) -> str:
    """Returns a message that cannot look like two: clients choose parts of some."""
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)


def _exception_text(record: logging.LogRecord) -> str:
    """Returns the traceback of a record without the values that a database reports."""
    if not record.exc_info or record.exc_info[1] is None:
        return ""
    text = logging.Formatter().formatException(record.exc_info)
    return DATABASE_VALUES.sub("(values not logged)", text)
