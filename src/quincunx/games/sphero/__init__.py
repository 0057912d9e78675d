"""Sphero: grow a cluster of spheres that keeps itself in balance, and own the most of it."""

from quincunx.game import Game, Parts
from quincunx.games.sphero import kernel, layout, notation, rules

GAME = Game(Parts(kernel, rules, notation, layout))
