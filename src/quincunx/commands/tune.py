"""The command `tune`: a game's evaluation learns from play."""

from __future__ import annotations

import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from quincunx.commands.arguments import (
    GameName,
    Options,
    configured,
)
from quincunx.commands.console import (
    FAILED,
    beside,
    err,
    out,
)
from quincunx.errors import BadOption

if TYPE_CHECKING:
    from quincunx.train.evaluation_weights import Tuner


TUNED_AT_ONCE = 10  # games between two looks at the keyboard
SAVED_EVERY = 20.0  # seconds


def tune(
    name: GameName,
    option: Options = None,
    games: Annotated[
        int, typer.Option("--games", "-n", min=1, help="How many games to learn from, in all.")
    ] = 10_000,
    seed: Annotated[
        int, typer.Option("--seed", "-s", help="The same games for the same seed.")
    ] = 0,
    output: Annotated[
        Path,
        typer.Option(
            "--out",
            "-o",
            metavar="DIR",
            help="Where checkpoint, weights and learning curve are kept. Give the directory of a "
            "run that was stopped to go on with it.",
        ),
    ] = Path("tune"),
    begin: Annotated[
        Path | None,
        typer.Option("--start", metavar="FILE", help="Weights to begin with; none if left out."),
    ] = None,
    rate: Annotated[
        float, typer.Option(min=0, max=10, help="How fast to learn; lower for good weights.")
    ] = 1.0,
) -> None:
    """Learn the weights of a game's evaluation from play."""
    from quincunx.game import checked_seed
    from quincunx.train.evaluation_weights import Tuner, TuningSettings

    tuner = Tuner(configured(name, option), checked_seed(seed), TuningSettings(rate=rate))
    if tuner.resume(output):
        err.print(f"{tuner.games:,} games were played before.")
        if tuner.games >= games:
            err.print(f"To learn from more: --games {2 * tuner.games}", markup=False)
    elif begin:
        tuner.start_from(_weights(begin))
    _tune(tuner, games, output)
    recent = tuner.results[-1000:, 0]
    out.print(f"Mean score of the last {len(recent):,} games: {recent.mean():,.1f}")
    out.print(f"In {output}: {', '.join(sorted(file.name for file in output.iterdir()))}")


def _weights(file: Path) -> Any:
    """The numbers of a file that numpy wrote; BadOption if it is none."""
    import numpy as np

    try:
        return np.load(file, allow_pickle=False)
    except (ValueError, EOFError) as error:
        raise BadOption("start", str(file), "is no file of weights, as tune writes them") from error


def _tune(tuner: Tuner, games: int, output: Path) -> None:
    """Learns with a progress bar that has the running mean score beside it, and saves."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    saved = time.monotonic()
    with Progress(
        "{task.description}",
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=err,
        transient=True,
        disable=not err.is_terminal,
    ) as progress:
        bar = progress.add_task("compiling", total=games, completed=tuner.games)
        try:
            while tuner.games < games:
                few = min(TUNED_AT_ONCE, games - tuner.games)
                beside(partial(tuner.play, few), to_its_end=True)
                mean = tuner.results[-1000:, 0].mean()
                progress.update(bar, completed=tuner.games, description=f"mean score {mean:,.1f}")
                if time.monotonic() - saved > SAVED_EVERY:
                    tuner.save(output)
                    saved = time.monotonic()
        except KeyboardInterrupt:
            err.print(f"stopped; to go on: the same command with --out {output}", markup=False)
            raise typer.Exit(FAILED) from None
        finally:
            tuner.save(output)
