"""A slow and obvious implementation of Onoro, which the kernel is tested against."""

import re
from collections import deque
from dataclasses import dataclass, replace
from typing import Any

Cell = tuple[int, int]

BLACK, WHITE = 0, 1
LINE_DIRECTIONS = [(1, 0), (0, 1), (1, -1)]
REPETITION_PLIES = 64  # previous plies that the repetition rule compares with


def neighbours(cell: Cell) -> list[Cell]:
    """Returns the six cells that touch the cell."""
    q, r = cell
    return [(q + 1, r), (q - 1, r), (q, r + 1), (q, r - 1), (q + 1, r - 1), (q - 1, r + 1)]


def count_neighbours(cell: Cell, pawns: frozenset[Cell]) -> int:
    """Returns the number of pawns that touch the cell."""
    return sum(neighbour in pawns for neighbour in neighbours(cell))


def empty_neighbours(pawns: frozenset[Cell]) -> set[Cell]:
    """Returns the empty cells that touch at least one pawn."""
    return {cell for pawn in pawns for cell in neighbours(pawn)} - pawns


def is_one_group(pawns: frozenset[Cell]) -> bool:
    """Returns whether the pawns form one connected group."""
    first = min(pawns)
    visited = {first}
    queue = deque([first])
    while queue:
        for cell in neighbours(queue.popleft()):
            if cell in pawns and cell not in visited:
                visited.add(cell)
                queue.append(cell)
    return visited == pawns


def is_legal_group(pawns: frozenset[Cell]) -> bool:
    """Returns whether every pawn touches at least two others and all form one group."""
    return all(count_neighbours(pawn, pawns) >= 2 for pawn in pawns) and is_one_group(pawns)


def has_four_in_a_row(pawns: frozenset[Cell]) -> bool:
    """Returns whether four of the pawns are next to each other in a straight line."""
    return any(
        all((q + step * dq, r + step * dr) in pawns for step in range(4))
        for q, r in pawns
        for dq, dr in LINE_DIRECTIONS
    )


def cell_text(cell: Cell) -> str:
    """Returns the text of a cell, q,r."""
    return f"{cell[0]},{cell[1]}"


def read_cell(text: str) -> Cell:
    """Returns the cell of a text q,r."""
    q, r = text.split(",")
    return int(q), int(r)


@dataclass(frozen=True)
class Position:
    """A position: the pawns of both sides, the side to move, earlier positions, the options."""

    sides: tuple[frozenset[Cell], frozenset[Cell]]
    next_seat: int
    earlier: tuple[str, ...]  # `rows_and_turn` of the previous 64 plies, the latest last
    pawns: int
    repetition: int

    @property
    def all_pawns(self) -> frozenset[Cell]:
        """The cells of all pawns of both sides."""
        return self.sides[BLACK] | self.sides[WHITE]

    @property
    def corner(self) -> Cell:
        """The top left cell of the bounding box."""
        return min(q for q, _ in self.all_pawns), min(r for _, r in self.all_pawns)

    @property
    def rows_and_turn(self) -> str:
        """The rows and the side to move, which do not depend on where the group is."""
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
        return (
            self.rows_and_turn
            if self.corner == (0, 0)
            else f"{self.rows_and_turn} {cell_text(self.corner)}"
        )

    @property
    def is_placing(self) -> bool:
        """Whether this is phase 1: a side has pawns that are not yet on the board."""
        return any(len(side) < self.pawns for side in self.sides)

    def placements(self) -> list[str]:
        """Returns the empty cells that touch at least two pawns."""
        pawns = self.all_pawns
        cells = [cell for cell in empty_neighbours(pawns) if count_neighbours(cell, pawns) >= 2]
        return [cell_text(cell) for cell in cells]

    def pawn_moves(self) -> list[str]:
        """Returns the moves of an own pawn to another empty cell that leave a legal group."""
        pawns = self.all_pawns
        return [
            f"{cell_text(origin)}>{cell_text(target)}"
            for origin in self.sides[self.next_seat]
            for target in empty_neighbours(pawns)
            if is_legal_group(pawns - {origin} | {target})
        ]

    def choices(self) -> list[str]:
        """Returns the moves of the phase, without checking whether the game is over."""
        return self.placements() if self.is_placing else self.pawn_moves()

    @property
    def is_repeated(self) -> bool:
        """Whether the position has occurred `repetition` times within the last 64 plies."""
        times = 1 + self.earlier.count(self.rows_and_turn)
        return 0 < self.repetition <= times

    @property
    def result(self) -> tuple[float, float] | None:
        """The scores of the finished game, or None before the end."""
        wins = [(1.0, 0.0), (0.0, 1.0)]
        other = 1 - self.next_seat
        if has_four_in_a_row(self.sides[other]):
            return wins[other]
        if has_four_in_a_row(self.sides[self.next_seat]):
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
        """1 for the winner and 0 for the loser, 0.5 each for a draw, 0 before the end."""
        return self.result or (0.0, 0.0)

    @property
    def winners(self) -> tuple[int, ...]:
        """The seat that has won, or an empty tuple for a draw and before the end."""
        return tuple(seat for seat in (BLACK, WHITE) if self.scores[seat] == 1.0)

    @property
    def turn(self) -> int | None:
        """The seat to move, or None when the game is over."""
        return None if self.over else self.next_seat

    def moves(self, seat: int | None = None) -> list[str]:
        """Returns the legal moves, sorted; none when over or not the seat's turn."""
        if self.over or seat not in (None, self.next_seat):
            return []
        return sorted(self.choices())

    def play(self, move: str, seat: int | None = None) -> "Position":
        """Returns the position after a legal move."""
        if move not in self.moves(seat):
            raise ValueError(f"{move!r} is not legal for seat {seat} in {self.text!r}")
        *origin, target = [read_cell(text) for text in move.split(">")]
        own = self.sides[self.next_seat] - set(origin) | {target}
        black, white = self.sides
        return replace(
            self,
            sides=(own, white) if self.next_seat == BLACK else (black, own),
            next_seat=1 - self.next_seat,
            earlier=(*self.earlier, self.rows_and_turn)[-REPETITION_PLIES:],
        )


def start(pawns: int = 8, repetition: int = 3) -> Position:
    """Returns the start position: a triangle of two black pawns and a white one, White to move."""
    black, white = frozenset({(-1, 1), (0, 1)}), frozenset({(0, 0)})
    return Position((black, white), WHITE, (), pawns, repetition)


def read(text: str, **options: Any) -> Position:
    """Returns the position of a valid text, without a history."""
    match = re.fullmatch(r"([BW./\s]+)\s([bw])(?:\s+(-?\d+,-?\d+))?", text.strip())
    if match is None:
        raise ValueError(f"invalid position: {text!r}")
    rows, mover, corner = match.groups()
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
