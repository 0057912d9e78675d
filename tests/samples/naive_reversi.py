"""A slow, simple implementation of Reversi that the kernel is tested against."""

from __future__ import annotations

from dataclasses import dataclass

Square = tuple[int, int]  # (column, row), both 0..7: a1, at the upper left, is (0, 0)

SQUARES = [(column, row) for row in range(8) for column in range(8)]
DIRECTIONS = [(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if (dx, dy) != (0, 0)]
PASS = 64


@dataclass(frozen=True)
class Position:
    """The discs of both seats, and the seat to move; seat 0 is Black."""

    discs: tuple[frozenset[Square], frozenset[Square]]
    turn: int

    def turned_over(self, seat: int, square: Square) -> set[Square]:
        """Returns the discs that a new disc of the seat on a square turns over."""
        own, other = self.discs[seat], self.discs[1 - seat]
        turned = set()
        for dx, dy in DIRECTIONS:
            x, y = square[0] + dx, square[1] + dy
            between = set()
            while (x, y) in other:
                between.add((x, y))
                x, y = x + dx, y + dy
            if (x, y) in own:
                turned |= between
        return turned

    def placements(self, seat: int) -> list[Square]:
        """Returns the squares on which the seat may place a disc."""
        return [
            square
            for square in SQUARES
            if square not in self.discs[0] | self.discs[1] and self.turned_over(seat, square)
        ]

    @property
    def over(self) -> bool:
        """True if neither seat can place a disc."""
        return not self.placements(0) and not self.placements(1)

    @property
    def scores(self) -> tuple[float, float]:
        """The result: 1 and 0 for the seat with more discs; zeros before the end."""
        if not self.over:
            return 0.0, 0.0
        first, second = map(len, self.discs)
        return (0.5, 0.5) if first == second else (float(first > second), float(second > first))

    def actions(self) -> list[int]:
        """Returns the legal actions: the squares in reading order, or a pass if there are none."""
        if self.over:
            return []
        return [column + 8 * row for column, row in self.placements(self.turn)] or [PASS]

    def act(self, action: int) -> Position:
        """Returns the position after an action."""
        if action == PASS:
            return Position(self.discs, 1 - self.turn)
        square = action % 8, action // 8
        turned = self.turned_over(self.turn, square)
        discs = [self.discs[0] - turned, self.discs[1] - turned]
        discs[self.turn] = discs[self.turn] | turned | {square}
        return Position((discs[0], discs[1]), 1 - self.turn)

    def planes(self, seat: int) -> list[list[list[float]]]:
        """Returns the planes of own and of other discs, row by row."""
        return [
            [[float((column, row) in discs) for column in range(8)] for row in range(8)]
            for discs in (self.discs[seat], self.discs[1 - seat])
        ]


def start() -> Position:
    """Returns the first position."""
    return Position((frozenset({(4, 3), (3, 4)}), frozenset({(3, 3), (4, 4)})), 0)
