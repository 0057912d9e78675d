"""Who comes in, and how often: hosts, origins, sizes, rates, and the headers of every answer."""

from __future__ import annotations

import ipaddress
import socket
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from quincunx.web.wire import Refused, dumps

LARGEST_BODY = 256 * 1024
MOST_ADDRESSES = 10_000  # that are remembered; those that are not waiting are forgotten first

# Nothing from elsewhere, nothing written into a page: no inline script, no inline style.
PAGE_POLICY = (
    "default-src 'self'; img-src 'self' data: blob:; object-src 'none'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'"
)
# A picture that is opened by itself may have its own style, and nothing else.
PICTURE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox"
HEADERS = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}


@dataclass(frozen=True)
class Limits:
    """How much one address may do; from this machine itself, `loopback` times as much."""

    messages: float = 50.0  # a second, over all its sockets
    requests: float = 20.0  # a second
    rooms: float = 0.5  # made a second
    sockets: int = 32
    burst: float = 10.0  # seconds whose share may come at once
    loopback: int = 200


class Bucket:
    """Lets so many things pass a second, and a burst at once."""

    def __init__(self, rate: float, burst: float, now: Callable[[], float]) -> None:
        self.rate = rate
        self.most = self.tokens = max(1.0, rate * burst)
        self._now = now
        self._at = now()

    def take(self) -> bool:
        """True when one more may pass."""
        now = self._now()
        self.tokens = min(self.most, self.tokens + (now - self._at) * self.rate)
        self._at = now
        if self.tokens < 1:
            return False
        self.tokens -= 1
        return True

    @property
    def full(self) -> bool:
        """True when nothing passed for a while, so that it can be forgotten."""
        return self.tokens + (self._now() - self._at) * self.rate >= self.most


class Gate:
    """The limits of each address, and the names that this server answers to."""

    def __init__(
        self,
        limits: Limits | None = None,
        names: Iterable[str] = (),
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self.limits = limits or Limits()
        self._names = {"localhost", socket.gethostname().lower(), *(n.lower() for n in names)}
        self._now = now
        self._buckets: dict[tuple[str, str], Bucket] = {}
        self._sockets: dict[str, int] = {}

    def bucket(self, kind: str, address: str) -> Bucket:
        """What an address may do of a kind: messages, requests or rooms."""
        key = kind, address
        if key not in self._buckets:
            if len(self._buckets) >= MOST_ADDRESSES:
                self._buckets = {k: b for k, b in self._buckets.items() if not b.full}
            rate = getattr(self.limits, kind) * self._times(address)
            self._buckets[key] = Bucket(rate, self.limits.burst, self._now)
        return self._buckets[key]

    def new_room(self, address: str) -> None:
        """Counts a room that an address is about to make; Refused if it makes too many."""
        if not self.bucket("rooms", address).take():
            raise Refused("rate", "too many new rooms: wait a little")

    def _times(self, address: str) -> int:
        return self.limits.loopback if is_loopback(address) else 1

    def enter(self, address: str) -> bool:
        """Counts a new socket of an address; False if it has too many."""
        if self._sockets.get(address, 0) >= self.limits.sockets * self._times(address):
            return False
        self._sockets[address] = self._sockets.get(address, 0) + 1
        return True

    def leave(self, address: str) -> None:
        """Counts a socket less."""
        self._sockets[address] -= 1
        if not self._sockets[address]:
            del self._sockets[address]

    def check(self, scope: Scope) -> None:
        """Refused unless a request is for this server, and comes from a page of it or from none.

        The name is looked at because another site may point its own name at this machine.
        """
        host = header(scope, b"host")
        name = urlsplit(f"//{host}").hostname or ""
        known = name in self._names or name.endswith((".local", ".localhost")) or is_address(name)
        if not known:
            raise Refused("origin", "this server does not go by that name; see serve --name")
        origin = header(scope, b"origin")
        changes = scope["type"] == "websocket" or scope["method"] not in ("GET", "HEAD", "OPTIONS")
        if origin and changes and urlsplit(origin).netloc.lower() != host.lower():
            raise Refused("origin", "pages of other sites may not do this")


def header(scope: Scope, name: bytes) -> str:
    """A header of a request; nothing if it is not there."""
    return next((v.decode("latin-1") for k, v in scope["headers"] if k == name), "")


def address_of(scope: Scope) -> str:
    """The address that a request comes from."""
    return str(scope["client"][0]) if scope.get("client") else "unknown"


def is_address(name: str) -> bool:
    """True for a number such as 192.168.1.5, which nobody can point elsewhere."""
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def is_loopback(address: str) -> bool:
    """True for this machine itself."""
    return is_address(address) and ipaddress.ip_address(address).is_loopback


class Gatekeeper:
    """Stands before the application: refuses what must not come in, and marks what goes out."""

    def __init__(self, app: ASGIApp, gate: Gate) -> None:
        self.app = app
        self.gate = gate

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serves a request, or refuses it."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
        elif scope["type"] == "websocket":
            await self._socket(scope, receive, send)
        else:
            await self._request(scope, receive, send)

    async def _socket(self, scope: Scope, receive: Receive, send: Send) -> None:
        address = address_of(scope)
        try:
            self.gate.check(scope)
        except (Refused, ValueError):
            await send({"type": "websocket.close", "code": 1008})
            return
        if not self.gate.enter(address):
            await send({"type": "websocket.close", "code": 1013})
            return
        try:
            await self.app(scope, receive, send)
        finally:
            self.gate.leave(address)

    async def _request(self, scope: Scope, receive: Receive, send: Send) -> None:
        policy = PICTURE_POLICY if scope["path"].endswith(".svg") else PAGE_POLICY

        async def marked(message: Message) -> None:
            if message["type"] == "http.response.start":
                marks = {**HEADERS, "content-security-policy": policy}
                message["headers"] = [
                    *message.get("headers", ()),
                    *((name.encode(), value.encode()) for name, value in marks.items()),
                ]
            await send(message)

        try:
            self._check(scope)
            body = await _whole(receive) if scope["method"] in ("POST", "PUT", "PATCH") else None
        except (Refused, ValueError) as error:
            refused = error if isinstance(error, Refused) else Refused("message", "a bad request")
            await _answer(marked, refused)
            return
        await self.app(scope, receive if body is None else _again(body, receive), marked)

    def _check(self, scope: Scope) -> None:
        self.gate.check(scope)
        if not self.gate.bucket("requests", address_of(scope)).take():
            raise Refused("rate", "too many requests: wait a little")


async def _whole(receive: Receive) -> bytes:
    """The body of a request; Refused if it is too large."""
    body: bytes = b""
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            return body
        body += bytes(message.get("body", b""))
        if len(body) > LARGEST_BODY:
            raise Refused("large", f"a request has at most {LARGEST_BODY:,} bytes")
        if not message.get("more_body"):
            return body


def _again(body: bytes, receive: Receive) -> Receive:
    """Gives a body that was read already, and what comes after it."""
    parts = iter([{"type": "http.request", "body": body, "more_body": False}])

    async def replay() -> Message:
        part: Message | None = next(parts, None)
        return part if part is not None else await receive()

    return replay


STATUS = {
    **{"room": 404, "busy": 503, "rate": 429, "large": 413},
    **{"origin": 403, "secret": 403, "refused": 403},
}


def status_of(refused: Refused) -> int:
    """The HTTP status that goes with a refusal."""
    return STATUS.get(refused.word, 400)


async def _answer(send: Callable[[Message], Any], refused: Refused) -> None:
    body = dumps(refused.as_dict()).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(body))]
    if refused.word in ("rate", "busy"):
        headers.append((b"retry-after", b"1"))
    await send({"type": "http.response.start", "status": status_of(refused), "headers": headers})
    await send({"type": "http.response.body", "body": body})
