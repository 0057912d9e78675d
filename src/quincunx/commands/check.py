"""The command `check`."""

from __future__ import annotations

from pathlib import Path
from runpy import run_path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Annotated, cast

import typer

from quincunx.commands.arguments import GameName, Options, Seed, configured_game
from quincunx.commands.console import EXIT_FAILED, fail_interrupted, out
from quincunx.commands.progress import counting_progress
from quincunx.errors import BadOption
from quincunx.phrases import quantity

if TYPE_CHECKING:
    from quincunx.testing import Naive


def check(
    name: GameName,
    option: Options = None,
    games: Annotated[
        int,
        typer.Option("--games", "-n", min=1, metavar="NUMBER", help="Play this number of games."),
    ] = 3,
    plies: Annotated[
        int, typer.Option(min=1, metavar="NUMBER", help="Check this number of plies each.")
    ] = 60,
    seed: Seed = None,
    naive: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE.py",
            exists=True,
            dir_okay=False,
            help="Compare with these rules on texts: legal(text), and maybe play and scores.",
        ),
    ] = None,
) -> None:
    """Check a game that you write: play at random and report the first fault.

    The report names the function, draws the position, gives Python code that leads there, and
    says what was found and what is expected. The exit code is then 1. The default seed is 0.
    Without --option, short games with other values of the options follow.
    """
    game = configured_game(name, option)
    # Imported here and not above: it imports the compiler.
    from quincunx.testing import Check, Fault

    checking = Check(game, games, plies, seed or 0, _module(naive) if naive else None)
    try:
        with counting_progress() as progress:
            bar = progress.add_task("", total=None)
            for subject, done, steps in checking.steps():
                progress.update(bar, description=f"Checking {subject}", completed=done, total=steps)
    except Fault as fault:
        out.print(str(fault), markup=False, soft_wrap=True)
        raise typer.Exit(EXIT_FAILED) from None
    except KeyboardInterrupt:
        fail_interrupted("interrupted; nothing wrong was found until then")
    played = quantity(games, "random game")
    out.print(f"{game.title}: no fault found in {played}.", markup=False)
    for sentence in checking.left_out():
        out.print(sentence, markup=False)


def _module(path: Path) -> Naive:
    """Returns the functions of a file as a naive implementation; raises BadOption."""
    try:
        functions = SimpleNamespace(**run_path(str(path)))
    except Exception as error:
        reason = f"cannot be run: {type(error).__name__}: {error}"
        raise BadOption("naive", path, reason) from error
    if not callable(getattr(functions, "legal", None)):
        raise BadOption("naive", path, "must have a function legal(text)")
    return cast("Naive", functions)
