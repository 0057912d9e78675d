"""The WebSocket as pages and bots use it: a real server and real connections."""

import json
import random

import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from quincunx.draw.animation import apply_delta
from quincunx.draw.scene import Button, Controls
from quincunx.registry import BUILT_IN, game
from quincunx.rooms.messages import ERROR_CODES, PROTOCOL, REQUESTS, RequestError
from quincunx.rooms.room import SUBSTITUTE_BOT
from quincunx.web.limits import Limits
from tests.web.conftest import FakeClock, compile_analysis, compile_bot, running_server


def error_code(client, kind, **fields):
    with pytest.raises(RequestError) as error:
        client.ask(kind, **fields)
    assert error.value.code in ERROR_CODES
    return error.value.code


def moves_of(tree):
    """Returns the moves in a tree of clicks, in its order."""
    return [
        move for name, node in tree.items() for move in ([node] if name == "" else moves_of(node))
    ]


def two_people(client, other):
    """Joins the two seats of a new room with two clients; returns their rooms and the secrets."""
    made = client.create("quorum", ["human", "human"])
    white, black = (
        each.join(made["id"], {seat: made["secrets"][seat]})
        for each, seat in ((client, "0"), (other, "1"))
    )
    return (
        white,
        black,
        {str(seat): secret for seat, secret in (white.secrets | black.secrets).items()},
    )


def next_event(room, kind):
    """Waits for the next event of a kind."""
    while True:
        message = room.wait(30)
        if message["kind"] == kind:
            return message


@pytest.mark.parametrize("name", BUILT_IN)
def test_frames_keep_the_picture_of_a_page_up_to_date(name, client, other):
    """A page that applies every frame has the picture that a new page gets."""
    made = client.create(name, ["human"] * game(name).seats, seed=3)
    room = client.join(made["id"], made["secrets"])
    page = other.join(made["id"], view="page")
    picture, rng = page.picture, random.Random(1)
    assert page.legal == {}
    for _ in range(6):
        if room.over:
            break
        seat = rng.choice(sorted(room.legal))
        room.play(rng.choice(room.legal[seat]), seat)
        message = page.wait(30)
        for frame in message["frames"]:
            picture = apply_delta(picture, frame["picture"])
    current = other.ask("look", room=made["id"], flip=False)["picture"]
    assert picture["shapes"] == current["shapes"]
    assert other.ask("look", room=made["id"], flip=True)["type"] == "picture"


def test_a_page_gets_clicks_and_a_bot_gets_move_texts(client, other):
    made = client.create("quorum", ["human", "human"])
    bot = client.join(made["id"], made["secrets"])
    page = other.join(made["id"], bot.secrets, view="page")
    assert bot.legal[0][0] == "a1a5"
    assert page.legal[0]["a1"]["a5"] == {"": "a1a5"}
    assert moves_of(page.legal[0]) == bot.legal[0]
    assert 1 not in bot.legal
    assert page.controls["buttons"][0]["word"] == "place"


def test_a_page_gets_the_controls_of_the_options(client, monkeypatch):
    def controls(game):
        return Controls((Button("repetition", str(game.options["repetition"]), "r", "an option"),))

    monkeypatch.setattr(game("quorum").parts.layout, "controls", controls, raising=False)
    made = client.create("quorum", ["human", "human"], options={"repetition": 0})
    page = client.join(made["id"], made["secrets"], view="page")
    assert [button["label"] for button in page.controls["buttons"]] == ["0"]


def test_a_page_knows_its_move_when_it_has_been_played(client):
    """The picture of a move is drawn after its acknowledgement, whose number says what to await."""
    made = client.create("quorum", ["human", "human"])
    page = client.join(made["id"], made["secrets"], view="page")
    page.play("a1e3", 0)
    assert (page.number, page.turn) == (1, 1)
    page.play("h8d6", 1)
    assert page.wait(30)["frames"]


def test_late_and_duplicate_moves_are_rejected(client, other):
    white, black, _ = two_people(client, other)
    play = {"room": white.id, "seat": 0, "move": "a1e3", "number": 0}
    client.send("play", **play, ref="one")
    client.send("play", **play, ref="two")
    answers = {}
    while len(answers) < 2:
        message = client.hear(30)
        if "ref" in message:
            answers[message["ref"]] = message.get("error", message["type"])
    assert answers == {"one": "ok", "two": "late"}
    black.wait(30)
    assert error_code(other, "play", room=black.id, seat=1, move="h8d6", number=0) == "late"
    assert black.plies == 1
    black.play("h8d6", 1)


def test_only_the_secret_of_a_seat_allows_moving_it(client, other):
    white, black, secrets = two_people(client, other)
    play = {"room": white.id, "move": "a1e3", "number": 0}
    assert error_code(other, "play", seat=0, **play) == "secret"
    assert error_code(other, "play", seat=5, **play) == "seat"
    for wrong, code in (
        ({"0": secrets["1"]}, "secret"),
        ({"0": ""}, "secret"),
        ({"7": "x"}, "seat"),
    ):
        assert error_code(other, "join", room=white.id, secrets=wrong) == code
    assert error_code(other, "play", seat=0, **play) == "secret"
    assert (white.number, black.number) == (0, 0)


def test_a_spectator_cannot_change_anything(client, other):
    made = client.create("quorum", ["human", "level:1"])
    room = client.join(made["id"], made["secrets"])
    watcher = other.join(made["id"])
    fields = {"move": "a1e3", "number": 0, "yes": True, "name": "x"}
    for kind in ("play", "undo", "answer", "resign", "pause", "resume", "rematch", "name", "hint"):
        assert error_code(other, kind, room=made["id"], seat=0, **fields) == "secret"
    assert error_code(other, "play", room="elsewhere", seat=0, **fields) == "room"
    room.play("a1e3", 0)
    assert next_event(watcher, "play")["move"] == "a1e3"
    assert watcher.you == []
    assert watcher.legal == {}
    fields = json.dumps(watcher.fields)
    assert all(secret not in fields for secret in made["secrets"].values())


def test_a_bot_moves_on_its_turn(client):
    made = client.create("quorum", ["level:1", "human"])
    room = client.join(made["id"], made["secrets"])
    while 1 not in room.legal:
        room.wait(30)
    room.play(room.legal[1][0], 1)
    while room.plies < 3:
        room.wait(30)
    assert room.turn == 1


def test_anyone_may_move_in_sphero(client, other):
    """Simultaneous moves of two people are both played; a bot moves at its pace."""
    made = client.create("sphero", ["human", "human", "random"], options={"players": 3}, pace=0.2)
    room = client.join(made["id"], made["secrets"])
    client.send("play", room=room.id, seat=0, move="0,1", number=0)
    client.send("play", room=room.id, seat=1, move="0,1", number=0)
    client.send("play", room=room.id, seat=1, move="1,0", number=0)
    seats, errors = [], []
    while not {0, 1, 2} <= set(seats):
        message = client.hear(30)
        if message["type"] == "event":
            seats.append(message["seat"])
        elif message["type"] == "error":
            errors.append(message["error"])
    assert errors == ["illegal"]


def test_undo_needs_the_consent_of_other_people(client, other):
    white, black, _ = two_people(client, other)
    white.play("a1e3", 0)
    client.ask("undo", room=white.id, seat=0, number=white.number)
    assert next_event(black, "asked")["asked"] == {"by": 0, "agreed": []}
    other.ask("answer", room=black.id, seat=1, yes=True, number=black.number)
    assert next_event(white, "undo")["plies"] == 0
    assert white.legal[0]


def test_a_pause_needs_the_consent_of_other_people(client, other):
    white, black, _ = two_people(client, other)
    client.ask("pause", room=white.id, seat=0)
    event = next_event(black, "pause_asked")
    assert (event["paused"], event["pause_asked"]) == (False, {"by": 0, "agreed": []})
    other.ask("answer", room=black.id, seat=1, yes=False, number=black.number)
    event = next_event(white, "pause_answer")
    assert (event["yes"], event["pause_asked"]) == (False, None)
    client.ask("pause", room=white.id, seat=0)
    assert next_event(black, "pause_asked")["seat"] == 0
    other.ask("answer", room=black.id, seat=1, yes=True, number=black.number)
    assert next_event(white, "pause")["paused"]
    other.ask("resume", room=black.id, seat=1)
    assert not next_event(white, "resume")["paused"]


def test_undo_against_bots_needs_no_consent(client, other):
    made = client.create("quorum", ["human", "random"])
    room = client.join(made["id"], made["secrets"])
    page = other.join(made["id"], view="page")
    room.play("a1e3", 0)
    while room.plies < 2:
        room.wait(30)
    client.ask("undo", room=room.id, seat=0, number=room.number)
    assert room.plies == 0
    message = next_event(page, "undo")
    assert message["picture"]["shapes"] == page.fields["picture"]["shapes"]


def test_after_resigning_only_the_bot_moves_the_seat(client):
    options = {"players": 3, "depth": 2}
    compile_bot(SUBSTITUTE_BOT, game("blocky", **options))
    made = client.create("blocky", ["human"] * 3, options=options)
    room = client.join(made["id"], made["secrets"])
    client.ask("pause", room=room.id, seat=1)
    client.ask("resign", room=room.id, seat=0)
    client.ask("resume", room=room.id, seat=1)
    assert 0 not in room.legal
    fields = {"move": "pass", "number": room.number}
    for kind in ("play", "undo", "resign", "pause", "resume"):
        assert error_code(client, kind, room=room.id, seat=0, **fields) == "refused"
    client.ask("name", room=room.id, seat=0, name="ada")
    while 1 not in room.legal:
        room.wait(30)
    room.play("pass", 1)


def test_a_rematch_rotates_the_seats(client, other):
    white, _, secrets = two_people(client, other)
    client.ask("resign", room=white.id, seat=0)
    client.ask("rematch", room=white.id, seat=0)
    other.ask("rematch", room=white.id, seat=1)
    new_secrets = {}
    for each in (client, other):
        while (message := each.hear(30))["type"] != "rematched":
            pass
        new_secrets |= message["secrets"]
    assert new_secrets == {"1": secrets["0"], "0": secrets["1"]}
    rematch = client.join(message["to"], {"1": secrets["0"]})
    assert rematch.you == [1]
    assert client.request(f"/api/rooms/{white.id}")["rematch"] == message["to"]


def test_others_are_notified_of_joining_and_leaving(client, server):
    made = client.create("quorum", ["human:ada", "human"])
    room = client.join(made["id"], {"0": made["secrets"]["0"]})
    with server.client() as other:
        assert other.join(made["id"], {"1": made["secrets"]["1"]}).seats_here == [0, 1]
        here = {"type": "here", "room": room.id, "seat": 1, "here": True}
        assert client.hear(30) == {**here, "seat": 0, "taken": True}  # by this client itself
        assert client.hear(30) == here
        assert client.hear(30) == {**here, "taken": True}
        other.ask("name", room=room.id, seat=1, name="<b>Bo\u202eb</b>")
        assert next_event(room, "name")["name"] == "<b>Bob</b>"
    assert client.hear(30) == {"type": "here", "room": room.id, "seat": 1, "here": False}


def test_an_older_position_can_be_shown(client):
    made = client.create("quorum", ["human", "human"], moves=["a1e3", "h8d6"])
    room = client.join(made["id"], made["secrets"])
    assert room.moves == [[0, "a1e3"], [1, "h8d6"]]
    first = client.ask("at", room=room.id, plies=0)
    assert (first["plies"], first["turn"]) == (0, 0)
    assert error_code(client, "at", room=room.id, plies=3) == "message"


def test_variations_can_be_explored(client):
    answer = client.ask("explore", game="quorum", moves=["a1e3", "h8d6"], frames=True)
    assert answer["turn"] == 0
    picture = answer["before"]
    for frame in answer["frames"]:
        picture = apply_delta(picture, frame["picture"])
    assert picture["shapes"] == answer["picture"]["shapes"]
    illegal = client.ask("explore", game="quorum", moves=["a1e3", "a1e3"])
    assert illegal["plies"] == 1
    assert (illegal["error"]["error"], illegal["error"]["where"]) == ("illegal", "moves.1")
    assert error_code(client, "explore", moves=[]) == "message"
    assert error_code(client, "explore", game="quorum", start="x") == "position"
    assert error_code(client, "explore", game="wzlz", options={"rows": 99}) == "option"


def test_the_future_of_a_running_game_cannot_be_explored(client):
    """In a game with chance the future is drawn again, and the seed is not sent."""
    made = client.create("wzlz", ["human"])
    room = client.join(made["id"], made["secrets"])
    assert room.seed is None
    answer = client.ask("explore", room=room.id, moves=[])
    assert answer["text"] == room.text
    move = moves_of(answer["ways"])[0]
    explored = client.ask("explore", room=room.id, moves=[move])["text"]
    room.play(move, 0)
    assert explored != room.text
    client.ask("resign", room=room.id, seat=0)
    assert client.request(f"/api/rooms/{room.id}")["seed"] is not None


def test_analysis_deepens_and_can_be_stopped(client):
    for analysed in (game("onoro", pawns=5), game("onoro", pawns=3), game("quorum")):
        compile_analysis(analysed)
    client.send("analyse", game="onoro", options={"pawns": 5}, seconds=0.3, ref="a")
    while not (message := client.hear(60)).get("done"):
        assert message["type"] == "opinions"
    assert len(message["moves"]) == 3
    assert message["moves"][0]["clicks"]
    solved = client.ask("analyse", game="onoro", options={"pawns": 3})
    assert (solved["exact"], solved["value"], solved["done"]) == (True, 0.0, True)
    assert client.ask("analyse", game="quorum", seconds=0.1)["exact"] is False
    client.send("analyse", game="quorum", seconds=10, ref="b")
    client.ask("stop")
    assert error_code(client, "analyse", game="quorum", start="7B/8/8/3WW3/3WW3/8/8/8 b") == "over"


def test_hints_are_allowed_only_against_bots(client, other):
    compile_analysis(game("quorum"))
    made = client.create("quorum", ["human", "random"])
    room = client.join(made["id"], made["secrets"])
    assert client.ask("hint", room=room.id, seat=0)["move"] in room.legal[0]
    white, _, _ = two_people(client, other)
    assert error_code(client, "hint", room=white.id, seat=0) == "refused"
    assert error_code(client, "analyse", room=white.id) == "refused"


def test_a_game_can_be_reviewed_after_it_has_ended(client):
    compile_analysis(game("quorum"))
    made = client.create("quorum", ["human", "human"], moves=["a1e3", "h8d6"])
    room = client.join(made["id"], made["secrets"])
    assert error_code(client, "mistakes", room=room.id) == "refused"
    client.ask("resign", room=room.id, seat=0)
    client.send("mistakes", room=room.id, ref=9)
    while not (message := client.hear(60)).get("done"):
        pass
    assert all({"plies", "seat", "move", "best"} <= set(mistake) for mistake in message["moves"])


def test_the_clock_of_a_seat_expires(tmp_path):
    clock = FakeClock()
    with running_server(tmp_path, clock=clock) as server, server.client() as client:
        made = client.create("quorum", ["human", "human"], clock={"minutes": 1, "increment": 2})
        room = client.join(made["id"], made["secrets"])
        room.play("a1e3", 0)
        room.play("h8d6", 1)
        clock.advance(10)
        room.play(room.legal[0][0], 0)
        assert room.clocks["left"] == [52_000, 60_000]
        client.ask("pause", room=room.id, seat=0)
        clock.advance(1000)
        client.ask("resume", room=room.id, seat=0)
        assert room.clocks["left"] == [52_000, 60_000]
        clock.advance(60)
        assert next_event(room, "flag")["winners"] == [0]
        assert error_code(client, "play", room=room.id, seat=1, move="x", number=9) == "over"


def test_time_without_a_server_is_not_counted(tmp_path):
    """Clocks continue from the last heartbeat of the server."""
    clock = FakeClock()
    with running_server(tmp_path, clock=clock) as server, server.client() as client:
        made = client.create("quorum", ["human", "human"], clock={"minutes": 1, "increment": 0})
        room = client.join(made["id"], made["secrets"])
        room.play("a1e3", 0)
        room.play("h8d6", 1)
    clock.advance(3600)
    with running_server(tmp_path, clock=clock) as server, server.client() as client:
        room = client.join(made["id"], room.secrets)
        assert room.clocks == {"left": [60_000, 60_000], "running": 0, "increment": 0}
        clock.advance(60)
        assert next_event(room, "flag")["seat"] == 0


def test_other_sites_cannot_connect(server):
    with (
        pytest.raises(InvalidStatus) as refused,
        connect(f"ws://{server.host}/socket", origin="http://evil.example"),
    ):
        pass
    assert refused.value.response.status_code == 403
    with connect(f"ws://{server.host}/socket", origin=f"http://{server.host}") as socket:
        socket.send('{"type": "ping"}')
        assert json.loads(socket.recv(30)) == {"type": "pong", "protocol": PROTOCOL}


def test_messages_rooms_and_sockets_are_limited(tmp_path):
    limits = Limits(
        messages_per_second=0.001,
        requests_per_second=100,
        rooms_per_second=0.001,
        max_sockets=2,
        burst_seconds=5000,
        loopback_factor=1,
    )
    with running_server(tmp_path, limits) as server, server.client() as client:
        made = client.create("quorum", ["human", "human"])
        client.join(made["id"])
        for _ in range(4):
            client.create("quorum", ["human", "human"])
        with pytest.raises(RequestError) as error:
            client.create("quorum", ["human", "human"])
        assert error.value.code == "rate"
        codes = [error_code(client, "play", room="x", seat=0, move="x", number=0) for _ in range(6)]
        assert codes == ["room"] * 4 + ["rate"] * 2
        with (
            server.client(),
            pytest.raises(InvalidStatus) as refused,
            connect(f"ws://{server.host}/socket"),
        ):
            pass
        assert refused.value.response.status_code == 403


def test_rematches_count_as_new_rooms(tmp_path):
    limits = Limits(rooms_per_second=0.001, burst_seconds=2000, loopback_factor=1)
    with running_server(tmp_path, limits) as server, server.client() as client:
        made = client.create("wzlz", ["human"])
        first = client.join(made["id"], made["secrets"])
        client.ask("resign", room=first.id, seat=0)
        client.ask("rematch", room=first.id, seat=0)
        second = client.join(first.to, first.secrets)
        client.ask("resign", room=second.id, seat=0)
        assert error_code(client, "rematch", room=second.id, seat=0) == "rate"
        assert client.request(f"/api/rooms/{second.id}")["wishes"] == []


def test_large_and_binary_messages_are_rejected(server):
    with connect(f"ws://{server.host}/socket") as socket:
        surrogate = json.dumps({"type": "join", "room": "\ud800"})
        for message, code in (
            *(("x" * 70_000, "large"), (b"{}", "json"), ("{", "json")),
            *((surrogate, "room"), (surrogate.replace("\\ud800", "\\u0000"), "room")),
            *(('{"type": "ping", "ref": 1e999}', "json"), ('{"ref": -1e999}', "json")),
        ):
            socket.send(message)
            assert json.loads(socket.recv(30))["error"] == code


def hostile_message(rng, rooms):
    """Returns a message with fields that are missing, of the wrong type, too long, or nonsense."""
    junk = [None, True, -1, 2**70, 1e308, "", "a1e3", "\ud800", "'; drop table rooms", [], {}, [[]]]
    kind = rng.choice([*REQUESTS, "admin", ""])
    message = {"type": kind, "ref": rng.choice([1, "x", *junk])}
    for field in ("room", "seat", "move", "number", "yes", "name", "secrets", "plies", "moves"):
        if rng.random() < 0.7:
            message[field] = rng.choice([*junk, rng.randrange(5), *rooms])
    text = json.dumps(message).replace("1e+308", rng.choice(["1e308", "1e999", "-1e999"]))
    return text if rng.random() < 0.8 else text[: rng.randrange(len(text))]


def test_thousands_of_hostile_messages_change_nothing(client, server):
    made = client.create("quorum", ["human", "human"], moves=["a1e3"])
    before = client.request(f"/api/rooms/{made['id']}")
    rng = random.Random(11)
    with connect(f"ws://{server.host}/socket", max_size=None) as socket:
        for _ in range(30):
            for _ in range(100):
                socket.send(hostile_message(rng, [made["id"]]))
            socket.send('{"type": "ping", "ref": "done"}')
            while (answer := json.loads(socket.recv(60))).get("ref") != "done":
                assert answer["type"] in ("error", "room", "picture", "pong", "ok", "position")
                assert answer["type"] != "error" or answer["error"] in ERROR_CODES
    assert client.request(f"/api/rooms/{made['id']}") == before


def test_a_move_is_sent_even_if_its_picture_fails(client, other, monkeypatch):
    made = client.create("quorum", ["human", "human"])
    room = client.join(made["id"], made["secrets"])
    page = other.join(made["id"], view="page")

    def fail(*args):
        raise ZeroDivisionError

    with monkeypatch.context() as patch:
        patch.setattr("quincunx.draw.animation.Animation.play", fail)
        room.play("a1e3", 0)
        assert "frames" not in page.wait(30)
    room.play(room.legal[1][0], 1)
    assert page.wait(30)["picture"]["shapes"]
