"""The outcome of one game of the arena: its value type, its points and its record in a file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypedDict

from quincunx.arena.schedule import Plan, pairing_at
from quincunx.record import TAG, UNFINISHED, Record, unescape

MAX_REASON_CHARS = 200


class OutcomeFields(TypedDict):
    """An outcome as workers send it."""

    number: int
    moves: list[str]
    opening: int
    result: list[float]
    turns: list[int]
    seconds: list[float]
    date: str
    forfeit: tuple[int, str] | None
    ended: str


@dataclass(frozen=True)
class Outcome:
    """A finished game: its moves as in a record, its scores, and how it ended."""

    number: int
    moves: tuple[str, ...]
    opening: int  # the number of random plies at the start
    result: tuple[float, ...]
    turns: tuple[int, ...]  # the number of choices of each seat
    seconds: tuple[float, ...]  # the thinking time of each seat
    date: str
    # The seat, and "crashed: ...", "hung: ..." or "illegal: ...".
    forfeit: tuple[int, str] | None = None
    ended: str = ""  # the reason, if not by the rules

    def as_dict(self) -> OutcomeFields:
        """Returns the outcome for JSON; `from_dict` reads it."""
        return {
            "number": self.number,
            "moves": list(self.moves),
            "opening": self.opening,
            "result": list(self.result),
            "turns": list(self.turns),
            "seconds": list(self.seconds),
            "date": self.date,
            "forfeit": self.forfeit,
            "ended": self.ended,
        }

    @classmethod
    def from_dict(cls, values: OutcomeFields) -> Outcome:
        """Returns the outcome that `as_dict` wrote."""
        forfeit = values["forfeit"]
        return cls(
            values["number"],
            tuple(values["moves"]),
            values["opening"],
            tuple(values["result"]),
            tuple(values["turns"]),
            tuple(values["seconds"]),
            values["date"],
            (forfeit[0], forfeit[1]) if forfeit else None,
            values["ended"],
        )

    @property
    def ranks(self) -> tuple[int, ...]:
        """The rank of each seat, 0 for the best; equal seats share a rank, a forfeit is last."""
        forfeiter = self.forfeit[0] if self.forfeit else -1
        keys = [(seat != forfeiter, score) for seat, score in enumerate(self.result)]
        return tuple(sum(other > own for other in keys) for own in keys)

    @property
    def points(self) -> tuple[float, ...]:
        """One point, shared by the seats with the best rank."""
        winners = self.ranks.count(0)
        return tuple(0.0 if rank else 1 / winners for rank in self.ranks)

    def record(self, plan: Plan) -> Record:
        """Returns the game as a record, with the arena's own tags."""
        pairing = pairing_at(plan, self.number)
        tags = {
            "Number": str(self.number),
            "Round": str(pairing.round),
            "Plies": str(len(self.moves)),
            "Opening": str(self.opening),
            "Turns": " ".join(map(str, self.turns)),
            "Seconds": " ".join(f"{seconds:.3f}" for seconds in self.seconds),
            "Ended": self.ended,
            "Forfeit": f"{self.forfeit[0]}: {self.forfeit[1]}" if self.forfeit else "",
        }
        return Record(
            plan.configured_game,
            self.moves,
            pairing.seed,
            tuple(plan.players[player] for player in pairing.players),
            self.result,
            self.date,
            tags={name: value for name, value in tags.items() if value},
        )

    def block(self, plan: Plan) -> str:
        """Returns the record as text for a file of many games, ending with an empty line."""
        text = self.record(plan).text
        # Without a body, the tags of the next game would be read as tags of this one.
        return text + "\n" if self.moves else f"{text.rstrip()}\n\n{UNFINISHED}\n\n"


def read_block(text: str, plan: Plan) -> Outcome | None:
    """Returns the outcome that `block` wrote; None if it is incomplete or from another plan.

    The moves are not replayed: a complete block of the arena is trusted.
    """
    head, _, body = text.partition("\n\n")
    tags = {name: unescape(value) for name, value in TAG.findall(head)}
    moves = tuple(move for move in body.split() if move != UNFINISHED)
    try:
        number, plies = int(tags["Number"]), int(tags["Plies"])
        pairing = pairing_at(plan, number)
        texts = "; ".join(plan.players[player] for player in pairing.players)
        expected = {"Game": plan.game, "Seed": str(pairing.seed), "Players": texts}
        is_complete = text.endswith("\n\n") and len(moves) == plies
        if not is_complete or any(tags.get(name) != value for name, value in expected.items()):
            return None
        seat, _, reason = tags.get("Forfeit", "").partition(": ")
        return Outcome(
            number,
            moves,
            int(tags["Opening"]),
            tuple(map(float, tags["Result"].split())),
            tuple(map(int, tags["Turns"].split())),
            tuple(map(float, tags["Seconds"].split())),
            tags["Date"],
            (int(seat), reason) if reason else None,
            tags.get("Ended", ""),
        )
    except (KeyError, ValueError):
        return None


def one_line(text: str) -> str:
    """Returns a text as one line of printable characters, shortened to MAX_REASON_CHARS."""
    line = "".join(c if c.isprintable() else "?" for c in " ".join(text.split()))
    return line[: MAX_REASON_CHARS - 1] + "…" if len(line) > MAX_REASON_CHARS else line
