"""Sphero's picture (to be written)."""
from quincunx.draw.scene import Scene, Show
from quincunx.game import State
def scene(state: State, show: Show) -> Scene: ...
def clicks(move: str) -> tuple[str, ...]: return (move,)
