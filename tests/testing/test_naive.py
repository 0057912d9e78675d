"""`check_game` compares games with naive implementations, in the form that authors write."""

from importlib import import_module

import pytest

import quincunx as qx
from quincunx import jit
from quincunx.testing import Fault, check_game, check_state
from tests.testing import naive_race
from tests.testing.toy import race


class OnTexts:
    """A naive implementation of this repository as functions on texts."""

    def __init__(self, name, options):
        self._module, self._options = import_module(f"tests.naive.{name}"), options

    def read(self, text):
        """Returns the naive position of a text."""
        return self._module.read(text, **self._options)

    def legal(self, text, seat=None):
        """Returns the legal moves."""
        return self.read(text).moves(seat)

    def play(self, text, move, seat=None):
        """Returns the text after a move."""
        return self.read(text).play(move, seat).text

    def scores(self, text):
        """Returns the result."""
        return self.read(text).scores


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("quorum", {}),
        ("sphero", {"players": 2, "order": "turns"}),
        ("sphero", {"players": 3}),  # anyone may move
    ],
)
def test_the_naive_implementations_of_this_repository_agree(name, options):
    check_game(qx.game(name, **options), games=1, plies=12, naive=OnTexts(name, options))


class Wrong:
    """Race with other rules, all functions of which can be changed."""

    legal = staticmethod(naive_race.legal)
    play = staticmethod(naive_race.play)
    scores = staticmethod(naive_race.scores)

    def __init__(self, **functions):
        vars(self).update(functions)


@pytest.mark.modes
@pytest.mark.skipif(not jit.UNCOMPILED, reason="the game is compiled in another test")
@pytest.mark.parametrize(
    ("changes", "text", "report"),
    [
        (
            {"legal": lambda text: {"a1"}},
            "ba w -",
            "race: `legal` lists an action that the rules forbid.",
        ),
        (
            {"legal": lambda text: {"a1", "c1", "e1"}},
            "ba w -",
            "race: `legal` does not list an action that the rules allow.",
        ),
        (
            {"legal": lambda text: {"a1"}},
            "ea b -",
            "race: `over` ends the game too early.",
        ),
        (
            {"legal": lambda text: ()},
            "ba w -",
            "race: `over` does not end the game.",
        ),
        (
            {"play": lambda text, move: "ea b -"},
            "ba w -",
            "race: `apply` leads to another position than the rules.",
        ),
        (
            {"scores": lambda text: (0, 1)},
            "ea b -",
            "race: `scores` is not the result of the game.",
        ),
        (
            {"legal": lambda text: {}[text]},
            "ba w -",
            "race: `naive.legal` raises a KeyError.",
        ),
    ],
)
def test_a_difference_is_reported(changes, text, report):
    with pytest.raises(Fault) as caught:
        check_state(race().read(text), naive=Wrong(**changes))
    assert str(caught.value).splitlines()[0] == report
    check_state(race().read(text), naive=Wrong())


@pytest.mark.modes
@pytest.mark.skipif(not jit.UNCOMPILED, reason="the game is compiled in another test")
def test_a_naive_implementation_without_legal_is_named():
    with pytest.raises(Fault) as caught:
        check_state(race().read("ba w -"), naive=object())
    assert str(caught.value).splitlines()[0] == "race: `naive.legal` raises an AttributeError."
