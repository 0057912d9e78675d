"""Onoro's options, and its rules in words.

A spot is a cell of the kernel's window as column and row, which may lie outside of it too;
people know the same cell by its coordinates q,r on the plane.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, TypeAlias

from quincunx.game import Game
from quincunx.games.onoro import kernel
from quincunx.options import Option, Value
from quincunx.position import NOBODY

NAME = "onoro"
TITLE = "Onoro"
SEAT_NAMES = ("Black", "White")
LETTERS = "bw"
DRAWS = True
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
    Option("pawns", 8, "how many pawns each player has", low=3, high=8),
    Option(
        "repetition",
        3,
        "how often a position may stand within 64 plies before the game is drawn; 0 = off",
        low=2,
        high=33,  # every second ply: a position cannot stand more often
        extra_values=(0,),
    ),
)

Spot: TypeAlias = tuple[int, int]

AROUND = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
LINES = ((1, 0), (0, 1), (1, -1))

# The plane is closed on itself, so far away that nobody gets there: past REACH follows
# -REACH. So every position, even one that was read at its end, has a text to be read again.
REACH = 10**15


def folded(coordinate: int) -> int:
    """The coordinate between -REACH and REACH that names the same cells."""
    return (coordinate + REACH) % (2 * REACH + 1) - REACH


def name(s: Any, spot: Spot) -> str:
    """A spot as people know it: `q,r`."""
    left, top = s["origin"].tolist()  # by attribute it takes several times as long
    return f"{folded(left + spot[0])},{folded(top + spot[1])}"


def spot_of(s: Any, q: int, r: int) -> Spot:
    """The spot with these coordinates."""
    return folded(q - int(s.origin[0])), folded(r - int(s.origin[1]))


def cell_of(spot: Spot) -> int | None:
    """The number of a spot in the window, if it is there."""
    x, y = spot
    inside = 0 <= x < kernel.WIDTH and 0 <= y < kernel.WIDTH
    return y * kernel.WIDTH + x if inside else None


def spots(action: int) -> tuple[Spot, ...]:
    """Where a placing is, or from where and to where a moving goes."""
    cells = (action,) if action < kernel.CELLS else divmod(action - kernel.CELLS, kernel.CELLS)
    return tuple((cell % kernel.WIDTH, cell // kernel.WIDTH) for cell in cells)


def pawns(s: Any) -> dict[Spot, int]:
    """The seats of all pawns by their spots, row by row."""
    seat_on = {}
    for seat in range(kernel.SEATS):
        left = sum(int(word) << 64 * w for w, word in enumerate(s.pawns[seat]))
        while left:
            seat_on[(left & -left).bit_length() - 1] = seat
            left &= left - 1
    return {(cell % kernel.WIDTH, cell // kernel.WIDTH): seat_on[cell] for cell in sorted(seat_on)}


def neighbours(spot: Spot) -> list[Spot]:
    """The six spots that touch a spot."""
    return [(spot[0] + dx, spot[1] + dy) for dx, dy in AROUND]


def touching(spot: Spot, group: Collection[Spot]) -> int:
    """How many spots of a group touch a spot."""
    return sum(near in group for near in neighbours(spot))


def parts(group: Collection[Spot]) -> int:
    """How many groups the pawns on these spots really are."""
    left, count = set(group), 0
    while left:
        count += 1
        grown = [left.pop()]
        while grown:
            found = left.intersection(neighbours(grown.pop()))
            left -= found
            grown += found
    return count


def rows_of_four(group: Collection[Spot]) -> list[list[Spot]]:
    """The straight lines of four or more among the spots, each whole."""
    found = []
    for x, y in sorted(group):
        for dx, dy in LINES:
            line = [(x, y)]
            while (line[-1][0] + dx, line[-1][1] + dy) in group:
                line.append((line[-1][0] + dx, line[-1][1] + dy))
            if len(line) >= 4 and (x - dx, y - dy) not in group:
                found.append(line)
    return found


def check(options: Mapping[str, Value]) -> None:
    """Any options go together."""


def seats(options: Mapping[str, Value]) -> int:
    """Always two."""
    return kernel.SEATS


def actions(options: Mapping[str, Value]) -> int:
    """Placings on the window's cells, and movings from one to another."""
    return kernel.ACTIONS


def planes(options: Mapping[str, Value]) -> tuple[int, int, int]:
    """Five planes of the window."""
    return kernel.PLANES


def is_placing(s: Any) -> bool:
    """True in phase 1, while pawns are still to be placed."""
    return int(s.placed) < 2 * int(s.each)


def reason(s: Any, seat: int, action: int) -> str:
    """Why a play is not legal."""
    return objection(s, seat, spots(action))


def objection(s: Any, seat: int, way: tuple[Spot, ...]) -> str:
    """What speaks against placing on a spot, or moving from one spot to another."""
    group, target = pawns(s), way[-1]
    if len(way) == 1:
        if not is_placing(s):
            return "all pawns are placed, so one of yours must move: write from>to"
    else:
        if is_placing(s):
            return "pawns are still to be placed: write the cell of a new one alone"
        owner = group.pop(way[0], None)
        if owner is None:
            return f"there is no pawn on {name(s, way[0])}"
        if owner != seat:
            return f"the pawn on {name(s, way[0])} is not yours but {SEAT_NAMES[owner]}'s"
        if way[0] == target:
            return "a pawn must go to another cell than its own"
    if target in group:
        return f"{name(s, target)} is taken"
    if (touched := touching(target, group)) < 2:
        which = "no other pawn" if touched == 0 else "only one other pawn"
        return f"a pawn on {name(s, target)} touches {which}, and it must be two or more"
    after = {*group, target}
    for spot in sorted(group, key=lambda spot: (spot[1], spot[0])):
        if touching(spot, after) < 2:
            return f"it would leave the pawn on {name(s, spot)} touching only one other"
    return "it would split the group"


def cells(before: Any, after: Any, action: int, event: str) -> tuple[str, ...]:
    """The cell where a pawn was placed, lifted or put down."""
    way = spots(action)
    return (name(before, way[0] if event == "lift" else way[-1]),)


def status(game: Game, s: Any) -> str:
    """Whose turn it is, or how the game ended."""
    if not s.over:
        if is_placing(s):
            return f"{SEAT_NAMES[s.turn]} to play: place a pawn that touches two others"
        return f"{SEAT_NAMES[s.turn]} to play: move a pawn; all stay one group, each touching two"
    if s.winner == NOBODY:
        return f"Draw: the same position has stood {s.repetition} times"
    winner, loser = SEAT_NAMES[s.winner], SEAT_NAMES[1 - s.winner]
    if rows_of_four([spot for spot, seat in pawns(s).items() if seat == s.winner]):
        return f"{winner} wins: four in a row"
    return f"{winner} wins: {loser} has no legal move"
