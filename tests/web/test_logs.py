"""Logs: their two formats, request ids, and nothing in them that is secret."""

import json
import logging
import re
import signal
from time import sleep
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from quincunx.client import Client
from quincunx.rooms.errors import RequestError
from quincunx.web.logs import REQUEST_ID, JsonFormatter, TextFormatter
from tests.web.conftest import running_server
from tests.web.test_serve import start_server

SEEDS = [710_000_000_000_003 + 7919 * number for number in range(6)]


def record(message, *args, error=None, **fields):
    info = (type(error), error, None) if error else None
    made = logging.LogRecord("quincunx.web", logging.ERROR, "", 0, message, args, info)
    made.created = 0
    for name, value in fields.items():
        setattr(made, name, value)
    return made


@pytest.fixture
def request_id():
    token = REQUEST_ID.set("abc123")
    yield
    REQUEST_ID.reset(token)


def test_text_is_one_line_with_time_level_and_request(request_id):
    line = TextFormatter().format(record("room %s failed", "x\ny\x1b[31m"))
    assert line == "1970-01-01T00:00:00.000Z ERROR [abc123] room x\\ny\\x1b[31m failed"


def test_json_is_one_object_in_one_line(request_id):
    line = JsonFormatter().format(record("a\nb", fields={"status": 200}))
    assert "\n" not in line
    assert json.loads(line) == {
        "time": "1970-01-01T00:00:00.000Z",
        "level": "error",
        "logger": "quincunx.web",
        "message": "a\nb",
        "request": "abc123",
        "status": 200,
    }


DATABASE_ERRORS = [
    "(sqlite3.IntegrityError) UNIQUE constraint failed\n[SQL: INSERT INTO rooms VALUES (?)]\n"
    "[parameters: ('id', 998877, 'hash')]\n(Background on this error at: https://sqlalche.me)",
    'null value in column "x" violates not-null constraint\n'
    "DETAIL:  Failing row contains (id, 998877, hash).",
]


@pytest.mark.parametrize("text", DATABASE_ERRORS)
@pytest.mark.parametrize("formatter", [TextFormatter(), JsonFormatter()])
def test_values_of_a_database_are_left_out(text, formatter):
    line = formatter.format(record("writing failed", error=ValueError(text)))
    assert "constraint" in line
    for value in ("998877", "hash", "INSERT"):
        assert value not in line


def request_ids(server, **headers):
    """Returns the id of a request that fails, as its header and its body name it."""
    with pytest.raises(HTTPError) as error:
        urlopen(Request(f"http://{server.host}/api/nowhere", headers=headers))
    with error.value as answer:
        return answer.headers["x-request-id"], json.load(answer)["request"]


def test_requests_have_ids(server):
    header, body = request_ids(server, **{"x-request-id": "chosen-by-a-client"})
    assert header == body
    assert re.fullmatch("[0-9a-f]{16}", header)
    assert request_ids(server)[0] != header


def test_the_ids_of_trusted_proxies_are_kept(tmp_path):
    from quincunx.web.app import Site

    with running_server(tmp_path, site=Site(proxies=("127.0.0.1",))) as server:
        assert request_ids(server, **{"x-request-id": "proxy-1"}) == ("proxy-1", "proxy-1")
        for wrong in ("x" * 65, "a b", '"', ""):
            assert re.fullmatch("[0-9a-f]{16}", request_ids(server, **{"x-request-id": wrong})[0])


def wait_until_ready(address, server):
    """Returns when a server process has compiled its games."""
    while server.poll() is None:
        try:
            with urlopen(f"{address}/readyz") as response:
                assert response.status == 200
                return
        except OSError:  # not listening yet, or 503
            sleep(0.1)
    pytest.fail("the server did not start")


def play_busily(client):
    """Creates and plays rooms, with and without errors; returns all secrets and seeds."""
    secrets = []
    for number, seed in enumerate(SEEDS):
        made = client.create("wzlz", ["human"], seed=seed, listed=number % 2 == 0)
        secrets += made["secrets"].values()
        room = client.join(made["id"], made["secrets"])
        room.play(room.legal[0][0], 0)
        with pytest.raises(RequestError):
            client.ask("play", room=room.id, seat=0, move="zz", number=room.number)
        with pytest.raises(RequestError):
            client.join(made["id"], {"0": made["secrets"]["0"][:-1]})
        client.ask("resign", room=room.id, seat=0)
        secrets.append(str(seed))
    for path in (f"/api/scores?game=wzlz&seed={SEEDS[0]}", f"/api/rooms/x?secret={secrets[0]}"):
        try:
            client.request(path)
        except RequestError:
            continue
    return secrets


@pytest.mark.parametrize("log_format", ["text", "json"])
def test_no_secret_and_no_seed_is_logged(tmp_path, log_format):
    options = ("--log-format", log_format, "--access-log", "--rooms", "1000")
    server = start_server("--port", "0", "--data", str(tmp_path), *options)
    try:
        port = re.search(r":(\d+)/", server.stdout.readline())[1]
        wait_until_ready(f"http://127.0.0.1:{port}", server)
        with Client(f"http://127.0.0.1:{port}") as client:
            secrets = play_busily(client)
    finally:
        server.send_signal(signal.SIGINT)
        out, log = server.communicate(timeout=60)
    assert log.count("POST") >= len(SEEDS), log
    assert "?" not in log
    for secret in secrets:
        assert secret not in out + log
    if log_format == "json":
        lines = [json.loads(line) for line in log.splitlines()]
        requests = [line for line in lines if line.get("path") == "/api/rooms"]
        assert {line["address"] for line in requests} == {"127.0.0.1"}
        assert all(line["request"] and line["method"] == "POST" for line in requests)
