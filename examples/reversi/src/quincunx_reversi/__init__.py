"""Reversi for Quincunx: enclose the other side's discs to turn them over."""

from quincunx.game import Game, Parts
from quincunx_reversi import kernel, rules

GAME = Game(Parts(kernel, rules, rules.NOTATION, rules.LAYOUT))
