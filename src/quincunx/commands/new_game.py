"""The command `new-game`, which writes the skeleton of a game."""

from __future__ import annotations

from pathlib import Path
from shlex import quote
from typing import Annotated

import typer
from rich.markup import escape

from quincunx.commands.arguments import lowercase
from quincunx.commands.console import out


def new_game(
    name: Annotated[
        str,
        typer.Argument(
            metavar="NAME",
            help="The name of the game, such as three_stones.",
            callback=lowercase,
        ),
    ],
    output: Annotated[
        Path | None,
        typer.Option(
            "--out",
            "-o",
            metavar="DIR",
            help="Write the package to this new directory. Default: NAME.",
        ),
    ] = None,
) -> None:
    """Write a package with a tiny game of your own, to change step by step."""
    from quincunx.new_game import write_skeleton

    directory = output or Path(name)
    files = write_skeleton(name, directory)
    out.print(f"[bold]{escape(str(directory))}[/] has a small game that can be played at once:\n")
    for file in files:
        out.print(f"  {file.relative_to(directory)}", markup=False, highlight=False)
    out.print("\nInstall it, play it and check it:\n")
    for command in (
        f"pip install -e {quote(str(directory))}",
        f"quincunx play {name}",
        f"quincunx check {name}",
    ):
        out.print(f"  {command}", style="cyan", markup=False, highlight=False, soft_wrap=True)
    out.print(
        "\nThen change it: the comments that begin with CHANGE say where. "
        "docs/your-own-game.md leads to a finished game."
    )
