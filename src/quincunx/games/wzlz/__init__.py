"""Wzlz: one player moves balls into lines of five before the board is full."""

from quincunx.game import Game, Parts
from quincunx.games.wzlz import kernel, layout, notation, rules

GAME = Game(Parts(kernel, rules, notation, layout))
