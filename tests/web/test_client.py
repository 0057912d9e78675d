"""The client, and the example that the documentation shows, against a real server."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import quincunx as qx
from quincunx import client as client_module
from quincunx.web.wire import Refused

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


def test_a_refusal_has_its_word(client):
    made = client.create("onoro", ["human", "human"], options={"pawns": 4})
    room = client.join(made["id"], made["secrets"])
    with pytest.raises(Refused) as refused:
        room.play("nonsense", seat=room.turn)
    assert refused.value.word == "syntax"
    with pytest.raises(Refused) as refused:
        client.create("chess", [])
    assert (refused.value.word, refused.value.where) == ("option", "game")
    assert room.configured.options["pawns"] == 4


def test_a_room_tells_what_it_has(client):
    made = client.create("onoro", ["human", "human"])
    room = client.join(made["id"])
    assert room.game == "onoro"
    with pytest.raises(AttributeError, match="a room has no colour"):
        room.colour  # noqa: B018


def test_a_room_is_kept_up_to_date(client, server):
    made = client.create("quorum", ["human:ada", "human"])
    mine, theirs = ({seat: made["secrets"][seat]} for seat in "01")
    room = client.join(made["id"], mine)

    def hear(kind):
        while client.hear(30)["type"] != kind:
            pass
        known = client.request(f"/api/rooms/{room.id}")
        told = {name: room.fields[name] for name in known.keys() - {"type", "you", "legal"}}
        assert told == {name: known[name] for name in told}

    with server.client() as friend:
        friend.join(made["id"], theirs)
        hear("here")
        assert 0 in room.legal
        friend.ask("name", room=room.id, seat=1, name="bo")
        hear("event")
        assert [player["name"] for player in room.players] == ["ada", "bo"]
        room.play("a1e3", seat=0)
        hear("event")
        assert room.moves == [[0, "a1e3"]]
        client.ask("undo", room=room.id, seat=0, number=room.number)
        hear("event")
        friend.ask("answer", room=room.id, seat=1, yes=True, number=room.number)
        hear("event")
        assert room.moves == []
        client.ask("resign", room=room.id, seat=0)
        hear("event")
        client.ask("rematch", room=room.id, seat=0)
        hear("event")
        assert room.wishes == [0]
    hear("here")
    assert [player["here"] for player in room.players] == [True, False]


def test_the_example_of_the_module(server):
    example = client_module.__doc__.partition("\n\n")[2]
    names = {"Client": client_module.Client}
    exec(example.replace("http://127.0.0.1:8200", server.host), names)
    assert names["room"].over


def test_the_bot_of_the_documentation(client, server):
    """The example plays a whole game against a bot, as anybody would start it."""
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


def test_the_documentation_shows_the_example():
    example = (ROOT / "examples" / "web_bot.py").read_text()
    code = example.partition("import random")[2]
    assert code in (ROOT / "docs" / "protocol.md").read_text()
