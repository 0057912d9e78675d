"""Messages read and written by msgspec are those of the standard library."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quincunx.rooms import answers, encoding, messages
from quincunx.rooms.errors import RequestError
from quincunx.web import codec
from tests.rooms.hostile_messages import HOSTILE


def answer_of(parse, text):
    """Returns the request, with the exact kinds of its numbers, or the error as a tuple."""
    try:
        return repr(parse(text))
    except RequestError as error:
        return error.code, error.text, error.where


@pytest.mark.parametrize("name", HOSTILE)
def test_both_decoders_give_the_same_answer(name):
    text, _ = HOSTILE[name]
    assert answer_of(codec.parse, text) == answer_of(messages.parse, text)


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text()
    | st.sampled_from(["page", "quorum", "0", "2", "a1e3", 2, 0.5]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=8,
)
FIELD_NAMES = sorted({rule.name for rules in messages.RULES.values() for rule in rules})


@given(
    st.sampled_from([*messages.REQUESTS, "admin"]),
    st.dictionaries(st.sampled_from(FIELD_NAMES) | st.text(max_size=8), JSON, max_size=8),
    st.booleans(),
)
def test_both_decoders_agree_on_arbitrary_messages(kind, fields, ascii_only):
    text = json.dumps({"type": kind, **fields}, ensure_ascii=ascii_only)
    assert answer_of(codec.parse, text) == answer_of(messages.parse, text)


@given(st.text(alphabet='{}[]":,\\u0019dDeE+-. truefalsn\x00\ud800\u20ac', max_size=30))
def test_both_decoders_agree_on_arbitrary_texts(text):
    assert answer_of(codec.loads, text) == answer_of(messages.loads, text)


@given(JSON, st.text(max_size=8))
def test_both_encoders_write_the_same_values(value, ref):
    message = {"type": "ok", "ref": ref, "value": value}
    try:
        expected = encoding.dumps(message)
    except ValueError:  # NaN and infinity, which no message has
        return
    assert json.loads(codec.dumps(message)) == json.loads(expected)


@pytest.mark.parametrize(
    "message",
    [
        answers.OkMessage(ref=1),
        answers.OkMessage(ref="\ud800", number=3),
        answers.PongMessage(ref=1.5),
        answers.HereMessage(room="r", seat=1, here=False),
        answers.RematchedMessage(room="r", to="s", secrets={0: "é"}),
        answers.MistakesMessage(room="r", done=True, moves=[]),
        {"clocks": answers.ClockFields(left=(1, 2), running=None, increment=0)},
    ],
    ids=lambda message: getattr(message, "type", "dict"),
)
def test_both_encoders_write_the_same_messages(message):
    assert json.loads(codec.dumps(message)) == json.loads(encoding.dumps(message))
