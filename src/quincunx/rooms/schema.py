"""The JSON Schema of the protocol, built from the types of requests and server messages."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypeAlias, get_args, get_origin, get_type_hints, is_typeddict

from quincunx.rooms.answers import SERVER_MESSAGES, ServerMessage
from quincunx.rooms.messages import PROTOCOL, REQUESTS, Request
from quincunx.rooms.validation import (
    About,
    Between,
    MaxChars,
    MaxDigits,
    MaxItems,
    OneOf,
    Only,
    split_markers,
    union_members,
    without_none,
)

Schema: TypeAlias = dict[str, Any]

SCALARS: Mapping[type, Schema] = {
    str: {"type": "string"},
    int: {"type": "integer"},
    float: {"type": "number"},
    bool: {"type": "boolean"},
    type(None): {"type": "null"},
}


class ClickTree:
    """Stands for `click_tree.ClickTree`, whose type refers to itself."""


CLICK_TREE: Schema = {
    "description": "Moves by their clicks; the text of a complete move has the name ''.",
    "type": "object",
    "properties": {"": {"type": "string"}},
    "required": [],
    "additionalProperties": {"$ref": "#/$defs/ClickTree"},
}


def protocol_schema() -> Schema:
    """Returns the schema of all messages; `$defs` has one entry for each type, by its name."""
    builder = _Builder()
    requests = [builder.reference(request) for request in REQUESTS.values()]
    messages = [builder.reference(message) for message in SERVER_MESSAGES]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"Quincunx protocol {PROTOCOL}",
        "$defs": {
            **builder.definitions,
            "ClickTree": CLICK_TREE,
            "AnyRequest": {"description": "A message from a client.", "anyOf": requests},
            "AnyMessage": {"description": "A message from the server.", "anyOf": messages},
        },
        "anyOf": [{"$ref": "#/$defs/AnyRequest"}, {"$ref": "#/$defs/AnyMessage"}],
    }


def definition_name(kind: type) -> str:
    """Returns the name of a type in the schema."""
    is_request = issubclass(kind, Request) and not kind.__name__.endswith("Request")
    return f"{kind.__name__}Request" if is_request else kind.__name__


class _Builder:
    """Collects the definitions of all types that a type refers to."""

    def __init__(self) -> None:
        self.definitions: dict[str, Schema] = {}

    def reference(self, kind: type) -> Schema:
        """Returns a reference to a dataclass or TypedDict, which it defines."""
        name = definition_name(kind)
        if name not in self.definitions and kind is not ClickTree:
            self.definitions[name] = {}  # the type may refer to itself
            own = self._typed_dict if is_typeddict(kind) else self._dataclass
            self.definitions[name] = {
                "description": " ".join((kind.__doc__ or "").partition("\n\n")[0].split()),
                "type": "object",
                **own(kind),
            }
        return {"$ref": f"#/$defs/{name}"}

    def _dataclass(self, kind: type) -> Schema:
        """Returns the schema of the fields of a dataclass, with a reference to that of its base."""
        hints = get_type_hints(kind, localns={"ClickTree": ClickTree}, include_extras=True)
        is_message = issubclass(kind, Request | ServerMessage)
        schema: Schema = {}
        if dataclasses.is_dataclass(kind.__base__):
            schema["allOf"] = [self.reference(kind.__base__)]
        properties = (
            {"type": {"const": vars(kind)["type"]}} if is_message and "type" in vars(kind) else {}
        )
        required = list(properties)
        for field in dataclasses.fields(kind):
            if field.name not in kind.__annotations__:
                continue
            if is_message and is_optional(kind, field):
                # Its default stands for an absent field, and None is not sent instead of it.
                hint = hints[field.name]
                properties[field.name] = self.schema(
                    hint if field.default == "" else without_none(hint)
                )
            else:
                properties[field.name] = self.schema(hints[field.name])
                required.append(field.name)
        return {**schema, "properties": properties, "required": required}

    def _typed_dict(self, kind: Any) -> Schema:
        hints = get_type_hints(kind, include_extras=True)
        return {
            "properties": {name: self.schema(hint) for name, hint in hints.items()},
            "required": [name for name in hints if name in kind.__required_keys__],
        }

    def schema(self, hint: Any) -> Schema:
        """Returns the schema of an annotated type."""
        bare, markers = split_markers(hint)
        schema = self._bare_schema(bare)
        for marker in markers:
            schema |= _marker_schema(marker, bare)
        return schema

    def _bare_schema(self, bare: Any) -> Schema:
        origin = get_origin(bare) or bare
        members = union_members(bare)
        if len(members) > 1:
            return _union([self.schema(member) for member in members])
        if bare in SCALARS:
            return dict(SCALARS[bare])
        if bare is Any:
            return {}
        if origin is Literal:
            return {"enum": list(get_args(bare))}
        if origin is tuple and get_args(bare)[-1] is not ...:
            items = [self.schema(item) for item in get_args(bare)]
            return {"type": "array", "prefixItems": items, "items": False, "minItems": len(items)}
        if dataclasses.is_dataclass(bare) or is_typeddict(bare) or bare is ClickTree:
            return self.reference(bare)
        if issubclass(origin, Mapping):
            key, item = get_args(bare)
            return {
                "type": "object",
                "propertyNames": _key_schema(key),
                "additionalProperties": self.schema(item),
            }
        if issubclass(origin, Sequence):
            return {"type": "array", "items": self.schema(get_args(bare)[0])}
        raise TypeError(f"messages cannot have fields of type {bare}")


def is_optional(kind: type, field: dataclasses.Field[Any]) -> bool:
    """True when a field of a message can be absent: see `answers` for those of the server."""
    if issubclass(kind, Request):
        missing = dataclasses.MISSING
        return field.default is not missing or field.default_factory is not missing
    return field.default is None or field.default == ""


def _key_schema(hint: Any) -> Schema:
    """Returns the schema of the names in an object: texts, or integers as digits."""
    bare, markers = split_markers(hint)
    limits = {type(marker): marker.limit for marker in markers}
    if bare is int:
        return {"pattern": f"^[0-9]{{1,{limits.get(MaxDigits, '')}}}$"}
    return {"maxLength": limits[MaxChars]} if MaxChars in limits else {}


def _union(members: list[Schema]) -> Schema:
    """Returns the schema of one of several; plain types are written as a list of their names."""
    if all(set(member) == {"type"} for member in members):
        return {"type": [member["type"] for member in members]}
    return {"anyOf": members}


def _marker_schema(marker: Any, bare: Any) -> Schema:
    """Returns what a marker adds to the schema of a type."""
    if isinstance(marker, About):
        return {"description": marker.text}
    if isinstance(marker, MaxChars):
        return {"maxLength": marker.limit}
    if isinstance(marker, Between):
        return {"minimum": marker.low, "maximum": marker.high}
    if isinstance(marker, OneOf):
        return {"enum": list(marker.choices)}
    if isinstance(marker, Only):
        return {"const": marker.value}
    if isinstance(marker, MaxItems):
        return {"maxItems" if get_origin(bare) is tuple else "maxProperties": marker.limit}
    return {}
