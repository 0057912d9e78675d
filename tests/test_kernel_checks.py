"""What `check_game` says about kernels that break the contract, and the contract's defaults."""

from random import Random
from types import ModuleType

import numpy as np
import pytest

from quincunx import defaults, jit, search
from quincunx.game import Game, Parts
from quincunx.games.quorum import GAME as QUORUM
from quincunx.testing import Fault, check_state
from quincunx.testing.compiled import check_compiled
from quincunx.testing.declarations import check_kernel
from quincunx.warm import warm

SWAPPED = np.dtype([("over", "u1"), ("turn", "i1"), *QUORUM.kernel.STATE.descr[2:]])
UNSEEN = np.dtype([field for field in QUORUM.kernel.STATE.descr if field[0] != "seen"])
WIDE_PLY = np.dtype([(n, "i8" if n == "ply" else k, *s) for n, k, *s in QUORUM.kernel.STATE.descr])


def with_kernel(**changes):
    """Returns Quorum with a changed kernel."""
    names = {**vars(QUORUM.kernel), **changes, "__name__": "changed.quorum.kernel"}
    kernel = ModuleType("changed.quorum.kernel")
    vars(kernel).update(names)
    parts = QUORUM.parts
    return Game(Parts(kernel, parts.rules, parts.notation, parts.layout))


@jit.jit
def _one_argument(s):
    return True


@jit.jit
def _raising(s, seat, seed):
    if seat > 1:
        raise ValueError(seat)


@jit.jit
def _asserting(seat):
    assert seat < 2


@jit.jit
def _calling_one_that_asserts(s, seat, seed):
    _asserting(seat)


@jit.jit
def _calling_back(s, seat, seed):
    _recursive(s, seat, seed)


@jit.jit
def _recursive(s, seat, seed):
    if seat:
        _calling_back(s, seat - 1, seed)


@pytest.mark.modes
@pytest.mark.parametrize(
    ("changes", "function", "words"),
    [
        ({"ACTIONS": np.int64(1537)}, "ACTIONS", "is not a count"),
        ({"SEATS": 0}, "SEATS", "is not a count"),
        ({"SEATS": 1}, "rules.seats", "is out of range"),
        ({"ACTIONS": 100}, "rules.actions", "is out of range"),
        ({"PLANES": [4, 8, 8]}, "PLANES", "is not a shape"),
        ({"EVENTS": ("", "a", "a")}, "EVENTS", "has a wrong name"),
        ({"EVENTS": ["", "a"]}, "EVENTS", "is not a tuple of names"),
        ({"STATE": SWAPPED}, "STATE", "does not begin with the header"),
        ({"STATE": WIDE_PLY}, "STATE", "has a field ply of a wrong type"),
        ({"STATE": UNSEEN}, "STATE", "has no field seen"),
        ({"HELPERS": {"mix": "(x: u64) -> u64[:]"}}, "mix", "returns an array"),
        ({"HELPERS": {"reach": "() -> i64"}}, "HELPERS", "has reach, but the kernel does not"),
        ({"HELPERS": {"legal": "() -> i64"}}, "HELPERS", "has legal, which is an entry point"),
        ({"HELPERS": {"mix": "u64 -> u64"}}, "HELPERS", "has a wrong type for mix"),
        ({"is_legal": _one_argument}, "is_legal", "has a wrong number of arguments"),
        ({"is_legal": True}, "is_legal", "is not a function"),
        ({"hide": _raising}, "hide", "can raise an exception"),
        ({"hide": _calling_one_that_asserts}, "hide", "can raise an exception"),
        ({"hide": _recursive}, "hide", "is recursive"),
    ],
)
def test_a_kernel_that_breaks_the_contract_is_reported(changes, function, words):
    with pytest.raises(Fault) as caught:
        check_kernel(with_kernel(**changes))
    assert (caught.value.game, caught.value.function) == ("quorum", function)
    assert caught.value.problem == words


def test_a_raise_statement_is_located():
    with pytest.raises(Fault) as caught:
        check_kernel(with_kernel(hide=_calling_one_that_asserts))
    line = jit.python_function(_asserting).__code__.co_firstlineno + 2
    assert caught.value.found == f"a raise or assert statement: {__file__}, line {line}."


def test_recursion_is_shown():
    with pytest.raises(Fault, match="_recursive calls _calling_back calls _recursive"):
        check_kernel(with_kernel(hide=_recursive))


@pytest.mark.modes
@pytest.mark.parametrize(
    ("field", "value", "function", "problem"),
    [
        ("over", 2, "over", "has a wrong value"),
        ("stage", 1, "stage", "has a wrong value"),
        ("turn", 2, "turn", "has a wrong value"),
        ("ply", -1, "ply", "has a wrong value"),
        ("winner", 0, "winner", "is set before the end"),
        ("winner", 5, "winner", "has a wrong value"),
        ("seen", 0, "seen", "does not hold the key of the position"),
    ],
)
def test_a_field_against_its_meaning_is_reported(field, value, function, problem):
    state = QUORUM.start(seed=0)
    text = state.text
    state.position[field] = value
    with pytest.raises(Fault) as caught:
        check_state(state)
    assert (caught.value.function, caught.value.problem) == (function, problem)
    assert field == "turn" or caught.value.position == text  # a wrong turn has no letter


@pytest.mark.modes
def test_the_default_is_legal_agrees_with_the_kernel(any_game):
    is_legal = jit.specialise_for_module(vars(any_game.kernel), defaults.is_legal)
    rng = Random(3)
    state = any_game.start(seed=3)
    for ply in range(20):
        if state.over:
            break
        seat = state.seat_to_move(0, ply)
        legal = state.actions(seat)
        for action in (*rng.sample(legal, min(9, len(legal))), legal[0] - 1, legal[-1] + 1, 2**40):
            expected = action in legal
            assert is_legal(state.position, seat, action) == expected, f"{action}\n{state}"
            assert any_game.kernel.is_legal(state.position, seat, action) == expected
        state = state.act(rng.choice(legal), seat)


@pytest.mark.heavy
@pytest.mark.skipif(jit.UNCOMPILED, reason="nothing is compiled")
def test_players_use_kernel_and_search_with_the_declared_types_and_allocate_nothing(any_game):
    list(warm(any_game))
    check_compiled(any_game)
    for name, function, _, records in search.declared_functions(any_game.kernel):
        assert len(jit.compiled_signatures(function, records)) == 1, name
