"""Checks before every request (host, origin, rate, body size) and security headers after it."""

from __future__ import annotations

import html
import logging
import re
import socket
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from quincunx.errors import BadOption
from quincunx.rooms.errors import RequestError
from quincunx.rooms.messages import dumps
from quincunx.web.addresses import TrustedProxies, network_of
from quincunx.web.bans import Bans
from quincunx.web.close_codes import POLICY_VIOLATION, TRY_AGAIN_LATER
from quincunx.web.limits import RateLimiter, is_ip_address
from quincunx.web.logs import PROXY_REQUEST_ID, REQUEST_ID, log_access, new_request_id

log = logging.getLogger("quincunx.web")

MAX_BODY_BYTES = 256 * 1024

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

ROOT_PATH = re.compile(r"(/[A-Za-z0-9._~-]+)+")
# The site's own addresses: below them, it is unclear whether a proxy has removed the root path.
# Below /games it has none.
OWN_PATHS = ("api", "static", "room", "analysis", "learn", "new", "socket", "healthz", "readyz")

HTTP_STATUS = {
    **{"room": 404, "busy": 503, "rate": 429, "large": 413},
    **{"origin": 403, "secret": 403, "refused": 403},
}
RETRY_CODES = ("busy", "rate")  # errors after which the same request may succeed


class HostPolicy:
    """The host names that requests may use, and the origins that may change something."""

    def __init__(self, host_names: Iterable[str] = ()) -> None:
        """Allows names, or all names in a domain: `*.local`."""
        names = [name.lower() for name in host_names]
        self._names = {"localhost", socket.gethostname().lower(), *names}
        domains = [name[1:] for name in names if name.startswith("*.")]
        self._suffixes = (".localhost", *domains)

    def check(self, scope: Scope) -> None:
        """Raises RequestError for an unknown host name, or for a change from another site's page.

        The host name is checked because any site can make its own name resolve to this machine
        (DNS rebinding). A request without an Origin header does not come from a page.
        """
        host = header(scope, b"host")
        name = urlsplit(f"//{host}").hostname or ""
        known = name in self._names or name.endswith(self._suffixes)
        if not known and not is_ip_address(name):
            raise RequestError("origin", "unknown host name; allow it with `serve --name`")
        origin = header(scope, b"origin")
        changes = scope["type"] == "websocket" or scope["method"] not in ("GET", "HEAD", "OPTIONS")
        if origin and changes and urlsplit(origin).netloc.lower() != host.lower():
            raise RequestError("origin", "requests from pages of other sites are not allowed")


class RootPath:
    """The path under which a proxy serves the site, such as `/play`; empty for none.

    It makes no difference whether the proxy removes the path from the requests that it passes on.
    """

    def __init__(self, path: str = "") -> None:
        """Raises BadOption for a path that is not one, or that the site itself uses."""
        self.path = path.rstrip("/")
        first = self.path[1:].partition("/")[0]
        if self.path and not ROOT_PATH.fullmatch(self.path):
            raise BadOption("root-path", path, "expected a path such as /play")
        if first in OWN_PATHS:
            raise BadOption("root-path", path, f"/{first} is an address of the site itself")

    def apply(self, scope: Scope) -> None:
        """Makes the path of a request begin with the root path, as ASGI has it."""
        path, root = scope["path"], self.path
        if root and path != root and not path.startswith(root + "/"):
            scope["path"] = root + path
            scope["raw_path"] = root.encode() + (scope.get("raw_path") or path.encode())
        scope["root_path"] = root
        # Where static files are mounted, the root path is another one.
        scope["site_path"] = scope["path"][len(root) :] or "/"


@dataclass
class Access:
    """Who may do what, as the operator of the server has set it."""

    limiter: RateLimiter
    hosts: HostPolicy = field(default_factory=HostPolicy)
    proxies: TrustedProxies = field(default_factory=TrustedProxies)
    root: RootPath = field(default_factory=RootPath)
    bans: Bans = field(default_factory=Bans)


class AccessMiddleware:
    """Rejects requests that are not allowed, and adds the security headers to every response."""

    def __init__(
        self, app: ASGIApp, access: Access, on_error: Callable[[str], None] = lambda code: None
    ) -> None:
        self.app = app
        self.access = access
        self.on_error = on_error  # called with the code of each rejection

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serves a request or a WebSocket, or rejects it."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        proxied = self.access.proxies.apply(scope)
        self.access.root.apply(scope)
        given_id = header(scope, b"x-request-id") if proxied else ""
        request_id = given_id if PROXY_REQUEST_ID.fullmatch(given_id) else new_request_id()
        token = REQUEST_ID.set(request_id)
        try:
            if scope["type"] == "websocket":
                await self._websocket(scope, receive, send)
            else:
                await self._request(scope, receive, send)
        finally:
            REQUEST_ID.reset(token)

    async def _websocket(self, scope: Scope, receive: Receive, send: Send) -> None:
        access, address = self.access, client_address(scope)
        try:
            self._check_allowed(scope)
        except (RequestError, ValueError):
            self.on_error("refused")
            await send({"type": "websocket.close", "code": POLICY_VIOLATION})
            return
        allowed = access.limiter.bucket("requests", address).take()
        if not allowed or not access.limiter.open_socket(address):
            self.on_error("rate")
            await send({"type": "websocket.close", "code": TRY_AGAIN_LATER})
            return
        started = time.perf_counter()
        try:
            with access.bans.watching(host_address(scope), send):
                await self.app(scope, receive, send)
        finally:
            access.limiter.close_socket(address)
            _log(scope, 101, started)

    async def _request(self, scope: Scope, receive: Receive, send: Send) -> None:
        response = _Response(send, scope)
        started = time.perf_counter()
        try:
            try:
                self._check_allowed(scope)
                if not self.access.limiter.bucket("requests", client_address(scope)).take():
                    raise RequestError("rate", "too many requests; try again in a moment")
                has_body = scope["method"] in ("POST", "PUT", "PATCH")
                body = await _read_body(receive) if has_body else None
            except (RequestError, ValueError) as error:
                if not isinstance(error, RequestError):
                    error = RequestError("message", "malformed request")
                await self._send_error(response.send, scope, error)
                return
            receive_body = receive if body is None else _replay_body(body, receive)
            await self._serve(scope, receive_body, response)
        finally:
            _log(scope, response.status, started)

    async def _serve(self, scope: Scope, receive: Receive, response: _Response) -> None:
        """Passes a request on; answers an error that nobody expected as `busy`, and logs it."""
        try:
            await self.app(scope, receive, response.send)
        except Exception:
            if response.status:
                raise  # it is too late for another answer: the connection is closed
            log.exception("a request failed: %s %s", scope["method"], scope["path"])
            await self._send_error(response.send, scope, internal_error())

    async def _send_error(self, send: Send, scope: Scope, error: RequestError) -> None:
        self.on_error(error.code)
        await _send_error(send, scope, error)

    def _check_allowed(self, scope: Scope) -> None:
        if self.access.bans.is_banned(host_address(scope)):
            raise RequestError("refused", "this address is not allowed to use the server")
        self.access.hosts.check(scope)


class _Response:
    """The response to a request: adds the security headers, and remembers the status."""

    def __init__(self, send: Send, scope: Scope) -> None:
        self._send = send
        self._policy = SVG_POLICY if scope["path"].endswith(".svg") else PAGE_POLICY
        self.status = 0  # until the response starts

    async def send(self, message: Message) -> None:
        """Sends a part of the response."""
        if message["type"] == "http.response.start":
            self.status = message["status"]
            headers = {
                **HEADERS,
                "content-security-policy": self._policy,
                "x-request-id": REQUEST_ID.get(),
            }
            message["headers"] = [
                *message.get("headers", ()),
                *((name.encode(), value.encode()) for name, value in headers.items()),
            ]
        await self._send(message)


def internal_error() -> RequestError:
    """Returns the answer to a request that failed for a reason that nobody expected."""
    return RequestError("busy", "internal error; try again")


def error_body(error: RequestError) -> bytes:
    """Returns an error as JSON, with the id under which the log has more about the request."""
    # Escapes what UTF-8 cannot represent: texts may repeat any character of the request.
    return dumps({**error.as_dict(), "request": REQUEST_ID.get()}).encode()


def _error_page(error: RequestError) -> bytes:
    """Returns an error as a page without scripts and files, which may not be allowed either."""
    text = html.escape(error.text[:1].upper() + error.text[1:])
    page = f'<!doctype html><html lang="en"><title>Quincunx</title><h1>Quincunx</h1><p>{text}.'
    return page.encode(errors="replace")


def _log(scope: Scope, status: int, started: float) -> None:
    method = scope.get("method", "WebSocket")
    log_access(method, scope["path"], status, time.perf_counter() - started, host_address(scope))


def header(scope: Scope, name: bytes) -> str:
    """Returns a header of a request, or an empty string."""
    return next((v.decode("latin-1") for k, v in scope["headers"] if k == name), "")


def host_address(scope: Scope) -> str:
    """Returns the address of the host that a request comes from."""
    return str(scope["client"][0]) if scope.get("client") else "unknown"


def client_address(scope: Scope) -> str:
    """Returns whom limits count for a request: its IPv4 address, or its network of IPv6."""
    return network_of(host_address(scope))


def site_path(scope: Scope) -> str:
    """Returns the path of a request within the site, without the root path."""
    return str(scope["site_path"])


def is_page(scope: Scope) -> bool:
    """Returns True for the request of a page: of neither the API nor, by a page, of a file."""
    first = site_path(scope).lstrip("/").partition("/")[0]
    by_page = first == "static" and not _accepts_page(scope)
    return scope["method"] in ("GET", "HEAD") and first != "api" and not by_page


def _accepts_page(scope: Scope) -> bool:
    return "text/html" in header(scope, b"accept")


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


async def _send_error(send: Callable[[Message], Any], scope: Scope, error: RequestError) -> None:
    for_person = is_page(scope) and _accepts_page(scope)
    body = _error_page(error) if for_person else error_body(error)
    kind = b"text/html; charset=utf-8" if for_person else b"application/json"
    headers = [(b"content-type", kind), (b"content-length", b"%d" % len(body))]
    if error.code in RETRY_CODES:
        headers.append((b"retry-after", b"1"))
    await send({"type": "http.response.start", "status": http_status(error), "headers": headers})
    await send({"type": "http.response.body", "body": body})
