"""Game files that commands read: what is in them, and what is wrong with them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from quincunx.commands.console import err
from quincunx.registry import GAMES


def games_in(file: Path) -> list[str]:
    """The names of the games in a file, found without playing them."""
    if not file.is_file():  # what comes through a pipe can be read once only
        return []
    text = file.read_bytes().decode("utf-8", errors="replace")
    named = re.findall(r'^\s*\[\s*Game\s+"(\w+)"', text, re.MULTILINE)
    return [name for name in GAMES if name in named]


def complain(file: Path, problems: Sequence[Exception]) -> None:
    """Prints what was wrong with a file."""
    for problem in problems:
        err.print(f"{file}: {problem}", style="yellow", markup=False)
