"""Checks before every request (host, origin, rate, body size) and security headers after it."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterable
from typing import Any
from urllib.parse import urlsplit

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from quincunx.rooms.errors import RequestError
from quincunx.rooms.messages import dumps
from quincunx.web.limits import RateLimiter, is_ip_address

MAX_BODY_BYTES = 256 * 1024

# WebSocket close codes
POLICY_VIOLATION = 1008
TRY_AGAIN_LATER = 1013

# Pages load from this server only: no other site, no inline script, no inline style.
PAGE_POLICY = (
    "default-src 'self'; img-src 'self' data: blob:; object-src 'none'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'"
)
# An SVG that is opened by itself needs its inline style, and nothing else.
SVG_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox"
HEADERS = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}

HTTP_STATUS = {
    **{"room": 404, "busy": 503, "rate": 429, "large": 413},
    **{"origin": 403, "secret": 403, "refused": 403},
}
RETRY_CODES = ("busy", "rate")  # errors after which the same request may succeed


class HostPolicy:
    """The host names that requests may use, and the origins that may change something."""

    def __init__(self, host_names: Iterable[str] = ()) -> None:
        names = (name.lower() for name in host_names)
        self._names = {"localhost", socket.gethostname().lower(), *names}

    def check(self, scope: Scope) -> None:
        """Raises RequestError for an unknown host name, or for a change from another site's page.

        The host name is checked because any site can make its own name resolve to this machine
        (DNS rebinding). A request without an Origin header does not come from a page.
        """
        host = header(scope, b"host")
        name = urlsplit(f"//{host}").hostname or ""
        local = name in self._names or name.endswith((".local", ".localhost"))
        if not local and not is_ip_address(name):
            raise RequestError("origin", "unknown host name; allow it with `serve --name`")
        origin = header(scope, b"origin")
        changes = scope["type"] == "websocket" or scope["method"] not in ("GET", "HEAD", "OPTIONS")
        if origin and changes and urlsplit(origin).netloc.lower() != host.lower():
            raise RequestError("origin", "requests from pages of other sites are not allowed")


class AccessMiddleware:
    """Rejects requests that are not allowed, and adds the security headers to every response."""

    def __init__(self, app: ASGIApp, hosts: HostPolicy, limiter: RateLimiter) -> None:
        self.app = app
        self.hosts = hosts
        self.limiter = limiter

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serves a request or a WebSocket, or rejects it."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
        elif scope["type"] == "websocket":
            await self._websocket(scope, receive, send)
        else:
            await self._request(scope, receive, send)

    async def _websocket(self, scope: Scope, receive: Receive, send: Send) -> None:
        address = client_address(scope)
        try:
            self.hosts.check(scope)
        except (RequestError, ValueError):
            await send({"type": "websocket.close", "code": POLICY_VIOLATION})
            return
        if not self.limiter.open_socket(address):
            await send({"type": "websocket.close", "code": TRY_AGAIN_LATER})
            return
        try:
            await self.app(scope, receive, send)
        finally:
            self.limiter.close_socket(address)

    async def _request(self, scope: Scope, receive: Receive, send: Send) -> None:
        policy = SVG_POLICY if scope["path"].endswith(".svg") else PAGE_POLICY

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = {**HEADERS, "content-security-policy": policy}
                message["headers"] = [
                    *message.get("headers", ()),
                    *((name.encode(), value.encode()) for name, value in headers.items()),
                ]
            await send(message)

        try:
            self._check(scope)
            has_body = scope["method"] in ("POST", "PUT", "PATCH")
            body = await _read_body(receive) if has_body else None
        except (RequestError, ValueError) as error:
            if not isinstance(error, RequestError):
                error = RequestError("message", "malformed request")
            await _send_error(send_with_headers, error)
            return
        receive_body = receive if body is None else _replay_body(body, receive)
        await self.app(scope, receive_body, send_with_headers)

    def _check(self, scope: Scope) -> None:
        self.hosts.check(scope)
        if not self.limiter.bucket("requests", client_address(scope)).take():
            raise RequestError("rate", "too many requests; try again in a moment")


def header(scope: Scope, name: bytes) -> str:
    """Returns a header of a request, or an empty string."""
    return next((v.decode("latin-1") for k, v in scope["headers"] if k == name), "")


def client_address(scope: Scope) -> str:
    """Returns the address that a request comes from."""
    return str(scope["client"][0]) if scope.get("client") else "unknown"


def http_status(error: RequestError) -> int:
    """Returns the HTTP status of an error."""
    return HTTP_STATUS.get(error.code, 400)


async def _read_body(receive: Receive) -> bytes:
    """Returns the body of a request; raises RequestError if it is too large."""
    body: bytes = b""
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            return body
        body += bytes(message.get("body", b""))
        if len(body) > MAX_BODY_BYTES:
            raise RequestError("large", f"request too large: at most {MAX_BODY_BYTES:,} bytes")
        if not message.get("more_body"):
            return body


def _replay_body(body: bytes, receive: Receive) -> Receive:
    """Returns a `receive` that gives a body that was already read, then what follows it."""
    messages = iter([{"type": "http.request", "body": body, "more_body": False}])

    async def replay() -> Message:
        message: Message | None = next(messages, None)
        return message if message is not None else await receive()

    return replay


async def _send_error(send: Callable[[Message], Any], error: RequestError) -> None:
    body = dumps(error.as_dict()).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(body))]
    if error.code in RETRY_CODES:
        headers.append((b"retry-after", b"1"))
    await send({"type": "http.response.start", "status": http_status(error), "headers": headers})
    await send({"type": "http.response.body", "body": body})
