"""Onoro's picture: there is no board, only pawns and a dot on each empty cell around them."""

from __future__ import annotations

from functools import lru_cache

from quincunx.boards import hexagonal
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
from quincunx.games.onoro.rules import WindowCell

COLOURS = ("black", "white")
GLYPHS = "BW"

CONTROLS = Controls(movable=True)

COORDINATE_SIZE = 0.26  # the font size; the centres of neighbouring cells are 1 apart

# Cells are drawn at their coordinates modulo this number, so that the numbers in a picture stay
# small however far the group has moved.
PICTURE_PERIOD_CELLS = 2**10


def clicks(move: str) -> ClickSequence:
    """Returns the cell of a new pawn, or the two cells from and to which a pawn moves."""
    return tuple(move.split(">"))


def paths(before: State, step: Step, flip: bool) -> list[Path]:
    """Returns the straight path of a pawn that lands, from the cell that it left."""
    if step.event != "land" or step.last is None:
        return []
    (origin, target), drawing = clicks(step.last[1]), _Drawing(step, flip)
    points = tuple(drawing.centre_of(drawing.cell_named(name)) for name in (origin, target))
    return [Path(origin, target, points)]


def scene(state: State, view: ViewOptions) -> Scene:
    """Returns the group and the cells around it, rotated by 180 degrees if flipped."""
    drawing = _Drawing(state, view.flip)
    shapes = [
        *drawing.cells(),
        *(drawing.last_move() if view.last else ()),
        *drawing.pawns(),
        *(drawing.last_pawn() if view.last else ()),
        *drawing.choices(view),
        *drawing.winning_lines(),
        *(drawing.coordinates() if view.coordinates else ()),
    ]
    left, top, right, bottom = drawing.bounds()
    margin_x = margin_y = 0.5
    if view.coordinates:
        max_chars = max(len(shape.text) for shape in shapes if isinstance(shape, Label))
        margin_x, margin_y = 0.7 + 0.6 * COORDINATE_SIZE * max_chars, 1.0
    return Scene(
        left - margin_x,
        top - margin_y,
        right - left + 2 * margin_x,
        bottom - top + 2 * margin_y,
        tuple(shapes),
        state.game.title,
        state.status,
    )


@lru_cache(maxsize=2**12)
def _cell(name: str, x: float, y: float) -> tuple[Shape, Shape]:
    """Returns the clickable area of a cell, and its dot."""
    area = Disc(x, y, 0.5, "paper", role="cell", cell=name, glyph="·", title=name)
    return area, Disc(x, y, 0.05, "line", role="dot")


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
    """The shapes of a position, and where its cells are in the picture."""

    def __init__(self, state: State, flip: bool) -> None:
        self.state = state
        self.group = rules.pawns(state.position)
        self.sign = -1 if flip else 1
        self.origin = state.position.origin.tolist()
        self.picture_origin = [
            x - round(x / PICTURE_PERIOD_CELLS) * PICTURE_PERIOD_CELLS for x in self.origin
        ]
        names = clicks(state.last[1]) if state.last else ()
        self.move_cells = [self.cell_named(name) for name in names]
        # While a pawn is lifted, the visible cells include those that it leaves and goes to.
        visible = {*self.group, *(self.move_cells if state.position.stage else ())}
        for _ in range(2):
            visible |= {neighbour for cell in visible for neighbour in rules.neighbours(cell)}
        self.visible = sorted(visible, key=lambda cell: (cell[1], cell[0]))

    def centre_of(self, cell: WindowCell) -> tuple[float, float]:
        """Returns the centre of a cell in the picture."""
        x, y = hexagonal.centre(self.picture_origin[0] + cell[0], self.picture_origin[1] + cell[1])
        return self.sign * x, self.sign * y

    def bounds(self) -> tuple[float, float, float, float]:
        """Returns left, top, right and bottom of the centres of the visible cells."""
        xs, ys = zip(*map(self.centre_of, self.visible), strict=True)
        return min(xs), min(ys), max(xs), max(ys)

    def name(self, cell: WindowCell) -> str:
        """Returns the name of a cell."""
        left, top = self.origin
        return f"{rules.wrap_coordinate(left + cell[0])},{rules.wrap_coordinate(top + cell[1])}"

    def cell_named(self, name: str) -> WindowCell:
        """Returns the cell with a name."""
        q, r = name.split(",")
        return rules.window_cell(self.state.position, int(q), int(r))

    def cells(self) -> list[Shape]:
        """Returns the clickable areas of the visible cells, with dots on the empty ones."""
        shapes: list[Shape] = []
        for cell in self.visible:
            area, dot = _cell(self.name(cell), *self.centre_of(cell))
            shapes += [area] if cell in self.group else [area, dot]
        return shapes

    def pawns(self) -> list[Shape]:
        """Returns the pawns; a lifted pawn is drawn above the cell that it leaves."""
        group, lifted = self.group, None
        if self.state.position.stage == kernel.LIFTED and self.state.last:
            lifted = self.move_cells[0]
            group = {**group, lifted: self.state.last[0]}
        return [
            _pawn(seat, self.name(cell), *self.centre_of(cell), cell == lifted)
            for cell, seat in group.items()
        ]

    def last_move(self) -> list[Shape]:
        """Returns a line along the last move, and a dot on the cell that the pawn left."""
        if len(self.move_cells) < 2:
            return []
        origin, target = self.centre_of(self.move_cells[0]), self.centre_of(self.move_cells[1])
        return [
            Line((origin, target), "accent", 0.05, dashed=True, opacity=0.5, role="last"),
            Disc(*origin, 0.1, "accent", opacity=0.6, role="last"),
        ]

    def last_pawn(self) -> list[Shape]:
        """Returns a dot on the pawn that was placed or moved last."""
        if not self.move_cells or self.move_cells[-1] not in self.group:
            return []
        return [Disc(*self.centre_of(self.move_cells[-1]), 0.1, "accent", role="last")]

    def choices(self, view: ViewOptions) -> list[Shape]:
        """Returns rings on the cells for a new pawn, the pawns that can move, or their targets."""
        starts, targets = starts_and_targets(lambda: map(clicks, self.state.moves()), view)
        rings: list[Shape] = []
        for radius, role, names in ((0.47, "start", starts), (0.4, "target", targets)):
            for name in names:
                centre = self.centre_of(self.cell_named(name))
                glyph = "o" if role == "target" else ""
                rings.append(
                    Disc(*centre, radius, "", "accent", 0.045, role=role, cell=name, glyph=glyph)
                )
        return rings

    def winning_lines(self) -> list[Shape]:
        """Returns a line through each four in a row."""
        shapes: list[Shape] = []
        for seat in range(kernel.SEATS):
            side = [cell for cell in self.group if self.group[cell] == seat]
            for line in rules.rows_of_four(side):
                ends = self.centre_of(line[0]), self.centre_of(line[-1])
                shapes.append(Line(ends, "accent", 0.12, role="win"))
        return shapes

    def coordinates(self) -> list[Shape]:
        """Returns labels: r at the start of each row, and q below each slanting column."""
        row_starts = {cell[1]: cell for cell in reversed(self.visible)}
        labels: list[Shape] = []
        for cell in row_starts.values():
            x, y = self.centre_of(cell)
            anchor = "end" if self.sign > 0 else "start"
            r = self.name(cell).split(",")[1]
            labels.append(
                Label(x - 0.55 * self.sign, y, r, COORDINATE_SIZE, anchor=anchor, role="coordinate")
            )
        left, _, right, _ = self.bounds()
        row_below = self.visible[-1][1] + 1
        column_ends = [(q, row_below) for q in {cell[0] for cell in self.visible}]
        columns = [(self.centre_of(end), self.name(end).split(",")[0]) for end in column_ends]
        # In a terminal a column is two characters wide, so longer numbers label only some columns.
        interval = (max(len(q) for _, q in columns) + 2) // 2
        for (x, y), q in columns:
            if int(q) % interval == 0 and left <= x <= right:
                labels.append(Label(x, y - 0.15 * self.sign, q, COORDINATE_SIZE, role="coordinate"))
        return labels
