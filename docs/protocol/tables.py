"""The tables of docs/protocol.md, from the schema of the protocol."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from quincunx.rooms.answers import ANSWERS, SERVER_MESSAGES
from quincunx.rooms.messages import REQUESTS
from quincunx.rooms.schema import definition_name, protocol_schema

# Types whose fields several messages share, and what the page calls these fields.
SHARED = {
    "StatusMessage": "the status",
    "RoomStatusMessage": "the status of the room",
    "BoardRequest": "a board",
}
PARTS = (
    *("PlayerFields", "ClockFields", "AskedFields", "OpinionFields", "MistakeFields"),
    *("ErrorFields", "PhraseFields"),
)
WORDS = {"string": "text", "boolean": "true or false"}
PLURALS = {"text": "texts", "integer": "integers", "number": "numbers"}

Schema = dict[str, Any]
DEFINITIONS: dict[str, Schema] = protocol_schema()["$defs"]


def with_tables(page: str) -> str:
    """Returns the page with the present tables between its markers."""
    tables = {"requests": requests, "request-fields": request_fields, "answers": answers}
    for name, table in tables.items():
        before, marker, rest = page.partition(f"<!-- generated: {name} -->\n")
        _, end, after = rest.partition("<!-- end -->")
        assert end, f"docs/protocol.md has no place for the table {name}"
        page = before + marker + "\n" + table() + "\n" + end + after
    return page


def requests() -> str:
    """Returns the table of requests with their fields and answers."""
    rows = []
    for kind, request in REQUESTS.items():
        names = ", ".join(_field_names(definition_name(request)))
        about = DEFINITIONS[definition_name(request)]["description"]
        rows.append((f"`{kind}`", names, about.rstrip("."), f"`{ANSWERS[request].type}`"))
    return _table(("type", "fields", "what it does", "answer"), rows)


def request_fields() -> str:
    """Returns the table of the fields of requests, with their values and bounds."""
    rows = {
        (f"`{name}`", value_text(schema), schema.get("description", ""))
        for request in REQUESTS.values()
        for name, schema, _ in all_fields(definition_name(request))
    }
    return _table(("field", "value", "meaning"), sorted(rows))


def answers() -> str:
    """Returns the tables of the fields of all messages of the server, and of their parts."""
    texts = []
    for message in SERVER_MESSAGES:
        name = definition_name(message)
        texts.append(_message_table(f"**`{message.type}`**", name))
    for name in SHARED:
        if not name.endswith("Request"):
            texts.append(_message_table(f"**{SHARED[name].capitalize()}**", name))
    for name in PARTS:
        texts.append(_message_table(f"**{name}**", name))
    return "\n".join(texts)


def all_fields(name: str) -> Iterator[tuple[str, Schema, bool]]:
    """Yields the fields of a type and of its bases: name, schema, whether it is required."""
    definition = DEFINITIONS[name]
    for base in definition.get("allOf", []):
        yield from all_fields(_referred(base))
    for field, schema in definition["properties"].items():
        if field != "type":
            yield field, schema, field in definition["required"]


def _field_names(name: str) -> Iterator[str]:
    """Yields the fields of a request, with a question mark if they are optional."""
    definition = DEFINITIONS[name]
    for base in map(_referred, definition.get("allOf", [])):
        if base in SHARED:
            yield SHARED[base]
        else:
            yield from _field_names(base)
    for field in definition["properties"]:
        if field not in ("type", "ref"):
            yield f"`{field}`" + "?" * (field not in definition["required"])


def _message_table(title: str, name: str) -> str:
    """Returns a paragraph about a type, and the table of its own fields."""
    definition = DEFINITIONS[name]
    shared = [
        SHARED[base] for base in map(_referred, definition.get("allOf", [])) if base in SHARED
    ]
    also = f" It has the fields of {shared[0]}, and:" if shared else ""
    rows = [
        (
            f"`{field}`" + "?" * (field not in definition["required"]),
            value_text(schema),
            schema.get("description", ""),
        )
        for field, schema in definition["properties"].items()
        if field != "type"
    ]
    about = definition["description"]
    text = f"{title}: {about[0].lower()}{about[1:]}{also}\n"
    return text + ("\n" + _table(("field", "value", "meaning"), rows) if rows else "")


def _table(header: Iterable[str], rows: Iterable[tuple[str, ...]]) -> str:
    header = list(header)
    lines = [f"| {' | '.join(cells)} |\n" for cells in [header, *rows]]
    return "".join([lines[0], "|" + "---|" * len(header) + "\n", *lines[1:]])


def _referred(schema: Schema) -> str:
    return str(schema["$ref"]).rpartition("/")[2]


def value_text(schema: Schema) -> str:
    """Returns which values a schema allows, in words."""
    if "$ref" in schema:
        return f"`{_referred(schema)}`"
    if "const" in schema:
        return str(schema["const"])
    if "enum" in schema:
        return ", ".join(f"`{value}`" for value in schema["enum"])
    if "anyOf" in schema:
        return " or ".join(value_text(member) for member in schema["anyOf"])
    if "prefixItems" in schema:
        return f"[{', '.join(value_text(item) for item in schema['prefixItems'])}]"
    kind = schema["type"]
    if kind == "array":
        most = f"up to {schema['maxItems']:,} " if "maxItems" in schema else ""
        return f"list of {most}{_items_text(schema['items'])}"
    if kind == "object":
        by = "seat" if "pattern" in schema["propertyNames"] else "name"
        most = f"up to {schema['maxProperties']} " if "maxProperties" in schema else ""
        return f"object of {most}{_items_text(schema['additionalProperties'])}, by {by}"
    kinds = [kind] if isinstance(kind, str) else kind
    if "number" in kinds:
        kinds = [each for each in kinds if each != "integer"]
    return _joined([WORDS.get(each, each) for each in kinds]) + _bounds(schema)


def _items_text(schema: Schema) -> str:
    """Returns the values of the items of a list or object, in brackets if they are described."""
    text = value_text(schema)
    return PLURALS.get(text) or (f"({text})" if " " in text and text[0] != "[" else text)


def _joined(words: list[str]) -> str:
    """Returns alternatives; the last one may have an `or` itself."""
    *first, last = words
    glue = ", " if " or " in last else " or "
    return glue.join([", ".join(first), last]) if first else last


def _bounds(schema: Schema) -> str:
    if "maxLength" in schema:
        return f", up to {schema['maxLength']:,} characters"
    if "maximum" in schema:
        return f", {_number(schema['minimum'])} to {_number(schema['maximum'])}"
    return ""


def _number(value: float) -> str:
    """Returns a bound; large ones are powers of two, or one less."""
    if isinstance(value, float) or abs(value) < 1e9:
        return f"{value:g}"
    sign, exponent = "-" * (value < 0), abs(value).bit_length()
    return (
        f"{sign}2^{exponent} - 1" if abs(value) + 1 == 1 << exponent else f"{sign}2^{exponent - 1}"
    )
