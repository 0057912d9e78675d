"""Incoming messages: every invalid one is rejected with an error code."""

import dataclasses
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quincunx.errors import (
    BadOption,
    BadPosition,
    IllegalMove,
    MoveSyntax,
    message_for_people,
)
from quincunx.rooms import messages
from quincunx.rooms.messages import RequestError
from tests.rooms.hostile_messages import HOSTILE


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_messages(name):
    text, expected = HOSTILE[name]
    if expected is None:
        assert messages.parse(text).type in messages.REQUESTS
    else:
        assert error_of(messages.parse, text) == expected


PLAY = {"type": "play", "room": "r", "seat": 0, "move": "a1a5", "number": 3}


def error_of(call, *args):
    with pytest.raises(RequestError) as error:
        call(*args)
    assert error.value.code in messages.ERROR_CODES
    return error.value.code, error.value.where


@pytest.mark.parametrize(
    "text",
    [
        *("", "{", "[1,", "[" * 60_000, "1" * 5000),
        *('{"a": NaN}', '{"a": Infinity}', '{"a": 1e999}', "[-1.5e400]"),
    ],
)
def test_invalid_json_is_rejected(text):
    assert error_of(messages.loads, text) == ("json", "")


def test_messages_that_are_too_large_are_rejected():
    assert error_of(messages.loads, '"' + "a" * messages.MAX_MESSAGE_BYTES + '"') == ("large", "")
    assert error_of(messages.loads, '"' + "ä" * (messages.MAX_MESSAGE_BYTES // 2) + '"') == (
        "large",
        "",
    )


@pytest.mark.parametrize("value", [None, 3, "play", [], {}, {"type": 3}, {"type": ["play"]}])
def test_values_that_are_not_messages_are_rejected(value):
    assert error_of(messages.decode, value) == ("message", "type")


@pytest.mark.parametrize(
    ("field", "value"),
    [
        *(("seat", invalid) for invalid in (None, -1, 16, 0.0, "0", True, [0])),
        *(("number", invalid) for invalid in (None, -1, 2**60, 1.5, "3", False)),
        *(("move", invalid) for invalid in (None, 3, "x" * 65, ["a1"], {})),
        *(("room", invalid) for invalid in (None, 3, "x" * 33)),
        *(("ref", invalid) for invalid in ("x" * 65, [], {}, True)),
    ],
)
def test_the_error_names_the_invalid_field(field, value):
    assert error_of(messages.decode, {**PLAY, field: value}) == ("message", field)


def test_unknown_fields_are_dropped():
    request = messages.decode({**PLAY, "ref": 1, "colour": "red"})
    assert request == messages.Play(ref=1, room="r", seat=0, move="a1a5", number=3)


def test_another_protocol_is_rejected_with_the_reason():
    join = {"type": "join", "room": "r"}
    assert messages.decode({**join, "protocol": 2}).protocol == 2
    assert messages.decode(join).protocol is None
    with pytest.raises(RequestError) as error:
        messages.decode({**join, "protocol": 1, "view": "unknown to protocol 2"})
    assert error.value.as_dict() == {
        "error": "message",
        "text": "this server speaks protocol 2, and the client another one: "
        "reload the page, or update the program",
        "where": "protocol",
    }


def test_requests_have_the_types_that_are_declared():
    text = """{"type": "explore", "game": "wzlz", "moves": ["a1b2"], "options": {"seed": 1},
               "ref": 3}"""
    request = messages.parse(text)
    assert request == messages.Explore(
        ref=3, game="wzlz", moves=("a1b2",), options={"seed": 1}, flip=False
    )
    assert (request.type, request.seed, request.plies, request.seat) == ("explore", 0, None, None)
    join = messages.parse('{"type": "join", "room": "r", "secrets": {"01": "x"}}')
    assert join == messages.Join(room="r", secrets={1: "x"}, view="moves")
    analyse = messages.parse('{"type": "analyse", "room": "r", "seconds": 3}')
    assert repr(analyse.seconds) == "3.0"
    with pytest.raises(AttributeError):
        analyse.seconds = 10.0


def test_an_unknown_type_suggests_the_nearest():
    with pytest.raises(RequestError, match="did you mean resign"):
        messages.decode({"type": "resing"})


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (MoveSyntax("x", "a move"), "syntax"),
        (IllegalMove("x", "y", "z"), "illegal"),
        (BadOption("pawns", 1, "more"), "option"),
        (BadPosition("x", "y"), "position"),
    ],
)
def test_errors_of_the_package_have_codes(error, expected):
    assert messages.as_request_error(error).code == expected
    assert messages.as_request_error(error).text == message_for_people(error)


def test_other_errors_are_raised_again():
    with pytest.raises(ZeroDivisionError):
        messages.as_request_error(ZeroDivisionError())


def test_names_are_cleaned():
    assert messages.clean_name("  Ada\u202e\x00 <b>\n ") == "Ada <b>"
    assert messages.clean_name("\ud800x" + "y" * 99) == ("x" + "y" * 99)[:32]


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=8,
)


FIELD_NAMES = sorted({rule.name for rules in messages.RULES.values() for rule in rules})


@given(
    st.sampled_from(sorted(messages.REQUESTS)), st.dictionaries(st.sampled_from(FIELD_NAMES), JSON)
)
def test_arbitrary_fields_are_validated_or_rejected(kind, fields):
    try:
        request = messages.decode({"type": kind, **fields})
    except RequestError:
        return
    assert type(request) is messages.REQUESTS[kind]
    json.dumps(dataclasses.asdict(request), allow_nan=False)
