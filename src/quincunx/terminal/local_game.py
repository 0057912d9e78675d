"""People and bots at one match: who is asked, taking back, keeping the game; for every terminal."""

from __future__ import annotations

import errno
import os
from dataclasses import replace
from itertools import takewhile
from pathlib import Path
from threading import Lock

from quincunx.errors import BadOption, IllegalMove, MoveSyntax
from quincunx.game import Game
from quincunx.match import HUMAN, Match, is_human
from quincunx.players import parse_player, player
from quincunx.record import Record

OVER = "The game is over."

# Bots that play among themselves stop here, since some games need not end.
LONGEST = 1000


class LocalGame:
    """One match, and who sits at it.

    With a record, the match goes on from it: what the record says besides moves is kept.
    `file` is the one file that may be written over, because the match came from there.
    """

    def __init__(
        self,
        match: Match,
        record: Record | None = None,
        file: Path | None = None,
        hint_by: str = "greedy",
    ) -> None:
        self.match = match
        self.file = file.resolve() if file else None
        self.persons = [seat for seat in range(match.game.seats) if match.is_person(seat)]
        self.hint_by = hint_by
        self._record = record
        self._thinking = Lock()  # bots remember: each thinks of one position at a time
        self._taken_back: list[int] = []  # how many plies each undo took back, for redo

    @property
    def played(self) -> int:
        """How many moves were played."""
        return len(self.match.states) - 1

    @property
    def stopped(self) -> bool:
        """True when bots have played long enough among themselves."""
        return not self.persons and self.played >= LONGEST

    def bot_to_move(self) -> int | None:
        """The seat of the bot that moves now; None to ask a person."""
        state = self.match.state
        if self.stopped:
            return None
        if state.turn is None and not state.over and not self.persons:
            return state.seat_to_move(0, self.played)
        return self.match.bot_to_move()

    def bots_after(self) -> list[int]:
        """The bots that place one too after a person did, where anyone may move."""
        if self.match.state.turn is not None or self.match.state.over:
            return []
        return [seat for seat in range(self.match.game.seats) if seat not in self.persons]

    def choose(self, seat: int) -> int:
        """What a bot would play now; it may take long, and may run in a thread of its own."""
        with self._thinking:
            return self.match.choose(seat)

    def seat(self) -> int:
        """The seat to move; where anyone may move, the first person's."""
        turn = self.match.state.turn
        if turn is not None:
            return turn
        return self.persons[0] if self.persons else 0

    def seat_name(self, seat: int) -> str:
        """What the rules call a seat."""
        return self.match.game.parts.rules.SEAT_NAMES[seat]

    def own_name(self, seat: int) -> str:
        """The name that a person gave, as in human:ada."""
        name = self.match.players[seat]
        return name.partition(":")[2].strip() if is_human(name) else ""

    def who(self, seat: int) -> str:
        """The seat, with the name of the person on it."""
        own = self.own_name(seat)
        return f"{self.seat_name(seat)} ({own})" if own else self.seat_name(seat)

    def play(self, line: str) -> None:
        """Plays a person's move as it was typed; MoveSyntax, IllegalMove or BadOption."""
        state = self.match.state
        seat, move = (state.turn, line) if state.turn is not None else self._of_seat(line)
        self.place(move, seat)

    def place(self, move: str, seat: int) -> None:
        """Plays a move for a person's seat; MoveSyntax, IllegalMove or BadOption."""
        if self.match.state.over:
            raise IllegalMove(move, self.match.state.text, "the game is over")
        if seat not in self.persons:
            taken = f"{self.seat_name(seat)} is played by {self.match.players[seat]}"
            raise IllegalMove(move, self.match.state.text, taken)
        self.match.play(move, seat)
        self._taken_back.clear()

    def _of_seat(self, line: str) -> tuple[int, str]:
        """Whose move was typed where anyone may move, and the move."""
        letters = self.match.game.parts.rules.LETTERS[: self.match.game.seats]
        letter, colon, move = line.partition(":")
        if not colon and len(self.persons) == 1:
            return self.persons[0], line
        seat = letters.lower().find(letter.strip().lower()) if len(letter.strip()) == 1 else -1
        if not colon or seat < 0:
            known = ", ".join(f"{letters[s]} for {self.who(s)}" for s in self.persons)
            raise MoveSyntax(line, f"write first who places it and a colon: {known}")
        return seat, move

    def undo(self) -> bool:
        """Takes back a person's last move and what bots played since; False if there is none."""
        for plies, state in enumerate(reversed(self.match.states[1:]), 1):
            if state.last and state.last[0] in self.persons:
                self.match.undo(plies)
                self._taken_back.append(plies)
                return True
        return False

    def redo(self) -> bool:
        """Plays again what was taken back; False if there is nothing."""
        if not (self._taken_back and self.match.can_redo):
            return False
        self.match.redo(self._taken_back.pop())
        return True

    def hint(self, seat: int) -> str:
        """What a bot would play for a seat."""
        state = self.match.state
        bot = player(self.hint_by, self.match.game, seed=self.match.number)
        return state.move(bot.choose(state, seat))

    def save(self, name: str = "") -> Path:
        """Writes the game to a file, or to the one it was saved to before; BadOption, OSError."""
        path = Path(os.path.expanduser(name)) if name else self.file
        if path is None:
            raise BadOption("file", "", "save needs a file name, such as game.qx")
        if path.exists() and path.resolve() != self.file:
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(path))
        self.record.save(path)
        self.file = path.resolve()
        return path

    @property
    def record(self) -> Record:
        """The record of the match, with tags and comments of the one it goes on from."""
        record, old = self.match.record, self._record
        if old is None:
            return record
        pairs = zip(old.moves, record.moves, strict=False)
        same = len(list(takewhile(lambda pair: pair[0] == pair[1], pairs)))
        comments = {i: comment for i, comment in old.comments.items() if i <= same}
        return replace(record, comments=comments, tags=old.tags)


def resumed(record: Record, seats: list[str]) -> Match:
    """A match in which the moves of a record have been played, with these players."""
    match = Match(record.game, seats, 0 if record.seed is None else record.seed, record.start)
    for move in record.moves:
        match.play(move)
    match.date = record.date or match.date
    return match


def seats_of(record: Record, against: str) -> list[str]:
    """Who sat where in a record; what names no bot is a person. Without names: you and bots."""
    if len(record.players) != record.game.seats:
        return [HUMAN] + [against] * (record.game.seats - 1)
    return [_seated(name, record.game) for name in record.players]


def _seated(name: str, game: Game) -> str:
    """The player of a record's name."""
    if name and not is_human(name):
        try:
            parse_player(name, game)
        except BadOption:
            return f"{HUMAN}:{name}"
        return name
    return HUMAN


def sentence(error: Exception) -> str:
    """An error for a person who sees the position: without it, as a sentence."""
    if isinstance(error, IllegalMove):
        return f"{error.move or 'That'} is not legal: {error.reason}."
    if isinstance(error, FileExistsError):
        return f"{error.filename} exists already; name another file."
    if isinstance(error, OSError):
        return f"{error.filename}: {error.strerror}."
    return f"{error}."
