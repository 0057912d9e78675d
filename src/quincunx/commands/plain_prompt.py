"""The plain prompt: prints the board and reads typed moves; for pipes and screen readers."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable
from contextlib import suppress
from functools import partial

from rich.console import Console

from quincunx.commands.console import colour_mode
from quincunx.commands.rules_page import print_rules
from quincunx.draw import picture
from quincunx.errors import BadOption, MoveSyntax
from quincunx.match import move_in_record
from quincunx.phrases import quantity
from quincunx.terminal.local_game import GAME_OVER_TEXT, LocalGame, error_text

with suppress(ImportError):
    import readline  # noqa: F401  (gives `input` line editing and history)

GOODBYE = "Goodbye."


class Quit(Exception):
    """Raised by the command `quit`."""


def _by_numbers(move: str) -> list[str | int]:
    """Returns the key that sorts a2 before a10: texts and numbers alternate."""
    return [int(part) if part.isdecimal() else part for part in re.split(r"([0-9]+)", move)]


class PlainPrompt:
    """A game played by typing moves and commands."""

    def __init__(
        self, local_game: LocalGame, console: Console, read: Callable[[str], str] = input
    ) -> None:
        self.match = local_game.match
        self.console = console
        self.flip = False
        self._read = read
        self._local_game = local_game
        # The command `help` prints the first lines of the docstrings.
        self._commands: dict[str, Callable[[list[str]], None]] = {
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
        """Plays until the user quits."""
        self._introduce()
        self.board([])
        try:
            while True:
                bot = self._local_game.bot_to_move()
                if bot is None or not self._attempt(partial(self._play_bot, bot)):
                    self._handle_line(self._read(f"{self._prompt()}> "))
        except Quit:
            self._print(GOODBYE)
        except EOFError:
            self._print(f"\n{GOODBYE}")
        except KeyboardInterrupt:
            self._print(f"\n{GOODBYE}")
            raise

    def _introduce(self) -> None:
        """Prints who plays which seat, and how to type a move."""
        parts = []
        local_game = self._local_game
        own_seats = [seat for seat in local_game.human_seats if not local_game.person_name(seat)]
        if own_seats and self.match.game.seats > 1:
            names = [local_game.seat_name(seat) for seat in own_seats]
            parts.append("you are " + " and ".join(names))
        for seat, player in enumerate(self.match.players):
            if seat not in own_seats:
                name = local_game.person_name(seat) or player
                parts.append(f"{local_game.seat_name(seat)} is {name}")
        if parts:
            sentence = "; ".join(parts)
            self._print(f"{sentence[0].upper()}{sentence[1:]}.")
        self._print(f"{self._example()} Type help for a list of commands.", "dim")

    def _example(self) -> str:
        """Returns an example of a move to type."""
        if self.match.state.over:
            return GAME_OVER_TEXT
        seat = self._local_game.active_seat()
        move = self.match.state.moves(seat)[0]
        if len(self._local_game.human_seats) > 1:
            move = move_in_record(self.match.state, seat, move)
        return f"Type a move, such as {move}."

    def _prompt(self) -> str:
        """Returns the seat to move, or what the user can do if no move is possible."""
        state = self.match.state
        if state.over:
            return "game over: save FILE, undo or quit"
        if not self._local_game.human_seats:
            return (
                f"stopped after {quantity(self._local_game.move_count, 'move')}: save FILE or quit"
            )
        if state.turn is None and len(self._local_game.human_seats) > 1:
            return "any player"
        return self._local_game.seat_label(self._local_game.active_seat())

    def _handle_line(self, line: str) -> None:
        """Runs the command or plays the move on a line."""
        name, _, rest = line.strip().partition(" ")
        command = self._commands.get(name.lower())
        if command is not None:
            self._attempt(lambda: command(_split_arguments(rest)))
        elif name:
            self._attempt(lambda: self._play(line.strip()))

    def _attempt(self, action: Callable[[], None]) -> bool:
        """Calls `action`; on an error, prints it and returns False, so that the game goes on."""
        try:
            action()
        except (ValueError, OSError) as error:
            self._print(error_text(error), "red")
            if isinstance(error, MoveSyntax):
                self._print("Type help for a list of commands, moves for the legal moves.", "dim")
            return False
        return True

    def _play(self, text: str) -> None:
        """Plays the user's move; where anyone may move, each bot then moves once."""
        if self.match.state.over:
            self._print(GAME_OVER_TEXT, "red")
            return
        self._local_game.play_text(text)
        self._print_last_move()
        for bot in self._local_game.replying_bots():
            if not self.match.state.over:
                self._play_bot(bot)

    def _play_bot(self, seat: int) -> None:
        self.match.reply(seat)
        self._print_last_move()

    def _print_last_move(self) -> None:
        seat, move = self.match.state.last or (0, "")
        self._print(f"{self._local_game.seat_label(seat)}: {move}", "dim")
        self.board([])

    def _print(self, text: str, style: str | None = None) -> None:
        self.console.print(text, style=style, markup=False, highlight=False)

    def help(self, arguments: list[str]) -> None:
        """Lists the commands."""
        self._print(self._example())
        for name, command in self._commands.items():
            description = (command.__doc__ or "").splitlines()[0]
            self._print(f"  {name + ' FILE' if name == 'save' else name:10} {description}", "dim")

    def board(self, arguments: list[str]) -> None:
        """Shows the board and whose turn it is."""
        state = self.match.state
        self.console.print()
        self.console.file.write(
            picture(state, "text", colour=colour_mode(self.console), flip=self.flip) + "\n\n"
        )
        self._print(state.status, "bold" if state.over else None)

    def moves(self, arguments: list[str]) -> None:
        """Lists the legal moves."""
        if self.match.state.over:
            self._print(GAME_OVER_TEXT)
            return
        moves = sorted(self.match.state.moves(self._local_game.active_seat()), key=_by_numbers)
        noun = "legal move" if len(moves) == 1 else "legal moves"
        self._print(f"{len(moves)} {noun}: {' '.join(moves)}", "dim")

    def hint(self, arguments: list[str]) -> None:
        """Shows the move that a bot would play."""
        if self.match.state.over:
            self._print(GAME_OVER_TEXT)
            return
        self._print(f"Hint: {self._local_game.hint(self._local_game.active_seat())}", "cyan")

    def undo(self, arguments: list[str]) -> None:
        """Undoes your last move and the replies of the bots."""
        if self._local_game.undo():
            self.board([])
        else:
            self._print("Nothing to undo.")

    def redo(self, arguments: list[str]) -> None:
        """Plays the undone moves again."""
        if self._local_game.redo():
            self.board([])
        else:
            self._print("Nothing to redo.")

    def save(self, arguments: list[str]) -> None:
        """Saves the game to a file, by default to the last one."""
        if len(arguments) > 1:
            self._print('A file name with spaces needs quotes, as in: save "my game.qx"', "red")
            return
        if not arguments and self._local_game.file is None:
            self._print("save needs a file name, as in: save game.qx", "red")
            return
        self._print(f"Saved to {self._local_game.save(*arguments)}.", "green")

    def text(self, arguments: list[str]) -> None:
        """Prints the text of the position, to copy."""
        self.console.print(self.match.state.text, markup=False, highlight=False, soft_wrap=True)

    def flip_board(self, arguments: list[str]) -> None:
        """Turns the board around."""
        self.flip = not self.flip
        self.board([])

    def rules(self, arguments: list[str]) -> None:
        """Shows the rules of the game."""
        print_rules(self.match.game.name, self.console)

    def quit(self, arguments: list[str]) -> None:
        """Quits the game."""
        raise Quit


def _split_arguments(text: str) -> list[str]:
    """Splits a text at spaces outside quotes; backslashes, as in Windows paths, are literal."""
    lexer = shlex.shlex(text, posix=True, punctuation_chars=False)
    lexer.whitespace_split, lexer.escape, lexer.commenters = True, "", ""
    try:
        return list(lexer)
    except ValueError as error:
        raise BadOption("arguments", text, "a quotation mark is not closed") from error
