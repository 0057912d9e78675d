"""Messages that a client should not send, with the answer that every decoder must give.

Each entry has the text, and the code and the field of the error, or None where the message is
accepted in spite of what is odd about it.
"""

PLAY = '{"type": "play", "room": "r", "seat": 0, "move": "a1a5", "number": 3}'

JSON = ("json", "")
LARGE = ("large", "")


def play(field, value):
    """Returns a `play` message in which the text of one field is replaced."""
    fields = {"type": '"play"', "room": '"r"', "seat": "0", "move": '"a1"', "number": "3"}
    members = {**fields, field: value}.items()
    return "{" + ", ".join(f'"{name}": {text}' for name, text in members) + "}"


def join(field, value):
    """Returns a `join` message with one more field."""
    return f'{{"type": "join", "room": "r", "{field}": {value}}}'


def explore(field, value):
    """Returns an `explore` message with one more field."""
    return f'{{"type": "explore", "game": "quorum", "{field}": {value}}}'


def invalid(field):
    """Returns the answer to a missing or invalid field."""
    return ("message", field)


NOT_JSON = {
    "empty": "",
    "spaces": " \n\t",
    "half": PLAY[:-1],
    "two values": PLAY + PLAY,
    "trailing comma": '{"type": "ping",}',
    "single quotes": "{'type': 'ping'}",
    "bare name": '{type: "ping"}',
    "comment": '{"type": "ping"} // hello',
    "byte order mark": '\ufeff{"type": "ping"}',
    "no-break space": '\u00a0{"type": "ping"}',
    "form feed": '\f{"type": "ping"}',
    "control character in a text": '{"type": "pi\x00ng"}',
    "line break in a text": '{"type": "ping\n"}',
    "unknown escape": '{"type": "\\x70ing"}',
    "short escape": '{"type": "\\u70"}',
    "NaN": play("number", "NaN"),
    "Infinity": play("number", "Infinity"),
    "minus Infinity": play("number", "-Infinity"),
    "nan": play("number", "nan"),
    "1e999": play("number", "1e999"),
    "-1e999": play("number", "-1e999"),
    "1e999 in an unknown field": play("colour", "1e999"),
    "1e999 twice": play("ref", "1e999"),
    "just over the largest float": play("number", "1.7976931348623159e308"),
    "leading zero": play("number", "03"),
    "plus sign": play("number", "+3"),
    "no digit after the point": play("number", "3."),
    "no digit before the point": play("number", ".5"),
    "hexadecimal": play("number", "0x3"),
    "underscore": play("number", "1_0"),
    "unicode digit": play("number", "\u0663"),
    "integer of 5,000 digits": play("number", "1" * 5000),
    "deep list": "[" * 30_000 + "]" * 30_000,
    "deep object": '{"a":' * 10_000 + "1" + "}" * 10_000,
    "deep list, not closed": "[" * 60_000,
    "one level too deep": "[" * 65 + "]" * 65,
    "one level too deep, after brackets in a text": '["]]\\"[[", ' + "[" * 64 + "]" * 65,
    "one level too deep in an unknown field": play("colour", "[" * 64 + "]" * 64),
    "one level too deep, with both brackets": '[{"a":' * 33 + "1" + "}]" * 33,
    "many quotes, brackets and no end": '"' + '\\"' * 30_000 + "[" * 65,
    "many brackets that do not match": "[" * 40 + "}" * 40,
    "deep unknown field": play("colour", "[" * 30_000 + "]" * 30_000),
    "Python's None": "None",
    "Python's True": play("seat", "True"),
}

TOO_LARGE = {
    "large text": '"' + "a" * 65_536 + '"',
    "large after a valid message": PLAY + " " * 65_536,
    "large only in UTF-8": play("move", '"' + "\u20ac" * 22_000 + '"'),
    "large and invalid": "[" * 70_000,
}

NOT_MESSAGES = {
    "null": "null",
    "true": "true",
    "number": "3",
    "text": '"play"',
    "list": f"[{PLAY}]",
    "empty list": "[]",
    "empty object": "{}",
    "no type": '{"room": "r"}',
    "type null": play("type", "null"),
    "type number": play("type", "3"),
    "type list": play("type", '["play"]'),
    "type object": play("type", "{}"),
    "empty type": play("type", '""'),
    "unknown type": play("type", '"plya"'),
    "type in capitals": play("type", '"PLAY"'),
    "type with a space": play("type", '"play "'),
    "type with a null character": play("type", '"play\\u0000"'),
    "type of a server message": play("type", '"event"'),
    "name of a method": play("type", '"__init__"'),
    "long type": play("type", '"' + "play" * 5000 + '"'),
    "lone surrogate as type": play("type", '"\\ud800"'),
    "second type wins": '{"type": "ping", "type": "pong"}',
    "deepest nesting": "[" * 64 + "]" * 64,
}

FIELDS = {
    **{
        f"seat {text[:20]}": (play("seat", text), invalid("seat"))
        for text in (
            *("null", "-1", "16", "0.0", "1e0", '"0"', "true", "false", "[0]", "{}", "0.5"),
            *("18446744073709551616", "-9223372036854775809", "9" * 400, '"\u0660"'),
        )
    },
    **{
        f"number {text[:20]}": (play("number", text), invalid("number"))
        for text in ("null", "-1", "9007199254740993", "3.0", '"3"', "false", "1e5", "[]")
    },
    **{
        f"move {text[:20]}": (play("move", text), invalid("move"))
        for text in ("null", "3", '["a1"]', "{}", "true", '"' + "x" * 65 + '"')
    },
    "move of 65 characters outside ASCII": (
        play("move", '"' + "\u20ac" * 65 + '"'),
        invalid("move"),
    ),
    "move of 65 escapes": (play("move", '"' + "\\u20ac" * 65 + '"'), invalid("move")),
    "room too long": (play("room", '"' + "r" * 33 + '"'), invalid("room")),
    "room number": (play("room", "3"), invalid("room")),
    "no room": ('{"type": "leave"}', invalid("room")),
    "first error in the order of fields": (
        '{"number": -1, "seat": -1, "type": "play", "room": "r"}',
        invalid("seat"),
    ),
    "second field wins": (PLAY[:-1] + ', "seat": "x"}', invalid("seat")),
    "ref too long": (play("ref", '"' + "x" * 65 + '"'), invalid("ref")),
    "ref of 65 digits": (play("ref", "1" * 65), invalid("ref")),
    "ref true": (play("ref", "true"), invalid("ref")),
    "ref list": (play("ref", "[1]"), invalid("ref")),
    "ref object": (play("ref", '{"a": 1}'), invalid("ref")),
    "yes as number": (
        '{"type": "answer", "room": "r", "seat": 0, "number": 1, "yes": 1}',
        invalid("yes"),
    ),
    "yes as text": (
        '{"type": "answer", "room": "r", "seat": 0, "number": 1, "yes": "yes"}',
        invalid("yes"),
    ),
    "name too long": (
        '{"type": "name", "room": "r", "seat": 0, "name": "' + "n" * 33 + '"}',
        invalid("name"),
    ),
    **{
        f"view {text[:20]}": (join("view", text), invalid("view"))
        for text in ('"Page"', '""', "1", '["page"]', "{}", "true")
    },
    **{
        f"flip {text}": (join("flip", text), invalid("flip")) for text in ("0", "1", '"true"', "[]")
    },
    **{
        f"protocol {text}": (join("protocol", text), invalid("protocol"))
        for text in ("1", "3", "2.0", '"2"', "true", "[2]", "9" * 40)
    },
    **{
        f"secrets {text[:20]}": (join("secrets", text), invalid("secrets"))
        for text in (
            *('"x"', "[]", '["x"]', "3", '{"0": 3}', '{"0": null}', '{"0": ["x"]}', '{"": "x"}'),
            *('{"-1": "x"}', '{"+1": "x"}', '{" 1": "x"}', '{"1.0": "x"}', '{"100": "x"}'),
            *('{"\u0661": "x"}', '{"\\u0661": "x"}', '{"\u00b2": "x"}', '{"1_0": "x"}'),
            *('{"a": "x"}', '{"\\ud800": "x"}', '{"0": "' + "x" * 65 + '"}'),
            "{" + ", ".join(f'"{seat}": "x"' for seat in range(17)) + "}",
        )
    },
    **{
        f"options {text[:20]}": (explore("options", text), invalid("options"))
        for text in (
            *('"x"', "[]", "3", '{"a": null}', '{"a": []}', '{"a": {"b": 1}}'),
            *('{"' + "a" * 65 + '": 1}', '{"a": "' + "x" * 65 + '"}', '{"a": ' + "1" * 65 + "}"),
            "{" + ", ".join(f'"o{i}": 1' for i in range(33)) + "}",
        )
    },
    **{
        f"moves {text[:20]}": (explore("moves", text), invalid("moves"))
        for text in (
            *('"a1"', "{}", "3", "[3]", "[null]", '[["a1"]]', '["a1", 3]', '["' + "x" * 65 + '"]'),
            "[" + ",".join(['"a"'] * 5001) + "]",
        )
    },
    **{
        f"seed {text}": (explore("seed", text), invalid("seed"))
        for text in ("9223372036854775808", "-9223372036854775809", "1.0", '"1"', "true")
    },
    "start too long": (explore("start", '"' + "x" * 20_001 + '"'), invalid("start")),
    "game too long": (explore("game", '"' + "x" * 33 + '"'), invalid("game")),
    **{
        f"seconds {text}": (
            f'{{"type": "analyse", "game": "quorum", "seconds": {text}}}',
            invalid("seconds"),
        )
        for text in ("0", "-1", "10.1", "0.09", '"5"', "true", "[5]", "1e308", "-0.0", "9" * 400)
    },
}

ACCEPTED = {
    "spaces around": f"\r\n\t {PLAY} \n",
    "unknown fields": play("colour", '{"a": [1, {"b": null}]}'),
    "deepest unknown field": play("colour", "[" * 63 + "]" * 63),
    "brackets in texts": play("move", '"' + "[{" * 32 + '"')[:-1] + ', "colour": "\\"[["}',
    "wide unknown field": play("colour", "[" + ",".join(["[{}]"] * 5000) + "]"),
    "null as ref": play("ref", "null"),
    "empty ref": play("ref", '""'),
    "ref of 64 digits": play("ref", "1" * 64),
    "ref as fraction": play("ref", "-1.5e300"),
    "ref as smallest fraction": play("ref", "5e-324"),
    "ref that underflows": play("ref", "1e-999"),
    "ref minus zero": play("ref", "-0"),
    "ref minus zero as fraction": play("ref", "-0.0"),
    "lone surrogate in a move": play("move", '"\\ud800"'),
    "swapped surrogates in a move": play("move", '"\\ude00\\ud83d"'),
    "invalid UTF-8 as Python escapes it": play("move", '"\udcff"'),
    "pair of surrogates": play("move", '"\\ud83d\\ude00"'),
    "lone surrogate in an unknown field": play("colour", '"\\udfff"'),
    "null character": play("move", '"\\u0000"'),
    "escaped slash": play("move", '"a\\/b"'),
    "delete character": play("move", '"\x7f"'),
    "line separator": play("move", '"\u2028"'),
    "empty move": play("move", '""'),
    "longest move": play("move", '"' + "\u20ac" * 64 + '"'),
    "escaped name of a field": PLAY.replace('"seat"', '"\\u0073eat"'),
    "second seat wins": PLAY[:-1] + ', "seat": 1}',
    "largest number": play("number", "9007199254740992"),
    "number minus zero": play("number", "-0"),
    "null for optional fields": '{"type": "join", "room": "r", "secrets": null, "view": null}',
    "seats with leading zeros": join("secrets", '{"01": "x", "1": "y"}'),
    "seat 99": join("secrets", '{"99": "x"}'),
    "this protocol": join("protocol", "2"),
    "options of all kinds": explore("options", '{"a": 1, "b": 1.5, "c": "x", "d": true}'),
    "seed of 63 bits": explore("seed", "-9223372036854775808"),
    "seconds as integer": '{"type": "analyse", "game": "quorum", "seconds": 3}',
    "nothing but a type": '{"type": "explore"}',
}

HOSTILE = {
    **{f"not JSON: {name}": (text, JSON) for name, text in NOT_JSON.items()},
    **{f"too large: {name}": (text, LARGE) for name, text in TOO_LARGE.items()},
    **{f"not a message: {name}": (text, invalid("type")) for name, text in NOT_MESSAGES.items()},
    **FIELDS,
    **{f"accepted: {name}": (text, None) for name, text in ACCEPTED.items()},
}
