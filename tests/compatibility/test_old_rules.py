"""Games that commit c7f0cce played by rules 1 are replayed by rules 1, as they were played.

`c7f0cce/` holds three records and a server's database with three rooms, as that commit wrote them;
`expected.json` is what that commit made of them. In all of them spheres float, which by rules 2
they would not.
"""

import asyncio
import base64
import json
import sqlite3
import zlib
from contextlib import closing
from pathlib import Path

import pytest

import quincunx as qx
from quincunx.record import Record, load
from quincunx.web.database import Database, sqlite_url
from quincunx.web.database_check import check_database
from quincunx.web.export import record_text
from tests.games.test_sphero_floating import floating_spheres
from tests.web.conftest import compile_rules, running_server

OLD = Path(__file__).parent / "c7f0cce"
EXPECTED = json.loads((OLD / "expected.json").read_text())
ROOMS = {fields["name"]: room for room, fields in EXPECTED["rooms"].items()}


def test_records_are_replayed_by_their_rules():
    records, problems = load(OLD / "games.qx")
    assert not problems
    assert len(records) == len(EXPECTED["records"])
    for record, expected in zip(records, EXPECTED["records"], strict=True):
        states = record.states()
        assert (record.rules, record.game.rules_version) == (1, 1)
        assert (len(record.moves), states[-1].text) == (expected["plies"], expected["text"])
        floating = [i for i, state in enumerate(states) if floating_spheres(state.position)]
        assert floating == expected["floating_plies"]
        packed = zlib.decompress(base64.b85decode(expected["packed"]))
        assert states[-1].pack() == packed
        assert qx.game("sphero", **record.game.options).unpack(packed) == states[-1]


def test_the_newest_rules_would_replay_them_differently():
    for record in load(OLD / "games.qx")[0]:
        new = record.text.replace('[Rules "1"]', '[Rules "2"]').replace('[Result "', '[Was "')
        states = qx.record.read_all(new)[0][0].states()
        assert states[-1].text != record.states()[-1].text


def write_database(directory):
    """Writes the database of that commit into a directory."""
    with closing(sqlite3.connect(directory / "rooms.sqlite")) as database:
        database.executescript((OLD / "rooms.sql").read_text())


@pytest.fixture(scope="module")
def old_server(tmp_path_factory):
    data = tmp_path_factory.mktemp("server")
    write_database(data)
    compile_rules("sphero")
    with running_server(data) as server, server.client() as client:
        yield client


@pytest.mark.parametrize("name", ROOMS)
def test_rooms_go_on_by_their_rules(old_server, name):
    expected = EXPECTED["rooms"][ROOMS[name]]
    record = old_server.request(f"/api/rooms/{ROOMS[name]}/record.qx").decode()
    assert record == expected["record"]
    room = old_server.join(ROOMS[name], expected["secrets"])
    assert (room.text, room.over, room.rules) == (expected["text"], expected["over"], 1)
    assert room.configured == qx.game("sphero", **room.options).with_rules(1)
    for seat, move in expected["then"]:
        room.play(move, seat)
    assert room.text == expected["text_then"]
    line = [move for _, move in room.moves]
    if not room.live:
        explored = old_server.ask(
            "explore", game="sphero", options=room.options, moves=line, rules=1
        )
        assert explored["text"] == room.text


def test_new_rooms_have_the_newest_rules(old_server):
    made = old_server.create("sphero", ["human"] * 4, start="GB/.Y/AR")
    room = old_server.join(made["id"], made["secrets"])
    room.play("2,2", 0)
    assert (room.rules, room.text) == (2, "RABR/Y.../G...")
    record = Record.read(old_server.request(f"/api/rooms/{room.id}/record.qx").decode())
    assert (record.rules, record.game) == (2, qx.game("sphero"))


def test_the_database_is_sound_and_its_rooms_are_exported(tmp_path):
    write_database(tmp_path)
    report = asyncio.run(check_database(sqlite_url(tmp_path), lambda done, total: None))
    assert (report.rooms, report.problems) == (3, [])

    async def exported():
        database = Database(sqlite_url(tmp_path))
        await database.open()
        try:
            return {room: await record_text(database, room) for room in EXPECTED["rooms"]}
        finally:
            await database.close()

    records = asyncio.run(exported())
    assert records == {room: fields["record"] for room, fields in EXPECTED["rooms"].items()}
