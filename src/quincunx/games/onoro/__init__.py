"""Onoro: one group of pawns on an endless plane, four of yours in a row."""

from quincunx.game import Game, Parts
from quincunx.games.onoro import kernel, layout, notation, rules

GAME = Game(Parts(kernel, rules, notation, layout))
