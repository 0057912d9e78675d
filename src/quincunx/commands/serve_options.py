"""The options of the command `serve`, grouped as its help shows them."""

from __future__ import annotations

from enum import Enum
from pathlib import Path
from typing import Annotated

import typer


class LogFormat(str, Enum):
    """How logs are written."""

    TEXT = "text"
    JSON = "json"


NETWORK, DATA, LIMITS, OPERATION = "Network", "Games", "Limits per address", "Operation"

Port = Annotated[
    int,
    typer.Option(
        min=0,
        max=65535,
        metavar="NUMBER",
        help="Listen on this port; 0 picks a free one.",
        rich_help_panel=NETWORK,
    ),
]
Host = Annotated[
    str,
    typer.Option(
        metavar="ADDRESS",
        help="Listen on this address; 0.0.0.0 admits the local network.",
        rich_help_panel=NETWORK,
    ),
]
OpenPage = Annotated[
    bool,
    typer.Option("--open/--no-open", help="Open the page in a browser.", rich_help_panel=NETWORK),
]
HostNames = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAME",
        help="Allow this host name, or a whole domain such as '*.local'. May be repeated.",
        rich_help_panel=NETWORK,
    ),
]
Proxies = Annotated[
    list[str] | None,
    typer.Option(
        metavar="ADDRESS[/PREFIX]",
        help="Trust the X-Forwarded headers of this proxy. May be repeated.",
        rich_help_panel=NETWORK,
    ),
]
RootPathOption = Annotated[
    str,
    typer.Option(
        metavar="PATH",
        help="Serve under this path of a proxy, such as /play.",
        rich_help_panel=NETWORK,
    ),
]
DataDirectory = Annotated[
    Path | None,
    typer.Option(
        metavar="DIR",
        help="Store games in this directory. Default: your data directory.",
        rich_help_panel=DATA,
    ),
]
DatabaseUrl = Annotated[
    str | None,
    typer.Option(
        metavar="URL",
        help="Use another database, such as postgresql+asyncpg://...",
        rich_help_panel=DATA,
    ),
]
MessageRate = Annotated[
    float,
    typer.Option(min=1, metavar="NUMBER", help="Messages per second.", rich_help_panel=LIMITS),
]
RequestRate = Annotated[
    float,
    typer.Option(min=1, metavar="NUMBER", help="Requests per second.", rich_help_panel=LIMITS),
]
RoomRate = Annotated[
    float,
    typer.Option(min=0.01, metavar="NUMBER", help="New rooms per second.", rich_help_panel=LIMITS),
]
DailyRooms = Annotated[
    int, typer.Option(min=1, metavar="NUMBER", help="New rooms per day.", rich_help_panel=LIMITS)
]
SocketLimit = Annotated[
    int, typer.Option(min=1, metavar="NUMBER", help="Open sockets.", rich_help_panel=LIMITS)
]
LogFormatOption = Annotated[
    LogFormat,
    typer.Option(
        help="Write logs as text, or as a JSON object per line.", rich_help_panel=OPERATION
    ),
]
AccessLog = Annotated[
    bool,
    typer.Option(
        "--access-log", help="Log every request, with its address.", rich_help_panel=OPERATION
    ),
]
MetricsPort = Annotated[
    int | None,
    typer.Option(
        min=0,
        max=65535,
        metavar="NUMBER",
        help="Serve /metrics for Prometheus on this port. Default: nowhere.",
        rich_help_panel=OPERATION,
    ),
]
MetricsHost = Annotated[
    str,
    typer.Option(
        metavar="ADDRESS",
        help="Listen on this address for Prometheus.",
        rich_help_panel=OPERATION,
    ),
]
KeepDays = Annotated[
    int | None,
    typer.Option(
        min=1,
        metavar="NUMBER",
        help="Delete a room this number of days after its last event.",
        rich_help_panel=DATA,
    ),
]
BackupFile = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="Write a copy of the database to a file, and exit.",
        rich_help_panel=DATA,
    ),
]
Force = Annotated[
    bool, typer.Option("--force", help="With --backup: replace the file.", rich_help_panel=DATA)
]
CheckOnly = Annotated[
    bool,
    typer.Option(
        "--check", help="Check the database and all games in it, and exit.", rich_help_panel=DATA
    ),
]
