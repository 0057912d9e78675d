"""Quorum: leap over your own stones to hold all four squares in the middle of the board."""

from quincunx.game import Game, Parts
from quincunx.games.quorum import kernel, layout, notation, rules

GAME = Game(Parts(kernel, rules, notation, layout))
