"""Requests that nobody should send: answered by an error that says why, never by a defect."""

import json
import logging
import sqlite3
from contextlib import closing
from urllib.error import HTTPError
from urllib.parse import quote
from urllib.request import Request, urlopen

import pytest

from quincunx.registry import BUILT_IN
from quincunx.rooms.errors import RequestError
from quincunx.rooms.messages import ERROR_CODES
from tests.web.conftest import compile_rules, running_server

TEXTS = {
    "lone surrogate": '"\\ud800"',
    "swapped surrogates": '"\\udc00\\ud800"',
    "null character": '"\\u0000"',
    "null in the middle": '"human:a\\u0000b"',
    "byte order mark": '"\\ufeffhuman"',
    "private use": '"\\ue000"',
    "empty": '""',
    "long": '"' + "x" * 30_000 + '"',
    "digits": '"' + "9" * 5000 + '"',
    "percent": '"%s%n%00"',
}
VALUES = {
    **TEXTS,
    "null": "null",
    "true": "true",
    "NaN": "NaN",
    "Infinity": "-Infinity",
    "1e999": "1e999",
    "huge integer": "9" * 4000,
    "integer of too many digits": "9" * 5000,
    "2**63": "9223372036854775808",
    "-2**63 - 1": "-9223372036854775809",
    "tiny": "5e-324",
    "list": "[]",
    "object": "{}",
    "deep list": "[" * 5000 + "]" * 5000,
    "deep object": '{"a":' * 5000 + "1" + "}" * 5000,
    "duplicate keys": '{"a": 1, "a": {"b": 2}}',
    "surrogate as key": '{"\\ud800": 1}',
    "null as key": '{"\\u0000": "x"}',
    "surrogate in a list": '["\\ud800", "\\ud800"]',
    "nulls in a list": '["human:\\u0000", "human:\\u0000"]',
}
ROOM = {
    "game": '"quorum"',
    "options": "{}",
    "players": '["human:ada", "human"]',
    "seed": "1",
    "start": '""',
    "moves": "[]",
    "clock": "null",
    "pace": "2",
    "listed": "true",
}
SOLO = {**ROOM, "game": '"wzlz"', "players": '["human"]'}
PASTE = {"text": '".W/BB w"', "game": '"onoro"', "options": "{}"}


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    for name in BUILT_IN:
        compile_rules(name)
    with running_server(tmp_path_factory.mktemp("hostile")) as running:
        yield running


@pytest.fixture
def no_defects(caplog):
    """Fails the test if the server logs an error."""
    yield
    assert [record for record in caplog.records if record.levelno >= logging.ERROR] == []


def send(server, path, body=None, method=None, **headers):
    """Returns the status and the body of a response, parsed if it is JSON."""
    headers.setdefault("content-type", "application/json")
    request = Request(f"http://{server.host}{path}", body, headers, method=method)
    try:
        with urlopen(request, timeout=60) as response:
            return response.status, response.read()
    except HTTPError as error:
        with error:
            is_json = error.headers["content-type"] == "application/json"
            return error.code, json.load(error) if is_json else error.read()


def check(answer):
    """Checks that an answer is a success, or an error with a code and a text for people."""
    status, body = answer
    if status >= 400:
        assert status < 500, body
        assert body["error"] in ERROR_CODES
        assert body["text"]
        assert body["request"]
    return status


def json_of(fields):
    return ("{" + ", ".join(f'"{name}": {text}' for name, text in fields.items()) + "}").encode()


@pytest.mark.parametrize("value", VALUES)
@pytest.mark.parametrize("path", ["/api/rooms", "/api/read"])
def test_every_field_with_every_odd_value(server, path, value, no_defects):
    for fields in (ROOM, SOLO) if path == "/api/rooms" else (PASTE,):
        for name in fields:
            check(send(server, path, json_of({**fields, name: VALUES[value]})))


@pytest.mark.parametrize("text", TEXTS)
def test_odd_texts_inside_of_fields(server, text, no_defects):
    odd = TEXTS[text]
    for fields in (
        {**ROOM, "options": f"{{{odd}: 1}}"},
        {**ROOM, "options": f'{{"x": {odd}}}'},
        {**SOLO, "options": f'{{"variant": {odd}}}'},
        {**ROOM, "players": f'["human", {odd}]'},
        {**ROOM, "players": f'["human", "mcts:{odd[1:-1]}"]'},
        {**ROOM, "moves": f"[{odd}]"},
        {**ROOM, odd[1:-1]: "1"},
    ):
        check(send(server, "/api/rooms", json_of(fields)))


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"null",
        b"[]",
        b'"x"',
        b"\xff\xfe",
        b"\x00",
        b"\xef\xbb\xbf{}",
        b'{"game": "quorum", "players": ["human", "human"]}\x00',
        '{"game": "quorum"}'.encode("utf-16"),
        b"[" * 100_000,
        b'{"a":' * 40_000,
        b'{"game": "\xed\xa0\x80"}',
    ],
    ids=range(13),
)
@pytest.mark.parametrize("path", ["/api/rooms", "/api/read"])
def test_bodies_that_are_not_json(server, path, body, no_defects):
    assert check(send(server, path, body)) >= 400


@pytest.mark.parametrize(
    "kind",
    ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "x",
     "application/json; charset=utf-16", "application/json; charset=nonsense", ""],
)  # fmt: skip
def test_other_content_types(server, kind, no_defects):
    check(send(server, "/api/rooms", json_of(ROOM), **{"content-type": kind}))


QUERIES = ["%00", "%ed%a0%80", "%ff", "\ud800".encode("utf-8", "surrogatepass"), "9" * 400, "1e999"]


@pytest.mark.parametrize("value", QUERIES, ids=range(len(QUERIES)))
def test_odd_queries_and_paths(server, value, no_defects):
    text = value if isinstance(value, str) else quote(value)
    for path in (
        f"/api/rooms?game={text}&before={text}&count={text}&state={text}",
        f"/api/rooms?game={text}",
        f"/api/rooms/{text}",
        f"/api/rooms/{text}/record.qx",
        f"/api/scores?game=wzlz&option={text}",
        f"/api/scores?game=wzlz&option=variant={text}&seed={text}",
        f"/api/ratings?game={text}",
        f"/api/games/{text}/learn",
        f"/api/games/quorum/pictures/{text}",
        f"/api/picture.svg?game=quorum&position={text}",
        f"/api/picture.svg?game=quorum&option={text}",
        f"/api/picture.{text}?game=quorum",
        f"/static/{text}",
    ):
        check(send(server, path))
    assert send(server, f"/{text}")[0] == 404


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "PROPFIND"])
def test_other_methods(server, method, no_defects):
    assert send(server, "/api/rooms", method=method)[0] == 405


def test_an_error_that_nobody_expected_is_busy(server, caplog, monkeypatch):
    """It names the request, under which the log has the traceback."""

    def fail(*args):
        raise KeyError("secret detail")

    monkeypatch.setattr(server.app.state.limiter, "count_new_room", fail)
    status, body = send(server, "/api/rooms", json_of(ROOM))
    assert (status, body["error"], body["text"]) == (503, "busy", "internal error; try again")
    assert "secret detail" not in str(body)
    (record,) = [record for record in caplog.records if record.levelno >= logging.ERROR]
    assert record.message == "a request failed: POST /api/rooms"
    assert record.exc_info[0] is KeyError
    assert len(body["request"]) == 16


def test_a_database_that_fails_is_busy(server, monkeypatch):
    async def fail(*args):
        raise RequestError("busy", "the database does not answer")

    monkeypatch.setattr(server.app.state.store, "listed_rooms", fail)
    status, body = send(server, "/api/rooms")
    assert (status, body["error"], body["text"]) == (503, "busy", "the database does not answer")


def test_names_are_stored_without_what_databases_refuse(tmp_path):
    with running_server(tmp_path) as server:
        body = json_of({**ROOM, "players": '["human:a\\u0000b", "human"]'})
        assert send(server, "/api/rooms", body)[0] == 201
    with closing(sqlite3.connect(tmp_path / "rooms.sqlite")) as database:
        assert database.execute("SELECT players FROM rooms").fetchall() == [
            ('["human:ab", "human"]',)
        ]
