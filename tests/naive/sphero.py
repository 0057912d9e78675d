"""Sphero, slow and obvious: the test oracle, written straight from the rulings."""

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, replace
from math import atan2, degrees
from typing import Any

Cell = tuple[int, int]
Board = dict[Cell, str]  # the letter of every sphere; the anchor is not listed; never changed
Film = list[tuple[str, Board]]  # (event, the board after it), in order; never changed

ANCHOR = (0, 0)
LETTERS = "RYBGPO"
NOBODY: frozenset[Cell] = frozenset()


def neighbours(cell: Cell) -> list[Cell]:
    """The four cells that share a side with the cell."""
    x, y = cell
    return [(x, y + 1), (x + 1, y), (x, y - 1), (x - 1, y)]


def valence(cell: Cell) -> int:
    """The number of horizontal and vertical steps from the anchor to the cell."""
    return abs(cell[0]) + abs(cell[1])


def highest_valence(board: Board) -> int:
    """The largest valence of any sphere, 0 when there is none."""
    return max((valence(cell) for cell in board), default=0)


def angle(cell: Cell) -> float:
    """The degrees from straight up, clockwise around the anchor, to the cell, 0 to below 360."""
    return degrees(atan2(cell[0], cell[1])) % 360


def clockwise(origin: Cell, target: Cell) -> float:
    """The degrees clockwise from origin to target, from -180 exclusive to +180 inclusive."""
    # Rounded, because cells at one angle must compare as equal: on any board that can
    # arise, different angles are much further apart than a millionth of a degree.
    turn = round(angle(target) - angle(origin), 6)
    if turn > 180:
        return turn - 360
    if turn <= -180:
        return turn + 360
    return turn


def in_order(cells: Iterable[Cell]) -> list[Cell]:
    """The cells by valence, then by angle."""
    return sorted(cells, key=lambda cell: (valence(cell), angle(cell)))


def attached(board: Board, waiting: frozenset[Cell] = NOBODY) -> set[Cell]:
    """The anchor and every sphere attached to it, directly or through others, none waiting."""
    found = {ANCHOR}
    queue = deque(found)
    while queue:
        for cell in neighbours(queue.popleft()):
            if cell in board and cell not in waiting and cell not in found:
                found.add(cell)
                queue.append(cell)
    return found


def liberties(board: Board, waiting: frozenset[Cell] = NOBODY) -> set[Cell]:
    """The empty cells that touch the anchor or a sphere attached to it."""
    touching = {near for cell in attached(board, waiting) for near in neighbours(cell)}
    return {cell for cell in touching if cell != ANCHOR and cell not in board}


def is_loose(board: Board, cell: Cell) -> bool:
    """Whether the sphere on the cell touches at most one sphere other than the anchor."""
    return sum(near in board for near in neighbours(cell)) <= 1


def is_balanced(board: Board) -> bool:
    """Whether the board is balanced."""
    highest = highest_valence(board)
    if any(cell not in board for cell in neighbours(ANCHOR)):
        return highest <= 3
    loose = [valence(cell) for cell in board if is_loose(board, cell)]
    return not loose or highest - min(loose) <= 3


def box(board: Board) -> tuple[int, int, int, int]:
    """The least and greatest x, then the least and greatest y, of the anchor and all spheres."""
    across = [0] + [x for x, _ in board]
    up = [0] + [y for _, y in board]
    return min(across), max(across), min(up), max(up)


def steps(board: Board, origin: Cell) -> dict[Cell, int]:
    """The fewest steps from origin to every cell reached side by side through empty cells."""
    # One ring of empty cells around the board is as good as the whole plane.
    left, right, bottom, top = box(board)
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
    """The cell the waiting sphere slides to, its own if it stays, None if it can do neither."""
    distance = steps(board, sphere)
    choices = [cell for cell in liberties(board, waiting) if cell in distance]
    if limited:
        choices = [cell for cell in choices if valence(cell) <= valence(sphere)]
    if choices:
        fewest = min(distance[cell] for cell in choices)
        nearest = [cell for cell in choices if distance[cell] == fewest]
        return max(nearest, key=lambda cell: (clockwise(sphere, cell), -valence(cell)))
    if any(cell in attached(board, waiting) for cell in neighbours(sphere)):
        return sphere
    return None


def slide_all(film: Film, waiting: frozenset[Cell], limited: bool, event: str) -> Film:
    """The film after the waiting spheres, in the order, have slid to their nearest liberties."""
    again = []
    for sphere in in_order(waiting):
        target = destination(film[-1][1], waiting, sphere, limited)
        if target is None:
            again.append(sphere)
        else:
            film = moved(film, sphere, target, event)
            waiting = waiting - {sphere}
    for sphere in again:
        board = film[-1][1]
        target = destination(board, waiting, sphere, limited)
        target = target or destination(board, waiting, sphere, limited=False)
        # Walled in by spheres that are cut off themselves, it remains where it is.
        film = moved(film, sphere, target or sphere, event)
        waiting = waiting - {sphere}
    return film


def moved(film: Film, origin: Cell, target: Cell, event: str) -> Film:
    """The film after the sphere has gone from origin to target; no new board if it stays."""
    if origin == target:
        return film
    board = dict(film[-1][1])
    board[target] = board.pop(origin)
    return [*film, (event, board)]


def rebalance_once(film: Film) -> Film:
    """The film after one rebalancing pass: the inner board turned, all other spheres slid."""
    board = film[-1][1]
    outer = frozenset(cell for cell in board if valence(cell) >= highest_valence(board) - 1)
    turned = {(x, y) if (x, y) in outer else (-x, -y): board[x, y] for x, y in board}
    return slide_all([*film, ("rotate", turned)], outer, limited=True, event="slide")


def rebalance(film: Film) -> Film:
    """The film after passes until balanced, or until one does not lower the sum of valences."""
    while True:
        before = sum(valence(cell) for cell in film[-1][1])
        film = rebalance_once(film)
        after = sum(valence(cell) for cell in film[-1][1])
        if is_balanced(film[-1][1]) or after >= before:
            return film


def group(board: Board, first: Cell) -> list[Cell]:
    """The spheres of one colour connected to the first, breadth first, neighbours in the order."""
    found = [first]
    for cell in found:  # grows while it is read
        for near in in_order(neighbours(cell)):
            if near not in found and board.get(near) == board[first]:
                found.append(near)
    return found


def chain(board: Board) -> list[Cell]:
    """The five spheres that go, from the first sphere in a group of five; empty if none."""
    for first in in_order(board):
        if len(group(board, first)) >= 5:
            return group(board, first)[:5]
    return []


def remove_chain(film: Film) -> Film:
    """The film after the chain has gone and the spheres cut off from the anchor have settled."""
    board = film[-1][1]
    gone = chain(board)
    board = {cell: board[cell] for cell in board if cell not in gone}
    cut_off = frozenset(board) - attached(board)
    return slide_all([*film, ("chain", board)], cut_off, limited=False, event="settle")


def work_through(film: Film) -> Film:
    """The film after chains and rebalancing, until nothing more happens."""
    while True:
        if chain(film[-1][1]):
            film = remove_chain(film)
            if not is_balanced(film[-1][1]):
                film = rebalance(film)
        else:
            if not is_balanced(film[-1][1]):
                film = rebalance(film)
            if not chain(film[-1][1]):
                return film


def board_text(board: Board) -> str:
    """The rows of the tight bounding box, anchor included, from the top."""
    letters = {**board, ANCHOR: "A"}
    left, right, bottom, top = box(board)
    return "/".join(
        "".join(letters.get((x, y), ".") for x in range(left, right + 1))
        for y in range(top, bottom - 1, -1)
    )


def read_board(text: str) -> Board:
    """The board of the rows, counted from the anchor in them."""
    places = {
        (x, -y): letter
        for y, row in enumerate(text.split("/"))
        for x, letter in enumerate(row)
        if letter != "."
    }
    [(left, top)] = [cell for cell in places if places[cell] == "A"]
    return {(x - left, y - top): places[x, y] for x, y in places if places[x, y] != "A"}


@dataclass(frozen=True)
class Position:
    """A position: the spheres, the options, and how the game came to the next player."""

    spheres: frozenset[tuple[Cell, str]]
    players: int
    order: str
    limit: int
    next_seat: int  # only matters with order="turns"
    placements: int  # since start or read

    @property
    def board(self) -> Board:
        """The letter of every sphere by its cell."""
        return dict(self.spheres)

    @property
    def text(self) -> str:
        """The position text, with the letter of the next player if they take turns."""
        rows = board_text(self.board)
        return f"{rows} {LETTERS[self.next_seat]}" if self.order == "turns" else rows

    @property
    def over(self) -> bool:
        """Whether the highest valence exceeds 20 or the limit of placements is reached."""
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
        """The liberties as sorted texts, none when the game is over or it is another's turn."""
        if self.over or (self.order == "turns" and seat not in (None, self.next_seat)):
            return []
        return sorted(f"{x},{y}" for x, y in liberties(self.board))

    def film(self, move: str, seat: int | None) -> Film:
        """Every board from the placement to the end of its consequences."""
        if seat is None:
            seat = self.turn
        if seat is None or seat not in range(self.players) or move not in self.moves(seat):
            raise ValueError(f"seat {seat} may not place {move} in {self.text}")
        x, y = move.split(",")
        return work_through([("place", {**self.board, (int(x), int(y)): LETTERS[seat]})])

    def stages(self, move: str, seat: int | None = None) -> list[tuple[str, str]]:
        """Every event of the placement in order, with the text of the board after it."""
        return [(event, board_text(board)) for event, board in self.film(move, seat)]

    def play(self, move: str, seat: int | None = None) -> "Position":
        """The position after the placement has been worked through."""
        return replace(
            self,
            spheres=frozenset(self.film(move, seat)[-1][1].items()),
            next_seat=(self.next_seat + 1) % self.players,
            placements=self.placements + 1,
        )


def start(players: int = 4, order: str = "anytime", limit: int = 0) -> Position:
    """The position with nothing but the anchor, seat 0 next."""
    return Position(frozenset(), players, order, limit, next_seat=0, placements=0)


def read(text: str, **options: Any) -> Position:
    """The position of a well-formed text, no placements counted yet."""
    rows, *letter = text.split()
    return replace(
        start(**options),
        spheres=frozenset(read_board(rows).items()),
        next_seat=LETTERS.index(letter[0]) if letter else 0,
    )
