"""Pictures for the web client, and the frames of a move between them, as plain values.

A picture is a dict: `box` (x, y, width, height), `defs`, `title`, `status`, and `shapes` in
drawing order, each a key and one SVG element. Keys are unique within a picture. A shape without
an id has a key made of its role and its cell or position, the same in every picture. The key of
a shape with an id is the id with which it first appeared, and remains the same when the shape
moves and gets another id. So keys depend on the moves played: all pictures of a game come from
one `Animation`, which tracks them, and a client that joins late receives `animation.picture`.

A frame is one event of a move: `event` and `cells` as in `Step`, `picture` as a delta to the
previous picture, and `ways`, the path of the middle of each moving shape as a list of points, by
key. The last point is the position of the shape in the new picture. `text` describes the event, if
the game has a text for the event.

A delta has `status`, `box` if it changed, and `shapes`: `[i, n]` are n shapes of the previous
picture, starting at index i; `[key, svg]` is a shape that is new or changed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import chain, groupby
from typing import TypedDict, TypeGuard

from quincunx.draw.scene import Label, Line, Scene, Shape, ViewOptions
from quincunx.draw.svg import PIXELS_PER_CELL, page_element, page_gradients
from quincunx.game import State, Step

# A move of a full board can have thousands of events, of which pages get the first ones only, and
# then the final board.
MAX_EVENTS = 200

# The number of frames of a move is limited, and more strictly in pictures with many shapes.
MAX_FRAMES = 60
MIN_FRAME_LIMIT = 12  # however many shapes there are
MAX_SHAPES_IN_FRAMES = 6000  # in all frames of a move together
MAX_POINTS_OF_JOINED_PATH = 9  # of one shape in a frame of several events

Point = tuple[float, float]
Box = tuple[float, float, float, float]  # x, y, width, height


class Picture(TypedDict):
    """A picture of the board."""

    box: Box
    defs: str
    shapes: list[tuple[str, str]]
    title: str
    status: str


class _AlwaysInDelta(TypedDict):
    status: str
    shapes: list[tuple[str, str] | tuple[int, int]]


class Delta(_AlwaysInDelta, total=False):
    """The change from one picture to the next: `[i, n]` stands for n old shapes, from i on."""

    box: Box


class _AlwaysInFrame(TypedDict):
    event: str
    cells: list[str]
    picture: Delta
    ways: dict[str, list[Point]]


class Frame(_AlwaysInFrame, total=False):
    """One event of a move; the final board may have a frame without an event."""

    text: str


def page_picture(state: State, flip: bool = False) -> Picture:
    """Returns the picture of a single position, with the last move and coordinates."""
    return Animation(state, flip).picture


def still_picture(scene: Scene) -> Picture:
    """Returns the picture of a scene that is not one position; nothing in it can be clicked."""
    shapes = [replace(shape, cell="", id="", title="") for shape in scene.shapes]
    elements = [(str(i), page_element(shape)) for i, shape in enumerate(shapes)]
    return _picture(scene, elements)


class Animation:
    """The pictures of one game: the current one, and the frames that lead to the next."""

    def __init__(self, state: State, flip: bool = False) -> None:
        self.state = state
        self.flip = flip
        self._keys: dict[str, str] = {}  # by shape id
        self.picture = self._draw(state, {})

    def play(self, steps: Sequence[Step]) -> list[Frame]:
        """Plays a move, given its steps from the current position, and returns its frames.

        The final step is joined to the last event, unless the picture marks the seat to move.
        """
        frame_limit = max(MIN_FRAME_LIMIT, MAX_SHAPES_IN_FRAMES // len(self.picture["shapes"]))
        runs = _runs(steps, min(MAX_FRAMES, frame_limit))
        if self.state.game.parts.layout.CONTROLS.scoreboard:
            return [*map(self._frame, runs), self._frame([steps[-1]])]
        *others, last = runs
        return [*map(self._frame, others), self._frame([*last, steps[-1]])]

    def _frame(self, run: list[Step]) -> Frame:
        """Returns the frame of some steps, which its last event names."""
        paths, before = self._move_keys(run), self.picture
        self.picture = self._draw(run[-1], self._keys)
        existing = set(self._keys.values())
        last_event = next((step for step in reversed(run) if step.event), run[-1])
        frame: Frame = {
            "event": last_event.event,
            "cells": list(last_event.cells),
            "picture": delta(before, self.picture),
            "ways": {key: points for key, points in paths.items() if key in existing},
        }
        if text := _effects(run):
            frame["text"] = text
        return frame

    def _move_keys(self, run: list[Step]) -> dict[str, list[Point]]:
        """Gives the keys of moving shapes to their new ids; returns paths in pixels, by key."""
        points: dict[str, list[Point]] = {}
        for step in run:
            paths = step.game.parts.layout.paths(self.state, step, self.flip)
            # Removes all old ids first, since the new id of one shape can be the old id of another.
            moved = [(path, self._keys.pop(path.old_id, None)) for path in paths]
            for path, key in moved:
                if key is not None:
                    self._keys[path.new_id] = key
                    points.setdefault(key, []).extend(path.points)
            self.state = step
        is_single_event = sum(bool(step.event) for step in run) == 1
        shortened = points.items() if is_single_event else _thinned(points)
        return {key: [(_short_px(x), _short_px(y)) for x, y in path] for key, path in shortened}

    def _draw(self, state: State, keys: dict[str, str]) -> Picture:
        """Returns the picture of a position, given the keys of shapes by their ids."""
        view = ViewOptions(flip=self.flip, side_panel=False)
        scene = state.game.parts.layout.scene(state, view)
        used, self._keys = set(keys.values()), {}
        shapes: list[tuple[str, str]] = []
        for shape in scene.shapes:
            default_key, element = _key_and_element(shape)
            key = keys.get(shape.id, "") if shape.id else ""
            if not key:
                key = default_key if default_key not in used else _numbered(default_key, used)
                used.add(key)
            if shape.id:
                self._keys[shape.id] = key
            shapes.append((key, element))
        return _picture(scene, shapes)


def _picture(scene: Scene, shapes: list[tuple[str, str]]) -> Picture:
    return {
        "box": (_px(scene.x), _px(scene.y), _px(scene.w), _px(scene.h)),
        "defs": page_gradients(),
        "shapes": shapes,
        "title": scene.title,
        "status": scene.status,
    }


def delta(old: Picture, new: Picture) -> Delta:
    """Returns the change from an old picture to a new one of the same game."""
    old_index = {key: i for i, (key, _) in enumerate(old["shapes"])}
    shapes: list[tuple[str, str] | tuple[int, int]] = []
    start = stop = 0  # the current run of unchanged shapes
    for shape in new["shapes"]:
        i = old_index.get(shape[0])
        if i is None or old["shapes"][i][1] != shape[1]:
            start = stop = 0
            shapes.append(shape)
        elif start < stop == i:
            stop += 1
            shapes[-1] = (start, stop - start)
        else:
            start, stop = i, i + 1
            shapes.append((i, 1))
    change: Delta = {"status": new["status"], "shapes": shapes}
    if old["box"] != new["box"]:
        change["box"] = new["box"]
    return change


def _is_shape(item: tuple[str, str] | tuple[int, int]) -> TypeGuard[tuple[str, str]]:
    """True for a new shape, False for shapes of the previous picture."""
    return isinstance(item[0], str)


def apply_delta(old: Picture, change: Delta) -> Picture:
    """Returns the new picture, given the old one and the delta."""
    shapes: list[tuple[str, str]] = []
    for item in change["shapes"]:
        if _is_shape(item):
            shapes.append(item)
        else:
            first, count = map(int, item)
            shapes += old["shapes"][first : first + count]
    box = change.get("box", old["box"])
    return {**old, "box": box, "status": change["status"], "shapes": shapes}


def _effects(run: list[Step]) -> str:
    """Returns what the game says about the events of a frame, each event once."""
    texts = run[0].game.texts
    codes = dict.fromkeys(f"event.{step.event}" for step in run)
    return "; ".join(texts[code] for code in codes if code in texts)


def _runs(steps: Sequence[Step], max_runs: int) -> Iterator[list[Step]]:
    """Yields the steps of each frame: one, or several if there are more than `max_runs`.

    The final step is not one of them.
    """
    events = steps[:-1]
    runs = [[step] for step in events]
    if len(runs) > max_runs:
        runs = [list(run) for _, run in groupby(events, key=lambda step: step.event)]
    group_size = -(-len(runs) // max_runs)
    for i in range(0, len(runs), group_size):
        yield list(chain(*runs[i : i + group_size]))


def _thinned(points: dict[str, list[Point]]) -> Iterable[tuple[str, list[Point]]]:
    """Yields the paths, shortened to MAX_POINTS_OF_JOINED_PATH points, with both ends."""
    for key, path in points.items():
        last = len(path) - 1
        parts = min(last, MAX_POINTS_OF_JOINED_PATH - 1)
        yield key, [path[i * last // parts] for i in range(parts + 1)] if parts else path


@lru_cache(maxsize=2**15)
def _key_and_element(shape: Shape) -> tuple[str, str]:
    """Returns the key that a shape gets when it first appears, and its SVG element."""
    return shape.id or _default_key(shape), page_element(shape)


def _default_key(shape: Shape) -> str:
    """Returns the key of a shape without an id: its role, and its cell or else its position."""
    if shape.cell:
        return f"{shape.role}:{shape.cell}"
    x, y = shape.points[0] if isinstance(shape, Line) else (shape.x, shape.y)
    if isinstance(shape, Label) and shape.role == "coordinate":
        return f"coordinate:{shape.text}:{shape.anchor}"
    return f"{shape.role}:{_px(x):g}:{_px(y):g}"


def _numbered(key: str, used: set[str]) -> str:
    """Returns the key with the first suffix that makes it unique."""
    number = 2
    while f"{key}~{number}" in used:
        number += 1
    return f"{key}~{number}"


def _px(cells: float) -> float:
    """Returns a length in cells as a length in pixels."""
    return round(cells * PIXELS_PER_CELL, 2)


def _short_px(cells: float) -> float:
    """Returns a length in pixels with one decimal: enough for a path, and short in a message."""
    length = round(cells * PIXELS_PER_CELL, 1)
    return int(length) if length == int(length) else length
