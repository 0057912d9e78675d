"""The guides of the games: rules for people, as `guide.md` in the folder of a game's package.

A guide is Markdown with a title, the headings Board, Play, End, Options and Texts, examples that
can be played (`examples`) and pictures that are drawn from positions (`pictures`).
"""

from __future__ import annotations

import re
from pathlib import Path

from quincunx.game import Game
from quincunx.options import parse_assignments
from quincunx.registry import directory
from quincunx.registry import game as game_named

NO_GUIDE = "This game has no guide."

# An image line and, on the next lines, a comment that says what the image shows.
PICTURE = re.compile(
    r"^!\[(?P<description>[^\]]*)\]\((?P<file>[^)]+)\)"
    r"(?:\n<!-- picture(?P<settings>[^:]*?):\s*(?P<boards>.*?)\s*-->)?$",
    re.MULTILINE | re.DOTALL,
)


def guide_path(name: str) -> Path | None:
    """Returns the path of a game's guide, without importing the game; None if it has none."""
    try:
        path = directory(name) / "guide.md"
    except ModuleNotFoundError:
        return None
    return path if path.is_file() else None


def guide_text(name: str) -> str | None:
    """Returns a game's guide as Markdown; None if it has none."""
    path = guide_path(name)
    # Some editors write a byte order mark; invalid bytes are replaced.
    return path.read_text(encoding="utf-8-sig", errors="replace") if path else None


def rules_text(name: str, drawing: bool = True) -> str:
    """Returns the rules of a game as Markdown without pictures.

    For a game without a guide these are its summary, its first position as text if `drawing`, and
    its options.
    """
    text = guide_text(name)
    if text is not None:
        return re.sub(rf"{PICTURE.pattern}\n*", "", text, flags=PICTURE.flags)
    game = game_named(name)
    parts = [f"# {game.title}", game.parts.rules.SUMMARY, NO_GUIDE]
    if drawing:
        parts += ["The first position:", f"```\n{game.start(seed=0)}\n```"]
    return "\n\n".join(parts) + "\n\n" + option_section(name)


def configured_game(name: str, options: str) -> Game:
    """Returns a game with options such as `size=5, swap=true`; raises BadOption."""
    return game_named(name, **parse_assignments(options.replace(",", " ").split()))


def option_section(name: str) -> str:
    """Returns a section with a table of a game's options; empty if it has none."""
    options = game_named(name).parts.rules.OPTIONS
    rows = [
        f"| `{option.name}` | {option.allowed} | {str(option.default).lower()} | "
        f"{option.description} |\n"
        for option in options
    ]
    head = "## Options\n\n| name | values | default | what it does |\n|---|---|---|---|\n"
    return head + "".join(rows) if rows else ""
