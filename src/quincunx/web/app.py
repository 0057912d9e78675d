"""The HTTP side: pages, static files, and the API for rooms."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Annotated, Any

from fastapi import FastAPI, Request, WebSocket
from fastapi.exceptions import RequestValidationError
from fastapi.responses import FileResponse, JSONResponse, Response
from pydantic import BaseModel, ConfigDict, Field
from starlette.exceptions import HTTPException
from starlette.staticfiles import StaticFiles

from quincunx.draw import palette
from quincunx.errors import BadOption
from quincunx.game import Game
from quincunx.players.level import NAMES as LEVEL_NAMES
from quincunx.registry import GAMES
from quincunx.registry import game as game_named
from quincunx.web.hall import Hall
from quincunx.web.socket import Socket
from quincunx.web.store import Store
from quincunx.web.wire import Refused, refusal

STATIC = Path(__file__).parent / "static"
PAGES = ("/", "/room/{room}", "/analysis", "/learn", "/learn/{game}", "/games", "/new/{game}")
STATUS = {"room": 404, "busy": 503, "rate": 429, "large": 413, "origin": 403, "secret": 403}


class Clock(BaseModel):
    """How much time each seat has."""

    minutes: Annotated[float, Field(ge=0.05, le=600)]
    increment: Annotated[float, Field(ge=0, le=600)] = 0


class NewRoom(BaseModel):
    """A room to be made."""

    model_config = ConfigDict(extra="forbid")

    game: Annotated[str, Field(max_length=32)]
    options: dict[str, str | int | float | bool] = Field(default_factory=dict, max_length=32)
    players: Annotated[list[Annotated[str, Field(max_length=100)]], Field(max_length=16)]
    seed: Annotated[int | None, Field(ge=-(2**63), lt=2**63)] = None
    start: Annotated[str, Field(max_length=20_000)] = ""
    moves: Annotated[list[Annotated[str, Field(max_length=64)]], Field(max_length=5000)] = []
    clock: Clock | None = None
    pace: Annotated[float, Field(ge=0.2, le=60)] = 2.0
    listed: bool = False


def create_app(url: str, **settings: Any) -> FastAPI:
    """The server as an ASGI application, over the database of an address."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        app.state.hall = hall = Hall(Store(url), **settings)
        await hall.open()
        try:
            yield
        finally:
            await hall.close()

    app = FastAPI(
        title="Quincunx",
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
    )
    app.add_exception_handler(Refused, _refused)
    app.add_exception_handler(ValueError, _refused)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _not_found)
    _pages(app)
    _api(app)

    @app.websocket("/socket")
    async def socket(websocket: WebSocket) -> None:
        await websocket.accept()
        await Socket(websocket, app.state.hall).run()

    return app


def _pages(app: FastAPI) -> None:
    """The pages, which are one file, and what they load."""
    for path in PAGES:
        app.add_api_route(path, _page, include_in_schema=False)
    css = palette.css()

    @app.get("/static/palette.css", include_in_schema=False)
    def colours() -> Response:
        return Response(css, media_type="text/css")

    app.mount("/static", StaticFiles(directory=STATIC, check_dir=False))


def _page() -> FileResponse:
    return FileResponse(STATIC / "index.html")


def _api(app: FastAPI) -> None:
    @app.get("/api/games")
    def games() -> list[dict[str, Any]]:
        """All games: options, levels, controls."""
        return [about(game_named(name)) for name in GAMES]

    @app.post("/api/rooms", status_code=201)
    async def new_room(asked: NewRoom) -> dict[str, Any]:
        """Makes a room; the secrets of all human seats are its maker's to give away."""
        hall: Hall = app.state.hall
        clock = (asked.clock.minutes, asked.clock.increment) if asked.clock else None
        table, secrets = await hall.make(
            asked.game,
            asked.options,
            asked.players,
            seed=asked.seed,
            start=asked.start,
            moves=asked.moves,
            clock=clock,
            pace=asked.pace,
            listed=asked.listed,
        )
        return {"id": table.room.card.id, "secrets": secrets}


def about(game: Game) -> dict[str, Any]:
    """What a page needs to offer a game."""
    rules, names = game.parts.rules, game.parts.rules.SEAT_NAMES
    seats = next((o for o in rules.OPTIONS if o.name == "players"), None)
    least, most = (int(seats.low), int(seats.high)) if seats else (game.seats, game.seats)
    return {
        "name": game.name,
        "title": game.title,
        "sentence": GAMES[game.name].sentence,
        "seats": {"least": least, "most": most},
        "solo": least == 1,
        "options": [_option(o) for o in rules.OPTIONS],
        "levels": [
            {"text": f"level:{number}", "title": name}
            for number, name in enumerate(LEVEL_NAMES, 1)
        ],
        "seat_names": list(names),
        "colours": [name.lower() if name.lower() in palette.PIECES else "" for name in names],
        "letters": rules.LETTERS,
        "controls": game.parts.layout.CONTROLS.as_dict(),
    }


def _option(option: Any) -> dict[str, Any]:
    kind = "choice" if option.choices else type(option.default).__name__
    told = {"name": option.name, "kind": kind, "default": option.default, "about": option.about}
    if option.choices:
        told["choices"] = list(option.choices)
    elif kind != "bool":
        told |= {"low": option.low, "high": option.high, "also": list(option.also)}
    return told


async def _refused(request: Request, error: Exception) -> JSONResponse:
    refused = refusal(error)
    return JSONResponse(refused.as_dict(), STATUS.get(refused.word, 400))


async def _invalid(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    where = ".".join(str(part) for part in first["loc"][1:])
    return JSONResponse(Refused("message", f"{where}: {first['msg']}", where).as_dict(), 422)


async def _not_found(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)
    return JSONResponse(
        Refused("message", f"{request.url.path}: {error.detail}").as_dict(), error.status_code
    )
