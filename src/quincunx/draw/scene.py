"""A picture as plain values: what a layout says and every drawer understands.

Coordinates are in cells, x to the right and y down, so that one cell is one unit wide
and high in every game. Colours are names from `palette.py`. `cell` is the name a click
on the shape stands for, one of the names that moves are made of; where shapes lie in each
other, it is all their names, innermost first, with blanks between. `id` tells pieces apart
within a picture; `role` is what the shape is for (cell, piece, target, last, coordinate,
...), and becomes its CSS class;
`glyph` is the letter that stands for it in a terminal; `title` is what a screen reader says.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from typing import Any, TypeAlias


@dataclass(frozen=True)
class Rect:
    """A rectangle from its upper left corner, corners rounded by `radius`.

    `mark` is a piece colour whose mark is drawn small in the middle.
    """

    x: float
    y: float
    w: float
    h: float
    fill: str = ""
    stroke: str = ""
    width: float = 0.03
    radius: float = 0.0
    opacity: float = 1.0
    role: str = ""
    cell: str = ""
    id: str = ""
    glyph: str = ""
    title: str = ""
    mark: str = ""


@dataclass(frozen=True)
class Disc:
    """A plain circle: a dot, a ring, a highlight."""

    x: float
    y: float
    r: float
    fill: str = ""
    stroke: str = ""
    width: float = 0.03
    opacity: float = 1.0
    role: str = ""
    cell: str = ""
    id: str = ""
    glyph: str = ""
    title: str = ""


@dataclass(frozen=True)
class Piece:
    """A stone, pawn, ball or sphere: a disc with a rim and the mark of its colour.

    `finish` is flat, soft (one soft highlight) or glossy.
    """

    x: float
    y: float
    colour: str
    r: float = 0.4
    finish: str = "flat"
    role: str = "piece"
    cell: str = ""
    id: str = ""
    glyph: str = ""
    title: str = ""


@dataclass(frozen=True)
class Line:
    """A line through points; closed and filled it is a polygon; `arrow` puts a head on its end."""

    points: tuple[tuple[float, float], ...]
    stroke: str = "line"
    width: float = 0.03
    fill: str = ""
    closed: bool = False
    arrow: bool = False
    dashed: bool = False
    opacity: float = 1.0
    role: str = ""
    cell: str = ""
    id: str = ""
    title: str = ""


@dataclass(frozen=True)
class Label:
    """A text, centred on its point unless `anchor` is start or end."""

    x: float
    y: float
    text: str
    size: float = 0.36
    fill: str = "quiet"
    anchor: str = "middle"
    bold: bool = False
    role: str = "label"
    cell: str = ""
    id: str = ""
    title: str = ""


Shape: TypeAlias = Rect | Disc | Piece | Line | Label


@dataclass(frozen=True)
class Scene:
    """Shapes in drawing order within the box `x, y, w, h`; title and status say it in words."""

    x: float
    y: float
    w: float
    h: float
    shapes: tuple[Shape, ...]
    title: str
    status: str = ""


@dataclass(frozen=True)
class ViewOptions:
    """What a picture shows besides the position.

    `picked` is the first name of a move being made: its targets are shown.
    `targets` shows all cells that a move can start from or, where a move is one cell, go to.
    `beside` lets a game tell more beside its board; otherwise that is as wide as the board.
    """

    coordinates: bool = True
    last: bool = True
    targets: bool = False
    picked: str = ""
    flip: bool = False
    beside: bool = True


@dataclass(frozen=True)
class Path:
    """How a shape moved: its id before and after, and the points that its middle went through."""

    begin: str
    end: str
    points: tuple[tuple[float, float], ...]


@dataclass(frozen=True)
class Button:
    """A click that no shape stands for: its name in the ways of moves, what it is called, its key.

    `after` is true when it ends a move that began on the board, false when it is a move alone.
    `colour` is the piece colour it is about, if it is about one; `cost` is what it takes off the
    score.
    """

    word: str
    label: str
    key: str
    about: str
    after: bool = False
    colour: str = ""
    cost: int = 0


@dataclass(frozen=True)
class Controls:
    """What a hand needs besides the board.

    Where cells are `nested`, a click may mean any of the names of its shape. `live` is the option
    and its value with which anyone may move at any time. Where the sides are `facing` each other,
    each sits at its own edge of the board.
    """

    buttons: tuple[Button, ...] = ()
    nested: bool = False
    live: tuple[str, str] | None = None
    facing: bool = False

    def as_dict(self) -> dict[str, Any]:
        """The controls as plain values, for a page."""
        return asdict(self)


def choices(
    ways: Callable[[], Iterable[tuple[str, ...]]], view: ViewOptions
) -> tuple[list[str], list[str]]:
    """The names that moves start from and those that they end on, as far as they are shown.

    A way is the names that are clicked to make a move; they are asked for only if they are
    shown. Shown are all starts, and the ends of what is picked; a way of one name has no start.
    """
    if not (view.targets or view.picked):
        return [], []
    found = list(ways())
    starts = {way[0] for way in found if len(way) > 1 and view.picked in ("", way[0])}
    ends = {way[-1] for way in found if len(way) == 1 or way[0] == view.picked}
    return sorted(starts), sorted(ends)
