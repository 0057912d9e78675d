"""Helpers for commands that read game files."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from quincunx.commands.console import err
from quincunx.registry import names


def games_in(file: Path) -> list[str]:
    """Returns the names of the games in a file, without replaying their moves."""
    if not file.is_file():  # a pipe can be read only once
        return []
    text = file.read_bytes().decode("utf-8", errors="replace")
    tagged = re.findall(r'^\s*\[\s*Game\s+"(\w+)"', text, re.MULTILINE)
    return [name for name in names() if name in tagged]


def print_problems(file: Path, problems: Sequence[Exception]) -> None:
    """Prints the errors found in a file."""
    for problem in problems:
        err.print(f"{file}: {problem}", style="yellow", markup=False)
