"""Checks that a game follows the contract: `check_game` is for the tests of a game's author.

A Fault reports the first requirement that is not fulfilled: which function, in which position,
what was found and what is expected.
"""

from quincunx.testing.check import Check, check_game, check_state
from quincunx.testing.fault import Fault, Situation
from quincunx.testing.naive import Naive

__all__ = ["Check", "Fault", "Naive", "Situation", "check_game", "check_state"]
