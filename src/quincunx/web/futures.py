"""Futures that nobody waits for any more."""

from __future__ import annotations

import asyncio
from typing import Any


def ignore_error(future: asyncio.Future[Any]) -> None:
    """Reads the error of a future that is done; asyncio logs errors that nobody reads."""
    if not future.cancelled():
        future.exception()
