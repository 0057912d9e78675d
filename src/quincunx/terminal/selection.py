"""A move made by hand: names that are touched one after the other, until they make a move."""

from __future__ import annotations

from dataclasses import replace

from quincunx.draw.scene import ClickSequence, Scene, ViewOptions
from quincunx.game import State

ACTION = "action"  # the role of shapes that stand for buttons, which a terminal has of its own
SHOWN = {"target", ACTION}  # roles of what is there only to be touched


class Selection:
    """What a seat may touch in a position, and what it has picked up."""

    def __init__(self, state: State, seat: int | None) -> None:
        clicks = state.game.parts.layout.clicks
        moves = [] if seat is None else state.moves(seat)
        self.ways: dict[str, ClickSequence] = {move: clicks(move) for move in moves}
        self.picked: ClickSequence = ()

    @property
    def next(self) -> set[str]:
        """The names that lead on from what is picked."""
        far = len(self.picked)
        return {
            way[far] for way in self.ways.values() if len(way) > far and way[:far] == self.picked
        }

    @property
    def starts(self) -> set[str]:
        """The names that a move begins with."""
        return {way[0] for way in self.ways.values()}

    def touch(self, name: str) -> str | None:
        """Picks a name up, or puts it down; the move, when there is one. KeyError if it is none."""
        if name in self.picked:
            self.drop()
            return None
        if name not in self.next:
            if name not in self.starts:
                raise KeyError(name)
            self.drop()
        way = (*self.picked, name)
        for move, names in self.ways.items():
            if names == way:
                self.drop()
                return move
        self.picked = way
        return None

    def drop(self) -> bool:
        """Puts down what is picked; False if nothing is."""
        had = bool(self.picked)
        self.picked = ()
        return had

    def buttons(self, scene: Scene) -> list[str]:
        """The names that can be touched now and that nothing on the board stands for."""
        return [name for name in self.all_buttons(scene) if name in self.next]

    def all_buttons(self, scene: Scene) -> list[str]:
        """All names of moves that nothing on the board stands for."""
        there = {
            name
            for shape in scene.shapes
            if not SHOWN & set(shape.role.split())
            for name in shape.cell.split()
        }
        named = dict.fromkeys(name for way in self.ways.values() for name in way)
        return [name for name in named if name not in there]

    def show(self, view: ViewOptions) -> ViewOptions:
        """What the picture shows of it: the targets of what is picked, or of moves of one touch."""
        if self.picked:
            return replace(view, picked=self.picked[0], targets=False)
        single = bool(self.ways) and all(len(way) == 1 for way in self.ways.values())
        return replace(view, picked="", targets=view.targets or single)


def without_buttons(scene: Scene) -> Scene:
    """The scene without the shapes that stand for buttons."""
    shapes = tuple(shape for shape in scene.shapes if ACTION not in shape.role.split())
    return replace(scene, shapes=shapes)


def titles(scene: Scene) -> dict[str, str]:
    """What is said of each name, where something is."""
    return {
        shape.cell.split()[0]: shape.title
        for shape in scene.shapes
        if shape.cell.strip() and shape.title
    }
