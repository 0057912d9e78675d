"""The faults that only compiled code has, planted into an otherwise correct game."""

import math

import numpy as np
import pytest

from quincunx import jit
from quincunx.testing import Fault, check_game
from quincunx.testing.compiled import check_compiled
from quincunx.testing.declarations import check_kernel
from tests.conftest import BOUNDS_CHECKED
from tests.testing import toy
from tests.testing.toy import race

pytestmark = pytest.mark.skipif(jit.UNCOMPILED, reason="nothing is compiled")


@jit.jit
def allocating_hide(s, seat, seed):
    s.rng = np.zeros(seat + 1, np.uint64)[0]


@jit.jit
def logarithmic_evaluate(s, seat):
    return math.log(1.0 + s.tokens[seat]) / 2


@jit.jit
def legal_with_unknown_field(s, seat, out):
    return s.colour


@jit.jit
def _write_unknown_field(s):
    s.token = 1


@jit.jit
def hide_by_unknown_field(s, seat, seed):
    _write_unknown_field(s)


@jit.jit
def legal_that_returns_an_array(s, seat, out):
    return out[:1]


@jit.jit
def legal_beyond_the_end(s, seat, out):
    out[toy.MAX_LEGAL] = 3
    return toy.legal(s, seat, out)


@jit.jit
def observe_beyond_the_end(s, seat, planes):
    planes[2, 0, toy.COLUMNS] = 1.0


@jit.jit
def hide_of_any_types(s, seat, seed):
    s.rng = np.uint64(seed)


def plain_hide(s, seat, seed):
    s.rng = seed


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"hide": allocating_hide}, "allocates memory"),
        ({"evaluate": logarithmic_evaluate}, "uses what differs between machines"),
        ({"legal": legal_that_returns_an_array}, "does not compile as (s: state, seat: i64, out"),
        ({"hide": plain_hide}, "is not compiled"),
    ],
)
def test_a_function_with_a_fault_is_reported(changes, problem):
    (function, value), *_ = changes.items()
    game = race(name=value.__name__, **changes)
    with pytest.raises(Fault) as caught:
        check_kernel(game)
    assert caught.value.function == function
    assert problem in caught.value.problem


@pytest.mark.parametrize(
    ("function", "changed", "used", "hint"),
    [
        ("legal", legal_with_unknown_field, legal_with_unknown_field, "STATE has no field colour."),
        ("hide", hide_by_unknown_field, _write_unknown_field,
         "STATE has no field token; did you mean tokens?"),
    ],
)  # fmt: skip
def test_an_unknown_field_is_named_with_its_line(function, changed, used, hint):
    game = race(name=changed.__name__, **{function: changed})
    with pytest.raises(Fault) as caught:
        check_kernel(game)
    code = used.py_func.__code__
    assert caught.value.function == function
    assert caught.value.problem == f"uses an unknown field {hint.split()[4].strip('.;')}"
    assert caught.value.found == f"{hint}\n{code.co_filename}, line {code.co_firstlineno + 2}."


@pytest.mark.skipif(BOUNDS_CHECKED, reason="the compiled code raises an exception")
@pytest.mark.parametrize(
    ("function", "changed", "argument"),
    [("legal", legal_beyond_the_end, "out"), ("observe", observe_beyond_the_end, "planes")],
)
def test_writing_beyond_the_end_of_an_array_is_reported(function, changed, argument):
    game = race(name=changed.__name__, **{function: changed})
    with pytest.raises(Fault) as caught:
        check_game(game, games=1, plies=2)
    assert caught.value.function == function
    assert caught.value.problem == f"writes outside the array {argument}"


def test_a_call_with_other_types_than_declared_is_reported():
    game = race(name="hide_of_any_types", hide=hide_of_any_types)
    game.kernel.hide(game.start(seed=0).position, 0, np.uint64(1))
    check_kernel(game)
    with pytest.raises(Fault) as caught:
        check_compiled(game)
    assert caught.value.function == "hide"
    assert caught.value.problem == "was called with other types than declared"
    assert caught.value.found == "(state, i64, u64) -> void."


def test_the_game_without_a_fault_passes():
    check_game(race(), games=1, plies=20)
