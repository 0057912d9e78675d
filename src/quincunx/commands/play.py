"""The command `play`: starts the terminal app or the plain prompt."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from quincunx.commands.arguments import (
    GAME_LIST,
    Options,
    Position,
    Seed,
    completed_games,
    configured_game,
    lowercase,
)
from quincunx.commands.console import (
    EXIT_INTERRUPTED,
    EXIT_OK,
    compile_game,
    compiling,
    err,
    fail,
    fail_usage,
    out,
    print_games,
)
from quincunx.commands.files import games_in, print_problems
from quincunx.errors import BadOption, MissingExtra, did_you_mean
from quincunx.phrases import quantity
from quincunx.registry import games

if TYPE_CHECKING:
    from quincunx.game import Game
    from quincunx.record import Record
    from quincunx.terminal.local_game import LocalGame


OptionalGameName = Annotated[
    str | None,
    typer.Argument(
        help=f"One of {GAME_LIST}. Default: ask.",
        metavar="GAME",
        callback=lowercase,
        autocompletion=completed_games,
    ),
]
Opponent = Annotated[
    str,
    typer.Option(
        "--against",
        "-a",
        metavar="BOT",
        help="Play against this bot: level:1 to level:8, or any player that `quincunx players` "
        "lists.",
    ),
]
SeatPlayers = Annotated[
    str | None,
    typer.Option(
        metavar="NAMES",
        help="Set the players of all seats, separated by semicolons, such as "
        "'human; greedy; human:ada'.",
    ),
]
ResumeFile = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Resume a game saved in a .qx file.")
]
Plain = Annotated[
    bool,
    typer.Option("--plain", help="Use a plain prompt, for pipes and screen readers."),
]
AppTheme = Annotated[
    str,
    typer.Option(metavar="NAME", help="Use the colour theme dark, light or contrast."),
]


def play(
    name: OptionalGameName = None,
    against: Opponent = "level:2",
    players: SeatPlayers = None,
    option: Options = None,
    seed: Seed = None,
    position: Position = None,
    resume: ResumeFile = None,
    plain: Plain = False,
    theme: AppTheme = "dark",
) -> None:
    """Play in the terminal by mouse or keyboard, with undo, hints, saving and analysis."""
    from quincunx.draw.palette import THEMES
    from quincunx.draw.svg import check_one_of
    from quincunx.match import Match
    from quincunx.terminal.local_game import LocalGame, match_from_record

    check_one_of("theme", theme, THEMES)
    plain = plain or not _app_can_run()
    if resume is not None:
        if option or seed is not None or position is not None:
            fail_usage(
                "--resume: the file sets options, seed and start position; leave out -O, -s and -p"
            )
        record, is_only_game = _load_record(resume)
        if name is not None and name != record.game.name:
            fail_usage(f"--resume: {resume} is a game of {record.game.name}, not {name}")
        match = match_from_record(record, _players(record.game, against, players))
        file = resume if is_only_game else None  # a file with other content is not overwritten
        _play(LocalGame(match, record, file), plain, theme)
        return
    if name is None and not plain and not (players or option or position or seed is not None):
        _run_app(None, theme, against)
        return
    game = configured_game(name or _ask_game(), option)
    match = Match(game, _players(game, against, players), seed, position or "")
    _play(LocalGame(match), plain, theme)


def _app_can_run() -> bool:
    """Returns True if the app can run here; otherwise prints the reason and returns False."""
    from importlib.util import find_spec

    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        err.print("Input or output is not a terminal; using the plain prompt.", style="dim")
    elif os.environ.get("TERM", "") in ("dumb", "unknown"):
        err.print(
            "This terminal does not support cursor positioning; using the plain prompt.",
            style="dim",
        )
    elif find_spec("textual") is None:
        reason = MissingExtra("terminal", "The terminal app")
        err.print(f"{reason}. Using the plain prompt.", style="dim", markup=False)
    else:
        return True
    return False


def _play(local_game: LocalGame, plain: bool, theme: str) -> None:
    """Plays a match at the plain prompt or in the app."""
    if plain:
        from quincunx.commands.plain_prompt import PlainPrompt

        PlainPrompt(local_game, out).run()
    else:
        _run_app(local_game, theme)


def _run_app(local_game: LocalGame | None, theme: str, against: str = "level:2") -> None:
    """Runs the app with a match, or from its setup screen if there is none."""
    from quincunx.terminal.app import QuincunxApp

    app = QuincunxApp(local_game, theme, against)
    app.run()
    if app.exit_message:
        out.print(app.exit_message, style="dim", markup=False)


def _players(game: Game, against: str, players: str | None) -> list[str]:
    """Returns the player of every seat; checks them, then compiles the game; raises BadOption.

    `players` is the text of that option. Without it, a person plays against the bot `against`.
    """
    from quincunx.match import HUMAN, is_human
    from quincunx.players import parse_player

    by_seat = [HUMAN] + [against] * (game.seats - 1)
    if players is not None:
        by_seat = [part.strip() for part in players.split(";")]
    if len(by_seat) != game.seats:
        raise BadOption(
            "players",
            players,
            f"{game.title} with these options needs {quantity(game.seats, 'player')}",
        )
    for player in by_seat:
        if not is_human(player):
            parse_player(player, game)
    compile_game(game)
    first = game.start(0).turn or 0
    if players is None and first:  # the person gets the seat that moves first
        by_seat[0], by_seat[first] = by_seat[first], by_seat[0]
    return by_seat


def _load_record(file: Path) -> tuple[Record, bool]:
    """Returns the first game of a file, and whether the file has only that game and no errors."""
    from quincunx.record import load

    with compiling(games_in(file)):
        records, problems = load(file)
    print_problems(file, problems)
    if not records:
        fail(f"{file}: no readable game in this file")
    if len(records) > 1:
        err.print(f"{file} has {len(records)} games; resuming the first.", markup=False)
    return records[0], len(records) == 1 and not problems


def _ask_game() -> str:
    """Asks for a game and returns its name."""
    names = games()
    print_games(names, numbered=True)
    out.print()
    while True:
        try:
            answer = input("Which game? (number or name) ").strip().lower()
        except (EOFError, KeyboardInterrupt) as ending:
            out.print("\nGoodbye.")
            code = EXIT_OK if isinstance(ending, EOFError) else EXIT_INTERRUPTED
            raise typer.Exit(code) from None
        if answer in names:
            return answer
        if answer in map(str, range(1, len(names) + 1)):
            return names[int(answer) - 1]
        hint = did_you_mean(answer, names).strip()
        err.print(f"Type a number from 1 to {len(names)} or a name{'; ' if hint else '.'}{hint}")
