"""The plain prompt: a board, a line to type in; for pipes and screen readers too."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import takewhile
from pathlib import Path

from rich.console import Console

from quincunx.draw import picture
from quincunx.errors import BadOption, IllegalMove, MoveSyntax
from quincunx.game import State
from quincunx.match import Match, is_human
from quincunx.pages import show
from quincunx.players import player
from quincunx.record import Record

with suppress(ImportError):
    import readline  # noqa: F401  (lines can then be edited and called back)

GOODBYE = "Goodbye."
OVER = "The game is over."

# Bots that play among themselves stop here, since some games need not end.
LONGEST = 1000


class Quit(Exception):
    """The person wants to stop."""


class Prompt:
    """One match, played by typing moves and a few words.

    With a record, the match goes on from it: what the record says besides moves is kept.
    `file` is the one file that may be written over, because the match came from there.
    """

    def __init__(
        self,
        match: Match,
        console: Console,
        read: Callable[[str], str] = input,
        record: Record | None = None,
        file: Path | None = None,
        hint_by: str = "greedy",
    ) -> None:
        self.match = match
        self.console = console
        self.flip = False
        self._read = read
        self._record = record
        self._file = file.resolve() if file else None
        self._hint_by = hint_by
        self._taken_back: list[int] = []  # how many plies each undo took back, for redo
        self._persons = [seat for seat in range(match.game.seats) if match.is_person(seat)]
        self._words: dict[str, Callable[[list[str]], None]] = {
            "moves": self.moves,
            "hint": self.hint,
            "undo": self.undo,
            "redo": self.redo,
            "save": self.save,
            "board": self.board,
            "text": self.text,
            "flip": self.flip_board,
            "rules": self.rules,
            "help": self.help,
            "quit": self.quit,
        }

    def run(self) -> None:
        """Plays until the person stops."""
        self._introduce()
        self.board([])
        try:
            while True:
                bot = self._bot_to_move()
                if bot is None or not self._attempt(partial(self._reply, bot)):
                    self._answer(self._read(f"{self._asked()}> "))
        except Quit:
            self._say(GOODBYE)
        except (EOFError, KeyboardInterrupt):
            self._say(f"\n{GOODBYE}")

    def _introduce(self) -> None:
        """Says who is who, and how to begin."""
        parts = []
        you = [seat for seat in self._persons if not self._own_name(seat)]
        if you and self.match.game.seats > 1:
            parts.append("you are " + " and ".join(self._seat_name(seat) for seat in you))
        for seat, name in enumerate(self.match.players):
            if seat not in you:
                parts.append(f"{self._seat_name(seat)} is {self._own_name(seat) or name}")
        if parts:
            sentence = "; ".join(parts)
            self._say(f"{sentence[0].upper()}{sentence[1:]}.")
        self._say(f"{self._example()} Type help for the words.", "dim")

    def _example(self) -> str:
        """How a move is typed, by an example."""
        if self.match.state.over:
            return OVER
        seat = self._seat()
        letter = ""
        if self.match.state.turn is None and len(self._persons) > 1:
            letter = f"{self.match.game.parts.rules.LETTERS[seat]}:"
        return f"Type a move, such as {letter}{self.match.state.moves(seat)[0]}."

    def _bot_to_move(self) -> int | None:
        """The seat of the bot that moves now; None to ask a person."""
        state = self.match.state
        if not self._persons and self._played >= LONGEST:
            return None
        if state.turn is None and not state.over and not self._persons:
            return self._played % self.match.game.seats
        return self.match.bot_to_move()

    @property
    def _played(self) -> int:
        return len(self.match.states) - 1

    def _asked(self) -> str:
        """Who is asked for a move, or what one can do when none can be made."""
        state = self.match.state
        if state.over:
            return "over: save FILE, undo or quit"
        if not self._persons:
            return f"stopped after {self._played:,} moves: save FILE or quit"
        if state.turn is None and len(self._persons) > 1:
            return "anyone"
        return self._who(self._seat())

    def _seat(self) -> int:
        """The seat to move; where anyone may move, the first person's."""
        turn = self.match.state.turn
        if turn is not None:
            return turn
        return self._persons[0] if self._persons else 0

    def _seat_name(self, seat: int) -> str:
        return self.match.game.parts.rules.SEAT_NAMES[seat]

    def _own_name(self, seat: int) -> str:
        """The name that a person gave, as in human:ada."""
        name = self.match.players[seat]
        return name.partition(":")[2].strip() if is_human(name) else ""

    def _who(self, seat: int) -> str:
        """The seat, with the name of the person on it."""
        own = self._own_name(seat)
        return f"{self._seat_name(seat)} ({own})" if own else self._seat_name(seat)

    def _answer(self, line: str) -> None:
        """Does what was typed: a word, or a move."""
        first, _, rest = line.strip().partition(" ")
        word = self._words.get(first.lower())
        if word is not None:
            self._attempt(lambda: word(_words(rest)))
        elif first:
            self._attempt(lambda: self._play(line.strip()))

    def _attempt(self, deed: Callable[[], None]) -> bool:
        """Does something; False, and a sentence, if it cannot be done. The game is never lost."""
        try:
            deed()
        except (ValueError, OSError) as error:
            self._say(_sentence(error), "red")
            if isinstance(error, MoveSyntax):
                self._say("Type help for the words, moves for the legal moves.", "dim")
            return False
        return True

    def _play(self, line: str) -> None:
        """Plays the person's move; where anyone may move, each bot then places one too."""
        state = self.match.state
        if state.over:
            self._say(OVER, "red")
            return
        seat, move = (state.turn, line) if state.turn is not None else self._of_seat(line)
        if seat not in self._persons:
            name = self.match.players[seat]
            self._say(f"{self._seat_name(seat)} is played by {name}.", "red")
            return
        after = self.match.play(move, seat)
        self._taken_back.clear()
        self._show(after)
        if after.turn is None:
            for bot in range(self.match.game.seats):
                if bot not in self._persons and not self.match.state.over:
                    self._reply(bot)

    def _of_seat(self, line: str) -> tuple[int, str]:
        """Whose move was typed where anyone may move, and the move."""
        letters = self.match.game.parts.rules.LETTERS[: self.match.game.seats]
        letter, colon, move = line.partition(":")
        if not colon and len(self._persons) == 1:
            return self._persons[0], line
        seat = letters.lower().find(letter.strip().lower()) if len(letter.strip()) == 1 else -1
        if not colon or seat < 0:
            known = ", ".join(f"{letters[s]} for {self._who(s)}" for s in self._persons)
            raise MoveSyntax(line, f"write first who places it and a colon: {known}")
        return seat, move

    def _reply(self, seat: int) -> None:
        """Lets a bot move."""
        self._show(self.match.reply(seat))

    def _show(self, state: State) -> None:
        seat, move = state.last or (0, "")
        self._say(f"{self._who(seat)}: {move}", "dim")
        self.board([])

    def _say(self, text: str, style: str | None = None) -> None:
        self.console.print(text, style=style, markup=False, highlight=False)

    def help(self, words: list[str]) -> None:
        """Says which words there are."""
        self._say(self._example())
        for word, deed in self._words.items():
            about = (deed.__doc__ or "").splitlines()[0]
            self._say(f"  {word + ' FILE' if word == 'save' else word:10} {about}", "dim")

    def board(self, words: list[str]) -> None:
        """Shows the board and whose turn it is."""
        state = self.match.state
        self.console.print()
        self.console.file.write(
            picture(state, "text", colour=colours(self.console), flip=self.flip) + "\n\n"
        )
        self._say(state.status, "bold" if state.over else None)

    def moves(self, words: list[str]) -> None:
        """Lists the legal moves."""
        if self.match.state.over:
            self._say(OVER)
            return
        moves = self.match.state.moves(self._seat())
        noun = "legal move" if len(moves) == 1 else "legal moves"
        self._say(f"{len(moves)} {noun}: {' '.join(moves)}", "dim")

    def hint(self, words: list[str]) -> None:
        """Says what a bot would play."""
        state = self.match.state
        if state.over:
            self._say(OVER)
            return
        bot = player(self._hint_by, self.match.game, seed=self.match.number)
        self._say(f"Hint: {state.move(bot.choose(state, self._seat()))}", "cyan")

    def undo(self, words: list[str]) -> None:
        """Takes back your last move, and what bots played since."""
        for plies, state in enumerate(reversed(self.match.states[1:]), 1):
            if state.last and state.last[0] in self._persons:
                self.match.undo(plies)
                self._taken_back.append(plies)
                self.board([])
                return
        self._say("There is nothing to take back.")

    def redo(self, words: list[str]) -> None:
        """Plays again what was taken back."""
        if not (self._taken_back and self.match.can_redo):
            self._say("There is nothing to play again.")
            return
        self.match.redo(self._taken_back.pop())
        self.board([])

    def save(self, words: list[str]) -> None:
        """Writes the game to a file; without FILE to the one it was saved to before."""
        if len(words) > 1:
            self._say('A file name with blanks needs quotes, as in: save "my game.qx"', "red")
            return
        if not words and self._file is None:
            self._say("save needs a file name, as in: save game.qx", "red")
            return
        path = Path(os.path.expanduser(words[0])) if words else self._file
        assert path is not None
        if path.exists() and path.resolve() != self._file:
            self._say(f"{path} exists already; name another file.", "red")
            return
        self._kept().save(path)
        self._file = path.resolve()
        self._say(f"Saved to {path}.", "green")

    def _kept(self) -> Record:
        """The record of the match, with tags and comments of the one it goes on from."""
        record, old = self.match.record, self._record
        if old is None:
            return record
        pairs = zip(old.moves, record.moves, strict=False)
        same = len(list(takewhile(lambda pair: pair[0] == pair[1], pairs)))
        comments = {i: comment for i, comment in old.comments.items() if i <= same}
        return replace(record, comments=comments, tags=old.tags)

    def text(self, words: list[str]) -> None:
        """Shows the position as text, to copy."""
        self.console.print(self.match.state.text, markup=False, highlight=False, soft_wrap=True)

    def flip_board(self, words: list[str]) -> None:
        """Turns the board around."""
        self.flip = not self.flip
        self.board([])

    def rules(self, words: list[str]) -> None:
        """Shows the rules of the game."""
        show(self.match.game.name, self.console)

    def quit(self, words: list[str]) -> None:
        """Stops playing."""
        raise Quit


def colours(console: Console) -> str:
    """The colours that a board may have on a console, in the words of `draw.text`."""
    fine = console.color_system == "truecolor" and not console.no_color
    return "truecolor" if fine else "none"


def _words(text: str) -> list[str]:
    """The words of a text, those in quotes as one; a backslash is a letter like others."""
    lexer = shlex.shlex(text, posix=True, punctuation_chars=False)
    lexer.whitespace_split, lexer.escape, lexer.commenters = True, "", ""
    try:
        return list(lexer)
    except ValueError as error:
        raise BadOption("words", text, "a quote is not closed") from error


def _sentence(error: Exception) -> str:
    """An error for the prompt: without the position, which stands above it."""
    if isinstance(error, IllegalMove):
        return f"{error.move or 'That'} is not legal: {error.reason}."
    if isinstance(error, OSError):
        return f"{error.filename}: {error.strerror}."
    return f"{error}."
