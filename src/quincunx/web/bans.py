"""Banned addresses: their requests are refused, and their open sockets closed."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress

from starlette.types import Send

from quincunx.web.addresses import Network, contains, parse_address
from quincunx.web.close_codes import POLICY_VIOLATION

CLOSE_SECONDS = 2.0  # in which a client reads that its socket is closed


class Bans:
    """The networks that may not use the server, and the sockets that would have to be closed."""

    def __init__(self) -> None:
        self._networks: tuple[Network, ...] = ()
        self._sockets: dict[Send, str] = {}  # the address of each open socket

    def is_banned(self, address: str) -> bool:
        """True when an address may not use the server."""
        return bool(self._networks) and contains(self._networks, parse_address(address))

    @contextmanager
    def watching(self, address: str, send: Send) -> Iterator[None]:
        """Closes a socket if its address is banned within this context."""
        self._sockets[send] = address
        try:
            yield
        finally:
            del self._sockets[send]

    async def update(self, networks: Iterable[Network]) -> None:
        """Replaces the banned networks, and closes the sockets of those that are new."""
        networks = tuple(networks)
        if networks == self._networks:
            return
        self._networks = networks
        banned = [send for send, address in self._sockets.items() if self.is_banned(address)]
        await asyncio.gather(*map(_close, banned))


async def _close(send: Send) -> None:
    """Closes a socket. One whose client reads nothing will be closed for want of a pong."""
    message = {"type": "websocket.close", "code": POLICY_VIOLATION}
    with suppress(OSError, RuntimeError, asyncio.TimeoutError):  # or it has been closed meanwhile
        await asyncio.wait_for(send(message), CLOSE_SECONDS)
