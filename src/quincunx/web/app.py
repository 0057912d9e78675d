"""The server as an ASGI application: middleware, HTTP API, WebSocket and pages."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import FileResponse, Response
from starlette.exceptions import HTTPException
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Receive, Scope, Send

from quincunx import __version__
from quincunx.draw import palette
from quincunx.errors import MissingExtra
from quincunx.rooms.errors import RequestError, as_request_error
from quincunx.rooms.host import Clock
from quincunx.rooms.lobby import Lobby
from quincunx.rooms.messages import dumps
from quincunx.web import codec
from quincunx.web.database import Database
from quincunx.web.games import CompiledGames
from quincunx.web.http import router
from quincunx.web.limits import Limits, RateLimiter
from quincunx.web.middleware import (
    POLICY_VIOLATION,
    RETRY_CODES,
    AccessMiddleware,
    HostPolicy,
    client_address,
    http_status,
)
from quincunx.web.system import SystemClock, SystemRandomness
from quincunx.web.thinking import ThinkingPool
from quincunx.web.websocket import WebSocketConnection

STATIC = Path(__file__).parent / "static"
PAGES = ("/", "/room/{room}", "/analysis", "/learn", "/learn/{game}", "/games", "/new/{game}")
SOCKET_PATH = "/socket"
NO_CACHE = {"cache-control": "no-cache"}  # browsers ask each time, and get 304 if unchanged


def create_app(
    url: str,
    limits: Limits | None = None,
    host_names: Iterable[str] = (),
    clock: Clock | None = None,
    compile_first: bool = True,
    keep_days: int | None = None,
) -> FastAPI:
    """Returns the server as an ASGI application, with the database at `url`.

    Without `compile_first`, a game is compiled on its first use, which blocks the server. With
    `keep_days`, a room is deleted this number of days after its last event.
    """
    limiter = RateLimiter(limits)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        pool = ThinkingPool()
        games = CompiledGames(pool, compile_first)
        time, randomness = clock or SystemClock(), SystemRandomness()
        lobby = Lobby(Database(url), games, pool, time, randomness, codec.dumps)
        lobby.upkeep.keep_days = keep_days
        app.state.limiter, app.state.lobby = limiter, lobby
        await lobby.open()
        games.start()
        try:
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
    # The last middleware added is the first to see a request.
    app.add_middleware(WebSocketMiddleware, state=app.state)
    app.add_middleware(AccessMiddleware, hosts=HostPolicy(host_names), limiter=limiter)
    for kind in (RequestError, ValueError, MissingExtra):
        app.add_exception_handler(kind, _error_response)
    app.add_exception_handler(RequestValidationError, _validation_error_response)
    app.add_exception_handler(HTTPException, _http_error_response)
    app.include_router(router)
    _add_pages(app)
    return app


class WebSocketMiddleware:
    """Serves the WebSocket before the other middleware, which would slow down every message."""

    def __init__(self, app: ASGIApp, state: Any) -> None:
        self.app = app
        self.state = state

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serves a WebSocket; passes everything else on."""
        if scope["type"] != "websocket":
            await self.app(scope, receive, send)
        elif scope["path"] != SOCKET_PATH:
            await send({"type": "websocket.close", "code": POLICY_VIOLATION})
        else:
            lobby, limiter, address = self.state.lobby, self.state.limiter, client_address(scope)
            await WebSocketConnection(receive, send, lobby, limiter, address).run()


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


def _page() -> FileResponse:
    return FileResponse(STATIC / "index.html", headers=NO_CACHE)


async def _error_response(request: Request, cause: Exception) -> Response:
    error = as_request_error(cause)
    headers = {"retry-after": "1"} if error.code in RETRY_CODES else None
    return _json(error, http_status(error), headers)


async def _validation_error_response(request: Request, cause: Exception) -> Response:
    assert isinstance(cause, RequestValidationError)
    first = cause.errors()[0]
    where = ".".join(str(part) for part in first["loc"][1:])
    text = f"{where}: {first['msg']}" if where else str(first["msg"])
    return _json(RequestError("message", text, where), 422)


async def _http_error_response(request: Request, cause: Exception) -> Response:
    assert isinstance(cause, HTTPException)
    accepts_page = "text/html" in request.headers.get("accept", "")
    is_api = request.url.path.split("/")[1] == "api"
    if cause.status_code == 404 and accepts_page and not is_api:
        return FileResponse(STATIC / "index.html", 404, NO_CACHE)  # it shows that nothing is there
    error = RequestError("message", f"{request.url.path}: {cause.detail}")
    return _json(error, cause.status_code, cause.headers)


def _json(error: RequestError, status: int, headers: Mapping[str, str] | None = None) -> Response:
    """Returns the response of an error; its texts may repeat any character of the request."""
    body = dumps(error.as_dict())  # escapes what UTF-8 cannot represent
    return Response(body, status, headers, media_type="application/json")
