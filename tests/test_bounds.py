"""No function of a kernel uses an index outside its array, whatever the options.

`make test` runs this file with NUMBA_BOUNDSCHECK=1, where such an index raises IndexError instead
of reading some other memory. All kernels are compiled again for it, so it is small and calls no
search; `make test-all` runs all tests marked `modes` in that way.
"""

from random import Random
from sys import modules

import numpy as np
import pytest

from quincunx.errors import BadOption
from quincunx.jit import jit
from quincunx.warm import declared_functions
from tests.conftest import BOUNDS_CHECKED

PLIES = 20
ANY_INTEGERS = (-(2**63), -1, 2**40, 2**63 - 1)  # is_legal may be asked about all of them

pytestmark = pytest.mark.bounds


def test_all_functions_stay_within_their_arrays(any_game):
    for number, options in enumerate(variants(any_game)):
        play(any_game.configured(**options), seed=number)
    assert not BOUNDS_CHECKED or not uncompiled_functions(any_game)


@pytest.mark.skipif(not BOUNDS_CHECKED, reason="needs NUMBA_BOUNDSCHECK=1")
def test_an_index_outside_an_array_is_found():
    with pytest.raises(IndexError):
        _item(np.zeros(3), 3)


@jit
def _item(array, i):
    return array[i]


def variants(game):
    """Yields no options, then each value at the end of an option's range."""
    yield {}
    for option in game.parts.rules.OPTIONS:
        ends = (False, True) if isinstance(option.default, bool) else (option.low, option.high)
        for value in option.choices or (*ends, *option.extra_values):
            try:
                game.configured(**{option.name: value})
            except BadOption:  # possible with other values of the other options only
                continue
            yield {option.name: value}


def play(game, seed):
    """Plays a random game and calls all functions of the kernel in each position."""
    rng, state = Random(seed), game.start(seed)
    while not state.over and state.ply < PLIES:
        seat = state.seat_to_move(0, state.ply)
        call_functions(game, state, seat, rng)
        action = rng.choice(state.actions(seat))
        *_, last_step = state.apply_in_steps(action, seat)
        state = state.apply(action, seat)
        assert state.pack() == last_step.pack(), str(state)
    call_functions(game, state, seat, rng)


def call_functions(game, state, seat, rng):
    kernel, s = game.kernel, state.position
    functions = {name: function for name, (function, _) in declared_functions(kernel).items()}
    moves, values = np.empty(kernel.MAX_LEGAL, np.int32), np.empty(kernel.MAX_LEGAL)
    for each in range(game.seats):
        state.evaluate(each)
        state.observe(each)
        state.hidden(each, seed=rng.getrandbits(32))
    for action in (*ANY_INTEGERS, *(rng.randrange(game.actions) for _ in range(20))):
        kernel.is_legal(s, seat, action)
    assert game.read(state.text).text == state.text, "restore"
    state.svg()
    functions["key"](s)
    functions["scores"](s, np.empty(kernel.SEATS))
    if state.over:
        return
    functions["sample"](s, seat, moves, np.uint64(rng.getrandbits(32)))
    scratch = game.empty_positions(2)
    scratch[0] = s
    functions["one_ply_values"](scratch, seat, moves, values)
    if "features" in functions:
        functions["features"](s, seat, np.empty(kernel.FEATURES, np.int64))
        functions["afterstate_values"](scratch, seat, moves, values, kernel.WEIGHTS)


def uncompiled_functions(game):
    """Returns the compiled functions in the game's modules that were never called."""
    package = game.kernel.__name__.rpartition(".")[0]
    return {
        f"{name}.{function.__name__}"
        for name, module in modules.items()
        if name.startswith(f"{package}.")
        for function in vars(module).values()
        if hasattr(function, "nopython_signatures") and function.__module__ == name
        and not function.nopython_signatures
    }  # fmt: skip
