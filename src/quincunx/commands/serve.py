"""The command `serve`, which runs the web server."""

from __future__ import annotations

import asyncio
import gc
import os
import re
import socket
import sqlite3
import sys
import threading
import webbrowser
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from pathlib import Path

from rich.markup import escape

from quincunx.commands.console import fail, fail_usage, out, without_password
from quincunx.commands.serve_options import (
    AccessLog,
    BackupFile,
    CheckOnly,
    DailyRooms,
    DatabaseUrl,
    DataDirectory,
    Force,
    Host,
    HostNames,
    KeepDays,
    LogFormat,
    LogFormatOption,
    MessageRate,
    MetricsHost,
    MetricsPort,
    OpenPage,
    Port,
    Proxies,
    RequestRate,
    RoomRate,
    RootPathOption,
    SocketLimit,
)
from quincunx.errors import MissingExtra

# Per second and client address; this machine itself may do two hundred times as much.
RATE_LIMITS = {"messages": 50.0, "requests": 20.0, "rooms": 0.5}
# Created and not deleted until the garbage collector runs, while the server starts: nearly all that
# is created then stays, and looking through it took a sixth of the time.
STARTING_OBJECTS = 100_000
# Without scheme, port and path, which would never equal the name in a request.
HOST_NAME = re.compile(r"(\*\.)?[^\s/:*]+")
ALL_INTERFACES = ("0.0.0.0", "::")


def serve(
    port: Port = 8200,
    host: Host = "127.0.0.1",
    open_page: OpenPage = False,
    name: HostNames = None,
    proxy: Proxies = None,
    root_path: RootPathOption = "",
    data: DataDirectory = None,
    database: DatabaseUrl = None,
    messages: MessageRate = RATE_LIMITS["messages"],
    requests: RequestRate = RATE_LIMITS["requests"],
    rooms: RoomRate = RATE_LIMITS["rooms"],
    rooms_per_day: DailyRooms = 1000,
    sockets: SocketLimit = 32,
    keep_days: KeepDays = None,
    backup: BackupFile = None,
    force: Force = False,
    check: CheckOnly = False,
    log_format: LogFormatOption = LogFormat.TEXT,
    access_log: AccessLog = False,
    metrics_port: MetricsPort = None,
    metrics_host: MetricsHost = "127.0.0.1",
) -> None:
    """Serve the games to browsers: play against bots or friends, here or on the local network."""
    gc.set_threshold(STARTING_OBJECTS)  # the games set another one when they are loaded
    try:
        from quincunx.web import logs
        from quincunx.web.app import Site, create_app
        from quincunx.web.database import sqlite_url
        from quincunx.web.limits import Limits
        from quincunx.web.server import Server, server_config
    except ImportError as error:
        raise MissingExtra("web", "the web server") from error
    from quincunx.machine import data_home

    for wrong in (each for each in name or () if not HOST_NAME.fullmatch(each)):
        fail_usage(f"--name {wrong}: expected a host name alone, such as games.example.org")
    site = Site((host, *(name or ())), tuple(proxy or ()), root_path)
    url = database or sqlite_url(data or data_home())
    if backup or check:
        _maintain(url, backup, force, check)
        return
    metrics = None if metrics_port is None else _listen(metrics_host, metrics_port, "metrics-port")
    limits = Limits(
        messages_per_second=messages,
        requests_per_second=requests,
        rooms_per_second=rooms,
        rooms_per_day=rooms_per_day,
        max_sockets=sockets,
    )
    app = create_app(url, limits, site, metrics_listener=metrics, keep_days=keep_days)
    logs.configure(log_format.value, access_log)
    with _only_server(url, database or str(data or data_home())):
        listener = _listen(host, port, "port")
        _raise_open_file_limit()
        announce = partial(_print_address, host, listener.getsockname()[1], root_path, open_page)
        Server(server_config(app), announce).run(sockets=[listener])


def _maintain(url: str, backup: Path | None, force: bool, check: bool) -> None:
    """Backs up or checks the database instead of serving it."""
    from quincunx.commands import database

    if backup:
        database.back_up(url, backup, force)
    if check:
        database.check(url)


def _print_address(host: str, port: int, root_path: str, open_page: bool) -> None:
    """Prints the address of the server, and opens it in a browser if wanted."""
    local_host = "localhost" if host in ("127.0.0.1", "::1", *ALL_INTERFACES) else host
    name = f"[{local_host}]" if ":" in local_host else local_host
    address = f"http://{name}:{port}{root_path.rstrip('/')}/"
    out.print(f"Quincunx is running at [bold cyan]{escape(address)}[/] (press Ctrl-C to stop)")
    if host in ALL_INTERFACES:
        out.print(f"From the local network: [bold cyan]http://{_own_address()}:{port}/[/]")
    if open_page and _has_display():
        threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()


def _has_display() -> bool:
    """Returns True if a browser would open a window and not take over the terminal."""
    display = os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    return sys.platform in ("win32", "darwin") or bool(display)


def _own_address() -> str:
    """Returns the address of this machine in the local network; sends nothing to find it."""
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))  # an address reserved for documentation
        return str(probe.getsockname()[0])
    return socket.gethostname()


@contextmanager
def _only_server(url: str, name: str) -> Iterator[None]:
    """Checks that the database can be used, and keeps other servers from using it.

    Exits with an error if one does.
    """
    from sqlalchemy.exc import ArgumentError

    from quincunx.web.database import UnusableDatabase
    from quincunx.web.server_lock import server_lock

    with ExitStack() as stack:
        try:
            stack.enter_context(server_lock(url))
        except (UnusableDatabase, ArgumentError, sqlite3.Error) as error:
            fail(f"--database {without_password(name)}: {error}")
        _check_database(url, name)
        yield


def _check_database(url: str, name: str) -> None:
    """Opens and closes the database; exits with an error if that fails."""
    from sqlalchemy.exc import SQLAlchemyError

    from quincunx.web.database import Database, UnusableDatabase

    async def open_and_close() -> None:
        database = Database(url)
        try:
            await database.open()
        except BaseException:
            await database.close()
            await asyncio.sleep(0.1)  # a failed connection is closed in another thread
            raise
        await database.close()

    try:
        asyncio.run(open_and_close())
    except ModuleNotFoundError as error:
        raise MissingExtra("scale", f"a database with {error.name}") from error
    except (SQLAlchemyError, UnusableDatabase, OSError) as error:
        reason = str(getattr(error, "orig", None) or error).splitlines()[0]
        fail(f"--database {without_password(name)}: {reason}")


def _raise_open_file_limit() -> None:
    """Raises the limit of open files to the maximum, since every socket counts as one."""
    with suppress(ImportError, ValueError, OSError):
        import resource

        _, hard_limit = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard_limit, hard_limit))


def _listen(host: str, port: int, option: str) -> socket.socket:
    """Returns the socket that the server listens on; exits with an error if it is not available."""
    listener = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
    except OSError as error:
        other = f"quincunx serve --{option} {port + 1}"
        fail(f"{host}:{port}: {error.strerror}; for another port: {other}")
    return listener
