"""One finished game of the arena, as a value, as points, and as a record in a file."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from quincunx.arena.schedule import Plan, pairing
from quincunx.record import TAG, UNFINISHED, Record

# A reason is told in one line of this length at most.
LONGEST_REASON = 200


@dataclass(frozen=True)
class Outcome:
    """How one game went: moves as a record writes them, scores, and what was special."""

    number: int
    moves: tuple[str, ...]
    opening: int  # so many of the moves were drawn by chance
    result: tuple[float, ...]
    turns: tuple[int, ...]  # how often each seat chose
    seconds: tuple[float, ...]  # for how long it thought in all
    date: str
    forfeit: tuple[int, str] | None = (
        None  # seat, and "crashed: ...", "hung: ..." or "illegal: ..."
    )
    ended: str = ""  # why, where not by the rules

    def as_dict(self) -> dict[str, Any]:
        """The outcome as JSON can write it; `from_dict` reads it."""
        return asdict(self)

    @classmethod
    def from_dict(cls, given: Mapping[str, Any]) -> Outcome:
        """The outcome that `as_dict` wrote."""
        lists = {name: tuple(value) for name, value in given.items() if isinstance(value, list)}
        return cls(**{**given, **lists})

    @property
    def ranks(self) -> tuple[int, ...]:
        """The place of each seat, 0 for the best; who forfeits is last, equals share a place."""
        out = self.forfeit[0] if self.forfeit else -1
        worth = [(seat != out, score) for seat, score in enumerate(self.result)]
        return tuple(sum(other > own for other in worth) for own in worth)

    @property
    def points(self) -> tuple[float, ...]:
        """One point, shared by the seats that are best."""
        best = self.ranks.count(0)
        return tuple(0.0 if rank else 1 / best for rank in self.ranks)

    def record(self, plan: Plan) -> Record:
        """The game as a record, with what the arena knows as tags."""
        game = pairing(plan, self.number)
        tags = {
            "Number": str(self.number),
            "Round": str(game.round),
            "Plies": str(len(self.moves)),
            "Opening": str(self.opening),
            "Turns": " ".join(map(str, self.turns)),
            "Seconds": " ".join(f"{seconds:.3f}" for seconds in self.seconds),
            "Ended": self.ended,
            "Forfeit": f"{self.forfeit[0]}: {self.forfeit[1]}" if self.forfeit else "",
        }
        return Record(
            plan.rules,
            self.moves,
            game.seed,
            tuple(plan.players[player] for player in game.seats),
            self.result,
            self.date,
            tags={name: value for name, value in tags.items() if value},
        )

    def block(self, plan: Plan) -> str:
        """The record as it stands in a file of many, with a blank line as the end of it."""
        text = self.record(plan).text
        # A game without moves needs a body, or the tags of the next one would be taken for its own.
        return text + "\n" if self.moves else f"{text.rstrip()}\n\n{UNFINISHED}\n\n"


def read_block(text: str, plan: Plan) -> Outcome | None:
    """The outcome that `block` wrote; None for one that is cut off or of another plan.

    The moves are not played again: what the arena wrote whole, it takes at its word.
    """
    head, _, body = text.partition("\n\n")
    tags = {name: re.sub(r"\\(.)", r"\1", value) for name, value in TAG.findall(head)}
    moves = tuple(word for word in body.split() if word != UNFINISHED)
    try:
        number, plies = int(tags["Number"]), int(tags["Plies"])
        game = pairing(plan, number)
        texts = "; ".join(plan.players[player] for player in game.seats)
        expected = {"Game": plan.game, "Seed": str(game.seed), "Players": texts}
        whole = text.endswith("\n\n") and len(moves) == plies
        if not whole or any(tags.get(name) != value for name, value in expected.items()):
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
    """A text as a record can keep it: one line, not too long, nothing unprintable."""
    words = "".join(c if c.isprintable() else "?" for c in " ".join(text.split()))
    return words[: LONGEST_REASON - 1] + "…" if len(words) > LONGEST_REASON else words
