"""The schema has every message with its bounds, and what is generated from it is up to date."""

import dataclasses
import json
import runpy
import sys
from pathlib import Path

import jsonschema_rs
import pytest

from quincunx.rooms import answers, messages
from quincunx.rooms.schema import definition_name, protocol_schema
from tests.rooms.hostile_messages import ACCEPTED, FIELDS, NOT_MESSAGES

GENERATOR = Path(__file__).parents[2] / "docs" / "protocol" / "generate.py"


@pytest.fixture(scope="module")
def generated():
    """Returns the text of each generated file by its path."""
    sys.path.insert(0, str(GENERATOR.parent))
    try:
        return runpy.run_path(str(GENERATOR))["generated"]()
    finally:
        sys.path.remove(str(GENERATOR.parent))


def test_generated_files_are_up_to_date(generated):
    for path, text in generated.items():
        assert path.read_text(encoding="utf-8") == text, f"{path.name}: run `make protocol`"


def test_generated_texts_have_every_type_and_field(generated):
    declarations, page = generated.values()
    for kind in (*messages.REQUESTS.values(), *answers.SERVER_MESSAGES):
        assert f"export interface {definition_name(kind)} " in declarations
        assert f"`{kind.type}`" in page
        for field in dataclasses.fields(kind):
            assert f"  {field.name}" in declarations
            assert f"`{field.name}`" in page


def test_every_request_has_an_answer_of_the_server():
    assert set(answers.ANSWERS) == set(messages.REQUESTS.values())
    assert set(answers.ANSWERS.values()) <= set(answers.SERVER_MESSAGES)


def without_null(value):
    """Returns a message without fields that are null, which stands for an absent field."""
    if not isinstance(value, dict):
        return value
    return {name: inner for name, inner in value.items() if inner is not None}


REQUEST = jsonschema_rs.validator_for(
    {**protocol_schema(), "anyOf": [{"$ref": "#/$defs/AnyRequest"}]}
)


def is_more_lenient(name):
    """True where JSON Schema cannot say what the server checks.

    It counts 2.0 as an integer, and bounds the length of texts but not of numbers.
    """
    return (
        name == "ref of 65 digits"
        or name.startswith('options {"a": 111')
        or (name.endswith((".0", "1e0", "1e5")) and not name.startswith("seconds"))
    )


def readable(text):
    """Returns the value of a JSON text, in which lone surrogates are replaced by question marks."""
    value = json.loads(text)
    return json.loads(json.dumps(value, ensure_ascii=False).encode("utf-8", "replace"))


@pytest.mark.parametrize("name", [name for name in FIELDS if not is_more_lenient(name)])
def test_the_schema_rejects_what_the_server_rejects(name):
    assert not REQUEST.is_valid(without_null(readable(FIELDS[name][0])))


@pytest.mark.parametrize("name", NOT_MESSAGES)
def test_the_schema_rejects_what_is_not_a_message(name):
    assert not REQUEST.is_valid(readable(NOT_MESSAGES[name]))


@pytest.mark.parametrize("name", ACCEPTED)
def test_the_schema_accepts_what_the_server_accepts(name):
    REQUEST.validate(without_null(readable(ACCEPTED[name])))
