import pickle
import subprocess
import sys

import pytest

import quincunx as qx
from quincunx.errors import BadOption, BadPosition, IllegalMove, MoveSyntax
from quincunx.registry import GAMES


def test_the_public_names():
    assert set(qx.__all__) == {
        *("game", "games", "player", "Game", "State", "Match", "Record", "errors"),
    }
    for name in qx.__all__:
        assert getattr(qx, name)
    assert qx.games() == ("sphero", "onoro", "blocky", "wzlz", "quorum")


def test_importing_the_package_loads_neither_numpy_nor_numba():
    code = "import sys, quincunx; print({'numpy', 'numba', 'typer'} & set(sys.modules))"
    printed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert printed.stdout.strip() == "set()", printed.stderr


def test_functions_and_modules_of_one_name_live_together():
    from quincunx.game import Game
    from quincunx.games.quorum import GAME

    assert isinstance(GAME, Game)
    assert qx.game("quorum") == GAME
    assert callable(qx.games)


def test_an_unknown_game_gets_the_nearest_name():
    with pytest.raises(BadOption, match="did you mean onoro"):
        qx.game("onro")


@pytest.mark.parametrize("option", ["name", "self", "options"])
def test_no_option_is_mistaken_for_a_parameter(option):
    with pytest.raises(BadOption, match="no such option"):
        qx.game("quorum", **{option: 1})
    with pytest.raises(BadOption, match="no such option"):
        qx.game("quorum").configured(**{option: 1})


def test_a_game_is_a_value(any_game):
    assert qx.game(any_game.name) == any_game
    assert pickle.loads(pickle.dumps(any_game)) == any_game
    assert eval(repr(any_game), {"quincunx": qx}) == any_game
    assert {any_game: 1}[qx.game(any_game.name)] == 1


def test_repr_keeps_options():
    game = qx.game("onoro", pawns="4")
    assert repr(game) == "quincunx.game('onoro', pawns=4)"
    assert eval(repr(game), {"quincunx": qx}) == game
    assert game != qx.game("onoro")


def test_a_state_repr_rebuilds_it():
    state = qx.game("quorum").start().play("a1e3")
    assert eval(repr(state), {"quincunx": qx}) == state


def test_no_seed_gives_different_games():
    wzlz = qx.game("wzlz")
    assert len({wzlz.start().text for _ in range(8)}) > 1
    assert wzlz.start(seed=5).text == wzlz.start(seed=5).text


@pytest.mark.parametrize("seed", ["7", 1.5, True])
def test_a_seed_is_an_integer(seed):
    with pytest.raises(BadOption, match="must be an integer"):
        qx.game("wzlz").start(seed=seed)


def test_states_of_different_options_differ():
    text = qx.game("onoro").start().text
    assert qx.game("onoro", repetition=0).read(text) != qx.game("onoro").read(text)


def test_a_seat_is_named_once():
    state = qx.game("sphero").start()
    assert state.play("R:0,1") == state.play("0,1", seat=0)
    with pytest.raises(MoveSyntax):
        state.play("R:R:0,1")
    with pytest.raises(IllegalMove, match="illegal move '0,1': anyone may move"):
        state.play("0,1")
    with pytest.raises(IllegalMove, match="of seat 0, not of seat 1"):
        state.play("R:0,1", seat=1)


def test_pickling_keeps_which_options_were_given():
    lines98 = pickle.loads(pickle.dumps(qx.game("wzlz", variant="lines98")))
    assert lines98.configured(variant="wzlz").options["initial_balls"] == 5


def test_steps_pickle_whole():
    step = qx.game("quorum").start().steps("a1e3")[0]
    again = pickle.loads(pickle.dumps(step))
    assert (again.event, again.cells, again.pack()) == (step.event, step.cells, step.pack())


@pytest.mark.parametrize("action", [592.0, "592", None, -1, 10**9])
def test_an_action_is_an_integer(action):
    with pytest.raises(IllegalMove, match="no legal action"):
        qx.game("quorum").start().act(action)


@pytest.mark.parametrize("seat", [-1, 2, True, 0.0, "0"])
def test_a_seat_is_an_integer(seat):
    state = qx.game("quorum").start()
    for ask in (state.moves, state.evaluate, state.observe, lambda s: state.hidden(s, 1)):
        with pytest.raises(BadOption, match="from 0 to 1"):
            ask(seat)


def test_after_the_end_nobody_moves(any_game):
    state = any_game.start(seed=1)
    record = state._copy()
    record.over = 1
    over = qx.State(any_game, record)
    with pytest.raises(IllegalMove, match="over"):
        over.play(state.moves(0 if state.turn is None else None)[0], 0)
    for kind in ("random", "greedy"):
        with pytest.raises(IllegalMove, match="over"):
            qx.player(kind, any_game, seed=0).choose(over, 0)


def test_text_door_and_integer_door():
    state = qx.game("quorum").start()
    action = state.action("a1e3")
    assert state.move(action) == "a1e3"
    assert state.act(action) == state.play("a1e3") == state.play(action)
    assert state.actions() == sorted(state.actions())


def test_moves_of_the_wrong_seat():
    state = qx.game("quorum").start()
    assert state.moves(1) == []
    with pytest.raises(IllegalMove, match="White's turn"):
        state.play("a1e3", seat=1)
    with pytest.raises(BadOption, match="from 0 to 1"):
        state.moves(2)


def test_errors_carry_what_was_wrong_and_where():
    state = qx.game("quorum").start()
    with pytest.raises(IllegalMove) as illegal:
        state.play("a3c5")
    assert (illegal.value.move, illegal.value.position) == ("a3c5", state.text)
    assert "b4" in illegal.value.reason
    with pytest.raises(MoveSyntax, match="a1e3"):
        state.play("knight to f3")


@pytest.mark.parametrize("text", [None, 7, b"a1e3", ["a1e3"]])
def test_what_is_not_text_is_refused(text):
    state = qx.game("quorum").start()
    with pytest.raises((MoveSyntax, IllegalMove)):
        state.play(text)
    with pytest.raises(BadPosition):
        state.game.read(text)


def test_unpack_refuses_what_pack_did_not_make(any_game):
    packed = any_game.start(seed=1).pack()
    damaged = packed[:-9] + bytes([packed[-9] ^ 1]) + packed[-8:]
    others = [qx.game(name).start(seed=1).pack() for name in GAMES if name != any_game.name]
    for wrong in ["", None, b"", b"qx1\n", packed[:-1], packed + b"\0", damaged, *others]:
        with pytest.raises(BadPosition):
            any_game.unpack(wrong)


def test_pack_keeps_the_generator():
    wzlz = qx.game("wzlz").start(seed=3)
    copy = wzlz.game.unpack(wzlz.pack())
    for _ in range(5):
        move = wzlz.moves()[0]
        wzlz, copy = wzlz.play(move), copy.play(move)
        assert wzlz.text == copy.text


def test_a_notebook_shows_the_picture():
    assert qx.game("quorum").start()._repr_svg_().startswith("<svg")


def test_a_state_cannot_be_changed_from_outside():
    state = qx.game("quorum").start()
    with pytest.raises(AttributeError):
        state.turn = 1
