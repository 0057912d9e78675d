"""A match between people and bots on one computer: turns, undo, hints, saving.

The app and the plain prompt both use it.
"""

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
from quincunx.phrases import Phrase, seat_name
from quincunx.players import parse_player, player
from quincunx.record import Record

GAME_OVER_TEXT = "The game is over."

# Bots stop playing each other after this number of moves, since some games may never end.
MAX_BOT_MOVES = 1000


class LocalGame:
    """A match, with undo by a person's move and a file to save it to.

    With a record, the match continues it, and the record's tags and comments are preserved.
    `file` is the only existing file that `save` may overwrite: the one the match came from.
    """

    def __init__(
        self,
        match: Match,
        record: Record | None = None,
        file: Path | None = None,
        hint_player: str = "greedy",
    ) -> None:
        self.match = match
        self.file = file.resolve() if file else None
        self.human_seats = [seat for seat in range(match.game.seats) if match.is_person(seat)]
        self.hint_player = hint_player
        self._record = record
        self._choose_lock = Lock()  # a bot reuses its search tree, so it handles one call at a time

    @property
    def move_count(self) -> int:
        """The number of moves played."""
        return self.match.plies

    @property
    def is_stopped(self) -> bool:
        """True if no person plays and the bots have reached MAX_BOT_MOVES."""
        return not self.human_seats and self.move_count >= MAX_BOT_MOVES

    def bot_to_move(self) -> int | None:
        """Returns the seat of the bot to move, or None if a person moves or the game has ended."""
        state = self.match.state
        if self.is_stopped:
            return None
        if state.turn is None and not state.over and not self.human_seats:
            return state.seat_to_move(0, self.move_count)
        return self.match.bot_to_move()

    def replying_bots(self) -> list[int]:
        """Returns the bots that each move once after a person's move, where anyone may move."""
        if self.match.state.turn is not None or self.match.state.over:
            return []
        return [seat for seat in range(self.match.game.seats) if seat not in self.human_seats]

    def choose(self, seat: int) -> int:
        """Returns the action that a bot chooses; slow, and safe to call from another thread."""
        with self._choose_lock:
            return self.match.choose(seat)

    def active_seat(self) -> int:
        """Returns the seat to move; where anyone may move, the first person's seat."""
        turn = self.match.state.turn
        if turn is not None:
            return turn
        return self.human_seats[0] if self.human_seats else 0

    def seat_name(self, seat: int) -> str:
        """Returns the name of a seat in the rules, such as White."""
        return self.match.game.parts.rules.SEAT_NAMES[seat]

    def person_name(self, seat: int) -> str:
        """Returns the name in `human:NAME`, such as ada; empty for bots and unnamed people."""
        name = self.match.players[seat]
        return name.partition(":")[2].strip() if is_human(name) else ""

    def seat_label(self, seat: int) -> str:
        """Returns the seat's name and, if it has one, the person's: White or White (ada)."""
        person = self.person_name(seat)
        return f"{self.seat_name(seat)} ({person})" if person else self.seat_name(seat)

    def play_text(self, text: str) -> None:
        """Plays a move typed by a person; raises MoveSyntax, IllegalMove or BadOption.

        Where anyone may move, several people write their seat's letter first, as in `R:2,-1`.
        """
        state = self.match.state
        move, seat = state.split_seat(text, state.turn)
        if seat is None and len(self.human_seats) == 1:
            seat = self.human_seats[0]
        if seat is None and not state.over:
            letters = state.game.parts.rules.LETTERS
            known = ", ".join(f"{letters[s]} for {self.seat_label(s)}" for s in self.human_seats)
            raise MoveSyntax(text, f"a seat letter and a colon before the move: {known}")
        self.play(move, state.acting_seat(seat, text))

    def play(self, move: str, seat: int) -> None:
        """Plays a move for a person's seat; raises MoveSyntax, IllegalMove or BadOption."""
        state, reason = self.match.state, None
        if state.over:
            reason = Phrase("over")
        elif seat not in self.human_seats:
            players = self.match.players
            reason = Phrase("played_by", {"name": seat_name(seat), "player": players[seat]})
        if reason:
            raise state.game.illegal_move(move, state.position, reason)
        self.match.play(move, seat)

    def undo(self) -> bool:
        """Undoes the last move of a person and all later ones; returns False if there is none."""
        moved = [ply.seat in self.human_seats for ply in reversed(self.match.history)]
        if not any(moved):
            return False
        self.match.undo(moved.index(True) + 1)
        return True

    def redo(self) -> bool:
        """Plays the moves of the last undo again; returns False if there is none."""
        first, *later = self.match.undone or (None,)
        if first is None:
            return False
        replies = takewhile(lambda ply: ply.seat not in self.human_seats, later)
        self.match.redo(1 + len(list(replies)))
        return True

    def hint(self, seat: int) -> str:
        """Returns the move that the hint player would play for a seat."""
        state = self.match.state
        bot = player(self.hint_player, self.match.game, seed=self.match.number)
        return state.move(bot.choose(state, seat))

    def save(self, name: str = "") -> Path:
        """Writes the game to a file, by default `self.file`; raises BadOption or OSError."""
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
        """The record of the match, with the tags and comments of the record it continues."""
        record, old = self.match.record, self._record
        if old is None:
            return record
        pairs = zip(old.moves, record.moves, strict=False)
        common_moves = len(list(takewhile(lambda pair: pair[0] == pair[1], pairs)))
        comments = {i: comment for i, comment in old.comments.items() if i <= common_moves}
        return replace(record, comments=comments, tags=old.tags)


def match_from_record(record: Record, players: list[str]) -> Match:
    """Returns a match between the players in which the moves of a record have been played."""
    match = Match(record.game, players, 0 if record.seed is None else record.seed, record.start)
    for move in record.moves:
        match.play(move)
    match.date = record.date or match.date
    return match


def players_from_record(record: Record, opponent: str) -> list[str]:
    """Returns the player of each seat in a record; names that are not bots become people.

    Without names in the record, a person plays against the opponent.
    """
    if len(record.players) != record.game.seats:
        return [HUMAN] + [opponent] * (record.game.seats - 1)
    return [_player_from_name(name, record.game) for name in record.players]


def _player_from_name(name: str, game: Game) -> str:
    if name and not is_human(name):
        try:
            parse_player(name, game)
        except BadOption:
            return f"{HUMAN}:{name}"
        return name
    return HUMAN


def error_text(error: Exception) -> str:
    """Returns an error as a sentence, without the position, which the user sees anyway."""
    if isinstance(error, IllegalMove):
        return f"{error.move or 'That'} is not legal: {error.reason}."
    if isinstance(error, FileExistsError):
        return f"{error.filename} already exists; choose another file name."
    if isinstance(error, OSError):
        return f"{error.filename}: {error.strerror}."
    text = str(error)
    return text if text.endswith("?") else f"{text}."
