"""The packages in examples/, loaded from their folders."""

import sys
from importlib import import_module
from pathlib import Path

import quincunx as qx

EXAMPLES = Path(__file__).parents[2] / "examples"
NAMES = sorted(path.parent.name for path in EXAMPLES.glob("*/pyproject.toml"))


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
