"""Slow and half-open connections: each is closed, while an ordinary client is served.

Times are short, and the tests wait for the end of the connection, not for a time.
"""

import asyncio
import base64
import os
import select
import socket
from urllib.request import urlopen

import pytest
from fastapi.responses import Response

from quincunx.web import connections
from quincunx.web.connections import ConnectionGuard, Timeouts
from tests.web.conftest import running_server

SHORT = Timeouts(headers=0.4, body=0.4, idle=0.4, write=0.4, close=0.2, ping=0.2, pong=0.2)
# Everything but one time-out is far away, so that only that one can close the connection.
LONG = 600.0
HOST = b"Host: localhost\r\n"
WAIT_SECONDS = 60


def timeouts(**short):
    names = ("headers", "body", "idle", "write", "close", "ping", "pong")
    return Timeouts(**{**dict.fromkeys(names, LONG), "close": 0.2, **short})


def connect(server, receive_buffer=None):
    """Returns a connection to a server, with a small buffer of what it has not read if wanted."""
    connection = socket.socket()
    if receive_buffer:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
    connection.settimeout(WAIT_SECONDS)
    host, _, port = server.host.partition(":")
    connection.connect((host, int(port)))
    return connection


def read_to_end(connection):
    """Returns all that a server sends until it closes the connection."""
    received = b""
    try:
        while chunk := connection.recv(65536):
            received += chunk
    except ConnectionError:
        pass
    return received


def send_slowly(connection, chunk):
    """Sends a chunk again and again, until the server closes the connection."""
    connection.settimeout(0.05)
    for _ in range(WAIT_SECONDS * 20):
        try:
            connection.sendall(chunk)
            if not connection.recv(1):
                return
        except TimeoutError:
            continue
        except ConnectionError:
            return
    pytest.fail("the server did not close the connection")


def handshake(connection):
    key = base64.b64encode(os.urandom(16))
    connection.sendall(
        b"GET /socket HTTP/1.1\r\n" + HOST + b"Connection: Upgrade\r\nUpgrade: websocket\r\n"
        b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: " + key + b"\r\n\r\n"
    )
    response = b""
    while b"\r\n\r\n" not in response:
        response += connection.recv(1)
    assert response.startswith(b"HTTP/1.1 101")


def test_headers_that_come_one_byte_at_a_time(tmp_path):
    with running_server(tmp_path, timeouts=timeouts(headers=0.4)) as server:
        with connect(server) as connection:
            connection.sendall(b"GET / HTTP/1.1\r\nX: ")
            send_slowly(connection, b"x")
        with urlopen(f"http://{server.host}/healthz") as response:
            assert response.status == 200


def test_a_connection_that_says_nothing(tmp_path):
    """As a WebSocket that never sends its handshake."""
    with running_server(tmp_path, timeouts=timeouts(headers=0.4)) as server, connect(server) as c:
        assert read_to_end(c) == b""


def test_a_handshake_that_is_not_finished(tmp_path):
    with running_server(tmp_path, timeouts=timeouts(headers=0.4)) as server, connect(server) as c:
        c.sendall(b"GET /socket HTTP/1.1\r\n" + HOST + b"Upgrade: websocket\r\n")
        assert read_to_end(c) == b""


def test_half_a_body(tmp_path):
    with running_server(tmp_path, timeouts=timeouts(body=0.4)) as server, connect(server) as c:
        head = b"Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n"
        c.sendall(b"POST /api/read HTTP/1.1\r\n" + HOST + head + b'{"text": ')
        send_slowly(c, b" ")


def test_the_rest_of_a_body_that_is_too_large(tmp_path):
    """It is answered at once, and the client must not go on for ever."""
    with running_server(tmp_path, timeouts=timeouts(body=0.4)) as server, connect(server) as c:
        c.sendall(b"POST /api/read HTTP/1.1\r\n" + HOST + b"Content-Length: 100000000\r\n\r\n")
        c.sendall(b" " * 300_000)
        assert c.recv(12) == b"HTTP/1.1 413"
        send_slowly(c, b" " * 100)


@pytest.mark.parametrize("between", [b"", b"\r\n"])
def test_an_idle_connection_after_a_request(tmp_path, between):
    times = timeouts(idle=0.4, headers=0.4)
    with running_server(tmp_path, timeouts=times) as server, connect(server) as c:
        c.sendall(b"GET /healthz HTTP/1.1\r\n" + HOST + b"\r\n")
        assert c.recv(12) == b"HTTP/1.1 200"
        c.sendall(between)
        assert b"alive" in read_to_end(c)


def big_response():
    return Response(b"x" * 30_000_000)


def wait_for_end(connection):
    """Returns when the server has ended a connection of which nothing is read."""
    ended = select.poll()
    ended.register(connection, 0)  # its errors only
    assert ended.poll(WAIT_SECONDS * 1000)


def test_a_response_that_nobody_reads(tmp_path):
    with running_server(tmp_path, timeouts=timeouts(write=0.4)) as server:
        server.app.add_api_route("/big", big_response)
        with connect(server, receive_buffer=4096) as connection:
            connection.sendall(b"GET /big HTTP/1.1\r\n" + HOST + b"\r\n")
            wait_for_end(connection)


def test_a_connection_is_closed_although_its_response_is_not_read(tmp_path):
    with running_server(tmp_path, timeouts=timeouts(idle=0.4)) as server:
        server.app.add_api_route("/big", big_response)
        with connect(server, receive_buffer=4096) as connection:
            connection.sendall(b"GET /big HTTP/1.0\r\n" + HOST + b"\r\n")
            wait_for_end(connection)


def test_requests_that_do_not_wait_for_responses(tmp_path, caplog):
    with running_server(tmp_path) as server, connect(server) as connection:
        connection.sendall((b"GET /healthz HTTP/1.1\r\n" + HOST + b"\r\n") * 1000)
        assert read_to_end(connection).count(b"HTTP/1.1") <= 1
    assert not caplog.records


@pytest.mark.heavy
def test_a_websocket_that_does_not_answer_pings(tmp_path):
    times = timeouts(ping=0.2, pong=0.2)
    with running_server(tmp_path, timeouts=times) as server, connect(server) as connection:
        handshake(connection)
        received = read_to_end(connection)
    assert received.startswith(b"\x89")  # a ping


@pytest.mark.heavy
def test_a_websocket_that_answers_pings_stays_open(tmp_path):
    with running_server(tmp_path, timeouts=SHORT) as server, server.client() as client:
        client.ask("ping")
        for _ in range(8):
            with connect(server) as silent:
                assert read_to_end(silent) == b""
        client.ask("ping")


def test_headers_without_end(tmp_path):
    with running_server(tmp_path, timeouts=timeouts()) as server, connect(server) as connection:
        connection.sendall(b"GET / HTTP/1.1\r\n")
        try:
            for _ in range(100_000):
                connection.sendall(b"X-Header: " + b"x" * 1000 + b"\r\n")
        except ConnectionError:
            return
    pytest.fail("the server accepted 100 MB of headers")


class FakeTransport:
    """A transport of which nothing is sent."""

    def __init__(self, address):
        self.address = address
        self.aborted = False

    def get_extra_info(self, name):
        return (self.address, 1234) if name == "peername" else None

    def abort(self):
        self.aborted = True


async def _open(guard, addresses):
    return [guard.open(FakeTransport(address)) for address in addresses]


def test_silent_connections_of_a_client_are_limited(monkeypatch):
    monkeypatch.setattr(connections, "MAX_SILENT_PER_CLIENT", 2)

    async def check():
        guard = ConnectionGuard(is_proxy=lambda address: address == "10.0.0.9")
        first, second, third = await _open(guard, ["2001:db8::1", "2001:db8::2", "2001:db8::3"])
        assert third is None  # the same network
        assert len([c for c in await _open(guard, ["10.0.0.1", "10.0.0.2"]) if c]) == 2
        guard.has_spoken(first)
        assert (await _open(guard, ["2001:db8::4"]))[0]
        guard.forget(second)
        assert (await _open(guard, ["2001:db8::5"]))[0]
        for shared in ("127.0.0.1", "10.0.0.9"):  # proxies stand for many clients
            assert all(await _open(guard, [shared] * 5))

    asyncio.run(check())


def test_the_oldest_silent_connection_gives_way(monkeypatch):
    monkeypatch.setattr(connections, "MAX_SILENT", 3)

    async def check():
        guard = ConnectionGuard()
        opened = await _open(guard, [f"10.0.0.{i}" for i in range(3)])
        guard.has_spoken(opened[0])
        opened += await _open(guard, ["10.0.1.1", "10.0.1.2"])
        aborted = [connection.transport.aborted for connection in opened]
        assert aborted == [False, True, False, False, False]
        assert len(guard) == 4

    asyncio.run(check())


def test_a_connection_whose_socket_is_closed_does_not_stop_the_watch():
    class ClosedSocket:
        def setsockopt(self, *option):
            raise ValueError("negative file descriptor")  # as uvloop does

    class LostTransport:
        aborted = False

        def get_extra_info(self, name):
            return ClosedSocket() if name == "socket" else ("192.0.2.1", 5)

        def is_closing(self):
            return True

        def abort(self):
            self.aborted = True

    async def watch():
        guard, transport = ConnectionGuard(timeouts(close=0.0)), LostTransport()
        guard.open(transport)
        guard._check()
        assert transport.aborted
        assert len(guard) == 0

    asyncio.run(watch())
