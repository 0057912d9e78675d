"""The types of the page's client, as TypeScript declarations, from the schema of the protocol."""

from __future__ import annotations

from typing import Any

from quincunx.rooms.answers import ANSWERS
from quincunx.rooms.schema import definition_name, protocol_schema

HEADER = """\
// The messages of the protocol, generated from the types in rooms/messages.py and rooms/answers.py
// by `make protocol`. `tsc` reads this file; browsers never load it.
"""
NAMES = {"integer": "number"}


def declarations() -> str:
    """Returns the declarations of all messages, and of the answer to each request."""
    definitions = protocol_schema()["$defs"]
    pairs = [
        (request.type, definition_name(request), definition_name(answer))
        for request, answer in ANSWERS.items()
    ]
    answers = [f"  {kind}: [{request}, {answer}];" for kind, request, answer in pairs]
    parts = [
        HEADER,
        *(declaration(name, schema) for name, schema in definitions.items()),
        "/** Each request with its answer. */",
        "export interface Requests {\n" + "\n".join(answers) + "\n}\n",
    ]
    return "\n".join(parts[:-2]) + "\n" + "\n".join(parts[-2:])


def declaration(name: str, schema: dict[str, Any]) -> str:
    """Returns the declaration of one type."""
    about = comment(schema["description"])
    if "anyOf" in schema:
        members = "".join(f"\n  | {type_text(member)}" for member in schema["anyOf"])
        return f"{about}\nexport type {name} ={members};\n"
    bases = [type_text(base) for base in schema.get("allOf", [])]
    extends = f" extends {', '.join(bases)}" if bases else ""
    lines = []
    for field, inner in schema["properties"].items():
        if "description" in inner:
            lines.append("  " + comment(inner["description"]))
        mark = "" if field in schema["required"] else "?"
        name_text = field or literal("")
        lines.append(f"  {name_text}{mark}: {type_text(inner)};")
    if "additionalProperties" in schema:
        others = [schema["additionalProperties"], *schema["properties"].values()]
        kinds = " | ".join([*map(type_text, others), "undefined"])
        lines.append(f"  [name: string]: {kinds};")
    return f"{about}\nexport interface {name}{extends} {{\n" + "\n".join(lines) + "\n}\n"


def comment(text: str) -> str:
    """Returns a documentation comment."""
    return f"/** {text[0].upper()}{text[1:].rstrip('.')}. */"


def type_text(schema: dict[str, Any]) -> str:
    """Returns the type of a schema."""
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if "const" in schema:
        return literal(schema["const"])
    if "enum" in schema:
        return " | ".join(map(literal, schema["enum"]))
    if "anyOf" in schema:
        return " | ".join(type_text(member) for member in schema["anyOf"])
    kind = schema["type"]
    if isinstance(kind, list):
        return " | ".join(dict.fromkeys(NAMES.get(each, each) for each in kind))
    if "prefixItems" in schema:
        return f"[{', '.join(map(type_text, schema['prefixItems']))}]"
    if kind == "array":
        item = type_text(schema["items"])
        return f"({item})[]" if "|" in item else f"{item}[]"
    if kind == "object":
        return f"Record<string, {type_text(schema['additionalProperties'])}>"
    return str(NAMES.get(kind, kind))


def literal(value: object) -> str:
    """Returns a constant as TypeScript writes it."""
    return f'"{value}"' if isinstance(value, str) else str(value)
