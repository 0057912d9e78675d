"""What `check_game` reaches: the end of long games, other options; and what it says it left out."""

from dataclasses import replace

import pytest

from quincunx import jit
from quincunx.testing import Check, Fault, check_game
from quincunx.testing.variants import variants
from tests.testing import naive_race, toy
from tests.testing.test_faults import listing, unfinished_restore_read
from tests.testing.toy import race

pytestmark = [
    pytest.mark.modes,
    pytest.mark.skipif(not jit.UNCOMPILED, reason="the planted functions are not compiled"),
]


def fault_of(game, **arguments):
    """Returns the fault that is found in a game."""
    with pytest.raises(Fault) as caught:
        check_game(game, games=1, **arguments)
    return caught.value


def test_the_end_is_checked_however_few_plies():
    fault = fault_of(race(read=unfinished_restore_read), plies=1)
    assert (fault.function, fault.problem) == ("notation.read", "does not end the game")


def test_positions_before_the_end_are_compared_with_a_naive_implementation():
    wrong = listing(lambda s, right: right[-1:] if s.ply == 2 else right)
    fault = fault_of(race({"repetition": 0}, **wrong), plies=0, naive=naive_race)
    assert fault.problem == "does not list an action that the rules allow"


def test_a_later_position_without_actions_is_reported():
    wrong = listing(lambda s, right: right if s.ply < 3 else [])
    fault = fault_of(race({"repetition": 0}, **wrong), plies=0)
    assert fault.problem == "lists no action before the end of the game"


def test_an_exception_in_a_later_position_is_reported():
    def apply(s, seat, action):
        toy.apply(s, seat, action + 0 // (3 - int(s.ply)))

    fault = fault_of(race({"repetition": 0}, apply=apply), plies=0)
    assert (fault.function, fault.problem) == ("apply", "raises a ZeroDivisionError")


def test_other_values_of_options_are_checked():
    def evaluate(s, seat):
        return 2.0 if s.weather == toy.OPEN else toy.evaluate(s, seat)

    fault = fault_of(race(evaluate=evaluate), plies=2)
    assert (fault.function, fault.problem) == ("evaluate", "is out of range")
    assert "quincunx.game('race', wind='open').start" in fault.situation.replay


def test_traits_with_other_values_of_options_are_checked():
    def traits(options):
        right = toy.traits(options)
        return replace(right, random_start=False) if options["wind"] == "open" else right

    fault = fault_of(race(traits=traits), plies=2)
    assert fault.problem == "has a wrong random_start"
    assert fault.found.startswith("With wind=open: random_start is False, but")


def test_the_values_of_options():
    changed = [variant.changed_options for variant in variants(race())]
    assert changed == [
        *({"wind": wind} for wind in ("open", "hidden")),
        *({"repetition": times} for times in (0, 2, 9)),
    ]


def test_what_was_left_out(monkeypatch):
    monkeypatch.setattr("quincunx.testing.check.MAX_PLIES", 2)
    check = Check(race(), games=1, plies=2, variants=3)
    assert [subject for subject, _, _ in check.steps()] == [
        *("declarations", "game 1", "wind=open", "wind=hidden", "repetition=0", "compiled code"),
    ]
    assert check.left_out() == [
        "No game reached its end within 2 plies, so the end was not checked: try --plies with a"
        " larger number, or options with which games end.",
        "Not checked: repetition=2, repetition=9. Check them by --option.",
        "The rules were not compared with a naive implementation: see --naive.",
    ]


def test_nothing_was_left_out():
    check = Check(race({"repetition": 2}), games=1, plies=2, naive=naive_race)
    assert "wind=open" not in [subject for subject, _, _ in check.steps()]
    assert check.left_out() == []
