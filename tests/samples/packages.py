"""The packages in examples/, loaded from their folders."""

import sys
from importlib import import_module
from pathlib import Path

import quincunx as qx

EXAMPLES = Path(__file__).parents[2] / "examples"
NAMES = sorted(path.parent.name for path in EXAMPLES.glob("*/pyproject.toml"))

# The numbers of move sequences of 1, 2, ... plies.
LEAVES = {
    "reversi": [4, 12, 56, 244, 1396, 8200, 55092],
    "connect_four": [7, 49, 343, 2401, 16807, 117649, 823536],
}


def load(name):
    """Returns the game of an example, from its folder unless it is installed."""
    if name in qx.registry.installed():
        return qx.game(name)
    folder = str(EXAMPLES / name / "src")
    if folder not in sys.path:
        sys.path.append(folder)
    return import_module(f"quincunx_{name}").GAME


def register(name):
    """Makes an example known to the registry of this process; returns its game."""
    return load(name) if name in qx.registry.installed() else qx.register(load(name))
