"""The pages of the games: rules, options, texts."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console

PICTURE = re.compile(r"^!\[.*\]\(.*\)\n\n?", re.MULTILINE)


def page(name: str) -> str:
    """The page of a game, as Markdown."""
    package = Path(__file__).parent
    # In the wheel the pages lie in the package, in a checkout beside the sources.
    for folder in (package / "docs", package.parents[1] / "docs" / "games"):
        path = folder / f"{name}.md"
        if path.is_file():
            return path.read_text(encoding="utf-8")
    raise FileNotFoundError(2, "missing from the installation", f"{name}.md")


def show(name: str, console: Console) -> None:
    """Prints a game's page without its pictures: laid out on a terminal, as it is elsewhere.

    What is longer than the screen can be scrolled.
    """
    text = PICTURE.sub("", page(name))
    if not console.is_terminal:
        console.file.write(text)
        return
    from rich.markdown import Markdown

    laid_out = Markdown(text)
    if len(console.render_lines(laid_out)) < console.height or console.is_dumb_terminal:
        console.print(laid_out, soft_wrap=False)
        return
    os.environ.setdefault("LESS", "-FR")  # shows colours instead of their escapes
    with console.pager(styles=True):
        console.print(laid_out, soft_wrap=False)
