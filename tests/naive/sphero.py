"""A slow, simple implementation of Sphero's rules that the kernel is tested against."""

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, replace
from math import atan2, degrees
from typing import Any

Cell = tuple[int, int]
Board = dict[Cell, str]  # the letter of every sphere, without the anchor; never mutated
Steps = list[tuple[str, Board]]  # (event, board after it), in order; never mutated

ANCHOR = (0, 0)
LETTERS = "RYBGPO"
NO_CELLS: frozenset[Cell] = frozenset()


def neighbours(cell: Cell) -> list[Cell]:
    """Returns the four cells that share a side with the cell."""
    x, y = cell
    return [(x, y + 1), (x + 1, y), (x, y - 1), (x - 1, y)]


def valence(cell: Cell) -> int:
    """Returns the number of horizontal and vertical steps from the anchor to the cell."""
    return abs(cell[0]) + abs(cell[1])


def highest_valence(board: Board) -> int:
    """Returns the largest valence of any sphere, 0 on an empty board."""
    return max((valence(cell) for cell in board), default=0)


def angle(cell: Cell) -> float:
    """Returns the clockwise angle from straight up to the cell, in degrees from 0 to below 360."""
    return degrees(atan2(cell[0], cell[1])) % 360


def clockwise_degrees(origin: Cell, target: Cell) -> float:
    """Returns the clockwise angle from origin to target, -180 (exclusive) to 180 (inclusive)."""
    # Rounded so that cells at the same angle compare as equal. Different angles on a board
    # of this size differ by much more than a millionth of a degree.
    turn = round(angle(target) - angle(origin), 6)
    if turn > 180:
        return turn - 360
    if turn <= -180:
        return turn + 360
    return turn


def in_order(cells: Iterable[Cell]) -> list[Cell]:
    """Returns the cells sorted by valence, then by angle."""
    return sorted(cells, key=lambda cell: (valence(cell), angle(cell)))


def attached(board: Board, waiting: frozenset[Cell] = NO_CELLS) -> set[Cell]:
    """Returns the anchor and all spheres connected to it without passing a waiting sphere."""
    visited = {ANCHOR}
    queue = deque(visited)
    while queue:
        for cell in neighbours(queue.popleft()):
            if cell in board and cell not in waiting and cell not in visited:
                visited.add(cell)
                queue.append(cell)
    return visited


def liberties(board: Board, waiting: frozenset[Cell] = NO_CELLS) -> set[Cell]:
    """Returns the empty cells that touch the anchor or a sphere attached to it."""
    adjacent = {near for cell in attached(board, waiting) for near in neighbours(cell)}
    return {cell for cell in adjacent if cell != ANCHOR and cell not in board}


def is_loose(board: Board, cell: Cell) -> bool:
    """Returns True if the sphere on the cell touches at most one sphere besides the anchor."""
    return sum(near in board for near in neighbours(cell)) <= 1


def is_balanced(board: Board) -> bool:
    """Returns True if the board is balanced."""
    highest = highest_valence(board)
    if any(cell not in board for cell in neighbours(ANCHOR)):
        return highest <= 3
    loose = [valence(cell) for cell in board if is_loose(board, cell)]
    return not loose or highest - min(loose) <= 3


def bounding_box(board: Board) -> tuple[int, int, int, int]:
    """Returns min x, max x, min y and max y of the anchor and all spheres."""
    xs = [0] + [x for x, _ in board]
    ys = [0] + [y for _, y in board]
    return min(xs), max(xs), min(ys), max(ys)


def distances(board: Board, origin: Cell) -> dict[Cell, int]:
    """Returns the number of steps from origin to every cell reachable through empty cells."""
    # One ring of empty cells around the board is enough: a path never gets shorter beyond it.
    left, right, bottom, top = bounding_box(board)
    left, right, bottom, top = left - 1, right + 1, bottom - 1, top + 1
    distance = {origin: 0}
    queue = deque([origin])
    while queue:
        cell = queue.popleft()
        for x, y in neighbours(cell):
            inside = left <= x <= right and bottom <= y <= top
            empty = (x, y) != ANCHOR and (x, y) not in board
            if inside and empty and (x, y) not in distance:
                distance[x, y] = distance[cell] + 1
                queue.append((x, y))
    return distance


def destination(board: Board, waiting: frozenset[Cell], sphere: Cell, limited: bool) -> Cell | None:
    """Returns the cell that the waiting sphere slides to, or its own cell if it stays there.

    Returns None if it can neither slide nor stay.
    """
    distance = distances(board, sphere)
    candidates = [cell for cell in liberties(board, waiting) if cell in distance]
    if limited:
        candidates = [cell for cell in candidates if valence(cell) <= valence(sphere)]
    if candidates:
        fewest = min(distance[cell] for cell in candidates)
        nearest = [cell for cell in candidates if distance[cell] == fewest]
        return max(nearest, key=lambda cell: (clockwise_degrees(sphere, cell), -valence(cell)))
    if any(cell in attached(board, waiting) for cell in neighbours(sphere)):
        return sphere
    return None


def slide_all(steps: Steps, waiting: frozenset[Cell], limited: bool, event: str) -> Steps:
    """Returns the steps followed by the slides of the waiting spheres, in the order."""
    deferred = []
    for sphere in in_order(waiting):
        target = destination(steps[-1][1], waiting, sphere, limited)
        if target is None:
            deferred.append(sphere)
        else:
            steps = append_slide(steps, sphere, target, event)
            waiting = waiting - {sphere}
    for sphere in deferred:
        board = steps[-1][1]
        target = destination(board, waiting, sphere, limited)
        target = target or destination(board, waiting, sphere, limited=False)
        # A sphere enclosed by other cut-off spheres stays where it is.
        steps = append_slide(steps, sphere, target or sphere, event)
        waiting = waiting - {sphere}
    return steps


def append_slide(steps: Steps, origin: Cell, target: Cell, event: str) -> Steps:
    """Returns the steps followed by the slide from origin to target, if they differ."""
    if origin == target:
        return steps
    board = dict(steps[-1][1])
    board[target] = board.pop(origin)
    return [*steps, (event, board)]


def settle(steps: Steps) -> Steps:
    """Returns the steps followed by the slides of the spheres that are cut off from the anchor."""
    board = steps[-1][1]
    cut_off = frozenset(board) - attached(board)
    return slide_all(steps, cut_off, limited=False, event="settle")


def rebalance_once(steps: Steps, version: int) -> Steps:
    """Returns the steps followed by one pass: the inner board rotates, all others slide.

    Then cut-off spheres settle; by version 1 of the rules they did not.
    """
    board = steps[-1][1]
    outer = frozenset(cell for cell in board if valence(cell) >= highest_valence(board) - 1)
    rotated = {(x, y) if (x, y) in outer else (-x, -y): board[x, y] for x, y in board}
    steps = slide_all([*steps, ("rotate", rotated)], outer, limited=True, event="slide")
    return settle(steps) if version >= 2 else steps


def rebalance(steps: Steps, version: int) -> Steps:
    """Returns the steps followed by rebalancing passes.

    They end when the board is balanced or a pass does not lower the sum of valences.
    """
    while True:
        before = sum(valence(cell) for cell in steps[-1][1])
        steps = rebalance_once(steps, version)
        after = sum(valence(cell) for cell in steps[-1][1])
        if is_balanced(steps[-1][1]) or after >= before:
            return steps


def group(board: Board, first: Cell) -> list[Cell]:
    """Returns the group of a sphere, breadth first, with neighbours in the order."""
    cells = [first]
    for cell in cells:  # grows during the iteration
        for near in in_order(neighbours(cell)):
            if near not in cells and board.get(near) == board[first]:
                cells.append(near)
    return cells


def chain(board: Board) -> list[Cell]:
    """Returns the five spheres that are removed next, or an empty list without a chain."""
    for first in in_order(board):
        if len(group(board, first)) >= 5:
            return group(board, first)[:5]
    return []


def remove_chain(steps: Steps) -> Steps:
    """Returns the steps followed by the removal of the chain and the settling after it."""
    board = steps[-1][1]
    removed = chain(board)
    board = {cell: board[cell] for cell in board if cell not in removed}
    return settle([*steps, ("chain", board)])


def resolve(steps: Steps, version: int) -> Steps:
    """Returns the steps followed by chains and rebalancing until nothing more changes."""
    while True:
        if chain(steps[-1][1]):
            steps = remove_chain(steps)
            if not is_balanced(steps[-1][1]):
                steps = rebalance(steps, version)
        else:
            if not is_balanced(steps[-1][1]):
                steps = rebalance(steps, version)
            if not chain(steps[-1][1]):
                return steps


def board_text(board: Board) -> str:
    """Returns the rows of the bounding box, from the top, with `A` for the anchor."""
    letters = {**board, ANCHOR: "A"}
    left, right, bottom, top = bounding_box(board)
    return "/".join(
        "".join(letters.get((x, y), ".") for x in range(left, right + 1))
        for y in range(top, bottom - 1, -1)
    )


def read_board(text: str) -> Board:
    """Returns the board of a text; coordinates are relative to its anchor."""
    letters = {
        (x, -y): letter
        for y, row in enumerate(text.split("/"))
        for x, letter in enumerate(row)
        if letter != "."
    }
    [(left, top)] = [cell for cell in letters if letters[cell] == "A"]
    return {(x - left, y - top): letters[x, y] for x, y in letters if letters[x, y] != "A"}


@dataclass(frozen=True)
class Position:
    """The spheres, the options, the next seat and the number of placements."""

    spheres: frozenset[tuple[Cell, str]]
    players: int
    order: str
    limit: int
    next_seat: int  # ignored unless order="turns"
    placements: int  # since `start` or `read`
    version: int  # of the rules

    @property
    def board(self) -> Board:
        """The letter of every sphere by its cell."""
        return dict(self.spheres)

    @property
    def text(self) -> str:
        """The position text; with order="turns" it ends with the letter of the next player."""
        rows = board_text(self.board)
        return f"{rows} {LETTERS[self.next_seat]}" if self.order == "turns" else rows

    @property
    def over(self) -> bool:
        """True if the highest valence exceeds 20 or the limit of placements is reached."""
        return highest_valence(self.board) > 20 or 0 < self.limit <= self.placements

    @property
    def turn(self) -> int | None:
        """The seat to move, None when the game is over or anyone may move."""
        return self.next_seat if self.order == "turns" and not self.over else None

    @property
    def scores(self) -> tuple[float, ...]:
        """The number of spheres of each seat's colour."""
        letters = list(self.board.values())
        return tuple(float(letters.count(LETTERS[seat])) for seat in range(self.players))

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats that share the highest score, empty before the end."""
        if not self.over:
            return ()
        return tuple(s for s in range(self.players) if self.scores[s] == max(self.scores))

    def moves(self, seat: int | None = None) -> list[str]:
        """Returns the legal moves, sorted; none after the end or for a seat not to move."""
        if self.over or (self.order == "turns" and seat not in (None, self.next_seat)):
            return []
        return sorted(f"{x},{y}" for x, y in liberties(self.board))

    def steps(self, move: str, seat: int | None) -> Steps:
        """Returns every event of the placement with the board after it."""
        if seat is None:
            seat = self.turn
        if seat is None or seat not in range(self.players) or move not in self.moves(seat):
            raise ValueError(f"seat {seat} may not place {move} in {self.text}")
        x, y = move.split(",")
        placed = {**self.board, (int(x), int(y)): LETTERS[seat]}
        return resolve([("place", placed)], self.version)

    def step_texts(self, move: str, seat: int | None = None) -> list[tuple[str, str]]:
        """Returns every event of the placement with the text of the board after it."""
        return [(event, board_text(board)) for event, board in self.steps(move, seat)]

    def play(self, move: str, seat: int | None = None) -> "Position":
        """Returns the position after the placement and everything that follows from it."""
        return replace(
            self,
            spheres=frozenset(self.steps(move, seat)[-1][1].items()),
            next_seat=(self.next_seat + 1) % self.players,
            placements=self.placements + 1,
        )


def start(players: int = 4, order: str = "anytime", limit: int = 0, version: int = 2) -> Position:
    """Returns the first position: only the anchor, seat 0 to move."""
    return Position(frozenset(), players, order, limit, 0, 0, version)


def read(text: str, **options: Any) -> Position:
    """Returns the position of a well-formed text, with no placements counted."""
    rows, *letter = text.split()
    return replace(
        start(**options),
        spheres=frozenset(read_board(rows).items()),
        next_seat=LETTERS.index(letter[0]) if letter else 0,
    )
