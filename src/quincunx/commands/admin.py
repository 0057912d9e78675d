"""The commands `admin ...`, by which an operator changes the database of a server."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterable, Iterator
from datetime import datetime, timezone
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from quincunx.commands.arguments import Command, Json
from quincunx.commands.console import err, fail, fail_usage, out, printable, without_password
from quincunx.errors import MissingExtra
from quincunx.phrases import quantity

if TYPE_CHECKING:
    from quincunx.web.database import Database

T = TypeVar("T")

DataDirectory = Annotated[
    Path | None,
    typer.Option(metavar="DIR", help="The data directory of the server. Default: yours."),
]
DatabaseUrl = Annotated[
    str | None, typer.Option(metavar="URL", help="The database of the server, if it is another.")
]
RoomIds = Annotated[list[str], typer.Argument(metavar="ROOM", help="The ids of rooms.")]
RoomId = Annotated[str, typer.Argument(metavar="ROOM", help="The id of a room.")]
NetworkArgument = Annotated[
    str,
    typer.Argument(metavar="ADDRESS[/PREFIX]", help="An address, or a network such as 2a00::/48."),
]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")]


class RoomState(str, Enum):
    """Which rooms are listed."""

    RUNNING = "running"
    FINISHED = "finished"
    ALL = "all"


class ExportFormat(str, Enum):
    """How rooms are exported."""

    QX = "qx"
    JSON = "json"


app = typer.Typer(
    help="Manage the rooms of a server, and ban addresses, while it is running or not.",
    no_args_is_help=True,
    add_completion=False,
)
rooms = typer.Typer(help="List, show, close, delete and export rooms.", no_args_is_help=True)
app.add_typer(rooms, name="rooms")


@rooms.command("list", cls=Command)
def list_rooms(
    game: Annotated[str, typer.Option(metavar="GAME", help="Only rooms of this game.")] = "",
    state: Annotated[RoomState, typer.Option(help="Only running or finished games.")] = (
        RoomState.ALL
    ),
    owner: Annotated[
        str, typer.Option(metavar="TEXT", help="Only rooms of this owner, as listed.")
    ] = "",
    count: Annotated[int, typer.Option(min=1, metavar="NUMBER", help="At most this many.")] = 50,
    data: DataDirectory = None,
    database: DatabaseUrl = None,
    as_json: Json = False,
) -> None:
    """List the newest rooms, those of the public list and all others."""
    from quincunx.web import admin

    finished = None if state is RoomState.ALL else state is RoomState.FINISHED
    found = _run(
        data, database, lambda opened: admin.list_rooms(opened, game, finished, owner, count)
    )
    if as_json:
        out.print_json(json.dumps(found))
        return
    rows = [
        (
            row["id"],
            row["game"],
            _date(row["created"]),
            "unreadable" if row["quarantine"] else "finished" if row["finished"] else "running",
            "yes" if row["listed"] else "no",
            str(row["events"]),
            row["owner"],
        )
        for row in found
    ]
    _print_table(("room", "game", "created", "state", "listed", "events", "owner"), rows)


@rooms.command("show", cls=Command)
def show_room(
    room: RoomId,
    data: DataDirectory = None,
    database: DatabaseUrl = None,
    as_json: Json = False,
) -> None:
    """Show all that is stored of a room, but not the secrets of its seats."""
    from quincunx.web import admin

    fields = _run(data, database, lambda opened: admin.show_room(opened, room))
    if as_json:
        out.print_json(json.dumps(fields))
        return
    for name, value in fields.items():
        if name != "events":
            out.print(f"{name:12} {_field_text(name, value)}".rstrip(), markup=False)
    rows = [
        (
            str(event["number"]),
            _date(event["time"]),
            event["kind"],
            "" if event["seat"] is None else str(event["seat"]),
            printable(event["text"]),
        )
        for event in fields["events"]
    ]
    _print_table(("event", "time", "kind", "seat", "text"), rows)


@rooms.command("close", cls=Command)
def close_rooms(
    room: RoomIds, yes: Yes = False, data: DataDirectory = None, database: DatabaseUrl = None
) -> None:
    """End running games without a result. They can still be looked at."""
    _perform("close", room, yes, data, database)


@rooms.command("delete", cls=Command)
def delete_rooms(
    room: RoomIds, yes: Yes = False, data: DataDirectory = None, database: DatabaseUrl = None
) -> None:
    """Delete rooms with their moves and results. Only a backup brings them back."""
    _perform("delete", room, yes, data, database)


@rooms.command("export", cls=Command)
def export_rooms(
    room: Annotated[
        list[str] | None, typer.Argument(metavar="ROOM", help="The ids. Default: all rooms.")
    ] = None,
    form: Annotated[
        ExportFormat,
        typer.Option("--format", help="Records of games, or a JSON object per line and room."),
    ] = ExportFormat.QX,
    data: DataDirectory = None,
    database: DatabaseUrl = None,
) -> None:
    """Print rooms as records or JSON lines. Rooms that cannot be read are named at the end."""
    from quincunx.rooms.errors import RequestError
    from quincunx.web import admin, export

    make_text = export.record_text if form is ExportFormat.QX else export.json_line
    failed: list[str] = []

    async def print_all(opened: Database) -> None:
        for room_id in room or await admin.room_ids(opened):
            try:
                print(await make_text(opened, room_id))
            except (RequestError, LookupError, ValueError) as error:
                failed.append(f"{room_id}: {error}")

    _run(data, database, print_all)
    for line in failed:
        err.print(printable(line), markup=False)
    if failed:
        fail(f"{len(failed)} of the rooms could not be exported")


@app.command(cls=Command)
def ban(
    address: NetworkArgument,
    days: Annotated[
        float | None, typer.Option(metavar="NUMBER", help="For how long. Default: for ever.")
    ] = None,
    data: DataDirectory = None,
    database: DatabaseUrl = None,
) -> None:
    """Ban an address or a network: a running server refuses its requests within seconds."""
    from quincunx.web import admin
    from quincunx.web.addresses import parse_network

    network = parse_network(address, "address")
    if days is not None and not days > 0:
        fail_usage(f"--days {days:g}: expected a positive number; `unban` ends a ban")
    _run(data, database, lambda opened: admin.ban(opened, network, days))
    out.print(
        f"{network} is banned" + (f" for {quantity(days, 'day')}" if days is not None else "")
    )


@app.command(cls=Command)
def unban(
    address: NetworkArgument, data: DataDirectory = None, database: DatabaseUrl = None
) -> None:
    """End the ban of an address or a network."""
    from quincunx.web import admin
    from quincunx.web.addresses import parse_network

    network = parse_network(address, "address")
    if not _run(data, database, lambda opened: admin.unban(opened, network)):
        fail(f"{network} is not banned; `quincunx admin bans` lists all bans")
    out.print(f"{network} is no longer banned")


@app.command(cls=Command)
def bans(data: DataDirectory = None, database: DatabaseUrl = None, as_json: Json = False) -> None:
    """List the banned addresses and networks."""
    from quincunx.web import admin

    found = _run(data, database, admin.bans)
    if as_json:
        out.print_json(json.dumps(found))
        return
    rows = [
        (row["network"], _date(row["created"]), _date(row["until"]) if row["until"] else "for ever")
        for row in found
    ]
    _print_table(("network", "since", "until"), rows)


def _perform(
    action: str, ids: list[str], yes: bool, data: Path | None, database: str | None
) -> None:
    """Closes or deletes rooms after a confirmation; goes on after one that fails."""
    from quincunx.rooms.errors import RequestError
    from quincunx.web import admin

    count = f"{len(ids)} rooms" if len(ids) > 1 else f"room {ids[0]}"
    if not yes and not typer.confirm(f"{action.capitalize()} {count}?", err=True):
        fail("nothing was changed")
    failed = []

    async def perform_all(opened: Database) -> None:
        for room_id in ids:
            try:
                await admin.perform(opened, action, room_id)
                out.print(f"{room_id}: {action}d", markup=False)
            except RequestError as error:
                names_room = room_id in error.text
                failed.append(error.text if names_room else f"{room_id}: {error.text}")

    _run(data, database, perform_all)
    if failed:
        fail("\n".join(failed))


def _run(data: Path | None, url: str | None, work: Callable[[Database], Awaitable[T]]) -> T:
    """Returns the result of work with the open database; exits with an error if that fails."""
    try:
        from sqlalchemy.exc import SQLAlchemyError

        from quincunx.web.database import Database, sqlite_url
        from quincunx.web.sqlite import FILE_NAME
        from quincunx.web.writer import UnusableDatabase
    except ImportError as error:
        raise MissingExtra("web", "the database of a server") from error
    from quincunx.machine import data_home
    from quincunx.rooms.errors import RequestError

    directory = data or data_home()
    if url is None and not (directory / FILE_NAME).exists():
        fail_usage(f"--data {directory}: there is no database; a server creates it")

    async def run() -> T:
        opened = Database(url or sqlite_url(directory))
        try:
            await opened.open()
            return await work(opened)
        finally:
            await opened.close()

    try:
        return asyncio.run(run())
    except ModuleNotFoundError as error:
        raise MissingExtra("scale", f"a database with {error.name}") from error
    except RequestError as error:
        fail(error.text)
    except (SQLAlchemyError, UnusableDatabase, OSError) as error:
        reason = str(getattr(error, "orig", None) or error).splitlines()[0]
        fail(f"--database {without_password(url or str(directory))}: {reason}")


def _field_text(name: str, value: object) -> str:
    """Returns the value of a field of a room, for people."""
    if name in ("created", "finished"):
        return _date(int(str(value))) if value else "no"
    if value is None or isinstance(value, bool):
        return {None: "none", True: "yes", False: "no"}[value]
    return printable(value if isinstance(value, str) else json.dumps(value))


def _date(ms: int) -> str:
    """Returns a time in UTC, to the second."""
    return datetime.fromtimestamp(ms / 1000, timezone.utc).strftime("%Y-%m-%d %H:%M:%S")


def _print_table(names: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> None:
    """Prints rows in columns as wide as they need to be."""
    lines = [names, *rows]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for cells in lines:
        out.print("  ".join(_padded(cells, widths)).rstrip(), markup=False)


def _padded(cells: tuple[str, ...], widths: list[int]) -> Iterator[Any]:
    return (cell.ljust(width) for cell, width in zip(cells, widths, strict=True))
