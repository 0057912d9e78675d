"""How uvicorn runs the application: all settings of connections in one place."""

from __future__ import annotations

from collections.abc import Callable
from socket import socket
from typing import Any

import uvicorn
from fastapi import FastAPI

from quincunx.web.connections import ConnectionGuard, Timeouts, guarded_protocol
from quincunx.web.fast_frames import websocket_class

MAX_MESSAGE_BYTES = 1 << 20  # of a WebSocket; longer ones close it
SHUTDOWN_SECONDS = 2  # for open requests, after which the server stops anyway


class Server(uvicorn.Server):
    """A server that announces itself when it accepts connections, and signals end it properly."""

    def __init__(self, config: uvicorn.Config, announce: Callable[[], None]) -> None:
        super().__init__(config)
        self._announce = announce

    async def startup(self, sockets: list[socket] | None = None) -> None:
        """Starts to accept connections."""
        await super().startup(sockets)
        if self.started:
            self._announce()


def server_config(
    app: FastAPI, timeouts: Timeouts | None = None, **settings: Any
) -> uvicorn.Config:
    """Returns the configuration of a server for an application that `create_app` returned.

    Further settings are uvicorn's.
    """
    times = timeouts or Timeouts()
    guard = ConnectionGuard(times, app.state.access.proxies.trusts)
    defaults: dict[str, Any] = {
        "http": guarded_protocol(guard),
        "ws": websocket_class(),
        "timeout_keep_alive": times.idle,
        "ws_ping_interval": times.ping,
        "ws_ping_timeout": times.pong,
        "ws_max_size": MAX_MESSAGE_BYTES,
        "ws_per_message_deflate": False,
        "timeout_graceful_shutdown": SHUTDOWN_SECONDS,
        # Whom proxies stand for, access logs and log formats are the application's matter.
        "proxy_headers": False,
        "access_log": False,
        "log_config": None,
        "server_header": False,
    }
    return uvicorn.Config(app, **{**defaults, **settings})
