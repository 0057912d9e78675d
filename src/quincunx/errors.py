"""What can go wrong, one class per cause, each saying what was wrong, where, and what is right.

Every class keeps its parts as attributes and builds its sentence from them, so that an error
can travel between processes.
"""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


class MoveSyntax(ValueError):
    """A text that is no move of the game, whatever the position."""

    def __init__(self, text: str, expected: str) -> None:
        super().__init__(text, expected)
        self.text = text
        self.expected = expected

    def __str__(self) -> str:
        return f"{shorten(self.text)} is not a move: {self.expected}"


class IllegalMove(ValueError):
    """A well-formed move that the rules forbid in this position."""

    def __init__(self, move: str, position: str, reason: str) -> None:
        super().__init__(move, position, reason)
        self.move = move
        self.position = position
        self.reason = reason

    def __str__(self) -> str:
        position = shorten(self.position)
        what = f"{shorten(self.move)} is not legal" if self.move else "nothing can be played"
        return f"{what}: {self.reason} (position: {position})"


class BadPosition(ValueError):
    """A text or bytes that are no position of the game."""

    def __init__(self, text: str, reason: str) -> None:
        super().__init__(text, reason)
        self.text = text
        self.reason = reason

    def __str__(self) -> str:
        return f"{shorten(self.text)} is not a position: {self.reason}"


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
    """A game file with something wrong on one line."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(line, reason)
        self.line = line
        self.reason = reason

    def __str__(self) -> str:
        return f"line {self.line}: {self.reason}"


class MissingTable(BadOption):
    """Onoro's table for a number of pawns is not there, and it takes too long to make it now."""

    def __init__(self, pawns: int, directory: str) -> None:
        ValueError.__init__(self, pawns, directory)
        self.name, self.value = "pawns", pawns
        self.directory = directory
        self.allowed = (
            f"there is no solved table in {directory}; "
            f"to make it: quincunx solve onoro --pawns {pawns}. "
            "With fewer pawns, such as -O pawns=5, there is nothing to wait for"
        )


class BadTable(ValueError):
    """A file that is no solved table, or a damaged one."""

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


def shorten(text: str, most: int = 120) -> str:
    """The text in quotes, unprintable characters escaped, cut in the middle when long."""
    if len(text) > most:
        text = text[: most // 2] + "…" + text[-most // 2 :]
    return repr(text)


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """A question for the nearest of the known words, and a blank; nothing if none is near."""
    near = get_close_matches(str(word)[:40].lower(), list(known), n=1)
    return f"did you mean {near[0]}? " if near else ""
