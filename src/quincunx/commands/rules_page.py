"""The rules of a game on a console."""

from __future__ import annotations

import os

from rich.console import Console

from quincunx.commands.console import compiling
from quincunx.guide import guide_path, rules_text


def print_rules(name: str, console: Console) -> None:
    """Prints the guide of a game without its pictures, or what is known of a game without guide.

    A terminal gets formatted text, in a pager if it is longer than the screen; anything else gets
    plain Markdown.
    """
    # Without a guide the first position is drawn, which needs the compiled rules.
    with compiling([] if guide_path(name) else [name]):
        text = rules_text(name)
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
