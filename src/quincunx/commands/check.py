"""The command `check`."""

from __future__ import annotations

from typing import Annotated

import typer

from quincunx.commands.arguments import GameName, Options, Seed, configured_game
from quincunx.commands.console import EXIT_FAILED, fail, out
from quincunx.commands.progress import counting_progress


def check(
    name: GameName,
    option: Options = None,
    games: Annotated[
        int,
        typer.Option("--games", "-n", min=1, metavar="NUMBER", help="Play this number of games."),
    ] = 3,
    plies: Annotated[
        int, typer.Option(min=1, metavar="NUMBER", help="Play at most this number of plies each.")
    ] = 60,
    seed: Seed = None,
) -> None:
    """Check a game that you write: play at random and report the first fault.

    The report names the function, draws the position, gives Python code that leads there, and
    says what was found and what is expected. The exit code is then 1. The default seed is 0.
    """
    game = configured_game(name, option)
    # Imported here and not above: it imports the compiler.
    from quincunx.testing import Fault, checking

    try:
        with counting_progress() as progress:
            bar = progress.add_task("", total=None)
            for subject, done, steps in checking(game, games, plies, seed or 0):
                progress.update(bar, description=f"Checking {subject}", completed=done, total=steps)
    except Fault as fault:
        out.print(str(fault), markup=False, soft_wrap=True)
        raise typer.Exit(EXIT_FAILED) from None
    except KeyboardInterrupt:
        fail("interrupted; nothing wrong was found until then")
    played = f"{games} random game{'s' * (games > 1)} of at most {plies} plies"
    out.print(f"{game.title}: no fault found in {played}.", markup=False)
