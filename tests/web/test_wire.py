"""Messages as they come in: everything wrong with one has its word, and nothing gets through."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quincunx.errors import BadOption, BadPosition, IllegalMove, MoveSyntax
from quincunx.web import wire
from quincunx.web.wire import Refused

PLAY = {"type": "play", "room": "r", "seat": 0, "move": "a1a5", "number": 3}


def word(call, *args):
    with pytest.raises(Refused) as refused:
        call(*args)
    assert refused.value.word in wire.WORDS
    return refused.value.word, refused.value.where


@pytest.mark.parametrize(
    "text",
    [
        *("", "{", "[1,", "[" * 60_000, "1" * 5000),
        *('{"a": NaN}', '{"a": Infinity}', '{"a": 1e999}', "[-1.5e400]"),
    ],
)
def test_what_is_no_json(text):
    assert word(wire.loads, text) == ("json", "")


def test_what_is_too_large():
    assert word(wire.loads, '"' + "a" * wire.LARGEST + '"') == ("large", "")
    assert word(wire.loads, '"' + "ä" * (wire.LARGEST // 2) + '"') == ("large", "")


@pytest.mark.parametrize("value", [None, 3, "play", [], {}, {"type": 3}, {"type": ["play"]}])
def test_what_is_no_message(value):
    assert word(wire.checked, value) == ("message", "type")


@pytest.mark.parametrize(
    ("field", "value"),
    [
        *(("seat", wrong) for wrong in (None, -1, 16, 0.0, "0", True, [0])),
        *(("number", wrong) for wrong in (None, -1, 2**60, 1.5, "3", False)),
        *(("move", wrong) for wrong in (None, 3, "x" * 65, ["a1"], {})),
        *(("room", wrong) for wrong in (None, 3, "x" * 33)),
        *(("ref", wrong) for wrong in ("x" * 65, [], {}, True)),
    ],
)
def test_a_wrong_field_is_named(field, value):
    assert word(wire.checked, {**PLAY, field: value}) == ("message", field)


def test_a_message_is_taken_with_its_own_fields_only():
    assert wire.checked({**PLAY, "ref": 1, "colour": "red"}) == PLAY


def test_a_kind_that_is_not_there_gets_the_nearest():
    with pytest.raises(Refused, match="did you mean resign"):
        wire.checked({"type": "resing"})


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (MoveSyntax("x", "a move"), "syntax"),
        (IllegalMove("x", "y", "z"), "illegal"),
        (BadOption("pawns", 1, "more"), "option"),
        (BadPosition("x", "y"), "position"),
    ],
)
def test_errors_of_the_package_have_words(error, expected):
    assert wire.refusal(error).word == expected
    assert wire.refusal(error).text == str(error)


def test_other_errors_stay_errors():
    with pytest.raises(ZeroDivisionError):
        wire.refusal(ZeroDivisionError())


def test_names_are_cleaned():
    assert wire.cleaned("  Ada\u202e\x00 <b>\n ") == "Ada <b>"
    assert wire.cleaned("\ud800x" + "y" * 99) == ("x" + "y" * 99)[:32]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=8,
)


@given(
    st.sampled_from(sorted(wire.MESSAGES)),
    st.dictionaries(
        st.sampled_from(
            sorted({name.rstrip("?") for fields in wire.MESSAGES.values() for name in fields})
        ),
        JSON,
    ),
)
def test_any_fields_are_checked_or_refused(kind, fields):
    try:
        message = wire.checked({"type": kind, **fields})
    except Refused:
        return
    assert set(message) <= {"type", *(name.rstrip("?") for name in wire.MESSAGES[kind])}
    json.dumps(message)
