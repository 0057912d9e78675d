"""Several scenes as one: boards in rows with captions, rings on cells, arrows along paths."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from quincunx.draw.scene import Disc, Label, Line, Path, Piece, Rect, Scene, Shape

GAP = 0.04  # between boards, in widths of a board
RIM = 0.52  # the distance from the middle of a piece at which an arrow ends


def with_shapes(scene: Scene, shapes: Iterable[Shape]) -> Scene:
    """Returns the scene with more shapes on top."""
    return replace(scene, shapes=(*scene.shapes, *shapes))


def without_roles(scene: Scene, roles: Iterable[str]) -> Scene:
    """Returns the scene without the shapes of some roles."""
    removed = set(roles)
    return replace(scene, shapes=tuple(s for s in scene.shapes if s.role not in removed))


def with_rings(scene: Scene, cells: Iterable[str]) -> Scene:
    """Returns the scene with rings on some cells; raises ValueError for an unknown cell."""
    return with_shapes(
        scene, [Disc(*_centre(scene, cell), 0.48, "", "bad", 0.07) for cell in cells]
    )


def with_arrow(scene: Scene, path: Path) -> Scene:
    """Returns the scene with an arrow along the path of a piece, and rings at both of its ends."""
    (ax, ay), (bx, by) = path.points[-2:]
    length = max(((ax - bx) ** 2 + (ay - by) ** 2) ** 0.5, RIM)
    rim = (bx + RIM * (ax - bx) / length, by + RIM * (ay - by) / length)
    return with_shapes(
        scene,
        [
            Disc(*path.points[0], 0.4, "", "accent", 0.04, opacity=0.5),
            Line((*path.points[:-1], rim), "accent", 0.09, arrow=True),
            Disc(*path.points[-1], 0.48, "", "accent", 0.07),
        ],
    )


def in_square(scene: Scene) -> Scene:
    """Returns the scene centred in a square box."""
    side = max(scene.w, scene.h)
    x, y = scene.x - (side - scene.w) / 2, scene.y - (side - scene.h) / 2
    return _with_full_ground(replace(scene, x=x, y=y, w=side, h=side))


def cropped(scenes: Sequence[Scene], margin: float) -> list[Scene]:
    """Returns the scenes in one box: the pieces, or else the cells, of all scenes with a margin.

    The box is measured from the centres of pieces. Shapes outside of it are left out.
    """
    shapes = [shape for scene in scenes for shape in scene.shapes]
    boxes = [(p.x, p.y, p.x, p.y) for p in shapes if isinstance(p, Piece)]
    boxes = boxes or [_bounds(shape) for shape in shapes if shape.cell]
    x, y = min(box[0] for box in boxes) - margin, min(box[1] for box in boxes) - margin
    w = max(box[2] for box in boxes) + margin - x
    h = max(box[3] for box in boxes) + margin - y
    return [replace(s, x=x, y=y, w=w, h=h, shapes=_within(s, x, y, w, h)) for s in scenes]


def in_rows(
    scenes: Sequence[Scene], captions: Sequence[str], columns: int, caption_size: float
) -> Scene:
    """Returns one scene with these scenes in rows, in boxes of equal size, with captions.

    The size of the captions is relative to the width of a box.
    """
    x, y = min(s.x for s in scenes), min(s.y for s in scenes)
    w, h = max(s.x + s.w for s in scenes) - x, max(s.y + s.h for s in scenes) - y
    gap = GAP * w
    width = columns * w + (columns + 1) * gap
    size = caption_size * w
    row = h + (2.6 * size if any(captions) else gap)
    shapes: list[Shape] = []
    for i, (scene, caption) in enumerate(zip(scenes, captions, strict=True)):
        left, top = gap + i % columns * (w + gap), gap + i // columns * row
        scene = _with_full_ground(replace(scene, x=x, y=y, w=w, h=h))
        shapes += [_shifted(shape, left - x, top - y) for shape in scene.shapes]
        shapes.append(Label(left + w / 2, top + h + 1.1 * size, caption, size, "ink"))
    height = gap + -(-len(scenes) // columns) * row
    return Scene(0, 0, width, height, tuple(shapes), scenes[0].title, "; ".join(captions))


def _centre(scene: Scene, cell: str) -> tuple[float, float]:
    """Returns the middle of the first shape of a cell."""
    for shape in scene.shapes:
        if cell in shape.cell.split():
            if isinstance(shape, Rect):
                return shape.x + shape.w / 2, shape.y + shape.h / 2
            if not isinstance(shape, Line):
                return shape.x, shape.y
    raise ValueError(f"no cell {cell!r} in the picture")


def _within(scene: Scene, x: float, y: float, w: float, h: float) -> tuple[Shape, ...]:
    """Returns the shapes that are at least partly within a box."""

    def is_within(left: float, top: float, right: float, bottom: float) -> bool:
        return left < x + w and right > x and top < y + h and bottom > y

    return tuple(shape for shape in scene.shapes if is_within(*_bounds(shape)))


def _bounds(shape: Shape) -> tuple[float, float, float, float]:
    """Returns the left, top, right and bottom edge of a shape; of a label, its anchor."""
    if isinstance(shape, Line):
        xs, ys = [x for x, _ in shape.points], [y for _, y in shape.points]
        return min(xs), min(ys), max(xs), max(ys)
    if isinstance(shape, Rect):
        return shape.x, shape.y, shape.x + shape.w, shape.y + shape.h
    r = 0.0 if isinstance(shape, Label) else shape.r
    return shape.x - r, shape.y - r, shape.x + r, shape.y + r


def _with_full_ground(scene: Scene) -> Scene:
    """Returns the scene with its ground shape, if it has one, as large as its box allows."""
    x, y, w, h = scene.x + 0.2, scene.y + 0.2, scene.w - 0.4, scene.h - 0.4
    shapes = (
        replace(s, x=x, y=y, w=w, h=h) if isinstance(s, Rect) and s.role == "ground" else s
        for s in scene.shapes
    )
    return replace(scene, shapes=tuple(shapes))


def _shifted(shape: Shape, dx: float, dy: float) -> Shape:
    """Returns the shape moved by dx, dy."""
    if isinstance(shape, Line):
        return replace(shape, points=tuple((x + dx, y + dy) for x, y in shape.points))
    return replace(shape, x=shape.x + dx, y=shape.y + dy)
