import pickle
import subprocess
import sys

import numpy as np
import pytest

import quincunx as qx
from quincunx.errors import BadOption, BadPosition, IllegalMove, MoveSyntax
from quincunx.registry import BUILT_IN


def test_the_public_names():
    assert set(qx.__all__) == {
        *("game", "games", "player", "Game", "State", "Match", "Record", "errors"),
        "register",
    }
    for name in qx.__all__:
        assert getattr(qx, name)
    assert qx.games()[: len(BUILT_IN)] == BUILT_IN


def test_importing_the_package_imports_neither_numpy_nor_numba():
    code = "import sys, quincunx; print({'numpy', 'numba', 'typer'} & set(sys.modules))"
    printed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert printed.stdout.strip() == "set()", printed.stderr


def test_game_and_games_are_functions_and_modules():
    from quincunx.game import Game
    from quincunx.games.quorum import GAME

    assert isinstance(GAME, Game)
    assert qx.game("quorum") == GAME
    assert callable(qx.games)


def test_an_unknown_game_gets_the_nearest_name():
    with pytest.raises(BadOption, match="did you mean onoro"):
        qx.game("onro")


@pytest.mark.parametrize("option", ["name", "self", "options"])
def test_option_names_do_not_collide_with_parameters(option):
    with pytest.raises(BadOption, match="no such option"):
        qx.game("quorum", **{option: 1})
    with pytest.raises(BadOption, match="no such option"):
        qx.game("quorum").configured(**{option: 1})


def test_games_compare_copy_and_pickle(any_game):
    assert qx.game(any_game.name) == any_game
    assert pickle.loads(pickle.dumps(any_game)) == any_game
    assert eval(repr(any_game), {"quincunx": qx}) == any_game
    assert {any_game: 1}[qx.game(any_game.name)] == 1


def test_game_repr_contains_changed_options():
    game = qx.game("onoro", pawns="4")
    assert repr(game) == "quincunx.game('onoro', pawns=4)"
    assert eval(repr(game), {"quincunx": qx}) == game
    assert game != qx.game("onoro")


def test_a_state_repr_rebuilds_it():
    state = qx.game("quorum").start().play("a1e3")
    assert eval(repr(state), {"quincunx": qx}) == state


def test_start_without_seed_is_random():
    wzlz = qx.game("wzlz")
    assert len({wzlz.start().text for _ in range(8)}) > 1
    assert wzlz.start(seed=5).text == wzlz.start(seed=5).text


@pytest.mark.parametrize("seed", ["7", 1.5, True])
def test_a_seed_must_be_an_integer(seed):
    with pytest.raises(BadOption, match="must be an integer"):
        qx.game("wzlz").start(seed=seed)


def test_states_of_different_options_differ():
    text = qx.game("onoro").start().text
    assert qx.game("onoro", repetition=0).read(text) != qx.game("onoro").read(text)


def test_a_seat_is_named_by_argument_or_prefix():
    state = qx.game("sphero").start()
    assert state.play("R:0,1") == state.play("0,1", seat=0) == state.play("r:0,1")
    assert state.split_seat("Y:0,1") == ("0,1", 1)
    assert state.split_seat("0,1", 1) == ("0,1", 1)
    assert state.split_seat("X:0,1") == ("X:0,1", None)
    with pytest.raises(MoveSyntax, match="invalid move 'R:0,1': expected a cell"):
        state.play("R:R:0,1")
    with pytest.raises(IllegalMove, match="illegal move '0,1': anyone may move"):
        state.play("0,1")
    with pytest.raises(IllegalMove, match="names seat 0, but was played for seat 1"):
        state.play("R:0,1", seat=1)


def test_pickling_keeps_which_options_were_given():
    lines98 = pickle.loads(pickle.dumps(qx.game("wzlz", variant="lines98")))
    assert lines98.configured(variant="wzlz").options["initial_balls"] == 5


def test_steps_pickle_with_event_and_cells():
    step = qx.game("quorum").start().steps("a1e3")[0]
    again = pickle.loads(pickle.dumps(step))
    assert (again.event, again.cells, again.pack()) == (step.event, step.cells, step.pack())


@pytest.mark.parametrize("action", [592.0, "592", None, -1, 10**9])
def test_an_action_must_be_a_legal_integer(action):
    with pytest.raises(IllegalMove, match="not a legal action"):
        qx.game("quorum").start().act(action)


@pytest.mark.parametrize("seat", [-1, 2, True, 0.0, "0"])
def test_a_seat_must_be_an_integer(seat):
    state = qx.game("quorum").start()
    for ask in (state.moves, state.evaluate, state.observe, lambda s: state.hidden(s, 1)):
        with pytest.raises(BadOption, match="from 0 to 1"):
            ask(seat)


def test_no_seat_can_move_after_the_end(any_game):
    state = any_game.start(seed=1)
    record = state.position.copy()
    record.over = 1
    over = qx.State(any_game, record)
    with pytest.raises(IllegalMove, match="the game is over"):
        over.play(state.moves(0 if state.turn is None else None)[0], 0)
    for kind in ("random", "greedy"):
        with pytest.raises(IllegalMove, match="the game is over"):
            qx.player(kind, any_game, seed=0).choose(over, 0)


def test_play_and_act_agree():
    state = qx.game("quorum").start()
    action = state.action("a1e3")
    assert state.move(action) == "a1e3"
    assert state.act(action) == state.play("a1e3") == state.play(action)
    assert state.actions() == sorted(state.actions())


def test_a_seat_that_is_not_to_move_is_rejected():
    state = qx.game("quorum").start()
    assert state.moves(1) == []
    with pytest.raises(IllegalMove, match="White's turn"):
        state.play("a1e3", seat=1)
    with pytest.raises(BadOption, match="from 0 to 1"):
        state.moves(2)


def test_errors_have_the_input_and_the_position():
    state = qx.game("quorum").start()
    with pytest.raises(IllegalMove) as illegal:
        state.play("a3c5")
    assert (illegal.value.move, illegal.value.position) == ("a3c5", state.text)
    assert "b4" in illegal.value.reason
    with pytest.raises(MoveSyntax, match="a1e3"):
        state.play("knight to f3")


@pytest.mark.parametrize("text", [None, 7, b"a1e3", ["a1e3"]])
def test_a_move_must_be_text_or_integer(text):
    state = qx.game("quorum").start()
    error, reason = (
        (IllegalMove, "not a legal action") if text == 7 else (MoveSyntax, "expected an active")
    )
    with pytest.raises(error, match=reason):
        state.play(text)
    with pytest.raises(BadPosition, match="expected a string"):
        state.game.read(text)


def test_unpack_rejects_damaged_or_foreign_data(any_game):
    packed = any_game.start(seed=1).pack()
    damaged = packed[:-9] + bytes([packed[-9] ^ 1]) + packed[-8:]
    others = [qx.game(name).start(seed=1).pack() for name in BUILT_IN if name != any_game.name]
    for wrong in ("", None):
        with pytest.raises(BadPosition, match="expected bytes"):
            any_game.unpack(wrong)
    for wrong in (b"", b"qx1\n", packed[:-1], packed + b"\0", *others):
        with pytest.raises(BadPosition, match=r"not a position of .* packed by this version"):
            any_game.unpack(wrong)
    with pytest.raises(BadPosition, match="wrong checksum"):
        any_game.unpack(damaged)


def test_pack_preserves_the_random_generator():
    wzlz = qx.game("wzlz").start(seed=3)
    copy = wzlz.game.unpack(wzlz.pack())
    for _ in range(5):
        move = wzlz.moves()[0]
        wzlz, copy = wzlz.play(move), copy.play(move)
        assert wzlz.text == copy.text


def test_a_notebook_shows_the_picture():
    assert qx.game("quorum").start()._repr_svg_().startswith("<svg")


def test_a_state_is_immutable():
    state = qx.game("quorum").start()
    with pytest.raises(AttributeError, match="turn"):
        state.turn = 1


@pytest.mark.parametrize("action", [-1, 2**70, 1.0, True, None, "x"])
def test_what_is_not_a_legal_action_is_refused(any_game, action):
    state = any_game.start(seed=1)
    seat = state.turn or 0
    assert not state.is_legal(action, seat)
    for refused in (state.move, lambda value: state.act(value, seat)):
        with pytest.raises(IllegalMove, match="not a legal action"):
            refused(action)
    assert state.is_legal(np.int32(state.actions(seat)[0]), seat)
