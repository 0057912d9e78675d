"""A slow, simple implementation of Connect Four that the kernel is tested against."""

from __future__ import annotations

from dataclasses import dataclass

COLUMNS, ROWS = 7, 6
Columns = tuple[tuple[int, ...], ...]  # the seats of the discs of each column, from the bottom


@dataclass(frozen=True)
class Position:
    """The discs of each column, from the bottom, and the seat to move."""

    columns: Columns = ((),) * COLUMNS
    turn: int = 0

    def disc(self, column: int, row: int) -> int | None:
        """Returns the seat of the disc on a cell, rows counted from the bottom, if there is one."""
        on_board = 0 <= column < COLUMNS and 0 <= row < len(self.columns[column])
        return self.columns[column][row] if on_board else None

    @property
    def winner(self) -> int | None:
        """The seat that has four discs in a line."""
        for seat in (0, 1):
            for column in range(COLUMNS):
                for row in range(ROWS):
                    for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1)):
                        line = [self.disc(column + k * dx, row + k * dy) for k in range(4)]
                        if line == [seat] * 4:
                            return seat
        return None

    @property
    def over(self) -> bool:
        """True after four in a line, and when all columns are full."""
        return self.winner is not None or all(len(column) == ROWS for column in self.columns)

    @property
    def scores(self) -> tuple[float, float]:
        """The result: 1 and 0 for a win, halves for a draw; zeros before the end."""
        if not self.over:
            return 0.0, 0.0
        return {0: (1.0, 0.0), 1: (0.0, 1.0), None: (0.5, 0.5)}[self.winner]

    def actions(self) -> list[int]:
        """Returns the columns that are not full."""
        return [] if self.over else [c for c in range(COLUMNS) if len(self.columns[c]) < ROWS]

    def act(self, action: int) -> Position:
        """Returns the position after a disc was dropped into a column."""
        columns = list(self.columns)
        columns[action] += (self.turn,)
        return Position(tuple(columns), 1 - self.turn)

    def planes(self, seat: int) -> list[list[list[float]]]:
        """Returns the planes of own and of other discs, the top row first."""
        return [
            [
                [float(self.disc(column, row) == owner) for column in range(COLUMNS)]
                for row in reversed(range(ROWS))
            ]
            for owner in (seat, 1 - seat)
        ]


def start() -> Position:
    """Returns the empty board."""
    return Position()
