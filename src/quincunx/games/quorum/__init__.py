"""Quorum: leap over your own stones to hold all four squares in the middle of the board."""

from quincunx.game import Game, Parts
from quincunx.games.quorum import kernel, rules
from quincunx.games.quorum.layout import LAYOUT
from quincunx.games.quorum.notation import NOTATION

GAME = Game(Parts(kernel, rules, NOTATION, LAYOUT))
