"""The plain prompt: a board, a line to type in; for pipes and screen readers too."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from pathlib import Path

from rich.console import Console

from quincunx.draw import picture
from quincunx.errors import BadOption, IllegalMove, MoveSyntax
from quincunx.game import State
from quincunx.match import Match
from quincunx.players import player

GOODBYE = "Goodbye."


class Quit(Exception):
    """The person wants to stop."""


class Prompt:
    """One match, played by typing moves and a few words."""

    def __init__(self, match: Match, console: Console, hint_by: str = "greedy") -> None:
        self.match = match
        self.console = console
        self.flip = False
        self._hint_by = hint_by
        self._words: dict[str, Callable[[list[str]], None]] = {
            "help": self.help,
            "moves": self.moves,
            "hint": self.hint,
            "undo": self.undo,
            "redo": self.redo,
            "save": self.save,
            "board": self.board,
            "text": self.text,
            "flip": self.flip_board,
            "quit": self.quit,
        }

    def run(self) -> None:
        """Plays until the game is over or the person stops."""
        self.help([])
        self.board([])
        try:
            while not self.match.state.over:
                if self.match.bot_to_move() is not None:
                    self._show(self.match.reply())
                else:
                    self._answer(self._ask())
        except (Quit, EOFError, KeyboardInterrupt):
            self._say(GOODBYE)
            return
        self._say(self.match.state.status, "bold")
        self._after()

    def _after(self) -> None:
        """Lets the person save or take back once the game is over."""
        try:
            while self.match.state.over:
                self._answer(self.console.input("[dim]over: save FILE, undo or quit>[/] "))
        except (Quit, EOFError, KeyboardInterrupt):
            self._say(GOODBYE)
            return
        self.run()

    def _ask(self) -> str:
        state = self.match.state
        names = self.match.game.parts.rules.SEAT_NAMES
        who = "anyone" if state.turn is None else names[state.turn]
        return self.console.input(f"[bold]{who}>[/] ")

    def _answer(self, line: str) -> None:
        """Does what was typed: a word, or a move."""
        try:
            words = shlex.split(line)
        except ValueError:
            words = line.split()
        if not words:
            return
        try:
            if words[0].lower() in self._words:
                self._words[words[0].lower()](words[1:])
            else:
                self._play(line)
        except (MoveSyntax, IllegalMove, BadOption) as error:
            self._say(_sentence(error), "red")
            if isinstance(error, MoveSyntax):
                self._say("Type help for the words, moves for the legal moves.", "dim")

    def _play(self, line: str) -> None:
        """Plays the person's move; where anyone may move, each bot then places one too."""
        state = self.match.state
        seat = None
        if state.turn is None and ":" not in line:
            seat = next(s for s in range(self.match.game.seats) if self.match.is_person(s))
        self._show(self.match.play(line, seat))
        if self.match.state.turn is None:
            for bot in range(self.match.game.seats):
                if not self.match.is_person(bot) and not self.match.state.over:
                    self._show(self.match.reply(bot))

    def _show(self, state: State) -> None:
        seat, move = state.last or (0, "")
        self._say(f"{self.match.game.parts.rules.SEAT_NAMES[seat]}: {move}", "dim")
        self.board([])

    def _say(self, text: str, style: str | None = None) -> None:
        self.console.print(text, style=style, markup=False, highlight=False)

    def help(self, words: list[str]) -> None:
        """Says which words there are."""
        example = self.match.state.moves()[:1]
        self._say(f"Type a move (such as {example[0] if example else 'none'}) or a word:", "dim")
        self._say("moves  hint  undo  redo  save FILE  board  text  flip  help  quit\n", "dim")

    def board(self, words: list[str]) -> None:
        """Shows the board and whose turn it is."""
        colour = "truecolor" if self.console.color_system else "none"
        self.console.print()
        self.console.file.write(picture(self.match.state, "text", colour=colour, flip=self.flip))
        self.console.file.write("\n\n")
        self._say(self.match.state.status)

    def moves(self, words: list[str]) -> None:
        """Lists the legal moves."""
        moves = self.match.state.moves()
        self._say(f"{len(moves)} legal moves: {' '.join(moves)}", "dim")

    def hint(self, words: list[str]) -> None:
        """Says what a bot would play."""
        state = self.match.state
        seat = state.acting(None if state.turn is not None else 0)
        bot = player(self._hint_by, self.match.game, seed=self.match.number)
        self._say(f"Hint: {state.move(bot.choose(state, seat))}", "cyan")

    def undo(self, words: list[str]) -> None:
        """Takes back to the last position in which a person was to move."""
        self.match.undo()
        while self.match.bot_to_move() is not None and len(self.match.states) > 1:
            self.match.undo()
        self.board([])

    def redo(self, words: list[str]) -> None:
        """Plays again what was taken back."""
        self.match.redo()
        while self.match.bot_to_move() is not None and self.match.can_redo:
            self.match.redo()
        self.board([])

    def save(self, words: list[str]) -> None:
        """Writes the game to a file."""
        if len(words) != 1:
            raise BadOption("save", " ".join(words), "say one file, as in: save game.qx")
        path = Path(words[0]).expanduser()
        if path.exists():
            raise BadOption("save", words[0], "this file exists already; name another")
        try:
            self.match.record.save(path)
        except OSError as error:
            raise BadOption("save", words[0], error.strerror or "cannot be written") from error
        self._say(f"Saved to {path}.", "green")

    def text(self, words: list[str]) -> None:
        """Shows the position as text, to copy."""
        self._say(self.match.state.text)

    def flip_board(self, words: list[str]) -> None:
        """Turns the board around."""
        self.flip = not self.flip
        self.board([])

    def quit(self, words: list[str]) -> None:
        """Stops playing."""
        raise Quit


def _sentence(error: ValueError) -> str:
    """An error for the prompt: without the position, which stands above it."""
    if isinstance(error, IllegalMove):
        return f"{error.move or 'That'} is not legal: {error.reason}."
    return f"{error}."
