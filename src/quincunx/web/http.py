"""The HTTP API: games, rooms, records, pictures, pasted text, high scores and ratings."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from enum import Enum
from typing import Annotated, Any, TypeVar

from fastapi import APIRouter, Depends, Path, Query, Request
from fastapi.responses import Response
from pydantic import BaseModel, ConfigDict, Field

from quincunx.options import parse_assignments
from quincunx.registry import game as game_named
from quincunx.rooms import paste
from quincunx.rooms.explore import past_position
from quincunx.rooms.lobby import (
    CLOCK_MINUTES,
    INCREMENT_SECONDS,
    MAX_PLAYER_CHARS,
    PACE_SECONDS,
    Lobby,
)
from quincunx.rooms.messages import (
    MAX_GAME_NAME_CHARS,
    MAX_MOVE_CHARS,
    MAX_MOVES,
    MAX_OPTIONS,
    MAX_POSITION_CHARS,
    MAX_ROOM_ID_CHARS,
    MAX_SAFE_INTEGER,
    MAX_SEATS,
)
from quincunx.rooms.session import RoomSession
from quincunx.web import drawing, listings, pictures
from quincunx.web.game_offers import game_offer
from quincunx.web.limits import RateLimiter
from quincunx.web.middleware import client_address
from quincunx.web.pictures import Drawing

MAX_PASTED_CHARS = 200_000
MAX_PICTURE_NAME_CHARS = 64
MAX_ROWS = 50  # of a list in a response
MAX_DAY_CHARS = 10
MAX_RATED_RESULTS = 5000


T = TypeVar("T")

SEED_RANGE = {"ge": -(2**63), "lt": 2**63}
PositionText = Annotated[str, Field(max_length=MAX_POSITION_CHARS)]
MoveText = Annotated[str, Field(max_length=MAX_MOVE_CHARS)]
PlayerText = Annotated[str, Field(max_length=MAX_PLAYER_CHARS)]
Options = Annotated[dict[str, str | int | float | bool], Field(max_length=MAX_OPTIONS)]


class ClockSettings(BaseModel):
    """The time of each seat: minutes at the start, and seconds added for each move."""

    minutes: Annotated[float, Field(ge=CLOCK_MINUTES[0], le=CLOCK_MINUTES[1])]
    increment: Annotated[float, Field(ge=INCREMENT_SECONDS[0], le=INCREMENT_SECONDS[1])] = 0


class NewRoom(BaseModel):
    """A room to be created."""

    model_config = ConfigDict(extra="forbid")

    game: Annotated[str, Field(max_length=MAX_GAME_NAME_CHARS)]
    options: Options = {}
    players: Annotated[list[PlayerText], Field(max_length=MAX_SEATS)]
    seed: Annotated[int | None, Field(**SEED_RANGE)] = None
    start: PositionText = ""
    moves: Annotated[list[MoveText], Field(max_length=MAX_MOVES)] = []
    clock: ClockSettings | None = None
    pace: Annotated[float, Field(ge=PACE_SECONDS[0], le=PACE_SECONDS[1])] = 2.0
    listed: bool = False
    daily: bool = False


class CreatedRoom(BaseModel):
    """The id of a new room, the invitations to its human seats, and whether its result counts."""

    id: str
    secrets: dict[str, str]
    fair: bool


class PasteRequest(BaseModel):
    """A pasted text; with a game, it is read as a position or as moves of that game."""

    model_config = ConfigDict(extra="forbid")

    text: Annotated[str, Field(max_length=MAX_PASTED_CHARS)]
    game: Annotated[str | None, Field(max_length=MAX_GAME_NAME_CHARS)] = None
    options: Options = {}


class ErrorResponse(BaseModel):
    """Why a request failed: a stable code, a text for people, and the field that it is about."""

    error: str
    text: str
    where: str


class RoomFilter(str, Enum):
    """Which rooms are listed."""

    RUNNING = "running"
    FINISHED = "finished"


class ImageFormat(str, Enum):
    """The file format of a picture."""

    SVG = "svg"
    PNG = "png"


class Theme(str, Enum):
    """The colours of a picture."""

    LIGHT = "light"
    DARK = "dark"
    CONTRAST = "contrast"
    AUTO = "auto"


MEDIA_TYPES = {ImageFormat.SVG: "image/svg+xml", ImageFormat.PNG: "image/png"}

ERROR_STATUSES = (400, 403, 404, 413, 422, 429, 503)
router = APIRouter(
    prefix="/api", responses={status: {"model": ErrorResponse} for status in ERROR_STATUSES}
)


def _file_responses(*media_types: str) -> dict[int | str, dict[str, Any]]:
    """Returns the OpenAPI description of a response that is a file."""
    return {200: {"content": {kind: {"schema": {"type": "string"}} for kind in media_types}}}


PICTURES = _file_responses("image/svg+xml", "image/png")
RoomId = Annotated[str, Path(max_length=MAX_ROOM_ID_CHARS)]
NonNegative = Annotated[int | None, Query(ge=0, le=MAX_SAFE_INTEGER)]
Size = Annotated[int, Query(ge=16, le=2000)]
Day = Annotated[str | None, Query(max_length=MAX_DAY_CHARS)]
GameName = Annotated[str, Query(max_length=MAX_GAME_NAME_CHARS)]


def _lobby(request: Request) -> Lobby:
    lobby: Lobby = request.app.state.lobby
    return lobby


LobbyDependency = Annotated[Lobby, Depends(_lobby)]


class Client:
    """The client of a request: what it may wait for, and what it may be sent again."""

    def __init__(self, request: Request) -> None:
        self._request = request
        self._address = client_address(request.scope)
        self._lobby: Lobby = request.app.state.lobby
        self._cache: pictures.ResponseCache = request.app.state.responses

    async def send(self, drawing: Drawing) -> Response:
        """Returns a picture, or 304 if the client has it already."""
        return await pictures.respond(
            self._request, self._lobby.pool, self._cache, self._address, drawing
        )

    async def run(self, function: Callable[..., T], *arguments: Any) -> T:
        """Returns the result of a call in a worker process; cancelled if the client leaves."""
        work = self._lobby.pool.run_process(function, *arguments, client=self._address)
        return await pictures.while_connected(self._request, work)


# A function and not the class: former versions of FastAPI cannot read its postponed annotations.
def _client(request: Request) -> Client:
    return Client(request)


ClientDependency = Annotated[Client, Depends(_client)]


async def _session(room: RoomId, lobby: LobbyDependency) -> RoomSession:
    return await lobby.session(room)


SessionDependency = Annotated[RoomSession, Depends(_session)]


@router.get("/games")
def games(lobby: LobbyDependency) -> list[dict[str, Any]]:
    """All games, with what a page needs to offer them: options, levels, controls."""
    fields = (game_offer(name, lobby.pool) for name in lobby.games.playable())
    return [game for game in fields if game]


@router.get("/games/{game}/learn")
def learn(game: Annotated[str, Path(max_length=MAX_GAME_NAME_CHARS)]) -> dict[str, Any]:
    """The rules of a game, with its pictures and with examples that can be played."""
    from quincunx.web.lessons import lesson

    return lesson(game_named(game))


@router.get("/games/{game}/pictures/{name}")
async def guide_picture(
    game: Annotated[str, Path(max_length=MAX_GAME_NAME_CHARS)],
    name: Annotated[str, Path(max_length=MAX_PICTURE_NAME_CHARS)],
    lobby: LobbyDependency,
    client: ClientDependency,
) -> Response:
    """A picture of the game's guide, as shapes for a page to draw."""
    arguments = lobby.games.game(game), name
    return await client.send(Drawing(drawing.draw_guide_picture, arguments, "application/json"))


@router.post("/rooms", status_code=201)
async def new_room(new: NewRoom, lobby: LobbyDependency, request: Request) -> CreatedRoom:
    """Creates a room; returns the invitations to all human seats, for the creator to hand out."""
    # Before the room is counted, because a page repeats its request while a game is compiled.
    lobby.games.game(new.game, new.options)
    limiter: RateLimiter = request.app.state.limiter
    client = client_address(request.scope)
    limiter.count_new_room(client)
    clock = (new.clock.minutes, new.clock.increment) if new.clock else None
    more = new.model_dump(exclude={"clock", "game", "options", "players"})
    session, secrets = await lobby.create(
        new.game,
        new.options,
        new.players,
        clock=clock,
        client=client,
        rooms_per_day=limiter.rooms_per_day(client),
        **more,
    )
    secrets_by_seat = {str(seat): secret for seat, secret in secrets.items()}
    settings = session.room.settings
    return CreatedRoom(id=settings.id, secrets=secrets_by_seat, fair=settings.fair)


@router.get("/rooms")
async def rooms(
    lobby: LobbyDependency,
    state: RoomFilter | None = None,
    game: GameName = "",
    before: NonNegative = None,
    count: Annotated[int, Query(ge=1, le=MAX_ROWS)] = 20,
) -> list[dict[str, Any]]:
    """The listed rooms, the newest first; for the next page, `before` is the last `created`."""
    if game:
        game_named(game)
    finished = None if state is None else state is RoomFilter.FINISHED
    listed = await lobby.store.listed_rooms(finished, game, before, count)
    entries = [
        await listings.room_entry(lobby, room)
        for room in listed
        if lobby.games.is_compiled(room.game)
    ]
    return [entry for entry in entries if entry]


@router.get("/rooms/{room}")
async def room(session: SessionDependency) -> dict[str, Any]:
    """A room as a spectator sees it."""
    await session.stored_room()
    return replace(session.snapshot(), legal={}).as_fields()


@router.get(
    "/rooms/{room}/record.qx", response_class=Response, responses=_file_responses("text/plain")
)
async def record(session: SessionDependency) -> Response:
    """The game as a record; of a running game with chance, only its current position."""
    room = await session.stored_room()
    name = f"{room.settings.game}-{room.settings.id}.qx"
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return Response(room.record.text, media_type="text/plain", headers=headers)


@router.get("/rooms/{room}/picture.{kind}", response_class=Response, responses=PICTURES)
async def room_picture(
    session: SessionDependency,
    client: ClientDependency,
    kind: ImageFormat,
    plies: NonNegative = None,
    flip: bool = False,
    theme: Theme = Theme.LIGHT,
    size: Size = 720,
) -> Response:
    """The position after `plies` moves, the last one by default."""
    past = past_position(await session.stored_room(), plies)
    arguments = past, kind.value, flip, theme.value, size
    return await client.send(Drawing(drawing.draw_past, arguments, MEDIA_TYPES[kind]))


@router.get(
    "/rooms/{room}/animation.gif", response_class=Response, responses=_file_responses("image/gif")
)
async def animation(
    session: SessionDependency,
    client: ClientDependency,
    flip: bool = False,
    theme: Theme = Theme.LIGHT,
) -> Response:
    """The whole game as an animation; of a very long one, its last part."""
    room = await session.stored_room()
    first = max(0, room.plies + 1 - drawing.MAX_GIF_FRAMES)
    actions = [(ply.action, ply.seat) for ply in room.match.history[first:]]
    arguments = past_position(room, first), actions, flip, theme.value
    return await client.send(
        Drawing(drawing.draw_animation, arguments, "image/gif", seconds=drawing.GIF_SECONDS)
    )


@router.post("/read")
async def read(
    pasted: PasteRequest, lobby: LobbyDependency, client: ClientDependency
) -> dict[str, Any]:
    """Recognises a pasted text: a position, a record, moves, or a link."""
    names = [pasted.game] if pasted.game else list(lobby.games.playable())
    candidates = [lobby.games.game(name, pasted.options if pasted.game else None) for name in names]
    return (await client.run(paste.recognise, pasted.text, candidates)).as_dict()


@router.get("/picture.{kind}", response_class=Response, responses=PICTURES)
async def any_picture(
    lobby: LobbyDependency,
    client: ClientDependency,
    kind: ImageFormat,
    game: GameName,
    position: Annotated[str, Query(max_length=MAX_POSITION_CHARS)] = "",
    option: Annotated[list[str], Query(max_length=MAX_OPTIONS)] = [],  # noqa: B006
    seed: Annotated[int, Query(**SEED_RANGE)] = 0,
    flip: bool = False,
    theme: Theme = Theme.LIGHT,
    size: Size = 720,
) -> Response:
    """Any position of a game; options as `option=pawns=4`, repeated for each."""
    configured = lobby.games.game(game, parse_assignments(option))
    arguments = configured, position, seed, kind.value, flip, theme.value, size
    return await client.send(
        Drawing(drawing.draw_position, arguments, MEDIA_TYPES[kind], pictures.UNCHANGING)
    )


@router.get("/scores")
async def scores(
    lobby: LobbyDependency,
    game: GameName,
    seed: Annotated[int | None, Query(**SEED_RANGE)] = None,
    date: Day = None,
    option: Annotated[list[str], Query(max_length=MAX_OPTIONS)] = [],  # noqa: B006
    count: Annotated[int, Query(ge=1, le=MAX_ROWS)] = 20,
) -> list[dict[str, Any]]:
    """The best scores of listed solo games with these options, of one seed or day or of all."""
    configured = game_named(game, **parse_assignments(option))
    if configured.seats != 1:
        return []
    options = configured.changed_options
    if date is not None:
        seed = lobby.daily.seed(game, lobby.daily.checked_day(date))
    results = await lobby.store.best_scores(game, seed, options, count)
    return [listings.score_fields(result, lobby.daily) for result in results]


@router.get("/daily")
def daily(lobby: LobbyDependency, date: Day = None) -> dict[str, Any]:
    """The present day, or another one with the seeds of its games, once it is over."""
    day = lobby.daily.today if date is None else lobby.daily.checked_day(date)
    is_over = day < lobby.daily.today
    seeds = {game: lobby.daily.seed(game, day) for game in lobby.games.playable()}
    return {"date": day, "seeds": seeds if is_over else None}


@router.get("/ratings")
async def ratings(
    lobby: LobbyDependency, client: ClientDependency, game: GameName
) -> list[dict[str, Any]]:
    """The ratings of a game's bots and of people with a name; assisted games do not count."""
    game_named(game)
    results = await lobby.store.recent_results(game, MAX_RATED_RESULTS)
    return await client.run(listings.ratings, results)
