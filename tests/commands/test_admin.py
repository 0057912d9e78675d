"""`quincunx admin`: rooms and bans, with and without a running server."""

import json
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest

pytest.importorskip("fastapi", reason="`quincunx admin` needs the extra `web`")
pytest.importorskip("aiosqlite", reason="`quincunx admin` needs the extra `web`")

from typer.testing import CliRunner
from websockets.exceptions import ConnectionClosed

import quincunx as qx
from quincunx import cli
from quincunx.rooms.errors import RequestError
from quincunx.web import admin as admin_of_database
from quincunx.web import admin_poll
from quincunx.web.database import sqlite_url
from tests.web.conftest import postgres, running_server  # noqa: F401

PLAYERS = ["human:ada", "human:bob"]


@pytest.fixture(autouse=True)
def poll_at_once(monkeypatch):
    monkeypatch.setattr(admin_poll, "POLL_SECONDS", 0.05)


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.heavy)])
def url(request, tmp_path):
    """The URL of a database."""
    if request.param == "sqlite":
        return sqlite_url(tmp_path)
    return request.getfixturevalue("postgres").create_database()


@pytest.fixture
def admin(url):
    """Returns a function that runs `quincunx admin` and returns its exit code and output."""

    def run(*arguments, answer=None):
        command = ["admin", *arguments, "--database", url]
        result = CliRunner().invoke(cli.app, command, input=answer)
        assert result.exception is None or isinstance(result.exception, SystemExit), result.output
        return result.exit_code, result.output

    return run


@pytest.fixture
def room(tmp_path, url, monkeypatch):
    """The id of a room with one move, in the database of a server that stopped a while ago."""
    with running_server(tmp_path, url=url) as server, server.client() as client:
        room_id = client.create("quorum", PLAYERS, moves=["a1e3"], listed=True)["id"]
    monkeypatch.setattr(admin_of_database, "ABSENT_MS", 0)
    return room_id


def test_rooms_are_listed_and_shown_without_secrets(tmp_path, url, admin):
    with running_server(tmp_path, url=url) as server, server.client() as client:
        made = client.create("quorum", PLAYERS, moves=["a1e3"])
        solo = client.create("wzlz", ["human"], seed=1234567)["id"]
        _, text = admin("rooms", "list", "--json")
        rows = {row["id"]: row for row in json.loads(text)}
        assert set(rows) == {made["id"], solo}
        assert (rows[made["id"]]["events"], rows[made["id"]]["finished"]) == (1, 0)
        assert "1234567" not in text
    _, text = admin("rooms", "list", "--game", "quorum", "--state", "running")
    assert [line.split()[0] for line in text.splitlines()] == ["room", made["id"]]
    assert admin("rooms", "list", "--state", "finished")[1].splitlines()[1:] == []
    _, text = admin("rooms", "show", made["id"])
    assert "a1e3" in text
    _, fields = admin("rooms", "show", made["id"], "--json")
    assert json.loads(fields)["events"][0]["text"] == "a1e3"
    for secret in made["secrets"].values():
        assert secret not in text + fields
    assert "hashes" not in text + fields


def test_an_unknown_room_is_reported(room, admin):
    for command in (
        ["show", "nowhere"],
        ["close", "nowhere", "--yes"],
        ["delete", "nowhere", "-y"],
    ):
        code, text = admin("rooms", *command)
        assert code == 1
        assert text.count("unknown room") == text.count(command[1]) == 1


def test_a_room_is_shown_for_people_and_for_programs(tmp_path, url, admin):
    with running_server(tmp_path, url=url) as server, server.client() as client:
        made = client.create("quorum", PLAYERS, seed=5)
        room = client.join(made["id"], made["secrets"])
        client.ask("resign", room=room.id, seat=0)
    _, text = admin("rooms", "show", room.id)
    fields = dict(line.split(maxsplit=1) for line in text.splitlines() if " " in line)
    assert fields["players"] == '["human:ada", "human:bob"]'
    assert (fields["clock"], fields["listed"]) == ("none", "no")
    assert fields["created"][:2] == fields["finished"][:2] == "20"
    shown = json.loads(admin("rooms", "show", room.id, "--json")[1])
    assert shown["result"] == {"scores": [0.0, 1.0], "winners": [1]}


@pytest.mark.parametrize("kind", ["mysql", "postgresql+asyncpg"])
def test_an_unusable_database_is_reported_without_its_password(kind):
    if kind != "mysql":
        pytest.importorskip("asyncpg", reason="PostgreSQL needs the extra `scale`")
    url = f"{kind}://ada:pass:w@rd@127.0.0.1:1/x"
    result = CliRunner().invoke(cli.app, ["admin", "bans", "--database", url])
    assert result.exit_code == 1
    assert f"--database {kind}://ada:***@127.0.0.1:1/x: " in result.output


def test_a_missing_database_is_reported(tmp_path):
    result = CliRunner().invoke(cli.app, ["admin", "bans", "--data", str(tmp_path / "nowhere")])
    assert result.exit_code == 2
    assert "there is no database" in result.output


def test_destructive_commands_ask_first(room, admin):
    for command in ("close", "delete"):
        code, text = admin("rooms", command, room, answer="n\n")
        assert (code, "nothing was changed" in text) == (1, True)
    rows = json.loads(admin("rooms", "list", "--json")[1])
    assert [(row["id"], row["finished"]) for row in rows] == [(room, 0)]
    assert admin("rooms", "delete", room, answer="y\n")[0] == 0
    assert json.loads(admin("rooms", "list", "--json")[1]) == []


def check_closed(client, room_id):
    """Checks that a room is over, without a winner, and can be looked at."""
    shown = client.join(room_id, {})
    assert shown.over
    assert shown.winners == []
    assert shown.plies == 1
    fields = client.request(f"/api/rooms/{room_id}")
    assert fields["status"] == "Closed by the operator of the server"
    rows = client.request("/api/rooms?state=finished")
    assert [(row["id"], row["over"]) for row in rows] == [(room_id, True)]
    assert client.request("/api/rooms?state=running") == []


def test_a_game_is_closed_without_a_server(tmp_path, url, room, admin):
    assert admin("rooms", "close", room, "--yes") == (0, f"{room}: closed\n")
    code, text = admin("rooms", "close", room, "--yes")
    assert (code, "is over" in text) == (1, True)
    with running_server(tmp_path, url=url) as server, server.client() as client:
        check_closed(client, room)


def test_a_command_that_fails_is_answered(tmp_path, url, admin, monkeypatch, caplog):
    """Otherwise it and all later ones would wait for ever."""

    async def fail(room_id):
        raise ZeroDivisionError

    with running_server(tmp_path, url=url) as server, server.client() as client:
        room_id = client.create("quorum", PLAYERS)["id"]
        monkeypatch.setattr(server.app.state.lobby, "session", fail)
        code, text = admin("rooms", "close", room_id, "--yes")
    assert (code, "the log of the server says why" in text) == (1, True)
    assert "ZeroDivisionError" in caplog.text


def test_a_game_in_memory_is_closed(tmp_path, url, admin):
    with running_server(tmp_path, url=url) as server, server.client() as client:
        made = client.create("quorum", PLAYERS, moves=["a1e3"], listed=True)
        with server.client() as playing:
            joined = playing.join(made["id"], made["secrets"])
            assert admin("rooms", "close", made["id"], "--yes")[0] == 0
            with pytest.raises((ConnectionClosed, RequestError)):
                joined.play("h8d6", 1)
        check_closed(client, made["id"])
        code, text = admin("rooms", "close", made["id"], "--yes")
        assert (code, "is over" in text) == (1, True)


def test_a_game_in_memory_is_deleted(tmp_path, url, admin):
    with running_server(tmp_path, url=url) as server, server.client() as client:
        made = client.create("quorum", PLAYERS, moves=["a1e3"])
        with server.client() as playing:
            joined = playing.join(made["id"], made["secrets"])
            code, text = admin("rooms", "delete", made["id"], "nowhere", "--yes")
            assert (code, "unknown room 'nowhere'" in text) == (1, True)
            with pytest.raises((ConnectionClosed, RequestError)):
                joined.play("h8d6", 1)
        with pytest.raises(RequestError, match="unknown room"):
            client.request(f"/api/rooms/{made['id']}")
        assert made["id"] not in server.app.state.lobby.sessions


def test_rooms_are_exported(room, admin):
    code, text = admin("rooms", "export", room)
    assert code == 0
    assert qx.Record.read(text).moves == ("a1e3",)
    code, text = admin("rooms", "export", "--format", "json")
    exported = json.loads(text)
    assert (exported["id"], exported["events"][0]["text"]) == (room, "a1e3")
    assert "hashes" not in exported
    code, text = admin("rooms", "export", "nowhere")
    assert (code, "unknown room" in text) == (1, True)


def test_a_banned_address_is_refused_and_disconnected(tmp_path, url, admin):
    with running_server(tmp_path, url=url) as server:
        client = server.client()
        client.ask("ping")
        assert admin("ban", "127.0.0.0/30", "--days", "2") == (
            0,
            "127.0.0.0/30 is banned for 2 days\n",
        )
        with pytest.raises(ConnectionClosed):
            client.hear(60)
        with pytest.raises(HTTPError) as error:
            urlopen(f"http://{server.host}/healthz")
        with error.value as answer:
            assert (answer.code, json.load(answer)["error"]) == (403, "refused")
        rows = json.loads(admin("bans", "--json")[1])
        assert [row["network"] for row in rows] == ["127.0.0.0/30"]
        assert admin("unban", "127.0.0.1")[0] == 1  # another network
        assert admin("unban", "127.0.0.0/30")[0] == 0
        assert admin("bans")[1].splitlines()[1:] == []


def test_bans_hold_from_the_start_and_end_in_time(tmp_path, url, room, admin):
    admin("ban", "127.0.0.1", "--days", "1e-9")
    assert json.loads(admin("bans", "--json")[1]) == []
    admin("ban", "::ffff:127.0.0.1")
    with running_server(tmp_path, url=url) as server, pytest.raises(HTTPError) as error:
        urlopen(f"http://{server.host}/healthz")
    error.value.close()
    assert error.value.code == 403


def test_a_ban_for_no_time_is_refused(tmp_path):
    arguments = ["admin", "ban", "192.0.2.1", "--days", "0", "--data", str(tmp_path)]
    result = CliRunner().invoke(cli.app, arguments)
    assert (result.exit_code, "expected a positive number" in result.output) == (2, True)


@pytest.mark.parametrize("command", ["ban", "unban"])
def test_invalid_addresses_are_reported(command, tmp_path):
    arguments = ["admin", command, "localhost", "--data", str(tmp_path)]
    result = CliRunner().invoke(cli.app, arguments)
    assert "expected an address or a network" in str(result.exception)
