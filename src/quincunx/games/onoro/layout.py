"""Onoro's picture: no board, only pawns on a field of dots that grows with the group."""

from __future__ import annotations

from functools import lru_cache
from math import sqrt

from quincunx.draw.scene import (
    ClickSequence,
    Controls,
    Disc,
    Label,
    Line,
    Path,
    Piece,
    Scene,
    Shape,
    ViewOptions,
    starts_and_targets,
)
from quincunx.game import State, Step
from quincunx.games.onoro import kernel, rules
from quincunx.games.onoro.rules import Spot

COLOURS = ("black", "white")
GLYPHS = "BW"

CONTROLS = Controls()

# From row to row, where neighbours are one apart.
ROW = sqrt(3) / 2

SMALL = 0.26  # the size of coordinates

# How far a group may wander before its picture jumps: pictures are drawn in small numbers.
FAR = 2**10


def clicks(move: str) -> ClickSequence:
    """The cell of a placing; from where and to where a pawn moves."""
    return tuple(move.split(">"))


def paths(before: State, step: Step, flip: bool) -> list[Path]:
    """A lifted pawn goes straight to where it lands."""
    if step.event != "land" or step.last is None:
        return []
    (begin, end), drawing = clicks(step.last[1]), _Drawing(step, flip)
    return [Path(begin, end, tuple(drawing.place(drawing.spot(name)) for name in (begin, end)))]


def scene(state: State, view: ViewOptions) -> Scene:
    """The group and the cells around it; turned upside down when flipped."""
    drawing = _Drawing(state, view.flip)
    shapes = [
        *drawing.field(),
        *(drawing.last_move() if view.last else ()),
        *drawing.pawns(),
        *(drawing.landed() if view.last else ()),
        *drawing.choices(view),
        *drawing.lines(),
        *(drawing.coordinates() if view.coordinates else ()),
    ]
    left, top, right, bottom = drawing.bounds()
    high = wide = 0.5
    if view.coordinates:
        longest = max(len(shape.text) for shape in shapes if isinstance(shape, Label))
        high, wide = 1.0, 0.7 + 0.6 * SMALL * longest
    return Scene(
        left - wide,
        top - high,
        right - left + 2 * wide,
        bottom - top + 2 * high,
        tuple(shapes),
        rules.TITLE,
        state.status,
    )


@lru_cache(maxsize=2**12)
def _cell(name: str, x: float, y: float) -> tuple[Shape, Shape]:
    """A cell's room to click on, and its faint dot."""
    room = Disc(x, y, 0.5, "paper", role="cell", cell=name, glyph="·", title=name)
    return room, Disc(x, y, 0.05, "line", role="dot")


@lru_cache(maxsize=2**12)
def _pawn(seat: int, name: str, x: float, y: float, lifted: bool) -> Piece:
    return Piece(
        *(x, y, COLOURS[seat], 0.49 if lifted else 0.44),
        cell=name,
        id=name,
        glyph=GLYPHS[seat].lower() if lifted else GLYPHS[seat],
        title=f"{rules.SEAT_NAMES[seat]} on {name}",
    )


class _Drawing:
    """A position and where in the picture its cells are."""

    def __init__(self, state: State, flip: bool) -> None:
        self.state = state
        self.group = rules.pawns(state._s)
        self.turned = -1 if flip else 1
        self.origin = state._s.origin.tolist()
        self.corner = [start - round(start / FAR) * FAR for start in self.origin]
        way = clicks(state.last[1]) if state.last else ()
        self.way = [self.spot(name) for name in way]
        # While a pawn is in the air, the field keeps where it came from and where it goes.
        spread = {*self.group, *(self.way if state._s.stage else ())}
        for _ in range(2):
            spread |= {near for spot in spread for near in rules.neighbours(spot)}
        self.spots = sorted(spread, key=lambda spot: (spot[1], spot[0]))

    def place(self, spot: Spot) -> tuple[float, float]:
        """The centre of a cell."""
        q, r = self.corner[0] + spot[0], self.corner[1] + spot[1]
        return self.turned * (q + r / 2), self.turned * r * ROW

    def bounds(self) -> tuple[float, float, float, float]:
        """Left, top, right and bottom of the field."""
        xs, ys = zip(*map(self.place, self.spots), strict=True)
        return min(xs), min(ys), max(xs), max(ys)

    def name(self, spot: Spot) -> str:
        """The name of a cell."""
        left, top = self.origin
        return f"{rules.folded(left + spot[0])},{rules.folded(top + spot[1])}"

    def spot(self, name: str) -> Spot:
        """The cell of a name."""
        q, r = name.split(",")
        return rules.spot_of(self.state._s, int(q), int(r))

    def field(self) -> list[Shape]:
        """The cells around the group: faint dots, and room to click on."""
        shapes: list[Shape] = []
        for spot in self.spots:
            cell, dot = _cell(self.name(spot), *self.place(spot))
            shapes += [cell] if spot in self.group else [cell, dot]
        return shapes

    def pawns(self) -> list[Shape]:
        """The pawns."""
        group, lifted = self.group, None
        if self.state._s.stage == kernel.LIFTED and self.state.last:
            # A pawn in the air is seen above the cell that it leaves.
            lifted = self.way[0]
            group = {**group, lifted: self.state.last[0]}
        return [
            _pawn(seat, self.name(spot), *self.place(spot), spot == lifted)
            for spot, seat in group.items()
        ]

    def last_move(self) -> list[Shape]:
        """The way of the last moving, from the cell that was left."""
        if len(self.way) < 2:
            return []
        begin, end = self.place(self.way[0]), self.place(self.way[1])
        return [
            Line((begin, end), "accent", 0.05, dashed=True, opacity=0.5, role="last"),
            Disc(*begin, 0.1, "accent", opacity=0.6, role="last"),
        ]

    def landed(self) -> list[Shape]:
        """A dot on the pawn that was placed or moved last."""
        if not self.way or self.way[-1] not in self.group:
            return []
        return [Disc(*self.place(self.way[-1]), 0.1, "accent", role="last")]

    def choices(self, view: ViewOptions) -> list[Shape]:
        """Rings on the cells for a new pawn, or on the pawns that can move, or their targets."""
        starts, targets = starts_and_targets(lambda: map(clicks, self.state.moves()), view)
        rings: list[Shape] = []
        for radius, role, names in ((0.47, "start", starts), (0.4, "target", targets)):
            for name in names:
                place = self.place(self.spot(name))
                glyph = "o" if role == "target" else ""
                rings.append(
                    Disc(*place, radius, "", "accent", 0.045, role=role, cell=name, glyph=glyph)
                )
        return rings

    def lines(self) -> list[Shape]:
        """A line through each four in a row."""
        shapes: list[Shape] = []
        for seat in range(kernel.SEATS):
            side = [spot for spot in self.group if self.group[spot] == seat]
            for line in rules.rows_of_four(side):
                ends = self.place(line[0]), self.place(line[-1])
                shapes.append(Line(ends, "accent", 0.12, role="win"))
        return shapes

    def coordinates(self) -> list[Shape]:
        """r at the beginning of each row; q on one line below, where the slanting columns end."""
        rows = {spot[1]: spot for spot in reversed(self.spots)}
        labels: list[Shape] = []
        for spot in rows.values():
            x, y = self.place(spot)
            anchor = "end" if self.turned > 0 else "start"
            r = self.name(spot).split(",")[1]
            labels.append(
                Label(x - 0.55 * self.turned, y, r, SMALL, anchor=anchor, role="coordinate")
            )
        left, _, right, _ = self.bounds()
        below = self.spots[-1][1] + 1
        ends = [(q, below) for q in {spot[0] for spot in self.spots}]
        shown = [(self.place(end), self.name(end).split(",")[0]) for end in ends]
        # Where two letters have room, in a terminal, long numbers are written here and there.
        every = (max(len(q) for _, q in shown) + 2) // 2
        for (x, y), q in shown:
            if int(q) % every == 0 and left <= x <= right:
                labels.append(Label(x, y - 0.15 * self.turned, q, SMALL, role="coordinate"))
        return labels
