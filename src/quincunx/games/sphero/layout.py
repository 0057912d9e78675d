"""Sphero's picture: shining spheres around the black anchor, liberties as dots, no board."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from math import cos, pi, sin
from typing import Any, TypeAlias

from quincunx.draw.scene import Controls, Disc, Label, Path, Piece, Rect, Scene, Shape, ViewOptions
from quincunx.game import State, Step
from quincunx.games.sphero import kernel, rules

CONTROLS = Controls(live=("order", "anytime"))

COLOURS = tuple(name.lower() for name in rules.SEAT_NAMES)
RADIUS = 0.45
ARC = 6  # straight pieces that stand for half a circle
# The view never shows less than this many cells to each side, so that first moves do not move it.
LEAST = 3
# Below this many cells to a side every second coordinate is written, beyond every fifth.
NARROW = 16

# Where a cell of the kernel's grid is drawn, x to the right and y down.
Place: TypeAlias = Callable[[int], tuple[int, int]]


def clicks(move: str) -> tuple[str, ...]:
    """One click, on the liberty."""
    return (move,)


def paths(before: State, step: Step, flip: bool) -> list[Path]:
    """The inner board turns by half around the anchor; a sphere slides along its way."""
    place = _places(flip)
    if step.event == "rotate":
        old, new = _ids(before._s), _ids(step._s)
        inner = (cell for cell in old if 2 * kernel.ANCHOR - cell in new)
        # Spheres outside the inner board have not moved yet.
        waiting = step._s.waiting
        return [
            Path(old[cell], new[2 * kernel.ANCHOR - cell], _half_turn(*place(cell)))
            for cell in inner
            if not rules.holds(waiting, cell)
        ]
    if step.event in ("settle", "slide"):
        origin, target = int(step._s.origin), int(step._s.target)
        path = tuple(place(rules.cell_at(*map(int, name.split(",")))) for name in step.cells)
        return [Path(_id(before._s, origin), _id(step._s, target), path)]
    return []


def _half_turn(x: float, y: float) -> tuple[tuple[float, float], ...]:
    """The way to the opposite side of the anchor, clockwise."""
    turns = [pi * i / ARC for i in range(ARC + 1)]
    return tuple((x * cos(a) - y * sin(a), x * sin(a) + y * cos(a)) for a in turns)


def scene(state: State, view: ViewOptions) -> Scene:
    """The cluster with room for the next sphere around it, turned by half when flipped."""
    s, side = state._s, -1 if view.flip else 1
    place = _places(view.flip)
    places = [place(cell) for cell in rules.spheres(s)]
    left, right = _extent([x for x, _ in places])
    top, bottom = _extent([y for _, y in places])
    w, h = right - left + 1.2, bottom - top + 1.2
    shapes = [
        Rect(left - 0.6, top - 0.6, w, h, "board", radius=0.6, role="ground"),
        *_liberties(state, view, place),
        Piece(0, 0, "black", RADIUS, "soft", "anchor", "0,0", "anchor", "A", "the anchor"),
        Label(0, 0, "A", 0.4, "white", bold=True, role="anchor"),
        *_spheres(state, view, place),
    ]
    margin = 0.2
    if view.coordinates:
        margin = 0.7 if max(w, h) < NARROW else 1.1
        shapes += _coordinates((left, right), (top, bottom), side, margin)
    box = (left - 0.6 - margin, top - 0.8, w + margin + 0.2, h + margin + 0.2)
    return Scene(*box, tuple(shapes), rules.TITLE, state.status)


def _places(flip: bool) -> Place:
    """Where cells are drawn."""
    side = -1 if flip else 1

    def place(cell: int) -> tuple[int, int]:
        x, y = rules.place(cell)
        return side * x, -side * y

    return place


def _ids(s: Any) -> dict[int, str]:
    """What tells the spheres apart, by their cells: their numbers.

    Numbers begin again after thousands of spheres, when an old one may still be there.
    """
    grid = s.sphere
    cells = grid.nonzero()[0]
    ids: dict[int, str] = {}
    taken: set[int] = set()
    for cell, number in zip(cells.tolist(), (grid[cells] >> 3).tolist(), strict=True):
        own = f"sphere-{number}"
        ids[cell] = f"{own}-{rules.name(cell)}" if number in taken else own
        taken.add(number)
    return ids


def _id(s: Any, cell: int) -> str:
    """What tells the sphere on a cell from all others."""
    return f"sphere-{int(s.sphere[cell]) >> 3}" if s.made <= kernel.NUMBERS else _ids(s)[cell]


def _extent(values: list[int]) -> tuple[int, int]:
    """The first and last cell that is shown, one more than spheres take on either side."""
    return min([*values, 1 - LEAST]) - 1, max([*values, LEAST - 1]) + 1


def _liberties(state: State, view: ViewOptions, place: Place) -> Iterator[Shape]:
    """A dot for each liberty on a cell to be clicked, in the colour of who is to move."""
    colour = "accent" if state.turn is None else COLOURS[state.turn]
    for action in state.actions():
        cell = rules.placed(action)
        (x, y), name = place(cell), rules.name(cell)
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


def _spheres(state: State, view: ViewOptions, place: Place) -> Iterator[Shape]:
    """The spheres, and a ring around the last one placed, wherever it went."""
    ids, newest = _ids(state._s), f"sphere-{(int(state._s.made) - 1) % kernel.NUMBERS}"
    for cell, seat in rules.spheres(state._s).items():
        x, y = place(cell)
        if view.last and state.last and ids[cell] == newest and seat == state.last[0]:
            yield Disc(x, y, 0.49, "", "accent", 0.07, role="last")
        yield _sphere(x, y, seat, rules.name(cell), ids[cell])


@lru_cache(maxsize=2**13)
def _sphere(x: int, y: int, seat: int, name: str, number: str) -> Piece:
    return Piece(
        *(x, y, COLOURS[seat], RADIUS, "soft"),
        cell=name,
        id=number,
        glyph=rules.LETTERS[seat],
        title=f"{rules.SEAT_NAMES[seat]} on {name}",
    )


def _coordinates(
    across: tuple[int, int], down: tuple[int, int], side: int, margin: float
) -> Iterator[Shape]:
    """Numbers in the margin below and to the left, counted from the anchor, larger if fewer."""
    every, size = (2, 0.3) if margin < 1 else (5, 0.5)
    off = 0.55 + margin / 2
    for x in range(across[0], across[1] + 1):
        if x % every == 0:
            yield Label(x, down[1] + off, str(side * x), size, role="coordinate")
    for y in range(down[0], down[1] + 1):
        if y % every == 0:
            yield Label(across[0] - off, y, str(-side * y), size, role="coordinate")
