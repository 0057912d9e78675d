"""Every search function is compiled for the types that its module declares, and for no others."""

import pytest

import quincunx as qx
from quincunx import arithmetic, jit, search
from quincunx.players import AnalysingPlayer, players_of
from tests.conftest import UNCOMPILED

pytestmark = pytest.mark.skipif(UNCOMPILED, reason="nothing is compiled")

PLAYERS = ["greedy", "mcts:sims=60", "mcts:sims=60,guided=no", "alphabeta:depth=3", "expectimax"]


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


def test_searches_are_compiled_for_the_declared_types_only(any_game):
    run_all_searches(any_game)
    log = ("log", arithmetic.log, arithmetic.SIGNATURES["log"], {})
    for name, function, text, records in [*search.declared_functions(any_game.kernel), log]:
        # A function that only compiled code calls is unknown to the process when its caller was
        # loaded from the cache; compiling it now shows that the declared types are right.
        declared = jit.signature(text, records)
        function.compile(declared.args)
        assert function.nopython_signatures == [declared], name


def test_every_compiled_function_has_a_signature():
    for module in (arithmetic, *search.SEARCH_MODULES):
        dispatchers = {
            name
            for name, value in vars(module).items()
            if hasattr(value, "py_func") and value.py_func.__module__ == module.__name__
        }
        assert dispatchers <= set(module.SIGNATURES)
