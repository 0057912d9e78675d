"""Onoro, slow and obvious: the test oracle, written straight from the rulings."""

import re
from collections import deque
from dataclasses import dataclass, replace
from typing import Any

Cell = tuple[int, int]

BLACK, WHITE = 0, 1
LINE_DIRECTIONS = [(1, 0), (0, 1), (1, -1)]
MEMORY = 64  # plies the repetition rule looks back


def neighbours(cell: Cell) -> list[Cell]:
    """The six cells that touch the cell."""
    q, r = cell
    return [(q + 1, r), (q - 1, r), (q, r + 1), (q, r - 1), (q + 1, r - 1), (q - 1, r + 1)]


def touches(cell: Cell, pawns: frozenset[Cell]) -> int:
    """The number of the pawns that touch the cell."""
    return sum(near in pawns for near in neighbours(cell))


def empty_cells_beside(pawns: frozenset[Cell]) -> set[Cell]:
    """The empty cells that touch at least one pawn."""
    return {near for pawn in pawns for near in neighbours(pawn)} - pawns


def is_one_group(pawns: frozenset[Cell]) -> bool:
    """Whether the pawns form one contiguously connected group."""
    first = min(pawns)
    found = {first}
    queue = deque([first])
    while queue:
        for near in neighbours(queue.popleft()):
            if near in pawns and near not in found:
                found.add(near)
                queue.append(near)
    return found == pawns


def is_sound(pawns: frozenset[Cell]) -> bool:
    """Whether every pawn touches at least two others and all pawns form one group."""
    return all(touches(pawn, pawns) >= 2 for pawn in pawns) and is_one_group(pawns)


def has_line(pawns: frozenset[Cell]) -> bool:
    """Whether four of the pawns lie next to each other in a straight line."""
    return any(
        all((q + step * dq, r + step * dr) in pawns for step in range(4))
        for q, r in pawns
        for dq, dr in LINE_DIRECTIONS
    )


def cell_text(cell: Cell) -> str:
    """The cell as text: q,r."""
    return f"{cell[0]},{cell[1]}"


def read_cell(text: str) -> Cell:
    """The cell of the text q,r."""
    q, r = text.split(",")
    return int(q), int(r)


@dataclass(frozen=True)
class Position:
    """A position: Black's and White's pawns, who is next, what stood before, the options."""

    sides: tuple[frozenset[Cell], frozenset[Cell]]
    next_seat: int
    earlier: tuple[str, ...]  # the pictures of the previous 64 plies, the latest last
    pawns: int
    repetition: int

    @property
    def everyone(self) -> frozenset[Cell]:
        """The cells of all pawns of both sides."""
        return self.sides[BLACK] | self.sides[WHITE]

    @property
    def corner(self) -> Cell:
        """The top left cell of the tight bounding box."""
        return min(q for q, _ in self.everyone), min(r for _, r in self.everyone)

    @property
    def picture(self) -> str:
        """The rows and the side to move: the same however far the whole board is shifted."""
        letters = {cell: "BW"[seat] for seat in (BLACK, WHITE) for cell in self.sides[seat]}
        left, top = self.corner
        right, bottom = max(q for q, _ in letters), max(r for _, r in letters)
        rows = "/".join(
            "".join(letters.get((q, r), ".") for q in range(left, right + 1))
            for r in range(top, bottom + 1)
        )
        return f"{rows} {'bw'[self.next_seat]}"

    @property
    def text(self) -> str:
        """The position text, with the coordinates of its top left cell unless that is 0,0."""
        return self.picture if self.corner == (0, 0) else f"{self.picture} {cell_text(self.corner)}"

    @property
    def is_placing(self) -> bool:
        """Whether this is phase 1: not both sides have all their pawns on the board."""
        return any(len(side) < self.pawns for side in self.sides)

    def placings(self) -> list[str]:
        """The empty cells that touch at least two pawns."""
        everyone = self.everyone
        cells = [cell for cell in empty_cells_beside(everyone) if touches(cell, everyone) >= 2]
        return [cell_text(cell) for cell in cells]

    def movings(self) -> list[str]:
        """The ways to put one of one's own pawns on another empty cell and leave a sound group."""
        everyone = self.everyone
        return [
            f"{cell_text(origin)}>{cell_text(target)}"
            for origin in self.sides[self.next_seat]
            for target in empty_cells_beside(everyone)
            if is_sound(everyone - {origin} | {target})
        ]

    def choices(self) -> list[str]:
        """The moves of the phase, were the game not over."""
        return self.placings() if self.is_placing else self.movings()

    @property
    def is_repeated(self) -> bool:
        """Whether the position stands for the third time (as the option says) within memory."""
        times = 1 + self.earlier.count(self.picture)
        return 0 < self.repetition <= times

    @property
    def result(self) -> tuple[float, float] | None:
        """The scores of the finished game, None before the end."""
        wins = [(1.0, 0.0), (0.0, 1.0)]
        other = 1 - self.next_seat
        if has_line(self.sides[other]):
            return wins[other]
        if has_line(self.sides[self.next_seat]):
            return wins[self.next_seat]
        if not self.choices():
            return wins[other]
        if self.is_repeated:
            return (0.5, 0.5)
        return None

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.result is not None

    @property
    def scores(self) -> tuple[float, ...]:
        """1 for the winner and 0 for the loser, a half each for a draw, 0 before the end."""
        return self.result or (0.0, 0.0)

    @property
    def winners(self) -> tuple[int, ...]:
        """The seat that has won, empty for a draw and before the end."""
        return tuple(seat for seat in (BLACK, WHITE) if self.scores[seat] == 1.0)

    @property
    def turn(self) -> int | None:
        """The seat to move, None when the game is over."""
        return None if self.over else self.next_seat

    def moves(self, seat: int | None = None) -> list[str]:
        """The legal moves, sorted, none when the game is over or it is the other's turn."""
        if self.over or seat not in (None, self.next_seat):
            return []
        return sorted(self.choices())

    def play(self, move: str, seat: int | None = None) -> "Position":
        """The position after the placing or moving."""
        if move not in self.moves(seat):
            raise ValueError(f"{move} is no legal move of seat {seat} in {self.text}")
        *origin, target = [read_cell(text) for text in move.split(">")]
        mine = self.sides[self.next_seat] - set(origin) | {target}
        black, white = self.sides
        return replace(
            self,
            sides=(mine, white) if self.next_seat == BLACK else (black, mine),
            next_seat=1 - self.next_seat,
            earlier=(*self.earlier, self.picture)[-MEMORY:],
        )


def start(pawns: int = 8, repetition: int = 3) -> Position:
    """The triangle of two black pawns and a white one, White to place."""
    black, white = frozenset({(-1, 1), (0, 1)}), frozenset({(0, 0)})
    return Position((black, white), WHITE, (), pawns, repetition)


def read(text: str, **options: Any) -> Position:
    """The position of a well-formed text, standing for the first time."""
    found = re.fullmatch(r"([BW./\s]+)\s([bw])(?:\s+(-?\d+,-?\d+))?", text.strip())
    if found is None:
        raise ValueError(f"not a position: {text}")
    rows, mover, corner = found.groups()
    left, top = read_cell(corner or "0,0")
    letters = {
        (left + q, top + r): letter
        for r, row in enumerate(re.split("[/\n]", rows.strip()))
        for q, letter in enumerate(row.replace(" ", ""))
    }
    return replace(
        start(**options),
        sides=(
            frozenset(cell for cell in letters if letters[cell] == "B"),
            frozenset(cell for cell in letters if letters[cell] == "W"),
        ),
        next_seat="bw".index(mover),
    )
