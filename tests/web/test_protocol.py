"""docs/protocol.md is complete: error codes, routes and examples. Its tables are generated."""

import json
import re
from pathlib import Path

import pytest

from quincunx.rooms.messages import ERROR_CODES, parse
from quincunx.web.app import create_app
from tests.rooms.test_schema import validator

PAGE = (Path(__file__).parents[2] / "docs" / "protocol.md").read_text(encoding="utf-8")
EXAMPLES = [json.loads(text) for text in re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)]


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


@pytest.mark.parametrize("example", EXAMPLES[:3], ids=lambda example: example["type"])
def test_the_examples_follow_the_schema(example):
    validator("AnyRequest" if example["type"] == "join" else "AnyMessage").validate(example)


def test_the_example_of_a_request_is_accepted():
    assert parse(json.dumps(EXAMPLES[0])).room == EXAMPLES[0]["room"]


def test_the_example_of_a_new_room_is_accepted(client):
    created = client.create(**EXAMPLES[3])
    assert set(created) == {"id", "secrets"}
