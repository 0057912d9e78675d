"""Onoro's options and traits, and the phrases for statuses and illegal moves.

A cell has two kinds of coordinates. The texts for people use `q,r` on the plane. The functions
here use column and row in the kernel's window (WindowCell), which may also lie outside of it.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import TypeAlias

from quincunx.boards.hexagonal import STEPS
from quincunx.contract import Position
from quincunx.game import Game
from quincunx.games.onoro import kernel
from quincunx.options import Option
from quincunx.phrases import Phrase, seat_name
from quincunx.position import NOBODY

NAME = "onoro"
SUMMARY = "Place pawns, then move them, to get four in a row."
SOLVER = "quincunx.solve.onoro"
SEAT_NAMES = ("Black", "White")
LETTERS = "bw"
SEARCH = {"explore": 0.1, "horizon": 0, "trust": 1.0}
LEVELS = (
    (80, "greedy"),
    (53, "greedy"),
    (28, "alphabeta:nodes=130"),
    (14, "alphabeta:nodes=600"),
    (6, "alphabeta:nodes=2500"),
    (3, "alphabeta:nodes=8500"),
    (1, "alphabeta:nodes=32000"),
    (0, "alphabeta:time=0.4"),
)

OPTIONS = (
    Option("pawns", 8, "number of pawns per player", low=3, high=8),
    Option(
        "repetition",
        3,
        "number of times a position must occur within 64 plies for a draw; 0 = off",
        low=2,
        high=33,  # the maximum: the same side is to move only at every second ply
        extra_values=(0,),
    ),
)

TEXTS = {
    # Statuses.
    "place": "{seat} to play: place a pawn that touches two others",
    "place.you": "Your turn: place a pawn that touches two others",
    "move": "{seat} to play: move a pawn; all must stay one group, each touching two",
    "move.you": "Your turn: move a pawn; all must stay one group, each touching two",
    "repeated": "Draw: the same position has occurred {times} times",
    "four": "{winner} wins: four in a row",
    "no_move": "{winner} wins: {loser} has no legal move",
    # Notes.
    "left": "{count} pawns left",
    "one_left": "1 pawn left",
    "none_left": "no pawns left",
    # Reasons.
    "must_move": "all pawns are placed, so you must move one of yours: write from>to",
    "must_place": "pawns are still to be placed, and none moves before: give only the new cell",
    "no_pawn": "there is no pawn on {cell}",
    "opponent": "the pawn on {cell} belongs to {owner}",
    "same_cell": "a pawn must move to a different cell",
    "occupied": "{cell} is occupied",
    "touches_none": "a pawn on {cell} would touch no other pawn; it must touch at least two",
    "touches_one": "a pawn on {cell} would touch only one other pawn; it must touch at least two",
    "leaves_one": "the pawn on {cell} would touch only one other pawn",
    "split": "the move would split the group",
}

WindowCell: TypeAlias = tuple[int, int]

LINE_DIRECTIONS = (STEPS[0], STEPS[1], STEPS[5])  # one of each pair of opposite steps

# The plane wraps around, at a distance that no game reaches: after MAX_COORDINATE comes
# -MAX_COORDINATE. So every position, even one read from text at the edge, has a valid text.
MAX_COORDINATE = 10**15


def wrap_coordinate(coordinate: int) -> int:
    """Returns the coordinate from -MAX_COORDINATE to MAX_COORDINATE of the same cells."""
    return (coordinate + MAX_COORDINATE) % (2 * MAX_COORDINATE + 1) - MAX_COORDINATE


def cell_name(s: Position, cell: WindowCell) -> str:
    """Returns the plane coordinates of a cell as text, `q,r`."""
    left, top = s["origin"].tolist()  # access by attribute takes several times as long
    return f"{wrap_coordinate(left + cell[0])},{wrap_coordinate(top + cell[1])}"


def window_cell(s: Position, q: int, r: int) -> WindowCell:
    """Returns the cell with these plane coordinates."""
    return wrap_coordinate(q - int(s.origin[0])), wrap_coordinate(r - int(s.origin[1]))


def cell_index(cell: WindowCell) -> int | None:
    """Returns the kernel's number of a cell, or None outside the window."""
    x, y = cell
    inside = 0 <= x < kernel.WINDOW_WIDTH and 0 <= y < kernel.WINDOW_WIDTH
    return y * kernel.WINDOW_WIDTH + x if inside else None


def action_cells(action: int) -> tuple[WindowCell, ...]:
    """Returns the cell where a pawn is placed, or the two cells from and to which it moves."""
    placing = action < kernel.WINDOW_CELLS
    indices = (action,) if placing else divmod(action - kernel.WINDOW_CELLS, kernel.WINDOW_CELLS)
    return tuple((index % kernel.WINDOW_WIDTH, index // kernel.WINDOW_WIDTH) for index in indices)


def pawns(s: Position) -> dict[WindowCell, int]:
    """Returns the seat of each pawn by its cell, row by row."""
    seat_by_index = {}
    for seat, words in enumerate(s.pawns.tolist()):
        bits = sum(word << 64 * w for w, word in enumerate(words))
        while bits:
            seat_by_index[(bits & -bits).bit_length() - 1] = seat
            bits &= bits - 1
    return {
        (index % kernel.WINDOW_WIDTH, index // kernel.WINDOW_WIDTH): seat_by_index[index]
        for index in sorted(seat_by_index)
    }


def neighbours(cell: WindowCell) -> list[WindowCell]:
    """Returns the six cells that touch a cell."""
    return [(cell[0] + dx, cell[1] + dy) for dx, dy in STEPS]


def count_neighbours(cell: WindowCell, group: Collection[WindowCell]) -> int:
    """Returns the number of cells of a group that touch a cell."""
    return sum(neighbour in group for neighbour in neighbours(cell))


def count_groups(cells: Collection[WindowCell]) -> int:
    """Returns the number of connected groups that the cells form."""
    remaining, count = set(cells), 0
    while remaining:
        count += 1
        frontier = [remaining.pop()]
        while frontier:
            adjacent = remaining.intersection(neighbours(frontier.pop()))
            remaining -= adjacent
            frontier += adjacent
    return count


def rows_of_four(cells: Collection[WindowCell]) -> list[list[WindowCell]]:
    """Returns the straight lines of four or more cells, each at its full length."""
    lines = []
    for x, y in sorted(cells):
        for dx, dy in LINE_DIRECTIONS:
            line = [(x, y)]
            while (line[-1][0] + dx, line[-1][1] + dy) in cells:
                line.append((line[-1][0] + dx, line[-1][1] + dy))
            if len(line) >= 4 and (x - dx, y - dy) not in cells:
                lines.append(line)
    return lines


def is_placing(s: Position) -> bool:
    """Returns True in phase 1, while pawns are still to be placed."""
    return int(s.placed) < 2 * int(s.each)


def reason(s: Position, seat: int, action: int) -> Phrase:
    """Returns why an action is not legal."""
    return reason_for_cells(s, seat, action_cells(action))


def reason_for_cells(s: Position, seat: int, move_cells: tuple[WindowCell, ...]) -> Phrase:
    """Returns why placing a pawn on a cell, or moving it between two cells, is not legal."""
    group, target = pawns(s), move_cells[-1]
    if len(move_cells) == 1:
        if not is_placing(s):
            return Phrase("must_move")
    else:
        if is_placing(s):
            return Phrase("must_place")
        origin = move_cells[0]
        owner = group.pop(origin, None)
        if owner is None:
            return Phrase("no_pawn", {"cell": cell_name(s, origin)})
        if owner != seat:
            return Phrase("opponent", {"cell": cell_name(s, origin), "owner": seat_name(owner)})
        if origin == target:
            return Phrase("same_cell")
    if target in group:
        return Phrase("occupied", {"cell": cell_name(s, target)})
    if (count := count_neighbours(target, group)) < 2:
        code = "touches_none" if count == 0 else "touches_one"
        return Phrase(code, {"cell": cell_name(s, target)})
    after = {*group, target}
    for cell in sorted(group, key=lambda cell: (cell[1], cell[0])):
        if count_neighbours(cell, after) < 2:
            return Phrase("leaves_one", {"cell": cell_name(s, cell)})
    return Phrase("split")


def cells(before: Position, after: Position, action: int, event: str) -> tuple[str, ...]:
    """Returns the cell where a pawn was placed, lifted or put down."""
    move_cells = action_cells(action)
    return (cell_name(before, move_cells[0] if event == "lift" else move_cells[-1]),)


def notes(game: Game, s: Position) -> tuple[Phrase, ...]:
    """Returns the number of pawns that each seat has still to place."""
    seats = list(pawns(s).values())
    return tuple(_left(int(s.each) - seats.count(seat)) for seat in range(kernel.SEATS))


def _left(count: int) -> Phrase:
    if count == 0:
        return Phrase("none_left")
    return Phrase("one_left") if count == 1 else Phrase("left", {"count": count})


def status(game: Game, s: Position) -> Phrase:
    """Returns whose turn it is, or how the game ended."""
    if not s["over"]:
        return Phrase("place" if is_placing(s) else "move", {"seat": seat_name(int(s["turn"]))})
    if s.winner == NOBODY:
        return Phrase("repeated", {"times": int(s.repetition)})
    winner = int(s.winner)
    if rows_of_four([cell for cell, seat in pawns(s).items() if seat == winner]):
        return Phrase("four", {"winner": seat_name(winner)})
    return Phrase("no_move", {"winner": seat_name(winner), "loser": seat_name(1 - winner)})
