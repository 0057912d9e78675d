"""A real server on this machine, in a thread of its own."""

import threading
from contextlib import contextmanager
from types import SimpleNamespace

import pytest
import uvicorn

from quincunx.client import Client
from quincunx.web.app import create_app
from quincunx.web.gate import Limits
from quincunx.web.store import place

PLENTY = Limits(messages=1e5, requests=1e5, rooms=1e5, sockets=1000)


class FakeClock:
    """A clock that stands still until it is told to go on."""

    def __init__(self):
        self.time = 1_700_000_000_000

    def __call__(self):
        return self.time

    def pass_by(self, seconds):
        self.time += round(seconds * 1000)


@contextmanager
def running(data, limits=PLENTY, url=None, **settings):
    """A server over a folder: `host`, `client()`, and the application itself."""
    app = create_app(url or place(data), limits, compile_first=False, **settings)
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
    with running(tmp_path_factory.mktemp("server")) as found:
        yield found


@pytest.fixture
def client(server):
    with server.client() as found:
        yield found


@pytest.fixture
def other(server):
    with server.client() as found:
        yield found
