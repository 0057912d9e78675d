"""The command `serve`: the games in the browser."""

from __future__ import annotations

import socket
import threading
import webbrowser
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer

from quincunx.errors import MissingExtra
from quincunx.terminal.console import fail, out

# How much one address may do; this machine itself may do two hundred times as much.
LIMITS = {"messages": 50.0, "requests": 20.0, "rooms": 0.5}


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

    listener = _listen(host, port)
    limits = Limits(messages, requests, rooms, sockets)
    app = create_app(database or place(data or data_home()), limits, [host, *(name or ())])
    shown = "localhost" if host in ("127.0.0.1", "0.0.0.0", "::1", "::") else host
    address = f"http://{shown}:{listener.getsockname()[1]}/"
    _allow_many_sockets()
    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        ws_max_size=1 << 20,
        ws_per_message_deflate=False,
        timeout_graceful_shutdown=2,
    )
    out.print(f"Quincunx is at [bold cyan]{address}[/] (Ctrl-C ends it)")
    if open_page:
        threading.Timer(1.0, webbrowser.open, (address,)).start()
    uvicorn.Server(config).run(sockets=[listener])


def _allow_many_sockets() -> None:
    """Asks the system for as many open files as it gives: every socket is one."""
    with suppress(ImportError, ValueError, OSError):
        import resource

        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def _listen(host: str, port: int) -> socket.socket:
    """The socket that the server listens on, or the end of the command with a plain reason."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
    except OSError as error:
        fail(f"{host}:{port}: {error.strerror}; another port: quincunx serve --port {port + 1}")
    return listener
