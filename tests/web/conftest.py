"""A real server on this machine, in a thread.

The server's threads must not compile a game or build a route. Numba and FastAPI do that inside
`warnings.catch_warnings`, which changes the filters of all threads, and so does pytest around
every test: in two threads at once, a warning that one of them ignores becomes an error. Besides,
compilation can take longer than a client waits. So all of it is done in the thread of the tests.
"""

import asyncio
import importlib.util
import threading
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from types import SimpleNamespace

import pytest
import uvicorn

from quincunx.analysis import analyse
from quincunx.client import Client
from quincunx.match import is_human
from quincunx.players import player
from quincunx.registry import BUILT_IN
from quincunx.registry import game as game_named
from quincunx.warm import warm
from quincunx.web.app import create_app
from quincunx.web.database import sqlite_url
from quincunx.web.limits import Limits
from quincunx.web.server import server_config

NO_LIMITS = Limits(
    messages_per_second=1e5, requests_per_second=1e5, rooms_per_second=1e5, max_sockets=1000
)


class FakeClock:
    """A clock that moves only when a test advances it."""

    def __init__(self):
        self.ms = 1_700_000_000_000

    def now(self):
        return self.ms

    uptime = now

    async def sleep(self, seconds):
        await asyncio.sleep(seconds)

    def advance(self, seconds):
        self.ms += round(seconds * 1000)


@cache
def compile_rules(name):
    """Compiles the rules of a game."""
    for part in warm(game_named(name)):
        if part == "search":
            return


@cache
def compile_bot(text, game):
    """Compiles what a bot needs to choose a move."""
    state, bot = game.start(seed=0), player(text, game, seed=0)
    getattr(bot, "_inner", bot).choose(state, state.turn or 0)  # a level sometimes plays at random


@cache
def compile_analysis(game):
    """Compiles what the analysis of a game needs."""
    analyse(game.start(seed=0), 0.01)


class CompilingClient(Client):
    """A client that compiles the games that it names, and their bots, before the server does."""

    def request(self, path, body=None):
        _compile_named_games(path, body)
        return super().request(path, body)

    def send(self, kind, **fields):
        _compile_named_games(fields)
        super().send(kind, **fields)

    def create(self, game, players, **more):
        for text in players:
            if not is_human(text):
                compile_bot(text, game_named(game, **more.get("options", {})))
        return super().create(game, players, **more)


def _compile_named_games(*values):
    text = str(values)
    for name in BUILT_IN:
        if name in text:
            compile_rules(name)


@contextmanager
def running_server(data, limits=NO_LIMITS, url=None, timeouts=None, **options):
    """Runs a server with its database in a directory; gives `host`, `client()` and `app`."""
    app = create_app(url or sqlite_url(data), limits, compile_first=False, **options)
    app.openapi()  # builds the routes, which FastAPI otherwise does in the first request
    server = uvicorn.Server(server_config(app, timeouts, port=0))
    ready = threading.Event()
    startup = server.startup

    async def started(*args, **kwargs):
        await startup(*args, **kwargs)
        ready.set()

    server.startup = started
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    try:
        assert ready.wait(60)
        port = server.servers[0].sockets[0].getsockname()[1]
        host = f"127.0.0.1:{port}"
        yield SimpleNamespace(host=host, app=app, client=lambda: CompilingClient(host))
    finally:
        server.should_exit = True
        thread.join(60)
    assert not thread.is_alive(), "the server did not stop"


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


@pytest.fixture(scope="module")
def postgres():
    """A temporary PostgreSQL server on loopback."""
    pytest.importorskip("asyncpg", reason="asyncpg is not installed")
    path = Path(__file__).parents[2] / "benchmarks" / "postgres_server.py"
    spec = importlib.util.spec_from_file_location("benchmarks_postgres_server", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    if module.programs() is None:
        pytest.skip("PostgreSQL is not installed, or this user may not start it")
    with module.PostgresServer() as running:
        yield running
