"""Quorum's picture: the board with tinted homes and objective, and flat stones."""

from __future__ import annotations

from functools import cache

from quincunx.draw.scene import (
    Button,
    ClickSequence,
    Controls,
    Disc,
    Label,
    Line,
    Path,
    Piece,
    Rect,
    Scene,
    Shape,
    ViewOptions,
    starts_and_targets,
)
from quincunx.game import State, Step
from quincunx.games.quorum import kernel, rules

COLOURS = ("white", "black")
GLYPHS = "○●"

CONTROLS = Controls(
    (Button("place", "Fill home", "p", "place stones on all empty home squares"),), facing=True
)

# The lower left square of each 2 x 2 area.
HOME_CORNERS = (0, 54)
OBJECTIVE_CORNER = 27


def clicks(move: str) -> ClickSequence:
    """Returns the active and the target square, or `place`, the name of the empty home squares."""
    return (move,) if move == "place" else (move[:2], move[2:])


def paths(before: State, step: Step, flip: bool) -> list[Path]:
    """Returns the path of a leaping stone; the other events do not move stones."""
    if step.event != "move":
        return []
    origin, _, target = step.cells
    points = tuple(_centre(rules.index(name), flip) for name in (origin, target))
    return [Path(origin, target, points)]


def scene(state: State, view: ViewOptions) -> Scene:
    """Returns the picture with White at the bottom, or Black when flipped."""
    shapes = [
        *_board(view.flip),
        *(_last_move(state, view.flip) if view.last else ()),
        *_stones(state, view.flip),
        *(_last_centre(state, view.flip) if view.last else ()),
        *_choices(state, view),
        *(_coordinates(view.flip) if view.coordinates else ()),
    ]
    margin = 0.8 if view.coordinates else 0.25
    size = 8.25 + margin
    return Scene(-margin, -0.25, size, size, tuple(shapes), state.game.title, state.status)


def _corner(q: int, flip: bool) -> tuple[int, int]:
    """Returns the upper left corner of a square; x grows to the right and y downwards."""
    return (7 - q % 8, q // 8) if flip else (q % 8, 7 - q // 8)


def _centre(q: int, flip: bool) -> tuple[float, float]:
    x, y = _corner(q, flip)
    return x + 0.5, y + 0.5


@cache
def _board(flip: bool) -> tuple[Shape, ...]:
    """Returns the shapes that are the same in every position."""
    background = Rect(-0.06, -0.06, 8.12, 8.12, "board", "line", radius=0.12)
    return (background, *_squares(flip), *_areas(flip))


def _squares(flip: bool) -> list[Shape]:
    return [
        Rect(
            *_corner(q, flip),
            1,
            1,
            "shade" if (q % 8 + q // 8) % 2 == 0 else "board",
            role="cell",
            cell=rules.square(q),
            title=rules.square(q),
            glyph="+" if int(kernel.OBJECTIVE) >> q & 1 else "·",
        )
        for q in range(64)
    ]


def _areas(flip: bool) -> list[Shape]:
    """Returns the tinted and framed areas: both homes and the objective."""
    areas: list[Shape] = []
    for q, colour, opacity, frame in (
        (HOME_CORNERS[0], "white", 0.18, "quiet"),
        (HOME_CORNERS[1], "black", 0.16, "quiet"),
        (OBJECTIVE_CORNER, "accent", 0.16, "accent"),
    ):
        corners = [_corner(q, flip), _corner(q + 9, flip)]
        x, y = min(c[0] for c in corners) + 0.05, min(c[1] for c in corners) + 0.05
        role = "objective" if q == OBJECTIVE_CORNER else "home"
        areas.append(Rect(x, y, 1.9, 1.9, colour, radius=0.2, opacity=opacity, role=role))
        areas.append(Rect(x, y, 1.9, 1.9, "", frame, 0.045, radius=0.2, opacity=0.55, role=role))
    return areas


def _last_move(state: State, flip: bool) -> list[Shape]:
    """Returns marks on the squares where the last movement began and landed."""
    if state.last is None or state.last[1] == "place":
        return []
    origin, target = (rules.index(name) for name in clicks(state.last[1]))
    (x0, y0), (x1, y1) = _centre(origin, flip), _centre(target, flip)
    marks: list[Shape] = [
        Rect(x - 0.5, y - 0.5, 1, 1, "accent", opacity=0.18, role="last")
        for x, y in ((x0, y0), (x1, y1))
    ]
    return [
        *marks,
        Line(((x0, y0), (x1, y1)), "accent", 0.06, opacity=0.45, dashed=True, role="last"),
        Disc(x0, y0, 0.09, "accent", opacity=0.6, role="last"),
    ]


def _stones(state: State, flip: bool) -> list[Shape]:
    stones: list[Shape] = []
    for seat, bits in enumerate(state.position.stones.tolist()):
        stones += [_stone(seat, q, flip) for q in range(64) if bits >> q & 1]
    return stones


@cache
def _stone(seat: int, q: int, flip: bool) -> Piece:
    name = rules.square(q)
    return Piece(
        *_centre(q, flip),
        COLOURS[seat],
        0.38,
        cell=name,
        id=name,
        glyph=GLYPHS[seat],
        title=f"{rules.SEAT_NAMES[seat]} on {name}",
    )


def _last_centre(state: State, flip: bool) -> list[Shape]:
    """Returns a dot on the centre of the last movement."""
    if state.last is None or state.last[1] == "place":
        return []
    origin, target = (rules.index(name) for name in clicks(state.last[1]))
    return [Disc(*_centre((origin + target) // 2, flip), 0.08, "accent", role="centre")]


def _choices(state: State, view: ViewOptions) -> list[Shape]:
    """Returns marks on the stones that can move, or on the picked stone and its targets.

    If a placement is legal and no stone is picked, the empty home squares are marked too.
    """
    starts, targets = starts_and_targets(lambda: map(clicks, state.moves()), view)
    shapes: list[Shape] = []
    for name in starts:
        x, y = _centre(rules.index(name), view.flip)
        shapes.append(Disc(x, y, 0.44, "", "accent", 0.05, role="start", cell=name))
    for name in targets:
        if name == "place":
            shapes += [] if view.picked else _empty_home(state, view.flip)
            continue
        x, y = _centre(rules.index(name), view.flip)
        shapes.append(Disc(x, y, 0.14, "accent", role="target", cell=name, glyph="o"))
    return shapes


def _empty_home(state: State, flip: bool) -> list[Shape]:
    """Returns rings on the home squares that a placement fills."""
    occupied = int(state.position.stones[0]) | int(state.position.stones[1])
    return [
        Disc(
            *(*_centre(rules.index(name), flip), 0.2, "", "accent", 0.05),
            role="target",
            cell="place",
            glyph="o",
            title="fill your home",
        )
        for name in rules.squares(int(kernel.HOME[state.turn or 0]) & ~occupied)
    ]


@cache
def _coordinates(flip: bool) -> list[Shape]:
    labels: list[Shape] = []
    for i in range(8):
        labels.append(Label(_centre(i, flip)[0], 8.42, rules.FILES[i], role="coordinate"))
        labels.append(Label(-0.42, _centre(8 * i, flip)[1], str(i + 1), role="coordinate"))
    return labels
