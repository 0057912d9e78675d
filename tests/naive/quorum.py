"""Quorum, slow and obvious: the oracle that the real rules are tested against."""

from __future__ import annotations

from dataclasses import dataclass, replace

Square = tuple[int, int]  # (file, rank), both 1..8: a1 is (1, 1), h8 is (8, 8)
Stones = tuple[frozenset[Square], frozenset[Square]]  # those of White, those of Black

SQUARES = frozenset((file, rank) for file in range(1, 9) for rank in range(1, 9))
OBJECTIVE = frozenset({(4, 4), (4, 5), (5, 4), (5, 5)})
HOMES = (
    frozenset({(1, 1), (1, 2), (2, 1), (2, 2)}),
    frozenset({(8, 8), (8, 7), (7, 8), (7, 7)}),
)
START = "4BBBB/5BBB/6BB/7B/W7/WW6/WWW5/WWWW4 w"
MEMORY = 64  # plies within which a position must come back to count as repeated


def name(square: Square) -> str:
    """Return the square's file letter and rank number."""
    file, rank = square
    return "abcdefgh"[file - 1] + str(rank)


def square(text: str) -> Square:
    """Return the square with this name."""
    return "abcdefgh".index(text[0]) + 1, int(text[1])


def neighbours(of: Square) -> set[Square]:
    """Return the squares that share an edge or a corner with this one."""
    return {there for there in SQUARES if there != of and max(map(abs, difference(there, of))) == 1}


def difference(to: Square, origin: Square) -> Square:
    """Return how many files and ranks lead from origin to the other square."""
    return to[0] - origin[0], to[1] - origin[1]


def mirrored(active: Square, centre: Square) -> Square:
    """Return where the active stone lands: the step to the centre, repeated from the centre."""
    files, ranks = difference(centre, active)
    return centre[0] + files, centre[1] + ranks


def with_seat(stones: Stones, seat: int, own: set[Square] | frozenset[Square]) -> Stones:
    """Return the stones after this seat's have been replaced."""
    return (frozenset(own), stones[1]) if seat == 0 else (stones[0], frozenset(own))


def suffocated(stones: Stones, landed: Square, mover: int) -> set[Square]:
    """Return the opponent stones adjacent to the landed stone with no empty square adjacent."""
    occupied = stones[0] | stones[1]
    return {
        stone
        for stone in stones[1 - mover]
        if stone in neighbours(landed) and all(near in occupied for near in neighbours(stone))
    }


def converted(stones: Stones, landed: Square, mover: int) -> set[Square]:
    """Return the opponent stones adjacent to the landed stone with a friend right behind them."""
    return {
        stone
        for stone in stones[1 - mover]
        if stone in neighbours(landed) and mirrored(landed, stone) in stones[mover]
    }


def board_text(stones: Stones, mover: int) -> str:
    """Return ranks 8 to 1, digits for empty squares, and the side to move."""
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
    return "/".join(ranks) + " " + "wb"[mover]


def read(text: str, repetition: int = 3) -> Position:
    """Return the position that the text describes, standing for the first time."""
    board, side = text.split()
    stones: tuple[set[Square], set[Square]] = (set(), set())
    for rank, line in zip(range(8, 0, -1), board.split("/"), strict=True):
        file = 1
        for sign in line:
            if sign.isdigit():
                file += int(sign)
            else:
                stones["WB".index(sign)].add((file, rank))
                file += 1
    return Position((frozenset(stones[0]), frozenset(stones[1])), "wb".index(side), repetition)


def start(repetition: int = 3) -> Position:
    """Return the position before White's first play."""
    return read(START, repetition)


@dataclass(frozen=True)
class Position:
    """The stones of both sides, who is to play, and what stood before."""

    stones: Stones
    mover: int
    repetition: int = 3
    earlier: tuple[tuple[Stones, int], ...] = ()

    @property
    def text(self) -> str:
        """The position as the rulings write it."""
        return board_text(self.stones, self.mover)

    def plays(self) -> set[str]:
        """Return the plays open to the side to move, whether or not the game is over."""
        own = self.stones[self.mover]
        occupied = self.stones[0] | self.stones[1]
        found = set()
        for active in own:
            for centre in own - {active}:
                files, ranks = difference(centre, active)
                target = mirrored(active, centre)
                if abs(files) <= 2 and abs(ranks) <= 2 and target in SQUARES - occupied:
                    found.add(name(active) + name(target))
        if HOMES[self.mover] - occupied:
            found.add("place")
        return found

    @property
    def standings(self) -> int:
        """How often this position has stood, now and in the plies that are remembered."""
        return 1 + self.earlier.count((self.stones, self.mover))

    @property
    def result(self) -> tuple[float, float] | None:
        """The final scores of White and Black, or None before the end."""
        won_by = ((1.0, 0.0), (0.0, 1.0))
        for seat in (0, 1):
            if OBJECTIVE.issubset(self.stones[seat]):
                return won_by[seat]
        if not self.plays():
            return won_by[1 - self.mover]
        if self.repetition > 0 and self.standings >= self.repetition:
            return (0.5, 0.5)
        return None

    @property
    def over(self) -> bool:
        """Whether the game is won, lost or drawn."""
        return self.result is not None

    @property
    def scores(self) -> tuple[float, ...]:
        """The score of each seat: 1 for a win, 0.5 for a draw, 0 otherwise."""
        return self.result or (0.0, 0.0)

    @property
    def winners(self) -> tuple[int, ...]:
        """The seat that has won, if one has."""
        return tuple(seat for seat in (0, 1) if self.scores[seat] == 1.0)

    @property
    def turn(self) -> int | None:
        """The seat to play, or None when the game is over."""
        return None if self.over else self.mover

    def moves(self, seat: int | None = None) -> list[str]:
        """Return the legal plays, none when the game is over or it is not the seat's turn."""
        if self.over or seat not in (None, self.mover):
            return []
        return sorted(self.plays())

    def events(self, move: str) -> list[tuple[str, Stones]]:
        """Return the stones after each thing that the play makes happen, in order."""
        own = self.stones[self.mover]
        if move == "place":
            occupied = self.stones[0] | self.stones[1]
            placed = own | (HOMES[self.mover] - occupied)
            return [("place", with_seat(self.stones, self.mover, placed))]

        active, landed = square(move[:2]), square(move[2:])
        stones = with_seat(self.stones, self.mover, own - {active} | {landed})
        events = [("move", stones)]

        gone = suffocated(stones, landed, self.mover)
        if gone:
            stones = with_seat(stones, 1 - self.mover, stones[1 - self.mover] - gone)
            events.append(("suffocate", stones))

        turned = converted(stones, landed, self.mover)
        if turned:
            stones = with_seat(stones, 1 - self.mover, stones[1 - self.mover] - turned)
            stones = with_seat(stones, self.mover, stones[self.mover] | turned)
            events.append(("convert", stones))
        return events

    def stages(self, move: str) -> list[tuple[str, str]]:
        """Return each event of a legal play with the position text, the mover still to move."""
        self.check(move, None)
        return [(event, board_text(stones, self.mover)) for event, stones in self.events(move)]

    def play(self, move: str, seat: int | None = None, chance: None = None) -> Position:
        """Return the position after a legal play, with the opponent to move."""
        self.check(move, seat)
        if chance is not None:
            raise ValueError("nothing is left to chance in Quorum")
        _, stones = self.events(move)[-1]
        earlier = (*self.earlier, (self.stones, self.mover))[-MEMORY:]
        return replace(self, stones=stones, mover=1 - self.mover, earlier=earlier)

    def check(self, move: str, seat: int | None) -> None:
        """Raise ValueError unless the play is legal for the seat."""
        if move not in self.moves(seat):
            raise ValueError(f"{move!r} is not legal for seat {seat} in {self.text!r}")
