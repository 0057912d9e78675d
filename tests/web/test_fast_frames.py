"""The fast path of WebSockets gives what uvicorn's own methods give, for any frames."""

import asyncio
import random

import pytest
import uvicorn
from uvicorn.server import ServerState
from websockets.client import ClientProtocol
from websockets.frames import Frame, Opcode
from websockets.uri import parse_uri

from quincunx.web.fast_frames import FastWebSocket, websocket_class
from quincunx.web.frames import GuardedWebSocket

pytestmark = pytest.mark.skipif(
    websocket_class() is GuardedWebSocket, reason="this version of uvicorn has no fast path"
)


class FakeTransport:
    """Keeps what is written; `paused` is whether reading has been stopped."""

    def __init__(self):
        self.written = b""
        self.paused = self.closed = False

    def write(self, data):
        self.written += data

    def pause_reading(self):
        self.paused = True

    def resume_reading(self):
        self.paused = False

    def close(self):
        self.closed = True

    def is_closing(self):
        return self.closed

    abort = close

    def get_extra_info(self, name, default=None):
        return default


class Conversation:
    """A WebSocket of a server after its handshake, whose application only records messages."""

    def __init__(self, kind):
        self.received = []
        config = uvicorn.Config(
            self.application, interface="asgi3", ws_per_message_deflate=False, log_config=None
        )
        self.socket = kind(config, ServerState(), {})
        self.transport = FakeTransport()

    async def application(self, scope, receive, send):
        await receive()
        await send({"type": "websocket.accept"})
        self.send = send
        while True:
            self.received.append(await receive())

    async def open(self):
        self.socket.connection_made(self.transport)
        client = ClientProtocol(parse_uri("ws://localhost/socket"))
        client.send_request(client.connect())
        self.socket.data_received(b"".join(client.data_to_send()))
        while not self.transport.written:
            await asyncio.sleep(0)
        assert self.transport.written.startswith(b"HTTP/1.1 101")
        self.transport.written = b""
        return self


def client_frames(rng):
    """Yields frames of a client in a random order, most of them whole texts."""
    for _ in range(rng.randint(1, 8)):
        text = "".join(
            rng.choice('a{}"é€\U0001f600') for _ in range(rng.choice((0, 3, 40, 60, 300)))
        )
        data = text.encode()
        kind = rng.randrange(8)
        if kind == 0:
            cut = rng.randint(0, len(data))
            yield Frame(Opcode.TEXT, data[:cut], fin=False)
            if rng.random() < 0.5:
                yield Frame(Opcode.PING, b"in between")
            yield Frame(Opcode.CONT, data[cut:])
        elif kind == 1:
            yield Frame(Opcode.BINARY, data)
        elif kind == 2:
            yield Frame(Opcode.PING, data[:100])
        elif kind == 3 and rng.random() < 0.2:
            yield Frame(Opcode.TEXT, b"\xff" + data)  # not UTF-8
        elif kind == 4 and rng.random() < 0.2:
            yield Frame(Opcode.CLOSE, b"\x03\xe8")
        else:
            yield Frame(Opcode.TEXT, data)


async def converse(kind, seed):
    """Returns what the application received and what was sent in a random conversation."""
    rng = random.Random(seed)
    conversation = await Conversation(kind).open()
    stream = [frame.serialize(mask=True, extensions=[]) for frame in client_frames(rng)]
    if rng.random() < 0.3:  # the stream is cut anywhere
        joined = b"".join(stream)
        cuts = sorted(rng.randint(0, len(joined)) for _ in range(5))
        stream = [joined[a:b] for a, b in zip([0, *cuts], [*cuts, len(joined)], strict=True)]
    for data in stream:
        if not data or conversation.transport.closed:
            continue
        try:
            conversation.socket.data_received(data)
            await asyncio.sleep(0)
            if rng.random() < 0.5:
                size = rng.choice((0, 1, 125, 126, 5000, 65535, 65536))
                await conversation.send({"type": "websocket.send", "text": "é" * (size // 2)})
        except Exception as error:  # such as what follows the end of a connection
            conversation.received.append(type(error).__name__)
    for _ in range(20):
        await asyncio.sleep(0)
    for task in conversation.socket.tasks:
        task.cancel()
    return conversation.received, conversation.transport.written, conversation.transport.closed


def test_the_fast_path_gives_what_uvicorn_gives():
    async def compare():
        for seed in range(400):
            assert await converse(FastWebSocket, seed) == await converse(GuardedWebSocket, seed), (
                seed
            )

    asyncio.run(compare())


def test_whole_texts_take_the_fast_path(monkeypatch):
    async def run():
        conversation = await Conversation(FastWebSocket).open()
        # The parser of websockets is not used at all.
        monkeypatch.setattr(conversation.socket.conn, "receive_data", None)
        monkeypatch.setattr(conversation.socket.conn, "send_text", None)
        conversation.socket.data_received(Frame(Opcode.TEXT, b"hello").serialize(mask=True))
        await conversation.send({"type": "websocket.send", "text": "answer"})
        await asyncio.sleep(0.001)
        assert conversation.received == [{"type": "websocket.receive", "text": "hello"}]
        assert conversation.transport.written == b"\x81\x06answer"

    asyncio.run(run())


def test_reading_stops_while_two_messages_wait():
    async def run():
        conversation = await Conversation(FastWebSocket).open()
        data = Frame(Opcode.TEXT, b"hello").serialize(mask=True)
        conversation.socket.data_received(data)
        assert not conversation.transport.paused
        conversation.socket.data_received(data)
        assert conversation.transport.paused
        await asyncio.sleep(0.001)
        assert not conversation.transport.paused
        assert len(conversation.received) == 2

    asyncio.run(run())
