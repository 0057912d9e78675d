"""Connect Four for Quincunx: drop discs into columns to get four in a line."""

from quincunx.game import Game, Parts
from quincunx_connect_four import kernel, rules

GAME = Game(Parts(kernel, rules, rules.NOTATION, rules.LAYOUT))
