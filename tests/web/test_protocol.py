"""docs/protocol.md is complete: all messages, error codes, routes and examples."""

import json
import re
from pathlib import Path

import pytest

from quincunx.rooms.messages import ERROR_CODES, MESSAGES, validate
from quincunx.web.app import create_app

PAGE = (Path(__file__).parents[2] / "docs" / "protocol.md").read_text(encoding="utf-8")
EXAMPLES = [json.loads(text) for text in re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)]


@pytest.mark.parametrize("kind", MESSAGES)
def test_every_message_is_documented_with_its_fields(kind):
    row = next(line for line in PAGE.splitlines() if re.match(rf"\| .*`{kind}`", line))
    fields = row.split("|")[2]
    for name in MESSAGES[kind]:
        if "a board" not in fields or name.rstrip("?") in ("frames", "seconds", "seat"):
            assert f"`{name.rstrip('?')}`" in fields
            assert name.endswith("?") == (f"`{name.rstrip('?')}`?" in fields)


def test_every_error_code_is_documented():
    assert re.findall(r"^\| `([a-z]+)` \| .* \|$", PAGE.partition("### Errors")[2], re.M)[
        : len(ERROR_CODES)
    ] == list(ERROR_CODES)


def test_every_route_is_documented(tmp_path):
    schema = create_app(f"sqlite+aiosqlite:///{tmp_path}/x").openapi()
    for path in schema["paths"]:
        documented = (
            path.replace("{room}", "ID").replace("{game}", "GAME").replace(".{kind}", ".svg")
        )
        assert documented in PAGE


def test_the_examples_have_the_fields_that_are_sent(client):
    join, room, event, new_room = EXAMPLES
    assert validate(join)["room"] == join["room"]
    created = client.create(**new_room)
    joined = client.join(created["id"], created["secrets"])
    assert set(joined.fields) == set(room)
    joined.play(joined.legal[0][0], 0)
    assert set(joined.wait(30)) == set(event)
