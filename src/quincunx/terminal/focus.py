"""The keyboard focus on a board: how it is shown, and where an arrow key moves it.

Named areas of a board can be nested, such as blocks in larger blocks. The focus level selects among
nested areas, counted from the outermost; where fewer are nested, the innermost is taken.
"""

from __future__ import annotations

from dataclasses import replace

from quincunx.draw.palette import PIECES
from quincunx.draw.scene import Disc, Piece, Rect, Scene
from quincunx.draw.terminal_cells import Box, CellNames, TerminalPicture
from quincunx.draw.terminal_grid import middle

INNERMOST_LEVEL = 99

# A neighbour in a direction starts and has its centre at least this many columns further on.
MIN_ADVANCE_COLUMNS = 0.4
# Sideways distance, in columns, costs this much compared with distance along the direction.
SIDEWAYS_COST = 2
OFF_CENTRE_COST = 0.01  # only decides between neighbours that are equally near


def with_focus(scene: Scene, name: str) -> Scene:
    """Returns the scene with a name highlighted: the square under a piece, or a block's outline."""
    named = [
        (i, shape)
        for i, shape in enumerate(scene.shapes)
        if isinstance(shape, Rect | Disc | Piece) and name and shape.cell.split()[:1] == [name]
    ]
    if not named:
        return scene
    index, largest = max(named, key=lambda entry: _area(entry[1]))
    shapes = list(scene.shapes)
    if isinstance(largest, Rect) and (largest.fill in PIECES or largest.w > 1.3):
        outline = Rect(*(largest.x, largest.y, largest.w, largest.h, "", "ink"), role="focus")
        shapes.append(outline)
    else:
        x, y = middle(largest)
        square = Rect(x - 0.5, y - 0.5, 1, 1, "accent", opacity=0.7, role="focus")
        pieces = [i for i, shape in named if isinstance(shape, Piece)]
        shapes.insert(pieces[0] if pieces else index + 1, square)
    return replace(scene, shapes=tuple(shapes))


def _area(shape: Rect | Disc | Piece) -> float:
    return shape.w * shape.h if isinstance(shape, Rect) else 4 * shape.r**2


def name_at_level(names: CellNames, level: int) -> str:
    """Returns the name at a level of nested names, innermost first; empty if there are none."""
    return names[max(0, len(names) - 1 - level)] if names else ""


def next_focus(
    picture: TerminalPicture,
    focus: str,
    level: int,
    step: tuple[int, int],
    starts: frozenset[str] = frozenset(),
) -> str:
    """Returns the name nearest to the focus in the direction of `step` (columns, rows).

    Without a focus, it returns the name nearest to the centre, preferring names in `starts`
    and names that contain no others.
    """
    names = {name_at_level(nesting, level) for nesting in picture.nested_names} - {""}
    from_box = picture.boxes.get(focus)
    if from_box is None:
        innermost = names - {name for nesting in picture.nested_names for name in nesting[1:]}
        preferred = (innermost & starts) or (names & starts) or innermost or names
        return min(
            preferred, key=lambda name: (_distance_to_centre(picture, name), name), default=""
        )
    from_along, from_across = _along_and_across(from_box, step)
    from_centre = sum(from_across) / 2
    costs: dict[str, float] = {}
    for name in names:
        to_box = picture.boxes.get(name)
        if name == focus or to_box is None:
            continue
        along, across = _along_and_across(to_box, step)
        advance = (along[0] + along[1]) / 2 - (from_along[0] + from_along[1]) / 2
        if advance <= MIN_ADVANCE_COLUMNS or along[0] < from_along[0] + MIN_ADVANCE_COLUMNS:
            continue
        sideways = max(across[0] - from_centre, from_centre - across[1], 0.0)
        gap = max(along[0] - from_along[1], 0.0)
        off_centre = abs(sum(across) / 2 - from_centre)
        costs[name] = gap + SIDEWAYS_COST * sideways + OFF_CENTRE_COST * off_centre
    return min(costs, key=lambda name: (costs[name], name), default=focus)


def _along_and_across(
    box: Box, step: tuple[int, int]
) -> tuple[tuple[float, float], tuple[float, float]]:
    """Returns a box's extent along the direction of a step and across it, in columns.

    A row is as high as two columns are wide.
    """
    columns, rows = (box.left, box.right), (2 * box.top, 2 * box.bottom)
    along, across = (columns, rows) if step[0] else (rows, columns)
    if sum(step) < 0:
        along = (-along[1], -along[0])
    return along, across


def _distance_to_centre(picture: TerminalPicture, name: str) -> float:
    box = picture.boxes.get(name) or Box(0, 0, 0, 0)
    x, y = (box.left + box.right) / 2, (box.top + box.bottom) / 2
    return abs(x - picture.width / 2) + 2 * abs(y - picture.height / 2)
