"""Blocky: turn, swap, smash, combine and paint blocks within blocks to score for your goal."""

from quincunx.game import Game, Parts
from quincunx.games.blocky import kernel, layout, notation, rules

GAME = Game(Parts(kernel, rules, notation, layout))
