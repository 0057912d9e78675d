"""Every search function is compiled for the types that its module declares, and for no others."""

import re

import numba
import numpy as np
import pytest

import quincunx as qx
from quincunx import arithmetic, search
from quincunx.players import AnalysingPlayer, players_of
from tests.conftest import UNCOMPILED

pytestmark = pytest.mark.skipif(UNCOMPILED, reason="nothing is compiled")

SCALARS = {
    "i32": numba.int32,
    "i64": numba.int64,
    "u64": numba.uint64,
    "f64": numba.float64,
    "bool": numba.boolean,
    "void": numba.none,
}
PLAYERS = ["greedy", "mcts:sims=60", "mcts:sims=60,guided=no", "alphabeta:depth=3", "expectimax"]


def declared_signature(text, records):
    """Returns the numba signature of a text such as `(s: state, out: i32[:]) -> i64`."""
    arguments, result = re.fullmatch(r"\((.*)\) -> (\w+)", text).groups()
    types = [numba_type(part.split(": ")[1], records) for part in arguments.split(", ")]
    return numba_type(result, records)(*types)


def numba_type(name, records):
    """Returns the numba type of one type of a signature text."""
    item, dimensions = name.partition("[")[0], name.count(":")
    if item in records:
        array = numba.typeof(np.zeros(0, records[item]))
        return array if dimensions else array.dtype
    return numba.types.Array(SCALARS[item], dimensions, "C") if dimensions else SCALARS[item]


def run_all_searches(game):
    """Runs every player that searches, and the counting of moves, in two positions."""
    state = later = game.start(seed=1)
    search.count_leaves(state, 2)
    search.RandomGames(game).play(seed=1, min_moves=5, max_game_moves=5)
    seat = 0 if state.turn is None else state.turn
    for i in range(game.seats):
        next_seat = later.seat_to_move(seat, i)
        later = later.act(later.actions(next_seat)[0], next_seat)
    for text in PLAYERS:
        if text.partition(":")[0] not in players_of(game):
            continue
        bot = qx.player(text, game, seed=1)
        for position in (state, later):
            bot.choose(position, seat)
            if isinstance(bot, AnalysingPlayer):
                bot.analyse_moves(position, seat)


def assert_compiled_as_declared(function, text, records, name):
    """Asserts that a function has been compiled for its declared types, if at all.

    A function that only compiled code calls is unknown to the process when its caller was loaded
    from the cache; compiling it now shows that the declared types are right.
    """
    declared = declared_signature(text, records)
    function.compile(declared.args)
    assert function.nopython_signatures == [declared], name


def test_searches_are_compiled_for_the_declared_types_only(any_game):
    run_all_searches(any_game)
    kernel = any_game.kernel
    code = search.compiled(kernel)
    for module in search.SEARCH_MODULES:
        if module is search.alphabeta and "alphabeta" not in players_of(any_game):
            continue  # it needs the ring of repeated positions
        records = {"state": kernel.STATE, **module.record_types(kernel)}
        for name, text in module.SIGNATURES.items():
            function = getattr(code, name, None) or getattr(module, name)
            assert_compiled_as_declared(function, text, records, name)
    assert_compiled_as_declared(arithmetic.log, arithmetic.SIGNATURES["log"], {}, "log")


def test_every_compiled_function_has_a_signature():
    for module in (arithmetic, *search.SEARCH_MODULES):
        dispatchers = {
            name
            for name, value in vars(module).items()
            if hasattr(value, "py_func") and value.py_func.__module__ == module.__name__
        }
        assert dispatchers <= set(module.SIGNATURES)
