"""The listener for Prometheus, on a port of its own that is not open to players.

A path of the site could not be limited to this machine: behind a proxy, every request comes from
this machine.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress

from quincunx.web.metrics import CONTENT_TYPE

REQUEST_SECONDS = 5.0
MAX_REQUEST_BYTES = 8192
# What a client does that is too slow, sends too much or leaves.
CLIENT_ERRORS = (
    OSError,
    asyncio.TimeoutError,
    asyncio.IncompleteReadError,
    asyncio.LimitOverrunError,
)


@asynccontextmanager
async def metrics_server(
    listener: socket.socket | None, read_metrics: Callable[[], bytes]
) -> AsyncIterator[None]:
    """Answers `GET /metrics` on a listening socket within this context; does nothing for None."""
    if listener is None:
        yield
        return

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            with suppress(*CLIENT_ERRORS):
                head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), REQUEST_SECONDS)
                writer.write(_response(head, read_metrics))
                await asyncio.wait_for(writer.drain(), REQUEST_SECONDS)
        finally:
            writer.close()

    server = await asyncio.start_server(answer, sock=listener, limit=MAX_REQUEST_BYTES)
    try:
        yield
    finally:
        server.close()


def _response(head: bytes, read_metrics: Callable[[], bytes]) -> bytes:
    """Returns the response to a request of which `head` is everything but the body."""
    request_line = head.split(b"\r\n", 1)[0].split(b" ")
    method, path = request_line[0], b"".join(request_line[1:2]).split(b"?")[0]
    if path != b"/metrics":
        status, body = "404 Not Found", b"the metrics are at /metrics\n"
    elif method not in (b"GET", b"HEAD"):
        status, body = "405 Method Not Allowed", b"only GET is supported\n"
    else:
        status, body = "200 OK", read_metrics()
    lines = [f"HTTP/1.1 {status}", f"content-type: {CONTENT_TYPE}", f"content-length: {len(body)}"]
    header = "\r\n".join([*lines, "connection: close", "", ""]).encode()
    return header if method == b"HEAD" else header + body
