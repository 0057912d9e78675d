"""A picture as plain values, which layouts return and every drawing back end reads.

Coordinates are in cells, x to the right and y down: a cell is one unit wide and high in every
game. Colours are names from `palette.py`. Fields that all shapes have:

cell   the name that a click on the shape picks: click sequences consist of such names; nested
       shapes have several, innermost first, separated by spaces
id     identifies a piece within a picture
role   the purpose of the shape (cell, piece, target, last, coordinate, ...); its CSS class
glyph  the character that represents the shape in a terminal
title  the text of the tooltip, which screen readers read

Strokes are `stroke_width` cells wide.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, field
from typing import TypeAlias

# The names that are clicked, in order, to make a move.
ClickSequence: TypeAlias = tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class NamedShape:
    """The fields of every shape."""

    role: str = ""
    cell: str = ""
    id: str = ""
    glyph: str = ""
    title: str = ""


@dataclass(frozen=True)
class Rect(NamedShape):
    """A rectangle with its upper left corner at x, y and corners rounded by `radius`.

    `mark` is a piece colour whose mark is drawn in the middle.
    """

    x: float
    y: float
    w: float
    h: float
    fill: str = ""
    stroke: str = ""
    stroke_width: float = 0.03
    radius: float = 0.0
    opacity: float = 1.0
    mark: str = ""


@dataclass(frozen=True)
class Disc(NamedShape):
    """A plain circle, such as a dot, a ring or a highlight."""

    x: float
    y: float
    r: float
    fill: str = ""
    stroke: str = ""
    stroke_width: float = 0.03
    opacity: float = 1.0


@dataclass(frozen=True)
class Piece(NamedShape):
    """A stone, pawn, ball or sphere: a disc with a rim and the mark of its colour.

    `finish` is flat (one colour), soft (a gradient) or glossy (a gradient and a highlight).
    """

    x: float
    y: float
    colour: str
    r: float = 0.4
    finish: str = "flat"
    role: str = field(default="piece", kw_only=True)


@dataclass(frozen=True)
class Line(NamedShape):
    """A line through points, or a polygon if it is closed; `arrow` draws a head at its end."""

    points: tuple[tuple[float, float], ...]
    stroke: str = "line"
    stroke_width: float = 0.03
    fill: str = ""
    closed: bool = False
    arrow: bool = False
    dashed: bool = False
    opacity: float = 1.0


@dataclass(frozen=True)
class Label(NamedShape):
    """A text, centred at x, y unless `anchor` is start or end."""

    x: float
    y: float
    text: str
    size: float = 0.36
    fill: str = "quiet"
    anchor: str = "middle"
    bold: bool = False
    role: str = field(default="label", kw_only=True)


Shape: TypeAlias = Rect | Disc | Piece | Line | Label


@dataclass(frozen=True)
class Scene:
    """Shapes in drawing order, in the box `x, y, w, h`.

    `title` and `status` describe the picture as text.
    """

    x: float
    y: float
    w: float
    h: float
    shapes: tuple[Shape, ...]
    title: str
    status: str = ""


@dataclass(frozen=True)
class ViewOptions:
    """What a picture shows in addition to the position.

    `coordinates` writes coordinates beside the board.
    `last` marks the last move.
    `targets` marks all cells that a move can start from, and all cells that are a move alone.
    `picked` is the first name of the move being made: its targets are marked.
    `flip` turns the board around.
    `side_panel` allows a game to draw a panel beside its board; without it, the picture is as
    wide as the board.
    """

    coordinates: bool = True
    last: bool = True
    targets: bool = False
    picked: str = ""
    flip: bool = False
    side_panel: bool = True


@dataclass(frozen=True)
class Path:
    """The movement of a shape: its id before and after, and the points of its path."""

    old_id: str
    new_id: str
    points: tuple[tuple[float, float], ...]


@dataclass(frozen=True)
class Button:
    """A button for a click that has no place on the board.

    `word` is its name in click sequences. The interface shows `label`, the keyboard shortcut
    `key`, the description `about`, the piece colour `colour`, if any, and the `cost` of the move
    in points. `after` is true if the button ends a move that begins on the board, false if it is
    a move by itself.
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
    """What an interface needs in addition to the board.

    `nested`: cells contain cells, so a click can mean any of the names of a shape.
    `live`: the name and the value of the option with which any seat may move at any time.
    `facing`: the seats are at opposite edges of the board, so it is flipped for one of them.
    `scoreboard`: the picture shows the scores and marks the seat to move, so that a page needs no
    other scores, and shows the next seat only after the animation of a move.
    `movable`: pages mark the pieces that can move, because many cannot.
    """

    buttons: tuple[Button, ...] = ()
    nested: bool = False
    live: tuple[str, str] | None = None
    facing: bool = False
    scoreboard: bool = False
    movable: bool = False

    def as_dict(self) -> dict[str, object]:
        """Returns the controls as plain values, for the web client."""
        return asdict(self)


def starts_and_targets(
    click_sequences: Callable[[], Iterable[ClickSequence]], view: ViewOptions
) -> tuple[list[str], list[str]]:
    """Returns the names to mark as starts of moves, and those to mark as targets.

    Starts are all first names of moves of several clicks, or only the picked one. Targets are
    the names of moves of one click, and the last names of the moves that begin with the picked
    name. `click_sequences` is called only if needed and returns those of all legal moves.
    """
    if not (view.targets or view.picked):
        return [], []
    sequences = list(click_sequences())
    starts = {names[0] for names in sequences if len(names) > 1 and view.picked in ("", names[0])}
    targets = {names[-1] for names in sequences if len(names) == 1 or names[0] == view.picked}
    return sorted(starts), sorted(targets)
