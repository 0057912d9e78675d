"""Onoro: get four of your pawns in a row within one group on an infinite plane."""

from quincunx.game import Game, Parts
from quincunx.games.onoro import kernel, layout, notation, rules

GAME = Game(Parts(kernel, rules, notation, layout))
