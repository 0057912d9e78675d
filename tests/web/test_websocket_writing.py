"""What a WebSocket sends and when, to clients that read, that do not read, and that are gone."""

import asyncio
import json

import pytest

from quincunx.web import websocket
from quincunx.web.close_codes import TRY_AGAIN_LATER
from quincunx.web.limits import RateLimiter
from quincunx.web.websocket import WebSocketConnection
from tests.simulation.host import direct_host, settle


class FakeSocket:
    """The server's side of a socket: what it receives, what it has sent, whether it may send."""

    def __init__(self):
        self.incoming = asyncio.Queue()
        self.sent = []
        self.writable = asyncio.Event()
        self.writable.set()
        self.error = None

    def put(self, kind, **fields):
        self.incoming.put_nowait({"type": f"websocket.{kind}", **fields})

    def ping(self, ref):
        self.put("receive", text=json.dumps({"type": "ping", "ref": ref}))

    async def send(self, message):
        await self.writable.wait()
        if self.error:
            raise self.error
        self.sent.append(message)

    @property
    def answered(self):
        """The refs of all answers so far."""
        return [json.loads(message["text"])["ref"] for message in self.sent if "text" in message]


def with_socket(work):
    """Runs `work(socket, connection)` with a connection that is being served."""

    async def run():
        async with direct_host() as lobby:
            before = asyncio.all_tasks()
            socket = FakeSocket()
            connection = WebSocketConnection(
                socket.incoming.get, socket.send, lobby, RateLimiter(), "127.0.0.1"
            )
            socket.put("connect")
            serving = asyncio.create_task(connection.run())
            await settle()
            assert socket.sent.pop() == {"type": "websocket.accept"}
            await work(socket, connection)
            socket.put("disconnect")
            await serving
            assert asyncio.all_tasks() == before

    asyncio.run(run())


def test_a_message_is_sent_at_once():
    async def work(socket, connection):
        connection._enqueue('{"ref":1}')
        assert socket.answered == [1]

    with_socket(work)


def test_a_client_that_reads_late_gets_everything_in_order():
    async def work(socket, connection):
        socket.writable.clear()
        for ref in range(3):
            socket.ping(ref)
            await settle()
        assert socket.answered == []
        socket.writable.set()
        await settle()
        socket.ping(3)
        await settle()
        assert socket.answered == [0, 1, 2, 3]

    with_socket(work)


def test_a_client_that_does_not_read_is_disconnected(monkeypatch):
    monkeypatch.setattr(websocket, "MAX_QUEUED_CHARS", 100)

    async def work(socket, connection):
        socket.writable.clear()
        for ref in range(20):
            socket.ping(ref)
        await settle()
        assert not connection._queue
        socket.writable.set()
        await settle()
        assert socket.answered == [0]  # it was being sent
        assert socket.sent[1:] == [{"type": "websocket.close", "code": TRY_AGAIN_LATER}]

    with_socket(work)


def test_a_client_that_leaves_while_it_does_not_read_leaves_no_task():
    async def work(socket, connection):
        socket.writable.clear()
        socket.ping(0)
        await settle()

    with_socket(work)


@pytest.mark.parametrize("error", [OSError("gone"), ValueError("unexpected")])
def test_a_failure_to_send_does_not_reach_the_sender(error, caplog):
    async def work(socket, connection):
        socket.error = error
        connection._enqueue('{"ref":1}')
        socket.error = None
        connection._enqueue('{"ref":2}')
        assert socket.sent == []
        assert ("sending a message failed" in caplog.text) == isinstance(error, ValueError)

    with_socket(work)


def test_a_connection_is_closed_once():
    async def work(socket, connection):
        connection._disconnect()
        connection._disconnect()
        connection._enqueue('{"ref":1}')
        assert socket.sent == [{"type": "websocket.close", "code": TRY_AGAIN_LATER}]

    with_socket(work)
