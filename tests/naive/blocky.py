"""A slow and obvious implementation of Blocky, which the kernel is tested against."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import exp
from typing import Union

# A colour letter, or four blocks in reading order:  0 1
#                                                    2 3
Block = Union[str, tuple["Block", "Block", "Block", "Block"]]  # noqa: UP007 (it names itself)
Cell = tuple[int, int]  # (row, column) of a unit cell

COLOURS = "rgby"
COSTS = {"paint": 1, "combine": 1, "smash": 3}


def read_block(text: str) -> Block:
    """Return the block that the whole text describes."""
    block, rest = read_first_block(text)
    if rest:
        raise ValueError(f"{rest!r} is left over after the block in {text!r}")
    return block


def read_first_block(text: str) -> tuple[Block, str]:
    """Return the block that the text begins with, and the text after it."""
    if text[:1] and text[0] in COLOURS:
        return text[0], text[1:]
    if text[:1] != "(":
        raise ValueError(f"a block begins with one of {COLOURS} or (, not with {text[:1]!r}")
    children, rest = [], text[1:]
    for _ in range(4):
        child, rest = read_first_block(rest)
        children.append(child)
    if rest[:1] != ")":
        raise ValueError(f"a divided block ends with ) after four blocks, not with {rest[:1]!r}")
    return tuple(children), rest[1:]


def block_text(block: Block) -> str:
    """Return the colour letter of a leaf, or the four parts of a divided block in parentheses."""
    return block if isinstance(block, str) else "(" + "".join(map(block_text, block)) + ")"


def is_divided(block: Block) -> bool:
    """Return whether the block is made of four blocks."""
    return not isinstance(block, str)


def height(block: Block) -> int:
    """Return the number of levels below the block."""
    return 0 if isinstance(block, str) else 1 + max(map(height, block))


def walk(block: Block, path: str = "") -> Iterator[tuple[str, Block]]:
    """Yield the block and every block inside it, each with its path."""
    yield path, block
    if not isinstance(block, str):
        for quadrant, child in enumerate(block):
            yield from walk(child, path + str(quadrant))


def with_block(block: Block, path: str, new: Block) -> Block:
    """Return the block with the part at the path replaced."""
    if not path:
        return new
    children = list(block)
    children[int(path[0])] = with_block(children[int(path[0])], path[1:], new)
    return tuple(children)


class Generator:
    """The generator of random numbers in a position, splitmix64, with integers of any size."""

    INCREMENT, MODULUS = 0x9E3779B97F4A7C15, 2**64

    def __init__(self, state: int) -> None:
        self.state = state

    @classmethod
    def from_seed(cls, seed: int) -> Generator:
        """Return the generator of a game that starts from the seed."""
        return cls(cls.mixed(seed ^ cls.INCREMENT))

    @classmethod
    def mixed(cls, x: int) -> int:
        """Return the 64 bits that a state stands for."""
        x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 % cls.MODULUS
        x = (x ^ x >> 27) * 0x94D049BB133111EB % cls.MODULUS
        return x ^ x >> 31

    def bits(self) -> int:
        """Return the next 64 random bits."""
        self.state = (self.state + self.INCREMENT) % self.MODULUS
        return self.mixed(self.state)

    def fraction(self) -> float:
        """Return a random number from 0 to 1, without 1."""
        return (self.bits() >> 11) / 2**53


def random_block(level: int, depth: int, generator: Generator) -> Block:
    """Return a block of a level that is divided, and whose blocks are divided at random.

    A new block of level k above the unit cells is divided with probability exp(-k / 4), level by
    level; all colours are equally likely.
    """

    def four_leaves() -> Block:
        bits = generator.bits()
        return tuple(COLOURS[bits >> 2 * quadrant & 3] for quadrant in range(4))

    block = four_leaves()
    for inner in range(level + 1, depth):
        for path, part in list(walk(block)):
            is_new = len(path) == inner - level and not is_divided(part)
            if is_new and generator.fraction() < exp(-inner / 4):
                block = with_block(block, path, four_leaves())
    return block


def clockwise(block: Block) -> Block:
    """Return the block rotated clockwise, including everything inside it."""
    if isinstance(block, str):
        return block
    upper_left, upper_right, lower_left, lower_right = map(clockwise, block)
    return (lower_left, upper_left, lower_right, upper_right)


def counterclockwise(block: Block) -> Block:
    """Return the block rotated counterclockwise, including everything inside it."""
    if isinstance(block, str):
        return block
    upper_left, upper_right, lower_left, lower_right = map(counterclockwise, block)
    return (upper_right, lower_right, upper_left, lower_left)


def swapped_horizontally(block: Block) -> Block:
    """Return the block with its left and right halves swapped, without mirroring them."""
    upper_left, upper_right, lower_left, lower_right = block
    return (upper_right, upper_left, lower_right, lower_left)


def swapped_vertically(block: Block) -> Block:
    """Return the block with its upper and lower halves swapped, without mirroring them."""
    upper_left, upper_right, lower_left, lower_right = block
    return (lower_left, lower_right, upper_left, upper_right)


ARRANGEMENTS = {
    "cw": clockwise,
    "ccw": counterclockwise,
    "hswap": swapped_horizontally,
    "vswap": swapped_vertically,
}


def majority(block: Block) -> str | None:
    """Return the colour that more of the four unit cells have than any other, or None."""
    counts = Counter(block)
    most = [colour for colour in counts if counts[colour] == max(counts.values())]
    return most[0] if len(most) == 1 else None


def unit_cells(block: Block, depth: int, row: int = 0, col: int = 0) -> dict[Cell, str]:
    """Return the colour of every unit cell of a block that is `depth` levels above them."""
    side = 2**depth
    if isinstance(block, str):
        return {(row + r, col + c): block for r in range(side) for c in range(side)}
    half = side // 2
    cells: dict[Cell, str] = {}
    for quadrant, child in enumerate(block):
        down, right = divmod(quadrant, 2)
        cells |= unit_cells(child, depth - 1, row + down * half, col + right * half)
    return cells


def blob_score(cells: dict[Cell, str], colour: str) -> int:
    """Return the number of unit cells in the largest side-connected region of the colour."""
    unvisited = {cell for cell in cells if cells[cell] == colour}
    largest = 0
    while unvisited:
        frontier = [unvisited.pop()]
        size = 0
        while frontier:
            row, col = frontier.pop()
            size += 1
            for cell in ((row - 1, col), (row + 1, col), (row, col - 1), (row, col + 1)):
                if cell in unvisited:
                    unvisited.remove(cell)
                    frontier.append(cell)
        largest = max(largest, size)
    return largest


def perimeter_score(cells: dict[Cell, str], colour: str) -> int:
    """Return the number of border cells of the colour, counting corner cells twice."""
    last = max(row for row, _ in cells)
    own = [cell for cell in cells if cells[cell] == colour]
    return sum((row in (0, last)) + (col in (0, last)) for row, col in own)


def read(
    text: str, depth: int = 4, players: int = 2, turns: int = 20, goals: str | None = None
) -> Position:
    """Return the position that the text describes; the option `goals` is ignored."""
    board, goals_text, played, seat = text.split()
    goal_list, costs = [], []
    for goal in goals_text.split(","):
        kind, rest = goal.split(":")
        colour, cost = rest.split("-")
        goal_list.append((kind, colour))
        costs.append(int(cost))
    if len(goal_list) != players:
        raise ValueError(f"{text!r} has {len(goal_list)} goals for {players} players")
    return Position(
        read_block(board), tuple(goal_list), tuple(costs), int(played), int(seat), depth, turns
    )


@dataclass(frozen=True)
class Position:
    """The board, each player's goal and costs, the turns played and the seat to move."""

    board: Block
    goals: tuple[tuple[str, str], ...]
    costs: tuple[int, ...]
    played: int
    next_seat: int
    depth: int = 4
    turns: int = 20

    @property
    def text(self) -> str:
        """The position text."""
        goals = ",".join(
            f"{kind}:{colour}-{cost}"
            for (kind, colour), cost in zip(self.goals, self.costs, strict=True)
        )
        return f"{block_text(self.board)} {goals} {self.played} {self.next_seat}"

    @property
    def over(self) -> bool:
        """Whether all turns have been played."""
        return self.played >= self.turns * len(self.goals)

    @property
    def turn(self) -> int | None:
        """The seat to move, or None when the game is over."""
        return None if self.over else self.next_seat

    def goal_score(self, seat: int) -> int:
        """Return the points of the seat's goal on this board, before costs are deducted."""
        kind, colour = self.goals[seat]
        score = {"blob": blob_score, "perimeter": perimeter_score}[kind]
        return score(unit_cells(self.board, self.depth), colour)

    @property
    def scores(self) -> tuple[float, ...]:
        """Each player's goal score less the cost of the player's actions."""
        return tuple(float(self.goal_score(seat) - cost) for seat, cost in enumerate(self.costs))

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats with the highest score when the game is over; none in a solo game."""
        if not self.over or len(self.goals) == 1:
            return ()
        scores = self.scores
        return tuple(seat for seat, score in enumerate(scores) if score == max(scores))

    def moves(self, seat: int | None = None) -> list[str]:
        """Return the legal moves, none when the game is over or it is not the seat's turn."""
        if self.over or seat not in (None, self.next_seat):
            return []
        moves = ["pass"]
        for path, block in walk(self.board):
            level = len(path)
            if is_divided(block):
                moves += [f"{action}@{path}" for action in ARRANGEMENTS]
            if not is_divided(block) and level < self.depth:
                moves.append(f"smash@{path}")
            if level == self.depth:
                moves += [f"paint:{colour}@{path}" for colour in COLOURS if colour != block]
            if is_divided(block) and level == self.depth - 1 and majority(block):
                moves.append(f"combine@{path}")
        return sorted(moves)

    def play(self, move: str, seat: int | None = None, chance: str | None = None) -> Position:
        """Return the position after a legal move; `chance` is the text of a smashed block."""
        if move not in self.moves(seat):
            raise ValueError(f"{move!r} is not legal for seat {seat} in {self.text!r}")
        action, _, path = move.partition("@")
        action, _, colour = action.partition(":")
        if (action == "smash") != (chance is not None):
            raise ValueError(
                f"chance is {chance!r} for {move!r}: only a smash has a random outcome"
            )

        board = self.board
        if action != "pass":
            board = with_block(board, path, self.outcome(action, path, colour, chance))
        costs = list(self.costs)
        costs[self.next_seat] += COSTS.get(action, 0)
        return replace(
            self,
            board=board,
            costs=tuple(costs),
            played=self.played + 1,
            next_seat=(self.next_seat + 1) % len(self.goals),
        )

    def outcome(self, action: str, path: str, colour: str, chance: str | None) -> Block:
        """Return the block at the path after the action."""
        block = dict(walk(self.board))[path]
        if action == "paint":
            return colour
        if action == "combine":
            return majority(block)
        if action == "smash":
            new = read_block(chance)
            if not is_divided(new) or len(path) + height(new) > self.depth:
                raise ValueError(f"{chance!r} is undivided or too deep to come from smash@{path}")
            return new
        return ARRANGEMENTS[action](block)
