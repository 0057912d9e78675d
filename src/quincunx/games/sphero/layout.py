"""Sphero's scene: the spheres around the black anchor, with the liberties as dots."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from math import cos, pi, sin
from typing import TypeAlias

from quincunx.contract import Position
from quincunx.draw.scene import (
    ClickSequence,
    Controls,
    Disc,
    Label,
    Path,
    Piece,
    Rect,
    Scene,
    Shape,
    ViewOptions,
)
from quincunx.game import State, Step
from quincunx.games.sphero import kernel, rules

CONTROLS = Controls(live=("order", "anytime"))

COLOURS = tuple(name.lower() for name in rules.SEAT_NAMES)
RADIUS = 0.45
ARC_SEGMENTS = 6  # straight lines that approximate a half circle
# The view extends at least this many cells to each side, so that the first moves do not shift it.
MIN_EXTENT_CELLS = 3
# On a smaller view every second coordinate is written, on a larger one every fifth.
DENSE_COORDINATES_MAX_CELLS = 16

# Maps a cell of the kernel's grid to its position in the picture, x to the right and y down.
Projection: TypeAlias = Callable[[int], tuple[int, int]]


def clicks(move: str) -> ClickSequence:
    """Returns the one shape to click: the liberty."""
    return (move,)


def paths(before: State, step: Step, flip: bool) -> list[Path]:
    """Returns half circles for a rotation and the path of a sphere for a slide."""
    project = _projection(flip)
    if step.event == "rotate":
        old, new = _ids(before.position), _ids(step.position)
        inner = (cell for cell in old if 2 * kernel.ANCHOR - cell in new)
        # Spheres outside the inner board have not moved yet.
        waiting = step.position.waiting.tolist()
        return [
            Path(old[cell], new[2 * kernel.ANCHOR - cell], _half_circle(*project(cell)))
            for cell in inner
            if not rules.contains(waiting, cell)
        ]
    if step.event in ("settle", "slide"):
        origin, target = int(step.position.origin), int(step.position.target)
        path = tuple(project(rules.cell_at(*map(int, name.split(",")))) for name in step.cells)
        return [Path(_id(before.position, origin), _id(step.position, target), path)]
    return []


def _half_circle(x: float, y: float) -> tuple[tuple[float, float], ...]:
    """Returns the clockwise path to the opposite side of the anchor."""
    angles = [pi * i / ARC_SEGMENTS for i in range(ARC_SEGMENTS + 1)]
    return tuple((x * cos(a) - y * sin(a), x * sin(a) + y * cos(a)) for a in angles)


def scene(state: State, view: ViewOptions) -> Scene:
    """Returns the cluster with a margin for the next sphere, rotated by 180 degrees if flipped."""
    s, side = state.position, -1 if view.flip else 1
    project = _projection(view.flip)
    positions = [project(cell) for cell in rules.sphere_seats(s)]
    left, right = _extent([x for x, _ in positions])
    top, bottom = _extent([y for _, y in positions])
    w, h = right - left + 1.2, bottom - top + 1.2
    shapes = [
        Rect(left - 0.6, top - 0.6, w, h, "board", radius=0.6, role="ground"),
        *_liberties(state, view, project),
        Piece(
            0,
            0,
            "black",
            RADIUS,
            "soft",
            role="anchor",
            cell="0,0",
            id="anchor",
            glyph="A",
            title="the anchor",
        ),
        Label(0, 0, "A", 0.4, "white", bold=True, role="anchor"),
        *_spheres(state, view, project),
    ]
    margin = 0.2
    if view.coordinates:
        margin = 0.7 if max(w, h) < DENSE_COORDINATES_MAX_CELLS else 1.1
        shapes += _coordinates((left, right), (top, bottom), side, margin)
    box = (left - 0.6 - margin, top - 0.8, w + margin + 0.2, h + margin + 0.2)
    return Scene(*box, tuple(shapes), state.game.title, state.status)


def _projection(flip: bool) -> Projection:
    """Returns the function that maps cells to positions in the picture."""
    side = -1 if flip else 1

    def project(cell: int) -> tuple[int, int]:
        x, y = rules.coordinates(cell)
        return side * x, -side * y

    return project


def _ids(s: Position) -> dict[int, str]:
    """Returns a unique shape id for every sphere, by its cell.

    After SPHERE_IDS placements a sphere may have the same id as an older one; the cell's name
    is then appended.
    """
    ids: dict[int, str] = {}
    used: set[int] = set()
    for cell, sphere in rules.spheres(s).items():
        number = sphere >> 3
        shape_id = f"sphere-{number}"
        ids[cell] = f"{shape_id}-{rules.cell_name(cell)}" if number in used else shape_id
        used.add(number)
    return ids


def _id(s: Position, cell: int) -> str:
    """Returns the unique shape id of the sphere on a cell."""
    return f"sphere-{int(s.sphere[cell]) >> 3}" if s.made <= kernel.SPHERE_IDS else _ids(s)[cell]


def _extent(values: list[int]) -> tuple[int, int]:
    """Returns the first and last visible coordinate, one beyond the spheres on either side."""
    return min([*values, 1 - MIN_EXTENT_CELLS]) - 1, max([*values, MIN_EXTENT_CELLS - 1]) + 1


def _liberties(state: State, view: ViewOptions, project: Projection) -> Iterator[Shape]:
    """Yields a clickable cell with a dot for each liberty, in the colour of the player to move."""
    colour = "accent" if state.turn is None else COLOURS[state.turn]
    for action in state.actions():
        cell = rules.action_cell(action)
        (x, y), name = project(cell), rules.cell_name(cell)
        yield Rect(
            *(x - 0.5, y - 0.5, 1, 1, "board"),
            role="liberty",
            cell=name,
            glyph="·",
            title=f"liberty {name}",
        )
        if name == view.picked:
            yield Disc(x, y, RADIUS, "", "accent", 0.05, role="picked", cell=name)
        if view.targets or name == view.picked:
            yield Disc(x, y, 0.14, colour, "quiet", 0.02, role="target", cell=name, glyph="·")
        else:
            yield Disc(x, y, 0.08, "quiet", opacity=0.45, role="liberty", cell=name)


def _spheres(state: State, view: ViewOptions, project: Projection) -> Iterator[Shape]:
    """Yields the spheres, with a ring around the last one placed, even after it has slid."""
    s = state.position
    ids, newest = _ids(s), f"sphere-{(int(s.made) - 1) % kernel.SPHERE_IDS}"
    for cell, seat in rules.sphere_seats(s).items():
        x, y = project(cell)
        if view.last and state.last and ids[cell] == newest and seat == state.last[0]:
            yield Disc(x, y, 0.49, "", "accent", 0.07, role="last")
        yield _sphere(x, y, seat, rules.cell_name(cell), ids[cell])


@lru_cache(maxsize=2**13)
def _sphere(x: int, y: int, seat: int, name: str, shape_id: str) -> Piece:
    return Piece(
        *(x, y, COLOURS[seat], RADIUS, "soft"),
        cell=name,
        id=shape_id,
        glyph=rules.LETTERS[seat],
        title=f"{rules.SEAT_NAMES[seat]} on {name}",
    )


def _coordinates(
    x_range: tuple[int, int], y_range: tuple[int, int], side: int, margin: float
) -> Iterator[Shape]:
    """Yields the coordinates in the margins below and to the left; fewer are written larger."""
    interval, size = (2, 0.3) if margin < 1 else (5, 0.5)
    offset = 0.55 + margin / 2
    for x in range(x_range[0], x_range[1] + 1):
        if x % interval == 0:
            yield Label(x, y_range[1] + offset, str(side * x), size, role="coordinate")
    for y in range(y_range[0], y_range[1] + 1):
        if y % interval == 0:
            yield Label(x_range[0] - offset, y, str(-side * y), size, role="coordinate")
