"""What can go wrong, one class per cause, each saying what was wrong, where, and what is right."""

from __future__ import annotations


class MoveSyntax(ValueError):
    """A text that is no move of the game, whatever the position."""

    def __init__(self, text: str, expected: str) -> None:
        super().__init__(f"{shorten(text)} is not a move: {expected}")
        self.text = text
        self.expected = expected


class IllegalMove(ValueError):
    """A well-formed move that the rules forbid in this position."""

    def __init__(self, move: str, position: str, reason: str) -> None:
        super().__init__(f"{shorten(move)} is not legal: {reason} (position: {shorten(position)})")
        self.move = move
        self.position = position
        self.reason = reason


class BadPosition(ValueError):
    """A text or bytes that are no position of the game."""

    def __init__(self, text: str, reason: str) -> None:
        super().__init__(f"{shorten(text)} is not a position: {reason}")
        self.text = text
        self.reason = reason


class BadOption(ValueError):
    """An option, game or player that does not exist, or a value that is not allowed."""

    def __init__(self, name: str, value: object, allowed: str) -> None:
        super().__init__(f"{name}={shorten(str(value))}: {allowed}")
        self.name = name
        self.value = value
        self.allowed = allowed


class BadRecord(ValueError):
    """A game file with something wrong on one line."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(f"line {line}: {reason}")
        self.line = line
        self.reason = reason


class MissingExtra(ImportError):
    """A part of the package whose optional dependencies are not installed."""

    def __init__(self, extra: str, purpose: str) -> None:
        super().__init__(f"{purpose} needs an extra: pip install 'quincunx[{extra}]'")
        self.extra = extra


def shorten(text: str, most: int = 120) -> str:
    """The text in quotes, unprintable characters escaped, cut in the middle when long."""
    if len(text) > most:
        text = text[: most // 2] + "…" + text[-most // 2 :]
    return repr(text)
