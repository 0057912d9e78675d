"""Pictures for a page, and the frames of a play between them, as plain values for the wire.

A picture is a dict: `box` (x, y, width, height), `defs`, `title`, `status`, and `shapes` in
drawing order, each a key and one SVG element. Keys are unique in a picture. What a layout
gives no id has a key made of its role and its cell or place, the same in every picture; what
has an id begins with the id as its key, and keeps this key wherever it moves, as long as it
is there. So keys depend on what was played: pictures of one game come from one `Animation`, which
remembers them, and whoever joins late is given `animation.picture`.

A frame is one thing that happened in a play: its `event` and `cells` as in `Step`, the
`picture` as a delta to the picture before, and `ways`, the points that the middle of each
shape went through, by its key. The last point is where the shape is in the new picture.

A delta has `status`, `box` if that is another one, and `shapes`: `[i, n]` are n shapes of the
picture before, from the i-th on; `[key, svg]` is a shape that is new or looks different.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain, groupby
from typing import Any

from quincunx.draw.scene import Label, Line, Shape, ViewOptions
from quincunx.draw.svg import SCALE, fragment, page_gradients
from quincunx.game import State, Step

# A long play is told in fewer steps: this many frames at most, fewer for many shapes.
MOST, FEW, SHAPES = 60, 12, 6000
TURNS = 9  # points that are kept of a way where steps were joined

Picture = dict[str, Any]
Frame = dict[str, Any]
Point = tuple[float, float]


def picture(state: State, flip: bool = False) -> Picture:
    """The picture of a position by itself, with the last move and coordinates."""
    return Animation(state, flip).picture


class Animation:
    """A game as pictures that follow each other: the one that is seen, and what comes next."""

    def __init__(self, state: State, flip: bool = False) -> None:
        self.state = state
        self.flip = flip
        self._keys: dict[str, str] = {}  # of the shapes that have an id, by their id
        self.picture = self._draw(state, {})

    def play(self, steps: Sequence[Step]) -> list[Frame]:
        """The frames of a play, given its steps from the position that is seen; it is seen then.

        The end of a play is no frame of its own, but seen with the last thing that happens.
        """
        frames: list[Frame] = []
        few = max(FEW, SHAPES // len(self.picture["shapes"]))
        for run in _runs(steps, min(MOST, few)):
            ways, before = self._follow(run), self.picture
            self.picture = self._draw(run[-1], self._keys)
            there, told = set(self._keys.values()), [step for step in run if step.event][-1]
            frames.append(
                {
                    "event": told.event,
                    "cells": list(told.cells),
                    "picture": delta(before, self.picture),
                    "ways": {key: way for key, way in ways.items() if key in there},
                }
            )
        return frames

    def _follow(self, run: list[Step]) -> dict[str, list[list[float]]]:
        """Gives the keys of shapes that move in a run of steps to their new ids; their ways."""
        points: dict[str, list[Point]] = {}
        for step in run:
            ways = step.game.parts.layout.paths(self.state, step, self.flip)
            moved = [(way, self._keys.pop(way.begin, None)) for way in ways]
            for way, key in moved:
                if key is not None:
                    self._keys[way.end] = key
                    points.setdefault(key, []).extend(way.points)
            self.state = step
        kept = points.items() if sum(bool(step.event) for step in run) == 1 else _thinned(points)
        return {key: [[_near(x), _near(y)] for x, y in way] for key, way in kept}

    def _draw(self, state: State, keys: dict[str, str]) -> Picture:
        """The picture of a position whose shapes have these keys, as far as they have ids."""
        scene = state.game.parts.layout.scene(state, ViewOptions(flip=self.flip, beside=False))
        taken, self._keys = set(keys.values()), {}
        shapes: list[list[str]] = []
        for shape in scene.shapes:
            name, text = _written(shape)
            key = keys.get(shape.id, "") if shape.id else ""
            if not key:
                key = name if name not in taken else _unused(name, taken)
                taken.add(key)
            if shape.id:
                self._keys[shape.id] = key
            shapes.append([key, text])
        return {
            "box": [_px(side) for side in (scene.x, scene.y, scene.w, scene.h)],
            "defs": page_gradients(),
            "shapes": shapes,
            "title": scene.title,
            "status": scene.status,
        }


def delta(old: Picture, new: Picture) -> dict[str, Any]:
    """What makes the new picture of a game out of the old one."""
    places = {key: i for i, (key, _) in enumerate(old["shapes"])}
    shapes: list[list[Any]] = []
    begin = end = 0  # of the run of old shapes that goes on
    for shape in new["shapes"]:
        i = places.get(shape[0])
        if i is None or old["shapes"][i][1] != shape[1]:
            begin = end = 0
            shapes.append(shape)
        elif begin < end == i:
            end += 1
            shapes[-1][1] = end - begin
        else:
            begin, end = i, i + 1
            shapes.append([i, 1])
    change = {"status": new["status"], "shapes": shapes}
    return change if old["box"] == new["box"] else {**change, "box": new["box"]}


def patched(old: Picture, change: dict[str, Any]) -> Picture:
    """The new picture, made of the old one and a delta."""
    shapes: list[list[str]] = []
    for first, second in change["shapes"]:
        if isinstance(first, int):
            shapes += old["shapes"][first : first + second]
        else:
            shapes.append([first, second])
    return {**old, **change, "shapes": shapes}


def _runs(steps: Sequence[Step], most: int) -> Iterator[list[Step]]:
    """The steps of each frame: one, and the end with the last, unless there are too many."""
    *happened, end = steps
    runs = [[step] for step in happened]
    if len(runs) > most:
        runs = [list(run) for _, run in groupby(happened, key=lambda step: step.event)]
    many = -(-len(runs) // most)
    joined = [list(chain(*runs[i : i + many])) for i in range(0, len(runs), many)]
    yield from joined[:-1]
    yield [*joined[-1], end]


def _thinned(points: dict[str, list[Point]]) -> Iterable[tuple[str, list[Point]]]:
    """Long ways with few of their points, both ends among them."""
    for key, way in points.items():
        last = len(way) - 1
        few = min(last, TURNS - 1)
        yield key, [way[i * last // few] for i in range(few + 1)] if few else way


@lru_cache(maxsize=2**15)
def _written(shape: Shape) -> tuple[str, str]:
    """What a shape is called while nothing has moved, and its element."""
    return shape.id or _name(shape), fragment(shape)


def _name(shape: Shape) -> str:
    """What a shape without an id is called: its role, and its cell or else its place."""
    if shape.cell:
        return f"{shape.role}:{shape.cell}"
    x, y = shape.points[0] if isinstance(shape, Line) else (shape.x, shape.y)
    if isinstance(shape, Label) and shape.role == "coordinate":
        return f"coordinate:{shape.text}:{shape.anchor}"
    return f"{shape.role}:{_px(x):g}:{_px(y):g}"


def _unused(name: str, taken: set[str]) -> str:
    """The name with a number after it that makes it one of its own."""
    number = 2
    while f"{name}~{number}" in taken:
        number += 1
    return f"{name}~{number}"


def _px(cells: float) -> float:
    """A length in cells as one in the units of the picture."""
    return round(cells * SCALE, 2)


def _near(cells: float) -> float:
    """The same, good enough for a way, and short."""
    length = round(cells * SCALE, 1)
    return int(length) if length == int(length) else length
