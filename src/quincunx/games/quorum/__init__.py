"""Quorum: bring four stones to the middle by leaping over your own."""

from quincunx.game import Game, Parts
from quincunx.games.quorum import kernel, layout, notation, rules

GAME = Game(Parts(kernel, rules, notation, layout))
