"""A slow, simple implementation of Quorum's rules that the kernel is tested against."""

from __future__ import annotations

from dataclasses import dataclass, replace

Square = tuple[int, int]  # (file, rank), both 1..8: a1 is (1, 1), h8 is (8, 8)
Stones = tuple[frozenset[Square], frozenset[Square]]  # White's stones, Black's stones

SQUARES = frozenset((file, rank) for file in range(1, 9) for rank in range(1, 9))
OBJECTIVE = frozenset({(4, 4), (4, 5), (5, 4), (5, 5)})
HOMES = (
    frozenset({(1, 1), (1, 2), (2, 1), (2, 2)}),
    frozenset({(8, 8), (8, 7), (7, 8), (7, 7)}),
)
START = "4BBBB/5BBB/6BB/7B/W7/WW6/WWW5/WWWW4 w"
REPETITION_PLIES = 64  # previous plies that the repetition rule compares with


def name(square: Square) -> str:
    """Returns the square's file letter and rank number."""
    file, rank = square
    return "abcdefgh"[file - 1] + str(rank)


def square(text: str) -> Square:
    """Returns the square with this name."""
    return "abcdefgh".index(text[0]) + 1, int(text[1])


def neighbours(square: Square) -> set[Square]:
    """Returns the squares that share an edge or a corner with this one."""
    return {
        other
        for other in SQUARES
        if other != square and max(map(abs, difference(square, other))) == 1
    }


def difference(origin: Square, target: Square) -> tuple[int, int]:
    """Returns the numbers of files and ranks from origin to target."""
    return target[0] - origin[0], target[1] - origin[1]


def mirrored(square: Square, centre: Square) -> Square:
    """Returns the mirror image of a square through the centre; it may be off the board."""
    files, ranks = difference(square, centre)
    return centre[0] + files, centre[1] + ranks


def with_stones(stones: Stones, seat: int, own: set[Square] | frozenset[Square]) -> Stones:
    """Returns the stones of both sides with those of the seat replaced."""
    return (frozenset(own), stones[1]) if seat == 0 else (stones[0], frozenset(own))


def suffocated(stones: Stones, landed: Square, mover: int) -> set[Square]:
    """Returns the opponent's stones adjacent to the landed stone that have no empty neighbour."""
    occupied = stones[0] | stones[1]
    return {
        stone
        for stone in stones[1 - mover]
        if stone in neighbours(landed) and all(other in occupied for other in neighbours(stone))
    }


def converted(stones: Stones, landed: Square, mover: int) -> set[Square]:
    """Returns the opponent's stones between the landed stone and another of the mover's stones."""
    return {
        stone
        for stone in stones[1 - mover]
        if stone in neighbours(landed) and mirrored(landed, stone) in stones[mover]
    }


def board_text(stones: Stones, next_seat: int) -> str:
    """Returns ranks 8 to 1, digits for empty squares, and the side to move."""
    ranks = []
    for rank in range(8, 0, -1):
        line = ""
        empty = 0
        for file in range(1, 9):
            if (file, rank) in stones[0] | stones[1]:
                line += str(empty) if empty else ""
                line += "W" if (file, rank) in stones[0] else "B"
                empty = 0
            else:
                empty += 1
        ranks.append(line + (str(empty) if empty else ""))
    return "/".join(ranks) + " " + "wb"[next_seat]


def read(text: str, repetition: int = 3) -> Position:
    """Returns the position that the text describes, without a history."""
    board, side = text.split()
    stones: tuple[set[Square], set[Square]] = (set(), set())
    for rank, line in zip(range(8, 0, -1), board.split("/"), strict=True):
        file = 1
        for char in line:
            if char.isdigit():
                file += int(char)
            else:
                stones["WB".index(char)].add((file, rank))
                file += 1
    return Position((frozenset(stones[0]), frozenset(stones[1])), "wb".index(side), repetition)


def start(repetition: int = 3) -> Position:
    """Returns the position before White's first play."""
    return read(START, repetition)


@dataclass(frozen=True)
class Position:
    """The stones of both sides, the seat to move, the option `repetition`, earlier positions."""

    stones: Stones
    next_seat: int
    repetition: int = 3
    earlier: tuple[tuple[Stones, int], ...] = ()  # stones and next seat of the previous 64 plies

    @property
    def text(self) -> str:
        """The position text."""
        return board_text(self.stones, self.next_seat)

    def plays(self) -> set[str]:
        """Returns the plays of the seat to move, without checking whether the game is over."""
        own = self.stones[self.next_seat]
        occupied = self.stones[0] | self.stones[1]
        plays = set()
        for active in own:
            for centre in own - {active}:
                files, ranks = difference(active, centre)
                target = mirrored(active, centre)
                if abs(files) <= 2 and abs(ranks) <= 2 and target in SQUARES - occupied:
                    plays.add(name(active) + name(target))
        if HOMES[self.next_seat] - occupied:
            plays.add("place")
        return plays

    @property
    def occurrences(self) -> int:
        """The number of times this position has occurred, now and in the last 64 plies."""
        return 1 + self.earlier.count((self.stones, self.next_seat))

    @property
    def result(self) -> tuple[float, float] | None:
        """The final scores of White and Black, or None before the end."""
        won_by = ((1.0, 0.0), (0.0, 1.0))
        for seat in (0, 1):
            if OBJECTIVE.issubset(self.stones[seat]):
                return won_by[seat]
        if not self.plays():
            return won_by[1 - self.next_seat]
        if self.repetition > 0 and self.occurrences >= self.repetition:
            return (0.5, 0.5)
        return None

    @property
    def over(self) -> bool:
        """Whether the game is won, lost or drawn."""
        return self.result is not None

    @property
    def scores(self) -> tuple[float, ...]:
        """The score of each seat: 1 for a win, 0.5 for a draw, else 0, also before the end."""
        return self.result or (0.0, 0.0)

    @property
    def winners(self) -> tuple[int, ...]:
        """The seat that has won, or an empty tuple."""
        return tuple(seat for seat in (0, 1) if self.scores[seat] == 1.0)

    @property
    def turn(self) -> int | None:
        """The seat to move, or None when the game is over."""
        return None if self.over else self.next_seat

    def moves(self, seat: int | None = None) -> list[str]:
        """Returns the legal plays, none when the game is over or it is not the seat's turn."""
        if self.over or seat not in (None, self.next_seat):
            return []
        return sorted(self.plays())

    def events(self, move: str) -> list[tuple[str, Stones]]:
        """Returns the events of the play in order, each with the stones after it."""
        own = self.stones[self.next_seat]
        if move == "place":
            occupied = self.stones[0] | self.stones[1]
            placed = own | (HOMES[self.next_seat] - occupied)
            return [("place", with_stones(self.stones, self.next_seat, placed))]

        active, landed = square(move[:2]), square(move[2:])
        stones = with_stones(self.stones, self.next_seat, own - {active} | {landed})
        events = [("move", stones)]

        removed = suffocated(stones, landed, self.next_seat)
        if removed:
            stones = with_stones(stones, 1 - self.next_seat, stones[1 - self.next_seat] - removed)
            events.append(("suffocate", stones))

        changed = converted(stones, landed, self.next_seat)
        if changed:
            stones = with_stones(stones, 1 - self.next_seat, stones[1 - self.next_seat] - changed)
            stones = with_stones(stones, self.next_seat, stones[self.next_seat] | changed)
            events.append(("convert", stones))
        return events

    def step_texts(self, move: str) -> list[tuple[str, str]]:
        """Returns each event of a legal play with the text after it, before the turn passes."""
        self.check(move, None)
        return [(event, board_text(stones, self.next_seat)) for event, stones in self.events(move)]

    def play(self, move: str, seat: int | None = None, chance: None = None) -> Position:
        """Returns the position after a legal play, with the opponent to move."""
        self.check(move, seat)
        if chance is not None:
            raise ValueError("Quorum has no random outcomes")
        _, stones = self.events(move)[-1]
        earlier = (*self.earlier, (self.stones, self.next_seat))[-REPETITION_PLIES:]
        return replace(self, stones=stones, next_seat=1 - self.next_seat, earlier=earlier)

    def check(self, move: str, seat: int | None) -> None:
        """Raises ValueError unless the play is legal for the seat."""
        if move not in self.moves(seat):
            raise ValueError(f"{move!r} is not legal for seat {seat} in {self.text!r}")
