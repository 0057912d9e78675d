"""The HTTP API: every route, its errors, and random requests generated from the schema."""

import json
from contextlib import suppress
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import Unsatisfiable

import quincunx as qx
from quincunx import registry
from quincunx.registry import BUILT_IN
from quincunx.rooms.messages import ERROR_CODES, RequestError
from tests.toy_game import make_game
from tests.web.conftest import FakeClock, compile_rules, running_server


def get(server, path, **headers):
    """Returns status, headers and body of a GET request."""
    try:
        with urlopen(Request(f"http://{server.host}{path}", headers=headers)) as answer:
            return answer.status, answer.headers, answer.read()
    except HTTPError as error:
        with error:
            return error.code, error.headers, error.read()


def request_error(client, path, body=None):
    with pytest.raises(RequestError) as error:
        client.request(path, body)
    assert error.value.code in ERROR_CODES
    return error.value.code, error.value.where


def test_all_games_are_listed_with_their_options(client):
    games = {game["name"]: game for game in client.request("/api/games")}
    assert tuple(games) == tuple(BUILT_IN)
    assert games["blocky"]["seats"] == {"least": 1, "most": 4}
    assert games["wzlz"]["solo"]
    assert not games["quorum"]["solo"]
    assert games["quorum"]["colours"] == ["white", "black"]
    assert len(games["onoro"]["levels"]) == 8
    assert games["onoro"]["options"][0]["name"] == "pawns"
    assert games["onoro"]["presets"] is None
    assert games["sphero"]["presets"]["presets"][0] == {
        "name": "quick",
        "about": "60 placements each",
        "options": {},
        "per_seat": {"limit": 60},
    }
    assert {name: game["traits"] for name, game in games.items()} == {
        name: qx.game(name).traits.as_dict() for name in BUILT_IN
    }
    offered = {name: [bot["text"] for bot in game["bots"]] for name, game in games.items()}
    assert offered["blocky"] == ["random", "smart:difficulty=50"]
    assert offered["quorum"] == ["random"]


def test_a_game_from_outside_that_fails_does_not_hide_the_others(client, caplog, monkeypatch):
    def traits(options):
        raise KeyError("rule")

    monkeypatch.setitem(registry._registered, "stones", make_game(rules={"traits": traits}))
    for _ in range(2):
        assert [game["name"] for game in client.request("/api/games")] == list(BUILT_IN)
    assert [record.message for record in caplog.records] == [
        "stones cannot be offered: KeyError: 'rule'"
    ]


@pytest.mark.parametrize("game", BUILT_IN)
def test_every_game_has_a_lesson(game, client):
    assert client.request(f"/api/games/{game}/learn")["sections"]


def test_a_picture_of_the_rules_is_drawn_by_its_name(client):
    picture = client.request("/api/games/quorum/pictures/board")
    assert picture["title"] == "Quorum"
    assert len(picture["box"]) == 4
    assert request_error(client, "/api/games/quorum/pictures/x") == ("option", "picture")
    assert request_error(client, "/api/games/chess/pictures/board") == ("option", "game")


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ({"game": "chess", "players": []}, ("option", "game")),
        ({"game": "quorum", "players": ["human"]}, ("option", "players")),
        ({"game": "quorum", "players": ["human", "alphabet"]}, ("option", "player")),
        ({"game": "quorum", "players": ["human", "mcts:time=60"]}, ("option", "time")),
        ({"game": "quorum", "players": ["human", "smart"]}, ("option", "player")),
        ({"game": "quorum", "players": ["human"] * 2, "options": {"x": 1}}, ("option", "x")),
        # A character that UTF-8 cannot represent, but JSON can escape.
        (
            {"game": "quorum", "players": ["human"] * 2, "options": {"\ud800": 1}},
            ("option", "\ud800"),
        ),
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
def test_invalid_rooms_are_rejected(client, body, expected):
    assert request_error(client, "/api/rooms", body) == expected


def test_only_listed_rooms_are_listed(client):
    made = client.create("onoro", ["human:ada", "random"], listed=True)
    unlisted = client.create("onoro", ["human", "random"])
    rows = {row["id"]: row for row in client.request("/api/rooms?state=running&game=onoro")}
    assert rows[made["id"]]["players"][0]["name"] == "ada"
    assert unlisted["id"] not in rows
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
    assert request_error(client, f"{path}/picture.svg?plies=3") == ("message", "plies")
    assert request_error(client, f"{path}/picture.bmp") == ("message", "kind")
    text = record.states()[-1].text
    picture = get(server, f"/api/picture.svg?game=quorum&position={text.replace(' ', '%20')}")[2]
    assert b"<svg" in picture
    assert request_error(client, "/api/picture.svg?game=quorum&position=x") == ("position", "")
    assert request_error(client, "/api/picture.svg?game=onoro&option=pawns=99") == (
        "option",
        "pawns",
    )


def test_a_browser_that_has_a_picture_gets_it_only_if_it_has_changed(client, server):
    made = client.create("quorum", ["human", "human"])
    path = f"/api/rooms/{made['id']}/picture.svg"
    status, headers, first = get(server, path)
    assert (status, headers["cache-control"]) == (200, "no-cache")
    known = {"If-None-Match": headers["etag"]}
    assert get(server, path, **known)[::2] == (304, b"")
    room = client.join(made["id"], made["secrets"])
    client.ask("play", room=room.id, seat=0, move="a1e3", number=0)
    status, _, second = get(server, path, **known)
    assert status == 200
    assert second != first
    any_position = get(server, "/api/picture.svg?game=quorum")
    assert any_position[1]["cache-control"] == "public, max-age=3600"


def test_pasted_text_is_recognised(client):
    assert client.request("/api/read", {"text": ".W/BB w"})["game"] == "onoro"
    assert request_error(client, "/api/read", {"text": "hello"}) == ("position", "text")


def test_best_scores_of_one_seed(client, monkeypatch, server):
    monkeypatch.setattr(server.app.state.lobby.randomness, "seed", lambda: 77)
    for name in ("ada", "bob", "eve", "cat"):
        more = {"seed": 77} if name == "cat" else {}
        made = client.create("wzlz", [f"human:{name}"], listed=name != "eve", **more)
        assert made["fair"] == (name != "cat")
        room = client.join(made["id"], made["secrets"])
        if name == "bob":
            room.play(room.legal[0][0], 0)
            client.ask("undo", room=room.id, seat=0, number=room.number)
        client.ask("resign", room=room.id, seat=0)
    rows = client.request("/api/scores?game=wzlz&seed=77")
    # Games with takebacks or a chosen seed, and unlisted games, are left out.
    assert [row["name"] for row in rows] == ["ada"]
    assert client.request("/api/scores?game=wzlz&seed=78") == []
    assert client.request("/api/scores?game=quorum") == []


def test_best_scores_of_a_day(tmp_path):
    clock = FakeClock()
    with running_server(tmp_path, clock=clock) as server, server.client() as client:
        for fair in (True, False):
            made = client.create("wzlz", ["human"], daily=True, listed=True)
            assert made["fair"] == fair
            room = client.join(made["id"], made["secrets"])
            client.ask("resign", room=room.id, seat=0)
        assert client.request("/api/daily") == {"date": "2023-11-14", "seeds": None}
        (row,) = client.request("/api/scores?game=wzlz&date=2023-11-14")
        assert row["seed"] is None
        assert client.request(f"/api/rooms/{room.id}")["daily"] == "2023-11-14"
        assert client.request("/api/scores?game=wzlz&date=2023-11-13") == []
        clock.advance(86_400)
        (row,) = client.request("/api/scores?game=wzlz&date=2023-11-14")
        published = client.request("/api/daily?date=2023-11-14")
        assert (published["date"], published["seeds"]["wzlz"]) == ("2023-11-14", row["seed"])
        assert client.request(f"/api/rooms/{room.id}")["seed"] == row["seed"]
        for wrong in ("2023-11-16", "today"):
            for path in (f"/api/daily?date={wrong}", f"/api/scores?game=wzlz&date={wrong}"):
                with pytest.raises(RequestError, match="expected") as error:
                    client.request(path)
                assert (error.value.code, error.value.where) == ("option", "date")
        with pytest.raises(RequestError, match="the game of the day has no other seed"):
            client.create("wzlz", ["human"], daily=True, seed=7)


def test_ratings_compare_bots_and_people(client):
    made = client.create("blocky", ["human", "random"], options={"depth": 1, "turns": 1})
    room = client.join(made["id"], made["secrets"])
    client.ask("name", room=room.id, seat=0, name="ada")
    client.ask("resign", room=room.id, seat=0)
    rows = {row["player"]: row for row in client.request("/api/ratings?game=blocky")}
    assert rows["random"]["points"] >= 1
    assert (rows["random"]["kind"], rows["ada"]["kind"]) == ("bot", "human")
    assert rows["random"]["elo"]["value"] > rows["ada"]["elo"]["value"]
    assert request_error(client, "/api/ratings?game=chess") == ("option", "game")


def test_unknown_rooms_routes_and_files_are_not_found(client, server):
    assert request_error(client, "/api/rooms/nowhere") == ("room", "room")
    assert request_error(client, "/api/nowhere") == ("message", "")
    assert get(server, "/static/../app.py")[0] == 404
    assert get(server, "/static/%2e%2e/app.py")[0] == 404


def test_a_browser_gets_a_page_for_an_unknown_address(client, server):
    browser = {"accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
    page = get(server, "/", **browser)[2]
    for path in ("/nowhere", "/static/nowhere.js", "/room/a/b"):
        status, headers, body = get(server, path, **browser)
        assert (status, headers["content-type"]) == (404, "text/html; charset=utf-8")
        assert body == page
    assert get(server, "/nowhere")[2] == page
    for game in ("/new/chess", "/learn/chess"):
        status, _, body = get(server, game)
        assert (status, body) == (404, page)
    for path, accepted in (
        ("/api/nowhere", browser),
        ("/static/nowhere.js", {}),
        ("/api", browser),
    ):
        status, headers, body = get(server, path, **accepted)
        assert (status, headers["content-type"]) == (404, "application/json")
        assert json.loads(body)["text"] == f"{path}: Not Found"


def test_a_browser_gets_a_page_for_a_request_that_is_not_allowed(server):
    headers = {"host": "evil.example"}
    status, received, body = get(server, "/games", accept="text/html", **headers)
    assert (status, received["content-type"]) == (403, "text/html; charset=utf-8")
    assert b"<p>Unknown host name" in body
    for path, accepted in (("/api/games", "text/html"), ("/games", "*/*")):
        assert (
            get(server, path, accept=accepted, **headers)[1]["content-type"] == "application/json"
        )


def test_waiting_for_a_game_to_compile_does_not_count_as_new_rooms(server, client, monkeypatch):
    state, counted = server.app.state, []
    monkeypatch.setattr(state.limiter, "count_new_room", counted.append)
    body = {"game": "quorum", "players": ["human", "human"]}
    with monkeypatch.context() as compiling:
        compiling.setattr(state.lobby.games, "_compiled", set())
        assert request_error(client, "/api/rooms", body) == ("busy", "game")
    assert counted == []
    client.request("/api/rooms", body)
    assert counted == ["127.0.0.1"]


def test_every_page_is_the_same_file_with_a_strict_policy(server):
    bodies = set()
    for path in ("/", "/room/abc", "/analysis", "/learn", "/learn/onoro", "/games"):
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


def test_unchanged_files_are_not_sent_again(server):
    _, headers, _ = get(server, "/static/main.js")
    assert get(server, "/static/main.js", **{"if-none-match": headers["etag"]})[0] == 304


def test_a_body_that_is_too_large_is_rejected(client):
    assert request_error(client, "/api/read", {"text": "x" * 300_000}) == ("large", "")


@pytest.mark.parametrize(
    ("content_type", "body", "expected"),
    [
        ("application/json", b'{"game":', ("json", "the body is not valid JSON, at character 8")),
        ("text/plain", b"{}", ("message", "the body must be a JSON object, with the header ")),
        (
            "application/json",
            b"[]",
            ("message", "the body must be a JSON object, with the header "),
        ),
    ],
)
def test_a_body_that_is_not_a_json_object_is_reported(server, content_type, body, expected):
    with pytest.raises(HTTPError) as error:
        urlopen(Request(f"http://{server.host}/api/rooms", body, {"content-type": content_type}))
    with error.value as answer:
        fields = json.load(answer)
    code, text = expected
    assert (answer.code, fields["error"], fields["where"]) == (422, code, "")
    assert fields["text"].startswith(text)


def test_other_sites_cannot_post(server):
    body = json.dumps({"game": "quorum", "players": ["human", "human"]}).encode()
    headers = {"content-type": "application/json", "origin": "http://evil.example"}
    with pytest.raises(HTTPError) as error:
        urlopen(Request(f"http://{server.host}/api/rooms", body, headers))
    with error.value as answer:
        assert (answer.code, json.load(answer)["error"]) == (403, "origin")


@pytest.mark.heavy
@pytest.mark.parametrize("mode", ["POSITIVE", "NEGATIVE"])
def test_random_requests_are_answered_according_to_the_schema(mode, tmp_path):
    """Valid and invalid requests never give status 500, and every response fits the schema."""
    schemathesis = pytest.importorskip("schemathesis", reason="schemathesis is not installed")
    from schemathesis.generation import GenerationMode
    from schemathesis.specs.openapi.checks import (
        negative_data_rejection,
        positive_data_acceptance,
    )

    few_examples = settings(
        max_examples=15,
        derandomize=True,
        phases=[Phase.generate],
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    for name in BUILT_IN:
        compile_rules(name)
    with running_server(tmp_path) as server:
        schema = schemathesis.openapi.from_url(f"http://{server.host}/api/openapi.json")
        operations = [result.ok() for result in schema.get_all_operations()]
        for operation in operations:
            cases = operation.as_strategy(generation_mode=GenerationMode[mode])

            @few_examples
            @given(cases)
            def check(case):
                # The schema does not say which games, options and moves exist.
                excluded = [positive_data_acceptance]
                response = case.call(timeout=120)
                if response.text == "Invalid HTTP request received.":
                    return  # uvicorn rejects a request line that is too long
                if response.status_code == 413:  # too large, whether valid or not
                    excluded.append(negative_data_rejection)
                case.validate_response(response, excluded_checks=excluded)

            with suppress(Unsatisfiable):  # without parameters nothing can be invalid
                check()
        assert len(operations) >= 12
