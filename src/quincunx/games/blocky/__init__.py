"""Blocky: turn, swap, smash and paint blocks within blocks until your colour counts most."""

from quincunx.game import Game, Parts
from quincunx.games.blocky import kernel, layout, notation, rules

GAME = Game(Parts(kernel, rules, notation, layout))
