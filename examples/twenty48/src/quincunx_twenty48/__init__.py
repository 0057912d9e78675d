"""2048 for Quincunx: push equal tiles together."""

from quincunx.game import Game, Parts
from quincunx_twenty48 import kernel, rules

GAME = Game(Parts(kernel, rules, rules.NOTATION, rules.LAYOUT))
