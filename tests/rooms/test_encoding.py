"""Messages of the server as JSON: types, fields, and which of them are left out."""

import json

from quincunx.draw.scene import Button, Controls
from quincunx.rooms import answers
from quincunx.rooms.encoding import dumps

EVENT = {
    **{"room": "r", "number": 3, "kind": "rematch", "seat": 0, "plies": 2, "turn": None},
    **{"over": True, "scores": (1.0, 0.0), "status": "White wins", "text": "8 w"},
    **{"status_code": "objective", "status_fields": {}},
    **{"paused": False, "asked": None, "pause_asked": None, "clocks": None},
}


def test_required_fields_are_sent_even_if_null():
    assert answers.EventMessage(**EVENT).as_fields() == {"type": "event", **EVENT}


def test_optional_fields_are_sent_unless_they_are_absent():
    more = {"ref": 0, "legal": {}, "winners": (), "yes": False, "to": None, "name": ""}
    assert answers.EventMessage(**EVENT, **more).as_fields() == {"type": "event", **EVENT, **more}
    absent = {"ref": None, "legal": None, "to": "", "name": None, "move": ""}
    assert answers.EventMessage(**EVENT, **absent).as_fields() == {"type": "event", **EVENT}


def test_parts_of_messages_are_encoded_with_all_their_fields():
    clocks = answers.ClockFields(left=(1, 2), running=None, increment=3)
    controls = Controls(buttons=(Button("pass", "Pass", "p", "passes"),))
    event = answers.EventMessage(**{**EVENT, "clocks": clocks}, legal={1: {"a1": {"": "a1"}}})
    sent = json.loads(dumps(event))
    assert sent["clocks"] == {"left": [1, 2], "running": None, "increment": 3}
    assert sent["legal"] == {"1": {"a1": {"": "a1"}}}
    assert json.loads(dumps(controls)) == json.loads(json.dumps(controls.as_dict()))


def test_the_protocol_number_is_always_sent():
    assert dumps(answers.PongMessage(ref="x")) == '{"type":"pong","protocol":2,"ref":"x"}'


def test_characters_outside_ascii_are_escaped():
    assert dumps(answers.OkMessage(ref="é\ud800")) == '{"type":"ok","ref":"\\u00e9\\ud800"}'
