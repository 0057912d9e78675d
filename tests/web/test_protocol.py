"""docs/protocol.md is complete: error codes, routes and examples. Its tables are generated."""

import json
import re
from pathlib import Path

from quincunx.rooms.messages import ERROR_CODES, parse
from quincunx.web.app import create_app
from tests.rooms.schema_check import check_request, check_server_message

PAGE = (Path(__file__).parents[2] / "docs" / "protocol.md").read_text(encoding="utf-8")
EXAMPLES = [json.loads(text) for text in re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)]


def test_every_error_code_is_documented():
    assert re.findall(r"^\| `([a-z]+)` \| .* \|$", PAGE.partition("### Errors")[2], re.M)[
        : len(ERROR_CODES)
    ] == list(ERROR_CODES)


PATH_PARTS = {"{room}": "ID", "{game}": "GAME", "{name}": "NAME", ".{kind}": ".svg"}


def test_every_route_is_documented(tmp_path):
    schema = create_app(f"sqlite+aiosqlite:///{tmp_path}/x").openapi()
    for path in schema["paths"]:
        for part, text in PATH_PARTS.items():
            path = path.replace(part, text)
        assert path in PAGE


def test_the_examples_follow_the_schema():
    join, room, event, _ = EXAMPLES
    check_request(join)
    check_server_message(room)
    check_server_message(event)
    assert parse(json.dumps(join)).room == join["room"]


def test_what_the_server_sends_follows_the_schema(client, other):
    """Every message of a game, with pictures and without, and the room over HTTP."""
    made = client.create(**EXAMPLES[3])
    page = other.join(made["id"], view="page")
    room = client.join(made["id"], made["secrets"])
    for joined in (room, page):
        check_server_message(joined.fields)
    check_server_message(client.request(f"/api/rooms/{room.id}"))
    room.play(room.legal[0][0], 0)
    for joined in (room, page):
        check_server_message(joined.wait(30))
    ask = client.ask
    check_server_message(ask("ping"))
    check_server_message(ask("at", room=room.id, plies=0))
    check_server_message(ask("explore", room=room.id, frames=True))
    check_server_message(ask("explore", game="quorum", moves=["a1a1"]))
    check_server_message(ask("analyse", game="quorum", seconds=0.1))
    check_server_message(ask("resign", room=room.id, seat=0))
    check_server_message(ask("mistakes", room=room.id))
