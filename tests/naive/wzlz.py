"""Wzlz, slow and obvious: the oracle that the real rules are tested against."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

Cell = tuple[int, int]  # (row, column), from 0
# The balls that come next: colour letters, each with its announced cell (None in variant wzlz).
Preview = tuple[tuple[Cell | None, str], ...]

COLOURS = "RGBNMYC"
DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))


def cell_text(cell: Cell) -> str:
    """Return row and column with a comma between."""
    return f"{cell[0]},{cell[1]}"


def read_cell(text: str) -> Cell:
    """Return the cell that the text names."""
    row, col = text.split(",")
    return int(row), int(col)


def read_move(move: str) -> tuple[Cell, Cell]:
    """Return where the ball stands and where it goes."""
    origin, target = move.split(">")
    return read_cell(origin), read_cell(target)


def sides(cell: Cell) -> list[Cell]:
    """Return the four cells that share a side with this one, on the board or not."""
    row, col = cell
    return [(row - 1, col), (row, col - 1), (row, col + 1), (row + 1, col)]


def read_preview(text: str) -> Preview | None:
    """Return the balls that come next, or None if they are not known."""
    if text == "-":
        return None
    letters, _, cells = text.partition("@")
    announced = [read_cell(cell) for cell in cells.split(";")] if cells else [None] * len(letters)
    return tuple(zip(announced, letters, strict=True))


def preview_text(preview: Preview | None) -> str:
    """Return the letters, then the announced cells if there are any, or '-' for nothing known."""
    if not preview:
        return "-"
    letters = "".join(letter for _, letter in preview)
    cells = [cell_text(cell) for cell, _ in preview if cell is not None]
    return letters + "@" + ";".join(cells) if cells else letters


def read(text: str, **options: Any) -> Position:
    """Return the position that the text describes."""
    board, preview, score = text.split()
    rows = board.split("/")
    balls = {
        (r, c): sign for r, row in enumerate(rows) for c, sign in enumerate(row) if sign != "."
    }
    position = Position(tuple(sorted(balls.items())), read_preview(preview), int(score), **options)
    if [len(row) for row in rows] != [position.cols] * position.rows:
        raise ValueError(f"{board!r} does not have {position.rows} rows of {position.cols}")
    return position


@dataclass(frozen=True)
class Position:
    """The balls on the board, those that come next, and the score."""

    placed: tuple[tuple[Cell, str], ...]  # sorted by cell
    preview: Preview | None
    score: int
    rows: int = 9
    cols: int = 9
    colors_count: int = 7
    match_length: int = 5
    balls_per_turn: int = 3
    initial_balls: int = 5  # of no consequence here: the twin does not begin games
    show_next_balls: bool = True
    variant: str = "wzlz"

    @property
    def balls(self) -> dict[Cell, str]:
        """The colour letter of the ball on each cell that has one."""
        return dict(self.placed)

    @property
    def empty(self) -> set[Cell]:
        """The cells without a ball."""
        cells = {(row, col) for row in range(self.rows) for col in range(self.cols)}
        return cells - set(self.balls)

    def with_balls(self, balls: dict[Cell, str]) -> Position:
        """Return the position with other balls on the board."""
        return replace(self, placed=tuple(sorted(balls.items())))

    @property
    def text(self) -> str:
        """The position as the rulings write it, the next balls hidden if they are not shown."""
        balls = self.balls
        board = "/".join(
            "".join(balls.get((row, col), ".") for col in range(self.cols))
            for row in range(self.rows)
        )
        preview = preview_text(self.preview) if self.show_next_balls else "-"
        return f"{board} {preview} {self.score}"

    @property
    def over(self) -> bool:
        """Whether the board is full."""
        return not self.empty

    @property
    def scores(self) -> tuple[float, ...]:
        """The score of the one player."""
        return (float(self.score),)

    @property
    def winners(self) -> tuple[int, ...]:
        """Nobody: there is no one to win against."""
        return ()

    @property
    def turn(self) -> int | None:
        """The one seat, or None when the game is over."""
        return None if self.over else 0

    def paths(self, origin: Cell) -> dict[Cell, list[Cell]]:
        """Return a shortest way from the cell to each empty cell it reaches, both ends included."""
        empty = self.empty
        ways = {origin: [origin]}
        queue = [origin]
        for here in queue:
            for near in sides(here):
                if near in empty and near not in ways:
                    ways[near] = [*ways[here], near]
                    queue.append(near)
        del ways[origin]
        return ways

    def path(self, move: str) -> list[Cell] | None:
        """Return a shortest way for the move's ball, both ends included, or None."""
        origin, target = read_move(move)
        return self.ways(origin).get(target) if origin in self.balls else None

    def moves(self, seat: int | None = None) -> list[str]:
        """Return each ball's moves to all the empty cells it reaches."""
        if seat not in (None, 0):
            return []
        return sorted(
            f"{cell_text(origin)}>{cell_text(target)}"
            for origin in self.balls
            for target in self.ways(origin)
        )

    def lines_through(self, cell: Cell) -> set[Cell]:
        """Return the balls of all lines of match_length or more through the ball on the cell."""
        balls = self.balls
        found: set[Cell] = set()
        for down, right in DIRECTIONS:
            line = {cell}
            for sign in (1, -1):
                row, col = cell[0] + sign * down, cell[1] + sign * right
                while balls.get((row, col)) == balls[cell]:
                    line.add((row, col))
                    row, col = row + sign * down, col + sign * right
            if len(line) >= self.match_length:
                found |= line
        return found

    def all_lines(self) -> set[Cell]:
        """Return the balls of every line on the whole board."""
        return {ball for cell in self.balls for ball in self.lines_through(cell)}

    def without(self, removed: set[Cell], points: int) -> Position:
        """Return the position after balls have gone and points have been won."""
        left = {cell: colour for cell, colour in self.balls.items() if cell not in removed}
        return replace(self.with_balls(left), score=self.score + points)

    def points(self, count: int, by_move: bool) -> int:
        """Return what the removal of so many balls at once scores, by a move or by new balls."""
        if self.variant == "lines98":
            return count * (count - 4)
        return 2 * count if by_move else 0

    def moved(self, move: str) -> tuple[Position, bool]:
        """Return the position after the ball has moved and matched, and if new balls come then."""
        origin, target = read_move(move)
        balls = self.balls
        balls[target] = balls.pop(origin)
        there = self.with_balls(balls)
        matched = there.lines_through(target)
        if not matched:
            return there, True
        after = there.without(matched, self.points(len(matched), by_move=True))
        return after, not after.balls

    def needs_chance(self, move: str) -> bool:
        """Return whether new balls come after this legal move."""
        self.check(move, None)
        return self.moved(move)[1]

    def check(self, move: str, seat: int | None) -> None:
        """Raise ValueError unless the move is legal for the seat."""
        if seat not in (None, 0) or self.path(move) is None:
            raise ValueError(f"{move!r} is not legal for seat {seat} in {self.text!r}")

    def play(
        self, move: str, seat: int | None = None, chance: Sequence[Any] | None = None
    ) -> Position:
        """Return the position after a legal move; chance is (balls that came, next preview)."""
        self.check(move, seat)
        after, balls_come = self.moved(move)
        left = list(chance or ())
        while balls_come:
            if len(left) < 2:
                raise ValueError(f"balls come after {move!r} in {self.text!r}: chance must say")
            came, following, *left = left
            after = after.with_new_balls(came)
            lines = after.all_lines()
            after = after.without(lines, self.points(len(lines), by_move=False))
            after = after.with_preview(following)
            # New balls whose lines emptied the board bring the next: chance goes on with them.
            balls_come = not after.balls
        if left and left[0]:
            raise ValueError(f"{left[0]} cannot come after {move!r} in {self.text!r}")
        return after

    def with_new_balls(self, came: Iterable[tuple[Cell, str]]) -> Position:
        """Return the position after the next balls have come, one by one, as many as fit."""
        came = [((row, col), letter) for (row, col), letter in came]
        preview = self.preview or [(None, None)] * self.balls_per_turn  # not known: any may come
        fit = min(len(preview), len(self.empty))
        if len(came) != fit:
            raise ValueError(f"{fit} balls come on {self.text!r}, not {came}")

        now = self
        for (cell, letter), (announced, colour) in zip(came, preview, strict=False):
            if letter not in (colour or COLOURS[: self.colors_count]):
                raise ValueError(f"{letter} at {cell} does not fit the preview of {self.text!r}")
            if cell not in now.empty:
                raise ValueError(f"{letter} came on {cell}, which is not empty in {now.text!r}")
            if announced in now.empty and cell != announced:
                raise ValueError(f"{letter} came on {cell}, announced on {announced}, still empty")
            now = now.with_balls({**now.balls, cell: letter})
        return now

    def with_preview(self, following: Any) -> Position:
        """Return the position with the next balls: letters, or (cell, letter) pairs in lines98."""
        if following is None or following == "-":
            return replace(self, preview=None)
        if self.variant == "lines98":
            preview = tuple(((row, col), letter) for (row, col), letter in following)
            announced = {cell for cell, _ in preview}
            count = min(self.balls_per_turn, len(self.empty))
            if len(announced) != len(preview) or not announced <= self.empty:
                raise ValueError(f"{preview} are not separate empty cells of {self.text!r}")
        else:
            preview = tuple((None, letter) for letter in following)
            count = self.balls_per_turn
        if any(letter not in COLOURS[: self.colors_count] for _, letter in preview):
            raise ValueError(f"{preview} has colours that this game does not have")
        if len(preview) != count and not self.over:
            raise ValueError(f"{count} balls come next, not {preview}")
        return replace(self, preview=preview)
