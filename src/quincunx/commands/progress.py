"""Progress bars of long commands, on stderr; without a terminal they are hidden."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from quincunx.commands.console import err, fail, fail_interrupted

if TYPE_CHECKING:
    from rich.progress import Progress, ProgressColumn

    from quincunx.solve.protocol import ProgressCallback

LINE_INTERVAL_SECONDS = 30.0  # between progress lines if there is no terminal for a bar


def counting_progress() -> Progress:
    """Returns a bar with a description, the number done of the total, and the remaining time."""
    from rich.progress import MofNCompleteColumn, TimeRemainingColumn

    return _progress(MofNCompleteColumn(), TimeRemainingColumn())


@contextmanager
def phase_progress(interrupted: str) -> Iterator[ProgressCallback]:
    """Yields a callback for work in phases that updates a bar, or without a terminal prints lines.

    On Ctrl-C, the command ends with the message `interrupted`.
    """
    from rich.progress import TextColumn, TimeElapsedColumn, TimeRemainingColumn

    columns = (
        TextColumn("{task.percentage:>3.0f} %"),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(),
        TimeElapsedColumn(),
    )
    try:
        with _progress(*columns) as progress:
            bar = progress.add_task("", total=None, rate="")
            phase, phase_start, first_done, last_printed = "", 0.0, 0, time.monotonic()

            def update(new_phase: str, done: int, total: int) -> None:
                nonlocal phase, phase_start, first_done, last_printed
                now = time.monotonic()
                if new_phase != phase:
                    phase, phase_start, first_done = new_phase, now, done
                    progress.reset(bar, description=phase, total=total, completed=done, rate="")
                rate = (done - first_done) / max(now - phase_start, 1e-3)
                progress.update(bar, completed=done, rate=f"{rate:,.0f}/s" if rate else "")
                if not err.is_terminal and now - last_printed > LINE_INTERVAL_SECONDS:
                    last_printed = now
                    err.print(f"{phase}: {done:,} of {total:,}", markup=False)

            yield update
    except KeyboardInterrupt:
        fail_interrupted(f"interrupted; {interrupted}")
    except ConnectionError as error:
        fail(f"cannot connect to the Ray cluster: {error}")


def _progress(*columns: ProgressColumn) -> Progress:
    """Returns a bar with a description before it and these columns after it."""
    from rich.progress import BarColumn, Progress, TextColumn

    return Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        *columns,
        console=err,
        transient=True,
        disable=not err.is_terminal,
    )
