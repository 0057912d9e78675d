"""The report of a fault: its words, and the code that leads to its position."""

import pickle
from random import Random

import pytest

import quincunx as qx
from quincunx import jit
from quincunx.testing import Fault, check_game
from quincunx.testing.fault import Context, listed, replay_code
from tests.testing import naive_race, toy
from tests.testing.toy import race

REPORT = """\
race: `legal` does not list an action that the rules allow.
In this position (White to play):

      ○
      ●
    a b c d e

    text: bb w -

To see it again:

    state = quincunx.game('race', repetition=0).start(seed=0)
    for move in "b1 b2".split():
        state = state.play(move)

Found:    the naive implementation lists c1, but legal does not.
Expected: exactly the moves of the naive implementation: a1, c1."""


@pytest.mark.modes
@pytest.mark.skipif(not jit.UNCOMPILED, reason="the planted function is not compiled")
def test_a_whole_report():
    def legal(s, seat, out):
        n = toy.legal(s, seat, out)
        return 1 if n and s.tokens[0] == 1 and seat == 0 else n

    with pytest.raises(Fault) as caught:
        check_game(race({"repetition": 0}, legal=legal), naive=naive_race)
    fault = caught.value
    assert str(fault) == REPORT
    assert (fault.game, fault.function) == ("race", "legal")
    assert fault.found == "the naive implementation lists c1, but legal does not."
    assert fault.expected == "exactly the moves of the naive implementation: a1, c1."


@pytest.mark.modes
@pytest.mark.parametrize("name", ["quorum", "sphero"])
def test_the_code_of_a_report_leads_to_its_position(name):
    game = qx.game(name)
    state, rng, moves = game.start(seed=4), Random(1), []
    for ply in range(24):
        seat = state.seat_to_move(0, ply)
        move = rng.choice(state.moves(seat))
        prefix = f"{game.parts.rules.LETTERS[seat]}:" if state.turn is None else ""
        moves.append(prefix + move)
        state = state.play(move, seat)
    names = {"quincunx": qx}
    exec(replay_code(game, 4, moves), names)
    assert names["state"].pack() == state.pack()


def test_a_position_that_was_not_played_is_read_from_its_text():
    state = qx.game("quorum").read("8/8/8/8/8/8/WW6/WW5B b")
    fault = Context(state, Random(0)).fault("key", "is wrong")
    names = {"quincunx": qx}
    exec(fault.situation.replay, names)
    assert names["state"] == state
    assert fault.position == state.text
    assert str(fault).startswith("quorum: `key` is wrong.\nIn this position (")


def test_a_fault_can_be_pickled():
    state = qx.game("quorum").start(seed=0)
    fault = Context(state, Random(0), 0, ["a1a5"]).fault("key", "is wrong", "1.", "2.")
    assert str(pickle.loads(pickle.dumps(fault))) == str(fault)


def test_long_lists_are_cut():
    assert listed(range(3)) == "0, 1, 2"
    assert listed(range(14)) == "0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 and 2 more"
    assert listed([]) == "none"
