"""The rules page of a game on a console."""

from __future__ import annotations

import os

from rich.console import Console

from quincunx.pages import IMAGE, page


def print_rules(name: str, console: Console) -> None:
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
