"""What `check_game` says about kernels that break the contract, and the contract's defaults."""

from random import Random
from types import ModuleType

import numpy as np
import pytest

from quincunx import defaults, jit, search
from quincunx.game import Game, Parts
from quincunx.games.quorum import GAME as QUORUM
from quincunx.kernel_checks import check_compiled, check_kernel, violations
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
def _unknown_field(s, seat, action):
    return s.colour == action


@jit.jit
def _always_legal(s, seat, action):
    return True


@jit.jit
def _hide(s, seat, seed):
    s.rng = np.uint64(seed)


@jit.jit
def _allocating_hide(s, seat, seed):
    s.rng = np.zeros(seat + 1, np.uint64)[0]


@pytest.mark.modes
@pytest.mark.parametrize(
    ("changed", "message"),
    [
        (with_kernel(ACTIONS=np.int64(1537)), "ACTIONS is .*1537.*; expected a positive int"),
        (with_kernel(SEATS=0), "SEATS is 0; expected a positive int"),
        (with_kernel(SEATS=1), "2 seats; expected 1 to SEATS = 1"),
        (with_kernel(ACTIONS=100), "1537 actions, more than ACTIONS = 100"),
        (with_kernel(PLANES=[4, 8, 8]), r"PLANES is \[4, 8, 8\]; expected a tuple of three ints"),
        (with_kernel(EVENTS=("", "a", "a")), "EVENTS is .*; expected an empty string, then dist"),
        (with_kernel(EVENTS=["", "a"]), "EVENTS is .*; expected a tuple of strings"),
        (with_kernel(STATE=SWAPPED), "must begin with the fields turn, over, stage, ply, rng"),
        (with_kernel(STATE=WIDE_PLY), "the field ply is int64; expected int32"),
        (with_kernel(STATE=UNSEEN), "a repeated position ends the game, so STATE must have"),
        (with_kernel(HELPERS={"mix": "(x: u64) -> u64[:]"}), "mix of HELPERS returns an array"),
        (with_kernel(HELPERS={"reach": "() -> i64"}), "HELPERS has reach, but the kernel does not"),
        (with_kernel(HELPERS={"legal": "() -> i64"}), "legal of HELPERS is an entry point"),
        (with_kernel(HELPERS={"mix": "u64 -> u64"}), "mix of HELPERS: invalid signature"),
        (
            with_kernel(is_legal=_one_argument),
            "is_legal has 1 arguments; expected 3: s: state, seat: i64, action: i64",
        ),
    ],
)  # fmt: skip
def test_a_kernel_that_breaks_the_contract_is_reported(changed, message):
    with pytest.raises(AssertionError, match=f"^quorum: .*{message}"):
        check_kernel(changed)


@pytest.mark.skipif(jit.UNCOMPILED, reason="nothing is compiled")
def test_a_function_that_does_not_compile_is_reported():
    with pytest.raises(AssertionError, match=r"is_legal does not compile as \(s: state, seat: i64"):
        check_kernel(with_kernel(is_legal=_unknown_field))


@pytest.mark.modes
def test_an_is_legal_that_disagrees_with_legal_is_reported():
    changed = with_kernel(is_legal=_always_legal)
    state = changed.start(seed=0)
    assert "is_legal(0, -1) is False, as in legal" in violations(state, Random(0))
    assert not violations(QUORUM.start(seed=0), Random(0))


@pytest.mark.modes
@pytest.mark.parametrize(
    ("field", "value", "requirement"),
    [
        ("over", 2, "over is 0 or 1"),
        ("stage", 1, "stage is 0 between moves"),
        ("turn", 2, "turn is a seat, or ANYONE"),
        ("ply", -1, "ply is not negative"),
        ("winner", 0, "winner is NOBODY before the end"),
        ("winner", 0, "scores are those of winner"),
        ("winner", 5, "winner is a seat, or NOBODY"),
        ("seen", 0, "seen[ply % 64] is the key"),
    ],
)
def test_a_field_against_its_meaning_is_reported(field, value, requirement):
    state = QUORUM.start(seed=0)
    state.position[field] = value
    assert requirement in violations(state, Random(0))


@pytest.mark.skipif(jit.UNCOMPILED, reason="nothing is compiled")
def test_a_call_with_other_types_than_declared_is_reported():
    changed = with_kernel(hide=_hide)
    changed.kernel.hide(changed.start(seed=0).position, 0, np.uint64(1))
    check_kernel(changed)
    with pytest.raises(
        AssertionError, match=r"hide was called .*: \(state, i64, u64\) -> void; exp"
    ):
        check_compiled(changed)


@pytest.mark.skipif(jit.UNCOMPILED, reason="nothing is compiled")
def test_an_allocation_is_reported():
    changed = with_kernel(hide=_allocating_hide)
    check_kernel(changed)
    with pytest.raises(
        AssertionError, match="hide uses NRT_MemInfo_alloc_aligned; kernels must no"
    ):
        check_compiled(changed)


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


@pytest.mark.skipif(jit.UNCOMPILED, reason="nothing is compiled")
def test_players_use_kernel_and_search_with_the_declared_types_and_allocate_nothing(any_game):
    list(warm(any_game))
    check_compiled(any_game)
    for name, function, _, records in search.declared_functions(any_game.kernel):
        assert len(jit.compiled_signatures(function, records)) == 1, name
