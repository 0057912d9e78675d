"""The consoles of the command line, exit codes, error messages and progress of compilation."""

from __future__ import annotations

import codecs
import io
import re
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, NoReturn, TypeVar

import typer
from rich.console import Console

from quincunx.machine import cores
from quincunx.phrases import quantity

if TYPE_CHECKING:
    from quincunx.game import Game

EXIT_OK, EXIT_FAILED, EXIT_USAGE, EXIT_INTERRUPTED = 0, 1, 2, 130

# Replacements for streams whose encoding lacks these characters, so that boards stay readable.
ASCII_FALLBACKS = {"○": "O", "●": "X", "·": ".", "…": "...", "×": "x", "–": "-"}

INTERRUPT_POLL_SECONDS = 0.2
LOADING_SECONDS = 2.0  # within which compiled code is read from the cache
MIN_SUMMARY_CHARS = 20  # in a line, however narrow the terminal is

T = TypeVar("T")


def _console(stderr: bool = False) -> Console:
    """Returns a console that wraps lines only if it is a terminal."""
    console = Console(stderr=stderr, highlight=False)
    console.soft_wrap = not console.is_terminal
    return console


out = _console()
err = _console(stderr=True)


def colour_mode(console: Console) -> str:
    """Returns the `colour` argument of `draw.text` for a console: truecolor or none."""
    has_colours = console.color_system == "truecolor" and not console.no_color
    return "truecolor" if has_colours else "none"


def printable(text: str) -> str:
    """Returns the text with control characters except newlines replaced by question marks."""
    return "".join(c if c.isprintable() or c == "\n" else "?" for c in text)


def without_password(url: str) -> str:
    """Returns the URL of a database with `***` for its password, also if it is not valid."""
    return re.sub(r"(://[^/@:]*):.*@", r"\1:***@", url)


def print_games(names: Sequence[str], numbered: bool = False) -> None:
    """Prints games with their summaries; further lines of a long summary are indented."""
    from textwrap import wrap

    from rich.text import Text

    from quincunx.registry import summary

    width = max(map(len, names))
    for number, name in enumerate(names, 1):
        digits = f"{number:{len(str(len(names)))}} " if numbered else ""
        label = f"  {digits}{name:{width}} "
        text = printable(summary(name))
        chars = max(out.width - len(label), MIN_SUMMARY_CHARS)
        lines = wrap(text, chars) if out.is_terminal else [text]
        out.print(Text.assemble((label, "bold cyan"), f"\n{' ' * len(label)}".join(lines)))


def fail_usage(message: str) -> NoReturn:
    """Prints an error and exits with the code for wrong arguments."""
    print_error(message)
    raise typer.Exit(EXIT_USAGE)


def fail(message: str) -> NoReturn:
    """Prints an error and exits with the code for a command that failed."""
    print_error(message)
    raise typer.Exit(EXIT_FAILED)


def fail_interrupted(message: str) -> NoReturn:
    """Prints what Ctrl-C has stopped, and exits with its code."""
    err.print(message, markup=False)
    raise typer.Exit(EXIT_INTERRUPTED)


def print_error(message: str) -> None:
    """Prints an error message to stderr."""
    from rich.markup import escape

    err.print(f"[bold red]error:[/] {escape(message)}")


def replace_unencodable(*streams: object) -> None:
    """Makes streams replace characters that their encoding lacks, instead of raising."""

    def replacement(error: UnicodeError) -> tuple[str, int]:
        if not isinstance(error, UnicodeEncodeError):
            raise error
        missing = error.object[error.start : error.end]
        return "".join(ASCII_FALLBACKS.get(char, "?") for char in missing), error.end

    codecs.register_error("quincunx", replacement)
    for stream in streams:
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="quincunx")


def compile_game(game: Game, always: bool = False) -> None:
    """Compiles all code of a game, unless it is in the cache, and shows the progress."""
    from quincunx.registry import game as game_named
    from quincunx.warm import is_warm, warm

    if is_warm(game.name) and not always:
        return
    message = f"Compiling {game.title} (first run only, about 15 s)"
    if not err.is_terminal:
        err.print(f"{message} ...")
    with err.status(f"{message} …") as status:
        for part in warm(game_named(game.name)):
            status.update(f"{message}: {part} …")


def compile_games(names: Sequence[str]) -> None:
    """Compiles all code of several games, each in its own process, in parallel.

    Those that cannot be compiled are reported after the others. Ctrl-C ends all processes.
    """
    from concurrent.futures import ThreadPoolExecutor, as_completed

    from rich.progress import track

    processes: list[subprocess.Popen[str]] = []
    stopped = threading.Event()

    def run_warm(name: str) -> tuple[int, str]:
        command = [sys.executable, "-m", "quincunx", "warm", name]
        pipe = subprocess.PIPE
        with subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True) as process:
            processes.append(process)
            if stopped.is_set():
                process.terminate()
            _, errors = process.communicate()
        return process.returncode, errors

    failed = []
    with ThreadPoolExecutor(cores()) as executor:
        try:
            futures = {executor.submit(run_warm, name): name for name in names}
            for future in track(
                as_completed(futures),
                f"Compiling {quantity(len(names), 'game')}",
                total=len(futures),
                console=err,
                transient=True,
                disable=not err.is_terminal,
            ):
                code, errors = future.result()
                if code:
                    name, lines = futures[future], errors.strip().splitlines()
                    reason = lines[-1] if lines else "no message"
                    failed.append(f"{name} cannot be compiled: {reason}; see quincunx warm {name}")
        except KeyboardInterrupt:
            stopped.set()
            executor.shutdown(wait=False, cancel_futures=True)
            for process in processes:
                process.terminate()
            raise
    if failed:
        fail("\n".join(sorted(failed)))


@contextmanager
def compiling(names: Sequence[str]) -> Iterator[None]:
    """Shows a message if games are compiled on demand in this context, not read from the cache."""
    from quincunx.registry import title
    from quincunx.warm import is_warm

    cold = [title(name) for name in names if not is_warm(name)]
    if not cold:
        yield
        return
    message = f"Compiling the required parts of {', '.join(cold)} (first run only)"
    status = err.status(f"{message} …")
    # Parts that are in the cache are loaded sooner: then there is nothing to say.
    timer = threading.Timer(
        LOADING_SECONDS, status.start if err.is_terminal else partial(err.print, f"{message} ...")
    )
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        status.stop()


def run_interruptible(work: Callable[[], T], finish: bool = False) -> T:
    """Runs compiled code in a thread, so that Ctrl-C interrupts, and returns its result.

    With `finish`, KeyboardInterrupt is raised only after the work is done.
    """
    results: list[T] = []
    errors: list[BaseException] = []

    def run() -> None:
        try:
            results.append(work())
        except BaseException as error:
            errors.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    try:
        while thread.is_alive():
            thread.join(INTERRUPT_POLL_SECONDS)
    except KeyboardInterrupt:
        if finish:
            thread.join()
        raise
    if errors:
        raise errors[0]
    return results[0]
