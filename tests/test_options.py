import numpy as np
import pytest

from quincunx.errors import BadOption
from quincunx.options import Option, resolve_options

PAWNS = Option("pawns", 8, "pawns a side", low=3, high=8)
NEXT = Option("show_next", True, "preview")
ORDER = Option("order", "anytime", "who moves", choices=("anytime", "turns"))
BALLS = Option("balls", 5, "at the start", low=1, high=9, conditional_default=("order", "turns", 3))


@pytest.mark.parametrize("value", [3, 8, "5", " 5 ", np.int64(4)])
def test_an_integer_option_accepts_integers_and_their_texts(value):
    assert PAWNS.check(value) == int(value)
    assert type(PAWNS.check(value)) is int


@pytest.mark.parametrize("value", [2, 9, "9", "x", "", True, 4.0, None, "9" * 5000, "٥", "³"])
def test_an_integer_option_rejects_other_values(value):
    with pytest.raises(BadOption, match="an integer from 3 to 8") as caught:
        PAWNS.check(value)
    assert caught.value.name == "pawns"


def test_a_float_option():
    seconds = Option("time", 0.5, "seconds a move", low=0.01, high=60)
    assert seconds.check("0.25") == 0.25
    assert seconds.check(2) == 2.0
    assert type(seconds.check(2)) is float
    for wrong in ["", "x", "1e3", "nan", "inf", 0, 61, True, None, float("nan"), "-1"]:
        with pytest.raises(BadOption, match=r"a number from 0\.01 to 60"):
            seconds.check(wrong)


def test_a_boolean_option():
    assert NEXT.check("off") is False
    assert NEXT.check("TRUE") is True
    with pytest.raises(BadOption, match="true or false"):
        NEXT.check(2)


def test_a_choice_option():
    assert ORDER.check("turns") == "turns"
    assert ORDER.code("turns") == 1
    with pytest.raises(BadOption, match="one of anytime, turns"):
        ORDER.check("Turns")


def test_an_unknown_option_gets_the_nearest_name():
    with pytest.raises(BadOption, match=r"did you mean pawns\? it has pawns, order"):
        resolve_options("onoro", (PAWNS, ORDER), {"pawn": 4})


def test_a_default_may_depend_on_another_option():
    assert resolve_options("x", (ORDER, BALLS), {})["balls"] == 5
    assert resolve_options("x", (ORDER, BALLS), {"order": "turns"})["balls"] == 3
    assert resolve_options("x", (ORDER, BALLS), {"order": "turns", "balls": 5})["balls"] == 5
