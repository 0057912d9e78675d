"""The command `tune`, which trains the evaluation weights of a game."""

from __future__ import annotations

import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from quincunx.commands.arguments import (
    GameName,
    Options,
    configured_game,
)
from quincunx.commands.console import (
    err,
    fail_interrupted,
    out,
    run_interruptible,
)
from quincunx.commands.progress import counting_progress
from quincunx.errors import BadOption
from quincunx.phrases import quantity

if TYPE_CHECKING:
    from quincunx.train.evaluation_weights import Tuner, Weights


GAMES_PER_BATCH = 10  # between checks for Ctrl-C
SAVE_INTERVAL_SECONDS = 20.0


def tune(
    name: GameName,
    option: Options = None,
    games: Annotated[
        int,
        typer.Option(
            "--games", "-n", min=1, help="Learn from this total number of games.", metavar="NUMBER"
        ),
    ] = 10_000,
    seed: Annotated[
        int,
        typer.Option(
            "--seed",
            "-s",
            metavar="NUMBER",
            help="Set the seed of the random generator. The same seed gives the same games.",
        ),
    ] = 0,
    output: Annotated[
        Path,
        typer.Option(
            "--out",
            "-o",
            metavar="DIR",
            help="Write the checkpoint, the weights and the learning curve to this directory. The "
            "directory of an interrupted run resumes that run.",
        ),
    ] = Path("tune"),
    initial_weights: Annotated[
        Path | None,
        typer.Option("--start", metavar="FILE", help="Start from these weights. Default: zeros."),
    ] = None,
    rate: Annotated[
        float,
        typer.Option(
            min=0, max=10, help="Use this learning rate; lower for good weights.", metavar="NUMBER"
        ),
    ] = 1.0,
) -> None:
    """Train the weights of a game's evaluation by playing games."""
    from quincunx.game import checked_seed
    from quincunx.train.evaluation_weights import Tuner, TuningSettings

    tuner = Tuner(configured_game(name, option), checked_seed(seed), TuningSettings(rate=rate))
    if tuner.resume(output):
        err.print(f"{quantity(tuner.games, 'game')} played before.")
        if tuner.games >= games:
            err.print(f"To continue, use --games {2 * tuner.games}", markup=False)
    elif initial_weights:
        tuner.start_from(_load_weights(initial_weights))
    _tune(tuner, games, output)
    recent = tuner.results[-1000:, 0]
    out.print(f"Mean score of the last {quantity(len(recent), 'game')}: {recent.mean():,.1f}")
    out.print(f"Files in {output}: {', '.join(sorted(file.name for file in output.iterdir()))}")


def _load_weights(file: Path) -> Weights:
    """Returns the array of a .npy file; raises BadOption if it is not one."""
    import numpy as np

    try:
        weights: Weights = np.load(file, allow_pickle=False)
    except (ValueError, EOFError) as error:
        raise BadOption(
            "start", str(file), "not a weights file (.npy, as written by tune)"
        ) from error
    return weights


def _tune(tuner: Tuner, games: int, output: Path) -> None:
    """Trains with a progress bar that shows the running mean score, and saves the results."""
    saved = time.monotonic()
    with counting_progress() as progress:
        bar = progress.add_task("Compiling", total=games, completed=tuner.games)
        try:
            while tuner.games < games:
                batch = min(GAMES_PER_BATCH, games - tuner.games)
                run_interruptible(partial(tuner.play, batch), finish=True)
                mean = tuner.results[-1000:, 0].mean()
                progress.update(bar, completed=tuner.games, description=f"Mean score {mean:,.1f}")
                if time.monotonic() - saved > SAVE_INTERVAL_SECONDS:
                    tuner.save(output)
                    saved = time.monotonic()
        except KeyboardInterrupt:
            fail_interrupted(f"interrupted; to resume, run the same command with --out {output}")
        finally:
            tuner.save(output)
