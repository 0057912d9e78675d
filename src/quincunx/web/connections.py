"""Connections that are slow or half open: closed in time, and few enough before they say anything.

uvicorn has a time-out between two requests only: a client that sends its headers a byte at a time,
or never reads its response, keeps the connection. A `ConnectionGuard` looks at all connections of
a server several times within the shortest of its time-outs.
"""

from __future__ import annotations

import asyncio
import socket
import struct
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import ClassVar

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from quincunx.web.addresses import network_of
from quincunx.web.limits import is_loopback

MAX_HEADER_BYTES = 64 * 1024  # of one request, with its address
MIN_READ_BYTES = 4096  # that a client must take within `Timeouts.write`, if so much is waiting
MAX_SILENT = 2000  # connections without a complete request; beyond, the oldest is closed
MAX_SILENT_PER_CLIENT = 64
CHECKS_PER_TIMEOUT = 4
DISCARD = struct.pack("ii", 1, 0)  # the option SO_LINGER: on, for 0 seconds


@dataclass(frozen=True)
class Timeouts:
    """Seconds after which a connection is closed."""

    headers: float = 10.0  # from the connection, or the first byte, to the end of the headers
    body: float = 20.0  # from the end of the headers to the end of the body
    idle: float = 30.0  # between two requests
    write: float = 20.0  # without the client reading its response
    close: float = 5.0  # for the rest of a response after the connection was closed
    ping: float = 20.0  # between two pings of a WebSocket
    pong: float = 20.0  # for the answer to a ping

    @property
    def check_seconds(self) -> float:
        """Seconds between two looks at all connections."""
        return min(self.headers, self.body, self.write, self.close) / CHECKS_PER_TIMEOUT


@dataclass(eq=False)
class OpenConnection:
    """What is known of one connection, whichever protocol it has been upgraded to."""

    transport: asyncio.Transport
    client: str  # its network
    deadline: float | None  # by which the client must have sent what is expected of it
    silent: bool = True  # no complete request yet
    closing_since: float | None = None
    stalled_since: float | None = None  # since the client last read enough
    stalled_bytes: int = 0  # that were waiting at that time


class ConnectionGuard:
    """Closes connections of one server that are too slow, and new ones of a client with too many.

    Those of trusted proxies stand for many clients and are limited in total only.
    """

    def __init__(
        self, timeouts: Timeouts | None = None, is_proxy: Callable[[str], bool] = lambda _: False
    ) -> None:
        self.timeouts = timeouts or Timeouts()
        self._is_proxy = is_proxy
        self._connections: dict[asyncio.BaseTransport, OpenConnection] = {}
        self._silent: dict[OpenConnection, None] = {}  # the oldest first
        self._silent_by_client: dict[str, int] = {}
        self._check_timer: asyncio.TimerHandle | None = None

    def __len__(self) -> int:
        return len(self._connections)

    def open(self, transport: asyncio.Transport) -> OpenConnection | None:
        """Returns a new connection; None if its client has too many without a request."""
        loop = asyncio.get_running_loop()
        peer = transport.get_extra_info("peername")
        address = str(peer[0]) if isinstance(peer, tuple) else ""
        client = network_of(address)
        shared = not address or is_loopback(address) or self._is_proxy(address)
        if not shared and self._silent_by_client.get(client, 0) >= MAX_SILENT_PER_CLIENT:
            return None
        if len(self._silent) >= MAX_SILENT:
            self._abort(next(iter(self._silent)))
        connection = OpenConnection(transport, client, loop.time() + self.timeouts.headers)
        self._connections[transport] = connection
        self._silent[connection] = None
        self._silent_by_client[client] = self._silent_by_client.get(client, 0) + 1
        if self._check_timer is None:
            self._check_timer = loop.call_later(self.timeouts.check_seconds, self._check)
        return connection

    def has_spoken(self, connection: OpenConnection) -> None:
        """Stops counting a connection whose first request is complete."""
        if connection.silent:
            connection.silent = False
            self._silent.pop(connection, None)
            self._silent_by_client[connection.client] -= 1
            if not self._silent_by_client[connection.client]:
                del self._silent_by_client[connection.client]

    def forget(self, connection: OpenConnection) -> None:
        """Stops watching a connection that is lost."""
        self.has_spoken(connection)
        self._connections.pop(connection.transport, None)

    def _abort(self, connection: OpenConnection) -> None:
        self.forget(connection)
        handle = connection.transport.get_extra_info("socket")
        if handle is not None:
            with suppress(OSError, ValueError):  # uvloop's socket is closed already
                # Otherwise the system keeps what the client has not read.
                handle.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, DISCARD)
        connection.transport.abort()

    def _check(self) -> None:
        """Closes what is overdue; looks again later while there are connections."""
        loop = asyncio.get_running_loop()
        now = loop.time()
        for connection in list(self._connections.values()):
            if self._is_overdue(connection, now):
                self._abort(connection)
        self._check_timer = None
        if self._connections:
            self._check_timer = loop.call_later(self.timeouts.check_seconds, self._check)

    def _is_overdue(self, connection: OpenConnection, now: float) -> bool:
        transport = connection.transport
        if transport.is_closing():
            # It waits until the client has read the rest, which may be never. A connection that
            # was upgraded and is lost by now is seen here as well.
            if connection.closing_since is None:
                connection.closing_since = now
            return now - connection.closing_since >= self.timeouts.close
        if connection.deadline is not None and now >= connection.deadline:
            return True
        waiting = transport.get_write_buffer_size()
        since, before = connection.stalled_since, connection.stalled_bytes
        if not waiting:
            connection.stalled_since = None
        elif since is None or waiting <= before - MIN_READ_BYTES:
            connection.stalled_since, connection.stalled_bytes = now, waiting
        else:
            return now - since >= self.timeouts.write
        return False


class GuardedProtocol(HttpToolsProtocol):
    """uvicorn's HTTP connection, with a deadline for each part of a request."""

    guard: ClassVar[ConnectionGuard]

    _open: OpenConnection | None = None
    _header_bytes = 0
    _in_headers = False
    _upgraded = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Counts a new connection; closes it if its client has too many."""
        super().connection_made(transport)
        self._open = self.guard.open(transport)
        if self._open is None:
            transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stops watching the connection."""
        if self._open is not None:
            self.guard.forget(self._open)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Reads a part of a request, of which the headers are bounded."""
        super().data_received(data)
        if self._open is None or self._upgraded or self.transport.is_closing():
            return
        idle = self.cycle is None or self.cycle.response_complete
        if self._in_headers:
            self._header_bytes += len(data)
            if self._header_bytes > MAX_HEADER_BYTES:
                self.send_400_response("Invalid HTTP request received.")
        elif idle and self._open.silent is False and self._open.deadline is None:
            # Bytes that begin no request have stopped uvicorn's timer: the client has to
            # finish one now.
            self._expect(self.guard.timeouts.headers)

    def on_message_begin(self) -> None:
        """Begins a request, which the client must complete in time."""
        if self.cycle is not None and not self.cycle.response_complete:
            # No browser sends a request before the response to the last one; thousands of
            # them fit into one packet.
            self.cycle.disconnected = True
            self.cycle.message_event.set()
            self.transport.abort()
        super().on_message_begin()
        self._in_headers, self._header_bytes = True, 0
        if self._open is not None and self._open.deadline is None:
            self._expect(self.guard.timeouts.headers)

    def on_headers_complete(self) -> None:
        """Begins to read the body."""
        self._in_headers = False
        self._expect(self.guard.timeouts.body)
        if not self.transport.is_closing():
            super().on_headers_complete()

    def on_message_complete(self) -> None:
        """Ends a request: the client need not send anything more."""
        super().on_message_complete()
        self._expect(None)

    def handle_websocket_upgrade(self) -> None:
        """Leaves the connection to a WebSocket."""
        self._expect(None)
        self._upgraded = True
        super().handle_websocket_upgrade()

    def _expect(self, seconds: float | None) -> None:
        """Sets the time for the next part of a request; None if it is complete."""
        if self._open is not None:
            if seconds is None:
                self.guard.has_spoken(self._open)
                self._open.deadline = None
            else:
                self._open.deadline = self.loop.time() + seconds


def guarded_protocol(guard: ConnectionGuard) -> type[GuardedProtocol]:
    """Returns the protocol of the connections that a guard watches."""
    return type("WatchedProtocol", (GuardedProtocol,), {"guard": guard})
