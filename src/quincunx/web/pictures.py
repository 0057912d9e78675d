"""Responses with pictures: drawn in worker processes (`drawing`), kept for the next request."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any, TypeVar

from fastapi import Request
from fastapi.responses import Response

from quincunx import __version__
from quincunx.game import Game, State
from quincunx.rooms.errors import RequestError
from quincunx.rooms.explore import PastPosition
from quincunx.rooms.host import Pool

MAX_CACHE_BYTES = 32 << 20
UNCHANGING = "public, max-age=3600"  # a position that the address itself contains
REVALIDATED = "no-cache"  # a browser asks each time, and gets 304 if nothing has changed

T = TypeVar("T")


@dataclass(frozen=True)
class Drawing:
    """A picture to be drawn: a function, called in a worker process, and its arguments."""

    function: Callable[..., bytes]
    arguments: tuple[Any, ...]
    media_type: str
    cache_control: str = REVALIDATED
    seconds: float = 10.0

    @property
    def key(self) -> str:
        """A hash of all that the picture depends on."""
        identity = [__version__, self.function.__name__, *map(_identity, self.arguments)]
        return blake2b(repr(identity).encode(), digest_size=16).hexdigest()


def _identity(value: Any) -> Any:
    """Returns what a picture shows of a value, in a form whose text is always the same."""
    if isinstance(value, State):
        return _identity(value.game), value.pack(), value.last
    if isinstance(value, PastPosition):
        return _identity(value.kept), value.way
    if isinstance(value, Game):
        return value.name, value.rules_version, sorted(value.options.items())
    if isinstance(value, list | tuple):
        return [_identity(item) for item in value]
    return value


class ResponseCache:
    """The bodies of responses that were used last, up to a number of bytes."""

    def __init__(self, max_bytes: int = MAX_CACHE_BYTES) -> None:
        self._max_bytes = max_bytes
        self._bodies: OrderedDict[str, bytes] = OrderedDict()
        self.size = 0  # in bytes

    def get(self, key: str) -> bytes | None:
        """Returns a body, if it is there."""
        with suppress(KeyError):
            self._bodies.move_to_end(key)
        return self._bodies.get(key)

    def add(self, key: str, data: bytes) -> None:
        """Adds a body; those that were not used for the longest time make room for it."""
        self.size += len(data) - len(self._bodies.pop(key, b""))
        self._bodies[key] = data
        while self.size > self._max_bytes:
            _, oldest = self._bodies.popitem(last=False)
            self.size -= len(oldest)


async def respond(
    request: Request, pool: Pool, cache: ResponseCache, client: str, drawing: Drawing
) -> Response:
    """Returns the response with a picture, or 304 if the client has it already."""
    key = drawing.key
    headers = {"etag": f'"{key}"', "cache-control": drawing.cache_control}
    if key in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    data = cache.get(key)
    if data is None:
        work = pool.run_process(
            drawing.function, *drawing.arguments, client=client, seconds=drawing.seconds
        )
        data = await while_connected(request, work)
        cache.add(key, data)
    return Response(data, media_type=drawing.media_type, headers=headers)


async def while_connected(request: Request, work: Awaitable[T]) -> T:
    """Returns the result of work, which is cancelled if the client leaves."""
    task = asyncio.ensure_future(work)
    departure = asyncio.ensure_future(_departure(request))
    try:
        await asyncio.wait({task, departure}, return_when=asyncio.FIRST_COMPLETED)
        if not task.done() and departure.exception() is None:
            raise RequestError("busy", "the client has left")
        return await task
    finally:
        departure.cancel()
        task.cancel()


async def _departure(request: Request) -> None:
    """Returns when the client has closed its connection."""
    while (await request.receive())["type"] != "http.disconnect":
        pass
