"""What a game need not write: the defaults of kernels and rules."""

from types import ModuleType

import numpy as np
import pytest

import quincunx as qx
from quincunx.contract import SCORE
from quincunx.errors import BadGame
from quincunx.game import Game, Parts
from quincunx.jit import jit
from quincunx.position import HEADER, init_header
from quincunx.search import count_leaves
from quincunx.testing import check_game
from tests.toy_game import kernel_names, make_game

pytestmark = pytest.mark.modes


@pytest.fixture
def stones():
    """The toy game, registered while the test runs."""
    game = qx.register(make_game())
    yield game
    qx.registry._registered.clear()


def test_a_game_with_only_the_required_names_passes_the_check(stones):
    check_game(stones)


def test_defaults_of_the_rules(stones):
    rules = stones.parts.rules
    assert (stones.title, stones.seats, stones.actions) == ("Stones", 2, 3)
    assert (rules.SEAT_NAMES, rules.LETTERS, rules.PASS) == (("White", "Black"), "wb", None)
    assert len(rules.LEVELS) == 8
    assert stones.rules_version == 1
    assert stones.traits.combinatorial


def test_statuses_of_a_game_without_texts(stones):
    state = stones.start()
    assert state.status == "White to play"
    assert state.status_for(0) == "Your turn"
    state = state.play("3").play("3").play("1")
    assert state.status == "White wins"
    assert (state.scores, state.winners) == ((1.0, 0.0), (0,))
    assert [state.evaluate(seat) for seat in (0, 1)] == [1.0, -1.0]


def test_a_move_is_one_event_and_its_step_has_no_moves(stones):
    first, last = stones.start().steps("2")
    assert (first.event, last.event) == ("move", "")
    assert first.actions() == []
    assert last.actions() == [0, 1, 2]


def test_an_option_called_players_is_the_number_of_seats():
    players = qx.game("blocky").parts.rules.OPTIONS[1]
    assert players.name == "players"
    game = make_game(rules={"OPTIONS": (players,)}).configured(players=1)
    assert game.seats == 1
    assert game.traits.outcome == SCORE


@pytest.mark.parametrize("name", ["STATE", "ACTIONS", "PLANES", "start", "legal", "apply", "key"])
def test_a_kernel_without_a_required_name_is_refused(name):
    with pytest.raises(BadGame) as error:
        make_game(without=[name])
    assert error.value.args == ("stones_package.kernel", f"the kernel has no {name}")


@pytest.mark.parametrize("name", ["NAME", "SUMMARY"])
def test_rules_without_a_required_name_are_refused(name):
    with pytest.raises(BadGame, match=f"the rules have no {name}, which must be a text"):
        make_game(rules={name: None})


@pytest.mark.parametrize("name", ["actions", "cells", "status"])
def test_a_variable_with_the_name_of_a_function_is_refused(name):
    with pytest.raises(BadGame, match=f"{name} of the rules must be a function, not 7"):
        make_game(rules={name: 7})


def test_a_notebook_may_define_its_functions_again():
    notebook = ModuleType("__main__")
    vars(notebook).update(kernel_names())

    def game_of_the_notebook():
        parts = make_game().parts
        return Game(Parts(notebook, parts.rules, parts.notation, parts.layout))

    before = game_of_the_notebook()
    notebook.legal = legal_one
    after = game_of_the_notebook()
    for game, actions in ((before, [0, 1, 2]), (after, [0])):
        state = game.start()
        assert state.actions() == actions
        assert [action for action in range(3) if state.is_legal(action, 0)] == actions
        assert count_leaves(state, 1) == len(actions)


@jit
def legal_one(s, seat, out):
    out[0] = 0
    return 0 if s.over or seat != s.turn else 1


def test_a_title_that_is_not_a_text_is_refused():
    with pytest.raises(BadGame, match="TITLE is 5, and must be a text"):
        make_game(rules={"TITLE": 5})


def test_the_version_of_the_rules_is_a_number_from_1():
    assert make_game(rules={"VERSION": 2}).rules_version == 2
    for version in (0, "1", True, 2**31):
        with pytest.raises(BadGame, match=f"VERSION is {version!r}, and must be a number from 1"):
            make_game(rules={"VERSION": version})


@pytest.mark.parametrize("versions", [[1], (2,), (0,), (1, 1), ("1",), (True,), 1])
def test_old_versions_of_the_rules_are_below_the_version_and_ascending(versions):
    assert make_game(rules={"VERSION": 3, "OLD_VERSIONS": (1, 2)}).rules_versions == (1, 2, 3)
    with pytest.raises(BadGame, match="and must be a tuple of ascending numbers"):
        make_game(rules={"VERSION": 2, "OLD_VERSIONS": versions})


def test_a_field_score_is_the_score_of_a_solo_game():
    state_type = np.dtype([*HEADER, ("left", "i1"), ("score", "i4")])
    # None of the toy game's own functions, which must be compiled for one kind of positions only.
    functions = {"start": start_with_score, "legal": some_stones, "apply": take_for_points}
    functions |= {"key": stones_left, "observe": observe_nothing}
    game = make_game(STATE=state_type, SEATS=1, **functions)
    assert game.start().scores == (5.0,)
    assert game.start().play("3").scores == (8.0,)
    assert game.start().play("3").evaluate(0) == 0.0


def test_a_kernel_without_scores_and_a_field_for_them_is_refused():
    fields = [*HEADER, ("left", "i1")]
    reason = "the kernel has no scores, nor a field winner or score from which they could be"
    with pytest.raises(BadGame, match=reason):
        make_game(STATE=np.dtype(fields))


@jit
def start_with_score(s, options, seed):
    init_header(s, seed)
    s.left, s.score = 7, 5


@jit
def some_stones(s, seat, out):
    for i in range(min(3, s.left)):
        out[i] = i
    return min(3, s.left)


@jit
def stones_left(s):
    return np.uint64(s.left)


@jit
def observe_nothing(s, seat, planes):
    pass


@jit
def take_for_points(s, seat, action):
    s.left -= action + 1
    s.score += action + 1
    s.ply += 1
    s.over = s.left == 0
