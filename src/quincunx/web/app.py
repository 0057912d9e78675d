"""The server as an ASGI application: middleware, HTTP API, WebSocket and pages."""

from __future__ import annotations

import socket
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, Response
from starlette.exceptions import HTTPException
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Receive, Scope, Send

from quincunx import __version__
from quincunx.draw import palette
from quincunx.errors import MissingExtra
from quincunx.registry import games as game_names
from quincunx.rooms.errors import RequestError, as_request_error
from quincunx.rooms.host import Clock
from quincunx.rooms.lobby import Lobby
from quincunx.web import codec, health
from quincunx.web.addresses import TrustedProxies, parse_network
from quincunx.web.admin_poll import admin_polling
from quincunx.web.close_codes import POLICY_VIOLATION
from quincunx.web.games import CompiledGames
from quincunx.web.http import router
from quincunx.web.limits import Limits, RateLimiter
from quincunx.web.metering import MeteredDatabase
from quincunx.web.metrics import Metrics, ServerCollector, exposition
from quincunx.web.metrics_server import metrics_server
from quincunx.web.middleware import (
    RETRY_CODES,
    Access,
    AccessMiddleware,
    HostPolicy,
    RootPath,
    client_address,
    error_body,
    http_status,
    is_page,
    site_path,
)
from quincunx.web.pictures import ResponseCache
from quincunx.web.system import SystemClock, SystemRandomness
from quincunx.web.thinking import ThinkingPool
from quincunx.web.websocket import WebSocketConnection

STATIC = Path(__file__).parent / "static"
PAGES = ("/", "/room/{room}", "/analysis", "/learn", "/learn/{game}", "/games", "/new/{game}")
SOCKET_PATH = "/socket"
NO_CACHE = {"cache-control": "no-cache"}  # browsers ask each time, and get 304 if unchanged


@dataclass(frozen=True)
class Site:
    """How the server can be reached: by which names, through which proxies, under which path."""

    host_names: tuple[str, ...] = ()  # besides localhost and numeric addresses
    proxies: tuple[str, ...] = ()  # ADDRESS or ADDRESS/PREFIX, trusted to say who their clients are
    root_path: str = ""  # under which a proxy serves the site, such as /play


def create_app(
    url: str,
    limits: Limits | None = None,
    site: Site | None = None,
    clock: Clock | None = None,
    compile_first: bool = True,
    metrics_listener: socket.socket | None = None,
    keep_days: int | None = None,
) -> FastAPI:
    """Returns the server as an ASGI application, with the database at `url`.

    Without `compile_first`, a game is compiled on its first use, which blocks the server.
    Metrics are served on `metrics_listener`, if given. With `keep_days`, a room is deleted this
    number of days after its last event. Raises BadOption for an invalid site.
    """
    limiter, metrics = RateLimiter(limits), Metrics()
    access = _access(site or Site(), limiter)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        pool = ThinkingPool()
        games = CompiledGames(pool, compile_first)
        store, time = MeteredDatabase(url, metrics), clock or SystemClock()
        lobby = Lobby(store, games, pool, time, SystemRandomness(), codec.dumps)
        lobby.upkeep.keep_days = keep_days
        app.state.lobby, app.state.store, app.state.responses = lobby, store, ResponseCache()
        await lobby.open()
        games.start(await store.games_in_play())
        read_metrics = exposition(ServerCollector(metrics, lobby, limiter, pool))
        try:
            async with (
                metrics_server(metrics_listener, read_metrics),
                admin_polling(store, lobby, access.bans),
            ):
                yield
        finally:
            await games.stop()
            await lobby.close()
            pool.close()

    app = FastAPI(
        title="Quincunx",
        version=__version__,
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
    )
    app.state.limiter, app.state.access, app.state.metrics = limiter, access, metrics
    _add_handlers(app, access, metrics)
    return app


def _add_handlers(app: FastAPI, access: Access, metrics: Metrics) -> None:
    """Adds middleware, error responses, the API and the pages."""
    # The last middleware added is the first to see a request.
    app.add_middleware(WebSocketMiddleware, state=app.state)
    app.add_middleware(AccessMiddleware, access=access, on_error=metrics.reject)
    for kind in (RequestError, ValueError, MissingExtra):
        app.add_exception_handler(kind, _error_response)
    app.add_exception_handler(RequestValidationError, _validation_error_response)
    app.add_exception_handler(HTTPException, _http_error_response)
    app.include_router(router)
    app.include_router(health.router)
    _add_pages(app)


def _access(site: Site, limiter: RateLimiter) -> Access:
    """Returns who may do what; raises BadOption for an invalid proxy or path."""
    proxies = TrustedProxies(parse_network(text, "proxy") for text in site.proxies)
    return Access(limiter, HostPolicy(site.host_names), proxies, RootPath(site.root_path))


class WebSocketMiddleware:
    """Serves the WebSocket before the other middleware, which would slow down every message."""

    def __init__(self, app: ASGIApp, state: Any) -> None:
        self.app = app
        self.state = state

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serves a WebSocket; passes everything else on."""
        if scope["type"] != "websocket":
            await self.app(scope, receive, send)
        elif site_path(scope) != SOCKET_PATH:
            await send({"type": "websocket.close", "code": POLICY_VIOLATION})
        else:
            lobby, limiter, address = self.state.lobby, self.state.limiter, client_address(scope)
            reject = self.state.metrics.reject
            await WebSocketConnection(receive, send, lobby, limiter, address, reject).run()


def _add_pages(app: FastAPI) -> None:
    """Adds the routes of the pages, which are all one file, and of the static files."""
    for path in PAGES:
        app.add_api_route(path, _page, include_in_schema=False)
    css = palette.css()

    @app.get("/static/palette.css", include_in_schema=False)
    def palette_css() -> Response:
        return Response(css, media_type="text/css", headers=NO_CACHE)

    app.mount("/static", _RevalidatedFiles(directory=STATIC, check_dir=False))


class _RevalidatedFiles(StaticFiles):
    """Static files that a browser requests each time, with their ETag."""

    def file_response(self, *args: Any, **kwargs: Any) -> Response:
        """Returns the file, or 304 if it has not changed."""
        response = super().file_response(*args, **kwargs)
        response.headers.update(NO_CACHE)
        return response


def _page(request: Request) -> Response:
    game = request.path_params.get("game")
    return _page_response(request, 200 if game is None or game in game_names() else 404)


def _page_response(request: Request, status: int = 200) -> Response:
    """Returns the page, with the addresses of its files under the root path."""
    html = (STATIC / "index.html").read_text(encoding="utf-8")
    root = request.app.state.access.root.path
    return HTMLResponse(html.replace('="/static/', f'="{root}/static/'), status, NO_CACHE)


async def _error_response(request: Request, cause: Exception) -> Response:
    error = as_request_error(cause)
    headers = {"retry-after": "1"} if error.code in RETRY_CODES else None
    return _json(request, error, http_status(error), headers)


async def _validation_error_response(request: Request, cause: Exception) -> Response:
    assert isinstance(cause, RequestValidationError)
    first = cause.errors()[0]
    where = ".".join(str(part) for part in first["loc"][1:])
    if first["type"] == "json_invalid":  # `where` is the number of a character
        error = RequestError("json", f"the body is not valid JSON, at character {where}")
    elif not where:
        text = "the body must be a JSON object, with the header Content-Type: application/json"
        error = RequestError("message", text)
    else:
        error = RequestError("message", f"{where}: {first['msg']}", where)
    return _json(request, error, 422)


async def _http_error_response(request: Request, cause: Exception) -> Response:
    assert isinstance(cause, HTTPException)
    path = site_path(request.scope)
    if cause.status_code == 404 and is_page(request.scope):
        return _page_response(request, 404)  # it shows that nothing is there
    error = RequestError("message", f"{path}: {cause.detail}")
    return _json(request, error, cause.status_code, cause.headers)


def _json(
    request: Request, error: RequestError, status: int, headers: Mapping[str, str] | None = None
) -> Response:
    """Returns the response of an error, and counts it."""
    request.app.state.metrics.reject(error.code)
    return Response(error_body(error), status, headers, media_type="application/json")
