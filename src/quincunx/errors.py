"""The package's errors: one class per cause.

Each message names the wrong value, why it is wrong and what is allowed. Every class stores its
constructor arguments and builds the message from them, so that errors can be pickled.
"""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from quincunx.phrases import Phrase


class MoveSyntax(ValueError):
    """A text that is not a move of the game in any position."""

    def __init__(self, text: str, expected: str) -> None:
        super().__init__(text, expected)
        self.text = text
        self.expected = expected

    def __str__(self) -> str:
        return f"invalid move {shorten(self.text)}: expected {self.expected}"


class IllegalMove(ValueError):
    """A well-formed move that the rules forbid in this position.

    `reason` is the English text of `phrase`, if there is one. The message of the exception ends
    with the position, for programmers; `message` is the one for people, who see the board.
    """

    def __init__(self, move: str, position: str, reason: str, phrase: Phrase | None = None) -> None:
        super().__init__(move, position, reason, *([phrase] if phrase else []))
        self.move = move
        self.position = position
        self.reason = reason
        self.phrase = phrase

    @property
    def code(self) -> str:
        """The code of the reason, or "" if it is only a text."""
        return self.phrase.code if self.phrase else ""

    @property
    def message(self) -> str:
        """The move and the reason, without the position."""
        problem = f"illegal move {shorten(self.move)}" if self.move else "no move is possible"
        return f"{problem}: {self.reason}"

    def __str__(self) -> str:
        return f"{self.message} (position: {shorten(self.position)})"


class BadPosition(ValueError):
    """A text, or packed bytes, that is not a position of the game."""

    def __init__(self, text: str, reason: str) -> None:
        super().__init__(text, reason)
        self.text = text
        self.reason = reason

    def __str__(self) -> str:
        return f"invalid position {shorten(self.text)}: {self.reason}"


class SeveralPieces(ValueError):
    """A kernel has put pieces of several kinds on one cell, so the position has no text."""

    def __init__(self, cell: str) -> None:
        super().__init__(cell)
        self.cell = cell

    def __str__(self) -> str:
        return f"cell {self.cell} has pieces of several kinds"


class BadGame(ValueError):
    """A game that does not follow the contract, or cannot be registered."""

    def __init__(self, game: str, reason: str) -> None:
        super().__init__(game, reason)
        self.game = game
        self.reason = reason

    def __str__(self) -> str:
        return f"the game {self.game} cannot be used: {self.reason}"


class BadOption(ValueError):
    """An option, game or player that does not exist, or a value that is not allowed."""

    def __init__(self, name: str, value: object, allowed: str) -> None:
        super().__init__(name, value, allowed)
        self.name = name
        self.value = value
        self.allowed = allowed

    def __str__(self) -> str:
        return f"{self.name}={shorten(str(self.value))}: {self.allowed}"


class BadRecord(ValueError):
    """An error on one line of a game file."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(line, reason)
        self.line = line
        self.reason = reason

    def __str__(self) -> str:
        return f"line {self.line}: {self.reason}"


class MissingTable(BadOption):
    """The solved table for a value of an option does not exist and takes too long to build now."""

    def __init__(
        self, name: str, value: object, directory: str, command: str, on_demand: str
    ) -> None:
        ValueError.__init__(self, name, value, directory, command, on_demand)
        self.name, self.value = name, value
        self.directory = directory
        self.allowed = f"no solved table in {directory}; build it with: {command}. {on_demand}"


class BadTable(ValueError):
    """A file that is not a solved table, or that is damaged."""

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(path, reason)
        self.path = path
        self.reason = reason

    def __str__(self) -> str:
        return f"{self.path}: {self.reason}"


class MissingExtra(ImportError):
    """A part of the package whose optional dependencies are not installed."""

    def __init__(self, extra: str, purpose: str) -> None:
        super().__init__(extra, purpose)
        self.extra = extra
        self.purpose = purpose

    def __str__(self) -> str:
        return f"{self.purpose} needs an extra: pip install 'quincunx[{self.extra}]'"


def message_for_people(error: Exception) -> str:
    """Returns the message of an error without what only programmers need."""
    return error.message if isinstance(error, IllegalMove) else str(error)


def shorten(text: str, max_chars: int = 120) -> str:
    """Returns the text quoted, with unprintable characters escaped, cut in the middle if long."""
    if len(text) > max_chars:
        text = text[: max_chars // 2] + "…" + text[-max_chars // 2 :]
    return repr(text)


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Returns "did you mean X? " for the most similar known word, or "" if none is similar."""
    near = get_close_matches(str(word)[:40].lower(), list(known), n=1)
    return f"did you mean {near[0]}? " if near else ""
