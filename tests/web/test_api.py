"""The HTTP API: every route, every refusal, and what schemathesis makes of its schema."""

import json
from contextlib import suppress
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import Unsatisfiable

import quincunx as qx
from quincunx.registry import GAMES
from quincunx.web.wire import WORDS, Refused
from tests.web.conftest import running


def get(server, path, **headers):
    """Status, headers and body of a request."""
    try:
        with urlopen(Request(f"http://{server.host}{path}", headers=headers)) as answer:
            return answer.status, answer.headers, answer.read()
    except HTTPError as error:
        with error:
            return error.code, error.headers, error.read()


def refused(client, path, body=None):
    with pytest.raises(Refused) as error:
        client.request(path, body)
    assert error.value.word in WORDS
    return error.value.word, error.value.where


def test_all_games_are_offered(client):
    games = {one["name"]: one for one in client.request("/api/games")}
    assert tuple(games) == tuple(GAMES)
    assert games["blocky"]["seats"] == {"least": 1, "most": 4}
    assert games["wzlz"]["solo"]
    assert not games["quorum"]["solo"]
    assert games["quorum"]["colours"] == ["white", "black"]
    assert len(games["onoro"]["levels"]) == 8
    assert games["onoro"]["options"][0]["name"] == "pawns"


@pytest.mark.parametrize("game", GAMES)
def test_every_game_can_be_learnt(game, client):
    assert client.request(f"/api/games/{game}/learn")["sections"]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ({"game": "chess", "players": []}, ("option", "game")),
        ({"game": "quorum", "players": ["human"]}, ("option", "players")),
        ({"game": "quorum", "players": ["human", "alphabet"]}, ("option", "player")),
        ({"game": "quorum", "players": ["human", "mcts:time=60"]}, ("option", "time")),
        ({"game": "quorum", "players": ["human", "smart"]}, ("option", "player")),
        ({"game": "quorum", "players": ["human"] * 2, "options": {"x": 1}}, ("option", "x")),
        ({"game": "quorum", "players": ["human"] * 2, "start": "x"}, ("position", "")),
        ({"game": "quorum", "players": ["human"] * 2, "moves": ["x"]}, ("syntax", "")),
        ({"game": "quorum", "players": ["human"] * 2, "moves": ["a1a2"]}, ("illegal", "")),
        (
            {"game": "sphero", "players": ["human"] * 4, "clock": {"minutes": 1}},
            ("option", "clock"),
        ),
        ({"game": "quorum", "players": ["human"] * 2, "clock": 5}, ("message", "clock")),
        ({"game": "quorum", "players": ["human"] * 2, "colour": 5}, ("message", "colour")),
        ({"players": []}, ("message", "game")),
    ],
)
def test_a_wrong_room_is_refused(client, body, expected):
    assert refused(client, "/api/rooms", body) == expected


def test_listed_rooms_are_listed(client):
    made = client.create("onoro", ["human:ada", "random"], listed=True)
    secret = client.create("onoro", ["human", "random"])
    rows = {row["id"]: row for row in client.request("/api/rooms?state=running&game=onoro")}
    assert rows[made["id"]]["players"][0]["name"] == "ada"
    assert secret["id"] not in rows
    room = client.join(made["id"], made["secrets"])
    client.ask("resign", room=room.id, seat=0)
    assert made["id"] not in [row["id"] for row in client.request("/api/rooms?state=running")]
    over = client.request("/api/rooms?state=finished&count=50")
    assert [row["winners"] for row in over if row["id"] == made["id"]] == [[1]]
    oldest = over[-1]["created"]
    assert client.request(f"/api/rooms?state=finished&before={oldest}") == []


def test_pictures_records_and_animations(client, server):
    made = client.create("quorum", ["human", "human"], moves=["a1e3", "h8d6"])
    path = f"/api/rooms/{made['id']}"
    status, headers, body = get(server, f"{path}/picture.svg?plies=1&theme=dark&flip=true")
    assert (status, headers["content-type"]) == (200, "image/svg+xml")
    assert "sandbox" in headers["content-security-policy"]
    assert body.startswith(b"<svg")
    assert get(server, f"{path}/picture.png")[2].startswith(b"\x89PNG")
    assert get(server, f"{path}/animation.gif")[2].startswith(b"GIF89a")
    record = qx.Record.read(get(server, f"{path}/record.qx")[2].decode())
    assert record.moves == ("a1e3", "h8d6")
    assert refused(client, f"{path}/picture.svg?plies=3") == ("message", "plies")
    assert refused(client, f"{path}/picture.bmp") == ("message", "kind")
    text = record.states()[-1].text
    shown = get(server, f"/api/picture.svg?game=quorum&position={text.replace(' ', '%20')}")[2]
    assert b"<svg" in shown
    assert refused(client, "/api/picture.svg?game=quorum&position=x") == ("position", "")
    assert refused(client, "/api/picture.svg?game=onoro&option=pawns=99") == ("option", "pawns")


def test_texts_are_understood(client):
    assert client.request("/api/read", {"text": ".W/BB w"})["game"] == "onoro"
    assert refused(client, "/api/read", {"text": "hello"}) == ("position", "text")


def test_scores_of_one_seed(client):
    for name in ("ada", "bob", "eve"):
        made = client.create("wzlz", [f"human:{name}"], seed=77, listed=name != "eve")
        room = client.join(made["id"], made["secrets"])
        if name == "bob":
            room.play(room.legal[0][0], 0)
            client.ask("undo", room=room.id, seat=0, number=room.number)
        client.ask("resign", room=room.id, seat=0)
    rows = client.request("/api/scores?game=wzlz&seed=77")
    # Who took something back is not compared, and who did not want to be listed is not shown.
    assert [row["name"] for row in rows] == ["ada"]
    assert client.request("/api/scores?game=wzlz&seed=78") == []
    assert client.request("/api/scores?game=quorum") == []
    assert client.request("/api/daily") == client.request("/api/daily")


def test_ratings_of_bots(client):
    made = client.create("blocky", ["human", "random"], options={"depth": 1, "turns": 1})
    room = client.join(made["id"], made["secrets"])
    client.ask("resign", room=room.id, seat=0)
    rows = {row["player"]: row for row in client.request("/api/ratings?game=blocky")}
    assert rows["random"]["points"] >= 1
    assert rows["random"]["elo"]["value"] > rows["people"]["elo"]["value"]
    assert refused(client, "/api/ratings?game=chess") == ("option", "game")


def test_what_is_not_there(client, server):
    assert refused(client, "/api/rooms/nowhere") == ("room", "room")
    assert refused(client, "/api/nowhere") == ("message", "")
    assert get(server, "/static/../app.py")[0] == 404
    assert get(server, "/static/%2e%2e/app.py")[0] == 404


def test_every_page_is_the_same_file_and_strict(server):
    bodies = set()
    for path in ("/", "/room/abc", "/analysis", "/learn/onoro", "/games"):
        status, headers, body = get(server, path)
        assert status == 200
        policy = headers["content-security-policy"]
        assert "default-src 'self'" in policy
        assert "unsafe" not in policy
        assert headers["x-content-type-options"] == "nosniff"
        bodies.add(body)
    assert len(bodies) == 1
    assert b"<script>" not in bodies.pop()
    assert b"--paper" in get(server, "/static/palette.css")[2]


def test_files_are_sent_again_only_when_they_changed(server):
    _, headers, _ = get(server, "/static/main.js")
    assert get(server, "/static/main.js", **{"if-none-match": headers["etag"]})[0] == 304


def test_a_body_that_is_too_large(client):
    assert refused(client, "/api/read", {"text": "x" * 300_000}) == ("large", "")


def test_other_sites_cannot_post(server):
    body = json.dumps({"game": "quorum", "players": ["human", "human"]}).encode()
    headers = {"content-type": "application/json", "origin": "http://evil.example"}
    with pytest.raises(HTTPError) as error:
        urlopen(Request(f"http://{server.host}/api/rooms", body, headers))
    with error.value as answer:
        assert (answer.code, json.load(answer)["error"]) == (403, "origin")


@pytest.mark.parametrize("mode", ["POSITIVE", "NEGATIVE"])
def test_any_request_is_answered_as_the_schema_says(mode, tmp_path):
    """Requests that fit the schema, and others that do not: never a 500, and answers that fit."""
    schemathesis = pytest.importorskip("schemathesis", reason="schemathesis is not installed")
    from schemathesis.generation import GenerationMode
    from schemathesis.specs.openapi.checks import (
        negative_data_rejection,
        positive_data_acceptance,
    )

    few = settings(
        max_examples=15,
        derandomize=True,
        phases=[Phase.generate],
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    with running(tmp_path) as server:
        schema = schemathesis.openapi.from_url(f"http://{server.host}/api/openapi.json")
        operations = [result.ok() for result in schema.get_all_operations()]
        for operation in operations:
            cases = operation.as_strategy(generation_mode=GenerationMode[mode])

            @few
            @given(cases)
            def ask(case):
                # Which games, options and moves there are is not in the schema.
                others = [positive_data_acceptance]
                response = case.call(timeout=120)  # the first of a kind may have to compile
                if response.text == "Invalid HTTP request received.":
                    return  # a line that is too long never comes to us
                if response.status_code == 413:  # refused before it is read: a right answer, too
                    others.append(negative_data_rejection)
                case.validate_response(response, excluded_checks=others)

            with suppress(Unsatisfiable):  # no parameters, nothing to get wrong
                ask()
        assert len(operations) >= 12
