"""The focus: where the hand is on a board, how it is shown, and where an arrow key takes it.

Names may lie in each other, as blocks do. A level says how deep the hand reaches, counted
from the outermost name; names that are not as deep are reached as they are.
"""

from __future__ import annotations

from dataclasses import replace

from quincunx.draw.palette import PIECES
from quincunx.draw.scene import Disc, Piece, Rect, Scene
from quincunx.draw.terminal_cells import Box, CellNames, TerminalPicture
from quincunx.draw.terminal_grid import middle

INNERMOST = 99


def focused(scene: Scene, name: str) -> Scene:
    """The scene with a light on a name: a ground under pieces, a frame around blocks."""
    named = [
        (i, shape)
        for i, shape in enumerate(scene.shapes)
        if isinstance(shape, Rect | Disc | Piece) and name and shape.cell.split()[:1] == [name]
    ]
    if not named:
        return scene
    where, largest = max(named, key=lambda found: _extent(found[1]))
    shapes = list(scene.shapes)
    if isinstance(largest, Rect) and (largest.fill in PIECES or largest.w > 1.3):
        frame = Rect(*(largest.x, largest.y, largest.w, largest.h, "", "ink"), role="focus")
        shapes.append(frame)
    else:
        x, y = middle(largest)
        ground = Rect(x - 0.5, y - 0.5, 1, 1, "accent", opacity=0.7, role="focus")
        over = [i for i, shape in named if isinstance(shape, Piece)]
        shapes.insert(over[0] if over else where + 1, ground)
    return replace(scene, shapes=tuple(shapes))


def _extent(shape: Rect | Disc | Piece) -> float:
    return shape.w * shape.h if isinstance(shape, Rect) else 4 * shape.r**2


def at_level(names: CellNames, level: int) -> str:
    """The name at a level, counted from the outermost; the innermost if it is not as deep."""
    return names[max(0, len(names) - 1 - level)] if names else ""


def stepped(
    picture: TerminalPicture,
    focus: str,
    level: int,
    step: tuple[int, int],
    starts: frozenset[str] = frozenset(),
) -> str:
    """The name next to the focus in a direction: columns to the right, rows down.

    Without a focus it is the name nearest to the middle, one of the `starts` if there are any,
    and one that holds no others if there are such.
    """
    names = {at_level(stack, level) for stack in picture.nested_names} - {""}
    here = picture.boxes.get(focus)
    if here is None:
        inner = names - {name for stack in picture.nested_names for name in stack[1:]}
        first = (inner & starts) or (names & starts) or inner or names
        return min(first, key=lambda name: (_from_middle(picture, name), name), default="")
    costs: dict[str, float] = {}
    for name in names:
        there = picture.boxes.get(name)
        if name == focus or there is None:
            continue
        (near, far), (side, wide) = _seen(here, step), _seen(there, step)
        along = (side[0] + side[1]) / 2 - (near[0] + near[1]) / 2
        if along <= 0.4 or side[0] < near[0] + 0.4:
            continue
        middle = (far[0] + far[1]) / 2
        aside = max(wide[0] - middle, middle - wide[1], 0.0)
        costs[name] = max(side[0] - near[1], 0.0) + 2 * aside + 0.01 * abs(sum(wide) / 2 - middle)
    return min(costs, key=lambda name: (costs[name], name), default=focus)


def _seen(box: Box, step: tuple[int, int]) -> tuple[tuple[float, float], tuple[float, float]]:
    """A box from the way of a step: from where to where along it, and across; rows count twice."""
    across, down = (box.left, box.right), (2 * box.top, 2 * box.bottom)
    along, aside = (across, down) if step[0] else (down, across)
    if sum(step) < 0:
        along = (-along[1], -along[0])
    return along, aside


def _from_middle(picture: TerminalPicture, name: str) -> float:
    box = picture.boxes.get(name) or Box(0, 0, 0, 0)
    x, y = (box.left + box.right) / 2, (box.top + box.bottom) / 2
    return abs(x - picture.width / 2) + 2 * abs(y - picture.height / 2)
