"""The command `serve`: the games in the browser."""

from __future__ import annotations

import asyncio
import os
import socket
import sys
import threading
import time
import webbrowser
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape

from quincunx.commands.console import fail, out
from quincunx.errors import MissingExtra

# How much one address may do; this machine itself may do two hundred times as much.
LIMITS = {"messages": 50.0, "requests": 20.0, "rooms": 0.5}
EVERYWHERE = ("0.0.0.0", "::")


def serve(
    port: Annotated[int, typer.Option(min=0, max=65535, metavar="NUMBER", help="0 = any.")] = 8200,
    host: Annotated[
        str,
        typer.Option(metavar="ADDRESS", help="0.0.0.0 lets the local network in."),
    ] = "127.0.0.1",
    open_page: Annotated[bool, typer.Option("--open/--no-open", help="Open a browser.")] = False,
    data: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Where games are kept; your data folder.")
    ] = None,
    database: Annotated[
        str | None,
        typer.Option(metavar="URL", help="Another database: postgresql+asyncpg://..."),
    ] = None,
    name: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="A name this server goes by; may be given again."),
    ] = None,
    messages: Annotated[
        float, typer.Option(min=1, metavar="NUMBER", help="Messages a second from an address.")
    ] = LIMITS["messages"],
    requests: Annotated[
        float, typer.Option(min=1, metavar="NUMBER", help="Requests a second from an address.")
    ] = LIMITS["requests"],
    rooms: Annotated[
        float, typer.Option(min=0.01, metavar="NUMBER", help="New rooms a second.")
    ] = LIMITS["rooms"],
    sockets: Annotated[
        int, typer.Option(min=1, metavar="NUMBER", help="Sockets of an address at a time.")
    ] = 32,
) -> None:
    """Play in the browser: against bots, with friends, on this machine or the local network."""
    try:
        import uvicorn

        from quincunx.web.app import create_app
        from quincunx.web.gate import Limits
        from quincunx.web.store import place
    except ImportError as error:
        raise MissingExtra("web", "the browser") from error
    from quincunx.machine import data_home

    url = database or place(data or data_home())
    _check_database(url, database or str(data or data_home()))
    listener = _listen(host, port)
    _allow_many_sockets()
    limits = Limits(messages, requests, rooms, sockets)
    config = uvicorn.Config(
        create_app(url, limits, [host, *(name or ())]),
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        ws_max_size=1 << 20,
        ws_per_message_deflate=False,
        timeout_graceful_shutdown=2,
    )
    _greet(host, listener.getsockname()[1], open_page)
    uvicorn.Server(config).run(sockets=[listener])


def _greet(host: str, port: int, open_page: bool) -> None:
    """Says where the games are, and opens a browser there."""
    here = "localhost" if host in ("127.0.0.1", "::1", *EVERYWHERE) else host
    address = f"http://[{here}]:{port}/" if ":" in here else f"http://{here}:{port}/"
    out.print(f"Quincunx is at [bold cyan]{escape(address)}[/] (Ctrl-C ends it)")
    if host in EVERYWHERE:
        out.print(f"From the local network: [bold cyan]http://{_own_address()}:{port}/[/]")
    if open_page and _has_screen():
        threading.Thread(target=_open, args=(address, here, port), daemon=True).start()


def _has_screen() -> bool:
    """True where a browser has a screen to open on, and would not take over the terminal."""
    shown = os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    return sys.platform in ("win32", "darwin") or bool(shown)


def _open(address: str, host: str, port: int) -> None:
    """Opens a browser as soon as the server answers."""
    for _ in range(300):
        with suppress(OSError), socket.create_connection((host, port), 1):
            webbrowser.open(address)
            return
        time.sleep(0.1)


def _own_address() -> str:
    """The address by which the local network knows this machine; nothing is sent to find it."""
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))  # an address kept for documentation
        return str(probe.getsockname()[0])
    return socket.gethostname()


def _check_database(url: str, shown: str) -> None:
    """Opens and closes the database, or ends the command with a plain reason."""
    from sqlalchemy.exc import SQLAlchemyError

    from quincunx.web.store import Store

    async def look() -> None:
        store = Store(url)
        try:
            await store.open()
        finally:
            await store.close()
            await asyncio.sleep(0.1)  # a connection that failed ends in a thread of its own

    try:
        asyncio.run(look())
    except ModuleNotFoundError as error:
        raise MissingExtra("scale", f"a database by {error.name}") from error
    except (SQLAlchemyError, OSError) as error:
        reason = str(getattr(error, "orig", None) or error).splitlines()[0]
        fail(f"--database {shown}: {reason}")


def _allow_many_sockets() -> None:
    """Asks the system for as many open files as it gives: every socket is one."""
    with suppress(ImportError, ValueError, OSError):
        import resource

        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def _listen(host: str, port: int) -> socket.socket:
    """The socket that the server listens on, or the end of the command with a plain reason."""
    listener = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
    except OSError as error:
        fail(f"{host}:{port}: {error.strerror}; another port: quincunx serve --port {port + 1}")
    return listener
