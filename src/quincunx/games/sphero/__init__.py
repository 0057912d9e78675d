"""Sphero: players build a cluster of spheres that rebalances itself; the most spheres win."""

from quincunx.game import Game, Parts
from quincunx.games.sphero import kernel, layout, notation, rules

GAME = Game(Parts(kernel, rules, notation, layout))
