"""The client and the examples of the documentation, against a real server."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import quincunx as qx
from quincunx import client as client_module
from quincunx.rooms.messages import RequestError
from quincunx.web.app import Site
from tests.web.conftest import CompilingClient, running_server

ROOT = Path(__file__).parents[2]


def test_a_game_against_a_bot(client):
    made = client.create("quorum", ["human:ada", "random"], seed=1)
    room = client.join(made["id"], made["secrets"])
    while not room.over:
        if 0 in room.legal:
            room.play(room.legal[0][0], seat=0)
        room.wait(30)
    assert room.winners in ([0], [1], [])
    assert client.request(f"/api/rooms/{room.id}")["text"] == room.text == room.state.text
    record = qx.Record.read(client.request(f"/api/rooms/{room.id}/record.qx").decode())
    assert record.states()[-1] == room.state
    assert record.players == ("ada", "random")


@pytest.mark.parametrize("path", ["/play", "/play/"])
def test_a_server_under_a_path_of_its_proxy(tmp_path, path):
    with (
        running_server(tmp_path, site=Site(root_path="/play")) as server,
        CompilingClient(f"http://{server.host}{path}") as client,
    ):
        assert client.address.endswith("/play")
        made = client.create("quorum", ["human", "human"])
        assert client.join(made["id"], made["secrets"]).you == [0, 1]


def test_errors_have_their_code(client):
    made = client.create("onoro", ["human", "human"], options={"pawns": 4})
    room = client.join(made["id"], made["secrets"])
    with pytest.raises(RequestError) as error:
        room.play("nonsense", seat=room.turn)
    assert error.value.code == "syntax"
    with pytest.raises(RequestError) as error:
        client.create("chess", [])
    assert (error.value.code, error.value.where) == ("option", "game")
    assert room.configured.options["pawns"] == 4


def test_an_unknown_field_of_a_room_is_named(client):
    made = client.create("onoro", ["human", "human"])
    room = client.join(made["id"])
    assert room.game == "onoro"
    with pytest.raises(AttributeError, match="a room has no field 'colour'"):
        room.colour  # noqa: B018


def test_the_fields_of_a_room_follow_its_events(client, server):
    made = client.create("quorum", ["human:ada", "human"])
    mine, theirs = ({seat: made["secrets"][seat]} for seat in "01")
    room = client.join(made["id"], mine)

    def wait_for(kind):
        """Waits for a message, then compares the fields with the server's."""
        while client.hear(30)["type"] != kind:
            pass
        current = client.request(f"/api/rooms/{room.id}")
        fields = {name: room.fields[name] for name in current.keys() - {"type", "you", "legal"}}
        assert fields == {name: current[name] for name in fields}

    with server.client() as friend:
        friend.join(made["id"], theirs)
        while "taken" not in client.hear(30) or not room.players[1]["taken"]:
            pass
        assert [player["taken"] for player in room.players] == [True, True]
        assert 0 in room.legal
        friend.ask("name", room=room.id, seat=1, name="bo")
        wait_for("event")
        assert [player["name"] for player in room.players] == ["ada", "bo"]
        room.play("a1e3", seat=0)
        wait_for("event")
        assert room.moves == [[0, "a1e3"]]
        client.ask("undo", room=room.id, seat=0, number=room.number)
        wait_for("event")
        friend.ask("answer", room=room.id, seat=1, yes=True, number=room.number)
        wait_for("event")
        assert room.moves == []
        client.ask("resign", room=room.id, seat=0)
        wait_for("event")
        client.ask("rematch", room=room.id, seat=0)
        wait_for("event")
        assert room.wishes == [0]
    wait_for("here")
    assert [player["here"] for player in room.players] == [True, False]


def test_an_invitation_is_exchanged_for_a_secret(client, server):
    made = client.create("quorum", ["human", "human"])
    room = client.join(made["id"], made["secrets"])
    assert set(room.secrets) == {0, 1}
    assert not set(room.secrets.values()) & set(made["secrets"].values())
    with server.client() as other:
        with pytest.raises(RequestError, match="this invitation has been used"):
            other.join(made["id"], made["secrets"])
        again = other.join(made["id"], room.secrets)
        assert (again.you, again.secrets) == ([0, 1], room.secrets)


def test_a_client_that_loses_its_seat_is_told(client, other):
    """The first client ignores the new secret, as clients did before invitations."""
    made = client.create("quorum", ["human", "human"])
    invited = {"room": made["id"], "secrets": made["secrets"]}
    room = client_module.Room(client, made["id"])
    room.hear(client.ask("join", **invited))
    client._rooms[room.id] = room
    other.join(made["id"], {"1": made["secrets"]["1"]})
    while client.hear(30)["type"] != "unseated":
        pass
    assert (room.you, list(room.legal)) == ([0], [0])
    room.play("a1e3", seat=0)
    with pytest.raises(RequestError, match="this seat is not yours"):
        client.ask("resign", room=room.id, seat=1)


def test_the_example_in_the_docstring_plays_a_game(server):
    example = client_module.__doc__.partition("\n\n")[2]
    names = {"Client": CompilingClient}
    exec(example.replace("http://127.0.0.1:8200", server.host), names)
    assert names["room"].over


def test_the_example_bot_plays_a_game(client, server):
    """The example plays a whole game against a bot, started from the command line."""
    made = client.create("onoro", ["random", "human"], options={"pawns": 4}, seed=2)
    room = client.join(made["id"])
    done = subprocess.run(
        [
            *(sys.executable, ROOT / "examples" / "web_bot.py"),
            *(server.host, made["id"], "1", made["secrets"]["1"]),
        ],
        env={**os.environ, "PYTHONPATH": str(Path(qx.__file__).parents[1])},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    while not room.over:
        room.wait(30)
    assert done.stdout.strip() == room.status


def test_the_protocol_page_shows_the_example_bot():
    example = (ROOT / "examples" / "web_bot.py").read_text()
    code = example.partition("import random")[2]
    assert code in (ROOT / "docs" / "protocol.md").read_text()


def test_a_move_can_be_answered_by_its_event(client):
    made = client.create("quorum", ["human", "human"])
    room = client.join(made["id"], made["secrets"], ack="event")
    answer = client.ask("play", room=room.id, seat=0, move="a1e3", number=0)
    assert (answer["type"], answer["move"], room.number) == ("event", "a1e3", 1)
    assert room.wait(30) == answer
