"""Checks messages against the schema of the protocol; fields that it does not have are errors."""

from collections import defaultdict

import jsonschema_rs

from quincunx.rooms import answers, messages
from quincunx.rooms.schema import definition_name, protocol_schema

SCHEMA = protocol_schema()


def _closed_definitions():
    """Returns the definitions of the schema, without room for further fields."""
    definitions = dict(SCHEMA["$defs"])
    for kind in (*messages.REQUESTS.values(), *answers.SERVER_MESSAGES):
        name = definition_name(kind)
        definitions[name] = {**definitions[name], "unevaluatedProperties": False}
    for name, definition in definitions.items():
        if "allOf" not in definition and name.endswith("Fields"):
            definitions[name] = {**definition, "additionalProperties": False}
    return definitions


def _validators(kinds):
    """Returns a validator for each type of message, by its name."""
    names = defaultdict(list)
    for kind in kinds:
        names[kind.type].append({"$ref": f"#/$defs/{definition_name(kind)}"})
    schema = {**SCHEMA, "$defs": _closed_definitions()}
    return {
        kind: jsonschema_rs.validator_for({**schema, "anyOf": references})
        for kind, references in names.items()
    }


REQUEST_VALIDATORS = _validators(messages.REQUESTS.values())
SERVER_VALIDATORS = _validators(answers.SERVER_MESSAGES)


def check_request(message):
    """Raises jsonschema_rs.ValidationError unless a message follows the schema of its type."""
    REQUEST_VALIDATORS[message["type"]].validate(message)


def check_server_message(message):
    """Raises jsonschema_rs.ValidationError unless a message follows the schema of its type."""
    SERVER_VALIDATORS[message["type"]].validate(message)
