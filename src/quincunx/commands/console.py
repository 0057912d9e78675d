"""The two consoles and what is said on them besides results: errors, and that one must wait."""

from __future__ import annotations

import codecs
import io
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, NoReturn, TypeVar

import typer
from rich.console import Console

from quincunx.machine import cores

if TYPE_CHECKING:
    from quincunx.game import Game

FINE, FAILED, MISUSE = 0, 1, 2

# For terminals that know no other letters: a board can still be read.
PLAIN_LETTERS = {"○": "O", "●": "X", "·": ".", "…": "...", "×": "x", "–": "-"}

T = TypeVar("T")


def _console(stderr: bool = False) -> Console:
    """A console that wraps sentences at words on a terminal, and nowhere else."""
    console = Console(stderr=stderr, highlight=False)
    console.soft_wrap = not console.is_terminal
    return console


out = _console()
err = _console(stderr=True)


def harmless(text: str) -> str:
    """The text without what would disturb a terminal."""
    return "".join(c if c.isprintable() or c == "\n" else "?" for c in text)


def misuse(message: str) -> NoReturn:
    """Ends the command: it was called in a wrong way."""
    print_error(message)
    raise typer.Exit(MISUSE)


def fail(message: str) -> NoReturn:
    """Ends the command: it was called in the right way and could not be done."""
    print_error(message)
    raise typer.Exit(FAILED)


def print_error(message: str) -> None:
    """Prints what went wrong."""
    from rich.markup import escape

    err.print(f"[bold red]error:[/] {escape(message)}")


def spell_out(*streams: object) -> None:
    """Lets streams write letters that their encoding lacks as others, instead of failing."""

    def spelled(error: UnicodeError) -> tuple[str, int]:
        if not isinstance(error, UnicodeEncodeError):
            raise error
        missing = error.object[error.start : error.end]
        return "".join(PLAIN_LETTERS.get(letter, "?") for letter in missing), error.end

    codecs.register_error("quincunx", spelled)
    for stream in streams:
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="quincunx")


def compile_whole(game: Game, always: bool = False) -> None:
    """Compiles a game whole if it is not compiled yet, with a line that says so."""
    from quincunx.jit import is_warm, warm
    from quincunx.registry import game as game_named

    if is_warm(game.name) and not always:
        return
    message = f"Compiling {game.title}, once (about 15 s)"
    if not err.is_terminal:
        err.print(f"{message} ...")
    with err.status(f"{message} …") as status:
        for part in warm(game_named(game.name)):
            status.update(f"{message}: {part} …")


def compile_all(names: Sequence[str]) -> None:
    """Compiles several games whole, each in a process of its own, as many at once as cores."""
    from concurrent.futures import ThreadPoolExecutor, as_completed

    from rich.progress import track

    def compiled(name: str) -> subprocess.CompletedProcess[str]:
        words = [sys.executable, "-m", "quincunx", "warm", name]
        return subprocess.run(words, capture_output=True, text=True)

    with ThreadPoolExecutor(cores()) as threads:
        work = [threads.submit(compiled, name) for name in names]
        message = f"Compiling {len(names)} games"
        for done in track(
            as_completed(work),
            message,
            total=len(work),
            console=err,
            transient=True,
            disable=not err.is_terminal,
        ):
            if done.result().returncode:
                fail(done.result().stderr.strip())


@contextmanager
def compiling(names: Sequence[str]) -> Iterator[None]:
    """Says what is being compiled while something is done that needs only parts of games."""
    from quincunx.jit import is_warm

    cold = [name.capitalize() for name in names if not is_warm(name)]
    if not cold:
        yield
        return
    message = f"Compiling what is needed of {', '.join(cold)}"
    if not err.is_terminal:
        err.print(f"{message} ...")
    with err.status(f"{message} …"):
        yield


def beside(work: Callable[[], T], to_its_end: bool = False) -> T:
    """Runs compiled code in a thread of its own, so that Ctrl-C is heard meanwhile.

    What must not be left half done goes on to its end before Ctrl-C is passed on.
    """
    done: list[T] = []
    failed: list[BaseException] = []

    def run() -> None:
        try:
            done.append(work())
        except BaseException as error:
            failed.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    try:
        while thread.is_alive():
            thread.join(0.2)
    except KeyboardInterrupt:
        if to_its_end:
            thread.join()
        raise
    if failed:
        raise failed[0]
    return done[0]
