"""A real server on this machine, in a thread."""

import threading
from contextlib import contextmanager
from types import SimpleNamespace

import pytest
import uvicorn

from quincunx.client import Client
from quincunx.web.app import create_app
from quincunx.web.database import sqlite_url
from quincunx.web.limits import Limits

NO_LIMITS = Limits(
    messages_per_second=1e5, requests_per_second=1e5, rooms_per_second=1e5, max_sockets=1000
)


class FakeClock:
    """A clock that moves only when a test advances it."""

    def __init__(self):
        self.ms = 1_700_000_000_000

    def __call__(self):
        return self.ms

    def advance(self, seconds):
        self.ms += round(seconds * 1000)


@contextmanager
def running_server(data, limits=NO_LIMITS, url=None, **options):
    """Runs a server with its database in a directory; gives `host`, `client()` and `app`."""
    app = create_app(url or sqlite_url(data), limits, compile_first=False, **options)
    config = uvicorn.Config(
        app, port=0, log_level="error", ws_max_size=1 << 20, timeout_graceful_shutdown=1
    )
    server = uvicorn.Server(config)
    ready = threading.Event()
    startup = server.startup

    async def started(*args, **kwargs):
        await startup(*args, **kwargs)
        ready.set()

    server.startup = started
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        assert ready.wait(60)
        port = server.servers[0].sockets[0].getsockname()[1]
        host = f"127.0.0.1:{port}"
        yield SimpleNamespace(host=host, app=app, client=lambda: Client(host))
    finally:
        server.should_exit = True
        thread.join(60)


@pytest.fixture(scope="session")
def server(tmp_path_factory):
    with running_server(tmp_path_factory.mktemp("server")) as running:
        yield running


@pytest.fixture
def client(server):
    with server.client() as connected:
        yield connected


@pytest.fixture
def other(server):
    with server.client() as connected:
        yield connected
