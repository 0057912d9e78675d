"""The plain prompt: a board, a line to type in; for pipes and screen readers too."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from contextlib import suppress
from functools import partial

from rich.console import Console

from quincunx.draw import picture
from quincunx.errors import BadOption, MoveSyntax
from quincunx.pages import show
from quincunx.terminal.local_game import OVER, LocalGame, sentence

with suppress(ImportError):
    import readline  # noqa: F401  (lines can then be edited and called back)

GOODBYE = "Goodbye."


class Quit(Exception):
    """The person wants to stop."""


class PlainPrompt:
    """One match, played by typing moves and a few words."""

    def __init__(
        self, local_game: LocalGame, console: Console, read: Callable[[str], str] = input
    ) -> None:
        self.match = local_game.match
        self.console = console
        self.flip = False
        self._read = read
        self._local_game = local_game
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
                bot = self._local_game.bot_to_move()
                if bot is None or not self._attempt(partial(self._reply, bot)):
                    self._answer(self._read(f"{self._asked()}> "))
        except Quit:
            self._say(GOODBYE)
        except (EOFError, KeyboardInterrupt):
            self._say(f"\n{GOODBYE}")

    def _introduce(self) -> None:
        """Says who is who, and how to begin."""
        parts = []
        local_game = self._local_game
        you = [seat for seat in local_game.persons if not local_game.own_name(seat)]
        if you and self.match.game.seats > 1:
            parts.append("you are " + " and ".join(local_game.seat_name(seat) for seat in you))
        for seat, name in enumerate(self.match.players):
            if seat not in you:
                parts.append(f"{local_game.seat_name(seat)} is {local_game.own_name(seat) or name}")
        if parts:
            sentence = "; ".join(parts)
            self._say(f"{sentence[0].upper()}{sentence[1:]}.")
        self._say(f"{self._example()} Type help for the words.", "dim")

    def _example(self) -> str:
        """How a move is typed, by an example."""
        if self.match.state.over:
            return OVER
        seat = self._local_game.seat()
        letter = ""
        if self.match.state.turn is None and len(self._local_game.persons) > 1:
            letter = f"{self.match.game.parts.rules.LETTERS[seat]}:"
        return f"Type a move, such as {letter}{self.match.state.moves(seat)[0]}."

    def _asked(self) -> str:
        """Who is asked for a move, or what one can do when none can be made."""
        state = self.match.state
        if state.over:
            return "over: save FILE, undo or quit"
        if not self._local_game.persons:
            return f"stopped after {self._local_game.played:,} moves: save FILE or quit"
        if state.turn is None and len(self._local_game.persons) > 1:
            return "anyone"
        return self._local_game.who(self._local_game.seat())

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
            self._say(sentence(error), "red")
            if isinstance(error, MoveSyntax):
                self._say("Type help for the words, moves for the legal moves.", "dim")
            return False
        return True

    def _play(self, line: str) -> None:
        """Plays the person's move; where anyone may move, each bot then places one too."""
        if self.match.state.over:
            self._say(OVER, "red")
            return
        self._local_game.play(line)
        self._show()
        for bot in self._local_game.bots_after():
            if not self.match.state.over:
                self._reply(bot)

    def _reply(self, seat: int) -> None:
        """Lets a bot move."""
        self.match.reply(seat)
        self._show()

    def _show(self) -> None:
        seat, move = self.match.state.last or (0, "")
        self._say(f"{self._local_game.who(seat)}: {move}", "dim")
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
            picture(state, "text", colour=colour_mode(self.console), flip=self.flip) + "\n\n"
        )
        self._say(state.status, "bold" if state.over else None)

    def moves(self, words: list[str]) -> None:
        """Lists the legal moves."""
        if self.match.state.over:
            self._say(OVER)
            return
        moves = self.match.state.moves(self._local_game.seat())
        noun = "legal move" if len(moves) == 1 else "legal moves"
        self._say(f"{len(moves)} {noun}: {' '.join(moves)}", "dim")

    def hint(self, words: list[str]) -> None:
        """Says what a bot would play."""
        if self.match.state.over:
            self._say(OVER)
            return
        self._say(f"Hint: {self._local_game.hint(self._local_game.seat())}", "cyan")

    def undo(self, words: list[str]) -> None:
        """Takes back your last move, and what bots played since."""
        if self._local_game.undo():
            self.board([])
        else:
            self._say("There is nothing to take back.")

    def redo(self, words: list[str]) -> None:
        """Plays again what was taken back."""
        if self._local_game.redo():
            self.board([])
        else:
            self._say("There is nothing to play again.")

    def save(self, words: list[str]) -> None:
        """Writes the game to a file; without FILE to the one it was saved to before."""
        if len(words) > 1:
            self._say('A file name with blanks needs quotes, as in: save "my game.qx"', "red")
            return
        if not words and self._local_game.file is None:
            self._say("save needs a file name, as in: save game.qx", "red")
            return
        self._say(f"Saved to {self._local_game.save(*words)}.", "green")

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


def colour_mode(console: Console) -> str:
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
