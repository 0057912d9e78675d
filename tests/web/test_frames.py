"""WebSockets that send too many frames, or that are none."""

import random

import pytest

from quincunx.web import frames
from quincunx.web.frames import MAX_FRAMES_AT_ONCE, MAX_OTHER_FRAMES, FrameCounter
from tests.web.conftest import running_server
from tests.web.test_connections import HOST, connect, handshake, read_to_end, timeouts

PING, PONG, PART, TEXT = 0x89, 0x8A, 0x00, 0x81
MASK = b"\x00" * 4


def frame(first, size=0, masked=True):
    """Returns a frame of zeros."""
    length = bytes([size]) if size < 126 else b"\x7e" + size.to_bytes(8, "big")[-2:]
    if size >= 1 << 16:
        length = b"\x7f" + size.to_bytes(8, "big")
    if masked:
        length = bytes([length[0] | 0x80]) + length[1:] + MASK
    return bytes([first]) + length + b"\x00" * size


def test_frames_are_counted_however_the_stream_is_cut():
    sizes = (0, 1, 125, 126, 127, 1000, 65535, 65536)
    stream = b"".join(frame(TEXT, size) + frame(PING, min(size, 125)) for size in sizes)
    stream += frame(0x01, 5) + frame(PART, 5) + frame(0x80, 300) + frame(0x82, 7, masked=False)
    assert FrameCounter().count(stream, 100) == (20, 11)
    choice = random.Random(1)
    for most in (1, 2, 7, 5000):
        counter, start, counts = FrameCounter(), 0, []
        while start < len(stream):
            end = start + choice.randint(1, most)
            counts.append(counter.count(stream[start:end], 100))
            start = end
        assert tuple(map(sum, zip(*counts, strict=True))) == (20, 11)


@pytest.mark.parametrize(
    ("first", "count"),
    [
        (PING, MAX_OTHER_FRAMES + 1),
        (PONG, MAX_OTHER_FRAMES + 1),
        (PART, MAX_OTHER_FRAMES + 1),
        (TEXT, MAX_FRAMES_AT_ONCE),
    ],
)
def test_a_websocket_that_sends_too_many_frames_is_closed(tmp_path, first, count, monkeypatch):
    read = []
    parse = frames.GuardedWebSocket.__mro__[1].data_received
    with (
        running_server(tmp_path, timeouts=timeouts()) as server,
        connect(server) as connection,
        server.client() as other,
    ):
        handshake(connection)
        monkeypatch.setattr(
            frames.GuardedWebSocket.__mro__[1],
            "data_received",
            lambda protocol, data: (read.append(data.count(frame(first))), parse(protocol, data)),
        )
        if first == PART:
            connection.sendall(frame(0x01))
        connection.sendall(frame(first) * count)
        read_to_end(connection)
        assert sum(read) < count
        other.ask("ping")


def test_pings_and_parts_of_messages_are_answered(tmp_path):
    with running_server(tmp_path, timeouts=timeouts()) as server, connect(server) as connection:
        handshake(connection)
        connection.sendall(frame(PING) * 20)
        pongs = b""
        while len(pongs) < 40:
            pongs += connection.recv(40)
        assert pongs == b"\x8a\x00" * 20
        message = b'{"type":"ping"}'
        parts = [
            bytes([0x01 if i == 0 else 0, 0x81]) + MASK + message[i : i + 1] for i in range(14)
        ]
        connection.sendall(b"".join(parts) + bytes([0x80, 0x81]) + MASK + message[14:])
        assert b'"pong"' in connection.recv(1000)


@pytest.mark.parametrize(
    "request_text",
    [
        b"POST /socket HTTP/1.1\r\nContent-Length: 5\r\n",
        b"GET /socket HTTP/1.1\r\nTransfer-Encoding: chunked\r\n",
        b"GET /socket HTTP/1.1\r\nX-Long: " + b"a" * 20_000 + b"\r\n",
        b"GET /socket HTTP/1.1\r\n" + b"".join(b"X-%d: a\r\n" % i for i in range(200)),
    ],
    ids=["post", "body", "long header", "many headers"],
)
def test_an_upgrade_that_is_no_handshake_is_refused(tmp_path, request_text):
    with running_server(tmp_path, timeouts=timeouts()) as server, connect(server) as connection:
        connection.sendall(
            request_text + HOST + b"Connection: Upgrade\r\nUpgrade: websocket\r\n"
            b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
        )
        assert read_to_end(connection).startswith(b"HTTP/1.1 400")
