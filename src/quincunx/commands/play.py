"""The command `play`: the terminal app, or a board and a prompt."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from quincunx.commands.arguments import (
    KNOWN,
    Options,
    Position,
    Seed,
    configured,
    lower,
)
from quincunx.commands.console import (
    FINE,
    compile_whole,
    compiling,
    err,
    fail,
    misuse,
    out,
)
from quincunx.commands.files import complain, games_in
from quincunx.errors import BadOption, MissingExtra, did_you_mean
from quincunx.registry import GAMES

if TYPE_CHECKING:
    from quincunx.game import Game
    from quincunx.record import Record
    from quincunx.terminal.local_game import LocalGame


def play(
    name: Annotated[
        str | None,
        typer.Argument(
            help=f"One of {KNOWN}; asked for if left out.", metavar="GAME", callback=lower
        ),
    ] = None,
    against: Annotated[
        str,
        typer.Option(
            "--against",
            "-a",
            metavar="BOT",
            help="The bot in the other seats: level:1 to level:8, or another player.",
        ),
    ] = "level:2",
    players: Annotated[
        str | None,
        typer.Option(
            metavar="NAMES", help="Who sits where, with ; between: 'human; greedy; human:ada'."
        ),
    ] = None,
    option: Options = None,
    seed: Seed = None,
    position: Position = None,
    resume: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Go on with a game saved in a .qx file.")
    ] = None,
    plain: Annotated[
        bool,
        typer.Option("--plain", help="A board and a prompt, for pipes and screen readers."),
    ] = False,
    theme: Annotated[
        str, typer.Option(metavar="NAME", help="Colours of the app: dark, light or contrast.")
    ] = "dark",
) -> None:
    """Play in the terminal, by mouse and keys; with undo, hint, save and analysis."""
    from quincunx.draw.palette import THEMES
    from quincunx.draw.svg import check_one_of
    from quincunx.match import Match
    from quincunx.terminal.local_game import LocalGame, resumed

    check_one_of("theme", theme, THEMES)
    plain = plain or not _app_can_run()
    if resume is not None:
        if option or seed is not None or position is not None:
            misuse("--resume: the file has options, seed and start; leave out -O, -s and -p")
        record, sound = _resumed(resume)
        if name is not None and name != record.game.name:
            misuse(f"--resume: {resume} is a game of {record.game.name}, not of {name}")
        match = resumed(record, _seated(record.game, against, players))
        _sit_down(LocalGame(match, record, resume if sound else None), plain, theme)
        return
    if name is None and not plain and not (players or option or position or seed is not None):
        _run_app(None, theme, against)
        return
    game = configured(name or _ask_game(), option)
    seats = _seated(game, against, players)
    _sit_down(LocalGame(Match(game, seats, seed, position or "")), plain, theme)


def _app_can_run() -> bool:
    """True if the app can be shown here; otherwise one line says why not."""
    from importlib.util import find_spec

    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        err.print("This is no terminal, so here is the plain prompt.", style="dim")
    elif os.environ.get("TERM", "") in ("dumb", "unknown"):
        err.print("This terminal cannot place letters, so here is the plain prompt.", style="dim")
    elif find_spec("textual") is None:
        reason = MissingExtra("terminal", "The app for the terminal")
        err.print(f"{reason}. Here is the plain prompt.", style="dim", markup=False)
    else:
        return True
    return False


def _sit_down(local_game: LocalGame, plain: bool, theme: str) -> None:
    """Plays a match, at the prompt or in the app."""
    if plain:
        from quincunx.terminal.plain_prompt import PlainPrompt

        PlainPrompt(local_game, out).run()
    else:
        _run_app(local_game, theme)


def _run_app(local_game: LocalGame | None, theme: str, against: str = "level:2") -> None:
    """Runs the app with a match, or from the choice of a game."""
    from quincunx.terminal.app import QuincunxApp

    app = QuincunxApp(local_game, theme, against)
    app.run()
    if app.farewell:
        out.print(app.farewell, style="dim", markup=False)


def _seated(game: Game, against: str, players: str | None) -> list[str]:
    """Who sits where, checked before anything is compiled; the game is compiled then."""
    from quincunx.match import HUMAN, is_human
    from quincunx.players import parse_player

    seats = [HUMAN] + [against] * (game.seats - 1)
    if players is not None:
        seats = [part.strip() for part in players.split(";")]
    if len(seats) != game.seats:
        raise BadOption("players", players, f"{game.title} needs {game.seats} of them here")
    for text in seats:
        if not is_human(text):
            parse_player(text, game)
    compile_whole(game)
    first = game.start(0).turn or 0
    if players is None and first:
        seats[0], seats[first] = seats[first], seats[0]
    return seats


def _resumed(file: Path) -> tuple[Record, bool]:
    """The game to go on with, and whether the file holds that game and nothing else."""
    from quincunx.record import load

    with compiling(games_in(file)):
        records, problems = load(file)
    complain(file, problems)
    if not records:
        fail(f"{file}: no game could be read")
    if len(records) > 1:
        err.print(f"{file} has {len(records)} games; this is the first.", markup=False)
    return records[0], len(records) == 1 and not problems


def _ask_game() -> str:
    """Asks which game to play."""
    for number, (name, entry) in enumerate(GAMES.items(), 1):
        out.print(f"  [bold cyan]{number} {name:8}[/] {entry.summary}")
    out.print()
    names = list(GAMES)
    while True:
        try:
            word = input("Which game? (number or name) ").strip().lower()
        except (EOFError, KeyboardInterrupt):
            out.print("\nGoodbye.")
            raise typer.Exit(FINE) from None
        if word in names:
            return word
        if word in map(str, range(1, len(names) + 1)):
            return names[int(word) - 1]
        hint = did_you_mean(word, names).strip()
        err.print(f"Type a number from 1 to {len(names)} or a name{'; ' if hint else '.'}{hint}")
