"""Files written by commit b6f0123 open in this version, with the same content.

`b6f0123/` holds a server's database, a game file, autosaves, two arena directories and a solved
table as that commit wrote them; `expected.json` is what that commit read from them.
"""

import json
import re
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

import quincunx as qx
from quincunx import solve
from quincunx.arena.run import Tournament
from quincunx.arena.schedule import Plan, make_plan
from quincunx.errors import BadOption
from quincunx.record import load
from quincunx.registry import BUILT_IN
from quincunx.terminal.autosave import load_autosave
from quincunx.train.evaluation_weights import CHECKPOINT_FILE, Tuner
from tests.web.conftest import compile_rules, running_server

OLD = Path(__file__).parent / "b6f0123"
EXPECTED = json.loads((OLD / "expected.json").read_text())
LATER_TAGS = re.compile(r'^\[(Rules "1"|Assisted ".*")\]\n', re.M)  # that records have since then


@pytest.fixture(scope="module")
def old_server(tmp_path_factory):
    data = tmp_path_factory.mktemp("server")
    shutil.copy(OLD / "server" / "rooms.sqlite", data)
    with closing(sqlite3.connect(data / "rooms.sqlite")) as database:
        database.executescript((OLD / "server" / "listed_rooms.sql").read_text())
    for name in BUILT_IN:
        compile_rules(name)
    with running_server(data) as server, server.client() as client:
        yield client


@pytest.mark.parametrize("room", EXPECTED["rooms"])
def test_a_room_is_read_from_the_database(old_server, room):
    expected = dict(EXPECTED["rooms"][room])
    record = old_server.request(f"/api/rooms/{room}/record.qx").decode()
    assert LATER_TAGS.sub("", record) == expected.pop("record")
    fields = old_server.request(f"/api/rooms/{room}")
    fields["players"] = [player["name"] for player in fields["players"]]
    fields["moves"] = " ".join(f"{seat}:{move}" for seat, move in fields["moves"])
    assert {name: fields[name] for name in expected} == expected


def test_a_stored_room_goes_on(old_server):
    owner = EXPECTED["secret"]
    room = old_server.join(owner["room"], {owner["seat"]: owner["secret"]})
    assert room.paused
    old_server.ask("resume", room=room.id, seat=owner["seat"])
    room.wait(30)
    assert not room.paused
    assert room.clocks["left"][0] > 0


def test_listed_rooms_and_their_results_are_read(old_server):
    """In `listed_rooms.sql`: a game with takeback, pause, resignation and rematch; a solo game."""
    owner = {1: "GI1DbCTQb2qz9JJpoiVInQ"}
    room = old_server.join("IjnalfcYsXCZ", owner)
    assert (room.number, room.moves) == (10, [[0, "a1e3"], [1, "h8d6"]])
    assert [player["name"] for player in room.players] == ["ada", "bob"]
    assert room.status == "Black wins: White resigned"
    assert room.clocks == {"left": [299_981, 300_000], "running": None, "increment": 2000}
    assert (room.rematch, room.wishes) == ("wwkFLy3no78v", [0])
    assert old_server.join(room.rematch, {0: owner[1]}).you == [0]
    assert old_server.join("bRDuDbdVc4QD").text.startswith("G......../......C../")
    assert [score["name"] for score in old_server.request("/api/scores?game=wzlz")] == ["eve"]
    # A game with a takeback is not rated; the only other game of Quorum is in `rooms.sqlite`.
    assert [row["games"] for row in old_server.request("/api/ratings?game=quorum")] == [1, 1]


def test_a_game_file_is_read():
    records, problems = load(OLD / "games.qx")
    assert not problems
    for record in records:
        expected = EXPECTED["records"][record.game.name]
        state = record.states()[-1]
        assert (len(record.moves), state.text) == (expected["plies"], expected["text"])
        packed = bytes.fromhex(expected["packed"])
        assert state.pack() == packed
        assert record.game.unpack(packed) == state
    assert {record.game.name for record in records} == set(EXPECTED["records"])


@pytest.mark.parametrize("name", EXPECTED["autosave"])
def test_an_autosave_is_loaded(name, tmp_path, monkeypatch):
    shutil.copytree(OLD / "autosave", tmp_path / "unfinished")
    monkeypatch.setenv("QUINCUNX_DATA", str(tmp_path))
    record = load_autosave(name)
    assert list(record.moves) == EXPECTED["autosave"][name]["moves"]
    assert record.states()[-1].text == EXPECTED["autosave"][name]["text"]


def test_an_unfinished_tournament_is_read(tmp_path):
    """Games of two versions are never mixed, so only the results so far can be used."""
    directory = shutil.copytree(OLD / "arena", tmp_path / "arena")
    before = (directory / "games.qx").read_bytes()
    plan = Plan.from_dict(json.loads((directory / "plan.json").read_text()))
    tournament = Tournament(plan, directory)
    try:
        assert sorted(tournament.outcomes) == EXPECTED["arena"]["games"]
        assert not tournament.results.complete
    finally:
        tournament.close()
    new_plan = make_plan(qx.game("quorum"), ["random", "greedy"], games=6, seed=2)
    with pytest.raises(BadOption, match="sources of quincunx or of a player have changed"):
        Tournament(new_plan, directory)
    assert (directory / "games.qx").read_bytes() == before


def test_a_finished_tournament_has_the_same_results(tmp_path):
    directory = shutil.copytree(OLD / "arena-finished", tmp_path / "arena")
    plan = Plan.from_dict(json.loads((directory / "plan.json").read_text()))
    tournament = Tournament(plan, directory)
    try:
        rows = tournament.results.as_dict()["players"]
    finally:
        tournament.close()
    fields = ("name", "points", "wins", "draws", "losses")
    assert [[row[field] for field in fields] for row in rows] == EXPECTED["arena_finished"][
        "points"
    ]


def test_a_solved_table_is_probed(tmp_path):
    shutil.copy(OLD / "tables" / "onoro-3.table", tmp_path)
    game = qx.game("onoro", pawns=3, repetition=0)
    for text, expected in EXPECTED["table"].items():
        verdict = solve.probe(game.read(text), tmp_path)
        assert [verdict.value, verdict.distance] == expected


def test_a_training_checkpoint_is_resumed(tmp_path):
    """The checkpoint of that commit is a .npz of these arrays; real ones have several MB."""
    game = qx.game("wzlz")
    count = len(game.kernel.WEIGHTS)
    np.savez(
        tmp_path / CHECKPOINT_FILE,
        weights=np.arange(count, dtype=np.float32),
        drift=np.full(count, 2, np.float32),
        sway=np.full(count, 3, np.float32),
        results=np.array([[10.0, 4.0], [20.0, 6.0]]),
        seed=5,
        game=repr(game),
    )
    tuner = Tuner(game, seed=1)
    assert tuner.resume(tmp_path)
    assert (tuner.games, tuner.seed) == (2, 5)
    assert (tuner.weights == np.arange(count)).all()
