"""The page of the protocol says what the server does: all messages, words, routes and examples."""

import json
import re
from pathlib import Path

import pytest

from quincunx.web.app import create_app
from quincunx.web.wire import MESSAGES, WORDS, checked

PAGE = (Path(__file__).parents[2] / "docs" / "protocol.md").read_text(encoding="utf-8")
EXAMPLES = [json.loads(text) for text in re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)]


@pytest.mark.parametrize("kind", MESSAGES)
def test_every_message_stands_there_with_its_fields(kind):
    row = next(line for line in PAGE.splitlines() if re.match(rf"\| .*`{kind}`", line))
    fields = row.split("|")[2]
    for name in MESSAGES[kind]:
        if "a board" not in fields or name.rstrip("?") in ("frames", "seconds", "seat"):
            assert f"`{name.rstrip('?')}`" in fields
            assert name.endswith("?") == (f"`{name.rstrip('?')}`?" in fields)


def test_every_error_word_stands_there():
    assert re.findall(r"^\| `([a-z]+)` \| .* \|$", PAGE.partition("### Errors")[2], re.M)[
        : len(WORDS)
    ] == list(WORDS)


def test_every_route_stands_there(tmp_path):
    schema = create_app(f"sqlite+aiosqlite:///{tmp_path}/x").openapi()
    for path in schema["paths"]:
        shown = path.replace("{room}", "ID").replace("{game}", "GAME").replace(".{kind}", ".svg")
        assert shown in PAGE


def test_the_examples_are_what_is_sent(client):
    join, room, event, made = EXAMPLES
    assert checked(join)["room"] == join["room"]
    new = client.create(**made)
    seen = client.join(new["id"], new["secrets"])
    assert set(seen.fields) == set(room)
    seen.play(seen.legal[0][0], 0)
    assert set(seen.wait(30)) == set(event)
