"""A slow, simple implementation of Wzlz's rules that the kernel is tested against."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

Cell = tuple[int, int]  # (row, column), from 0
# The next balls: (announced cell, colour letter); the cell is None in the variant wzlz.
Preview = tuple[tuple[Cell | None, str], ...]

COLOURS = "RGBNMYC"
DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))


def cell_text(cell: Cell) -> str:
    """Returns the name of a cell: row and column, separated by a comma."""
    return f"{cell[0]},{cell[1]}"


def read_cell(text: str) -> Cell:
    """Returns the cell that the text names."""
    row, col = text.split(",")
    return int(row), int(col)


def read_move(move: str) -> tuple[Cell, Cell]:
    """Returns the origin and the target of the move."""
    origin, target = move.split(">")
    return read_cell(origin), read_cell(target)


def neighbours(cell: Cell) -> list[Cell]:
    """Returns the four cells that share a side with this one, including any off the board."""
    row, col = cell
    return [(row - 1, col), (row, col - 1), (row, col + 1), (row + 1, col)]


def read_preview(text: str) -> Preview | None:
    """Returns the next balls, or None if they are unknown."""
    if text == "-":
        return None
    letters, _, cells = text.partition("@")
    announced = [read_cell(cell) for cell in cells.split(";")] if cells else [None] * len(letters)
    return tuple(zip(announced, letters, strict=True))


def preview_text(preview: Preview | None) -> str:
    """Returns the letters of the next balls and their announced cells, if any; '-' if unknown."""
    if not preview:
        return "-"
    letters = "".join(letter for _, letter in preview)
    cells = [cell_text(cell) for cell, _ in preview if cell is not None]
    return letters + "@" + ";".join(cells) if cells else letters


def read(text: str, **options: Any) -> Position:
    """Returns the position that the text describes."""
    board, preview, score = text.split()
    rows = board.split("/")
    balls = {
        (r, c): letter
        for r, row in enumerate(rows)
        for c, letter in enumerate(row)
        if letter != "."
    }
    position = Position(tuple(sorted(balls.items())), read_preview(preview), int(score), **options)
    if [len(row) for row in rows] != [position.cols] * position.rows:
        raise ValueError(f"{board!r} does not have {position.rows} rows of {position.cols}")
    return position


@dataclass(frozen=True)
class Position:
    """The balls on the board, the next balls, the score and the options."""

    placed: tuple[tuple[Cell, str], ...]  # sorted by cell
    preview: Preview | None
    score: int
    rows: int = 9
    cols: int = 9
    colors_count: int = 7
    match_length: int = 5
    balls_per_turn: int = 3
    initial_balls: int = 5  # unused: positions are only read from text
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
        """Returns the position with other balls on the board."""
        return replace(self, placed=tuple(sorted(balls.items())))

    @property
    def text(self) -> str:
        """The position text; the next balls are `-` if they are not shown."""
        balls = self.balls
        board = "/".join(
            "".join(balls.get((row, col), ".") for col in range(self.cols))
            for row in range(self.rows)
        )
        preview = preview_text(self.preview) if self.show_next_balls else "-"
        return f"{board} {preview} {self.score}"

    @property
    def over(self) -> bool:
        """True if the board is full."""
        return not self.empty

    @property
    def scores(self) -> tuple[float, ...]:
        """The score of the only seat."""
        return (float(self.score),)

    @property
    def winners(self) -> tuple[int, ...]:
        """Always empty: a solo game has no winner."""
        return ()

    @property
    def turn(self) -> int | None:
        """Seat 0, or None when the game is over."""
        return None if self.over else 0

    def paths(self, origin: Cell) -> dict[Cell, list[Cell]]:
        """Returns a shortest path, both ends included, to each cell reachable from the origin."""
        empty = self.empty
        paths = {origin: [origin]}
        queue = [origin]
        for cell in queue:
            for near in neighbours(cell):
                if near in empty and near not in paths:
                    paths[near] = [*paths[cell], near]
                    queue.append(near)
        del paths[origin]
        return paths

    def path(self, move: str) -> list[Cell] | None:
        """Returns a shortest path of the move, both ends included, or None if there is none."""
        origin, target = read_move(move)
        return self.paths(origin).get(target) if origin in self.balls else None

    def moves(self, seat: int | None = None) -> list[str]:
        """Returns the moves of every ball to every empty cell that it can reach, sorted."""
        if seat not in (None, 0):
            return []
        return sorted(
            f"{cell_text(origin)}>{cell_text(target)}"
            for origin in self.balls
            for target in self.paths(origin)
        )

    def lines_through(self, cell: Cell) -> set[Cell]:
        """Returns the cells of all lines of match_length or more through the ball on the cell."""
        balls = self.balls
        matched: set[Cell] = set()
        for down, right in DIRECTIONS:
            line = {cell}
            for sign in (1, -1):
                row, col = cell[0] + sign * down, cell[1] + sign * right
                while balls.get((row, col)) == balls[cell]:
                    line.add((row, col))
                    row, col = row + sign * down, col + sign * right
            if len(line) >= self.match_length:
                matched |= line
        return matched

    def all_lines(self) -> set[Cell]:
        """Returns the cells of every line on the board."""
        return {matched for cell in self.balls for matched in self.lines_through(cell)}

    def without(self, removed: set[Cell], points: int) -> Position:
        """Returns the position without the removed balls, with the points added to the score."""
        remaining = {cell: colour for cell, colour in self.balls.items() if cell not in removed}
        return replace(self.with_balls(remaining), score=self.score + points)

    def points(self, count: int, by_move: bool) -> int:
        """Returns the points for `count` balls removed at once, by a move or by new balls."""
        if self.variant == "lines98":
            return count * (count - 4)
        return 2 * count if by_move else 0

    def moved(self, move: str) -> tuple[Position, bool]:
        """Returns the position after the move and its match, and whether new balls come."""
        origin, target = read_move(move)
        balls = self.balls
        balls[target] = balls.pop(origin)
        arrived = self.with_balls(balls)
        matched = arrived.lines_through(target)
        if not matched:
            return arrived, True
        after = arrived.without(matched, self.points(len(matched), by_move=True))
        return after, not after.balls

    def needs_chance(self, move: str) -> bool:
        """Returns True if new balls come after this legal move."""
        self.check(move, None)
        return self.moved(move)[1]

    def check(self, move: str, seat: int | None) -> None:
        """Raises ValueError unless the move is legal for the seat."""
        if seat not in (None, 0) or self.path(move) is None:
            raise ValueError(f"{move!r} is not legal for seat {seat} in {self.text!r}")

    def play(
        self, move: str, seat: int | None = None, chance: Sequence[Any] | None = None
    ) -> Position:
        """Returns the position after a legal move.

        `chance` lists the random outcomes: each time that balls come, the balls with their cells
        and then the next preview.
        """
        self.check(move, seat)
        after, balls_come = self.moved(move)
        outcomes = list(chance or ())
        while balls_come:
            if len(outcomes) < 2:
                raise ValueError(
                    f"balls come after {move!r} in {self.text!r}: chance must list them"
                )
            came, next_preview, *outcomes = outcomes
            after = after.with_new_balls(came)
            lines = after.all_lines()
            after = after.without(lines, self.points(len(lines), by_move=False))
            after = after.with_preview(next_preview)
            # When lines of new balls empty the board, the next balls come as well.
            balls_come = not after.balls
        if outcomes and outcomes[0]:
            raise ValueError(f"{outcomes[0]} cannot come after {move!r} in {self.text!r}")
        return after

    def with_new_balls(self, came: Iterable[tuple[Cell, str]]) -> Position:
        """Returns the position after the next balls have come, limited by the empty cells."""
        came = [((row, col), letter) for (row, col), letter in came]
        preview = self.preview or [(None, None)] * self.balls_per_turn  # unknown: any colours
        count = min(len(preview), len(self.empty))
        if len(came) != count:
            raise ValueError(f"{count} balls come on {self.text!r}, not {came}")

        after = self
        for (cell, letter), (announced, colour) in zip(came, preview, strict=False):
            if letter not in (colour or COLOURS[: self.colors_count]):
                raise ValueError(f"{letter} at {cell} does not match the preview of {self.text!r}")
            if cell not in after.empty:
                raise ValueError(f"{letter} came on {cell}, which is not empty in {after.text!r}")
            if announced in after.empty and cell != announced:
                raise ValueError(f"{letter} came on {cell}, announced on {announced}, still empty")
            after = after.with_balls({**after.balls, cell: letter})
        return after

    def with_preview(self, next_preview: Any) -> Position:
        """Returns the position with new next balls: letters, or (cell, letter) pairs in lines98."""
        if next_preview is None or next_preview == "-":
            return replace(self, preview=None)
        if self.variant == "lines98":
            preview = tuple(((row, col), letter) for (row, col), letter in next_preview)
            announced = {cell for cell, _ in preview}
            count = min(self.balls_per_turn, len(self.empty))
            if len(announced) != len(preview) or not announced <= self.empty:
                raise ValueError(f"{preview} are not distinct empty cells of {self.text!r}")
        else:
            preview = tuple((None, letter) for letter in next_preview)
            count = self.balls_per_turn
        if any(letter not in COLOURS[: self.colors_count] for _, letter in preview):
            raise ValueError(f"{preview} has colours that are not in this game")
        if len(preview) != count and not self.over:
            raise ValueError(f"{count} balls come next, not {preview}")
        return replace(self, preview=preview)
