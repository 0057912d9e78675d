"""The server put together: the gate, the API, the socket, the pages."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import FileResponse, JSONResponse, Response
from starlette.exceptions import HTTPException
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Receive, Scope, Send

from quincunx import __version__
from quincunx.draw import palette
from quincunx.errors import MissingExtra
from quincunx.web.api import router
from quincunx.web.gate import Gate, Gatekeeper, Limits, address_of, status_of
from quincunx.web.hall import Hall, wall_clock
from quincunx.web.socket import Socket
from quincunx.web.store import Store
from quincunx.web.wire import Refused, refusal

STATIC = Path(__file__).parent / "static"
PAGES = ("/", "/room/{room}", "/analysis", "/learn", "/learn/{game}", "/games", "/new/{game}")
SOCKET = "/socket"
FRESH = {"cache-control": "no-cache"}  # asked for again each time, and sent only if it changed


def create_app(
    url: str,
    limits: Limits | None = None,
    names: Iterable[str] = (),
    now: Callable[[], int] = wall_clock,
    compile_first: bool = True,
) -> FastAPI:
    """The server as an ASGI application, over the database of an address.

    Without `compile_first`, games are compiled when they are first used, while all wait.
    """
    gate = Gate(limits, names)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        app.state.gate = gate
        app.state.hall = hall = Hall(Store(url), now, compile_first)
        await hall.open()
        try:
            yield
        finally:
            await hall.close()

    app = FastAPI(
        title="Quincunx",
        version=__version__,
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
    )
    # The last one added stands first.
    app.add_middleware(Door, state=app.state)
    app.add_middleware(Gatekeeper, gate=gate)
    for kind in (Refused, ValueError, MissingExtra):
        app.add_exception_handler(kind, _refused)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _missing)
    app.include_router(router)
    _add_pages(app)
    return app


class Door:
    """The WebSocket, before all that only requests need: every message passes here."""

    def __init__(self, app: ASGIApp, state: Any) -> None:
        self.app = app
        self.state = state

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serves a socket, and lets everything else pass."""
        if scope["type"] != "websocket":
            await self.app(scope, receive, send)
        elif scope["path"] != SOCKET:
            await send({"type": "websocket.close", "code": 1008})
        else:
            state = self.state
            await Socket(receive, send, state.hall, state.gate, address_of(scope)).run()


def _add_pages(app: FastAPI) -> None:
    """The pages, which are one file, and what they load."""
    for path in PAGES:
        app.add_api_route(path, _page, include_in_schema=False)
    css = palette.css()

    @app.get("/static/palette.css", include_in_schema=False)
    def colours() -> Response:
        return Response(css, media_type="text/css", headers=FRESH)

    app.mount("/static", _Static(directory=STATIC, check_dir=False))


class _Static(StaticFiles):
    """Files with an ETag, asked for again each time."""

    def file_response(self, *args: Any, **kwargs: Any) -> Response:
        """The file, or that it has not changed."""
        response = super().file_response(*args, **kwargs)
        response.headers.update(FRESH)
        return response


def _page() -> FileResponse:
    return FileResponse(STATIC / "index.html", headers=FRESH)


async def _refused(request: Request, error: Exception) -> JSONResponse:
    refused = refusal(error)
    headers = {"retry-after": "1"} if refused.word in ("busy", "rate") else None
    return JSONResponse(refused.as_dict(), status_of(refused), headers)


async def _invalid(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    where = ".".join(str(part) for part in first["loc"][1:])
    text = f"{where}: {first['msg']}" if where else str(first["msg"])
    return JSONResponse(Refused("message", text, where).as_dict(), 422)


async def _missing(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)
    refused = Refused("message", f"{request.url.path}: {error.detail}")
    return JSONResponse(refused.as_dict(), error.status_code, error.headers)
