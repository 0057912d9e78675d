"""`check_game` checks the old versions of the rules that a game declares."""

import pytest

import quincunx as qx
from quincunx.errors import BadOption
from quincunx.jit import jit
from quincunx.position import NOBODY, init_header
from quincunx.testing import Fault, check_game
from quincunx.testing.check import Check
from tests import toy_game

VERSIONS = {"VERSION": 2, "OLD_VERSIONS": (1,)}


@jit
def start(s, options, seed):
    """In version 1 of these rules there were six stones."""
    init_header(s, seed)
    s.winner = NOBODY
    s.left = 6 if options[0] == 1 else 7


def test_both_versions_are_checked():
    game = toy_game.make_game("stones", "two_versions.kernel", VERSIONS, start=start)
    check_game(game, games=1)
    assert [variant.rules_version for variant in Check(game).variants] == [1]
    assert Check(game.with_rules(1)).variants == []
    assert [game.with_rules(version).start().text for version in (1, 2)] == ["6 w", "7 w"]


def test_a_kernel_that_ignores_the_version_is_a_fault():
    with pytest.raises(Fault) as caught:
        check_game(toy_game.make_game("stones", "one_version.kernel", VERSIONS))
    assert (caught.value.function, caught.value.problem) == (
        "start",
        "ignores the version of the rules",
    )
    assert caught.value.found == (
        "positions of rules 1 and rules 2 are the same, so that moves cannot differ."
    )


def test_games_of_different_rules_differ():
    new, old = qx.game("sphero"), qx.game("sphero").with_rules(1)
    assert new != old
    assert hash(new) != hash(old)
    assert new.with_rules(2) is new
    assert old.configured(players=3).rules_version == 1
    assert repr(old.configured(players=3)) == "quincunx.game('sphero', players=3).with_rules(1)"
    assert old.start() != new.start()
    assert (new.as_played(1), old.as_played(7)) == (old, new)
    with pytest.raises(BadOption, match="rules='3': Sphero is played by rules 1 or 2"):
        new.with_rules(3)


def test_a_game_with_one_version_is_played_by_it():
    game = toy_game.make_game(rules={"VERSION": 3})
    assert (game.rules_version, game.as_played(1).rules_version) == (3, 3)
    assert game.kernel_options.tolist() == []
