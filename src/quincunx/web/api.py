"""The HTTP API: games, rooms, records, pictures, texts that are pasted, scores and ratings."""

from __future__ import annotations

from datetime import datetime, timezone
from enum import Enum
from functools import partial
from hashlib import blake2b
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Path, Query, Request
from fastapi.responses import Response
from pydantic import BaseModel, ConfigDict, Field

from quincunx.draw import palette, picture
from quincunx.draw.image import gif
from quincunx.game import Game, State
from quincunx.options import Option, parse_assignments
from quincunx.players.level import LEVEL_NAMES
from quincunx.registry import GAMES
from quincunx.registry import game as game_named
from quincunx.web import lists, pasted
from quincunx.web.gate import Gate, address_of
from quincunx.web.hall import INCREMENT, MINUTES, PACE, Hall
from quincunx.web.store import options_text
from quincunx.web.study import position_of
from quincunx.web.table import Table, Viewer
from quincunx.web.wire import LONGEST_TEXT, MOST_MOVES, MOST_NUMBER

MOST_FRAMES = 300  # of a GIF
MOST_ROWS = 50
MOST_RESULTS = 5000  # that ratings are made of

# Bots besides the eight levels that a page offers.
BOTS = {"random": "plays any legal move", "smart:difficulty=50": "looks at 50 random moves"}

SEED = {"ge": -(2**63), "lt": 2**63}
Text = Annotated[str, Field(max_length=LONGEST_TEXT)]


class Clock(BaseModel):
    """How much time each seat has: minutes at first, and seconds more for each move."""

    minutes: Annotated[float, Field(ge=MINUTES[0], le=MINUTES[1])]
    increment: Annotated[float, Field(ge=INCREMENT[0], le=INCREMENT[1])] = 0


class NewRoom(BaseModel):
    """A room to be made."""

    model_config = ConfigDict(extra="forbid")

    game: Annotated[str, Field(max_length=32)]
    options: Annotated[dict[str, str | int | float | bool], Field(max_length=32)] = {}
    players: Annotated[list[Annotated[str, Field(max_length=100)]], Field(max_length=16)]
    seed: Annotated[int | None, Field(**SEED)] = None
    start: Text = ""
    moves: Annotated[list[Annotated[str, Field(max_length=64)]], Field(max_length=MOST_MOVES)] = []
    clock: Clock | None = None
    pace: Annotated[float, Field(ge=PACE[0], le=PACE[1])] = 2.0
    listed: bool = False


class Made(BaseModel):
    """A room that was made, and the secrets of its human seats."""

    id: str
    secrets: dict[str, str]


class Pasted(BaseModel):
    """A text to be understood."""

    model_config = ConfigDict(extra="forbid")

    text: Annotated[str, Field(max_length=200_000)]
    game: Annotated[str | None, Field(max_length=32)] = None
    options: Annotated[dict[str, str | int | float | bool], Field(max_length=32)] = {}


class Problem(BaseModel):
    """Why a request was refused: a stable word, a sentence, and the field it is about."""

    error: str
    text: str
    where: str


class Running(str, Enum):
    """Which rooms are listed."""

    RUNNING = "running"
    FINISHED = "finished"


class Kind(str, Enum):
    """How a picture is drawn."""

    SVG = "svg"
    PNG = "png"


class Theme(str, Enum):
    """The colours of a picture."""

    LIGHT = "light"
    DARK = "dark"
    CONTRAST = "contrast"
    AUTO = "auto"


PROBLEMS = (400, 403, 404, 413, 422, 429, 503)
router = APIRouter(prefix="/api", responses={code: {"model": Problem} for code in PROBLEMS})


def _files(*kinds: str) -> dict[int | str, dict[str, Any]]:
    """What the schema says of an answer that is a file."""
    return {200: {"content": {kind: {"schema": {"type": "string"}} for kind in kinds}}}


PICTURES = _files("image/svg+xml", "image/png")
RoomId = Annotated[str, Path(max_length=32)]
Plies = Annotated[int | None, Query(ge=0, le=MOST_NUMBER)]
Size = Annotated[int, Query(ge=16, le=2000)]
GameName = Annotated[str, Query(max_length=32)]


def _hall(request: Request) -> Hall:
    hall: Hall = request.app.state.hall
    return hall


TheHall = Annotated[Hall, Depends(_hall)]


async def _room(room: RoomId, hall: TheHall) -> Table:
    return await hall.table(room)


TheTable = Annotated[Table, Depends(_room)]


@router.get("/games")
def games() -> list[dict[str, Any]]:
    """All games, with what is needed to offer them: options, levels, controls."""
    return [about(game_named(name)) for name in GAMES]


@router.get("/games/{game}/learn")
def learn(game: Annotated[str, Path(max_length=32)]) -> dict[str, Any]:
    """The page of a game with examples that can be played."""
    from quincunx.web.learn import lesson

    return lesson(game_named(game))


@router.post("/rooms", status_code=201)
async def new_room(asked: NewRoom, hall: TheHall, request: Request) -> Made:
    """Makes a room; the secrets of all human seats are its maker's to give away."""
    gate: Gate = request.app.state.gate
    gate.new_room(address_of(request.scope))
    clock = (asked.clock.minutes, asked.clock.increment) if asked.clock else None
    given = asked.model_dump(exclude={"clock", "game", "options", "players"})
    table, secrets = await hall.make(asked.game, asked.options, asked.players, clock=clock, **given)
    made = {str(seat): secret for seat, secret in secrets.items()}
    return Made(id=table.room.card.id, secrets=made)


@router.get("/rooms")
async def rooms(
    hall: TheHall,
    state: Running | None = None,
    game: GameName = "",
    before: Plies = None,
    count: Annotated[int, Query(ge=1, le=MOST_ROWS)] = 20,
) -> list[dict[str, Any]]:
    """The listed rooms, the newest first; `before` is the `created` of the last one seen."""
    if game:
        game_named(game)
    finished = None if state is None else state is Running.FINISHED
    found = await hall.store.rooms(finished, game, before, count)
    return [lists.row(await hall.table(room)) for room, name in found if hall.ready(name)]


@router.get("/rooms/{room}")
async def room(table: TheTable) -> dict[str, Any]:
    """A room as a spectator sees it."""
    async with table.alone():
        return table.snapshot(Viewer())


@router.get("/rooms/{room}/record.qx", response_class=Response, responses=_files("text/plain"))
async def record(table: TheTable) -> Response:
    """The game as a record; of a running game with chance, the position it has reached."""
    name = f"{table.room.card.game}-{table.room.card.id}.qx"
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return Response(table.room.record.text, media_type="text/plain", headers=headers)


@router.get("/rooms/{room}/picture.{kind}", response_class=Response, responses=PICTURES)
async def room_picture(
    table: TheTable,
    hall: TheHall,
    kind: Kind,
    plies: Plies = None,
    flip: bool = False,
    theme: Theme = Theme.LIGHT,
    size: Size = 720,
) -> Response:
    """The position after so many plies, or the last one."""
    return await _drawn(hall, position_of(table.room, plies), kind, flip, theme, size)


@router.get("/rooms/{room}/animation.gif", response_class=Response, responses=_files("image/gif"))
async def animation(
    table: TheTable, hall: TheHall, flip: bool = False, theme: Theme = Theme.LIGHT
) -> Response:
    """The whole game as a moving picture; of a very long one, its last part."""
    from quincunx.draw.scene import ViewOptions

    states = table.room.match.states[-MOST_FRAMES:]
    colours = "light" if theme is Theme.AUTO else theme.value

    def work() -> bytes:
        scenes = [state.scene(ViewOptions(flip=flip)) for state in states]
        seconds = [0.8] * (len(scenes) - 1) + [2.5]
        return gif(scenes, seconds=seconds, size=400, theme=colours)

    return Response(await hall.crew.think(work), media_type="image/gif")


@router.post("/read")
async def read(asked: Pasted, hall: TheHall) -> dict[str, Any]:
    """What a pasted text is: a position, a record, moves, or a link."""
    names = [asked.game] if asked.game else list(GAMES)
    tried = [hall.game(name, asked.options if asked.game else None) for name in names]
    found = await hall.crew.do(partial(pasted.read, asked.text, tried))
    return found.as_dict()


@router.get("/picture.{kind}", response_class=Response, responses=PICTURES)
async def any_picture(
    hall: TheHall,
    kind: Kind,
    game: GameName,
    position: Annotated[str, Query(max_length=LONGEST_TEXT)] = "",
    option: Annotated[list[str], Query(max_length=32)] = [],  # noqa: B006
    seed: Annotated[int, Query(**SEED)] = 0,
    flip: bool = False,
    theme: Theme = Theme.LIGHT,
    size: Size = 720,
) -> Response:
    """Any position of a game; options as `option=pawns=4`, again for each."""
    configured = hall.game(game, parse_assignments(option))
    state = configured.read(position, seed) if position else configured.start(seed)
    return await _drawn(hall, state, kind, flip, theme, size)


@router.get("/scores")
async def scores(
    hall: TheHall,
    game: GameName,
    seed: Annotated[int | None, Query(**SEED)] = None,
    option: Annotated[list[str], Query(max_length=32)] = [],  # noqa: B006
    count: Annotated[int, Query(ge=1, le=MOST_ROWS)] = 20,
) -> list[dict[str, Any]]:
    """The best scores of listed solo games with these options, of one seed or of all."""
    configured = game_named(game, **parse_assignments(option))
    if configured.seats != 1:
        return []
    options = options_text(configured.changed_options)
    return [lists.score(one) for one in await hall.store.scores(game, seed, options, count)]


@router.get("/daily")
def daily() -> dict[str, Any]:
    """The seed of the day, the same for everybody everywhere."""
    today = datetime.now(timezone.utc).date().isoformat()
    digest = blake2b(f"quincunx {today}".encode(), digest_size=4).digest()
    return {"date": today, "seed": int.from_bytes(digest, "big") >> 1}


@router.get("/ratings")
async def ratings(hall: TheHall, game: GameName) -> list[dict[str, Any]]:
    """How the bots of a game did on this server, people counted as one player."""
    game_named(game)
    results = await hall.store.results(game, MOST_RESULTS)
    return await hall.crew.do(partial(lists.ratings, results))


async def _drawn(
    hall: Hall, state: State, kind: Kind, flip: bool, theme: Theme, size: int
) -> Response:
    """A position as a file."""
    colours = "light" if kind is Kind.PNG and theme is Theme.AUTO else theme.value
    work = partial(picture, state, kind.value, flip=flip, theme=colours, size=size)
    media = "image/svg+xml" if kind is Kind.SVG else "image/png"
    return Response(await hall.crew.do(work), media_type=media)


def about(game: Game) -> dict[str, Any]:
    """What a page needs to offer a game."""
    rules, names = game.parts.rules, game.parts.rules.SEAT_NAMES
    seats = next((o for o in rules.OPTIONS if o.name == "players"), None)
    least, most = (int(seats.low), int(seats.high)) if seats else (game.seats, game.seats)
    levels = [
        {"text": f"level:{number}", "title": name} for number, name in enumerate(LEVEL_NAMES, 1)
    ]
    return {
        "name": game.name,
        "title": game.title,
        "sentence": GAMES[game.name].summary,
        "seats": {"least": least, "most": most},
        "solo": least == 1,
        "options": [_option(option) for option in rules.OPTIONS],
        "levels": levels,
        "bots": [{"text": text, "title": title} for text, title in BOTS.items()],
        "seat_names": list(names),
        "colours": [name.lower() if name.lower() in palette.PIECES else "" for name in names],
        "letters": rules.LETTERS,
        "controls": game.parts.layout.CONTROLS.as_dict(),
    }


def _option(option: Option) -> dict[str, Any]:
    kind = "choice" if option.choices else type(option.default).__name__
    told: dict[str, Any] = {
        "name": option.name,
        "kind": kind,
        "default": option.default,
        "about": option.description,
    }
    if option.choices:
        told["choices"] = list(option.choices)
    elif kind != "bool":
        told |= {"low": option.low, "high": option.high, "also": list(option.extra_values)}
    return told
