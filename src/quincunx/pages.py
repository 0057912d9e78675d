"""The rules pages of the games."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console

IMAGE = re.compile(r"^!\[.*\]\(.*\)\n\n?", re.MULTILINE)


def page(name: str) -> str:
    """Returns the rules page of a game as Markdown; raises FileNotFoundError."""
    package = Path(__file__).parent
    # A wheel has the pages in the package, a checkout in its docs.
    for directory in (package / "docs", package.parents[1] / "docs" / "games"):
        path = directory / f"{name}.md"
        if path.is_file():
            return path.read_text(encoding="utf-8")
    raise FileNotFoundError(2, "missing from the installation", f"{name}.md")


def show(name: str, console: Console) -> None:
    """Prints the rules page of a game without its images.

    A terminal gets formatted text, in a pager if it is longer than the screen; anything else gets
    plain Markdown.
    """
    text = IMAGE.sub("", page(name))
    if not console.is_terminal:
        console.file.write(text)
        return
    from rich.markdown import Markdown

    formatted = Markdown(text)
    if len(console.render_lines(formatted)) < console.height or console.is_dumb_terminal:
        console.print(formatted, soft_wrap=False)
        return
    os.environ.setdefault("LESS", "-FR")  # shows colours instead of escape sequences
    with console.pager(styles=True):
        console.print(formatted, soft_wrap=False)
