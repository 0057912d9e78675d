"""Checks of a layout: shapes, colours, ids, clicks, and the paths of moving shapes."""

from __future__ import annotations

from collections.abc import Iterator

from quincunx.draw.palette import LIGHT, PIECES
from quincunx.draw.scene import Disc, Label, Line, Piece, Rect, Scene, Shape, ViewOptions
from quincunx.draw.svg import ANCHORS, FINISHES
from quincunx.game import State, Step
from quincunx.testing.fault import Context, listed

# A character of a proportional font is at least this wide, and its upper half this high.
CHAR_WIDTH, HALF_CHAR_HEIGHT = 0.45, 0.35
TOLERANCE = 0.01  # cells; less than a pixel

VIEWS = [
    ViewOptions(flip=flip, coordinates=coordinates)
    for flip in (False, True)
    for coordinates in (False, True)
]


def check_scene(at: Context) -> None:
    """Checks the picture: all views of an initial position, one view of the others."""
    state = at.state
    for view in VIEWS if state.ply == 0 else [at.rng.choice(VIEWS)]:
        _check_shapes(at, state.scene(view), view)
    marked = state.scene(ViewOptions(targets=True))
    _check_shapes(at, marked, ViewOptions(targets=True))
    plain = State(state.game, state.position).scene()
    if state.scene(ViewOptions(last=False)).shapes != plain.shapes:
        expected = "that the picture depends on the position only."
        raise at.fault("layout.scene", "marks the last move with last=False", "", expected)


def check_clicks(at: Context, moves: list[str]) -> None:
    """Checks that every move has its own clicks, all of them on shapes or buttons of the page."""
    layout = at.game.parts.layout
    buttons = {button.word: button.after for button in at.game.controls.buttons}
    shapes = _clickable(at.state, ViewOptions(side_panel=False))
    sequences: dict[tuple[str, ...], str] = {}
    for move in moves:
        clicks = layout.clicks(move)
        if not clicks or not all(clicks):
            found = f"{clicks!r} for {move!r}."
            raise at.fault("layout.clicks", "has a move without clicks", found)
        if clicks in sequences:
            found = f"{sequences[clicks]!r} and {move!r}: {listed(clicks, ', then ')}."
            raise at.fault("layout.clicks", "gives two moves the same clicks", found)
        sequences[clicks] = move
        for i, name in enumerate(clicks):
            # A button is the first click or a later one, according to its field `after`.
            if not (buttons[name] == (i > 0) if name in buttons else name in shapes):
                raise at.fault(
                    "layout.scene",
                    "has no shape for a click",
                    f"the clicks of {move!r} are {listed(clicks, ', then ')}, but no shape has the"
                    f" cell {name!r}, and no button has that word.",
                    "a shape or a button for every click of every legal move.",
                )


def check_highlights(at: Context, moves: list[str]) -> None:
    """Checks that the clicks of moves are possible one after the other where moves are marked."""
    layout = at.game.parts.layout
    buttons = {button.word for button in at.game.controls.buttons}
    starts = _clickable(at.state, ViewOptions(targets=True)) | buttons
    for move in moves:
        first, *more = layout.clicks(move)
        if first not in starts:
            found = f"{move!r} begins with {first!r}, which no shape has in its cell."
            raise at.fault("layout.scene", "does not show the start of a move", found)
        if not more:
            continue
        picked = _clickable(at.state, ViewOptions(picked=first)) | buttons
        missing = [name for name in more if name not in picked]
        if missing:
            found = f"after {first!r} is picked, {move!r} needs {missing[0]!r}, which no shape has."
            raise at.fault("layout.scene", "does not show the target of a move", found)


def check_paths(at: Context, steps: list[Step]) -> None:
    """Checks that shapes with a path exist before and after they moved."""
    for before, step in zip([at.state, *steps], steps, strict=False):
        paths = at.game.parts.layout.paths(before, step, flip=False)
        if not paths:
            continue
        for when, state, moved in (
            ("before", before, {path.old_id for path in paths}),
            ("after", step, {path.new_id for path in paths}),
        ):
            ids = _ids(state)
            if not moved <= ids:
                found = f"{listed(sorted(moved - ids))}, but {when} the event {step.event!r} the"
                found += f" ids are {listed(sorted(ids))}."
                raise at.fault("layout.paths", "moves a shape that does not exist", found)


def _check_shapes(at: Context, scene: Scene, view: ViewOptions) -> None:
    """Checks the size of a scene, and that its shapes are inside, unique and of known colours."""
    if not scene.shapes or scene.w <= 0 or scene.h <= 0:
        found = f"{len(scene.shapes)} shapes in a box of {scene.w:g} x {scene.h:g}."
        raise at.fault("layout.scene", "is empty", found, "shapes, and a box with a size.")
    ids: set[str] = set()
    for shape in scene.shapes:
        if shape.id and shape.id in ids:
            found = f"{shape.id!r}: {_described(shape)}."
            raise at.fault("layout.scene", "gives two shapes the same id", found)
        ids.add(shape.id)
        for name, value, known in _styles(shape):
            if value not in known:
                found = f"{name}={value!r} of {_described(shape)}."
                expected = f"one of {', '.join(filter(None, known))}."
                raise at.fault("layout.scene", f"uses an unknown {name}", found, expected)
        left, top, right, bottom = _bounds(shape)
        if (
            left < scene.x - TOLERANCE
            or top < scene.y - TOLERANCE
            or right > scene.x + scene.w + TOLERANCE
            or bottom > scene.y + scene.h + TOLERANCE
        ):
            box = f"x {scene.x:g} to {scene.x + scene.w:g}, y {scene.y:g} to {scene.y + scene.h:g}"
            raise at.fault(
                "layout.scene",
                "draws outside its box",
                f"{_described(shape)} reaches x {left:g} to {right:g}, y {top:g} to {bottom:g},"
                f" with flip={view.flip} and coordinates={view.coordinates}.",
                f"{box}, strokes included.",
            )


def _described(shape: Shape) -> str:
    """Returns a shape as its class and the fields that identify it."""
    fields = {
        name: getattr(shape, name, "") for name in ("id", "cell", "role", "text", "fill", "colour")
    }
    shown = ", ".join(f"{name}={value!r}" for name, value in fields.items() if value)
    return f"{type(shape).__name__}({shown})"


def _bounds(shape: Shape) -> tuple[float, float, float, float]:
    """Returns left, top, right and bottom of a shape, with its stroke."""
    match shape:
        case Rect(x=x, y=y, w=w, h=h):
            pad = shape.stroke_width / 2 if shape.stroke else 0.0
            return x - pad, y - pad, x + w + pad, y + h + pad
        case Disc(x=x, y=y, r=r):
            pad = r + (shape.stroke_width / 2 if shape.stroke else 0.0)
            return x - pad, y - pad, x + pad, y + pad
        case Piece(x=x, y=y, r=r):
            return x - r, y - r, x + r, y + r
        case Line(points=points):
            pad = shape.stroke_width / 2 if shape.stroke else 0.0
            xs, ys = zip(*points, strict=True)
            return min(xs) - pad, min(ys) - pad, max(xs) + pad, max(ys) + pad
        case Label(x=x, y=y, size=size):
            width, half = CHAR_WIDTH * size * len(shape.text), HALF_CHAR_HEIGHT * size
            left = {"start": x, "middle": x - width / 2, "end": x - width}[shape.anchor]
            return left, y - half, left + width, y + half


def _styles(shape: Shape) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Yields the names of a shape's style with the values that they may have."""
    pieces, colours = tuple(PIECES), (*LIGHT, *PIECES)
    match shape:
        case Piece():
            yield "colour", shape.colour, pieces
            yield "finish", shape.finish, tuple(FINISHES)
        case Label():
            yield "fill", shape.fill, colours
            yield "anchor", shape.anchor, tuple(ANCHORS)
        case _:
            yield "fill", shape.fill, ("", *colours)
            yield "stroke", shape.stroke, ("", *colours)
            if isinstance(shape, Rect):
                yield "mark", shape.mark, ("", *pieces)


def _ids(state: State) -> set[str]:
    """Returns the ids of a picture's shapes."""
    return {shape.id for shape in state.scene(ViewOptions(side_panel=False)).shapes if shape.id}


def _clickable(state: State, view: ViewOptions) -> set[str]:
    """Returns the names that can be clicked in a picture."""
    return {name for shape in state.scene(view).shapes for name in shape.cell.split()}
